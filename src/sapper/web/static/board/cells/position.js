// Positions as the server writes them: the one-line text form, and the codes of single cells.

import { isShape } from "./topology.js";
import { say } from "../../words/index.js";

export const HIDDEN = -1;
export const FLAG = -2;
export const EXPLODED = -3;
export const NO_CLUE = -4;

const CODES = new Map([
  ["#", HIDDEN],
  ["F", FLAG],
  ["*", EXPLODED],
  [".", NO_CLUE],
]);
[..."0123456789abcdef"].forEach((symbol, clue) => CODES.set(symbol, clue)); // those above 8 only on custom boards
const SYMBOLS = new Map([...CODES].map(([symbol, code]) => [code, symbol]));

/** @param {number} code */
export const isClosed = (code) => code === HIDDEN || code === FLAG;
/** @param {string} symbol */
export const codeOf = (symbol) => CODES.get(symbol);

/** Read the one-line form that the server sends; it is right by construction. @param {string} text */
export function parsePosition(text) {
  const [board, ...words] = text.trim().split(/\s+/);
  const lines = board.split("/");
  const position = emptyPosition(lines.length, lines[0].length);
  lines.forEach((line, row) => {
    for (let col = 0; col < line.length; col += 1) {
      position.cells[row * position.cols + col] = CODES.get(line[col]) ?? HIDDEN;
    }
  });
  for (const word of words) {
    if (/^\d+$/.test(word)) position.total = Number(word);
    else if (isShape(word)) position.shape = word;
    else position.channel = word;
  }
  return position;
}

/** @param {number} rows @param {number} cols @param {Shape} shape @param {number | null} total @returns {Position} */
export function emptyPosition(rows, cols, shape = "square", total = null) {
  return { rows, cols, shape, total, channel: null, cells: new Int8Array(rows * cols).fill(HIDDEN) };
}

/** @param {Position} position */
export function formatPosition(position) {
  const lines = [];
  for (let row = 0; row < position.rows; row += 1) {
    let line = "";
    for (let col = 0; col < position.cols; col += 1) line += SYMBOLS.get(position.cells[row * position.cols + col]);
    lines.push(line);
  }
  const words = [lines.join("/")];
  if (position.total !== null) words.push(String(position.total));
  if (position.shape !== "square") words.push(position.shape);
  if (position.channel) words.push(position.channel);
  return words.join(" ");
}

/** Say what a cell shows, as a person would. @param {number} code */
export function describeCode(code) {
  if (code === HIDDEN) return say.board.hidden;
  if (code === FLAG) return say.board.flag;
  if (code === EXPLODED) return say.board.exploded;
  if (code === NO_CLUE) return say.board.noClue;
  return code === 0 ? say.board.empty : String(code);
}
