// New here? On the first visit the page offers the first steps, until they are taken or somebody simply plays.

import { button, el, icon, memory } from "../../common/dom.js";
import { addressOf } from "../../common/router.js";
import { say } from "../../words/index.js";

const KEY = "welcome"; // "offered" from the first visit on, then "over"

export class Welcome {
  /** @param {import("./panel.js").Panel} panel */
  constructor(panel) {
    this.panel = panel;
  }

  /** Offer it to somebody of whom this browser knows no game. */
  offer() {
    if (memory.get(KEY) === null) memory.set(KEY, memory.get("game") === null ? "offered" : "over");
    if (memory.get(KEY) !== "offered") return;
    this.panel.show(
      this.panel.welcome,
      el("h2", {}, say.first.newHere),
      el("p", {}, say.first.about),
      el(
        "div.row.even",
        {},
        el(
          "a.button.primary",
          { href: addressOf("train", { way: "steps" }), id: "first-steps", onclick: () => this.end() },
          icon("start"),
          el("span", {}, say.first.begin),
        ),
        button(say.first.known, null, { id: "no-steps", onclick: () => this.end() }),
      ),
    );
  }

  end() {
    if (memory.get(KEY) === "offered") memory.set(KEY, "over");
    this.panel.hide(this.panel.welcome);
  }
}
