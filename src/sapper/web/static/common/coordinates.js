// Cells that a sentence names, as elements: pointing at one, or focusing it, shows it on the board.

import { el } from "./dom.js";
import { say } from "../words/index.js";

const CELL = /(\(\d{1,3}, \d{1,3}\))/;

/** A sentence as text and elements, one for every cell "(row, col)" that it names. */
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

/** The cells that a sentence names, as [row, col]. */
export const cellsIn = (sentence) =>
  String(sentence)
    .split(CELL)
    .filter((part) => CELL.test(part))
    .map((part) => part.slice(1, -1).split(", ").map(Number));

/** What makes any element, such as a button, show a cell in the same way: `el("button", { ...naming(cell) })`. */
export const naming = ([row, col]) => ({ "data-cell": `${row}, ${col}` });

const named = (target) => (target instanceof Element ? target.closest("[data-cell]") : null);
const cellOf = (element) => element.dataset.cell.split(", ").map(Number);

/** The board that an element speaks of: that of the nearest element around it which has one. */
function boardOf(element) {
  for (let at = element; at !== null; at = at.parentElement) if (at.board?.point) return at.board;
  return null;
}

function point(element, isSought) {
  const board = boardOf(element);
  board?.point(cellOf(element));
  if (isSought) board?.reveal(...cellOf(element));
}

function unpoint(element) {
  const focused = named(document.activeElement);
  if (focused !== null && focused !== element) point(focused, false);
  else if (focused === null) boardOf(element)?.point(null);
}

/** Bring the board itself into view, where the page has scrolled away from it. */
function seek(element) {
  point(element, true);
  boardOf(element)?.stage?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("pointerover", (event) => named(event.target) && point(named(event.target), false));
document.addEventListener("pointerout", (event) => named(event.target) && unpoint(named(event.target)));
document.addEventListener("focusin", (event) => named(event.target) && point(named(event.target), true));
document.addEventListener("focusout", (event) => named(event.target) && boardOf(named(event.target))?.point(null));
document.addEventListener("click", (event) => {
  const element = named(event.target);
  if (element?.matches(".cell-name")) seek(element);
});
// Before the page's own keys: Space on a name is meant for it.
document.addEventListener(
  "keydown",
  (event) => {
    if (!event.target.matches?.(".cell-name") || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    seek(event.target);
  },
  true,
);
