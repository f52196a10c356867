// Games that are watched, reviewed or analysed.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { bestWords } from "../../src/sapper/web/static/modes/analyse/best.js";
import { Past } from "../../src/sapper/web/static/modes/analyse/past.js";
import { readGameFile } from "../../src/sapper/web/static/modes/review/files.js";
import { keep, recall } from "../../src/sapper/web/static/modes/review/kept.js";
import { figuresOf, kindOf, signOf, titleOf, writeShare } from "../../src/sapper/web/static/modes/review/verdicts.js";
import { Run } from "../../src/sapper/web/static/modes/watch/run.js";
import { Tally } from "../../src/sapper/web/static/modes/watch/tally.js";

const WATCHED = {
  start: "### 1",
  layout: [[0, 2]],
  over: false,
  steps: [
    { moves: [{ action: "open", row: 0, col: 1 }], position_after: "#1# 1", deductions: [], reason: "" },
    {
      moves: [{ action: "open", row: 0, col: 0 }],
      position_after: "01# 1",
      deductions: [
        { cell: [0, 2], is_mine: true },
        { cell: [0, 0], is_mine: false },
      ],
    },
  ],
};

beforeEach(() => sessionStorage.clear());

test("a run shows the position after every step, and what is known of it", () => {
  const run = new Run(structuredClone(WATCHED));
  assert.deepEqual([...run.positionAfter(0).cells], [-1, -1, -1]);
  assert.deepEqual([...run.actual().cells], [0, 1, -1]);
  assert.deepEqual(run.countsAfter(2), { nOpen: 2, nExploded: 0, nIdentified: 1 });
  assert.deepEqual([...run.identifiedAfter(1)], []);
  assert.deepEqual([...run.identifiedAfter(2)], [2]);
  assert.deepEqual(run.cellsOf(2), [[0, 0]]);
  run.append({ ...WATCHED, steps: [{ ...WATCHED.steps[1], position_after: "01* 1" }], over: true });
  assert.deepEqual([run.length, run.isWhole], [3, true]);
  assert.deepEqual(run.countsAfter(3), { nOpen: 2, nExploded: 1, nIdentified: 1 });
});

test("an agent's games are added up from the second on, each of them once", () => {
  const tally = new Tally();
  tally.note("6x6/7", 1, "exact", { outcome: "won" });
  tally.note("6x6/7", 1, "exact", { outcome: "won" });
  assert.equal(tally.describe("6x6/7", "exact"), "");
  tally.note("6x6/7", 2, "exact", { outcome: "lost" });
  assert.equal(tally.describe("6x6/7", "exact"), "Won 1 of 2 games");
  assert.equal(tally.describe("6x6/7", "local"), "");
  assert.equal(tally.describe("6x6/8", "exact"), "");
  for (const [seed, score] of [
    [1, 0.5],
    [2, 0.8],
  ]) {
    tally.note("4x4/3 survey", seed, "exact", { outcome: "finished", score });
  }
  assert.equal(tally.describe("4x4/3 survey", "exact"), "2 games: 65% of mines identified");
});

test("changes are undone one stroke at a time, and the oldest are forgotten", () => {
  const past = new Past();
  past.note("a", 1);
  past.note("b", 1);
  past.note("c", 2);
  past.note("c");
  past.note("d");
  assert.deepEqual([past.back(), past.back(), past.back(), past.back()], ["d", "c", "a", null]);
  for (let at = 0; at < 250; at += 1) past.note(String(at));
  let n = 0;
  while (!past.isEmpty) n += past.back() === null ? 0 : 1;
  assert.equal(n, 200);
});

test("the best cell is told with its risk and its chance to win", () => {
  const best = (more, certain = false) =>
    bestWords({ cell: [0, 1], certain, exact: true, candidates: [{ cell: [0, 1], ...more }] });
  assert.equal(
    best({ risk: 0.25, p_win: 0.5, error: 0.01, games: 100 }),
    "Best cell (0, 1), risk 25.0%. Win chance 50.0% ± 2.0.",
  );
  assert.equal(best({ risk: 0, p_win: 1, error: 0, games: 0 }, true), "Best cell (0, 1), safe. Win chance 100%.");
  // Won in every game that was tried is not won for certain.
  assert.equal(best({ risk: 0, p_win: 1, error: 0, games: 9 }, true), "Best cell (0, 1), safe. Win chance >99.9%.");
});

test("a game is kept under the same name for as long as the tab is open", () => {
  const name = keep({ record: "Rules: 9x9/10" });
  assert.equal(keep({ record: "Rules: 9x9/10", games: 20 }), name);
  assert.notEqual(keep({ record: "Rules: 9x9/11" }), name);
  assert.equal(recall(name).record, "Rules: 9x9/10");
  assert.equal(recall("nothing"), null);
});

test("records are read as text, replays of other programs as bytes, and neither if they are too large", async () => {
  assert.deepEqual(await readGameFile(new File(["Moves:"], "a.txt")), { record: "Moves:" });
  const bytes = Uint8Array.from({ length: 20_000 }, (_, at) => at % 256);
  const { video, suffix } = await readGameFile(new File([bytes], "A.AVF"));
  assert.equal(suffix, ".avf");
  assert.deepEqual(new Uint8Array(Buffer.from(video, "base64")), bytes);
  await assert.rejects(readGameFile({ name: "a.txt", size: 3_000_000 }), /too large/);
});

test("every verdict has a title, a sign and a colour, and one that the page does not know its own name", () => {
  assert.deepEqual(
    [titleOf, signOf, kindOf].map((of) => of("extra risk")),
    ["Extra risk", "percent", "extra"],
  );
  assert.deepEqual(
    [titleOf, signOf, kindOf].map((of) => of("daring")),
    ["daring", "help", "unknown"],
  );
});

test("the figures of a move have their intervals below them, and a flag has none", () => {
  const wins = { best: [0.71, 0.65, 0.77], lost: [0, 0, 0] };
  const move = { action: "open", p_mine: 0.5, certain: false, best_p: 0, wins };
  const list = figuresOf(move);
  assert.deepEqual(
    [...list.querySelectorAll("dd")].map((one) => one.textContent),
    ["50.0%", "0%", "71.0% [65.0, 77.0]", "none"],
  );
  assert.equal(list.querySelector(".interval").textContent, " [65.0, 77.0]");
  assert.equal(figuresOf({ ...move, action: "flag" }), "");
  assert.deepEqual(writeShare([-0.25, -0.25, -0.25]), ["-25.0%"]);
  assert.equal(figuresOf({ ...move, p_mine: null, best_p: null, wins: null }), "");
});
