import assert from "node:assert/strict";
import { test } from "node:test";
import { FLAG, HIDDEN } from "../../src/sapper/web/static/board/cells/position.js";
import { neighboursOf } from "../../src/sapper/web/static/board/cells/topology.js";
import { GIVES_MINE, GIVES_SAFE, GuidedBoard, START } from "../../src/sapper/web/static/modes/train/lessons/guided.js";

/** The hidden cells that are mines in all layouts that fit the numbers, and in none, by trying every one. */
function byBruteForce({ position }) {
  const { cells, cols, total } = position;
  const closed = [...cells.keys()].filter((index) => cells[index] < 0);
  const clues = [...cells.keys()].filter((index) => cells[index] >= 0);
  const around = clues.map((clue) =>
    neighboursOf(position, Math.floor(clue / cols), clue % cols).map(([row, col]) => closed.indexOf(row * cols + col)),
  );
  const counts = closed.map(() => 0);
  let nLayouts = 0;
  const mined = closed.map(() => 0);
  const choose = (at, left) => {
    if (left === 0 || at === closed.length) {
      const fits = clues.every((clue, i) => around[i].reduce((sum, j) => sum + (mined[j] ?? 0), 0) === cells[clue]);
      if (left === 0 && fits) {
        nLayouts += 1;
        mined.forEach((one, i) => (counts[i] += one));
      }
      return;
    }
    choose(at + 1, left);
    mined[at] = 1;
    choose(at + 1, left - 1);
    mined[at] = 0;
  };
  choose(0, total);
  return new Map(closed.map((index, i) => [index, counts[i] / nLayouts]));
}

test("the board of the first steps is won by single numbers, which never err", () => {
  const guided = new GuidedBoard();
  guided.open(guided.numberOf(START));
  const touched = (clue) =>
    neighboursOf(guided.position, ...clue)
      .map((cell) => guided.numberOf(cell))
      .filter((index) => guided.position.cells[index] === HIDDEN);
  // What the first sentences say: one touches a single hidden cell, the other that mine and one more cell.
  const [mine, ...others] = touched(GIVES_MINE);
  assert.deepEqual(others, []);
  assert.equal(guided.position.cells[guided.numberOf(GIVES_MINE)], 1);
  assert.equal(guided.position.cells[guided.numberOf(GIVES_SAFE)], 1);
  assert.deepEqual(touched(GIVES_SAFE).filter((index) => index !== mine).length, 1);
  guided.flag(mine);
  let nRounds = 0;
  for (; !guided.isWon; nRounds += 1) {
    const p = byBruteForce(guided);
    const known = guided.prove();
    for (const [index, { isMine }] of known) assert.equal(p.get(index), isMine ? 1 : 0);
    const safe = [...known].filter(([, { isMine }]) => !isMine);
    assert.ok(safe.length > 0, "a guess");
    for (const [index] of safe) guided.open(index);
  }
  assert.ok(nRounds >= 3);
  guided.flagAll();
  assert.equal(guided.position.cells.filter((code) => code === FLAG).length, guided.position.total);
});
