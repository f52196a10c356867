// The best cell of a position: its chance to win, and the candidates beside it.

import { naming, withCells } from "../../common/coordinates.js";
import { button, cellName, el, icon } from "../../common/dom.js";
import { percent } from "../../common/percent.js";
import { say } from "../../words/index.js";

export const SECONDS = 2; // of rollouts
const MOST_LISTED = 8;
const CLEARLY = 2.5; // standard errors

/** @param {Candidate} candidate */
const risk = ({ risk: p }) => percent(p, p === 0 || p === 1, p === 0 || p === 1 ? 0 : 1);

/** A chance to win with what a 95 % interval adds; an exact one has none. @param {Candidate} candidate */
function wins({ p_win: p, error, games }) {
  if (p === null) return say.common.none;
  const isSure = games === 0 && (p === 0 || p === 1);
  const chance = percent(p, isSure, isSure ? 0 : 1);
  return error ? say.analyse.winsWithin(chance, (196 * error).toFixed(1)) : chance;
}

/** @param {Candidate} chosen @param {boolean} certain */
const riskOf = (chosen, certain) => (certain ? say.analyse.certainlySafe : say.analyse.risk(risk(chosen)));

/** The candidate that is the best cell; the best comes first. @param {Best} best */
const chosenOf = ({ cell, candidates }) => candidates.find((one) => String(one.cell) === String(cell)) ?? candidates[0];

/** What a screen reader says. @param {Best} best */
export function bestWords(best) {
  const chosen = chosenOf(best);
  return say.analyse.saidBest(cellName(best.cell), riskOf(chosen, best.certain), wins(chosen));
}

/** Where the chances to win come from. @param {Best} best */
function sourceOf(best) {
  const { exact, candidates } = best;
  if (exact) return say.analyse.byPerfectPlay;
  if (candidates.every(({ games }) => games === 0)) return say.analyse.byBook;
  const [first, chosen] = [candidates[0], chosenOf(best)];
  const isAhead = (first.p_win ?? 0) - (chosen.p_win ?? 0) > CLEARLY * Math.hypot(first.error, chosen.error);
  return [say.analyse.byGames, isAhead ? say.analyse.looksAhead(cellName(first.cell)) : ""].join(" ").trim();
}

/**
 * The body of the card. `explain(cell)` says why a cell is what it is, `close()` takes the card away.
 * @param {Best} found
 * @param {{ explain: (cell: Cell) => void, close: () => void }} acts
 */
export function bestBody(found, { explain, close }) {
  const chosen = chosenOf(found);
  const listed = [chosen, ...found.candidates.filter((one) => one !== chosen)];
  const rows = listed.slice(0, MOST_LISTED).map((one) =>
    el(
      "tr",
      {},
      el(
        "td",
        {},
        el(
          "button.ghost",
          {
            type: "button",
            ...naming(one.cell),
            onclick: () => explain(one.cell),
            title: one.reason,
            "aria-label": say.analyse.explainCell(cellName(one.cell)),
          },
          cellName(one.cell),
        ),
      ),
      el("td", {}, risk(one)),
      el("td", {}, wins(one)),
    ),
  );
  const more = found.candidates.length - MOST_LISTED;
  return [
    el(
      "header",
      {},
      el("h2", {}, say.analyse.bestCell),
      el("button.ghost", { type: "button", "aria-label": say.analyse.closeBest, onclick: close }, icon("cross")),
    ),
    el(
      `p.notice.${found.certain ? "good" : "warn"}.row`,
      {},
      icon(found.certain ? "check" : "dice"),
      el(
        "span",
        {},
        el("b", {}, ...withCells(say.analyse.open(cellName(found.cell)))),
        ` · ${riskOf(chosen, found.certain)}`,
      ),
    ),
    el(
      "dl.numbers",
      {},
      el(
        "div",
        {},
        el("dt", {}, found.exact ? say.analyse.winsExactly : say.analyse.winsEstimated),
        el("dd", {}, wins(chosen)),
      ),
    ),
    el(
      "div.table",
      { tabindex: "0", role: "region", "aria-label": say.analyse.candidates },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...say.analyse.columns.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, ...rows),
      ),
    ),
    el("p.small.soft", {}, [...(more > 0 ? [say.analyse.moreCandidates(more)] : []), sourceOf(found)].join(" ")),
  ];
}

/** @param {(made: HTMLButtonElement) => void} act */
export function bestButton(act) {
  const made = button(say.analyse.bestCell, "bolt", { id: "best-cell" });
  made.addEventListener("click", () => act(made));
  return made;
}
