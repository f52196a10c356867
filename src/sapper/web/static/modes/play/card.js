// This game: what it is, a link to it, files of it, and the games before it.

import { api } from "../../common/api.js";
import { button, el, icon } from "../../common/dom.js";
import { describeRules } from "../../rules/text.js";
import { openShare } from "./share.js";

const OUTCOMES = { won: "Won", lost: "Lost", finished: "Finished", playing: "Playing" };
const FORMATS = { text: "Position (text)", record: "Record", mbf: ".mbf", ptta: "PTTA", layout: "Layout" };
const MOST_LISTED = 12;

export class GameCard {
  #state = null;

  constructor({ resume, fail }) {
    this.resume = resume;
    this.fail = fail;
    this.about = el("p.soft.small", {}, "");
    this.onward = el("p.soft.small", { id: "played-on", hidden: true }, "Played on from another game or a position, so it counts for nothing.");
    this.downloads = Object.entries(FORMATS).map(([format, label]) =>
      el("a.button", { "data-format": format, download: "" }, icon("download"), label));
    this.note = el("p.small.soft", {}, "Files with the mines are available once the game is over.");
    this.recent = el("ul.list", {});
    const details = el("details", { ontoggle: () => details.open && this.#listRecent() },
      el("summary", {}, "Recent games"), el("div.inside", {}, this.recent));
    this.element = el("section.card", { "aria-label": "This game" },
      el("h2", {}, "This game"), this.about, this.onward,
      button("Share link", "share", { onclick: () => this.#share() }),
      el("div", {},
        el("details", {}, el("summary", {}, "Download"), el("div.inside", {}, el("div.row", {}, ...this.downloads), this.note)),
        details));
  }

  show(state) {
    this.#state = state;
    const hasSeed = state.seed !== null && state.seed !== undefined;
    this.about.textContent = describeRules(state.rules) + (state.no_guess ? ", no guessing" : "") + (hasSeed ? `, seed ${state.seed}` : "");
    for (const link of this.downloads) {
      const { format } = link.dataset;
      const isThere = format === "text" || state.over;
      if (isThere) link.href = api.downloadPath(state.id, format);
      else link.removeAttribute("href");
      link.hidden = !isThere;
    }
    this.note.hidden = state.over;
    this.onward.hidden = !state.played_on;
  }

  async #share() {
    try {
      await openShare(this.#state);
    } catch (error) {
      this.fail(error.message);
    }
  }

  async #listRecent() {
    try {
      const games = await api.games();
      this.recent.replaceChildren(...games.slice(0, MOST_LISTED).map((game) => el("li", {},
        el("button", { type: "button", onclick: () => this.resume(game.id) },
          el("span", {}, describeRules(game.rules)), el("span.soft.small", {}, `${OUTCOMES[game.outcome] ?? game.outcome}, ${game.moves} ${game.moves === 1 ? "move" : "moves"}`)))));
      if (!games.length) this.recent.replaceChildren(el("li.soft", {}, "No games yet."));
    } catch (error) {
      this.recent.replaceChildren(el("li.soft", {}, error.message));
    }
  }
}
