import assert from "node:assert/strict";
import { test } from "node:test";
import { percent } from "../../src/sapper/web/static/common/percent.js";
test("x", () => assert.equal(percent(0.5), "50%"));
