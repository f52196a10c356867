// What is said of a reviewed move: its verdict as words and a badge, its chances, the strip of all of them.

import { el, icon, svg } from "../common/dom.js";
import { percent } from "../common/percent.js";

// Every verdict has a shape of its own besides its colour.
const VERDICTS = {
  safe: ["check", "safe", "Safe", "It could be proved safe."],
  "forced guess": ["dice", "forced", "Forced guess", "Nothing was certain; no other cell was less risky."],
  "fair guess": ["dice", "fair", "Fair guess", "Nothing was certain; another cell was a little less risky."],
  mistake: ["warn", "mistake", "Mistake", "There was a clearly better move."],
  unlucky: ["bolt", "unlucky", "Unlucky", "A mine, though no move was safer by much."],
  unknown: ["help", "unknown", "Not judged", "The exact sum would take too long here."],
};
const UNKNOWN = VERDICTS.unknown;

const isCertain = (p) => p === 0 || p === 1;
export const chance = (p) => (p === null || p === undefined ? "–" : percent(p, isCertain(p), isCertain(p) ? 0 : 1));

export const titleOf = (verdict) => (VERDICTS[verdict] ?? UNKNOWN)[2];
export const meaningOf = (verdict) => (VERDICTS[verdict] ?? UNKNOWN)[3];

/** An estimate with the ends of its 95 % interval; an exact one has none. */
export function share([value, low, high]) {
  const inPercent = (part) => (100 * part).toFixed(1);
  return low === high ? `${inPercent(value)} %` : `${inPercent(value)} % (${inPercent(low)} to ${inPercent(high)})`;
}

export const isNotable = ({ verdict }) => verdict === "mistake" || verdict === "unlucky";

export function badge(verdict) {
  const [name, kind, title] = VERDICTS[verdict] ?? UNKNOWN;
  return el(`span.badge.${kind}`, {}, icon(name), title);
}

const HIGH = 70; // of the tallest bar and the room above it, in pixels

/** Draw the risk of every move as a bar, and the least that there was as a line. */
export function drawStrip(place, moves) {
  const width = 100 / Math.max(1, moves.length);
  const parts = [svg("rect", { class: "now", x: "0%", width: `${width}%`, y: "0", height: "74", rx: "2" }), svg("line", { class: "base", x1: "0", x2: "100%", y1: HIGH, y2: HIGH })];
  moves.forEach((move, at) => {
    if (move.action === "flag") return;
    const [, kind] = VERDICTS[move.verdict] ?? UNKNOWN;
    const tall = Math.max(2, (move.p_mine ?? 0) * (HIGH - 6));
    parts.push(svg("rect", { class: `bar-${kind}`, x: `${at * width + width * 0.15}%`, width: `${width * 0.7}%`, y: HIGH - tall, height: tall, rx: "1" }));
    if (move.best_p) parts.push(svg("line", { class: "least", x1: `${at * width}%`, x2: `${(at + 1) * width}%`, y1: HIGH - move.best_p * (HIGH - 6), y2: HIGH - move.best_p * (HIGH - 6) }));
  });
  place.style.maxWidth = `${moves.length * 28}px`; // a short game has no fat bars
  place.replaceChildren(...parts);
}
