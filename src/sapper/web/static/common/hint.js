// A hint or an explanation as a card, and what it marks on the board.

import { naming, withCells } from "./coordinates.js";
import { button, cellName, el, icon } from "./dom.js";
import { percent } from "./percent.js";
import { lookUp, say } from "../words/index.js";

/** @param {string} name @param {string} label */
export const swatch = (name, label) => el("span", {}, el("i", { class: `swatch ${name}` }), label);

/** What the chances on a board mean. @param {Board} board */
export const chanceLegend = (board) =>
  el(
    "div.legend",
    {},
    swatch("safe", say.chances.certainlySafe),
    swatch("mine", say.chances.certainlyMine),
    el("span", {}, say.chances.least, el("i.ramp"), say.chances.most),
    board.bestGuess < 0 ? null : swatch("best", say.hint.bestGuess),
    board.farChance === null ? null : el("span.far", {}, say.chances.far(percent(board.farChance))),
  );

/** The cells to mark for a hint or an explanation. @param {Explanation & Partial<Hint>} hint */
export function marksOf(hint) {
  /** @type {Marks} */
  const marks = { clue: hint.clues };
  if (hint.verdict) marks[hint.verdict] = [hint.cell];
  else if (hint.best) marks.best = [hint.best.cell];
  return marks;
}

/** @param {Explanation["steps"]} steps */
function stepList(steps) {
  if (!steps.length) return null;
  return el(
    "ol.steps",
    {},
    ...steps.map(({ sentence, depth }) =>
      el("li", { "data-depth": String(Math.min(2, depth)) }, el("span", {}, ...withCells(sentence))),
    ),
  );
}

/** @typedef {NonNullable<Hint["best"]>} BestGuess */

/** What proves that a cell is safe or a mine, or how risky it is: the body of a card. @param {Explanation} hint */
export function explanation(hint) {
  const parts = [];
  if (hint.verdict) {
    const isSafe = hint.verdict === "safe";
    const start = isSafe ? say.hint.isSafe(cellName(hint.cell)) : say.hint.isMine(cellName(hint.cell));
    parts.push(
      el(
        `p.notice.${isSafe ? "good" : "bad"}.row`,
        {},
        icon(isSafe ? "check" : "flag"),
        el(
          "span",
          {},
          el("b", {}, ...withCells(start)),
          ...withCells(hint.because ? ` ${say.hint.because(hint.because)}` : `. ${hint.summary}`),
        ),
      ),
    );
  } else {
    parts.push(el("p", {}, ...withCells(hint.summary)));
  }
  const steps = stepList(hint.steps);
  if (steps) parts.push(steps);
  if (hint.uses_total) parts.push(el("p.small.soft", {}, say.hint.usesTotal));
  return parts;
}

/** The same for a screen reader, in one go. @param {Hint} hint */
export function hintWords(hint) {
  if (hint.certain) return [hint.summary, ...hint.steps.map(({ sentence }) => sentence)].join(" ");
  if (!hint.best) return `${say.hint.guessNeeded} ${hint.summary}`;
  return [say.hint.guessNeeded, bestStart(hint.best, hint.safest), ...hint.details].join(" ");
}

/**
 * The best guess with its risk, its win chance if that is known, and the safest cell if that is another.
 * @param {BestGuess} best
 * @param {Hint["safest"]} safest
 */
function bestStart({ cell, p_mine: risk, p_win: wins }, safest) {
  const parts = [say.hint.best(cellName(cell), percent(risk, false, 1))];
  if (typeof wins === "number") parts.push(say.hint.winChance(percent(wins, false, 1)));
  if (safest && cellName(safest.cell) !== cellName(cell)) {
    parts.push(say.hint.safestCell(cellName(safest.cell), percent(safest.p_mine, false, 1)));
  }
  return parts.join(" ");
}

/**
 * The whole body of a hint.
 * @param {Hint} hint
 * @param {object} acts
 * @param {(action: "open" | "flag", cell: Cell, event: MouseEvent) => void} acts.use carries it out
 * @param {(cell: Cell) => void} acts.show scrolls to a cell
 * @param {((event: MouseEvent) => void) | null} acts.next asks for another
 */
export function hintBody(hint, { use, show, next }) {
  if (hint.certain) {
    const isSafe = hint.verdict === "safe";
    return [
      ...explanation(hint),
      el(
        "div.legend",
        {},
        hint.kind ? el("span", {}, lookUp(say.hint.kinds, hint.kind) ?? hint.kind) : null,
        hint.clues.length ? swatch("clue", say.hint.proves) : null,
        swatch(isSafe ? "safe" : "mine", isSafe ? say.hint.safe : say.hint.mine),
      ),
      el(
        "div.row.uses",
        {},
        button(isSafe ? say.hint.open : say.hint.flag, isSafe ? "check" : "flag", {
          class: "primary",
          onclick: (event) => use(isSafe ? "open" : "flag", hint.cell, event),
        }),
        next ? button(say.hint.next, "bulb", { id: "next-hint", onclick: next }) : null,
      ),
    ];
  }
  /** @type {HTMLElement[]} */
  const parts = [el("p.notice.warn.row", {}, icon("dice"), el("b", {}, say.hint.guessNeeded))];
  const { best } = hint;
  if (best) {
    parts.push(
      el("p", {}, el("b", {}, ...withCells(`${bestStart(best, hint.safest)} `)), ...withCells(hint.details.join(" "))),
      el(
        "div.row.uses",
        {},
        button(say.hint.openBest, "dice", { class: "primary", onclick: (event) => use("open", best.cell, event) }),
        el("span.legend", {}, swatch("best", say.hint.bestGuess)),
      ),
    );
  } else {
    parts.push(el("p", {}, ...withCells(hint.summary)));
  }
  if (hint.candidates.length) {
    parts.push(
      el(
        "div",
        {},
        el("p.label", {}, say.hint.safest),
        el(
          "div.chances",
          {},
          ...hint.candidates.map(({ cell, p_mine: p }) =>
            el(
              "button",
              { type: "button", ...naming(cell), onclick: () => show(cell) },
              el("span", {}, cellName(cell)),
              el("b", {}, percent(p)),
            ),
          ),
        ),
      ),
    );
  }
  return parts;
}
