// The message beside the board: hint, result, question or error. It is always in view: at the top of the side, which
// scrolls below it, or as a sheet at the bottom of a narrow screen.

import { announce, button, el, icon } from "../../common/dom.js";
import { say } from "../../words/index.js";

const SHEET = window.matchMedia("(max-width: 940px) and (min-height: 481px), (max-width: 559px)");
const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Whether a click came from the keyboard, which needs somewhere to go on from. @param {MouseEvent} event */
export const isByKey = (event) => event.detail === 0;

export class Panel {
  /** @type {{ act: () => void, keep: () => void } | null} */
  #question = null; // { act, keep } while one is asked
  /** @type {HTMLElement | null} */
  #opener = null; // what had the focus then

  /** `giveBack()` puts the focus on the board when what had it goes away. @param {() => void} giveBack */
  constructor(giveBack) {
    this.giveBack = giveBack;
    this.hint = el("section.card", { hidden: true, "aria-label": say.help.hint, id: "hint-card" });
    this.result = el("section.card", { hidden: true, "aria-label": say.result.title, id: "result-card" });
    this.note = el("section.card", { hidden: true, "aria-label": say.play.message, id: "message-card" });
    this.welcome = el("section.card", { hidden: true, "aria-label": say.first.newHere, id: "welcome-card" });
    this.element = el("div.message", { id: "message" }, this.note, this.hint, this.result, this.welcome);
    // The page can be scrolled as far as the sheet covers it.
    new ResizeObserver(() => {
      document.documentElement.style.setProperty("--sheet", `${this.element.offsetHeight}px`);
    }).observe(this.element);
  }

  /** @param {HTMLElement} card @param {Node[]} body */
  show(card, ...body) {
    const hadFocus = card.contains(document.activeElement);
    if (card === this.note) this.#decline();
    card.replaceChildren(...body);
    card.hidden = false;
    this.element.scrollTop = 0;
    if (hadFocus) this.giveBack();
  }

  /** @param {HTMLElement} card */
  hide(card) {
    if (card.hidden) return;
    const hadFocus = card.contains(document.activeElement);
    const opener = card === this.note ? this.#opener : null;
    card.hidden = true;
    if (card === this.note) this.#decline();
    if (!hadFocus) return;
    // Back to where the focus was, if that still exists.
    if (opener?.isConnected && opener.checkVisibility() && opener !== document.body) opener.focus();
    else this.giveBack();
  }

  /** A title with a button that closes the card. @param {string} title @param {() => void} close */
  header(title, close) {
    return el(
      "header",
      {},
      el("h2", {}, title),
      el("button.ghost", { type: "button", "aria-label": say.common.closeCard(title), onclick: close }, icon("cross")),
    );
  }

  /** Say what went wrong; it stays until it is closed or the next move succeeds. @param {string} sentence */
  fail(sentence) {
    this.show(
      this.note,
      this.header(say.play.failed, () => this.hide(this.note)),
      el("p.notice.bad", {}, sentence),
    );
    announce(sentence);
  }

  /**
   * Ask before something is given up: Return does it, Escape keeps what is there, as does going on with the game.
   * @param {string} sentence
   * @param {string} label
   * @param {() => void} act
   * @param {() => void} keep
   */
  ask(sentence, label, act, keep = () => {}) {
    const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    const confirm = button(label, null, { class: "primary", id: "confirm", onclick: () => this.agree() });
    this.show(
      this.note,
      el(
        "div.card-body",
        { role: "alertdialog", "aria-labelledby": "question" },
        el("p.notice.warn", { id: "question" }, sentence),
        el(
          "div.row",
          {},
          confirm,
          button(say.play.keepPlaying, null, { id: "keep", onclick: () => this.hide(this.note) }),
        ),
      ),
    );
    this.#question = { act, keep };
    this.#opener = opener;
    confirm.focus();
  }

  /** Answer the question that is asked: yes. */
  agree() {
    const question = this.#question;
    this.#question = this.#opener = null;
    this.hide(this.note);
    question?.act();
  }

  /** It is not to be done. */
  #decline() {
    const question = this.#question;
    this.#question = this.#opener = null;
    question?.keep();
  }

  get isAsking() {
    return this.#question !== null;
  }

  /**
   * Scroll the page so that the sheet does not cover a place: { y, size } in the window.
   * @param {{ y: number, size: number }} place
   */
  uncover({ y, size }) {
    if (!SHEET.matches) return;
    const over = y + 1.5 * size - this.element.getBoundingClientRect().top;
    // The page has to grow by the height of the sheet first.
    if (over > 0) {
      requestAnimationFrame(() => window.scrollBy({ top: over, behavior: STILL.matches ? "auto" : "smooth" }));
    }
  }
}
