// The history of a player's games: above, the speed of each win; below, the win rate of the last games.

import { counting, levels } from "../../common/axes.js";
import { svg } from "../../common/dom.js";
import { say } from "../../words/index.js";

const LEFT = 58;
const RIGHT = 14;
const TOP = 28;
const BOTTOM = 42;
const GAP = 34;
const SHARE = 0.62; // of the height, for the upper part
const LAST = 20; // games that a share of wins is taken of

/**
 * Draw results, the oldest first, at a size in pixels; `measure` is "seconds" or "speed".
 * @param {Result[]} results
 * @param {"seconds" | "speed"} measure
 * @param {string} label
 * @param {number} width
 * @param {number} height
 */
export function drawHistory(results, measure, label, width, height) {
  const inner = height - TOP - BOTTOM - GAP;
  const upper = { top: TOP, bottom: TOP + SHARE * inner };
  const lower = { top: upper.bottom + GAP, bottom: height - BOTTOM };
  const most = niceMost(Math.max(0, ...results.map((one) => (one.outcome === "won" ? (one[measure] ?? 0) : 0))));
  /** @param {number} at */
  const toX = (at) => LEFT + ((at + 0.5) / results.length) * (width - LEFT - RIGHT);
  /** @param {{ top: number, bottom: number }} part @param {number} top @returns {(value: number) => number} */
  const scale = (part, top) => (value) => part.bottom - (value / top) * (part.bottom - part.top);
  const toY = scale(upper, most);
  const toShare = scale(lower, 1);
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": say.you.chart(label) },
    ...levels(parts(most, 4), (value) => String(Number(value.toPrecision(3))), toY, LEFT, width - RIGHT),
    ...levels(parts(1, 2), (value) => say.common.percent(100 * value), toShare, LEFT, width - RIGHT),
    caption(upper.top - 10, label),
    caption(lower.top - 10, say.you.chartShare(LAST)),
    ...results.map((one, at) =>
      one.outcome === "won"
        ? svg("circle", { class: "won", cx: toX(at), cy: toY(one[measure] ?? 0), r: 3.4 })
        : cross(toX(at), upper.bottom),
    ),
    svg("polyline", {
      class: "share",
      points: shares(results)
        .map((share, at) => `${toX(at)},${toShare(share)}`)
        .join(" "),
    }),
    svg("text", { x: toX(results.length - 1), y: height - 6, "text-anchor": "end", class: "axis" }, say.you.chartGame),
    ...counting(results.length, toX, height - BOTTOM + 18),
  );
}

/** @param {Result[]} results */
function shares(results) {
  return results.map((_, at) => {
    const last = results.slice(Math.max(0, at + 1 - LAST), at + 1);
    return last.filter(({ outcome }) => outcome === "won").length / last.length;
  });
}

/** @param {number} value */
function niceMost(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 8].find((one) => one * power >= value) ?? 10) * power;
}

/** @param {number} y @param {string} words */
const caption = (y, words) => svg("text", { x: LEFT, y, class: "axis" }, words);

/** From 0 to `most` in `n` equal parts. @param {number} most @param {number} n */
const parts = (most, n) => Array.from({ length: n + 1 }, (_, k) => (most * k) / n);

/** @param {number} x @param {number} y */
function cross(x, y) {
  return svg("path", { class: "lost", d: `M${x - 3} ${y - 3}l6 6m0 -6l-6 6` });
}
