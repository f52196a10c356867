// A hint or an explanation as a card, and what it marks on the board.

import { naming, withCells } from "./coordinates.js";
import { button, cellName, el, icon } from "./dom.js";
import { percent } from "./percent.js";
import { say } from "../words/index.js";

export const swatch = (name, label) => el("span", {}, el("i", { class: `swatch ${name}` }), label);

/** What the colours of chances on a board mean. */
export const chanceLegend = () =>
  el(
    "div.legend",
    {},
    swatch("safe", say.chances.certainlySafe),
    swatch("mine", say.chances.certainlyMine),
    el("span", {}, say.chances.least, el("i.ramp"), say.chances.most),
  );

/** The cells to mark for a hint or an explanation. */
export function marksOf(hint) {
  const marks = { clue: hint.clues ?? [] };
  if (hint.verdict && hint.cell) marks[hint.verdict] = [hint.cell];
  else if (hint.best) marks.best = [hint.best.cell];
  return marks;
}

function stepList(steps) {
  if (!steps?.length) return null;
  return el(
    "ol.steps",
    {},
    ...steps.map((step) => {
      const sentence = typeof step === "string" ? step : step.sentence;
      return el("li", { "data-depth": String(Math.min(2, step.depth ?? 0)) }, el("span", {}, ...withCells(sentence)));
    }),
  );
}

const RISK = /^\(\d+, \d+\) is not certain: it is a mine with a chance of [\d.]+\s?%\.\s*/;

/** What there is to say of the best guess beside its cell and its risk, which are said already. */
const reasonOf = (hint) => (hint.best.reason ?? hint.summary ?? "").replace(RISK, "");

/** What proves that a cell is safe or a mine, or how risky it is: the body of a card. */
export function explanation(hint) {
  const parts = [];
  if (hint.verdict) {
    const isSafe = hint.verdict === "safe";
    const start = isSafe ? say.hint.isSafe(cellName(hint.cell)) : say.hint.isMine(cellName(hint.cell));
    const isSaid = hint.summary.startsWith(start);
    parts.push(
      el(
        `p.notice.${isSafe ? "good" : "bad"}.row`,
        {},
        icon(isSafe ? "check" : "flag"),
        el(
          "span",
          {},
          el("b", {}, ...withCells(start)),
          ...withCells(isSaid ? hint.summary.slice(start.length) : `. ${hint.summary}`),
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

/** The same for a screen reader, in one go. */
export function hintWords(hint) {
  if (hint.certain) return [hint.summary, ...(hint.steps ?? []).map((step) => step.sentence ?? step)].join(" ");
  if (!hint.best) return `${say.hint.guessNeeded} ${hint.summary ?? ""}`;
  return `${say.hint.guessNeeded} ${bestStart(hint.best)} ${reasonOf(hint)}`;
}

const bestStart = (best) => say.hint.best(cellName(best.cell), percent(best.p_mine, false, 1));

/**
 * The whole body of a hint.
 * `use(action, cell, event)` carries it out, `show(cell)` scrolls to a cell, `next(event)` asks for another.
 */
export function hintBody(hint, { use, show, next }) {
  if (hint.certain) {
    const isSafe = hint.verdict === "safe";
    return [
      ...explanation(hint),
      el(
        "div.legend",
        {},
        hint.kind ? el("span", {}, say.hint.kinds[hint.kind] ?? hint.kind) : null,
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
  const parts = [el("p.notice.warn.row", {}, icon("dice"), el("b", {}, say.hint.guessNeeded))];
  if (hint.best) {
    parts.push(el("p", {}, el("b", {}, ...withCells(`${bestStart(hint.best)} `)), ...withCells(reasonOf(hint))));
  } else if (hint.summary) {
    parts.push(el("p", {}, ...withCells(hint.summary)));
  }
  if (hint.best) {
    parts.push(
      el(
        "div.row.uses",
        {},
        button(say.hint.openBest, "dice", { class: "primary", onclick: (event) => use("open", hint.best.cell, event) }),
        el("span.legend", {}, swatch("best", say.hint.bestGuess)),
      ),
    );
  }
  if (hint.candidates?.length) {
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
