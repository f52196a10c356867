// Buttons that make a board larger, smaller, or fit.

import { el, icon } from "../common/dom.js";

/** @param beside more buttons for how the board is shown */
export function zoomButtons(board, ...beside) {
  const one = (label, name, act) => el("button.square", { type: "button", "aria-label": label, title: label, onclick: act }, icon(name));
  return el("div.group.zooming", { role: "group", "aria-label": "Size of the board" },
    one("Smaller", "minus", () => board.zoomBy(1 / 1.25)),
    one("Fit the board", "fit", () => board.fit()),
    one("Larger", "new", () => board.zoomBy(1.25)),
    ...beside);
}
