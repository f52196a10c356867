import assert from "node:assert/strict";
import { test } from "node:test";
import { counting, levels } from "../../src/sapper/web/static/common/axes.js";
import { chartLegend, drawChart } from "../../src/sapper/web/static/modes/lab/chart.js";
import { drawStrip, moveAt } from "../../src/sapper/web/static/modes/review/strip.js";
import { drawRating } from "../../src/sapper/web/static/modes/train/chart.js";
import { drawHistory } from "../../src/sapper/web/static/modes/you/chart.js";

const texts = (parts) => [...parts].map((part) => part.textContent);
const pairs = (line) => line.split(" ").map((point) => point.split(",").map(Number));

test("at most eight numbers stand below a chart, and they are round", () => {
  const below = (n) => texts(counting(n, (at) => at, 0));
  assert.deepEqual(below(3), ["1", "2", "3"]);
  assert.deepEqual(below(9), ["2", "4", "6", "8"]);
  assert.deepEqual(below(61), ["10", "20", "30", "40", "50", "60"]);
  assert.deepEqual(below(1000), ["200", "400", "600", "800", "1000"]);
  assert.equal(counting(9, (at) => 10 * at, 7)[0].getAttribute("x"), "10"); // the second of them
});

test("each level has a line and a name, and the one at 0 is drawn through", () => {
  const [base, , line, name] = levels([0, 2], String, (value) => 50 - value, 10, 90);
  assert.equal(base.getAttribute("class"), "tick-line");
  assert.equal(line.getAttribute("class"), "grid-line");
  assert.deepEqual([line.getAttribute("y1"), name.textContent], ["48", "2"]);
});

test("the history shows wins by their time, losses below, and the share of the last twenty games", () => {
  const games = Array.from({ length: 30 }, (_, at) => ({ outcome: at < 20 ? "lost" : "won", seconds: 9 + at }));
  const chart = drawHistory(games, "seconds", "Time", 500, 300);
  assert.equal(chart.querySelectorAll(".won").length, 10);
  assert.equal(chart.querySelectorAll(".lost").length, 20);
  // The slowest took 38 seconds: the next round number is at the top.
  assert.deepEqual(texts(chart.querySelectorAll("text")).slice(0, 5), ["0", "10", "20", "30", "40"]);
  const shares = pairs(chart.querySelector(".share").getAttribute("points")).map(([, y]) => y);
  assert.ok(shares[19] > shares[29]);
  const [none, half] = [...chart.querySelectorAll("text")].filter((one) => /^(0|50)%$/.test(one.textContent));
  assert.equal(shares[19], Number(none.getAttribute("y")) - 4);
  assert.equal(shares[29], Number(half.getAttribute("y")) - 4);
});

test("a history without a win has an axis all the same", () => {
  const chart = drawHistory([{ outcome: "lost", seconds: 3 }], "seconds", "Time", 500, 300);
  assert.deepEqual(texts(chart.querySelectorAll("text")).slice(0, 5), ["0", "0.25", "0.5", "0.75", "1"]);
});

test("a rating runs within its band, between round numbers", () => {
  const chart = drawRating(
    [
      [0, 1000, 200],
      [1, 1100, 90],
    ],
    2,
    400,
    300,
  );
  assert.deepEqual(texts(chart.querySelectorAll("text")).slice(0, 5), ["600", "800", "1000", "1200", "1400"]);
  const line = pairs(chart.querySelector(".share").getAttribute("points"));
  const band = pairs(chart.querySelector(".band").getAttribute("points"));
  assert.equal(band.length, 4);
  assert.ok(band[0][1] < line[0][1] && line[0][1] < band[3][1]);
  assert.ok(line[1][1] < line[0][1]); // better is higher
});

const ROWS = [
  { agent: "exact", density: 0.2, n_games: 5, won: [0.8, 0.5, 0.9], score: null, detonations: [1, -0.5, 3] },
  { agent: "exact", density: 0.1, n_games: 5, won: [1, 0.9, 1], score: [null], detonations: [0.5, 0, 1] },
  { agent: "local", density: 0.1, n_games: 5, won: [0.4, 0.2, 0.6], score: null, detonations: [2, 1, 12] },
];

test("a sweep has a line for each agent, from the lowest density on", () => {
  const chart = drawChart(ROWS, "won", "Games won", 600, 400);
  const [exact, local] = [...chart.querySelectorAll("polyline")].map((one) => pairs(one.getAttribute("points")));
  assert.deepEqual([exact.length, local.length], [2, 1]);
  assert.ok(exact[0][0] < exact[1][0]);
  assert.equal(exact[0][0], local[0][0]);
  assert.deepEqual(texts(chart.querySelectorAll("text[text-anchor=end]")), ["0%", "20%", "40%", "60%", "80%", "100%"]);
  assert.deepEqual(
    chartLegend(ROWS).map(([agent]) => agent),
    ["exact", "local"],
  );
});

test("counts reach as far as their intervals, never below nothing; what is unknown is not drawn", () => {
  const chart = drawChart(ROWS, "detonations", "Mines hit", 600, 400);
  assert.deepEqual(texts(chart.querySelectorAll("text[text-anchor=end]")).at(-1), "12");
  const bottom = Number(chart.querySelector(".grid-line").getAttribute("y1"));
  const bands = [...chart.querySelectorAll("polygon[fill-opacity]")].map((one) => pairs(one.getAttribute("points")));
  assert.ok(bands.flat().every(([, y]) => y <= bottom));
  assert.equal(drawChart(ROWS, "score", "Mines identified", 600, 400).querySelectorAll("polyline").length, 0);
});

test("a review has a bar for each move but flags, a curve where wins are known, and signs where it was decided", () => {
  const strip = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const move = { action: "open", p_mine: 0.5, best_p: 0.25, verdict: "extra risk", notable: true, hit: false };
  const wins = { best: [0.8, 0.7, 0.9], played: [0.4, 0.3, 0.5] };
  const safe = { ...move, p_mine: 0, best_p: 0, verdict: "safe", notable: false, wins: null };
  const moves = [
    safe,
    { ...safe, action: "flag" },
    { ...move, wins },
    { ...move, wins, verdict: "unlucky", hit: true },
  ];
  drawStrip(strip, moves, false, 2);
  assert.equal(strip.querySelectorAll("[class^=bar-]").length, 3);
  assert.equal(strip.querySelectorAll(".least").length, 2);
  assert.equal(strip.querySelectorAll(".wins").length, 3);
  assert.equal(strip.querySelectorAll(".wins")[2].getAttribute("y2"), "70"); // a mine: nothing can be won any more
  assert.deepEqual(
    [...strip.querySelectorAll("use")].map((one) => one.getAttribute("class")),
    ["sign sign-extra", "sign sign-unlucky"],
  );
  assert.equal(strip.querySelector(".now").getAttribute("x"), "50%");
  strip.getBoundingClientRect = () => ({ left: 100, width: 400 });
  assert.deepEqual(
    [0, 149, 151, 390, 900].map((x) => moveAt(strip, x, moves)),
    [0, 0, 1, 3, 3],
  );
});
