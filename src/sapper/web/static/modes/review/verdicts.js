// How a reviewed move looks: its verdict as a badge, and its figures. The words are the server's.

import { el, icon } from "../../common/dom.js";
import { say } from "../../words/index.js";

// Every verdict has a shape of its own besides its colour.
const VERDICTS = {
  safe: ["check", "safe"],
  "forced guess": ["dice", "forced"],
  "fair guess": ["dice", "fair"],
  "extra risk": ["percent", "extra"],
  mistake: ["warn", "mistake"],
  unlucky: ["bolt", "unlucky"],
  unknown: ["help", "unknown"],
};
const UNKNOWN = VERDICTS.unknown;

export const titleOf = (verdict) => say.review.verdicts[verdict] ?? verdict;

/** The name of a verdict's icon, and of its colours. */
export const signOf = (verdict) => (VERDICTS[verdict] ?? UNKNOWN)[0];
export const kindOf = (verdict) => (VERDICTS[verdict] ?? UNKNOWN)[1];

export function badge(verdict) {
  return el(`span.badge.${kindOf(verdict)}`, {}, icon(signOf(verdict)), titleOf(verdict));
}

/** The figures of a move; an interval stands below its value. */
export function figuresOf(move) {
  const shown = move.action === "flag" ? [] : Object.entries(say.review.figures).filter(([name]) => move.figures[name]);
  if (!shown.length) return "";
  return el(
    "dl.numbers",
    {},
    ...shown.map(([name, label]) => {
      const [value, ...interval] = move.figures[name].split(/(?= \[)/);
      return el(
        "div",
        {},
        el("dt", {}, label),
        el("dd", {}, value, ...interval.map((words) => el("span.interval", {}, words))),
      );
    }),
  );
}
