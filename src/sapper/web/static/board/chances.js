// The mine probabilities that a board shows: which are certain, which is the best guess, and the cells that no clue
// touches. Those are all alike, so one of them carries the number for all.

import { HIDDEN } from "./cells/position.js";
import { neighboursOf } from "./cells/topology.js";

const SAME = 1e-9; // probabilities are sums of floats

/**
 * What the painter reads, by cell numbers.
 * @typedef {object} ShownChances
 * @property {Chances["p"]} p
 * @property {Map<number, number>} certain
 * @property {Set<number>} far hidden cells that no clue touches; empty where they are few or not alike
 * @property {number} label the one of them that shows the number, or -1
 * @property {number} best the best guess, or -1
 */

/** @param {Position} position @param {Chances} chances @returns {ShownChances} */
export function readChances(position, chances) {
  const { cols } = position;
  /** @param {Cell} cell */
  const number = ([row, col]) => row * cols + col;
  const certain = new Map([
    ...chances.safe.map((cell) => /** @type {[number, number]} */ ([number(cell), 0])),
    ...chances.mines.map((cell) => /** @type {[number, number]} */ ([number(cell), 1])),
  ]);
  const far = findFar(position, chances.p, certain);
  return {
    p: chances.p,
    certain,
    far: new Set(far),
    label: middleOf(far, cols),
    best: chances.guess ? number(chances.guess) : -1,
  };
}

/**
 * @param {Position} position
 * @param {Chances["p"]} p
 * @param {Map<number, number>} certain
 */
function findFar(position, p, certain) {
  const { cols, cells } = position;
  const far = [...cells.keys()].filter((index) => {
    const [row, col] = [Math.floor(index / cols), index % cols];
    if (cells[index] !== HIDDEN || certain.has(index) || typeof p[row]?.[col] !== "number") return false;
    return neighboursOf(position, row, col).every(([r, c]) => cells[r * cols + c] < 0);
  });
  const values = far.map((index) => p[Math.floor(index / cols)][index % cols] ?? 0);
  const areAlike = values.every((value) => Math.abs(value - values[0]) < SAME);
  return far.length > 1 && areAlike ? far : [];
}

/** The cell nearest to the middle of some cells; -1 for none. @param {number[]} cells @param {number} cols */
function middleOf(cells, cols) {
  if (cells.length === 0) return -1;
  const places = cells.map((index) => [Math.floor(index / cols), index % cols]);
  const [row, col] = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
  const distances = places.map(([r, c]) => (r - row) ** 2 + (c - col) ** 2);
  return cells[distances.indexOf(Math.min(...distances))];
}
