// The card that opens a game: one of the player's, a file or pasted text.

import { api, messageOf } from "../../common/api.js";
import { button, el, toast } from "../../common/dom.js";
import { SUFFIXES, readGameFile } from "./files.js";
import { describeRules } from "../../rules/text.js";
import { say } from "../../words/index.js";

const MOST_LISTED = 6;

export class OpeningCard {
  /** `open(what)` opens anything that the server can review. @param {(what: Reviewed) => Promise<void>} open */
  constructor(open) {
    this.open = open;
    this.file = el("input", {
      type: "file",
      accept: `.record,.txt,.rawvf,${SUFFIXES.join(",")},text/plain`,
      "aria-label": say.review.fileLabel,
      onchange: () => {
        this.#read(this.file.files?.[0]);
      },
    });
    this.text = el("textarea.mono", {
      rows: "4",
      spellcheck: "false",
      "aria-label": say.review.recordText,
      placeholder: "Sapper-Record: 1\nRules: 9x9/10\n…",
    });
    this.games = el("ul.list");
    this.element = el(
      "section.card.drop",
      { "aria-label": say.review.openGame },
      el("h2", {}, say.review.openGame),
      el("p.label", {}, say.review.yourGames),
      this.games,
      el("label.field", {}, el("span", {}, say.review.file(SUFFIXES.join(" "))), this.file),
      el("label.field", {}, el("span", {}, say.review.orPaste), this.text),
      el(
        "div.row",
        {},
        button(say.review.review, "open", { class: "primary", id: "review-text", onclick: () => this.#paste() }),
      ),
    );
    this.element.addEventListener("dragover", (event) => {
      event.preventDefault();
      this.element.classList.add("over");
    });
    this.element.addEventListener("dragleave", () => this.element.classList.remove("over"));
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      this.element.classList.remove("over");
      this.#read(event.dataTransfer?.files[0]);
    });
  }

  /** Bring the list of finished games up to date. */
  async refresh() {
    try {
      const games = (await api.games()).filter((game) => game.outcome !== "playing").slice(0, MOST_LISTED);
      this.games.replaceChildren(
        ...games.map((game) =>
          el(
            "li",
            {},
            el(
              "button",
              { type: "button", onclick: () => this.open({ game: game.id }) },
              el("span", {}, describeRules(game.rules)),
              el("span.soft.small", {}, say.game.line(say.game.outcomes[game.outcome], game.moves)),
            ),
          ),
        ),
      );
      if (!games.length) this.games.replaceChildren(el("li.soft.small", {}, say.review.noneFinished));
    } catch (error) {
      this.games.replaceChildren(el("li.soft.small", {}, messageOf(error)));
    }
  }

  /** @param {File | undefined} file */
  async #read(file) {
    if (!file) return;
    this.file.blur(); // the arrows now step through the game
    try {
      await this.open(await readGameFile(file));
    } catch (error) {
      toast(messageOf(error), true);
    }
  }

  async #paste() {
    if (this.text.value.trim()) await this.open({ record: this.text.value });
    else toast(say.review.pasteFirst, true);
  }
}
