// How a reviewed move looks: its verdict as a badge, and the strip of all of them. What is said of it comes from the server.

import { el, icon, svg } from "../common/dom.js";

// Every verdict has a shape of its own besides its colour.
const VERDICTS = {
  safe: ["check", "safe"], "forced guess": ["dice", "forced"], "fair guess": ["dice", "fair"], "extra risk": ["percent", "extra"],
  mistake: ["warn", "mistake"], unlucky: ["bolt", "unlucky"], unknown: ["help", "unknown"],
};
const UNKNOWN = VERDICTS.unknown;

export const titleOf = (verdict) => verdict.charAt(0).toUpperCase() + verdict.slice(1);

export function badge(verdict) {
  const [name, kind] = VERDICTS[verdict] ?? UNKNOWN;
  return el(`span.badge.${kind}`, {}, icon(name), titleOf(verdict));
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
