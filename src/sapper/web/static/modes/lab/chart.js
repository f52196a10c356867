// A figure of a sweep: a line with marks per agent, and the band of its 95 % interval.

import { svg } from "../../common/dom.js";
import { isDark } from "../../common/theme.js";
import { SERIES } from "../../board/paint/palette.js";
import { say } from "../../words/index.js";

const LEFT = 72;
const RIGHT = 18;
const TOP = 16;
const BOTTOM = 52;
/** @typedef {{ x: number, value: number, low?: number, high?: number }} Point */
/** @typedef {(value: number) => number} Scale */

const DASHES = [null, "7 4", "2 3", "9 3 2 3", "12 4", "4 4", "1 4", "14 3 3 3"];

/**
 * Draw rows of summaries at a size in pixels: `measure` is won, score or detonations.
 * @param {LabRow[]} rows
 * @param {Measure} measure
 * @param {string} label
 * @param {number} width
 * @param {number} height
 */
export function drawChart(rows, measure, label, width, height) {
  /** @type {Map<string, Point[]>} */
  const byAgent = new Map();
  for (const row of rows) {
    const [value, low, high] = row[measure] ?? [null];
    if (value === null) continue;
    const series = byAgent.get(row.agent) ?? [];
    series.push({ x: row.density, value, low, high });
    byAgent.set(row.agent, series);
  }
  const points = [...byAgent.values()].flat();
  const xs = points.map(({ x }) => x);
  const most = measure === "detonations" ? Math.max(1, ...points.map(({ high, value }) => high ?? value)) : 1;
  const x0 = Math.min(...xs, 1);
  const x1 = Math.max(...xs, x0 + 0.01);
  /** @type {Scale} */
  const toX = (x) => LEFT + ((x - x0) / (x1 - x0)) * (width - LEFT - RIGHT);
  // An interval of a mean may reach past what is possible; the figure does not.
  /** @type {Scale} */
  const toY = (y) => height - BOTTOM - (Math.max(0, Math.min(most, y)) / most) * (height - TOP - BOTTOM);
  const chart = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "chart",
    role: "img",
    "aria-label": say.lab.chart(label),
  });
  chart.append(...axes(toX, toY, [x0, x1], most, label, { width, height }));
  const colours = isDark() ? SERIES.dark : SERIES.light;
  [...byAgent.values()].forEach((series, at) => {
    series.sort((one, two) => one.x - two.x);
    chart.append(...line(series, toX, toY, colours[at % colours.length], at));
  });
  return chart;
}

/**
 * The names of the lines, each with its colour, dashes and mark.
 * @param {LabRow[]} rows
 * @returns {[agent: string, key: SVGElement][]}
 */
export function chartLegend(rows) {
  const colours = isDark() ? SERIES.dark : SERIES.light;
  return [...new Set(rows.map(({ agent }) => agent))].map((agent, at) => {
    const colour = colours[at % colours.length];
    return [
      agent,
      svg(
        "svg",
        { width: "34", height: "14", viewBox: "0 0 34 14", "aria-hidden": "true" },
        svg("line", {
          x1: 1,
          x2: 33,
          y1: 7,
          y2: 7,
          stroke: colour,
          "stroke-width": 2.2,
          "stroke-dasharray": DASHES[at % DASHES.length],
        }),
        mark(at, 17, 7, colour),
      ),
    ];
  });
}

/**
 * @param {Scale} toX
 * @param {Scale} toY
 * @param {[number, number]} range the least and the largest x
 * @param {number} most
 * @param {string} label
 * @param {Size} size
 */
function axes(toX, toY, [x0, x1], most, label, { width, height }) {
  const parts = [];
  for (let k = 0; k <= 5; k += 1) {
    const y = (most * k) / 5;
    parts.push(
      svg("line", { class: "grid-line", x1: LEFT, x2: width - RIGHT, y1: toY(y), y2: toY(y) }),
      svg(
        "text",
        { x: LEFT - 8, y: toY(y) + 4, "text-anchor": "end" },
        most === 1 ? say.common.percent(20 * k) : y.toFixed(most < 10 ? 1 : 0),
      ),
    );
  }
  const step = [0.01, 0.02, 0.05, 0.1, 0.2].find((one) => (x1 - x0) / one <= width / 70) ?? 0.25;
  for (let x = Math.ceil(x0 / step - 1e-9) * step; x <= x1 + 1e-9; x += step) {
    parts.push(
      svg("line", { class: "tick-line", x1: toX(x), x2: toX(x), y1: height - BOTTOM, y2: height - BOTTOM + 5 }),
      svg("text", { x: toX(x), y: height - BOTTOM + 20, "text-anchor": "middle" }, String(Number(x.toFixed(3)))),
    );
  }
  parts.push(
    svg("line", { class: "tick-line", x1: LEFT, x2: width - RIGHT, y1: height - BOTTOM, y2: height - BOTTOM }),
    svg(
      "text",
      { x: (LEFT + width - RIGHT) / 2, y: height - 10, "text-anchor": "middle", class: "axis" },
      say.lab.density,
    ),
    svg(
      "text",
      {
        x: 14,
        y: (TOP + height - BOTTOM) / 2,
        "text-anchor": "middle",
        class: "axis",
        transform: `rotate(-90 14 ${(TOP + height - BOTTOM) / 2})`,
      },
      label,
    ),
  );
  return parts;
}

/** @param {Point[]} series @param {Scale} toX @param {Scale} toY @param {string} colour @param {number} at */
function line(series, toX, toY, colour, at) {
  const band = [
    ...series.map(({ x, high, value }) => `${toX(x)},${toY(high ?? value)}`),
    ...series.toReversed().map(({ x, low, value }) => `${toX(x)},${toY(low ?? value)}`),
  ];
  const path = series.map(({ x, value }) => `${toX(x)},${toY(value)}`).join(" ");
  return [
    svg("polygon", { points: band.join(" "), fill: colour, "fill-opacity": 0.16 }),
    svg("polyline", {
      points: path,
      fill: "none",
      stroke: colour,
      "stroke-width": 2.2,
      "stroke-dasharray": DASHES[at % DASHES.length],
      "stroke-linejoin": "round",
    }),
    ...series.map(({ x, value }) => mark(at, toX(x), toY(value), colour)),
  ];
}

/** @param {number} at @param {number} x @param {number} y @param {string} colour */
function mark(at, x, y, colour) {
  const r = 4.2;
  const shapes = [
    () => svg("circle", { cx: x, cy: y, r, fill: colour }),
    () => svg("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, fill: colour }),
    () => svg("polygon", { points: `${x},${y - r - 1} ${x + r + 1},${y + r} ${x - r - 1},${y + r}`, fill: colour }),
    () =>
      svg("polygon", {
        points: `${x},${y - r - 1.5} ${x + r + 1.5},${y} ${x},${y + r + 1.5} ${x - r - 1.5},${y}`,
        fill: colour,
      }),
    () => svg("circle", { cx: x, cy: y, r: r - 0.5, fill: "none", stroke: colour, "stroke-width": 2 }),
    () =>
      svg("path", {
        d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`,
        stroke: colour,
        "stroke-width": 2.2,
      }),
    () =>
      svg("path", {
        d: `M${x} ${y - r - 1}V${y + r + 1}M${x - r - 1} ${y}H${x + r + 1}`,
        stroke: colour,
        "stroke-width": 2.2,
      }),
    () =>
      svg("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, fill: "none", stroke: colour, "stroke-width": 2 }),
  ];
  return shapes[at % shapes.length]();
}
