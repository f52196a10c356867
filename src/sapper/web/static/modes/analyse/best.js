// The best cell of a position: its chance to win, and the candidates beside it.

import { naming, withCells } from "../../common/coordinates.js";
import { button, cellName, el, icon } from "../../common/dom.js";
import { percent } from "../../common/percent.js";

export const SECONDS = 2; // of games played on
const MOST_LISTED = 8;

const risk = ({ risk: p }) => percent(p, p === 0 || p === 1, p === 0 || p === 1 ? 0 : 1);

/** A chance to win with what a 95 % interval adds; an exact one has none. */
function wins({ p_win: p, error, games }) {
  if (p === null) return "–";
  const isSure = games === 0 && (p === 0 || p === 1);
  return percent(p, isSure, isSure ? 0 : 1) + (error ? ` ± ${(196 * error).toFixed(1)}` : "");
}

/** What a screen reader is told. */
export function bestWords({ cell, certain, candidates }) {
  const chosen = candidates.find((one) => String(one.cell) === String(cell));
  return `Best cell ${cellName(cell)}, ${certain ? "certainly safe" : `risk ${risk(chosen)}`}. Chance to win ${wins(chosen)}.`;
}

/** The body of the card. `explain(cell)` says why a cell is what it is, `close()` takes the card away. */
export function bestBody(found, { explain, close }) {
  const chosen = found.candidates.find((one) => String(one.cell) === String(found.cell));
  const rows = found.candidates.slice(0, MOST_LISTED).map((one) => el("tr", {},
    el("td", {}, el("button.ghost", { type: "button", ...naming(one.cell), onclick: () => explain(one.cell), title: one.reason, "aria-label": `Explain ${cellName(one.cell)}` }, cellName(one.cell))),
    el("td", {}, risk(one)), el("td", {}, wins(one))));
  const more = found.candidates.length - MOST_LISTED;
  return [
    el("header", {}, el("h2", {}, "Best cell"), el("button.ghost", { type: "button", "aria-label": "Close the best cell", onclick: close }, icon("cross"))),
    el(`p.notice.${found.certain ? "good" : "warn"}.row`, {}, icon(found.certain ? "check" : "dice"),
      el("span", {}, el("b", {}, ...withCells(`Open ${cellName(found.cell)}`)), ` · ${found.certain ? "certainly safe" : `risk ${risk(chosen)}`}`)),
    el("dl.numbers", {}, el("div", {}, el("dt", {}, found.exact ? "Chance to win, exactly" : "Chance to win, estimated"), el("dd", {}, wins(chosen)))),
    el("div.table", { tabindex: "0", role: "region", "aria-label": "Candidates" }, el("table", {},
      el("thead", {}, el("tr", {}, ...["Cell", "Risk", "Chance to win"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, ...rows))),
    el("p.small.soft", {}, `${more > 0 ? `And ${more} more. ` : ""}${found.exact
      ? "Few layouts are left, so the chances are those of perfect play."
      : found.candidates.some(({ games }) => games > 0)
        ? "Games are played on from here by least risk, over layouts drawn with their exact chance; ± covers 95 %."
        : "From the opening book."}`),
  ];
}

export function bestButton(act) {
  return button("Best cell", "bolt", { id: "best-cell", onclick: act });
}
