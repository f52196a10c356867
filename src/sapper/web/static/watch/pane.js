// One agent's side of Watch: its boards, its counts.

import { Board } from "../board/board.js";
import { el } from "../common/dom.js";
import { emptyPosition } from "../board/position.js";
import { Run } from "./run.js";

export const VIEWS = { solved: "Solved so far", actual: "Actual board", start: "Start board" };

export class Pane {
  run = null;
  #wanted = null; // what the run was asked for, as text

  constructor(describe) {
    this.name = el("h2");
    this.counts = el("p.small.soft", {}, "");
    this.boards = {};
    this.figures = {};
    for (const [view, label] of Object.entries(VIEWS)) {
      const stage = el("div");
      this.figures[view] = el("figure", { "data-view": view }, stage, el("figcaption", {}, label));
      this.boards[view] = new Board(stage, { label: `${label}`, theme: "watch", smallest: 12, describe });
    }
    this.element = el("section.pane", {}, el("header", {}, this.name, this.counts), el("div.trio", {}, ...Object.values(this.figures)));
  }

  setAgent(agent) {
    this.agent = agent;
    this.name.textContent = agent;
    for (const [view, board] of Object.entries(this.boards)) board.grid.element.setAttribute("aria-label", `${VIEWS[view]}, ${agent}`);
  }

  /** Show one of the views, or all three of them. */
  setView(view) {
    for (const [name, figure] of Object.entries(this.figures)) {
      figure.hidden = view !== "all" && name !== view;
      figure.querySelector("figcaption").hidden = view !== "all";
    }
  }

  /** An untouched board, before anything is known of the run. */
  clear({ rows, cols, shape }) {
    this.run = null;
    this.#wanted = null;
    for (const board of Object.values(this.boards)) {
      board.setTruth(null);
      board.setIdentified([]);
      board.setMarks({});
      board.setPosition(emptyPosition(rows, cols, shape));
    }
    this.counts.textContent = `${rows * cols} cells hidden`;
  }

  /** Make sure that the run has begun; `load(since)` asks the server for a part of it. The rest comes by itself. */
  async ensure(wanted, load, { came, failed }) {
    if (this.#wanted === wanted && this.run !== null) return;
    const run = new Run(await load(0));
    this.run = run;
    this.#wanted = wanted;
    const { boards } = this;
    boards.actual.setPosition(run.actual());
    boards.actual.setTruth(run.answer.layout);
    boards.start.setPosition(run.positionAfter(0));
    this.#loadRest(run, load, came).catch((error) => this.run === run && failed(error));
  }

  async #loadRest(run, load, came) {
    while (!run.isWhole) {
      const part = await load(run.length);
      if (this.run !== run) return; // somebody chose something else
      run.append(part);
      came();
    }
  }

  /** Forget a run whose rest did not come, so that it is asked for again. */
  forget() {
    this.#wanted = null;
  }

  show(count) {
    if (this.run === null) return;
    const at = Math.min(count, this.run.length);
    const { solved } = this.boards;
    solved.setPosition(this.run.positionAfter(at));
    solved.setIdentified(this.run.identifiedAfter(at));
    const cells = this.run.cellsOf(at);
    solved.setMarks(at < this.run.length || cells.length ? { last: cells.slice(-1) } : {});
    const { nOpen, nExploded, nIdentified } = this.run.countsAfter(at);
    const { length, isWhole } = this.run;
    const result = isWhole && at === length ? ` · ${describeResult(this.run.answer)}` : !isWhole && at === length ? " · thinking …" : "";
    this.counts.textContent = `step ${at} of ${length}${isWhole ? "" : "+"} · ${nOpen} opened, ${nIdentified} identified, ${nExploded} clicked${result}`;
  }
}

export function describeResult({ result }) {
  return typeof result === "string" ? result : String(result ?? "");
}
