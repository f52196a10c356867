// One browser, several tabs: each keeps a game of its own, and a game that is open in two of them stays in step.

import { memory, tabMemory } from "../../../common/dom.js";

const LEAST_PAUSE = 1000; // milliseconds between two looks at the server

export class Tabs {
  #channel = "BroadcastChannel" in window ? new BroadcastChannel("sapper games") : null;
  #lookedAt = 0; // when the page was loaded, to begin with
  /** @type {ReturnType<typeof setTimeout> | null} */
  #next = null; // a look that waits for its time

  /**
   * `changed(id)` is called when a game may have changed elsewhere; null means the one that is shown.
   * @param {(id: string | null) => void} changed
   */
  constructor(changed) {
    this.#channel?.addEventListener("message", ({ data }) => changed(data));
    const look = () => {
      const isNew = performance.now() < LEAST_PAUSE; // what is shown has just come from the server
      if (document.hidden || isNew || this.#next !== null) return;
      this.#next = setTimeout(
        () => {
          this.#next = null;
          this.#lookedAt = performance.now();
          changed(null);
        },
        Math.max(0, this.#lookedAt + LEAST_PAUSE - performance.now()),
      );
    };
    document.addEventListener("visibilitychange", look);
    window.addEventListener("focus", look);
  }

  /** The game of this tab; a new tab begins with the last one of this browser. */
  get game() {
    return tabMemory.get("game") ?? memory.get("game");
  }

  /** @param {string} id */
  keep(id) {
    tabMemory.set("game", id);
    memory.set("game", id);
  }

  /** Tell the other tabs that a game has changed. @param {string} id */
  tell(id) {
    this.#channel?.postMessage(id);
  }
}
