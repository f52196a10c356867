// A hint or an explanation as a card, and what it marks on the board.

import { naming, withCells } from "./coordinates.js";
import { button, cellName, el, icon } from "./dom.js";
import { percent } from "./percent.js";

const KINDS = {
  single: "single clues", subset: "one clue within another", pair: "two clues together", "one-two": "a one-two punch",
  contradiction: "trying it out", complete: "everything taken together", total: "the number of mines",
  promise: "the rules",
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
    return el("li", { "data-depth": String(Math.min(2, step.depth ?? 0)) }, el("span", {}, ...withCells(sentence)));
  }));
}

const RISK = /^\(\d+, \d+\) is not certain: it is a mine with a chance of [\d.]+\s?%\.\s*/;

/** What there is to say of the best guess beside its cell and its risk, which are said already. */
const reasonOf = (hint) => (hint.best.reason ?? hint.summary ?? "").replace(RISK, "");

/** What proves that a cell is safe or a mine, or how risky it is: the body of a card. */
export function explanation(hint) {
  const parts = [];
  if (hint.verdict) {
    const isSafe = hint.verdict === "safe";
    const start = `${cellName(hint.cell)} is ${isSafe ? "safe" : "a mine"}`;
    const isSaid = hint.summary.startsWith(start);
    parts.push(el(`p.notice.${isSafe ? "good" : "bad"}.row`, {}, icon(isSafe ? "check" : "flag"),
      el("span", {}, el("b", {}, ...withCells(start)), ...withCells(isSaid ? hint.summary.slice(start.length) : `. ${hint.summary}`))));
  } else {
    parts.push(el("p", {}, ...withCells(hint.summary)));
  }
  const steps = stepList(hint.steps);
  if (steps) parts.push(steps);
  if (hint.uses_total) parts.push(el("p.small.soft", {}, "The number of mines on the board is part of the proof."));
  return parts;
}

/** The same for a screen reader, in one go. */
export function hintWords(hint) {
  if (hint.certain) return [hint.summary, ...(hint.steps ?? []).map((step) => step.sentence ?? step)].join(" ");
  if (!hint.best) return `Nothing is certain. ${hint.summary ?? ""}`;
  return `Nothing is certain. ${bestStart(hint.best)} ${reasonOf(hint)}`;
}

const bestStart = (best) => `Best guess ${cellName(best.cell)}, a mine with ${percent(best.p_mine, false, 1)}.`;

/** The whole body of a hint. `use(action, cell, event)` carries it out, `show(cell)` scrolls to a cell, `next(event)` asks for another. */
export function hintBody(hint, { use, show, next }) {
  if (hint.certain) {
    const isSafe = hint.verdict === "safe";
    return [
      ...explanation(hint),
      el("div.legend", {}, hint.kind ? el("span", {}, `By ${KINDS[hint.kind] ?? hint.kind}`) : null,
        hint.clues.length ? swatch("clue", "proves it") : null,
        swatch(isSafe ? "safe" : "mine", isSafe ? "safe" : "mine")),
      el("div.row.uses", {},
        button(isSafe ? "Open it" : "Flag it", isSafe ? "check" : "flag",
          { class: "primary", onclick: (event) => use(isSafe ? "open" : "flag", hint.cell, event) }),
        next ? button("Next hint", "bulb", { id: "next-hint", onclick: next }) : null),
    ];
  }
  const parts = [el("p.notice.warn.row", {}, icon("dice"), el("b", {}, "Nothing is certain here: a guess is needed."))];
  if (hint.best) {
    parts.push(el("p", {}, el("b", {}, ...withCells(`${bestStart(hint.best)} `)), ...withCells(reasonOf(hint))));
  } else if (hint.summary) {
    parts.push(el("p", {}, ...withCells(hint.summary)));
  }
  if (hint.best) {
    parts.push(el("div.row.uses", {}, button("Open the best guess", "dice", { class: "primary", onclick: (event) => use("open", hint.best.cell, event) }),
      el("span.legend", {}, swatch("best", "best guess"))));
  }
  if (hint.candidates?.length) {
    parts.push(el("div", {}, el("p.label", {}, "The safest cells; the board shows the risk of all"),
      el("div.chances", {}, ...hint.candidates.map(({ cell, p_mine: p }) =>
        el("button", { type: "button", ...naming(cell), onclick: () => show(cell) }, el("span", {}, cellName(cell)), el("b", {}, percent(p)))))));
  }
  return parts;
}
