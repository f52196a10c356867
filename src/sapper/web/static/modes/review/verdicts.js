// How a reviewed move looks: its verdict as a badge, and its figures. The words are the server's.

import { el, icon } from "../../common/dom.js";

// Every verdict has a shape of its own besides its colour.
const VERDICTS = {
  safe: ["check", "safe"], "forced guess": ["dice", "forced"], "fair guess": ["dice", "fair"], "extra risk": ["percent", "extra"],
  mistake: ["warn", "mistake"], unlucky: ["bolt", "unlucky"], unknown: ["help", "unknown"],
};
const UNKNOWN = VERDICTS.unknown;
const FIGURES = [["Risk taken", "risk"], ["Least possible", "least"], ["Chance to win", "chance"], ["Wins lost by it", "lost"]];

export const titleOf = (verdict) => verdict.charAt(0).toUpperCase() + verdict.slice(1);

/** The name of a verdict's icon, and of its colours. */
export const signOf = (verdict) => (VERDICTS[verdict] ?? UNKNOWN)[0];
export const kindOf = (verdict) => (VERDICTS[verdict] ?? UNKNOWN)[1];

export function badge(verdict) {
  return el(`span.badge.${kindOf(verdict)}`, {}, icon(signOf(verdict)), titleOf(verdict));
}

/** The figures of a move; an interval stands below its value. */
export function figuresOf(move) {
  const shown = move.action === "flag" ? [] : FIGURES.filter(([, name]) => move.figures[name]);
  if (!shown.length) return "";
  return el("dl.numbers", {}, ...shown.map(([label, name]) => {
    const [value, ...interval] = move.figures[name].split(/(?= \[)/);
    return el("div", {}, el("dt", {}, label), el("dd", {}, value, ...interval.map((words) => el("span.interval", {}, words))));
  }));
}
