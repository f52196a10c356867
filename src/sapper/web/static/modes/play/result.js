// How a game ended: the card with its numbers.

import { button, el, icon, toast } from "../../common/dom.js";
import { addressOf } from "../../common/router.js";
import { describeStanding, isBestSpeed } from "./bests.js";
import { resultLine } from "./daily.js";

const TITLES = { won: ["Won", "good", "check"], lost: ["A mine went off", "bad", "flag"], finished: ["Survey finished", "good", "check"] };

const number = (value, places = 0) => (value === null || value === undefined ? "–" : Number(value).toFixed(places));

function figuresOf(state) {
  const metrics = state.metrics ?? {};
  const isWon = state.outcome === "won";
  const figures = [["Time", `${number(state.seconds, 2)} s`]];
  if (isWon && state.seconds > 0) figures.push([isBestSpeed(state) ? "3BV per second, new best" : "3BV per second", number(metrics["3bv"] / state.seconds, 2)]);
  figures.push(["3BV", number(metrics["3bv"])], ["ZiNi", number(metrics.zini)], ["Clicks", number(metrics.clicks)]);
  if (isWon) figures.push(["Efficiency", metrics.efficiency === null || metrics.efficiency === undefined ? "–" : `${number(100 * metrics.efficiency)} %`]);
  figures.push(["Openings", number(metrics.openings)], ["Islands", number(metrics.islands)]);
  // In a classic game marks are the player's own affair.
  if (state.outcome === "finished" && state.score !== null) figures.push(["Mines identified", `${number(100 * state.score)} %`]);
  return figures;
}

/** The line about a daily board, with a button that copies it. */
function dailyLine(line) {
  const field = el("textarea", { readonly: true, rows: "3", "aria-label": "Result to share", id: "daily-line" });
  field.value = line;
  const copy = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(line);
    } catch {
      document.execCommand("copy"); // pages that are not served securely have no clipboard
    }
    toast("Copied.");
  };
  return el("div.daily-line", {}, field, button("Copy", "share", { id: "copy-daily", onclick: copy }));
}

/** @param worth a sentence about a win, or null */
export function resultBody(state, worth, { undo, again, renew }) {
  const [title, kind, name] = TITLES[state.outcome] ?? [state.outcome, "good", "check"];
  const isLost = state.outcome === "lost";
  const standing = describeStanding(state);
  const line = resultLine(state);
  const more = el("div.more", {},
    worth ? el("p", { id: "worth" }, worth) : null,
    standing ? el("p.soft.small", { id: "standing" }, standing) : null,
    line ? dailyLine(line) : null,
    el("dl.numbers", {}, ...figuresOf(state).map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value)))),
    el("div.choices", {},
      isLost ? button("Undo and continue", "undo", { class: "primary", id: "what-if", onclick: undo }) : null,
      button("New board", "new", { class: isLost ? "" : "primary", onclick: renew }),
      button("Same board", "again", { onclick: again }),
      el("a.button", { href: addressOf("review", { game: state.id }), id: "review-this" }, icon("review"), "Review it"),
      el("a.button", { href: addressOf("analyse", { position: state.position }), id: "analyse-this" }, icon("analyse"), "Analyse this position"),
      el("a.button", { href: addressOf("you"), id: "statistics" }, icon("you"), "Statistics")));
  const fold = el("button.ghost.fold", { type: "button", "aria-expanded": "true", "aria-label": "Details of the result" });
  fold.addEventListener("click", () => {
    more.hidden = !more.hidden;
    fold.setAttribute("aria-expanded", String(!more.hidden));
  });
  return [
    el(`div.notice.${kind}.row.outcome`, {}, icon(name),
      el("p", {}, el("b", {}, title), state.played_on ? " · played on, so it counts for nothing" : state.undone ? " · moves were taken back, so it does not count" : ""), fold),
    more,
  ];
}
