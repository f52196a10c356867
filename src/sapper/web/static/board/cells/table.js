// Custom boards: the table that says which cells touch, as in topology.py.
//
// "own:1,5/2/3/4/5" is a ring of six cells: for each cell in turn the later cells that it touches. Whatever keeps a
// shape keeps the whole word.

import { MAX_DEGREE, OWN } from "../../constants.js";
import { language, say } from "../../words/index.js";

const PREFIX = `${OWN}:`;
const PATTERN = /^(\d{1,7}(,\d{1,7})*)?(\/(\d{1,7}(,\d{1,7})*)?)*$/;
const MOST_KEPT = 16;

/** @type {Map<string, Map<number, number[]>>} */
const kept = new Map(); // from a word to what was read of it: a board asks for its neighbours again and again

/** @param {Shape} shape */
export const isTable = (shape) => shape.startsWith(PREFIX);
/** @param {string} table */
export const wordOf = (table) => PREFIX + table;
/** @param {string} word */
export const tableOf = (word) => word.slice(PREFIX.length);

/**
 * The numbers of the cells that each cell touches, in order; whatever is wrong with the table is passed over.
 * @param {string} word
 * @returns {Map<number, number[]>}
 */
export function readTable(word) {
  const known = kept.get(word);
  if (known !== undefined) return known;
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT) kept.delete(oldest);
  const found = read(tableOf(word));
  kept.set(word, found);
  return found;
}

/** @param {string} table */
function read(table) {
  /** @type {Map<number, Set<number>>} */
  const around = new Map();
  /** @param {number} cell @param {number} other */
  const add = (cell, other) => around.set(cell, (around.get(cell) ?? new Set()).add(other));
  table.split("/").forEach((numbers, cell) => {
    for (const other of numbers.split(",").filter(Boolean).map(Number)) {
      add(cell, other);
      add(other, cell);
    }
  });
  return new Map([...around].map(([cell, others]) => [cell, [...others].sort((one, other) => one - other)]));
}

/** A table for people to begin with, from the neighbours of every cell. @param {number[][]} around */
export function writeTable(around) {
  return around
    .map((others, cell) => others.filter((other) => other > cell).join(","))
    .join("/")
    .replace(/\/+$/, "");
}

/**
 * What is wrong with a table for a board of `nCells` cells: a sentence, or null. The server checks it again.
 * @param {string} table
 * @param {number} nCells
 * @param {number} most
 */
export function mistakeIn(table, nCells, most) {
  if (!PATTERN.test(table)) return say.table.notATable;
  if (wordOf(table).length > most) {
    return say.table.tooLong(wordOf(table).length.toLocaleString(language), most.toLocaleString(language));
  }
  const nListed = table.split("/").length;
  if (nListed > nCells) return say.table.tooManyCells(nListed, nCells);
  for (const [cell, others] of readTable(wordOf(table))) {
    if (cell >= nCells) return say.table.noSuchCell(others[0], cell, nCells - 1);
    if (others.includes(cell)) return say.table.touchesItself(cell);
    if (others.length > MAX_DEGREE) return say.table.tooMany(cell, others.length, MAX_DEGREE);
  }
  return null;
}
