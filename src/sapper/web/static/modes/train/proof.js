// A proof, step by step: what it says, and which cells light up.

import { withCells } from "../../common/coordinates.js";
import { announce, button, el } from "../../common/dom.js";
import { say } from "../../words/index.js";

const SUPPOSE = "suppose"; // the rule of a step that assumes something, for the sake of the argument

/**
 * What a step says of its cells: all safe, all mines, or only how many mines are among them.
 * @param {ProofStep} step
 */
function roleOf({ cells, fewest, most, depth }) {
  const isSupposed = depth > 0;
  if (most === 0) return isSupposed ? "supposed-safe" : "safe";
  if (fewest === cells.length) return isSupposed ? "supposed-mine" : "mine";
  return "area";
}

/**
 * The cells to mark after some steps: proven cells stay marked, assumed ones only within their assumption.
 * @param {Proof} proof
 * @param {number} n
 * @returns {Marks}
 */
export function marksAfter(proof, n) {
  if (n === 0) return { clue: proof.clues, [proof.verdict]: [proof.cell] };
  const step = proof.steps[n - 1];
  /** @type {ProofStep[]} */
  let held = [];
  for (const one of proof.steps.slice(0, n)) {
    held = held.filter(({ depth }) => depth < one.depth || (depth === one.depth && one.rule !== SUPPOSE));
    if (roleOf(one) !== "area") held.push(one);
  }
  /** @type {Record<string, Cell[]>} */
  const marks = { clue: step.clues, area: roleOf(step) === "area" ? step.cells : [] };
  for (const one of held) marks[roleOf(one)] = [...(marks[roleOf(one)] ?? []), ...one.cells];
  return marks;
}

export class ProofSteps {
  #at = 0;

  /** `mark(marks)` lights cells up on the board. @param {Proof} proof @param {(marks: Marks) => void} mark */
  constructor(proof, mark) {
    this.proof = proof;
    this.mark = mark;
    this.back = button(say.train.stepBack, "back", {
      id: "step-back",
      "aria-keyshortcuts": "ArrowLeft",
      onclick: () => this.go(-1),
    });
    this.on = button(say.train.stepOn, "step", {
      id: "step-on",
      "aria-keyshortcuts": "ArrowRight",
      onclick: () => this.go(1),
    });
    this.summary = el("p.proof-summary", {}, ...withCells(proof.summary.join(" ")));
    this.list = el(
      "ol.steps",
      {},
      ...proof.steps.map((step) =>
        el("li", { "data-depth": String(Math.min(2, step.depth)) }, el("span", {}, ...withCells(step.sentence))),
      ),
    );
    this.place = el("span.soft.small", {});
    this.element = el(
      "div.proof",
      {},
      this.summary,
      this.list,
      el("div.row.stepping", {}, this.back, this.on, this.place),
    );
    this.#show();
  }

  /** Go some steps on or back. @param {number} by */
  go(by) {
    const at = Math.max(0, Math.min(this.proof.steps.length, this.#at + by));
    if (at === this.#at) return;
    this.#at = at;
    this.#show();
    announce(at === 0 ? this.proof.summary.join(" ") : this.proof.steps[at - 1].sentence);
  }

  #show() {
    const n = this.proof.steps.length;
    this.list.querySelectorAll("li").forEach((line, at) => {
      line.hidden = at >= this.#at;
      if (at === this.#at - 1) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    this.list.hidden = this.#at === 0;
    this.back.disabled = this.#at === 0;
    this.on.disabled = this.#at === n;
    this.place.textContent = this.#at === 0 ? say.train.steps(n) : say.train.stepOf(this.#at, n);
    this.mark(marksAfter(this.proof, this.#at));
  }
}
