// What charts share: lines across with a value at each, and numbers along the bottom.

import { svg } from "./dom.js";

/**
 * A line at each of these values, from `left` to `right` at `toY`, named at the left. A line at 0 is drawn through.
 * @param {number[]} values
 * @param {(value: number) => string} name
 * @param {(value: number) => number} toY
 * @param {number} left
 * @param {number} right
 */
export function levels(values, name, toY, left, right) {
  return values.flatMap((value) => [
    svg("line", {
      class: value === 0 ? "tick-line" : "grid-line",
      x1: left,
      x2: right,
      y1: toY(value),
      y2: toY(value),
    }),
    svg("text", { x: left - 8, y: toY(value) + 4, "text-anchor": "end" }, name(value)),
  ]);
}

/**
 * Some of the numbers from 1 to n below a chart; `toX` takes them from 0.
 * @param {number} n
 * @param {(at: number) => number} toX
 * @param {number} y
 */
export function counting(n, toX, y) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200].find((one) => n / one <= 8) ?? 500;
  const told = [];
  for (let at = step; at <= n; at += step) {
    told.push(svg("text", { x: toX(at - 1), y, "text-anchor": "middle" }, String(at)));
  }
  return told;
}
