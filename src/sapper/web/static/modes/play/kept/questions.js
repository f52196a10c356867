// Question marks: the player's own, known to this browser alone. To the game such a cell is hidden.

import { memory } from "../../../common/dom.js";

const KEY = "question-marks";
const MOST_GAMES = 20; // the marks of older games are forgotten

/** @returns {Map<string, number[]>} */
function readAll() {
  try {
    const found = JSON.parse(memory.get(KEY) ?? "[]");
    return new Map(Array.isArray(found) ? found : []);
  } catch {
    return new Map();
  }
}

export class Questions {
  /** @type {string | null} */
  #id = null;
  /** @type {Set<number>} */
  #cells = new Set();

  /** `changed()` is called when another tab has changed the marks of this game. @param {() => void} changed */
  constructor(changed) {
    window.addEventListener("storage", (event) => {
      if (event.key !== `sapper.${KEY}` || this.#id === null) return;
      this.look(this.#id);
      changed();
    });
  }

  /** The numbers of the marked cells. */
  get cells() {
    return this.#cells;
  }

  /** Turn to a game. @param {string} id */
  look(id) {
    this.#id = id;
    const found = readAll().get(id);
    this.#cells = new Set(Array.isArray(found) ? found : []);
  }

  /** @param {number} index @param {boolean} isMarked */
  put(index, isMarked) {
    if (isMarked === this.#cells.has(index)) return;
    if (isMarked) this.#cells.add(index);
    else this.#cells.delete(index);
    this.#keep();
  }

  /** Drop the marks that do not pass a test. @param {(index: number) => boolean} isRight */
  prune(isRight) {
    const kept = [...this.#cells].filter(isRight);
    if (kept.length === this.#cells.size) return;
    this.#cells = new Set(kept);
    this.#keep();
  }

  #keep() {
    if (this.#id === null) return;
    const all = readAll();
    all.delete(this.#id);
    if (this.#cells.size) all.set(this.#id, [...this.#cells]);
    memory.set(KEY, JSON.stringify([...all].slice(-MOST_GAMES)));
  }
}
