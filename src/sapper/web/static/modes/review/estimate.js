// The chance to win through a game, estimated by the server in the background: roughly first, then better.

import { api, messageOf, statusOf } from "../../common/api.js";

export const PASSES = [20, 200]; // rollouts per risky move
const BUSY = 2000; // milliseconds until a busy server is asked again
const MOST_TRIES = 10;

export class Estimate {
  /** @type {AbortController | null} */
  #running = null;
  #pass = 0;
  #since = 0;
  isDone = false;

  /**
   * @param {Reviewed} what the game, as the server is asked to review it
   * @param {object} show
   * @param {(part: WinsPart, isRough: boolean) => void} show.came for some more moves
   * @param {() => void} show.done at the end
   * @param {(sentence: string) => void} show.failed
   */
  constructor(what, show) {
    this.what = what;
    this.show = show;
  }

  /** Begin, or go on where it was stopped. @returns {Promise<void>} */
  async start() {
    if (this.#running !== null || this.isDone) return;
    const running = new AbortController();
    this.#running = running;
    try {
      while (this.#pass < PASSES.length) {
        const part = await this.#ask(running.signal);
        this.#since = part.next ?? 0;
        this.show.came(part, this.#pass === 0);
        if (part.next === null) this.#pass += 1;
        if (part.total === 0) break;
      }
      this.isDone = true;
      this.show.done();
    } catch (error) {
      if (!running.signal.aborted) this.show.failed(messageOf(error));
    } finally {
      if (this.#running === running) this.#running = null;
    }
  }

  /** @param {AbortSignal} signal */
  async #ask(signal) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await api.wins(this.what, PASSES[this.#pass], this.#since, signal);
      } catch (error) {
        if (signal.aborted || ![429, 503].includes(statusOf(error)) || tries === MOST_TRIES) throw error;
        await new Promise((done) => setTimeout(done, BUSY));
        signal.throwIfAborted();
      }
    }
  }

  /** Stop asking; what the server is at now takes it less than a second. */
  stop() {
    this.#running?.abort();
    this.#running = null;
  }
}
