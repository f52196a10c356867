import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Motion } from "../../src/sapper/web/static/board/paint/motion.js";
import { changeSetting } from "../../src/sapper/web/static/common/settings.js";

const HIDDEN = -1;
const board = (cells, truth = null) => ({
  position: { cols: 3, cells: Int8Array.from(cells) },
  truth,
  painter: { schedule: () => {} },
});
/** The cells that are due so long after the beginning, in order. */
const due = (motion, later) => [...motion.due(performance.now() + later)].sort((one, other) => one - other);

beforeEach(() => localStorage.clear());

test("cells open in waves from the one that was clicked, and then stand still", () => {
  const motion = new Motion(board(new Array(9).fill(0)));
  motion.start("lift", [0, 4, 8], [0, 0]);
  assert.deepEqual(due(motion, 0), [0]);
  assert.deepEqual(due(motion, 10_000), [0, 4, 8]);
  assert.equal(motion.isOver, true);
  assert.deepEqual(due(motion, 10_000), []);
});

test("a lost game brings up the mines that are still hidden, a won one moves every cell", () => {
  const lost = new Motion(board([HIDDEN, 1, HIDDEN, -3], new Set([0, 3])));
  lost.end([1, 0], false);
  assert.deepEqual(due(lost, 10_000), [0]);
  const won = new Motion(board([1, 1, -2]));
  won.end([0, 0], true);
  assert.deepEqual(due(won, 10_000), [0, 1, 2]);
});

test("nothing moves where no animation is wanted, nor too much at once", () => {
  const motion = new Motion(board(new Array(9).fill(0)));
  motion.start("lift", [...new Array(5000).keys()], [0, 0]);
  assert.equal(motion.isOver, true);
  changeSetting("animation", "off");
  motion.start("lift", [0], [0, 0]);
  assert.equal(motion.isOver, true);
});
