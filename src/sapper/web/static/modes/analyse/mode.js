// Analyse: any position, painted or pasted; exact chances, proofs, and which clues disagree.

import { api, bodyOf, isAborted, messageOf } from "../../common/api.js";
import { Board } from "../../board/board.js";
import { SECONDS, bestBody, bestWords } from "./best.js";
import { withCells } from "../../common/coordinates.js";
import { announce, button, copyField, cellName, el, icon, isTyping, isUnaimed, toast } from "../../common/dom.js";
import { explanation, marksOf } from "../../common/hint.js";
import { BoardFields } from "./fields.js";
import { answerBody, describePosition, refusalBody } from "./answer.js";
import { Past } from "./past.js";
import { PictureCard } from "./picture.js";
import { percent } from "../../common/percent.js";
import {
  FLAG,
  HIDDEN,
  codeOf,
  describeCode,
  emptyPosition,
  formatPosition,
  isClosed,
  parsePosition,
} from "../../board/cells/position.js";
import { mostClue } from "../../board/cells/topology.js";
import { addressOf, showAddress } from "../../common/router.js";
import { rulerButton } from "../../board/rulers.js";
import { Tools } from "./tools.js";
import { zoomButtons } from "../../board/zoom.js";
import { say } from "../../words/index.js";

const EXAMPLE =
  "01#211#10001####/023#11110012####/01#21000002#33##/01110000002#22##/1100111001221###/#1001#1001######/" +
  "#1002#2112######/#1013###########/#101############/#323############/################/################ 36";
const DELAY = 220; // milliseconds after the last change
const LONGEST_ADDRESS = 10_000; // characters of a position in it

/** @param {HTMLElement} root @param {Info} info */
export function create(root, info) {
  return new Analyse(root, info);
}

class Analyse {
  #timer = 0;
  /** @type {AbortController | null} */
  #running = null;
  /** @type {Analysis | null} */
  #answer = null;
  #past = new Past();
  /** @type {Cell[]} */
  #doubts = []; // cells of a picture that may have been read wrongly
  #stroke = 0; // counts how often the mouse was pressed

  /** @param {HTMLElement} root @param {Info} info */
  constructor(root, info) {
    const stage = el("div");
    this.tools = new Tools();
    this.verdict = el("section.card", { "aria-label": say.analyse.result, id: "verdict" });
    this.proof = el("section.card", { "aria-label": say.analyse.explanation, hidden: true, id: "proof" });
    this.best = el("section.card", { "aria-label": say.analyse.bestCell, hidden: true, id: "best" });
    this.fields = new BoardFields(info, () => this.#resize());
    this.text = el("textarea.mono", {
      rows: "4",
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": say.analyse.positionText,
    });
    this.picture = new PictureCard({
      show: (reading) => this.#showPicture(reading),
      explain: () => this.#explainNext(),
    });
    this.picture.listen(root);
    const side = el(
      "div.side",
      {},
      this.proof,
      this.best,
      this.verdict,
      this.picture.element,
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
        ...this.fields.elements,
        el(
          "div.row",
          {},
          button(say.analyse.clear, "cross", { onclick: () => this.#clear() }),
          button(say.analyse.example, null, { onclick: () => this.#setPosition(parsePosition(EXAMPLE)) }),
        ),
      ),
    );
    root.append(
      el("div.desk", {}, el("div.bar", {}, this.tools.element), stage, (this.footer = el("div.bar", {}))),
      side,
    );
    this.board = new Board(stage, {
      label: say.analyse.board,
      act: (action, row, col) => this.#act(action, row, col),
      drag: (row, col) => this.tools.chosen !== null && this.#paint(row, col, this.tools.chosen, this.#stroke),
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

  // -- pictures -------------------------------------------------------------------------------------------

  /** @param {PictureReading} reading */
  async #showPicture({ position, doubts }) {
    await this.#read(position);
    this.#doubts = doubts;
    this.#markDoubts();
    if (doubts.length) this.board.reveal(...doubts[0]);
  }

  #markDoubts() {
    if (this.#doubts.length) this.board.setMarks({ wrong: this.#doubts });
  }

  /** What a click makes of a doubtful cell: hidden, flagged and the clues, one after the other. @param {number} code */
  #nextCode(code) {
    return code === HIDDEN ? FLAG : code === FLAG ? 0 : code < 0 || code === 8 ? HIDDEN : code + 1;
  }

  /** Explain the first safe cell, or ask for the best guess. */
  #explainNext() {
    const safe = this.#answer?.safe[0];
    if (safe) this.#explain(...safe);
    else if (this.#bestButton) this.#bestButton.click();
    else toast(say.analyse.noSafe, true);
  }

  // -- editing --------------------------------------------------------------------------------------------

  /** @param {BoardAction} action @param {number} row @param {number} col */
  #act(action, row, col) {
    const code = this.board.codeAt(row, col);
    if (action === "double") return;
    if (action === "flag") this.#paint(row, col, code === FLAG ? HIDDEN : FLAG);
    else if (action === "chord") this.#paint(row, col, HIDDEN);
    else if (this.tools.chosen !== null) this.#paint(row, col, this.tools.chosen);
    else if (this.#doubts.some(([y, x]) => y === row && x === col)) this.#paint(row, col, this.#nextCode(code));
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
      if (this.tools.chosen !== null) this.#paint(row, col, this.tools.chosen);
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
    const next = this.fields.read(this.board.position);
    if (next !== null) this.#setPosition(next);
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
    this.#doubts = [];
    this.#changed(0);
  }

  #showText() {
    const { position } = this.board;
    const text = formatPosition(position);
    this.text.value = text;
    this.fields.show(position);
    this.tools.offer(mostClue(position));
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
    this.#doubts = [];
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
    this.#markDoubts();
    this.board.setChances(answer);
    if (answer.best.length && answer.safe.length === 0) this.board.setMarks({ best: answer.best, wrong: this.#doubts });
    this.caption.textContent = describePosition(this.board.position);
    this.verdict.replaceChildren(
      ...answerBody(answer, this.board, {
        explain: (cell) => this.#explain(...cell),
        findBest: (made) => this.#findBest(made),
        playOn: (made) => this.#playOn(made),
      }),
    );
    announce(say.analyse.saidCounts(answer.safe.length, answer.mines.length));
  }

  /** @param {unknown} error */
  #showError(error) {
    this.#answer = null;
    this.board.setChances(null);
    const { clues = [] } = bodyOf(error);
    this.board.setMarks({ conflict: clues });
    this.caption.textContent = "";
    this.verdict.replaceChildren(...refusalBody(error, this.board));
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
