// The message beside the board: hint, result, question or error. It is always in view: at the top of the side, which
// scrolls below it, or as a sheet at the bottom of a narrow screen.

import { announce, button, el, icon } from "../common/dom.js";

const SHEET = window.matchMedia("(max-width: 940px) and (min-height: 481px), (max-width: 559px)");
const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Whether a click came from the keyboard, which needs somewhere to go on from. */
export const isByKey = (event) => event?.detail === 0;

export class Panel {
  /** @param giveBack puts the focus on the board when what had it goes away */
  constructor(giveBack) {
    this.giveBack = giveBack;
    this.hint = el("section.card", { hidden: true, "aria-label": "Hint", id: "hint-card" });
    this.result = el("section.card", { hidden: true, "aria-label": "Result", id: "result-card" });
    this.note = el("section.card", { hidden: true, "aria-label": "Message", id: "message-card" });
    this.element = el("div.message", { id: "message" }, this.note, this.hint, this.result);
    // The page can be scrolled as far as the sheet covers it.
    new ResizeObserver(() => {
      document.documentElement.style.setProperty("--sheet", `${this.element.offsetHeight}px`);
    }).observe(this.element);
  }

  show(card, ...body) {
    card.replaceChildren(...body);
    card.hidden = false;
    this.element.scrollTop = 0;
  }

  hide(card) {
    if (card.hidden) return;
    const hadFocus = card.contains(document.activeElement);
    card.hidden = true;
    if (hadFocus) this.giveBack();
  }

  /** A title with a button that closes the card. */
  header(title, close) {
    return el("header", {}, el("h2", {}, title),
      el("button.ghost", { type: "button", "aria-label": `Close: ${title}`, onclick: close }, icon("cross")));
  }

  /** Say what went wrong; it stays until it is closed or the next move succeeds. */
  fail(sentence) {
    this.show(this.note, this.header("That did not work", () => this.hide(this.note)), el("p.notice.bad", {}, sentence));
    announce(sentence);
  }

  /** Ask before something is given up. */
  ask(sentence, label, act) {
    this.show(this.note,
      el("p.notice.warn", {}, sentence),
      el("div.row", {},
        button(label, null, { class: "primary", id: "confirm", onclick: () => { this.hide(this.note); act(); } }),
        button("Keep playing", null, { onclick: () => this.hide(this.note) })));
    announce(sentence);
  }

  get isAsking() {
    return !this.note.hidden && this.note.querySelector("#confirm") !== null;
  }

  /** Scroll the page so that the sheet does not cover a place: { y, size } in the window. */
  uncover({ y, size }) {
    if (!SHEET.matches) return;
    const over = y + 1.5 * size - this.element.getBoundingClientRect().top;
    // The page has to grow by the height of the sheet first.
    if (over > 0) requestAnimationFrame(() => window.scrollBy({ top: over, behavior: STILL.matches ? "auto" : "smooth" }));
  }
}
