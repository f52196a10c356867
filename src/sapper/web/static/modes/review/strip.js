// The strip above the slider: the risk of every move, the chance to win as a curve, and what decided the game.

import { svg } from "../../common/dom.js";
import { kindOf, signOf } from "./verdicts.js";

const HIGH = 70; // of the tallest bar and the room above it, in pixels
const MARK = 16; // pixels of a sign
const ICONS = new URL("../../common/icons.svg", import.meta.url).href;

/**
 * Where a move stands, in percent of the way from the first to the end: as the slider has it.
 * @param {number} at
 * @param {ReviewedMove[]} moves
 */
const placeOf = (at, moves) => `${(100 * at) / Math.max(1, moves.length)}%`;

/** @param {number} share */
const heightOf = (share) => HIGH - share * (HIGH - 6);

/**
 * Draw the risk of every move as a bar, and the least that there was as a line, above the slider's mark for it.
 * @param {SVGElement} place
 * @param {ReviewedMove[]} moves
 * @param {boolean} isWon
 * @param {number} now
 */
export function drawStrip(place, moves, isWon, now) {
  const width = 100 / Math.max(1, moves.length);
  /** @param {string} name @param {number} at @param {number} top @param {number} tall @param {number} share */
  const column = (name, at, top, tall, share) => {
    const made = svg("rect", { class: name, x: placeOf(at, moves), y: top, height: tall, rx: "1" });
    made.style.width = `min(${share * width}%, ${share * 28}px)`; // a short game has no fat bars
    return made;
  };
  const parts = [column("now", now, 0, 74, 1), svg("line", { class: "base", x1: "0", x2: "100%", y1: HIGH, y2: HIGH })];
  moves.forEach((move, at) => {
    if (move.action === "flag") return;
    const tall = Math.max(2, (move.p_mine ?? 0) * (HIGH - 6));
    parts.push(column(`bar-${kindOf(move.verdict)}`, at, HIGH - tall, tall, 0.7));
    if (move.best_p) parts.push(column("least", at, heightOf(move.best_p) - 1, 2, 1));
  });
  place.replaceChildren(...parts, ...drawCurve(moves, isWon), ...drawSigns(moves));
}

/**
 * The chance to win, as far as it was estimated: from each risky move to what it left, and on to the next.
 * @param {ReviewedMove[]} moves
 * @param {boolean} isWon
 */
function drawCurve(moves, isWon) {
  const points = moves.flatMap(({ wins, hit }, at) =>
    wins
      ? [
          [at, wins.best[0]],
          [at + 1, hit ? 0 : wins.played[0]],
        ]
      : [],
  );
  if (points.length && isWon) points.push([moves.length, 1]);
  return points.slice(1).map(([at, share], k) =>
    svg("line", {
      class: "wins",
      x1: placeOf(points[k][0], moves),
      x2: placeOf(at, moves),
      y1: heightOf(points[k][1]),
      y2: heightOf(share),
    }),
  );
}

/**
 * Mistakes, extra risks and bad luck, each with the sign that its verdict has everywhere.
 * @param {ReviewedMove[]} moves
 */
function drawSigns(moves) {
  return moves.flatMap((move, at) => {
    if (!move.notable) return [];
    const y = Math.min(HIGH - MARK / 2, heightOf(move.wins ? move.wins.best[0] : (move.p_mine ?? 0)));
    const x = placeOf(at, moves);
    return [
      svg("circle", { class: "sign-back", cx: x, cy: y, r: MARK / 2 + 1 }),
      svg("use", {
        class: `sign sign-${kindOf(move.verdict)}`,
        href: `${ICONS}#${signOf(move.verdict)}`,
        x,
        y,
        width: MARK,
        height: MARK,
      }),
    ];
  });
}

/**
 * Show on the strip which move is looked at.
 * @param {SVGElement} place
 * @param {number} at
 * @param {ReviewedMove[]} moves
 */
export function markStrip(place, at, moves) {
  place.querySelector(".now")?.setAttribute("x", placeOf(at, moves));
}

/**
 * The move that a point of the strip (clientX) belongs to.
 * @param {SVGElement} place
 * @param {number} clientX
 * @param {ReviewedMove[]} moves
 */
export function moveAt(place, clientX, moves) {
  const box = place.getBoundingClientRect();
  return Math.max(0, Math.min(moves.length - 1, Math.round(((clientX - box.left) / box.width) * moves.length)));
}
