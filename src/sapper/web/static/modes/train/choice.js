// Which puzzles somebody wants: a kind, or whatever fits them best, and the board that they come from.

import { el, memory } from "../../common/dom.js";
import { describeRules } from "../../rules/text.js";
import { say } from "../../words/index.js";

const ANY = "";
// Names of presets, and boards besides.
const BOARDS = ["beginner", "intermediate", "expert", "6x6/6", "9x9/16 hex", "9x9/14 torus"];

export class Choice {
  /** `changed()` is called when something else is wanted. */
  constructor(changed) {
    const option = ([value, label]) => el("option", { value }, label);
    this.kindField = el("select", { id: "train-kind", onchange: () => this.#chosen(changed) },
      ...[[ANY, say.train.anyKind], ...Object.entries(say.train.kinds)].map(option));
    this.boardField = el("select", { id: "train-board", onchange: () => this.#chosen(changed) },
      ...BOARDS.map((name) => option([name, say.common.levels[name] ?? describeRules(name)])));
    this.about = el("p.small.soft", {});
    this.element = el("section.card", { "aria-label": say.train.choose },
      el("h2", {}, say.train.choose),
      el("label.field", {}, el("span", {}, say.train.kind), this.kindField), this.about,
      el("label.field", {}, el("span", {}, say.common.board), this.boardField));
    this.set({ kind: memory.get("train-kind"), board: memory.get("train-board") });
  }

  get kind() {
    return this.kindField.value || null;
  }

  get board() {
    return this.boardField.value;
  }

  /** Show what is wanted, without telling anybody. */
  set({ kind, board }) {
    this.kindField.value = kind in say.train.kinds ? kind : ANY;
    this.boardField.value = BOARDS.includes(board) ? board : BOARDS[0];
    this.#show();
  }

  #show() {
    this.about.textContent = this.kind === null ? say.train.aboutAny : say.train.aboutKinds[this.kind];
  }

  #chosen(changed) {
    this.#show();
    memory.set("train-kind", this.kind ?? ANY);
    memory.set("train-board", this.board);
    changed();
  }
}
