// The board of the first steps: its mines are known here, so the page answers at once, and nothing can be lost.

import { FLAG, emptyPosition } from "../../../board/cells/position.js";
import { neighboursOf } from "../../../board/cells/topology.js";

// Every cell can be proven from one number at a time.
const MINES = [".....*", "*..*..", "..*...", "......", "......", "....**"];
/** @type {Cell} */
export const START = [4, 1];
/** The first number that gives a mine away. @type {Cell} */
export const GIVES_MINE = [3, 1];
/** A number that has its mine then. @type {Cell} */
export const GIVES_SAFE = [3, 2];

/** What is known of a hidden cell, and the number that says so. @typedef {{ isMine: boolean, clue: number }} Known */

export class GuidedBoard {
  #mines = new Set([...MINES.join("")].flatMap((one, index) => (one === "*" ? [index] : [])));

  constructor() {
    this.position = emptyPosition(MINES.length, MINES[0].length, "square", this.#mines.size);
  }

  /** @param {Cell} cell */
  numberOf([row, col]) {
    return row * this.position.cols + col;
  }

  /** @param {number} index @returns {Cell} */
  cellOf(index) {
    return [Math.floor(index / this.position.cols), index % this.position.cols];
  }

  /** @param {number} index */
  #around(index) {
    return neighboursOf(this.position, ...this.cellOf(index)).map((cell) => this.numberOf(cell));
  }

  /** @param {number} index */
  isMine(index) {
    return this.#mines.has(index);
  }

  get isWon() {
    return this.position.cells.every((code, index) => code >= 0 || this.isMine(index));
  }

  /** Open a cell without a mine, and what opens with it. @param {number} index */
  open(index) {
    const { cells } = this.position;
    const waiting = [index];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (cells[next] >= 0) continue;
      const around = this.#around(next);
      cells[next] = around.filter((other) => this.isMine(other)).length;
      if (cells[next] === 0) waiting.push(...around);
    }
  }

  /** @param {number} index */
  flag(index) {
    this.position.cells[index] = FLAG;
  }

  /** Flag the mines that are left. */
  flagAll() {
    for (const index of this.#mines) this.flag(index);
  }

  /** What the numbers prove of hidden cells, one number at a time; the easiest come first. */
  prove() {
    const { cells } = this.position;
    /** @type {Map<number, Known>} */
    const known = new Map();
    const clues = [...cells.keys()].filter((index) => cells[index] > 0);
    for (let before = -1; before < known.size;) {
      before = known.size;
      for (const clue of clues) {
        const closed = this.#around(clue).filter((index) => cells[index] < 0);
        const left = closed.filter((index) => !known.has(index));
        const nMines = closed.filter((index) => known.get(index)?.isMine).length;
        const isMine = cells[clue] - nMines === left.length;
        if (isMine || cells[clue] === nMines) for (const index of left) known.set(index, { isMine, clue });
      }
    }
    return known;
  }
}
