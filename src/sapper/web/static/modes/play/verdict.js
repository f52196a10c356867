// The verdict on the move that lost a game: a mistake with its proof, a better guess, or bad luck.

import { api } from "../../common/api.js";
import { withCells } from "../../common/coordinates.js";
import { announce, cellName, el, icon } from "../../common/dom.js";
import { percent } from "../../common/percent.js";
import { say } from "../../words/index.js";

/** How safe a cell was, from its risk. @param {number} risk */
const safety = (risk) => percent(1 - risk);

/** The verdict in a sentence; empty if it is not known. @param {LastMove} last */
export function verdictWords({
  verdict,
  p_mine: risk,
  p_win: wins,
  is_best: isBest,
  is_safest: isSafest,
  instead,
  proof,
}) {
  if (risk === null) return "";
  if (verdict === "unlucky") {
    if (isBest) return say.verdict.bestGuess(safety(risk));
    return (isSafest ? say.verdict.safestGuess : say.verdict.fairGuess)(safety(risk));
  }
  if (proof !== null) {
    const cell = cellName(proof.cell);
    if (proof.verdict === "mine") return say.verdict.wasMine(cell, proof.because);
    return (verdict === "mistake" ? say.verdict.wasSafe : say.verdict.riskWhileSafe)(cell, proof.because);
  }
  if (instead === null) return "";
  const cell = cellName(instead.cell);
  if (verdict === "mistake" && wins !== null && instead.p_win !== null) {
    return say.verdict.betterGuess(cell, percent(instead.p_win, false, 1), percent(wins, false, 1));
  }
  return say.verdict.saferGuess(cell, safety(instead.p_mine), safety(risk));
}

/** The cells to mark on the board. @param {LastMove} last @returns {Marks} */
export function verdictMarks({ verdict, instead, proof }) {
  if (verdict === "unlucky") return {};
  if (proof?.verdict) return { clue: proof.clues, [proof.verdict]: [proof.cell] };
  return instead === null ? {} : { best: [instead.cell] };
}

export class LastMoveVerdict {
  #id = ""; // of the game that was asked about, with the number of its moves

  /** @param {Board} board @param {import("./panel.js").Panel} panel */
  constructor(board, panel) {
    this.board = board;
    this.panel = panel;
    this.element = el("p.notice.row", { id: "last-move", hidden: true });
  }

  /** Ask about a game that is lost; take the verdict on another one away. @param {GameState} state */
  async show(state) {
    const id = state.outcome === "lost" ? `${state.id} ${state.moves}` : "";
    if (id === this.#id) return;
    if (!this.element.hidden) {
      this.board.setMarks({});
      this.board.rule(false);
    }
    this.element.hidden = true;
    this.#id = id;
    if (!id) return;
    let last;
    try {
      last = await api.lastMove(state.id);
    } catch {
      return; // the review will say what is wrong
    }
    const words = verdictWords(last);
    if (id !== this.#id || !words) return;
    const isUnlucky = last.verdict === "unlucky";
    this.element.classList.toggle("warn", !isUnlucky);
    this.element.replaceChildren(icon(isUnlucky ? "dice" : "bulb"), el("span", {}, ...withCells(words)));
    this.element.hidden = false;
    this.board.rule(true);
    this.#light(verdictMarks(last));
    announce(words);
  }

  /** Mark cells on the board, and show them: the lowest is the first that a sheet would cover. @param {Marks} marks */
  #light(marks) {
    this.board.setMarks(marks);
    const [lowest] = Object.values(marks)
      .flatMap((cells) => cells ?? [])
      .sort(([a], [b]) => b - a);
    if (!lowest) return;
    this.board.reveal(...lowest);
    this.panel.uncover(this.board.placeOf(...lowest));
  }
}
