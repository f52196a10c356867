// Buttons that make a board larger, smaller, or fit.

import { el, icon } from "../common/dom.js";
import { say } from "../words/index.js";

/**
 * @param beside more buttons for how the board is shown
 * @param {Board} board
 * @param {Node[]} beside
 */
export function zoomButtons(board, ...beside) {
  /** @param {string} label @param {string} name @param {() => void} act */
  const one = (label, name, act) =>
    el("button.square", { type: "button", "aria-label": label, title: label, onclick: act }, icon(name));
  return el(
    "div.group.zooming",
    { role: "group", "aria-label": say.board.size },
    one(say.board.smaller, "minus", () => board.zoomBy(1 / 1.25)),
    one(say.board.fit, "fit", () => board.fit()),
    one(say.board.larger, "new", () => board.zoomBy(1.25)),
    ...beside,
  );
}
