// Analyse: any position, painted or pasted; exact chances, proofs, and which clues disagree.

import { api, bodyOf, isAborted, messageOf } from "../../common/api.js";
import { Board } from "../../board/board.js";
import { SECONDS, bestBody, bestButton, bestWords } from "./best.js";
import { naming, withCells } from "../../common/coordinates.js";
import { announce, button, copyField, cellName, el, icon, isTyping, isUnaimed, toast } from "../../common/dom.js";
import { chanceLegend, explanation, marksOf } from "../../common/hint.js";
import { Past } from "./past.js";
import { percent } from "../../common/percent.js";
import {
  EXPLODED,
  FLAG,
  HIDDEN,
  NO_CLUE,
  codeOf,
  describeCode,
  emptyPosition,
  formatPosition,
  isClosed,
  parsePosition,
} from "../../board/cells/position.js";
import { mostClue } from "../../board/cells/topology.js";
import { addressOf, showAddress } from "../../common/router.js";
import { MAX_DEGREE } from "../../constants.js";
import { rulerButton } from "../../board/rulers.js";
import { zoomButtons } from "../../board/zoom.js";
import { channelSelect, chooseChannel } from "../../rules/channels.js";
import { ShapeField } from "../../rules/own.js";
import { describeChannel, describeShape } from "../../rules/text.js";
import { say } from "../../words/index.js";

const EXAMPLE =
  "01#211#10001####/023#11110012####/01#21000002#33##/01110000002#22##/1100111001221###/#1001#1001######/" +
  "#1002#2112######/#1013###########/#101############/#323############/################/################ 36";
const DELAY = 220; // milliseconds after the last change
const MOST_LISTED = 12;
const LONGEST_ADDRESS = 10_000; // characters of a position in it

/** @param {HTMLElement} root @param {Info} info */
export function create(root, info) {
  return new Analyse(root, info);
}

class Analyse {
  /** @type {number | null} */
  #tool = null; // a code to paint with, or null: explain
  #timer = 0;
  /** @type {AbortController | null} */
  #running = null;
  /** @type {Analysis | null} */
  #answer = null;
  #past = new Past();
  #stroke = 0; // counts how often the mouse was pressed

  /** @param {HTMLElement} root @param {Info} info */
  constructor(root, info) {
    this.info = info;
    const stage = el("div");
    this.tools = this.#buildTools();
    this.verdict = el("section.card", { "aria-label": say.analyse.result, id: "verdict" });
    this.proof = el("section.card", { "aria-label": say.analyse.explanation, hidden: true, id: "proof" });
    this.best = el("section.card", { "aria-label": say.analyse.bestCell, hidden: true, id: "best" });
    /** @param {number} least @param {number} most @param {string} label */
    const number = (least, most, label) =>
      el("input", {
        type: "number",
        inputmode: "numeric",
        min: String(least),
        max: String(most),
        "aria-label": label,
        onchange: () => this.#resize(),
      });
    this.rows = number(1, this.info.limits.rows, say.common.rows);
    this.cols = number(1, this.info.limits.cols, say.common.columns);
    this.total = number(0, this.info.limits.rows * this.info.limits.cols, say.analyse.minesOnBoard);
    this.total.placeholder = say.analyse.unknownMines;
    this.shape = new ShapeField(this.info, { onchange: () => this.#resize() });
    this.channel = channelSelect({ onchange: () => this.#resize() });
    this.text = el("textarea.mono", {
      rows: "4",
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": say.analyse.positionText,
    });
    /** @param {string} label @param {Node} input */
    const field = (label, input) => el("label.field", {}, el("span", {}, label), input);
    const side = el(
      "div.side",
      {},
      this.proof,
      this.best,
      this.verdict,
      el(
        "section.card",
        { "aria-label": say.analyse.text },
        el("h2", {}, say.analyse.paste),
        this.text,
        el(
          "div.row",
          {},
          button(say.analyse.read, "open", {
            class: "primary",
            id: "read",
            onclick: () => this.#read(this.text.value),
          }),
          button(say.common.copy, "share", { onclick: () => this.#copy() }),
        ),
        el("p.small.soft", {}, say.analyse.formats),
        el(
          "p.small.soft",
          {},
          ...Object.entries(say.analyse.symbols).flatMap(([symbol, meaning], at) => [
            at > 0 ? ", " : "",
            el("code", {}, symbol),
            ` ${meaning}`,
          ]),
        ),
      ),
      el(
        "section.card",
        { "aria-label": say.common.board },
        el("h2", {}, say.common.board),
        el(
          "div.fields",
          {},
          field(say.common.rows, this.rows),
          field(say.common.columns, this.cols),
          field(say.common.mines, this.total),
        ),
        field(say.common.topology, this.shape.select),
        this.shape.own,
        field(say.rules.clues, this.channel),
        el(
          "div.row",
          {},
          button(say.analyse.clear, "cross", { onclick: () => this.#clear() }),
          button(say.analyse.example, null, { onclick: () => this.#setPosition(parsePosition(EXAMPLE)) }),
        ),
      ),
    );
    root.append(el("div.desk", {}, el("div.bar", {}, this.tools), stage, (this.footer = el("div.bar", {}))), side);
    this.board = new Board(stage, {
      label: say.analyse.board,
      act: (action, row, col) => this.#act(action, row, col),
      drag: (row, col) => this.#tool !== null && this.#paint(row, col, this.#tool, this.#stroke),
      press: () => {
        this.#stroke += 1;
      },
      key: (event, row, col) => this.#boardKey(event, row, col),
    });
    root.board = this.board;
    this.caption = el("span.soft", {}, "");
    this.undoButton = button(say.analyse.undo, "undo", {
      id: "undo-edit",
      disabled: true,
      title: say.analyse.undoTitle,
      "aria-keyshortcuts": "U Control+Z",
      onclick: () => this.#undo(),
    });
    this.footer.append(this.undoButton, this.caption, zoomButtons(this.board, rulerButton()));
    this.#setTool(null);
    // The keys of the page are single ones; this one every editor has.
    document.addEventListener("keydown", (event) => {
      if (
        root.hidden ||
        isTyping(event.target) ||
        event.altKey ||
        event.shiftKey ||
        !(event.ctrlKey || event.metaKey) ||
        event.key.toLowerCase() !== "z"
      ) {
        return;
      }
      event.preventDefault();
      this.#undo();
    });
  }

  #buildTools() {
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
          onclick: () => this.#setTool(code),
        },
        name,
      );
    return el(
      "div.tools",
      { role: "group", "aria-label": say.analyse.tools },
      el(
        "button.long",
        { type: "button", "data-code": "null", "aria-pressed": "true", onclick: () => this.#setTool(null) },
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

  /** @param {URLSearchParams} query */
  async enter(query) {
    const text = query.get("position");
    if (text === null) {
      if (this.#answer === null && this.#running === null) this.#setPosition(parsePosition(EXAMPLE));
      else this.#showText();
      return;
    }
    // While this mode was away, nothing changed: keep what is painted.
    if (this.#answer !== null && text === formatPosition(this.board.position)) return;
    await this.#read(text);
  }

  // -- editing --------------------------------------------------------------------------------------------

  /** @returns {NodeListOf<HTMLElement>} */
  get #tools() {
    return this.tools.querySelectorAll("[data-code]");
  }

  /** @param {number | null} tool */
  #setTool(tool) {
    this.#tool = tool;
    for (const made of this.#tools) made.setAttribute("aria-pressed", String(made.dataset.code === String(tool)));
  }

  /** Offer the clues that the board can have. @param {number} most */
  #showTools(most) {
    for (const made of this.#tools) made.hidden = Number(made.dataset.code) > most;
    if (this.#tool !== null && this.#tool > most) this.#setTool(null);
  }

  /** @param {BoardAction} action @param {number} row @param {number} col */
  #act(action, row, col) {
    const code = this.board.codeAt(row, col);
    if (action === "double") return;
    if (action === "flag") this.#paint(row, col, code === FLAG ? HIDDEN : FLAG);
    else if (action === "chord") this.#paint(row, col, HIDDEN);
    else if (this.#tool !== null) this.#paint(row, col, this.#tool);
    else if (isClosed(code)) this.#explain(row, col);
    else announce(this.board.grid.describe(row, col));
  }

  /** @param {KeyboardEvent} event @param {number} row @param {number} col */
  #boardKey(event, row, col) {
    const symbol = event.key === "f" ? "F" : event.key;
    const code = event.key === "Backspace" || event.key === "Delete" ? HIDDEN : codeOf(symbol);
    // The letters of larger clues are keys of their own here; those clues are painted with the tools.
    const isKey = code !== undefined && !/^[a-f]$/.test(symbol) && code <= mostClue(this.board.position);
    if (isKey) this.#paint(row, col, code);
    else if (event.key === " " || event.key === "Enter") {
      if (this.#tool !== null) this.#paint(row, col, this.#tool);
      else if (isClosed(this.board.codeAt(row, col))) this.#explain(row, col);
    } else return false;
    return true;
  }

  /** @param {number} row @param {number} col @param {number} code @param {number | null} stroke */
  #paint(row, col, code, stroke = null) {
    if (this.board.codeAt(row, col) === code) return;
    this.#note(stroke);
    this.board.setCells([[row, col, code]]);
    announce(say.analyse.painted(say.board.cell(row, col, describeCode(code))));
    this.#changed();
  }

  #resize() {
    const old = this.board.position;
    /** @param {HTMLInputElement} input @param {number} fallback @param {number} most */
    const clamp = (input, fallback, most) =>
      Number.isFinite(input.valueAsNumber) ? Math.max(1, Math.min(most, Math.round(input.valueAsNumber))) : fallback;
    const [rows, cols] = [
      clamp(this.rows, old.rows, this.info.limits.rows),
      clamp(this.cols, old.cols, this.info.limits.cols),
    ];
    if (!this.shape.check(rows, cols)) return; // the field says what is wrong
    const next = emptyPosition(
      rows,
      cols,
      this.shape.shape,
      Number.isFinite(this.total.valueAsNumber) ? this.total.valueAsNumber : null,
    );
    next.channel = this.channel.value === "exact" ? null : this.channel.value;
    for (let row = 0; row < Math.min(old.rows, next.rows); row += 1) {
      for (let col = 0; col < Math.min(old.cols, next.cols); col += 1) {
        next.cells[row * next.cols + col] = old.cells[row * old.cols + col];
      }
    }
    this.#setPosition(next);
  }

  #clear() {
    const { rows, cols, shape, total, channel } = this.board.position;
    this.#setPosition({ ...emptyPosition(rows, cols, shape, total), channel });
  }

  /** Keep the position that is about to change. @param {number | null} stroke */
  #note(stroke = null) {
    // A board of one cell is what there is before anything is shown.
    if (this.board.position.cells.length > 1) this.#past.note(formatPosition(this.board.position), stroke);
    this.undoButton.disabled = this.#past.isEmpty;
  }

  #undo() {
    const text = this.#past.back();
    this.undoButton.disabled = this.#past.isEmpty;
    if (text === null) return;
    this.#showPosition(parsePosition(text));
    announce(say.analyse.undone);
  }

  /** @param {Position} position */
  #setPosition(position) {
    this.#note();
    this.#showPosition(position);
  }

  /** @param {Position} position */
  #showPosition(position) {
    this.board.setChances(null);
    this.board.setMarks({});
    this.board.setPosition(position);
    this.#changed(0);
  }

  #showText() {
    const { position } = this.board;
    const text = formatPosition(position);
    this.text.value = text;
    this.rows.value = String(position.rows);
    this.cols.value = String(position.cols);
    this.total.value = String(position.total ?? "");
    this.shape.shape = position.shape;
    this.shape.check(position.rows, position.cols);
    this.#showTools(mostClue(position));
    chooseChannel(this.channel, position.channel ?? "exact");
    // Addresses have an end; a large board is kept in the text only.
    showAddress("analyse", text.length <= LONGEST_ADDRESS ? { position: text } : {});
  }

  #changed(delay = DELAY) {
    this.#showText();
    this.proof.hidden = this.best.hidden = true;
    this.board.setMarks({});
    this.board.setChances(null);
    this.#answer = null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#analyse(), delay);
  }

  async #copy() {
    await copyField(this.text);
    toast(say.common.copied);
  }

  // -- answers --------------------------------------------------------------------------------------------

  /** @param {string} text */
  async #read(text) {
    if (!text.trim()) {
      toast(say.analyse.pasteFirst, true);
      return;
    }
    try {
      this.#running?.abort();
      const answer = await api.analyse(text.trim());
      this.#note();
      this.board.setPosition(parsePosition(answer.position));
      this.#showText();
      this.#show(answer);
    } catch (error) {
      if (isAborted(error)) return;
      // An impossible position is one all the same: show it with the clues that disagree.
      const { clues, position = text } = bodyOf(error);
      if (clues && this.#looksLikeOurs(text)) {
        this.#note();
        this.board.setPosition(parsePosition(position));
        this.#showText();
      }
      this.#showError(error);
    }
  }

  /** @param {string} text */
  #looksLikeOurs(text) {
    const lines = text.trim().split(/\s+/)[0].split("/");
    return lines.every(
      (line) => line.length === lines[0].length && [...line].every((symbol) => codeOf(symbol) !== undefined),
    );
  }

  async #analyse() {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.verdict.setAttribute("aria-busy", "true");
    try {
      this.#show(await api.analyse(formatPosition(this.board.position), running.signal));
    } catch (error) {
      if (!isAborted(error)) this.#showError(error);
    } finally {
      if (this.#running === running) this.verdict.removeAttribute("aria-busy");
    }
  }

  /** @param {Analysis} answer */
  #show(answer) {
    this.#answer = answer;
    this.board.setMarks({});
    this.board.setChances(answer);
    const { best } = answer;
    const isOver = !this.board.position.cells.some(isClosed);
    const figures = [
      [say.analyse.layouts, describeLayouts(answer)],
      [say.analyse.safeCells, String(answer.safe.length)],
      [say.analyse.certainMines, String(answer.mines.length)],
    ];
    if (best.length && answer.safe.length === 0) this.board.setMarks({ best });
    this.caption.textContent = describePosition(this.board.position);
    /** @param {Cell} cell */
    const cellButton = (cell) => {
      const chance = this.board.chanceAt(...cell);
      return el(
        "button",
        { type: "button", ...naming(cell), onclick: () => this.#explain(...cell) },
        el("span", {}, cellName(cell)),
        el(
          "b",
          {},
          chance === null
            ? ""
            : chance.certain && chance.p === 0
              ? say.analyse.safe
              : percent(chance.p, chance.certain),
        ),
      );
    };
    this.verdict.replaceChildren(
      el("h2", {}, isOver ? say.analyse.allOpen : answer.safe.length ? say.analyse.safeThere : say.analyse.guess),
      el("dl.numbers", {}, ...figures.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
      best.length
        ? el(
            "div",
            {},
            el(
              "p.label",
              {},
              (answer.safe.length ? say.analyse.safeListed : say.analyse.riskListed)(
                Math.min(MOST_LISTED, best.length),
                best.length,
              ),
            ),
            el("div.chances", {}, ...best.slice(0, MOST_LISTED).map(cellButton)),
          )
        : "",
      isOver
        ? ""
        : el(
            "div.row",
            {},
            bestButton((made) => this.#findBest(made)),
            this.#continueButton(),
          ),
      chanceLegend(this.board),
    );
    announce(say.analyse.saidCounts(answer.safe.length, answer.mines.length));
  }

  #continueButton() {
    const made = button(say.analyse.playOn, "play", { id: "play-on", title: say.analyse.playOnTitle });
    made.addEventListener("click", () => this.#playOn(made));
    return made;
  }

  /** @param {unknown} error */
  #showError(error) {
    this.#answer = null;
    this.board.setChances(null);
    const { clues = [], total = false } = bodyOf(error);
    this.board.setMarks({ conflict: clues });
    this.caption.textContent = "";
    this.verdict.replaceChildren(
      el("h2", {}, clues.length || total ? say.analyse.impossible : say.analyse.failed),
      el("p.notice.bad", { role: "alert" }, ...withCells(messageOf(error))),
      clues.length
        ? el(
            "p.small.soft",
            {},
            ...withCells(
              describeConflict(
                clues.map((cell) => say.analyse.clueAt(String(this.board.codeAt(...cell)), cellName(cell))),
                total,
              ),
            ),
          )
        : "",
    );
    if (clues.length) this.board.reveal(...clues[0]);
  }

  /** @param {HTMLButtonElement} made */
  async #findBest(made) {
    const answer = this.#answer;
    made.disabled = true;
    made.setAttribute("aria-busy", "true");
    try {
      const found = await api.best(formatPosition(this.board.position), SECONDS);
      if (answer !== this.#answer) return; // something else is on the board by now
      this.best.replaceChildren(
        ...bestBody(found, { explain: (cell) => this.#explain(...cell), close: () => this.#closeBest() }),
      );
      this.best.hidden = false;
      showTop(this.best);
      this.proof.hidden = true;
      this.board.setMarks({ best: [found.cell] });
      this.board.reveal(...found.cell);
      announce(bestWords(found));
    } catch (error) {
      toast(messageOf(error), true);
    } finally {
      made.disabled = false;
      made.removeAttribute("aria-busy");
    }
  }

  /** A game from the position that is shown; Back leads here again. @param {HTMLButtonElement} made */
  async #playOn(made) {
    made.disabled = true;
    try {
      const { id } = await api.continueGame({ position: formatPosition(this.board.position) });
      location.hash = addressOf("play", { game: id });
    } catch (error) {
      toast(messageOf(error), true);
    } finally {
      made.disabled = false;
    }
  }

  #closeBest() {
    this.best.hidden = true;
    this.board.setMarks({});
  }

  /** @param {number} row @param {number} col */
  async #explain(row, col) {
    try {
      const found = await api.explain(formatPosition(this.board.position), row, col);
      const close = el(
        "button.ghost",
        { type: "button", "aria-label": say.analyse.closeExplanation, onclick: () => this.#closeProof() },
        icon("cross"),
      );
      this.proof.replaceChildren(
        el("header", {}, el("h2", {}, ...withCells(say.analyse.why(cellName([row, col])))), close),
        ...explanation(found),
        found.verdict ? "" : el("p", {}, `${say.analyse.chance} `, el("b", {}, percent(found.p_mine, false, 1))),
      );
      this.proof.hidden = false;
      showTop(this.proof);
      this.board.setMarks(found.verdict ? marksOf(found) : { clue: found.clues, last: [[row, col]] });
      this.board.reveal(row, col);
      announce([found.summary, ...found.steps.map(({ sentence }) => sentence)].join(" "));
    } catch (error) {
      toast(messageOf(error), true);
    }
  }

  /** @returns {HTMLElement | null} */
  get #bestButton() {
    return this.verdict.querySelector("#best-cell:not(:disabled)");
  }

  #closeProof() {
    this.proof.hidden = true;
    this.board.setMarks({});
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Escape" && !this.proof.hidden) this.#closeProof();
    else if (event.key === "Escape" && !this.best.hidden) this.#closeBest();
    else if (event.key.toLowerCase() === "u") this.#undo();
    else if (event.key.toLowerCase() === "b") this.#bestButton?.click();
    else if (event.key.startsWith("Arrow") && isUnaimed(event)) {
      event.preventDefault();
      this.board.grid.setCursor(...this.board.grid.cursor, { focus: true });
    }
  }
}

/**
 * Scroll to a card that has opened above the view.
 * @param {Element} card
 */
function showTop(card) {
  const top = document.querySelector(".top")?.getBoundingClientRect().bottom ?? 0;
  if (card.getBoundingClientRect().top < Math.max(0, top)) card.scrollIntoView({ block: "nearest" });
}

/** Which clues, in words, cannot hold together. @param {string[]} clues @param {boolean} isTotal */
function describeConflict(clues, isTotal) {
  if (clues.length === 1 && !isTotal) return say.analyse.outlined;
  return say.analyse.disagree([...clues, ...(isTotal ? [say.analyse.total] : [])].join(", "));
}

/** What the cells do not show: the mines, which cells touch, and how clues are shown. @param {Position} position */
function describePosition({ total, shape, channel }) {
  const mines = total === null ? say.analyse.totalUnknown : say.rules.mines(total);
  return [mines, ...describeShape(shape), ...(channel === null ? [] : describeChannel(channel))].join(", ");
}

/** The number of layouts, exactly if it is known, else by its size. @param {Analysis} answer */
function describeLayouts({ layouts, log_layouts: log }) {
  if (layouts !== null) return layouts.replace(/\B(?=(\d{3})+$)/g, "\u202f");
  if (log === null) return say.common.none;
  const tens = log / Math.LN10;
  const exponent = Math.floor(tens);
  const digits = String(exponent).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]);
  return `≈\u00a0${(10 ** (tens - exponent)).toFixed(1)}·10${digits}`;
}
