// How a reviewed move looks: its verdict as a badge, and its figures.

import { el, icon } from "../../common/dom.js";
import { percent } from "../../common/percent.js";
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

/** In percent, without the sign. @param {number} share */
const points = (share) => (Math.round(1000 * share) / 10 + 0).toFixed(1);

/** A share of games: its value, and its interval unless it is exact. @param {Interval} found */
export function writeShare([value, low, high]) {
  if (low !== high) return [say.common.percent(points(value)), ` [${points(low)}, ${points(high)}]`];
  return [value < 0 ? `-${percent(-value, false, 1)}` : percent(value, value === 0 || value === 1, 1)];
}

/** The figures of a move; an interval appears below its value. @param {ReviewedMove} move */
export function figuresOf({ action, p_mine: risk, certain, best_p: least, wins }) {
  if (action === "flag") return "";
  /** @type {[label: string, value: string, interval?: string][]} */
  const shown = [];
  if (risk !== null) shown.push([say.review.figures.risk, percent(risk, certain, 1)]);
  if (least !== null) shown.push([say.review.figures.least, percent(least, least === 0 || least === 1, 1)]);
  if (wins !== null) {
    const [value, interval] = wins.lost.some((one) => one !== 0) ? writeShare(wins.lost) : [say.review.noneLost];
    const [best, around] = writeShare(wins.best);
    shown.push([say.review.figures.chance, best, around], [say.review.figures.lost, value, interval]);
  }
  if (!shown.length) return "";
  return el(
    "dl.numbers",
    {},
    ...shown.map(([label, value, interval]) =>
      el(
        "div",
        {},
        el("dt", {}, label),
        el("dd", {}, value, interval === undefined ? null : el("span.interval", {}, interval)),
      ),
    ),
  );
}
