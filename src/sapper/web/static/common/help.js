// The keys of every mode, in a dialog.

import { el, icon } from "./dom.js";

const EVERYWHERE = [[["?"], "this help"], [["Tab"], "from control to control"], [["G"], "rows and columns, numbered"], [["Ctrl", "wheel"], "zoom; two fingers on a phone"]];
const KEYS = {
  play: [[["←", "↑", "↓", "→"], "move"], [["Space"], "open"], [["F"], "flag, or the next mark"], [["C"], "chord"], [["H"], "hint, with its reason; again: the next one"],
    [["P"], "probabilities"], [["U"], "undo"], [["W"], "point out wrong flags"], [["N"], "new board; asks first during a game"], [["R"], "same board again"]],
  watch: [[["Space"], "start, pause"], [["←", "→"], "one step back, on (or S)"], [["Home", "End"], "first, last"], [["A"], "improved agent: contradiction"], [["B"], "basic agent: local"], [["Return"], "reset"],
    [["N"], "new board"], [["1", "2", "3", "4"], "solved so far, actual, start, all"]],
  analyse: [[["←", "↑", "↓", "→"], "move"], [["0"], "to ", ["8"], "paint a clue"], [["#"], "hidden"], [["F"], "flag"], [["*"], "exploded mine"],
    [["."], "open, no clue"], [["Space"], "explain a hidden cell"], [["B"], "best cell, with its chance to win"], [["U"], "undo a change (or Ctrl+Z)"]],
  review: [[["←", "→"], "move by move"], [["Home", "End"], "first, last"], [["M"], "next mistake, extra risk or bad luck"], [["S"], "last move with a safe cell"]],
  lab: [],
};
const NAMES = { play: "Play", watch: "Watch", analyse: "Analyse", review: "Review" };
const MOUSE = [["Left click", "opens"], ["Right click", "flags"], ["Both buttons, middle or double click", "chord"],
  ["Tap, long press", "opens, flags"], ["Tap on a number", "chords"]];

function keyList(entries) {
  return el("dl.keys", {}, ...entries.flatMap((parts) => {
    const keys = parts.slice(0, -1).flatMap((part) => (Array.isArray(part) ? part.map((key) => el("kbd", {}, key)) : [part]));
    return [el("dt", {}, ...keys), el("dd", {}, parts.at(-1))];
  }));
}

export function fillHelp(dialog, mode) {
  const order = [mode, ...Object.keys(NAMES).filter((name) => name !== mode)].filter((name) => KEYS[name]?.length);
  dialog.replaceChildren(
    el("header.row.spread", {}, el("h2", { id: "help-title" }, "Keys and help"),
      el("button.ghost", { type: "button", autofocus: true, "aria-label": "Close", onclick: () => dialog.close() }, icon("cross"))),
    el("div.columns", {},
      ...order.map((name) => el("section", {}, el("h3", {}, NAMES[name]), keyList(KEYS[name]))),
      el("section", {}, el("h3", {}, "Mouse and touch"), el("dl.keys", {}, ...MOUSE.flatMap(([what, does]) => [el("dt", {}, what), el("dd", {}, does)]))),
      el("section", {}, el("h3", {}, "Everywhere"), keyList(EVERYWHERE))),
    el("p.soft.small", {}, "Rows and columns are counted from 0, from the top left. Chances are exact and never rounded to 0 or 100 % unless certain."));
}
