// Cells that a sentence names, as elements: pointing at one, or focusing it, shows it on the board.

import { el } from "./dom.js";
import { say } from "../words/index.js";

const CELL = /(\(\d{1,3}, \d{1,3}\))/;

/** A sentence as text and elements, one for every cell "(row, col)" that it names. @param {string} sentence */
export function withCells(sentence) {
  return String(sentence)
    .split(CELL)
    .filter(Boolean)
    .map((part) =>
      CELL.test(part)
        ? el(
            "span.cell-name",
            { role: "button", tabindex: "0", title: say.common.showCell, "data-cell": part.slice(1, -1) },
            part,
          )
        : part,
    );
}

/** @param {string} text @returns {Cell} */
function read(text) {
  const [row, col] = text.split(", ").map(Number);
  return [row, col];
}

/** The cells that a sentence names, as [row, col]. @param {string} sentence @returns {Cell[]} */
export const cellsIn = (sentence) =>
  String(sentence)
    .split(CELL)
    .filter((part) => CELL.test(part))
    .map((part) => read(part.slice(1, -1)));

/**
 * What makes any element, such as a button, show a cell in the same way: `el("button", { ...naming(cell) })`.
 * @param {Cell} cell
 */
export const naming = ([row, col]) => ({ "data-cell": `${row}, ${col}` });

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
const named = (target) => (target instanceof Element ? target.closest("[data-cell]") : null);
/** @param {HTMLElement} element @returns {Cell} */
const cellOf = (element) => read(element.dataset.cell ?? "");

/**
 * The board that an element speaks of: that of the nearest element around it which has one.
 * @param {HTMLElement} element
 */
function boardOf(element) {
  for (let at = /** @type {HTMLElement | null} */ (element); at !== null; at = at.parentElement) {
    if (at.board) return at.board;
  }
  return null;
}

/** @param {HTMLElement} element @param {boolean} isSought */
function point(element, isSought) {
  const board = boardOf(element);
  board?.point(cellOf(element));
  if (isSought) board?.reveal(...cellOf(element));
}

/** @param {HTMLElement} element */
function unpoint(element) {
  const focused = named(document.activeElement);
  if (focused !== null && focused !== element) point(focused, false);
  else if (focused === null) boardOf(element)?.point(null);
}

/** Bring the board itself into view, where the page has scrolled away from it. @param {HTMLElement} element */
function seek(element) {
  point(element, true);
  boardOf(element)?.stage?.scrollIntoView({ block: "nearest" });
}

/** A listener for events at elements that name a cell. @param {(element: HTMLElement) => unknown} act */
const onNamed = (act) => (/** @type {Event} */ event) => {
  const element = named(event.target);
  if (element !== null) act(element);
};

document.addEventListener(
  "pointerover",
  onNamed((element) => point(element, false)),
);
document.addEventListener("pointerout", onNamed(unpoint));
document.addEventListener(
  "focusin",
  onNamed((element) => point(element, true)),
);
document.addEventListener(
  "focusout",
  onNamed((element) => boardOf(element)?.point(null)),
);
document.addEventListener(
  "click",
  onNamed((element) => element.matches(".cell-name") && seek(element)),
);
// Before the page's own keys: Space on a name is meant for it.
document.addEventListener(
  "keydown",
  (event) => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || !target.matches(".cell-name")) return;
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    seek(target);
  },
  true,
);
