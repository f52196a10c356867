// One agent's side of Watch: its boards, its counts, and why it did what it did last.

import { statusOf } from "../../common/api.js";
import { Board } from "../../board/board.js";
import { withCells } from "../../common/coordinates.js";
import { el, icon } from "../../common/dom.js";
import { percent } from "../../common/percent.js";
import { emptyPosition, formatPosition } from "../../board/cells/position.js";
import { addressOf } from "../../common/router.js";
import { Run } from "./run.js";
import { entriesOf, lookUp, say } from "../../words/index.js";

// Css pixels of a cell: one board is scrolled if it is large, two stand side by side, three of them are there to be
// seen whole.
const SMALLEST = { one: 12, two: 9, all: 3 };

/** @typedef {(since: number) => Promise<Watched>} Load */

const N_TRIES = 4;
const BETWEEN = 1500; // milliseconds

/**
 * Ask again where the server was busy: a game that is only watched can wait.
 * @param {Load} load
 * @param {number} since
 */
async function patiently(load, since) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await load(since);
    } catch (error) {
      if (![429, 503].includes(statusOf(error)) || tries === N_TRIES) throw error;
      await new Promise((done) => setTimeout(done, BETWEEN));
    }
  }
}

/** A board with its caption. @param {View} view */
function makeView(view) {
  const label = say.watch.views[view];
  const stage = el("div");
  const caption = el("figcaption", {}, label);
  const figure = el("figure", { "data-view": view }, stage, caption);
  return { figure, caption, board: new Board(stage, { label, theme: "watch", smallest: SMALLEST.one }) };
}

export class Pane {
  /** @type {Run | null} */
  run = null;
  /** @type {string | null} */
  #wanted = null; // what the run was asked for, as text
  #turn = 0; // counts how often something else was chosen

  agent = "";

  constructor() {
    this.name = el("h2");
    this.counts = el("p.small.soft.counts", {}, "");
    this.rate = el("span.small.soft.rate", {}, "");
    this.link = el(
      "a.button.analyse-this",
      { title: say.watch.analyseTitle },
      icon("analyse"),
      el("span", {}, say.watch.analyse),
    );
    this.reason = el("p.reason", { tabindex: "0", role: "note" });
    this.views = { solved: makeView("solved"), actual: makeView("actual"), start: makeView("start") };
    const { solved, actual, start } = this.views;
    this.boards = { solved: solved.board, actual: actual.board, start: start.board };
    this.element = el(
      "section.pane",
      {},
      el("header", {}, el("div.row", {}, this.name, this.rate), this.link, this.counts),
      el("div.trio", {}, ...Object.values(this.views).map(({ figure }) => figure)),
      this.reason,
    );
    // What a text of this side speaks of is shown on all of its boards.
    this.element.board = {
      stage: null,
      point: (cell) => Object.values(this.boards).forEach((board) => board.point(cell)),
      reveal: (row, col) => Object.values(this.boards).forEach((board) => board.reveal(row, col)),
    };
  }

  /** @param {string} agent */
  setAgent(agent) {
    this.agent = agent;
    this.name.textContent = agent;
    this.link.setAttribute("aria-label", say.watch.analyseOf(agent));
    this.reason.setAttribute("aria-label", say.watch.reasonOf(agent));
    for (const [view, board] of entriesOf(this.boards)) {
      board.grid.element.setAttribute("aria-label", say.watch.boardOf(say.watch.views[view], agent));
    }
  }

  /**
   * Show one of the views, or all three of them; `isVersus`: beside another agent.
   * @param {View | "all"} view
   * @param {boolean} isVersus
   */
  setView(view, isVersus) {
    for (const board of Object.values(this.boards)) {
      board.options.smallest = view === "all" ? SMALLEST.all : isVersus ? SMALLEST.two : SMALLEST.one;
      board.resetSize();
    }
    for (const [name, { figure, caption }] of Object.entries(this.views)) {
      figure.hidden = view !== "all" && name !== view;
      caption.hidden = view !== "all";
    }
  }

  /** An untouched board, before anything is known of the run. @param {Rules} rules */
  clear({ rows, cols, shape, mines, totalHidden }) {
    this.run = null;
    this.#wanted = null;
    this.#turn += 1;
    for (const board of Object.values(this.boards)) {
      board.setTruth(null);
      board.setIdentified([]);
      board.setMarks({});
      board.setPosition(emptyPosition(rows, cols, shape, totalHidden ? null : mines));
    }
    this.#showReason(null);
    this.counts.textContent = say.watch.cellsHidden(rows * cols);
  }

  /**
   * Make sure that the run has begun; `load(since)` asks the server for a part of it. The rest comes by itself.
   * @param {string} wanted
   * @param {Load} load
   * @param {{ came: () => void, failed: (error: Error) => void }} tell
   */
  async ensure(wanted, load, { came, failed }) {
    if (this.#wanted === wanted && this.run !== null) return;
    const turn = this.#turn;
    const run = new Run(await patiently(load, 0));
    if (turn !== this.#turn) return; // another game was chosen meanwhile
    this.run = run;
    this.#wanted = wanted;
    const { boards } = this;
    boards.actual.setPosition(run.actual());
    boards.actual.setTruth(run.answer.layout);
    boards.start.setPosition(run.positionAfter(0));
    this.#loadRest(run, load, came).catch((error) => this.run === run && failed(error));
  }

  /** @param {Run} run @param {Load} load @param {() => void} came */
  async #loadRest(run, load, came) {
    while (!run.isWhole) {
      const part = await patiently(load, run.length);
      if (this.run !== run) return; // another game was chosen meanwhile
      run.append(part);
      came();
    }
  }

  /** Forget a run whose rest did not come, so that it is asked for again. */
  forget() {
    this.#wanted = null;
  }

  /** @param {number} count */
  show(count) {
    if (this.run === null) return;
    const at = Math.min(count, this.run.length);
    const { solved } = this.boards;
    solved.setPosition(this.run.positionAfter(at));
    solved.setIdentified(this.run.identifiedAfter(at));
    const cells = this.run.cellsOf(at);
    solved.setMarks(at < this.run.length || cells.length ? { last: cells.slice(-1) } : {});
    this.#showReason(at === 0 ? null : this.run.steps[at - 1]);
    const { nOpen, nExploded, nIdentified } = this.run.countsAfter(at);
    const { length, isWhole } = this.run;
    /** @param {string} kind @param {string} words */
    const counted = (kind, words) => el("span.counted", {}, " ", el(`i.watch-swatch.${kind}`), words);
    // The end is told first: where there is little room, the rest may follow in the next line.
    this.counts.replaceChildren(
      isWhole ? say.watch.stepOf(at, length) : say.watch.stepSoFar(at, length),
      ...(at === length ? [" ", el("b", {}, isWhole ? describeResult(this.run.answer) : say.watch.thinking)] : []),
      counted("open", say.watch.opened(nOpen)),
      counted("identified", say.watch.identified(nIdentified)),
      counted("clicked", say.watch.clicked(nExploded)),
    );
  }

  /** Say why the agent made a step, and let the position after it be analysed. @param {Step | null} step */
  #showReason(step) {
    this.link.href = addressOf("analyse", { position: formatPosition(this.boards.solved.position) });
    const risk = step?.p_mine ?? 0;
    this.reason.replaceChildren(
      step === null ? el("span.soft", {}, say.watch.reasonEmpty) : el("span", {}, ...withCells(step.reason)),
      risk > 0 ? el("b", {}, ` ${say.watch.risk(percent(risk, risk === 1))}`) : "",
    );
    this.reason.scrollTop = 0;
  }
}

/** How a game ended; empty while it is in progress. @param {Watched} [answer] */
export const describeResult = (answer) => (answer?.over ? (lookUp(say.watch.results, answer.outcome) ?? "") : "");
