// The boards of the day: three buttons, each with how it went.

import { api } from "../../../common/api.js";
import { el } from "../../../common/dom.js";
import { addressOf } from "../../../common/router.js";
import { say } from "../../../words/index.js";

const PAUSE = 1000; // milliseconds after midnight, before the new boards are looked at

/** @param {Daily["levels"][number]} level */
function stateOf({ state, seconds, assisted }) {
  if (state === "solved") {
    return assisted ? say.daily.solvedWithHelp : say.daily.solved(say.common.seconds((seconds ?? 0).toFixed(1)));
  }
  return say.daily.states[state];
}

export class DailyCard {
  /** @type {string | null} */
  #shown = null; // name and outcome of the daily board that was looked at last
  #timer = 0;

  constructor() {
    this.buttons = Object.entries(say.common.levels).map(([level, label]) => {
      const state = el("span.state", {}, "…");
      const link = el(
        "a.button",
        { href: addressOf("play", { daily: level }), "data-level": level },
        el("span", {}, label),
        state,
      );
      return { level, state, link };
    });
    this.streak = el("p", { id: "daily-streak", hidden: true }, "");
    this.element = el(
      "section.card.daily",
      { "aria-label": say.daily.title },
      el("h2", {}, say.daily.title),
      el("div.choices", {}, ...this.buttons.map(({ link }) => link)),
      this.streak,
      el("p.soft.small", {}, say.daily.about),
    );
    this.load();
  }

  /** A game is shown or has ended: look again if it is one of the boards of a day. @param {GameState} state */
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
      const button = this.buttons.find(({ level }) => level === one.level);
      if (button === undefined) continue;
      button.link.dataset.state = one.state;
      button.state.textContent = stateOf(one);
      button.link.href =
        one.state === "playing" ? addressOf("play", { game: one.game }) : addressOf("play", { daily: one.level });
    }
    this.streak.hidden = told.streak === 0;
    this.streak.textContent = say.daily.streak(told.streak);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.load(), 1000 * told.seconds_left + PAUSE);
  }
}
