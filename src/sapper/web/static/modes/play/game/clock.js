// The clock of a game: the server's, going on between its answers.

import { el, repeat } from "../../../common/dom.js";
import { isOn } from "../../../common/settings.js";

export class Clock {
  /** @type {GameState | null} */
  #state = null;
  #since = 0; // when that was told

  constructor() {
    this.element = el("span", { id: "clock" }, "0:00");
    repeat(100, () => this.tick());
  }

  /** @param {GameState} state */
  show(state) {
    this.#state = state;
    this.#since = performance.now();
    this.tick();
  }

  get #seconds() {
    if (this.#state === null || this.#state.moves === 0) return 0;
    const { over, seconds } = this.#state;
    return over ? seconds : seconds + (performance.now() - this.#since) / 1000;
  }

  tick() {
    const tenths = Math.floor(10 * this.#seconds);
    const seconds = Math.floor(tenths / 10);
    let words = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (isOn("tenths")) words += `.${tenths % 10}`;
    if (this.element.textContent !== words) this.element.textContent = words;
  }
}
