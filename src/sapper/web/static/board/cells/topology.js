// Which cells touch, as in topology.py.

import { OFFSETS, OWN, USUAL_DEGREE } from "../../constants.js";
import { isTable, readTable } from "./table.js";

/**
 * Whether a word says which cells touch: the name of a shape, or the table of a custom board.
 * @param {string} word
 */
export const isShape = (word) => Object.hasOwn(OFFSETS, word) || isTable(word);

/** The name of a shape: that of a custom board is `own`. @param {Shape} shape */
export const nameOfShape = (shape) => (isTable(shape) ? OWN : shape);

/** Whether cells touch that are not drawn side by side, or the other way round. @param {Grid} grid */
export const hidesNeighbours = ({ shape }) => shape === "knight" || shape === "orthogonal" || isTable(shape);

/**
 * The cells that touch (row, col), as [row, col].
 * @param {Grid} board
 * @param {number} row
 * @param {number} col
 * @returns {Cell[]}
 */
export function neighboursOf(board, row, col) {
  if (isTable(board.shape)) return listed(board, row, col);
  const { shape, rows, cols } = board;
  const steps = OFFSETS[shape][row % 2];
  const found = new Map();
  for (const [down, right] of steps) {
    let r = row + down;
    let c = col + right;
    if (shape === "torus") {
      r = (r + rows) % rows;
      c = (c + cols) % cols;
    }
    const isHome = r === row && c === col;
    if (r >= 0 && r < rows && c >= 0 && c < cols && !isHome) found.set(r * cols + c, [r, c]);
  }
  return [...found.values()];
}

/** @param {Grid} grid @param {number} row @param {number} col @returns {Cell[]} */
function listed({ shape, rows, cols }, row, col) {
  // A link may bring a table that does not fit; the server says so, and until then nothing is lit beyond the board.
  const others = readTable(shape).get(row * cols + col) ?? [];
  return others.filter((other) => other < rows * cols).map((other) => [Math.floor(other / cols), other % cols]);
}

/** The numbers of the cells that each cell touches, cell by cell, in order. @param {Grid} board */
export function neighbourNumbers(board) {
  const { rows, cols } = board;
  return Array.from({ length: rows * cols }, (_, cell) =>
    neighboursOf(board, Math.floor(cell / cols), cell % cols)
      .map(([r, c]) => r * cols + c)
      .sort((one, other) => one - other),
  );
}

/**
 * The largest clue to offer on a board: 8, even where no cell touches as many, or more.
 * @param {Grid} grid
 */
export function mostClue({ shape }) {
  const degrees = isTable(shape) ? [...readTable(shape).values()].map((others) => others.length) : [];
  return Math.max(USUAL_DEGREE, ...degrees);
}

/** Whether two cells that touch have a neighbour in common anywhere. @param {Grid} board */
export function hasSharedNeighbours(board) {
  const around = neighbourNumbers(board).map((others) => new Set(others));
  return around.some((others) => [...others].some((other) => [...around[other]].some((third) => others.has(third))));
}

/**
 * Where an arrow key leads: around the edge on a torus, nowhere past it elsewhere.
 * @param {Grid} grid
 * @param {number} row
 * @param {number} col
 * @param {number} down
 * @param {number} right
 * @returns {Cell}
 */
export function step({ shape, rows, cols }, row, col, down, right) {
  if (shape === "torus") return [(row + down + rows) % rows, (col + right + cols) % cols];
  return [Math.min(rows - 1, Math.max(0, row + down)), Math.min(cols - 1, Math.max(0, col + right))];
}
