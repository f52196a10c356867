// The boards of the day: three buttons, each with how it went.

import { api } from "../../common/api.js";
import { el } from "../../common/dom.js";
import { addressOf } from "../../common/router.js";
import { say } from "../../words/index.js";

const PAUSE = 1000; // milliseconds after midnight, before the new boards are looked at

function stateOf({ state, seconds, assisted }) {
  if (state === "solved")
    return assisted ? say.daily.solvedWithHelp : say.daily.solved(say.common.seconds(seconds.toFixed(1)));
  return say.daily.states[state] ?? state;
}

/** The line to send to friends, or null where there is nothing to tell. */
export function resultLine({ daily, outcome, seconds, metrics, undone, result }) {
  if (!daily || !result || undone) return null;
  const [day, level] = daily.split(" ");
  const time = say.common.seconds(seconds.toFixed(1));
  if (outcome !== "won")
    return result.counts ? say.daily.lineLost(day, level, time) : say.daily.lineLostWithHelp(day, level, time);
  const speed = (metrics["3bv"] / seconds).toFixed(2);
  return result.counts
    ? say.daily.lineWon(day, level, time, speed)
    : say.daily.lineWonWithHelp(day, level, time, speed);
}

export class DailyCard {
  #shown = null; // name and outcome of the daily board that was looked at last
  #timer = 0;

  constructor() {
    this.buttons = Object.entries(say.common.levels).map(([level, label]) =>
      el(
        "a.button",
        { href: addressOf("play", { daily: level }), "data-level": level },
        el("span", {}, label),
        el("span.state", {}, "…"),
      ),
    );
    this.about = el("p.soft.small", {}, say.daily.about);
    this.element = el(
      "section.card.daily",
      { "aria-label": say.daily.title },
      el("h2", {}, say.daily.title),
      el("div.choices", {}, ...this.buttons),
      this.about,
    );
    this.load();
  }

  /** A game is shown or has ended: look again if it is one of the boards of a day. */
  changed({ daily, over }) {
    const shown = daily ? `${daily} ${over}` : null;
    if (shown !== null && shown !== this.#shown) this.load();
    this.#shown = shown;
  }

  async load() {
    let told;
    try {
      told = await api.daily();
    } catch {
      return; // the page says by itself that the server is away
    }
    for (const one of told.levels) {
      const button = this.buttons.find(({ dataset }) => dataset.level === one.level);
      button.dataset.state = one.state;
      button.lastChild.textContent = stateOf(one);
      button.href =
        one.state === "playing" ? addressOf("play", { game: one.game }) : addressOf("play", { daily: one.level });
    }
    if (told.streak > 0) this.about.textContent = say.daily.streak(told.streak);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.load(), 1000 * told.seconds_left + PAUSE);
  }
}
