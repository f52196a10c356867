// The choice of puzzles: a kind, or any that suits the learner, and their board.

import { el, memory } from "../../common/dom.js";
import { isTable, mistakeIn, tableOf } from "../../board/cells/table.js";
import { hasSharedNeighbours } from "../../board/cells/topology.js";
import { MAX_PUZZLE_CELLS } from "../../constants.js";
import { PLAIN, describeRules, formatRules, parseRules } from "../../rules/text.js";
import { entriesOf, language, lookUp, say } from "../../words/index.js";

const ANY = "";
// By what the server calls them: presets, a small board, and one of every other shape.
/** @type {Record<string, keyof English["common"]["levels"]>} */
const LEVELS = { "9x9/10": "beginner", "16x16/40": "intermediate", "16x30/99": "expert" };
const SMALL = "6x6/6";
const SHAPES = ["9x9/16 hex", "9x9/14 torus", "8x8/14 knight", "9x9/16 orthogonal"];
const KINDS = entriesOf(say.train.kinds).map(([kind]) => kind);
const BOARDS = [...Object.keys(LEVELS), SMALL, ...SHAPES];

/** A board by what is particular about it; null if it is none of ours. @param {string} board */
export function nameBoard(board) {
  if (board in LEVELS) return say.common.levels[LEVELS[board]];
  if (board === SMALL) return say.train.smallBoard;
  return SHAPES.includes(board) ? describeTopology(board) : null;
}

/** @param {string} board */
const describeTopology = (board) => lookUp(say.rules.shapes, parseRules(board)?.shape ?? "") ?? board;

/**
 * What is wrong with the rules of a custom board: a sentence, or null. The server checks their length.
 * @param {Rules | null} rules
 */
function mistakeInOwn(rules) {
  if (rules === null || !isTable(rules.shape)) return say.train.notOwn;
  if (rules.rows * rules.cols > MAX_PUZZLE_CELLS) return say.train.tooLarge(MAX_PUZZLE_CELLS.toLocaleString(language));
  return mistakeIn(tableOf(rules.shape), rules.rows * rules.cols, Infinity);
}

/** A custom board in canonical form; null if it is none. @param {string} text */
function readOwn(text) {
  const rules = parseRules(text);
  if (rules === null || mistakeInOwn(rules) !== null) return null;
  const { rows, cols, mines, shape } = rules;
  return formatRules({ ...PLAIN, rows, cols, mines, shape });
}

// Where no two cells that touch share a neighbour, a 1 beside a 2 says nothing.
/** @param {string} kind @param {string} board */
const hasKind = (kind, board) => kind !== "one-two" || hasSharedNeighbours(parseRules(board) ?? PLAIN);

/** @param {string | null | undefined} kind @param {string} board @returns {Kind | ""} */
const readKind = (kind, board) => KINDS.find((known) => known === kind && hasKind(known, board)) ?? ANY;

/** @param {string | null | undefined} board */
function readBoard(board) {
  const preset = Object.keys(LEVELS).find((one) => LEVELS[one] === board) ?? board;
  return BOARDS.find((one) => one === preset) ?? readOwn(preset ?? "") ?? BOARDS[0];
}

/** The last choice: { kind, board }. */
export function remembered() {
  const board = readBoard(memory.get("train-board"));
  return { kind: readKind(memory.get("train-kind"), board) || null, board };
}

/**
 * A list of the boards; `changed(board)` hears of another one.
 * @param {string} id
 * @param {string | null} board
 * @param {(board: string) => void} changed
 */
export function boardField(id, board, changed) {
  const field = el(
    "select",
    {
      id,
      onchange: () => {
        changed(field.value);
      },
    },
    group(say.train.squares, [...Object.keys(LEVELS), SMALL]),
    group(say.train.otherShapes, SHAPES),
  );
  const own = readOwn(memory.get("train-own") ?? "");
  if (own !== null) chooseBoard(field, own);
  chooseBoard(field, readBoard(board));
  return field;
}

/** @param {string} label @param {string[]} boards */
const group = (label, boards) =>
  el("optgroup", { label }, ...boards.map((one) => el("option", { value: one }, nameBoard(one) ?? describeRules(one))));

/**
 * Show a board in such a list; a custom board is added, one at a time.
 * @param {HTMLSelectElement} field
 * @param {string} board
 */
function chooseBoard(field, board) {
  const isThere = [...field.options].some((one) => one.value === board);
  if (!isThere) {
    memory.set("train-own", board);
    field.querySelector("optgroup.own")?.remove();
    const added = group(say.train.ownBoards, [board]);
    added.className = "own";
    field.append(added);
  }
  field.value = board;
}

export class Choice {
  /** `changed()` is called when something else is wanted. @param {() => void} changed */
  constructor(changed) {
    this.kindField = el(
      "select",
      { id: "train-kind", onchange: () => this.#chosen(changed) },
      ...[[ANY, say.train.anyKind], ...Object.entries(say.train.kinds)].map(([value, label]) =>
        el("option", { value }, label),
      ),
    );
    this.boardField = boardField("train-board", null, () => this.#chosen(changed));
    this.about = el("p.small.soft", {});
    this.element = el(
      "section.card",
      { "aria-label": say.train.choose },
      el("h2", {}, say.train.choose),
      el("label.field", {}, el("span", {}, say.train.kind), this.kindField),
      this.about,
      el("label.field", {}, el("span", {}, say.common.board), this.boardField),
      this.#ownForm(changed),
    );
    this.set(remembered());
  }

  /** @param {() => void} changed */
  #ownForm(changed) {
    const text = el("textarea.mono", {
      rows: "3",
      spellcheck: "false",
      autocomplete: "off",
      required: true,
      id: "train-own",
      "aria-describedby": "train-own-about",
      oninput: () => {
        text.setCustomValidity(mistakeInOwn(parseRules(text.value)) ?? "");
      },
    });
    /** @param {SubmitEvent} event */
    const submit = (event) => {
      event.preventDefault();
      this.set({ kind: this.kind, board: text.value });
      this.#chosen(changed);
    };
    return el(
      "details",
      {},
      el("summary", {}, say.train.ownBoard),
      el(
        "form.inside",
        { onsubmit: submit },
        el("label.field", {}, el("span", {}, say.train.ownRules), text),
        el("p.small.soft", { id: "train-own-about" }, say.train.aboutOwn),
        el("button", { type: "submit" }, say.train.trainOn),
      ),
    );
  }

  get kind() {
    return readKind(this.kindField.value, this.board) || null;
  }

  get board() {
    return this.boardField.value;
  }

  /** Show a choice, without an event. @param {Wanted} wanted */
  set({ kind, board }) {
    chooseBoard(this.boardField, readBoard(board));
    this.kindField.value = readKind(kind, this.board);
    this.#show();
  }

  #show() {
    for (const option of this.kindField.options) option.disabled = !hasKind(option.value, this.board);
    this.about.textContent = this.kind === null ? say.train.aboutAny : say.train.aboutKinds[this.kind];
  }

  /** @param {() => void} changed */
  #chosen(changed) {
    this.set(this);
    memory.set("train-kind", this.kind ?? ANY);
    memory.set("train-board", this.board);
    changed();
  }
}
