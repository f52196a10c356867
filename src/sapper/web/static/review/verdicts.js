// How a reviewed move looks: its verdict as a badge, its figures, and the strip of all moves. The words are the server's.

import { el, icon, svg } from "../common/dom.js";

// Every verdict has a shape of its own besides its colour.
const VERDICTS = {
  safe: ["check", "safe"], "forced guess": ["dice", "forced"], "fair guess": ["dice", "fair"], "extra risk": ["percent", "extra"],
  mistake: ["warn", "mistake"], unlucky: ["bolt", "unlucky"], unknown: ["help", "unknown"],
};
const UNKNOWN = VERDICTS.unknown;
const FIGURES = [["Risk taken", "risk"], ["Least possible", "least"], ["Chance to win", "chance"], ["Wins lost by it", "lost"]];

export const titleOf = (verdict) => verdict.charAt(0).toUpperCase() + verdict.slice(1);

export function badge(verdict) {
  const [name, kind] = VERDICTS[verdict] ?? UNKNOWN;
  return el(`span.badge.${kind}`, {}, icon(name), titleOf(verdict));
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

const HIGH = 70; // of the tallest bar and the room above it, in pixels

/** Where a move stands, in percent of the way from the first to the end: as the slider has it. */
const placeOf = (at, moves) => (100 * at) / Math.max(1, moves.length);

/** Draw the risk of every move as a bar, and the least that there was as a line, above the slider's mark for it. */
export function drawStrip(place, moves) {
  const width = 100 / Math.max(1, moves.length);
  const column = (name, at, top, tall, share) => {
    const made = svg("rect", { class: name, x: `${placeOf(at, moves)}%`, y: top, height: tall, rx: "1" });
    made.style.width = `min(${share * width}%, ${share * 28}px)`; // a short game has no fat bars
    return made;
  };
  const parts = [column("now", 0, 0, 74, 1), svg("line", { class: "base", x1: "0", x2: "100%", y1: HIGH, y2: HIGH })];
  moves.forEach((move, at) => {
    if (move.action === "flag") return;
    const [, kind] = VERDICTS[move.verdict] ?? UNKNOWN;
    const tall = Math.max(2, (move.p_mine ?? 0) * (HIGH - 6));
    parts.push(column(`bar-${kind}`, at, HIGH - tall, tall, 0.7));
    if (move.best_p) parts.push(column("least", at, HIGH - move.best_p * (HIGH - 6) - 1, 2, 1));
  });
  place.replaceChildren(...parts, ...drawWins(moves));
}

/** The chance to win, as far as it was estimated: from each risky move to what it left, and on to the next. */
function drawWins(moves) {
  const points = moves.flatMap(({ wins, hit }, at) => (wins ? [[at, wins.best[0]], [at + 1, hit ? 0 : wins.played[0]]] : []));
  const high = (share) => HIGH - share * (HIGH - 6);
  return points.slice(1).map(([at, share], k) => svg("line", {
    class: "wins", x1: `${placeOf(points[k][0], moves)}%`, x2: `${placeOf(at, moves)}%`, y1: high(points[k][1]), y2: high(share),
  }));
}

/** Show on the strip which move is looked at. */
export function markStrip(place, at, moves) {
  place.querySelector(".now")?.setAttribute("x", `${placeOf(at, moves)}%`);
}

/** The move that a point of the strip (clientX) belongs to. */
export function moveAt(place, clientX, moves) {
  const box = place.getBoundingClientRect();
  return Math.max(0, Math.min(moves.length - 1, Math.round(((clientX - box.left) / box.width) * moves.length)));
}
