// Help for a game under way: hints that say why, chances, wrong flags.

import { api } from "../common/api.js";
import { announce, button, cellName, el, icon, toast } from "../common/dom.js";
import { hintBody, marksOf, swatch } from "../common/hint.js";

/** A button with the key that does the same. */
export function keyButton(label, name, key, act, attributes) {
  const made = button(label, name, { onclick: act, ...attributes });
  if (key) {
    made.append(el("kbd", { "aria-hidden": "true" }, key));
    made.setAttribute("aria-keyshortcuts", key);
  }
  return made;
}

export class Help {
  #showsChances = false;
  #turn = 0; // grows with every change: answers about an older position are dropped

  /** @param game state(), settled() when no move is under way, flag(row, col), open(row, col) */
  constructor(board, game) {
    this.board = board;
    this.game = game;
    this.hintButton = keyButton("Hint", "bulb", "H", () => this.hint(), { id: "hint" });
    this.chanceButton = keyButton("Chances", "percent", "P", () => this.toggleChances(), { "aria-pressed": "false", id: "chances" });
    this.wrongButton = keyButton("Check flags", "check", "W", () => this.checkFlags(), { id: "check-flags" });
    this.card = el("section.card", { hidden: true, "aria-label": "Hint", id: "hint-card" });
    this.legend = el("section.card", { hidden: true, "aria-label": "Chances" },
      el("h2", {}, "Chance of a mine, in %"),
      el("div.legend", {}, swatch("safe", "certainly safe ✓"), swatch("mine", "certainly a mine"),
        el("span", {}, "0 %", el("i.ramp"), "100 %")));
  }

  /** The board looks different now; `isOther`: it is another game. */
  changed(isOther) {
    this.#turn += 1;
    const { over } = this.game.state();
    if (isOther) this.close();
    for (const made of [this.hintButton, this.chanceButton, this.wrongButton]) made.disabled = over;
    if (this.#showsChances && over) this.#setChances(false);
    else if (this.#showsChances) this.#loadChances();
  }

  async #ask(made, question, show) {
    if (!this.game.state() || this.game.state().over) return;
    await this.game.settled();
    const turn = this.#turn;
    made.setAttribute("aria-busy", "true");
    try {
      const answer = await question(this.game.state().id);
      if (turn === this.#turn) show(answer);
    } catch (error) {
      toast(error.message, true);
    }
    made.removeAttribute("aria-busy");
  }

  // -- hints ----------------------------------------------------------------------------------------------

  hint() {
    return this.#ask(this.hintButton, api.hint, (hint) => this.#showHint(hint));
  }

  #showHint(hint) {
    this.#openCard("Hint", hintBody(hint, {
      use: (action, [row, col]) => {
        const isFlag = this.board.isFlag(row, col);
        this.close();
        if (action === "flag" || isFlag) this.game.flag(row, col);
        if (action === "open") this.game.open(row, col);
      },
      show: ([row, col]) => {
        this.board.reveal(row, col);
        this.board.grid.setCursor(row, col, { focus: true });
      },
    }));
    this.board.setMarks(marksOf(hint));
    if (!hint.certain && !this.#showsChances) this.#showRisks(hint.candidates ?? []);
    const cell = hint.cell ?? hint.best?.cell;
    if (cell) {
      this.board.reveal(...cell);
      this.board.grid.setCursor(...cell, { byPointer: !this.board.grid.isFocused });
    }
    const steps = (hint.steps ?? []).map((step) => step.sentence ?? step).join(" ");
    announce(hint.certain ? `${hint.summary} ${steps}` : `Nothing is certain. ${hint.best?.reason ?? hint.summary ?? ""}`);
  }

  /** The risk of every cell on the board: of those that the hint names at once, of the others as soon as it is told. */
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
      const words = cells.length === 0
        ? "No flag is provably wrong."
        : `${cells.length === 1 ? "One flag stands" : `${cells.length} flags stand`} on a cell that the clues prove safe: ${cells.map(cellName).join(", ")}.`;
      this.#openCard("Flags", [el(`p.notice.${cells.length ? "bad" : "good"}`, {}, words)]);
      announce(words);
      if (cells.length) this.board.reveal(...cells[0]);
    });
  }

  #openCard(title, body) {
    const close = el("button.ghost", { type: "button", "aria-label": `Close: ${title}`, onclick: () => this.close() }, icon("cross"));
    this.card.replaceChildren(el("header", {}, el("h2", {}, title), close), ...body);
    this.card.hidden = false;
  }

  close() {
    if (this.card.hidden) return;
    this.card.hidden = true;
    this.board.setMarks({});
    if (!this.#showsChances) this.board.setChances(null);
  }

  // -- chances --------------------------------------------------------------------------------------------

  toggleChances() {
    if (!this.game.state() || (this.game.state().over && !this.#showsChances)) return;
    this.#setChances(!this.#showsChances);
    if (this.#showsChances) this.#loadChances();
    announce(this.#showsChances ? "Chances shown." : "Chances hidden.");
  }

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
      if (turn === this.#turn && this.#showsChances) this.board.setChances(chances);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#setChances(false);
      toast(error.message, true);
    }
  }
}
