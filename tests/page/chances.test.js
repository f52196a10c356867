import assert from "node:assert/strict";
import { test } from "node:test";
import { readChances } from "../../src/sapper/web/static/board/chances.js";
import { parsePosition } from "../../src/sapper/web/static/board/cells/position.js";
import { chanceColour } from "../../src/sapper/web/static/board/paint/palette.js";

/** Row by row: the same probability in every hidden cell but those that are named. */
function chancesOf(position, p, named = {}) {
  const { rows, cols, cells } = position;
  const values = [...Array(rows).keys()].map((row) =>
    [...Array(cols).keys()].map((col) => (cells[row * cols + col] < 0 ? (named[`${row},${col}`] ?? p) : null)),
  );
  return { p: values, safe: [], mines: [], guess: null };
}

test("cells that no clue touches share one number, which stands in their middle", () => {
  const position = parsePosition("1####/#####/##### 3");
  const near = { "0,1": 0.4, "1,0": 0.4, "1,1": 0.4 };
  const shown = readChances(position, { ...chancesOf(position, 0.2, near), guess: [2, 4] });
  assert.deepEqual(
    [...shown.far].sort((one, other) => one - other),
    [2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14],
  );
  assert.equal(shown.label, 8);
  assert.equal(shown.best, 14);
  // Where they are not alike, as with clues that may be wrong, each has its own.
  const unlike = readChances(position, chancesOf(position, 0.2, { ...near, "2,4": 0.3 }));
  assert.deepEqual([unlike.far.size, unlike.label, unlike.best], [0, -1, -1]);
  // A single one says it itself, and so do flags and certain cells.
  const one = parsePosition("1#### 1");
  assert.equal(readChances(parsePosition("1## 1"), chancesOf(parsePosition("1## 1"), 0.5)).label, -1);
  const certain = {
    ...chancesOf(one, 0),
    safe: [
      [0, 2],
      [0, 3],
      [0, 4],
    ],
    mines: [[0, 1]],
  };
  assert.deepEqual([...readChances(one, certain).far], []);
  assert.deepEqual([...readChances(one, certain).certain.values()], [0, 0, 0, 1]);
});

test("colours tell risks apart where guesses are made", () => {
  const colours = [0.01, 0.08, 0.12, 0.18, 0.2, 0.4, 0.6, 0.9].map(chanceColour);
  assert.equal(new Set(colours).size, 8);
});
