import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { describeStanding, describeWin, isBestSpeed } from "../../src/sapper/web/static/modes/play/kept/bests.js";
import { GameCard } from "../../src/sapper/web/static/modes/play/card.js";
import { readyBody, firstOf } from "../../src/sapper/web/static/modes/play/daily/ready.js";
import {
  besidePar,
  describePlace,
  fieldChart,
  resultLine,
} from "../../src/sapper/web/static/modes/play/daily/result.js";
import { describeGuesses } from "../../src/sapper/web/static/modes/play/result.js";
import { Questions } from "../../src/sapper/web/static/modes/play/kept/questions.js";
import { Panel } from "../../src/sapper/web/static/modes/play/panel.js";
import { Welcome } from "../../src/sapper/web/static/modes/play/welcome.js";
import { resultBody } from "../../src/sapper/web/static/modes/play/result.js";
import { verdictMarks, verdictWords } from "../../src/sapper/web/static/modes/play/verdict.js";

const BEFORE = { games: 0, wins: 0, streak: 0, best_seconds: null, best_speed: null };
const STATE = {
  id: "a",
  rules: "9x9/10",
  position: "0",
  outcome: "won",
  over: true,
  moves: 3,
  seconds: 20,
  score: null,
};
const METRICS = { "3bv": 30, openings: 2, islands: 3, zini: null, clicks: 40, efficiency: 0.75 };
const ended = (before = {}, more = {}) => ({
  ...STATE,
  metrics: METRICS,
  result: { counts: true, before: { ...BEFORE, ...before } },
  ...more,
});

beforeEach(() => localStorage.clear());

test("a win is compared with those before it", () => {
  assert.equal(describeWin(ended(), null), "Your first win on this kind of board!");
  // What the server does not know, this browser does.
  assert.equal(describeWin(ended({}, { seconds: 30 }), null), "Your best time is 20.00 s.");
  assert.equal(describeWin(ended({ best_seconds: 19 }), null), "Your best time is 19.00 s.");
  assert.equal(describeWin(ended({}, { seconds: 18.5 }), null), "New best time! The old one was 20.00 s.");
  // Boards that need no guess are a kind of their own.
  assert.equal(describeWin(ended({}, { no_guess: true }), null), "Your first win on this kind of board!");
});

test("a win that does not count changes nothing, and it is said why", () => {
  assert.equal(describeWin(ended(), "known"), null);
  const said = (why) => describeWin(ended({ best_seconds: 900 }), why);
  assert.equal(said("known"), "Your best time is still 900.00 s: you could have seen this board before.");
  assert.equal(said("undone"), "Your best time is still 900.00 s: you undid moves.");
  const refused = { counts: false, before: { ...BEFORE, best_seconds: 900 } };
  assert.match(describeWin({ ...STATE, result: refused }, null), /you had help\.$/);
  assert.equal(localStorage.length, 0);
});

test("how somebody stands is told from the second game on", () => {
  const standing = (before, outcome = "won") => describeStanding(ended(before, { outcome }));
  assert.equal(standing({}), null);
  assert.equal(standing({ games: 1 }), "You have won 1 of 2 games on this kind of board.");
  assert.match(standing({ games: 1, wins: 1, streak: 1 }), /won 2 of 2 games .*, the last 2 in a row\.$/);
  assert.match(
    standing({ games: 4, wins: 3, streak: 2 }, "lost"),
    /won 3 of 5 games .* Your streak of 2 wins is over\.$/,
  );
  assert.equal(describeStanding({ ...STATE, result: null }), null);
});

test("a speed is the best only beside another one", () => {
  assert.equal(isBestSpeed(ended()), false);
  assert.equal(isBestSpeed(ended({ best_speed: 1.4 })), true);
  assert.equal(isBestSpeed(ended({ best_speed: 1.5 })), false);
  assert.equal(isBestSpeed(ended({ best_speed: 1 }, { outcome: "lost" })), false);
});

test("a daily board has a line to share, once it counts for something", () => {
  const daily = { daily: "2026-05-04 beginner" };
  assert.equal(resultLine(ended()), null);
  assert.equal(resultLine(ended({}, { ...daily, undone: true })), null);
  assert.equal(resultLine(ended({}, daily)), "Sapper daily 2026-05-04, Beginner: solved in 20.0 s, 3BV/s 1.50");
  const helped = { counts: false, before: BEFORE };
  assert.match(resultLine({ ...ended({}, daily), result: helped }), /\(with help\)$/);
  assert.equal(
    resultLine(ended({}, { ...daily, outcome: "lost" })),
    "Sapper daily 2026-05-04, Beginner: hit a mine after 20.0 s",
  );
});

const DAILY = {
  level: "beginner",
  date: "2026-11-20",
  rules: "9x9/10 first-opening",
  "3bv": 18,
  par: 20,
  state: "open",
  seconds: null,
  assisted: false,
  field: { seconds_per_bin: 5, bins: [0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 2], failed: 4, place: null, own_bin: null },
};

test("a daily board says what it is and whether it counts before its clock starts", () => {
  const card = document.createElement("section");
  const said = (more) => {
    card.replaceChildren(...readyBody({ ...DAILY, ...more }, () => {}));
    return card.querySelector("#daily-counts").textContent;
  };
  assert.equal(said({}), "This is your first attempt, so it counts.");
  assert.match(card.textContent, /^Daily board 2026-11-20, Beginner9 × 9, 10 mines.*3BV18Par20 s/);
  assert.equal(said({ state: "failed" }), "Practice: your first attempt failed.");
  assert.equal(said({ state: "solved", seconds: 21.25 }), "Practice: your first attempt took 21.3 s.");
  assert.match(said({ state: "solved", seconds: 9, assisted: true }), /9\.0 s, with help\.$/);
  assert.deepEqual(firstOf({ rows: 16, cols: 30 }), [8, 15]);
});

test("a result stands beside par and beside those of all visitors", () => {
  assert.equal(besidePar(13.4, 20), "7 s under par (20 s)");
  assert.equal(besidePar(31, 20), "11 s over par (20 s)");
  assert.equal(besidePar(20.2, 20), "Par: 20 s");
  assert.equal(describePlace(DAILY.field), "On this server, without help: 6 solved, 4 failed.");
  const mine = { ...DAILY.field, place: 2, own_bin: 2 };
  assert.equal(describePlace(mine), "Your place on this server: 2 of 6. Failed: 4.");
  assert.match(describePlace({ ...DAILY.field, bins: [0], failed: 0 }), /^Nobody/);
  const bars = [...fieldChart(mine).querySelectorAll("rect")];
  assert.deepEqual([bars.length, bars.findIndex((one) => one.getAttribute("class") === "own")], [12, 2]);
  const heights = bars.map((one) => Number(one.getAttribute("height")));
  assert.equal(Math.max(...heights), heights[2]);
});

test("guesses are counted by kind, and the one that failed is explained", () => {
  const none = { made: 0, survived: 0 };
  const guesses = (found, over = false) =>
    describeGuesses({ over, guesses: { forced: none, unforced: none, unknown: none, ...found } });
  assert.equal(describeGuesses({ over: false }), "");
  assert.equal(guesses({}), "No guesses yet.");
  assert.equal(guesses({}, true), "No guesses.");
  assert.equal(guesses({ forced: { made: 2, survived: 2 } }), "Forced guesses: 2 of 2 survived.");
  const failed = guesses({ unforced: { made: 1, survived: 0 } }, true);
  assert.equal(failed, "The last guess was unforced: there was a safe cell. The review shows it.");
  assert.match(guesses({ unforced: { made: 3, survived: 2 } }, true), /^Unforced guesses: 2 of 3 .*forced/);
});

test("the card of a result shows what the game allows to compare", () => {
  const figures = (state) => {
    const card = document.createElement("section");
    card.append(...resultBody(state, null, { tryAgain: () => {}, again: () => {}, renew: () => {} }));
    const labels = [...card.querySelectorAll("dt")].map((one) => one.textContent);
    const values = [...card.querySelectorAll("dd")].map((one) => one.textContent);
    return { card, shown: Object.fromEntries(labels.map((label, at) => [label, values[at]])) };
  };
  const won = figures(ended({ best_speed: 1 })).shown;
  assert.deepEqual([won.Time, won["3BV per second, new best"], won.Efficiency], ["20.00 s", "1.50", "75%"]);
  assert.equal("ZiNi" in won, false);
  const lost = figures({ ...ended(), outcome: "lost", played_on: true });
  assert.equal("Efficiency" in lost.shown, false);
  assert.match(lost.card.textContent, /^You hit a mine · continued from a position, so it does not count/);
  assert.ok(lost.card.querySelector("#try-again"));
  assert.equal(lost.card.querySelector("#figures dl dt").textContent, "Time");
  assert.equal(lost.card.querySelector("#figures").open, false);
  const survey = figures({ ...ended(), outcome: "finished", score: 0.625 });
  assert.equal(survey.shown["Mines identified"], "63%");
  assert.equal(survey.card.querySelector("#try-again"), null);
});

test("a lost game ends with a verdict on its last move, and cells to look at", () => {
  const last = {
    verdict: "unlucky",
    p_mine: 0.125,
    p_win: 0.5,
    is_best: true,
    is_safest: true,
    instead: null,
    proof: null,
  };
  assert.equal(verdictWords(last), "Unlucky: this was the best guess, 88% safe.");
  assert.match(verdictWords({ ...last, is_best: false }), /^Unlucky: no cell was safer/);
  assert.match(verdictWords({ ...last, is_best: false, is_safest: false }), /^Unlucky: this was a fair guess/);
  assert.deepEqual(verdictMarks(last), {});
  const proof = { cell: [3, 4], verdict: "safe", clues: [[2, 3]], because: "the 2 at (2, 3)" };
  const mistake = { ...last, verdict: "mistake", instead: { cell: [3, 5], p_mine: 0, p_win: 1 }, proof };
  assert.equal(verdictWords(mistake), "Your mistake: (3, 4) was safe because of the 2 at (2, 3).");
  assert.match(verdictWords({ ...mistake, verdict: "extra risk" }), /^An extra risk: \(3, 4\) was safe/);
  assert.deepEqual(verdictMarks(mistake), { clue: [[2, 3]], safe: [[3, 4]] });
  const mine = { ...mistake, p_mine: 1, proof: { ...proof, verdict: "mine" } };
  assert.equal(verdictWords(mine), "Your mistake: (3, 4) was certainly a mine because of the 2 at (2, 3).");
  assert.deepEqual(verdictMarks(mine), { clue: [[2, 3]], mine: [[3, 4]] });
  const guess = { ...mistake, p_win: 0.25, instead: { cell: [2, 4], p_mine: 0.5, p_win: 0.5 }, proof: null };
  assert.equal(verdictWords(guess), "There was a better guess: (2, 4), with a win chance of 50.0% instead of 25.0%.");
  assert.deepEqual(verdictMarks(guess), { best: [[2, 4]] });
  const risky = { ...guess, verdict: "extra risk", p_mine: 0.75 };
  assert.equal(verdictWords(risky), "There was a safer guess: (2, 4), 50% safe instead of 25%.");
  assert.equal(verdictWords({ ...last, verdict: "unknown", p_mine: null }), "");
});

test("only files that can hold the board are offered, and those with the mines at the end only", () => {
  const card = new GameCard({ resume: () => {}, fail: () => {} });
  const offered = (state) => {
    card.show({ ...STATE, ...state });
    return card.downloads.filter(({ hidden }) => !hidden).map(({ dataset }) => dataset.format);
  };
  assert.deepEqual(offered({ over: false }), ["text"]);
  assert.deepEqual(offered({}), ["text", "record", "mbf", "ptta", "layout"]);
  assert.deepEqual(offered({ rules: "9x9/10 torus" }), ["text", "record"]);
  card.show({ ...STATE, seed: 0, no_guess: true });
  assert.equal(card.about.textContent, "9 × 9, 10 mines, no-guess, seed 0");
});

test("question marks are kept by game, those of the last twenty", () => {
  const marks = new Questions(() => {});
  for (let game = 0; game < 22; game += 1) {
    marks.look(`game ${game}`);
    marks.put(game, true);
    marks.put(game, true);
  }
  const kept = (game) => {
    marks.look(`game ${game}`);
    return [...marks.cells];
  };
  assert.deepEqual([kept(0), kept(1), kept(2), kept(21)], [[], [], [2], [21]]);
  marks.prune((cell) => cell !== 21);
  assert.deepEqual(kept(21), []);
  localStorage.setItem("sapper.question-marks", "not JSON");
  assert.deepEqual(kept(2), []);
});

test("the first steps are offered on the first visit, until somebody has taken them or plays", () => {
  const isOffered = () => {
    const panel = new Panel(() => {});
    const welcome = new Welcome(panel);
    welcome.offer();
    return { shown: !panel.welcome.hidden, welcome, panel };
  };
  const first = isOffered();
  assert.ok(first.shown);
  assert.match(first.panel.welcome.textContent, /^New here\?/);
  localStorage.setItem("sapper.game", "a"); // the board that was dealt meanwhile
  const again = isOffered();
  assert.ok(again.shown);
  again.panel.welcome.querySelector("#no-steps").click();
  assert.ok(again.panel.welcome.hidden);
  assert.equal(isOffered().shown, false);
  // A visitor who has played here before knows the game.
  localStorage.clear();
  localStorage.setItem("sapper.game", "a");
  assert.equal(isOffered().shown, false);
});
