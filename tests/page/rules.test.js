import assert from "node:assert/strict";
import { test } from "node:test";
import { RulesForm } from "../../src/sapper/web/static/rules/form.js";
import { ShapeField } from "../../src/sapper/web/static/rules/own.js";
import * as text from "../../src/sapper/web/static/rules/text.js";
import { say } from "../../src/sapper/web/static/words/index.js";
import { vectors } from "./vectors.js";

const INFO = {
  presets: { beginner: "9x9/10", intermediate: "16x16/40", expert: "16x30/99", "report-003": "10x10/20 survey" },
  agents: [],
  topologies: ["square", "torus", "hex", "knight", "orthogonal"],
  first_clicks: ["any", "safe", "opening"],
  dealings: ["laid", "fair", "kind", "cruel"],
  limits: { rows: 200, cols: 200, table: 8000 },
};

/** A form, and the rules that it was sent with. */
function makeForm(options = {}) {
  const sent = [];
  const form = new RulesForm(INFO, { action: "Start", changed: (rules) => sent.push(rules), ...options });
  return { form, sent };
}

function press(form, name) {
  form.quick.find((made) => made.dataset.preset === name).click();
}

test("rules are read and written as the library does", () => {
  for (const { text: given, canonical, fields } of vectors.rules) {
    assert.deepEqual(text.parseRules(given), fields);
    assert.equal(text.formatRules(text.parseRules(given)), canonical);
  }
});

test("what is no rules is none", () => {
  for (const wrong of ["", "beginner", "9x9", "9x/10", "x9/10", "own:1/2"]) assert.equal(text.parseRules(wrong), null);
  assert.equal(text.withFirst("beginner", "any"), "beginner");
});

test("a part of the rules is exchanged", () => {
  assert.equal(text.withFirst("9x9/10 first-opening fair", "safe"), "9x9/10 fair");
  assert.equal(text.withDealing("9x9/10 first-opening fair", "laid"), "9x9/10 first-opening");
});

test("a seed is a whole number that a script can hold", () => {
  assert.equal(text.readSeed("0"), 0);
  assert.equal(text.readSeed("9007199254740991"), 2 ** 53 - 1);
  for (const wrong of ["", "-1", "1.5", "9007199254740992", "12345678901234567", " 1", "1e3"]) {
    assert.equal(text.readSeed(wrong), null, wrong);
  }
});

test("rules are named for people", () => {
  const names = {
    "9x9/1": "9 × 9, 1 mine",
    "16x30/99 torus survey first-any": "16 × 30, 99 mines, torus, survey, first click may be a mine",
    "9x9/10 first-opening total-hidden no-cascade fair":
      "9 × 9, 10 mines, starts with an opening, number of mines hidden, no cascade, fair",
    "1x6/2 own:1,5/2/3/4/5 withheld:0.3:redraws":
      "1 × 6, 2 mines, custom board, 30% of clues withheld, click again to retry",
    "9x9/10 liar": "9 × 9, 10 mines, 100% of clues off by one",
    "9x9/10 cautious:0.07": "9 × 9, 10 mines, 7% of clues may be too high",
    beginner: "beginner",
  };
  for (const [rules, name] of Object.entries(names)) assert.equal(text.describeRules(rules), name);
});

test("every preset and every way to show clues has words, and the library knows it by the same name", () => {
  const named = { ...say.common.levels, ...say.rules.reportBoards };
  assert.deepEqual(Object.keys(named).sort(), vectors.presets.toSorted());
  assert.deepEqual(Object.keys(say.rules.channels), vectors.channels);
});

test("a form says the rules that it shows", () => {
  const { form } = makeForm();
  for (const { canonical } of vectors.rules) {
    form.set(canonical);
    assert.equal(form.text, canonical);
  }
  assert.equal(form.channel.options.length, vectors.channels.length + 1); // optimistic:0.25 was added
});

test("a preset keeps the way of dealing and gets the first click that is wanted", () => {
  const { form, sent } = makeForm({ first: () => "opening", dealt: () => {} });
  form.set("9x9/10 kind");
  press(form, "expert");
  assert.deepEqual(sent, ["16x30/99 first-opening kind"]);
  assert.equal(form.quick[2].getAttribute("aria-pressed"), "true");
  assert.equal(form.renewed("16x16/40"), "16x16/40 first-opening");
  assert.equal(form.renewed("16x16/40 first-any"), "16x16/40 first-any"); // a link says it itself
  assert.equal(form.renewed("16x16/40 first-any", true), "16x16/40 first-opening");
  assert.equal(form.renewed("8x8/10"), "8x8/10");
});

test("a board of the reports is recognised, and as many mines as cells are the limit", () => {
  const { form } = makeForm();
  form.set("10x10/20 survey");
  assert.equal(form.preset.value, "report-003");
  form.set("4x5/3");
  assert.equal(form.preset.value, "");
  assert.equal(form.mines.max, "20");
});

test("rules that are pasted where the table belongs fill the whole form", () => {
  const { form } = makeForm();
  form.shape.select.value = "own";
  form.shape.text.value = "1x6/2 own:1,5/2/3/4/5 first-any survey";
  form.element.dispatchEvent(new Event("input"));
  assert.deepEqual([form.rows.value, form.cols.value, form.mines.value], ["1", "6", "2"]);
  assert.equal(form.shape.text.value, "1,5/2/3/4/5");
  assert.equal(form.survey.checked, true);
  assert.equal(form.text, "1x6/2 own:1,5/2/3/4/5 first-any survey");
});

test("a board of one's own begins as the shape before it, and follows its size until somebody types", () => {
  const field = new ShapeField(INFO);
  field.check(2, 2);
  field.select.value = "own";
  assert.equal(field.check(2, 2), true);
  assert.equal(field.shape, "own:1,2,3/2,3/3");
  field.check(1, 3);
  assert.equal(field.shape, "own:1/2");
  field.text.value = "1/2/7";
  assert.equal(field.check(1, 3), false);
  assert.equal(field.wrong.textContent, "Cell 2 touches cell 7, but the last cell is 2.");
  assert.equal(field.text.getAttribute("aria-invalid"), "true");
  field.select.value = "torus";
  assert.equal(field.check(1, 3), true);
  assert.equal(field.own.hidden, true);
  assert.equal(field.text.disabled, true); // or an empty one would keep the form from being sent
});
