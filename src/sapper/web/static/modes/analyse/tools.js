// What a click paints: a clue, a hidden cell, a flag, a mine, a cell without clue; or nothing, which explains.

import { el, icon } from "../../common/dom.js";
import { EXPLODED, FLAG, HIDDEN, NO_CLUE } from "../../board/cells/position.js";
import { MAX_DEGREE } from "../../constants.js";
import { say } from "../../words/index.js";

export class Tools {
  /** @type {number | null} */
  chosen = null; // a code to paint with, or null: explain

  constructor() {
    /** @param {number} code @param {string} label @param {Node | string} name */
    const tool = (code, label, name) =>
      el(
        "button",
        {
          type: "button",
          "data-code": String(code),
          "aria-pressed": "false",
          "aria-label": label,
          title: label,
          onclick: () => this.choose(code),
        },
        name,
      );
    this.element = el(
      "div.tools",
      { role: "group", "aria-label": say.analyse.tools },
      el(
        "button.long",
        { type: "button", "data-code": "null", "aria-pressed": "true", onclick: () => this.choose(null) },
        icon("analyse"),
        say.analyse.explain,
      ),
      ...Array.from({ length: MAX_DEGREE + 1 }, (_, clue) => tool(clue, say.analyse.clue(clue), String(clue))),
      tool(HIDDEN, say.analyse.hidden, "#"),
      tool(FLAG, say.analyse.flag, icon("flag")),
      tool(EXPLODED, say.analyse.exploded, "✸"),
      tool(NO_CLUE, say.analyse.noClue, "?"),
    );
  }

  /** @returns {NodeListOf<HTMLElement>} */
  get #buttons() {
    return this.element.querySelectorAll("[data-code]");
  }

  /** @param {number | null} tool */
  choose(tool) {
    this.chosen = tool;
    for (const made of this.#buttons) made.setAttribute("aria-pressed", String(made.dataset.code === String(tool)));
  }

  /** Offer the clues that the board can have. @param {number} most */
  offer(most) {
    for (const made of this.#buttons) made.hidden = Number(made.dataset.code) > most;
    if (this.chosen !== null && this.chosen > most) this.choose(null);
  }
}
