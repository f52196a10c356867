// What was known before a move: the chances of the position, and the proof or the reason for one of its cells.

import { api } from "../../common/api.js";
import { formatPosition, isClosed } from "../../board/cells/position.js";

const DELAY = 120; // milliseconds at a move before the server is asked
const MOST_CELLS = 10_000; // beyond, the numbers of a whole board take longer than a look at it

/** @typedef {{ chances: Analysis, found: Explanation | null }} Known */

export class Insight {
  /** @type {Map<string, Known>} */
  #known = new Map(); // from the position and the cell, as text
  #timer = 0;
  /** @type {AbortController | null} */
  #running = null;

  /** Forget what was wanted last; its answer is not shown any more. */
  cancel() {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#running = null;
  }

  /**
   * Find out about a position and one of its cells (or null); `show({ chances, found })` is called with the result.
   * @param {Position} position
   * @param {Cell | null} cell
   * @param {(known: Known) => void} show
   */
  look(position, cell, show) {
    this.cancel();
    // Before anything is open every cell is as good as the others, or the rules promise something.
    if (position.cells.length > MOST_CELLS || position.cells.every(isClosed) || !position.cells.some(isClosed)) return;
    const text = formatPosition(position);
    const key = `${text} ${cell}`;
    const known = this.#known.get(key);
    if (known) {
      show(known);
      return;
    }
    const running = new AbortController();
    this.#running = running;
    this.#timer = setTimeout(async () => {
      try {
        const chances = await api.analyse(text, running.signal);
        const isExplained = cell !== null && isClosed(position.cells[cell[0] * position.cols + cell[1]]);
        const found = isExplained && !running.signal.aborted ? await api.explain(text, ...cell) : null;
        this.#known.set(key, { chances, found });
        if (!running.signal.aborted) show({ chances, found });
      } catch {
        // The verdict stands without it: the position was too hard, or the server is busy.
      }
    }, DELAY);
  }
}
