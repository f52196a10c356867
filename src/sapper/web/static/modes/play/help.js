// Help for a game under way: hints that say why, chances, wrong flags.

import { api, messageOf } from "../../common/api.js";
import { withCells } from "../../common/coordinates.js";
import { announce, button, cellName, el, targetOf } from "../../common/dom.js";
import { chanceLegend, hintBody, hintWords, marksOf } from "../../common/hint.js";
import { isByKey } from "./panel.js";
import { say } from "../../words/index.js";

/**
 * A button with the key that does the same.
 * @param {string} label
 * @param {string} name
 * @param {string} key
 * @param {(event: MouseEvent) => void} act
 * @param {Attributes} attributes
 */
export function keyButton(label, name, key, act, attributes) {
  const made = button(label, name, { onclick: act, ...attributes });
  if (key) {
    made.append(el("kbd", { "aria-hidden": "true" }, key));
    made.setAttribute("aria-keyshortcuts", key);
  }
  return made;
}

/**
 * @typedef {object} HelpedGame
 * @property {() => GameState} state over before there is any
 * @property {() => Promise<void>} settled when no move is under way
 * @property {(row: number, col: number) => void} flag
 * @property {(row: number, col: number) => void} open
 * @property {() => void} helped when help is given
 */

export class Help {
  #showsChances = false;
  #nPassed = 0; // hints about this position that were passed over
  #turn = 0; // grows with every change: answers about an older position are dropped

  /** @param {Board} board @param {import("./panel.js").Panel} panel @param {HelpedGame} game */
  constructor(board, panel, game) {
    this.board = board;
    this.panel = panel;
    this.card = panel.hint;
    this.game = game;
    this.hintButton = keyButton(say.help.hint, "bulb", "H", (event) => this.hint(event), { id: "hint" });
    this.chanceButton = keyButton(say.help.chances, "percent", "P", () => this.toggleChances(), {
      "aria-pressed": "false",
      id: "chances",
    });
    this.wrongButton = keyButton(say.help.checkFlags, "check", "W", () => this.checkFlags(), { id: "check-flags" });
    this.legend = el("section.card", { hidden: true, "aria-label": say.help.chances }, el("h2", {}, say.chances.title));
  }

  /** The board looks different now; `isOther`: it is another game. @param {boolean} isOther */
  changed(isOther) {
    this.#turn += 1;
    this.#nPassed = 0;
    const { over } = this.game.state();
    if (isOther) this.close();
    for (const made of [this.hintButton, this.chanceButton, this.wrongButton]) made.disabled = over;
    if (this.#showsChances && over) this.#setChances(false);
    else if (this.#showsChances) this.#loadChances();
  }

  /**
   * @template T
   * @param {HTMLButtonElement} made
   * @param {(id: string) => Promise<T>} question
   * @param {(answer: T) => void} show
   */
  async #ask(made, question, show) {
    if (this.game.state().over) return;
    await this.game.settled();
    const turn = this.#turn;
    made.setAttribute("aria-busy", "true");
    try {
      const answer = await question(this.game.state().id);
      this.game.helped();
      if (turn === this.#turn) show(answer);
    } catch (error) {
      this.panel.fail(messageOf(error));
    }
    made.removeAttribute("aria-busy");
  }

  // -- hints ----------------------------------------------------------------------------------------------

  /** A hint; asked again about the same position, the next one. @param {MouseEvent | null} event */
  hint(event = null) {
    if (!this.card.hidden && this.card.dataset.hint === "certain") this.#nPassed += 1;
    const isFromCard = event !== null && isByKey(event) && this.card.contains(targetOf(event));
    return this.#ask(
      this.hintButton,
      (id) => api.hint(id, this.#nPassed),
      (hint) => this.#showHint(hint, isFromCard),
    );
  }

  /** @param {Hint} hint @param {boolean} isFromCard */
  #showHint(hint, isFromCard) {
    this.#openCard(
      say.help.hint,
      hint.certain ? "certain" : "guess",
      hintBody(hint, {
        use: (action, cell, event) => this.#use(action, cell, event),
        show: ([row, col]) => {
          this.board.reveal(row, col);
          this.board.grid.setCursor(row, col, { focus: true });
          this.panel.uncover(this.board.placeOf(row, col));
        },
        next: hint.n_certain > 1 ? (event) => this.hint(event) : null,
      }),
    );
    if (isFromCard) this.#cardButton?.focus();
    this.board.setMarks(marksOf(hint));
    if (hint.certain && !this.#showsChances) this.board.setChances(null);
    if (!hint.certain && !this.#showsChances) this.#showRisks(hint.candidates);
    const cell = hint.cell ?? hint.best?.cell;
    if (cell) {
      this.board.reveal(...cell);
      // Whoever plays by keyboard finds the cursor there; the focus itself stays where it is.
      this.board.grid.setCursor(...cell, { byPointer: !this.board.grid.isFocused });
      this.panel.uncover(this.board.placeOf(...cell));
    }
    announce(hintWords(hint));
  }

  /** Where keyboard focus goes next. @returns {HTMLElement | null} */
  get #cardButton() {
    return this.card.querySelector("#next-hint") ?? this.card.querySelector("button");
  }

  /**
   * Do what the hint says, and go on from there: by keyboard as by mouse.
   * @param {"open" | "flag"} action
   * @param {Cell} cell
   * @param {MouseEvent} event
   */
  #use(action, [row, col], event) {
    const isFlag = this.board.isFlag(row, col);
    this.board.grid.setCursor(row, col, { focus: true, byPointer: !isByKey(event) });
    this.close();
    if (action === "flag" || isFlag) this.game.flag(row, col);
    if (action === "open") this.game.open(row, col);
  }

  /**
   * The risk of every cell on the board: at once for those in the hint, later for the others.
   * @param {Hint["candidates"]} candidates
   */
  async #showRisks(candidates) {
    const { rows, cols } = this.board.position;
    const p = Array.from({ length: rows }, () => new Array(cols).fill(null));
    for (const { cell, p_mine: chance } of candidates) p[cell[0]][cell[1]] = chance;
    this.board.setChances({ p, safe: [], mines: [] });
    const turn = this.#turn;
    try {
      const chances = await api.chances(this.game.state().id);
      if (turn === this.#turn && !this.card.hidden && !this.#showsChances) this.board.setChances(chances);
    } catch {
      // The hint has said the most important of them.
    }
  }

  checkFlags() {
    return this.#ask(this.wrongButton, api.wrongFlags, ({ cells }) => {
      this.board.setMarks({ wrong: cells });
      const words =
        cells.length === 0 ? say.help.noWrongFlag : say.help.wrongFlags(cells.map(cellName).join(", "), cells.length);
      this.#openCard(say.help.flags, "flags", [
        el(`p.notice.${cells.length ? "bad" : "good"}`, {}, ...withCells(words)),
      ]);
      announce(words);
      if (cells.length) this.board.reveal(...cells[0]);
    });
  }

  /** @param {string} title @param {string} kind @param {Node[]} body */
  #openCard(title, kind, body) {
    this.card.dataset.hint = kind;
    this.board.rule(true); // the words name cells by row and column
    this.panel.show(
      this.card,
      this.panel.header(title, () => this.close()),
      ...body,
    );
  }

  close() {
    if (this.card.hidden) return;
    this.panel.hide(this.card);
    this.board.rule(false);
    this.board.setMarks({});
    if (!this.#showsChances) this.board.setChances(null);
  }

  // -- chances --------------------------------------------------------------------------------------------

  toggleChances() {
    if (this.game.state().over && !this.#showsChances) return;
    this.#setChances(!this.#showsChances);
    if (this.#showsChances) this.#loadChances();
    announce(this.#showsChances ? say.help.chancesShown : say.help.chancesHidden);
  }

  /** @param {Chances} chances */
  #drawChances(chances) {
    // Where every first cell is safe, its risk before that promise says nothing.
    this.board.setChances(chances.promised ? null : chances);
    this.legend.replaceChildren(
      el("h2", {}, say.chances.title),
      chances.promised ? el("p.small", {}, say.chances.promised) : chanceLegend(this.board),
    );
  }

  /** @param {boolean} isOn */
  #setChances(isOn) {
    this.#showsChances = isOn;
    this.chanceButton.setAttribute("aria-pressed", String(isOn));
    this.legend.hidden = !isOn;
    if (!isOn) this.board.setChances(null);
  }

  async #loadChances() {
    const turn = this.#turn;
    try {
      const chances = await api.chances(this.game.state().id);
      this.game.helped();
      if (turn === this.#turn && this.#showsChances) this.#drawChances(chances);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#setChances(false);
      this.panel.fail(messageOf(error));
    }
  }
}
