import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { AnswerCard, verdictWords } from "../../src/sapper/web/static/modes/train/answer.js";
import { Choice, nameBoard, remembered } from "../../src/sapper/web/static/modes/train/choice.js";
import { marksAfter } from "../../src/sapper/web/static/modes/train/proof.js";
import { LessonPuzzles, Puzzles, Rounds } from "../../src/sapper/web/static/modes/train/run.js";

const VERDICT = {
  right: false,
  score: 0,
  said: ["(0, 1) is a mine."],
  proof: null,
  layouts: null,
  number: null,
  answer: "(0, 0) is safe.",
  reason: "It is alone.",
  guess: null,
  counts: true,
  before: 1000,
  rating: 1012.4,
  deviation: 60.3,
  provisional: false,
  round: null,
};
const PUZZLE = { link: "single.6x6.6.1", kind: "single", marked: [], position: "###" };
const step = (cells, fewest, most, depth = 0, rule = "count") => ({
  cells,
  fewest,
  most,
  depth,
  rule,
  clues: [[9, 9]],
});

beforeEach(() => localStorage.clear());

test("a verdict is said in a word or two, and what is said already is not said again", () => {
  assert.equal(verdictWords(VERDICT, false), "Wrong. (0, 1) is a mine.");
  assert.equal(verdictWords({ ...VERDICT, score: 0.5 }, false), "Not the best. (0, 1) is a mine.");
  assert.equal(
    verdictWords({ ...VERDICT, right: true, said: ["Right.", "It is alone."], number: 2 }, false),
    "Right. It is alone.",
  );
  assert.equal(verdictWords(VERDICT, true), "The solution: (0, 0) is safe. It is alone.");
});

test("what a rated answer did to the rating is told, with its error while that is large", () => {
  const rated = new Puzzles("rated", {});
  assert.equal(rated.beside(VERDICT), "Your rating is now 1012 (+12).");
  assert.equal(rated.beside({ ...VERDICT, rating: 990.6 }), "Your rating is now 991 (−9).");
  assert.match(rated.beside({ ...VERDICT, provisional: true }), /^Your rating so far is 1012 ± 121\./);
  assert.match(rated.beside({ ...VERDICT, counts: false }), /does not count again/);
  assert.equal(rated.beside({ ...VERDICT, before: null }), null);
});

test("the button that shows the solution says what that costs", () => {
  const labels = [
    new Puzzles("rated", {}),
    new Puzzles("free", {}),
    new Rounds("survival", ""),
    new Rounds("sprint", ""),
  ];
  assert.deepEqual(
    labels.map((way) => way.solveLabel()),
    ["Show solution (counts as wrong)", "Show solution", "Show solution (costs a life)", "Skip"],
  );
});

test("a puzzle's address leads to it again", () => {
  const rated = new Puzzles("rated", {});
  assert.deepEqual(rated.address(PUZZLE), { way: null, puzzle: PUZZLE.link, began: undefined });
  const lesson = new LessonPuzzles({ name: "edges", number: 2, puzzles: [{}, {}] }, 1);
  assert.deepEqual(lesson.address(), { lesson: "edges", number: 2 });
  assert.equal(lesson.nextLabel(), "Finish the lesson");
  assert.equal(lesson.status.textContent, "Lesson 2, puzzle 2 of 2");
});

test("a sprint passes at once, survival after a right answer, and both end", () => {
  const [sprint, survival] = [new Rounds("sprint", "9x9/10"), new Rounds("survival", "9x9/10")];
  assert.equal(sprint.passes(VERDICT), true);
  assert.equal(survival.passes(VERDICT), false);
  assert.equal(survival.passes({ ...VERDICT, right: true }), true);
  survival.round = { began: 1, right: 7, lives: 0, seconds_left: null, over: true };
  assert.deepEqual([survival.isOver, survival.score, survival.nextLabel()], [true, 7, "See the result"]);
});

test("a proof marks what is settled, and what was supposed goes with its supposition", () => {
  const steps = [
    step([[0, 0]], 0, 0),
    step(
      [
        [1, 1],
        [1, 2],
      ],
      1,
      1,
    ), // one mine among two cells
    step([[2, 2]], 1, 1, 1, "suppose"),
    step([[3, 3]], 0, 0, 1),
    step([[2, 2]], 0, 0, 1, "suppose"),
    step([[4, 4]], 1, 1),
  ];
  const proof = { cell: [4, 4], verdict: "mine", clues: [[8, 8]], summary: [], steps };
  assert.deepEqual(marksAfter(proof, 0), { clue: [[8, 8]], mine: [[4, 4]] });
  assert.deepEqual(marksAfter(proof, 2), {
    clue: [[9, 9]],
    area: [
      [1, 1],
      [1, 2],
    ],
    safe: [[0, 0]],
  });
  const supposed = marksAfter(proof, 4);
  assert.deepEqual([supposed["supposed-mine"], supposed["supposed-safe"]], [[[2, 2]], [[3, 3]]]);
  const other = marksAfter(proof, 5);
  assert.deepEqual([other["supposed-mine"], other["supposed-safe"]], [undefined, [[2, 2]]]);
  const end = marksAfter(proof, 6);
  assert.deepEqual([end.safe, end.mine, end["supposed-safe"]], [[[0, 0]], [[4, 4]], undefined]);
});

test("a guess is listed once, marked as one's own, and the best cells are marked on the board", () => {
  const marks = [];
  const board = { setChances: () => {}, setMarks: (given) => marks.push(given), isFlag: () => false };
  const cells = Array.from({ length: 8 }, (_, col) => ({
    cell: [0, col],
    risk: 0.1 * col,
    p_win: col < 2 ? 0.5 : 0.4,
  }));
  const card = new AnswerCard(board, () => {});
  const rows = (own) => {
    const guess = { own: structuredClone(own), best: cells[0], cells, chances: { p: [[0.5]], safe: [], mines: [] } };
    const told = { cell: own.cell, isGivenUp: false, beside: null, onward: "Next" };
    card.show(PUZZLE, { ...VERDICT, guess }, told);
    return [...card.element.querySelectorAll("tbody tr")];
  };
  assert.deepEqual(
    rows(cells[1]).map((row) => row.className),
    ["", "own", "", "", "", ""],
  );
  assert.match(card.element.textContent, /Share of the best100%/);
  assert.deepEqual(marks.at(-1).best, [
    [0, 0],
    [0, 1],
  ]);
  const far = rows(cells[7]);
  assert.deepEqual([far.length, far[6].firstChild.textContent], [7, "(0, 7) (yours)"]);
  assert.match(card.element.textContent, /Share of the best80%/);
});

test("boards are named by what is particular about them", () => {
  assert.deepEqual(["9x9/10", "6x6/6", "9x9/16 hex", "5x5/5"].map(nameBoard), [
    "Beginner",
    "Small (6 × 6)",
    "Hexagons",
    null,
  ]);
});

test("what somebody chose last is remembered, and what means nothing is not", () => {
  assert.deepEqual(remembered(), { kind: null, board: "9x9/10" });
  localStorage.setItem("sapper.train-kind", "one-two");
  localStorage.setItem("sapper.train-board", "expert");
  assert.deepEqual(remembered(), { kind: "one-two", board: "16x30/99" });
  // On a knight's board no two cells that touch share a neighbour.
  localStorage.setItem("sapper.train-board", "8x8/14 knight");
  assert.deepEqual(remembered(), { kind: null, board: "8x8/14 knight" });
  localStorage.setItem("sapper.train-kind", "toString");
  localStorage.setItem("sapper.train-board", "300x300/9 own:1");
  assert.deepEqual(remembered(), { kind: null, board: "9x9/10" });
});

test("a board of one's own is added to the list, one at a time, with its rules as short as can be", () => {
  const choice = new Choice(() => {});
  const own = () => [...choice.boardField.querySelectorAll("optgroup.own option")].map(({ value }) => value);
  choice.set({ kind: "pairs", board: "1x6/2 own:1,5/2/3/4/5 survey first-any" });
  assert.deepEqual([choice.board, choice.kind], ["1x6/2 own:1,5/2/3/4/5", "pairs"]);
  choice.set({ kind: "one-two", board: "1x4/1 own:1/2/3" });
  assert.deepEqual(own(), ["1x4/1 own:1/2/3"]);
  assert.equal(choice.kind, null);
  assert.equal(choice.about.textContent.startsWith("Puzzles due for repetition come first"), true);
});
