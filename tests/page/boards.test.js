import assert from "node:assert/strict";
import { test } from "node:test";
import { Geometry } from "../../src/sapper/web/static/board/geometry.js";
import { Neighbours } from "../../src/sapper/web/static/board/neighbours.js";
import * as position from "../../src/sapper/web/static/board/cells/position.js";
import * as table from "../../src/sapper/web/static/board/cells/table.js";
import * as topology from "../../src/sapper/web/static/board/cells/topology.js";
import { vectors } from "./vectors.js";

const board = (shape, rows = 5, cols = 6) => ({ shape, rows, cols });

test("cells touch the cells that they touch in the library, by name and by table", () => {
  for (const { around, ...given } of vectors.neighbours) {
    assert.deepEqual(topology.neighbourNumbers(given), around);
    if (table.isTable(given.shape)) continue;
    const word = table.wordOf(table.writeTable(around));
    assert.deepEqual(topology.neighbourNumbers({ ...given, shape: word }), around);
  }
});

test("the page finds the same tables wrong as the library", () => {
  for (const [given, nCells, isRight] of vectors.tables) {
    assert.equal(table.mistakeIn(given, nCells, 8000) === null, isRight, given);
  }
});

test("what is wrong with a table is said in a sentence", () => {
  const said = {
    a: "This is not a neighbour table.",
    0: "Cell 0 touches itself.",
    "1/9": "Cell 1 touches cell 9, but the last cell is 5.",
    "//////": "The table lists 7 cells, but the board has only 6.",
    [Array(5000).fill("1").join("/")]: "The table has 10,003 characters; the limit is 8,000.",
  };
  for (const [given, start] of Object.entries(said)) {
    assert.ok(table.mistakeIn(given, 6, 8000).startsWith(start), start);
  }
  const crowd = Array.from({ length: 16 }, (_, k) => k + 1).join(",");
  assert.equal(table.mistakeIn(crowd, 20, 8000), "Cell 0 touches 16 others; 15 is the limit.");
});

test("a table that does not fit lights nothing beyond the board", () => {
  assert.deepEqual(topology.neighboursOf(board("own:1,40", 2, 3), 0, 0), [[0, 1]]);
});

test("only where nobody would see it, the cells that touch are lit", () => {
  for (const shape of ["square", "torus", "hex"]) assert.equal(topology.hidesNeighbours(board(shape)), false);
  for (const shape of ["knight", "orthogonal", "own:1/2"]) assert.equal(topology.hidesNeighbours(board(shape)), true);
});

test("the mouse lights cells up before the cursor does, and a square board never", () => {
  const touched = new Set();
  const canvas = document.createElement("canvas");
  const stage = {
    canvas,
    position: board("knight", 7, 7),
    grid: { cursor: [0, 0], showsCursor: () => true },
    painter: { touch: (index) => touched.add(index) },
    cellAt: (row, col) => [row, col],
  };
  const lit = new Neighbours(stage);
  const shown = () => Array.from({ length: 49 }, (_, index) => index).filter((index) => lit.has(index));
  const point = (name, row = 0, col = 0) => {
    const event = Object.assign(new Event(name), { pointerType: "mouse", clientX: row, clientY: col });
    canvas.dispatchEvent(event);
  };
  lit.refresh();
  assert.deepEqual(shown(), [9, 15]);
  point("pointermove", 6, 6);
  assert.deepEqual(shown(), [33, 39]);
  assert.deepEqual(
    [...touched].sort((one, other) => one - other),
    [9, 15, 33, 39],
  );
  point("pointerleave");
  assert.deepEqual(shown(), [9, 15]);
  stage.position = board("square", 7, 7);
  lit.refresh();
  assert.deepEqual(shown(), []);
});

test("positions are read and written as the library does", () => {
  for (const { text, cells, total } of vectors.positions) {
    const read = position.parsePosition(text);
    assert.deepEqual([...read.cells], cells);
    assert.equal(read.total, total);
    assert.equal(position.formatPosition(read), text);
  }
  assert.deepEqual(["F", "f", "a", "x"].map(position.codeOf), [position.FLAG, 15, 10, undefined]);
});

test("a cell is said as a person would", () => {
  const codes = [position.HIDDEN, position.FLAG, position.EXPLODED, position.NO_CLUE, 0, 3, 12];
  const said = ["hidden", "flag", "exploded mine", "open, no clue", "empty", "3", "12"];
  assert.deepEqual(codes.map(position.describeCode), said);
});

test("arrows lead around a torus and stop at other edges", () => {
  assert.deepEqual(topology.step(board("torus"), 0, 0, -1, 0), [4, 0]);
  assert.deepEqual(topology.step(board("torus"), 4, 5, 0, 1), [4, 0]);
  assert.deepEqual(topology.step(board("hex"), 0, 5, -1, 1), [0, 5]);
});

test("clues above 8 are offered where a cell touches as many others", () => {
  assert.equal(topology.mostClue(board("orthogonal")), 8);
  assert.equal(topology.mostClue(board(vectors.positions[3].text.split(" ")[1], 1, 14)), 13);
});

test("cells that touch share neighbours on squares and hexagons, and not by a knight's move", () => {
  for (const shape of ["square", "torus", "hex", "own:1,2/2"]) {
    assert.equal(topology.hasSharedNeighbours(board(shape)), true, shape);
  }
  for (const shape of ["knight", "orthogonal", "own:1/2/3"]) {
    assert.equal(topology.hasSharedNeighbours(board(shape)), false, shape);
  }
});

test("the middle of every cell is hit where it is drawn, on the rim of a torus too", () => {
  for (const shape of ["square", "torus", "hex"]) {
    for (const size of [7, 24, 31]) {
      const geometry = new Geometry(board(shape), size);
      for (let row = 0; row < 5; row += 1) {
        for (let col = 0; col < 6; col += 1) {
          const [x, y] = [geometry.left(row, col) + size / 2, geometry.top(row) + geometry.height / 2];
          assert.deepEqual(geometry.hit(x, y), [row, col]);
        }
      }
      assert.equal(geometry.hit(geometry.contentWidth + 1, 1), null);
    }
  }
  assert.deepEqual(new Geometry(board("torus"), 20).hit(10, 10), [4, 5]);
});

test("the cells in a part of the picture are those whose boxes meet it", () => {
  const range = new Geometry(board("square", 100, 100), 10).range(205, 0, 100, 35);
  assert.deepEqual(range, { firstRow: 0, lastRow: 3, firstCol: 20, lastCol: 30 });
});
