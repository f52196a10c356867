// How a reviewed move looks: its verdict as a badge, and its figures. The words are the server's.

import { el, icon } from "../../common/dom.js";
import { lookUp, say } from "../../words/index.js";

// Every verdict has a shape of its own besides its colour.
/** @type {Record<string, [icon: string, kind: string]>} */
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

/** @param {string} verdict */
export const titleOf = (verdict) => lookUp(say.review.verdicts, verdict) ?? verdict;

/** The name of a verdict's icon, and of its colours. @param {string} verdict */
export const signOf = (verdict) => (VERDICTS[verdict] ?? UNKNOWN)[0];
/** @param {string} verdict */
export const kindOf = (verdict) => (VERDICTS[verdict] ?? UNKNOWN)[1];

/** @param {string} verdict */
export function badge(verdict) {
  return el(`span.badge.${kindOf(verdict)}`, {}, icon(signOf(verdict)), titleOf(verdict));
}

/** The figures of a move; an interval stands below its value. @param {ReviewedMove} move */
export function figuresOf(move) {
  if (move.action === "flag") return "";
  const shown = Object.entries(say.review.figures).flatMap(([name, label]) => {
    const figure = move.figures[name];
    return figure ? [{ label, figure }] : [];
  });
  if (!shown.length) return "";
  return el(
    "dl.numbers",
    {},
    ...shown.map(({ label, figure }) => {
      const [value, ...interval] = figure.split(/(?= \[)/);
      return el(
        "div",
        {},
        el("dt", {}, label),
        el("dd", {}, value, ...interval.map((words) => el("span.interval", {}, words))),
      );
    }),
  );
}
