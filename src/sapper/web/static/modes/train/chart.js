// How a rating has moved, answer by answer, with the band in which the strength lies with a chance of 95 %.

import { counting, levels } from "../../common/axes.js";
import { svg } from "../../common/dom.js";
import { say } from "../../words/index.js";

const LEFT = 52;
const RIGHT = 14;
const TOP = 26;
const BOTTOM = 42;
const STEP = 200; // between two lines, on the scale of ratings

/**
 * Draw points [time, rating, deviation], the oldest first, at a size in pixels; `n` answers led there.
 * @param {[number, number, number][]} points
 * @param {number} n
 * @param {number} width
 * @param {number} height
 */
export function drawRating(points, n, width, height) {
  const low = STEP * Math.floor(Math.min(...points.map(([, rating, deviation]) => rating - 2 * deviation)) / STEP);
  const high = STEP * Math.ceil(Math.max(...points.map(([, rating, deviation]) => rating + 2 * deviation)) / STEP);
  // Of many answers only some are points, evenly spread: each represents its share.
  /** @param {number} at */
  const toX = (at) => LEFT + ((at + 0.5) / n) * (width - LEFT - RIGHT);
  /** @param {number} at */
  const place = (at) => toX(((at + 1) / points.length) * n - 1);
  /** @param {number} rating */
  const toY = (rating) => height - BOTTOM - ((rating - low) / (high - low)) * (height - TOP - BOTTOM);
  /** @param {number} sign */
  const line = (sign) =>
    points.map(([, rating, deviation], at) => `${place(at)},${toY(rating + 2 * sign * deviation)}`);
  const values = Array.from({ length: (high - low) / STEP + 1 }, (_, k) => low + k * STEP);
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": say.train.chart },
    ...levels(values, String, toY, LEFT, width - RIGHT),
    svg("text", { x: LEFT, y: TOP - 10, class: "axis" }, say.train.rating),
    svg("polygon", { class: "band", points: [...line(1), ...line(-1).toReversed()].join(" ") }),
    svg("polyline", { class: "share", points: line(0).join(" ") }),
    ...points
      .slice(-1)
      .map(([, rating]) => svg("circle", { class: "won", cx: place(points.length - 1), cy: toY(rating), r: 3.6 })),
    svg("text", { x: toX(n - 1), y: height - 6, "text-anchor": "end", class: "axis" }, say.train.chartAnswer),
    ...counting(n, toX, height - BOTTOM + 18),
  );
}
