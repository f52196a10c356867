// The answer about a position: what is certain, what can be done with it, or which clues disagree.

import { bodyOf, messageOf } from "../../common/api.js";
import { bestButton } from "./best.js";
import { naming, withCells } from "../../common/coordinates.js";
import { button, cellName, el } from "../../common/dom.js";
import { chanceLegend } from "../../common/hint.js";
import { percent } from "../../common/percent.js";
import { isClosed } from "../../board/cells/position.js";
import { describeChannel, describeShape } from "../../rules/text.js";
import { say } from "../../words/index.js";

const MOST_LISTED = 12;

/**
 * The body of the card: figures, the safest cells, and what can be done with the position.
 * @param {Analysis} answer
 * @param {Board} board
 * @param {object} on
 * @param {(cell: Cell) => void} on.explain
 * @param {(made: HTMLButtonElement) => void} on.findBest
 * @param {(made: HTMLButtonElement) => void} on.playOn
 */
export function answerBody(answer, board, on) {
  const { best, safe } = answer;
  const isOver = !board.position.cells.some(isClosed);
  const figures = [
    [say.analyse.layouts, describeLayouts(answer)],
    [say.analyse.safeCells, String(safe.length)],
    [say.analyse.certainMines, String(answer.mines.length)],
  ];
  const listed = safe.length ? say.analyse.safeListed : say.analyse.riskListed;
  const playOn = button(say.analyse.playOn, "play", { id: "play-on", title: say.analyse.playOnTitle });
  playOn.addEventListener("click", () => on.playOn(playOn));
  return [
    el("h2", {}, isOver ? say.analyse.allOpen : safe.length ? say.analyse.safeThere : say.analyse.guess),
    el("dl.numbers", {}, ...figures.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
    best.length
      ? el(
          "div",
          {},
          el("p.label", {}, listed(Math.min(MOST_LISTED, best.length), best.length)),
          el("div.chances", {}, ...best.slice(0, MOST_LISTED).map((cell) => cellButton(cell, board, on.explain))),
        )
      : "",
    isOver ? "" : el("div.row", {}, bestButton(on.findBest), playOn),
    chanceLegend(board),
  ];
}

/** @param {Cell} cell @param {Board} board @param {(cell: Cell) => void} explain */
function cellButton(cell, board, explain) {
  const chance = board.chanceAt(...cell);
  const isSafe = chance?.certain && chance.p === 0;
  return el(
    "button",
    { type: "button", ...naming(cell), onclick: () => explain(cell) },
    el("span", {}, cellName(cell)),
    el("b", {}, chance === null ? "" : isSafe ? say.analyse.safe : percent(chance.p, chance.certain)),
  );
}

/** The body of the card where there is no answer. @param {unknown} error @param {Board} board */
export function refusalBody(error, board) {
  const { clues = [], total = false } = bodyOf(error);
  const named = clues.map((cell) => say.analyse.clueAt(String(board.codeAt(...cell)), cellName(cell)));
  return [
    el("h2", {}, clues.length || total ? say.analyse.impossible : say.analyse.failed),
    el("p.notice.bad", { role: "alert" }, ...withCells(messageOf(error))),
    clues.length ? el("p.small.soft", {}, ...withCells(describeConflict(named, total))) : "",
  ];
}

/** Which clues, in words, cannot hold together. @param {string[]} clues @param {boolean} isTotal */
function describeConflict(clues, isTotal) {
  if (clues.length === 1 && !isTotal) return say.analyse.outlined;
  return say.analyse.disagree([...clues, ...(isTotal ? [say.analyse.total] : [])].join(", "));
}

/** What the cells do not show: the mines, which cells touch, and how clues are shown. @param {Position} position */
export function describePosition({ total, shape, channel }) {
  const mines = total === null ? say.analyse.totalUnknown : say.rules.mines(total);
  return [mines, ...describeShape(shape), ...(channel === null ? [] : describeChannel(channel))].join(", ");
}

/** The number of layouts, exactly if it is known, else by its size. @param {Analysis} answer */
function describeLayouts({ layouts, log_layouts: log }) {
  if (layouts !== null) return layouts.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  if (log === null) return say.common.none;
  const tens = log / Math.LN10;
  const exponent = Math.floor(tens);
  const digits = String(exponent).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]);
  return `≈\u00a0${(10 ** (tens - exponent)).toFixed(1)}·10${digits}`;
}
