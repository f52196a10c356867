import assert from "node:assert/strict";
import { test } from "node:test";
import * as figures from "../../src/sapper/web/static/modes/you/figures.js";

const LUCK = { games: 3, expected: 2, spread: 1, hits: 2, unknown_moves: 0, waiting: 0, left_out: 0 };
const TOTALS = {
  games: 10,
  wins: 4,
  rate: [0.4, 0.168, 0.687],
  best_seconds: 12.345,
  median_seconds: null,
  best_speed: 1.5,
  mean_speed: 1,
  efficiency: 0.826,
  streak: 1,
  longest_streak: 3,
};
const board = (rules, more = {}) => ({ rules, no_guess: false, daily: false, ...more });

test("boards of one's own that look alike are numbered", () => {
  const boards = [board("1x4/0 own:1/2/3/"), board("1x4/0 own:1,3/2/3/"), board("1x4/0")];
  assert.deepEqual(
    [...figures.boardNames(boards).values()],
    ["1 × 4, 0 mines, custom board (1)", "1 × 4, 0 mines, custom board (2)", "1 × 4, 0 mines"],
  );
});

test("the same rules without guesses or of the day are other boards", () => {
  const boards = [
    board("9x9/10"),
    board("9x9/10", { no_guess: true }),
    board("9x9/10", { no_guess: true, daily: true }),
  ];
  assert.deepEqual(Object.fromEntries(figures.boardNames(boards)), {
    "9x9/10": "9 × 9, 10 mines",
    "9x9/10 no-guess": "9 × 9, 10 mines, no-guess",
    "9x9/10 no-guess daily": "Daily: 9 × 9, 10 mines",
  });
});

test("times are told of one board only, and what is unknown is a dash", () => {
  const all = Object.fromEntries(figures.figures(TOTALS, false));
  assert.equal("Best time" in all, false);
  const one = Object.fromEntries(figures.figures(TOTALS, true));
  assert.deepEqual([one["Best time"], one["Median time"], one.Efficiency], ["12.35 s", "–", "83%"]);
  assert.equal(one["Won (95% interval: 17% to 69%)"], "40%");
});

test("a rate that is nearly certain keeps a digit, and none is a dash", () => {
  assert.equal(figures.rate({ ...TOTALS, rate: [0.998, 0.99, 1] }), "99.8% (99% to 100%)");
  assert.equal(figures.rate({ ...TOTALS, rate: null }), "–");
});

test("luck is ordinary within its spread, and far from it it is not", () => {
  const said = (hits) => figures.luck({ ...LUCK, hits })[0].replace(/^.*: /, "");
  assert.equal(said(2), "exactly as many as expected.");
  assert.equal(said(1), "1.0 fewer than expected, which is ordinary luck.");
  assert.equal(said(0), "2.0 fewer than expected, which is unusually good luck.");
  assert.equal(said(3), "1.0 more than expected, which is ordinary luck.");
  assert.equal(said(4), "2.0 more than expected, which is unusually bad luck.");
});

test("what is not known yet is said", () => {
  assert.deepEqual(figures.luck({ ...LUCK, games: 0 }), [
    "Luck matters only on boards that may need a guess. You have not finished one yet.",
  ]);
  assert.deepEqual(figures.luck({ ...LUCK, games: 0, waiting: 1 }), ["Calculating the risks of 1 game …"]);
  const [, unknown, leftOut] = figures.luck({ ...LUCK, unknown_moves: 1, left_out: 2 });
  assert.match(unknown, /^1 move is left out because its risk was/);
  assert.match(leftOut, /^2 games are left out because they were/);
});

test("skill is counted per game that was judged", () => {
  assert.deepEqual(figures.skill({ judged: 0, needless: 0, mistakes: 0 }), []);
  const [needless, mistakes] = figures.skill({ judged: 4, needless: 1, mistakes: 2 });
  assert.match(needless, /^Needless risk: 0\.25 mines per game\./);
  assert.match(mistakes, /^Certain mistakes: 0\.50 per game\./);
});

test("games with help are counted apart", () => {
  assert.match(figures.assisted({ games: 1, wins: 1 }), /1 game with help, undone moves or a known board \(1 won\)/);
  assert.match(figures.assisted({ games: 0, wins: 0 }), /You have none\./);
});
