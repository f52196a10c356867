// Positions as they were before each change, to go back to.

const MOST = 200;

export class Past {
  /** @type {string[]} */
  #positions = [];
  /** @type {number | null} */
  #stroke = null;

  get isEmpty() {
    return this.#positions.length === 0;
  }

  /**
   * Note a position (as text) before it changes. All changes of one stroke of the mouse count as one.
   * @param {string} text
   * @param {number | null} stroke
   */
  note(text, stroke = null) {
    const goesOn = stroke !== null && stroke === this.#stroke;
    this.#stroke = stroke;
    if (goesOn || this.#positions.at(-1) === text) return;
    this.#positions.push(text);
    if (this.#positions.length > MOST) this.#positions.shift();
  }

  /** The position before the last change, or null. */
  back() {
    this.#stroke = null;
    return this.#positions.pop() ?? null;
  }
}
