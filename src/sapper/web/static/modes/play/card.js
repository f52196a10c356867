// This game: what it is, a link to it, files of it, and the games before it.

import { api, messageOf } from "../../common/api.js";
import { button, el, icon } from "../../common/dom.js";
import { addressOf } from "../../common/router.js";
import { describeRules, parseRules } from "../../rules/text.js";
import { describeGuesses } from "./result.js";
import { openShare } from "./share.js";
import { say } from "../../words/index.js";

const MOST_LISTED = 12;

// Other programs' files cannot name a board of another shape.
const SQUARE_ONLY = ["mbf", "ptta", "layout"];

export class GameCard {
  /** @type {GameState | null} */
  #state = null;

  /** @param {{ resume: (id: string) => void, fail: (sentence: string) => void }} acts */
  constructor({ resume, fail }) {
    this.resume = resume;
    this.fail = fail;
    this.about = el("p.soft.small", {}, "");
    this.guesses = el("p.soft.small", { id: "guesses-so-far", hidden: true }, "");
    this.continued = el("p.soft.small", { id: "played-on", hidden: true }, say.game.playedOn);
    this.downloads = Object.entries(say.game.formats).map(([format, label]) =>
      el("a.button", { "data-format": format, download: "" }, icon("download"), label),
    );
    this.note = el("p.small.soft", {}, say.game.filesLater);
    this.recent = el("ul.list", {});
    const details = el(
      "details",
      {
        ontoggle: () => {
          details.open && this.#listRecent();
        },
      },
      el("summary", {}, say.game.recent),
      el("div.inside", {}, this.recent),
    );
    this.element = el(
      "section.card",
      { "aria-label": say.game.title },
      el("h2", {}, say.game.title),
      this.about,
      this.guesses,
      this.continued,
      button(say.game.share, "share", { onclick: () => this.#share() }),
      (this.analyse = button(say.game.analyse, "analyse", {
        id: "analyse-now",
        title: say.game.analyseTitle,
        onclick: () => this.#analyse(),
      })),
      el(
        "div",
        {},
        el(
          "details",
          {},
          el("summary", {}, say.game.advanced),
          el("div.inside", {}, el("p.label", {}, say.game.downloads), el("div.row", {}, ...this.downloads), this.note),
        ),
        details,
      ),
    );
  }

  /** @param {GameState} state */
  show(state) {
    this.#state = state;
    const parts = [describeRules(state.rules)];
    if (state.no_guess) parts.push(say.rules.noGuessPart);
    if (state.seed !== undefined) parts.push(say.rules.seedPart(state.seed));
    this.about.textContent = parts.join(", ");
    // When it is over, the card of the result says it.
    this.guesses.textContent = state.over ? "" : describeGuesses(state);
    this.guesses.hidden = !this.guesses.textContent;
    const isSquare = (parseRules(state.rules)?.shape ?? "square") === "square";
    for (const link of this.downloads) {
      const { format = "" } = link.dataset;
      const isThere = format === "text" || (state.over && (isSquare || !SQUARE_ONLY.includes(format)));
      if (isThere) link.href = api.downloadPath(state.id, format);
      else link.removeAttribute("href");
      link.hidden = !isThere;
    }
    this.note.hidden = state.over;
    this.analyse.hidden = state.over || state.moves === 0;
    this.continued.hidden = !state.played_on;
  }

  /** Look at the position that is on the board; Back leads to the game again. */
  async #analyse() {
    if (this.#state === null) return;
    try {
      const { position } = await api.analysis(this.#state.id);
      location.hash = addressOf("analyse", { position });
    } catch (error) {
      this.fail(messageOf(error));
    }
  }

  async #share() {
    try {
      await openShare(this.#state);
    } catch (error) {
      this.fail(messageOf(error));
    }
  }

  async #listRecent() {
    try {
      const games = await api.games();
      this.recent.replaceChildren(
        ...games
          .slice(0, MOST_LISTED)
          .map((game) =>
            el(
              "li",
              {},
              el(
                "button",
                { type: "button", onclick: () => this.resume(game.id) },
                el("span", {}, describeRules(game.rules)),
                el("span.soft.small", {}, say.game.line(say.game.outcomes[game.outcome], game.moves)),
              ),
            ),
          ),
      );
      if (!games.length) this.recent.replaceChildren(el("li.soft", {}, say.game.noGames));
    } catch (error) {
      this.recent.replaceChildren(el("li.soft", {}, messageOf(error)));
    }
  }
}
