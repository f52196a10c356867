import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsIn, naming, withCells } from "../../src/sapper/web/static/common/coordinates.js";
import { explanation, hintBody, hintWords, marksOf } from "../../src/sapper/web/static/common/hint.js";
import { vectors } from "./vectors.js";

const [GUESS, CERTAIN] = vectors.hints;

/** The card of a hint, and what was done with it. */
function makeCard(hint, next = null) {
  const done = [];
  const acts = {
    use: (action, cell) => done.push([action, ...cell]),
    show: (cell) => done.push(["show", ...cell]),
    next,
  };
  const card = document.createElement("section");
  card.append(...hintBody(hint, acts));
  return { card, done };
}

test("a sentence names cells that can be pointed at", () => {
  const sentence = "(0, 1) and the 2 at (10, 200), not (1,2)";
  assert.deepEqual(cellsIn(sentence), [
    [0, 1],
    [10, 200],
  ]);
  const parts = withCells(sentence);
  assert.equal(parts.map((part) => part.textContent ?? part).join(""), sentence);
  const named = parts.filter((part) => typeof part !== "string");
  assert.deepEqual(
    named.map(({ dataset }) => dataset.cell),
    ["0, 1", "10, 200"],
  );
  assert.deepEqual(naming([3, 4]), { "data-cell": "3, 4" });
});

test("pointing at a name shows its cell on the nearest board", () => {
  const pointed = [];
  const place = document.createElement("div");
  place.board = { stage: null, point: (cell) => pointed.push(cell), reveal: () => {} };
  place.append(...withCells("Open (2, 3)."));
  document.body.append(place);
  const name = place.querySelector(".cell-name");
  name.dispatchEvent(new Event("pointerover", { bubbles: true }));
  name.dispatchEvent(new Event("pointerout", { bubbles: true }));
  place.remove();
  assert.deepEqual(pointed, [[2, 3], null]);
});

test("a guess is explained without saying its risk twice", () => {
  const { card } = makeCard(GUESS);
  assert.match(
    card.textContent,
    /Best guess: \(0, 0\), with a risk of 32\.0%\. Win chance \d+\.\d%\. No cell is safer/,
  );
  assert.equal(card.textContent.split("32.0").length, 2);
  assert.equal(hintWords(GUESS).split("32.0").length, 2);
  const best = { ...GUESS.best, p_win: 0.125 };
  assert.match(hintWords({ ...GUESS, best }), /Win chance 12\.5%\./);
  assert.doesNotMatch(card.textContent, /Safest:/);
  const safest = { cell: [4, 5], p_mine: 0.25 };
  assert.match(hintWords({ ...GUESS, best, safest }), /Win chance 12\.5%\. Safest: \(4, 5\), risk 25\.0%\./);
  assert.match(makeCard({ ...GUESS, safest }).card.textContent, /Safest: \(4, 5\), risk 25\.0%\./);
  assert.match(hintWords(GUESS), /^No cell is certain: you have to guess\. Best guess: \(0, 0\)/);
});

test("a guess can be carried out, and every candidate be shown", () => {
  const { card, done } = makeCard(GUESS);
  assert.equal(card.querySelectorAll(".chances button").length, 12);
  card.querySelector(".chances button:last-child").click();
  card.querySelector("button.primary").click();
  assert.deepEqual(done, [
    ["show", 2, 1],
    ["open", 0, 0],
  ]);
  assert.deepEqual(marksOf(GUESS), { clue: [], best: [[0, 0]] });
});

test("a safe cell comes with its proof, which is said once", () => {
  const { card, done } = makeCard(CERTAIN);
  assert.equal(card.textContent.split("(2, 2) is safe because").length, 2);
  assert.match(card.textContent, /is safe because of the 1 at \(0, 1\) and the 1 at \(1, 1\)\.There is 1 mine in/);
  assert.match(card.textContent, /One clue within another/);
  card.querySelector("button.primary").click();
  assert.deepEqual(done, [["open", 2, 2]]);
  assert.deepEqual(marksOf(CERTAIN), { clue: CERTAIN.clues, safe: [[2, 2]] });
  assert.equal(hintWords(CERTAIN), `${CERTAIN.summary} ${CERTAIN.steps[0].sentence}`);
});

test("a mine is to be flagged, and the next hint is offered if there is one", () => {
  const mine = { ...CERTAIN, verdict: "mine", because: "", summary: "It is where the last mine is.", uses_total: true };
  let asked = 0;
  const { card, done } = makeCard(mine, () => (asked += 1));
  card.querySelector("#next-hint").click();
  card.querySelector("button.primary").click();
  assert.equal(asked, 1);
  assert.deepEqual(done, [["flag", 2, 2]]);
  // Where no clue proves it, the summary follows.
  assert.match(card.textContent, /^\(2, 2\) is a mine\. It is where the last mine is\./);
  assert.match(card.textContent, /uses the number of mines/);
  assert.equal(makeCard(mine).card.querySelector("#next-hint"), null);
});

test("a step within a supposition is set in, two deep at most", () => {
  const steps = [0, 1, 3].map((depth) => ({ sentence: `Step at ${depth}.`, depth }));
  const place = document.createElement("div");
  place.append(...explanation({ ...CERTAIN, steps }));
  const depths = [...place.querySelectorAll("li")].map(({ dataset }) => dataset.depth);
  assert.deepEqual(depths, ["0", "1", "2"]);
});
