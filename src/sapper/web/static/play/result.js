// How a game ended: the card with its numbers.

import { button, el, icon } from "../common/dom.js";
import { addressOf } from "../common/router.js";

const TITLES = { won: ["Won", "good"], lost: ["A mine went off", "bad"], finished: ["Survey finished", "good"] };

const number = (value, places = 0) => (value === null || value === undefined ? "–" : Number(value).toFixed(places));

export function resultBody(state, { undo, again, renew }) {
  const [title, kind] = TITLES[state.outcome] ?? [state.outcome, "good"];
  const metrics = state.metrics ?? {};
  const figures = [
    ["Time", `${number(state.seconds, 1)} s`],
    ["3BV", number(metrics.bbbv)],
    ["ZiNi", number(metrics.zini)],
    ["Clicks", number(metrics.clicks)],
  ];
  if (state.outcome === "won") {
    figures.push(["Efficiency", metrics.efficiency === null || metrics.efficiency === undefined ? "–" : `${number(100 * metrics.efficiency)} %`]);
    if (state.seconds > 0) figures.push(["3BV per second", number(metrics.bbbv / state.seconds, 2)]);
  }
  figures.push(["Openings", number(metrics.openings)], ["Islands", number(metrics.islands)]);
  // In a classic game marks are the player's own affair.
  if (state.outcome === "finished" && state.score !== null) figures.push(["Mines identified", `${number(100 * state.score)} %`]);
  const isLost = state.outcome === "lost";
  return [
    el(`p.notice.${kind}`, {}, el("b", {}, title), state.undone ? " · moves were taken back, so it does not count" : ""),
    el("dl.numbers", {}, ...figures.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
    el("div.choices", {},
      isLost ? button("What if: take it back", "undo", { class: "primary", id: "what-if", onclick: undo }) : null,
      button("New board", "new", { class: isLost ? "" : "primary", onclick: renew }),
      button("Same board", "again", { onclick: again }),
      el("a.button", { href: addressOf("review", { game: state.id }), id: "review-this" }, icon("review"), "Review it")),
  ];
}
