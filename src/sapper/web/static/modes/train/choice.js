// Which puzzles somebody wants: a kind, or whatever fits them best, and the board that they come from.

import { el, memory } from "../../common/dom.js";
import { hidesNeighbours } from "../../board/topology.js";
import { parseRules } from "../../rules/text.js";
import { say } from "../../words/index.js";

const ANY = "";
// By what the server calls them: presets, a small board, and one of every other shape.
const LEVELS = { "9x9/10": "beginner", "16x16/40": "intermediate", "16x30/99": "expert" };
const SMALL = "6x6/6";
const SHAPES = ["9x9/16 hex", "9x9/14 torus", "8x8/14 knight", "9x9/16 orthogonal"];
const BOARDS = [...Object.keys(LEVELS), SMALL, ...SHAPES];

/** A board by what is particular about it; null if it is none of ours. */
export function nameBoard(board) {
  if (board in LEVELS) return say.common.levels[LEVELS[board]];
  if (board === SMALL) return say.train.smallBoard;
  return SHAPES.includes(board) ? say.rules.shapes[parseRules(board).shape] : null;
}

// Where no two cells that touch share a neighbour, a 1 beside a 2 says nothing.
const hasKind = (kind, board) => kind !== "one-two" || !hidesNeighbours(parseRules(board));

const readKind = (kind, board) => (kind in say.train.kinds && hasKind(kind, board) ? kind : ANY);

function readBoard(board) {
  const [preset] = Object.entries(LEVELS).find(([, name]) => name === board) ?? [board];
  return BOARDS.includes(preset) ? preset : BOARDS[0];
}

/** What somebody chose last: { kind, board }. */
export function remembered() {
  const board = readBoard(memory.get("train-board"));
  return { kind: readKind(memory.get("train-kind"), board) || null, board };
}

/** A list of the boards; `changed(board)` hears of another one. */
export function boardField(id, board, changed) {
  const group = (label, boards) => el("optgroup", { label }, ...boards.map((one) => el("option", { value: one }, nameBoard(one))));
  const field = el("select", { id, onchange: () => changed(field.value) },
    group(say.train.squares, [...Object.keys(LEVELS), SMALL]), group(say.train.otherShapes, SHAPES));
  field.value = readBoard(board);
  return field;
}

export class Choice {
  /** `changed()` is called when something else is wanted. */
  constructor(changed) {
    this.kindField = el("select", { id: "train-kind", onchange: () => this.#chosen(changed) },
      ...[[ANY, say.train.anyKind], ...Object.entries(say.train.kinds)].map(([value, label]) => el("option", { value }, label)));
    this.boardField = boardField("train-board", null, () => this.#chosen(changed));
    this.about = el("p.small.soft", {});
    this.element = el("section.card", { "aria-label": say.train.choose },
      el("h2", {}, say.train.choose),
      el("label.field", {}, el("span", {}, say.train.kind), this.kindField), this.about,
      el("label.field", {}, el("span", {}, say.common.board), this.boardField));
    this.set(remembered());
  }

  get kind() {
    return this.kindField.value || null;
  }

  get board() {
    return this.boardField.value;
  }

  /** Show what is wanted, without telling anybody. */
  set({ kind, board }) {
    this.boardField.value = readBoard(board);
    this.kindField.value = readKind(kind, this.board);
    this.#show();
  }

  #show() {
    for (const option of this.kindField.options) option.disabled = !hasKind(option.value, this.board);
    this.about.textContent = this.kind === null ? say.train.aboutAny : say.train.aboutKinds[this.kind];
  }

  #chosen(changed) {
    this.set(this);
    memory.set("train-kind", this.kind ?? ANY);
    memory.set("train-board", this.board);
    changed();
  }
}
