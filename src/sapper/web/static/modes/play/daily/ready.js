// Before a board of the day: what it is, and the cell that begins it. The clock starts with that click, on the server.

import { announce, button, el, toast } from "../../../common/dom.js";
import { emptyPosition } from "../../../board/cells/position.js";
import { describeRules, parseRules } from "../../../rules/text.js";
import { lookUp, say } from "../../../words/index.js";

/** The cell that the server opens first. @param {{ rows: number, cols: number }} rules @returns {Cell} */
export const firstOf = ({ rows, cols }) => [Math.floor(rows / 2), Math.floor(cols / 2)];

/** What the first try came to, or null before it. @param {DailyBoard} told */
function before({ state, seconds, assisted }) {
  if (state === "open") return null;
  const time = say.common.seconds((seconds ?? 0).toFixed(1));
  return state === "failed"
    ? say.daily.practiceFailed
    : (assisted ? say.daily.practiceHelped : say.daily.practice)(time);
}

/** The body of the card. @param {DailyBoard} told @param {() => void} begin */
export function readyBody(told, begin) {
  const level = lookUp(say.common.levels, told.level) ?? told.level;
  return [
    el("header", {}, el("h2", {}, say.daily.readyTitle(level, told.date))),
    el("p.soft", {}, describeRules(told.rules)),
    el(
      "dl.numbers",
      {},
      ...[
        [say.result.bbbv, String(told["3bv"])],
        [say.daily.par, say.common.seconds(told.par)],
      ].map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value))),
    ),
    el("p", { id: "daily-counts" }, before(told) ?? say.daily.counts),
    el("p.soft.small", {}, say.daily.clockStarts),
    button(before(told) ? say.daily.practise : say.daily.begin, "start", {
      class: "primary",
      id: "begin-daily",
      onclick: begin,
    }),
  ];
}

export class Ready {
  /** @type {DailyBoard | null} */
  #told = null;

  /**
   * @param {Board} board
   * @param {import("../panel.js").Panel} panel
   * @param {(level: string, first: Cell) => void} begin
   */
  constructor(board, panel, begin) {
    this.board = board;
    this.panel = panel;
    this.begin = begin;
  }

  get isShown() {
    return this.#told !== null;
  }

  /** Cover the board, and say what it is. @param {DailyBoard} told */
  show(told) {
    const rules = parseRules(told.rules);
    if (rules === null) return;
    this.#told = told;
    const first = firstOf(rules);
    this.board.setTruth(null);
    this.board.setPosition({ ...emptyPosition(rules.rows, rules.cols), total: rules.mines });
    this.board.setMarks({ start: [first] });
    this.board.grid.setCursor(...first, { byPointer: true });
    this.panel.hide(this.panel.result);
    this.panel.show(this.panel.note, ...readyBody(told, () => this.#start()));
    const level = lookUp(say.common.levels, told.level) ?? told.level;
    announce(`${say.daily.readyTitle(level, told.date)}. ${say.daily.clockStarts}`);
  }

  /**
   * A cell of the covered board is used.
   * @param {BoardAction | "chord-key"} action
   * @param {number} row
   * @param {number} col
   */
  act(action, row, col) {
    const rules = parseRules(this.#told?.rules ?? "");
    if (rules === null) return;
    const [firstRow, firstCol] = firstOf(rules);
    if (action === "open" && row === firstRow && col === firstCol) this.#start();
    else toast(say.daily.clockStarts);
  }

  #start() {
    if (this.#told === null) return;
    const rules = parseRules(this.#told.rules);
    if (rules !== null) this.begin(this.#told.level, firstOf(rules));
  }

  /** Another board is shown. */
  end() {
    if (this.#told === null) return;
    this.#told = null;
    this.board.setMarks({});
    this.panel.hide(this.panel.note);
  }
}
