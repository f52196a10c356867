// The boards of the day: three buttons, each with how it went.

import { api } from "../../common/api.js";
import { el } from "../../common/dom.js";
import { addressOf } from "../../common/router.js";

const LEVELS = { beginner: "Beginner", intermediate: "Intermediate", expert: "Expert" };
const PAUSE = 1000; // milliseconds after midnight, before the new boards are looked at

function stateOf({ state, seconds, assisted }) {
  if (state === "solved") return assisted ? "with help" : `✓ ${seconds.toFixed(1)} s`;
  return { open: "open", playing: "begun", failed: "✗ failed" }[state] ?? state;
}

/** The line to send to friends, or null where there is nothing to tell. */
export function resultLine({ daily, outcome, seconds, metrics, undone, result }) {
  if (!daily || !result || undone) return null;
  const [day, level] = daily.split(" ");
  const help = result.counts ? "" : " (with help)";
  if (outcome !== "won") return `Sapper daily ${day}, ${level}: hit a mine after ${seconds.toFixed(1)} s${help}`;
  return `Sapper daily ${day}, ${level}: solved in ${seconds.toFixed(1)} s, 3BV/s ${(metrics["3bv"] / seconds).toFixed(2)}${help}`;
}

export class DailyCard {
  #shown = null; // name and outcome of the daily board that was looked at last
  #timer = 0;

  constructor() {
    this.buttons = Object.entries(LEVELS).map(([level, label]) =>
      el("a.button", { href: addressOf("play", { daily: level }), "data-level": level }, el("span", {}, label), el("span.state", {}, "…")));
    this.about = el("p.soft.small", {}, "The same for everybody today. No guessing needed; the first try counts.");
    this.element = el("section.card.daily", { "aria-label": "Daily boards" }, el("h2", {}, "Daily boards"), el("div.choices", {}, ...this.buttons), this.about);
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
      button.href = one.state === "playing" ? addressOf("play", { game: one.game }) : addressOf("play", { daily: one.level });
    }
    if (told.streak > 0) {
      this.about.textContent = told.streak === 1 ? "You have solved a daily board on 1 day in a row. The first try counts."
        : `You have solved a daily board on ${told.streak} days in a row. The first try counts.`;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.load(), 1000 * told.seconds_left + PAUSE);
  }
}
