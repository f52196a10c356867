// The first steps: a game of three minutes for somebody who has never played. They click, the board answers.

import { Board } from "../../../board/board.js";
import { FLAG, HIDDEN } from "../../../board/cells/position.js";
import { announce, button, cellName, el, icon } from "../../../common/dom.js";
import { addressOf } from "../../../common/router.js";
import { GIVES_MINE, GIVES_SAFE, GuidedBoard, START } from "./guided.js";
import { say } from "../../../words/index.js";

const COARSE = window.matchMedia("(pointer: coarse)");

// What is asked for, one after the other; the last lasts until the board is won.
const OPEN = 0;
const FLAG_IT = 1;
const OPEN_NEXT = 2;
const ALONE = 3;
const WON = 4;

export class FirstSteps {
  #guided = new GuidedBoard();
  #step = OPEN;
  /** @type {Marks} */
  #lit = {}; // what the sentence speaks of

  constructor() {
    this.stage = el("div");
    this.told = el("p", { id: "first-told" });
    this.asked = el("p.task", { id: "first-asked" });
    this.steps = el("ol.dots", { "aria-hidden": "true" }, ...Array.from({ length: WON }, () => el("li", {})));
    this.show = button(say.first.show, "bulb", { id: "first-show", onclick: () => this.#show() });
    this.end = el("div.row", { hidden: true });
    this.words = el("section.card.guide", { "aria-label": say.first.title }, this.told, this.asked, this.end);
    this.desk = el("div.desk.first", {}, this.stage, this.words, el("div.bar", {}, this.steps, this.show));
    this.side = el("div", {});
    this.board = new Board(this.stage, {
      label: say.first.title,
      keepsRulerRoom: true,
      act: (action, row, col) => this.#act(action, [row, col]),
      key: (event, row, col) => this.#key(event, [row, col]),
    });
  }

  /** Start again. */
  async enter() {
    this.#guided = new GuidedBoard();
    this.#step = OPEN;
    this.stage.classList.remove("won");
    this.#ask(say.first.welcome, { area: [START] });
    this.board.grid.setCursor(...START);
  }

  /** @param {string} told @param {Marks} lit */
  #ask(told, lit) {
    const guided = this.#guided;
    const asked = [
      COARSE.matches ? say.first.tapMarked : say.first.clickMarked,
      COARSE.matches ? say.first.flagByFinger : say.first.flagByMouse,
      say.first.openNext,
      say.first.alone,
      "",
    ][this.#step];
    this.#lit = lit;
    this.told.textContent = told;
    this.asked.textContent = asked;
    this.asked.hidden = this.#step === WON;
    this.end.hidden = this.#step !== WON;
    this.show.hidden = this.#step !== ALONE;
    [...this.steps.children].forEach((dot, at) => dot.classList.toggle("done", at < this.#step));
    this.board.setPosition({ ...guided.position, cells: guided.position.cells.slice() });
    const flags = [...guided.position.cells.keys()].filter((index) => guided.position.cells[index] === FLAG);
    this.board.setMarks({ ...lit, "right-flag": flags.map((index) => guided.cellOf(index)) });
    const marked = [...(lit.area ?? []), ...(lit.clue ?? [])].map((cell) =>
      say.play.saidCell(this.board.grid.describe(...cell)),
    );
    announce([told, asked, ...marked].join(" "));
  }

  /** @param {BoardAction} action @param {Cell} cell */
  #act(action, cell) {
    if (this.#step === WON || action === "chord" || action === "double") return;
    const index = this.#guided.numberOf(cell);
    if (this.#guided.position.cells[index] !== HIDDEN) return;
    if (action === "flag") this.#flag(index);
    else this.#open(index);
  }

  /** @param {number} index */
  #open(index) {
    const known = this.#guided.prove().get(index);
    if (this.#step === OPEN) {
      if (index !== this.#guided.numberOf(START)) return this.#again(say.first.notThere);
    } else if (this.#guided.isMine(index)) return this.#again(known ? say.first.wasMine : say.first.notKnown);
    else if (known === undefined) return this.#again(say.first.notKnown);
    else if (this.#step === FLAG_IT) return this.#again(say.first.flagFirst);
    this.#guided.open(index);
    if (this.#guided.isWon) this.#win();
    else if (this.#step === OPEN) this.#go(FLAG_IT, say.first.opened, GIVES_MINE);
    else if (this.#step === OPEN_NEXT) this.#go(ALONE, say.first.wasSafe);
    else this.#go(ALONE, known ? say.first.right(say.first.allFound(this.#clueWords(known.clue))) : "");
  }

  /** @param {number} index */
  #flag(index) {
    const known = this.#guided.prove().get(index);
    if (this.#step === OPEN) return this.#again(say.first.openFirst);
    if (known === undefined) return this.#again(say.first.notKnown);
    if (!known.isMine) return this.#again(say.first.noMine(this.#clueWords(known.clue)));
    this.#guided.flag(index);
    if (this.#step === FLAG_IT && this.#isAround(index, GIVES_MINE)) {
      this.#go(OPEN_NEXT, say.first.flagged, GIVES_SAFE);
    } else this.#ask(say.first.right(say.first.noOther(this.#clueWords(known.clue))), this.#lit);
  }

  /** @param {number} index @param {Cell} clue */
  #isAround(index, clue) {
    const [row, col] = this.#guided.cellOf(index);
    return Math.max(Math.abs(row - clue[0]), Math.abs(col - clue[1])) === 1;
  }

  /** A number and where it is: "the 2 at (2, 3)". @param {number} index */
  #clueWords(index) {
    return say.first.clue(this.#guided.position.cells[index], cellName(this.#guided.cellOf(index)));
  }

  /** @param {number} step @param {string} told @param {Cell | null} clue */
  #go(step, told, clue = null) {
    this.#step = step;
    this.board.rule(step >= ALONE); // from now on sentences name cells
    this.#ask(told, clue ? { clue: [clue] } : {});
  }

  /** It was not what is asked for: say so, and light up what helps. @param {string} told */
  #again(told) {
    if (this.#step === ALONE) this.#lit = this.#next(false);
    this.#ask(told, this.#lit);
  }

  /** What can be worked out next: the number, and on request the cell. @param {boolean} isShown @returns {Marks} */
  #next(isShown) {
    const [found] = [...this.#guided.prove()].filter(
      ([index, { isMine }]) => !isMine || this.#guided.position.cells[index] === HIDDEN,
    );
    if (found === undefined) return {};
    const [index, { isMine, clue }] = found;
    const cells = [this.#guided.cellOf(index)];
    return { clue: [this.#guided.cellOf(clue)], ...(isShown && { [isMine ? "mine" : "safe"]: cells }) };
  }

  #show() {
    const lit = this.#next(true);
    this.#ask(lit.mine ? say.first.thisIsMine : say.first.thisIsSafe, lit);
  }

  #win() {
    this.#guided.flagAll();
    this.#step = WON;
    this.stage.classList.add("won");
    this.end.replaceChildren(
      el(
        "a.button.primary",
        { href: addressOf("play", { rules: "beginner", noguess: 1 }), id: "first-play" },
        icon("play"),
        el("span", {}, say.first.play),
      ),
      el(
        "a.button",
        { href: addressOf("train", { way: "course" }), id: "first-course" },
        icon("bulb"),
        el("span", {}, say.first.course),
      ),
    );
    this.#ask(say.first.won, {});
    /** @type {HTMLElement | null} */ (this.end.querySelector("a"))?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event @param {Cell} cell */
  #key(event, cell) {
    if (event.key === " " || event.key === "Enter") this.#act("open", cell);
    else if (event.key.toLowerCase() === "f") this.#act("flag", cell);
    else return false;
    return true;
  }
}
