// How a game ended: the card with its numbers.

import { button, el, icon } from "../../common/dom.js";
import { addressOf } from "../../common/router.js";
import { describeStanding, isBestSpeed } from "./kept/bests.js";
import { dailyEnd } from "./daily/result.js";
import { entriesOf, lookUp, say } from "../../words/index.js";

/** @type {Record<string, [mood: string, icon: string]>} */
const LOOKS = { won: ["good", "check"], lost: ["bad", "warn"], finished: ["good", "check"] };

/** @param {number | null | undefined} value @param {number} places */
const number = (value, places = 0) =>
  value === null || value === undefined ? say.common.none : Number(value).toFixed(places);

/** @param {GameState} state */
function figuresOf(state) {
  const { metrics } = state;
  const isWon = state.outcome === "won";
  /** @type {[label: string, value: string][]} */
  const figures = [[say.result.time, say.common.seconds(number(state.seconds, 2))]];
  if (isWon && state.seconds > 0) {
    figures.push([
      isBestSpeed(state) ? say.result.bestSpeed : say.result.speed,
      number(metrics ? metrics["3bv"] / state.seconds : null, 2),
    ]);
  }
  figures.push([say.result.bbbv, number(metrics?.["3bv"])]);
  if (metrics?.zini !== null) figures.push([say.result.zini, number(metrics?.zini)]);
  figures.push([say.result.clicks, number(metrics?.clicks)]);
  const efficiency = metrics?.efficiency ?? null;
  if (isWon) {
    figures.push([
      say.result.efficiency,
      efficiency === null ? say.common.none : say.common.percent(number(100 * efficiency)),
    ]);
  }
  figures.push([say.result.openings, number(metrics?.openings)], [say.result.islands, number(metrics?.islands)]);
  // In a classic game marks are the player's own affair.
  if (state.outcome === "finished" && state.score !== null) {
    figures.push([say.result.identified, say.common.percent(number(100 * state.score))]);
  }
  return figures;
}

/**
 * @param {GameState} state
 * @param {string | null} worth a sentence about a win
 * @param {{ tryAgain: () => void, again: () => void, renew: () => void }} acts
 * @param {HTMLElement | null} verdict on the last move of a lost game
 */
export function resultBody(state, worth, { tryAgain, again, renew }, verdict = null) {
  const [kind, name] = LOOKS[state.outcome] ?? LOOKS.finished;
  const note = state.played_on ? say.result.playedOn : state.undone ? say.result.undone : null;
  const isLost = state.outcome === "lost";
  const isDaily = Boolean(state.daily ?? state.practice);
  const standing = describeStanding(state);
  const guesses = describeGuesses(state);
  const figures = el(
    "dl.numbers",
    {},
    ...figuresOf(state).map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value))),
  );
  const more = el(
    "div.more",
    {},
    worth ? el("p", { id: "worth" }, worth) : null,
    guesses ? el("p", { id: "guesses" }, guesses) : null,
    standing ? el("p.soft.small", { id: "standing" }, standing) : null,
    isDaily ? dailyEnd(state) : null,
    // After a loss, what to learn from it comes first, and after a board of the day, how others did.
    isLost || isDaily ? null : figures,
    el(
      "div.choices",
      {},
      isLost
        ? button(say.result.tryAgain, "undo", {
            class: "primary",
            id: "try-again",
            title: say.result.tryAgainTitle,
            onclick: tryAgain,
          })
        : null,
      button(say.play.newBoard, "new", { class: isLost ? "" : "primary", onclick: renew }),
      button(say.play.sameBoard, "again", { onclick: again }),
      el(
        "a.button",
        { href: addressOf("review", { game: state.id }), id: "review-this" },
        icon("review"),
        say.result.review,
      ),
      el(
        "a.button",
        { href: addressOf("analyse", { position: state.position }), id: "analyse-this" },
        icon("analyse"),
        say.result.analyse,
      ),
      el("a.button", { href: addressOf("you"), id: "statistics" }, icon("you"), say.result.statistics),
    ),
    isLost || isDaily
      ? el("details", { id: "figures" }, el("summary", {}, say.result.figures), el("div.inside", {}, figures))
      : null,
  );
  const fold = el("button.ghost.fold", { type: "button", "aria-expanded": "true", "aria-label": say.result.details });
  fold.addEventListener("click", () => {
    more.hidden = !more.hidden;
    fold.setAttribute("aria-expanded", String(!more.hidden));
  });
  return [
    el(
      `div.notice.${kind}.row.outcome`,
      {},
      icon(name),
      el(
        "p",
        {},
        el("b", {}, lookUp(say.result.outcomes, state.outcome) ?? state.outcome),
        note === null ? "" : ` · ${note}`,
      ),
      fold,
    ),
    ...(verdict === null ? [] : [verdict]),
    more,
  ];
}

/** Sentences about the guesses of a game; empty where its mines are laid beforehand. @param {GameState} state */
export function describeGuesses(state) {
  if (!state.guesses) return "";
  const { unforced } = state.guesses;
  const isLastUnforced = unforced.survived < unforced.made; // on a kind board it survives
  const parts = entriesOf(state.guesses)
    .filter(([kind, { made }]) => made > (kind === "unforced" && isLastUnforced ? 1 : 0))
    .map(([kind, { made, survived }]) => say.guesses.counts[kind](survived, made));
  if (isLastUnforced) parts.push(say.guesses.notForced);
  if (!parts.length) parts.push(state.over ? say.guesses.none : say.guesses.noneYet);
  return parts.join(" ");
}
