import assert from "node:assert/strict";
import { test } from "node:test";
import { bare, percent } from "../../src/sapper/web/static/common/percent.js";
import { vectors } from "./vectors.js";

test("chances are written as the library writes them, and never rounded to certainty", () => {
  for (const [p, certain, places, text] of vectors.percent) assert.equal(percent(p, certain, places), text);
});

test("a cell of the board has no room for the sign", () => {
  assert.equal(bare(0.0004), "<1");
  assert.equal(bare(1, true), "100");
});
