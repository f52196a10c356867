// A hint or an explanation as a card, and what it marks on the board.

import { button, cellName, el, icon } from "./dom.js";
import { percent } from "./percent.js";

const KINDS = {
  single: "single clues", subset: "one clue within another", pair: "two clues together", "one-two": "one-two punch",
  contradiction: "trying it out", complete: "everything taken together", total: "the number of mines",
  promise: "promised by the rules",
};

export const swatch = (name, label) => el("span", {}, el("i", { class: `swatch ${name}` }), label);

/** The cells to mark for a hint or an explanation. */
export function marksOf(hint) {
  const marks = { clue: hint.clues ?? [] };
  if (hint.verdict && hint.cell) marks[hint.verdict] = [hint.cell];
  else if (hint.best) marks.best = [hint.best.cell];
  return marks;
}

function stepList(steps) {
  if (!steps?.length) return null;
  return el("ol.steps", {}, ...steps.map((step) => {
    const sentence = typeof step === "string" ? step : step.sentence;
    return el("li", { "data-depth": String(Math.min(2, step.depth ?? 0)) }, el("span", {}, sentence));
  }));
}

/** What proves that a cell is safe or a mine, or how risky it is: the body of a card. */
export function explanation(hint) {
  const parts = [];
  if (hint.verdict) {
    const isSafe = hint.verdict === "safe";
    parts.push(el(`p.notice.${isSafe ? "good" : "bad"}.row`, {}, icon(isSafe ? "check" : "flag"),
      el("b", {}, `${cellName(hint.cell)} is ${isSafe ? "safe" : "a mine"}`),
      hint.kind ? el("span.small", {}, KINDS[hint.kind] ?? hint.kind) : null));
  }
  parts.push(el("p", {}, hint.summary));
  const steps = stepList(hint.steps);
  if (steps) parts.push(steps);
  if (hint.uses_total) parts.push(el("p.small.soft", {}, "The number of mines on the board is part of the proof."));
  return parts;
}

/** The whole body of a hint. `use(action, cell)` carries it out, `show(cell)` scrolls to a cell. */
export function hintBody(hint, { use, show }) {
  if (hint.certain) {
    const isSafe = hint.verdict === "safe";
    return [
      ...explanation(hint),
      el("div.legend", {}, hint.clues.length ? swatch("clue", "proves it") : null,
        swatch(isSafe ? "safe" : "mine", isSafe ? "safe" : "mine")),
      el("div.row", {}, button(isSafe ? "Open it" : "Flag it", isSafe ? "check" : "flag",
        { class: "primary", onclick: () => use(isSafe ? "open" : "flag", hint.cell) })),
    ];
  }
  const parts = [el("p.notice.warn.row", {}, icon("dice"), el("b", {}, "Nothing is certain here: a guess is needed."))];
  if (hint.best) {
    parts.push(el("p", {}, el("b", {}, `Best guess ${cellName(hint.best.cell)}, a mine with ${percent(hint.best.p_mine, false, 1)}. `), hint.best.reason ?? hint.summary ?? ""));
  } else if (hint.summary) {
    parts.push(el("p", {}, hint.summary));
  }
  if (hint.candidates?.length) {
    parts.push(el("div", {}, el("p.label", {}, "The safest cells; the board shows the risk of all"),
      el("div.chances", {}, ...hint.candidates.map(({ cell, p_mine: p }) =>
        el("button", { type: "button", onclick: () => show(cell) }, el("span", {}, cellName(cell)), el("b", {}, percent(p)))))));
  }
  if (hint.best) {
    parts.push(el("div.legend", {}, swatch("best", "best guess")));
    parts.push(el("div.row", {}, button("Open the best guess", "dice", { class: "primary", onclick: () => use("open", hint.best.cell) })));
  }
  return parts;
}
