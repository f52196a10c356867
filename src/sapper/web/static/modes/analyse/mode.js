// Analyse: any position, painted or pasted; exact chances, proofs, and which clues disagree.

import { api } from "../../common/api.js";
import { Board } from "../../board/board.js";
import { SECONDS, bestBody, bestButton, bestWords } from "./best.js";
import { naming, withCells } from "../../common/coordinates.js";
import { announce, button, cellName, el, icon, isTyping, toast } from "../../common/dom.js";
import { explanation, marksOf, swatch } from "../../common/hint.js";
import { Past } from "./past.js";
import { percent } from "../../common/percent.js";
import { EXPLODED, FLAG, HIDDEN, NO_CLUE, codeOf, describeCode, emptyPosition, formatPosition, isClosed, parsePosition, symbolOf } from "../../board/position.js";
import { addressOf, showAddress } from "../../common/router.js";
import { SHAPE_NAMES } from "../../rules/text.js";
import { rulerButton } from "../../board/rulers.js";
import { zoomButtons } from "../../board/zoom.js";

const EXAMPLE = "01#211#10001####/023#11110012####/01#21000002#33##/01110000002#22##/1100111001221###/#1001#1001######/"
  + "#1002#2112######/#1013###########/#101############/#323############/################/################ 36";
const DELAY = 220; // milliseconds after the last change
const MOST_LISTED = 12;

export function create(root, info) {
  return new Analyse(root, info);
}

class Analyse {
  #tool = null; // a code to paint with, or null: explain
  #timer = 0;
  #running = null;
  #answer = null;
  #past = new Past();
  #stroke = 0; // counts how often the mouse was pressed

  constructor(root, info) {
    this.info = info;
    this.#build(root);
    // The keys of the page are single ones; this one every editor has.
    document.addEventListener("keydown", (event) => {
      if (root.hidden || isTyping(event.target) || event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
      event.preventDefault();
      this.#undo();
    });
  }

  #build(root) {
    const stage = el("div");
    this.tools = this.#buildTools();
    root.append(el("div.desk", {}, el("div.bar", {}, this.tools), stage, (this.footer = el("div.bar", {}))), this.#buildSide());
    this.board = new Board(stage, {
      label: "Position",
      act: (action, row, col) => this.#act(action, row, col),
      drag: (row, col) => this.#tool !== null && this.#paint(row, col, this.#tool, this.#stroke),
      press: () => {
        this.#stroke += 1;
      },
      key: (event, row, col) => this.#boardKey(event, row, col),
    });
    root.board = this.board;
    this.caption = el("span.soft", {}, "");
    this.undoButton = button("Undo", "undo", { id: "undo-edit", disabled: true, title: "Undo the last change (U or Ctrl+Z)", "aria-keyshortcuts": "U Control+Z", onclick: () => this.#undo() });
    this.footer.append(this.undoButton, this.caption, zoomButtons(this.board, rulerButton()));
    this.#setTool(null);
  }

  #buildTools() {
    const tool = (code, label, name) => el("button", {
      type: "button", "data-code": String(code), "aria-pressed": "false", "aria-label": label, title: label, onclick: () => this.#setTool(code),
    }, name);
    return el("div.tools", { role: "group", "aria-label": "Paint with" },
      el("button.long", { type: "button", "data-code": "null", "aria-pressed": "true", onclick: () => this.#setTool(null) }, icon("analyse"), "Explain"),
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((clue) => tool(clue, `Clue ${clue}`, String(clue))),
      tool(HIDDEN, "Hidden", "#"), tool(FLAG, "Flag", icon("flag")), tool(EXPLODED, "Exploded mine", "✸"), tool(NO_CLUE, "Open, no clue", "?"));
  }

  #buildSide() {
    this.verdict = el("section.card", { "aria-label": "Result", id: "verdict" });
    this.proof = el("section.card", { "aria-label": "Explanation", hidden: true, id: "proof" });
    this.best = el("section.card", { "aria-label": "Best cell", hidden: true, id: "best" });
    const number = (least, most, label) => el("input", { type: "number", inputmode: "numeric", min: String(least), max: String(most), "aria-label": label, onchange: () => this.#resize() });
    this.rows = number(1, this.info.limits.rows, "Rows");
    this.cols = number(1, this.info.limits.cols, "Columns");
    this.total = number(0, this.info.limits.rows * this.info.limits.cols, "Mines on the board");
    this.total.placeholder = "unknown";
    this.shape = el("select", { onchange: () => this.#resize() }, ...this.info.topologies.map((shape) => el("option", { value: shape }, SHAPE_NAMES[shape] ?? shape)));
    this.text = el("textarea.mono", { rows: "4", spellcheck: "false", autocomplete: "off", "aria-label": "Position as text" });
    const field = (label, input) => el("label.field", {}, el("span", {}, label), input);
    return el("div.side", {}, this.proof, this.best, this.verdict,
      el("section.card", { "aria-label": "Text" }, el("h2", {}, "Paste a position"), this.text,
        el("div.row", {}, button("Read it", "open", { class: "primary", id: "read", onclick: () => this.#read(this.text.value) }),
          button("Copy", "share", { onclick: () => this.#copy() })),
        el("p.small.soft", {}, "The one-line form, a .mine file, a PTTA link or a Tatham game id. ",
          el("code", {}, "#"), " hidden, ", el("code", {}, "0–8"), ", ", el("code", {}, "F"), " flag, ", el("code", {}, "*"), " exploded, ", el("code", {}, "."), " no clue.")),
      el("section.card", { "aria-label": "Board" }, el("h2", {}, "Board"),
        el("div.fields", {}, field("Rows", this.rows), field("Columns", this.cols), field("Mines", this.total)),
        field("Topology", this.shape),
        el("div.row", {}, button("Clear", "cross", { onclick: () => this.#clear() }), button("Example", null, { onclick: () => this.#setPosition(parsePosition(EXAMPLE)) }))));
  }

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

  #setTool(tool) {
    this.#tool = tool;
    for (const made of this.tools.children) made.setAttribute("aria-pressed", String(made.dataset.code === String(tool)));
  }

  #act(action, row, col) {
    const code = this.board.codeAt(row, col);
    if (action === "double") return;
    if (action === "flag") this.#paint(row, col, code === FLAG ? HIDDEN : FLAG);
    else if (action === "chord") this.#paint(row, col, HIDDEN);
    else if (this.#tool !== null) this.#paint(row, col, this.#tool);
    else if (isClosed(code)) this.#explain(row, col);
    else announce(this.board.grid.describe(row, col));
  }

  #boardKey(event, row, col) {
    const symbol = event.key === "f" ? "F" : event.key;
    const code = event.key === "Backspace" || event.key === "Delete" ? HIDDEN : codeOf(symbol);
    if (code !== undefined) this.#paint(row, col, code);
    else if (event.key === " " || event.key === "Enter") {
      if (this.#tool !== null) this.#paint(row, col, this.#tool);
      else if (isClosed(this.board.codeAt(row, col))) this.#explain(row, col);
    } else return false;
    return true;
  }

  #paint(row, col, code, stroke = null) {
    if (this.board.codeAt(row, col) === code) return;
    this.#note(stroke);
    this.board.setCells([[row, col, code]]);
    announce(`Row ${row}, column ${col}: ${describeCode(code)}.`);
    this.#changed();
  }

  #resize() {
    const old = this.board.position;
    const clamp = (input, fallback, most) => (Number.isFinite(input.valueAsNumber) ? Math.max(1, Math.min(most, Math.round(input.valueAsNumber))) : fallback);
    const next = emptyPosition(clamp(this.rows, old.rows, this.info.limits.rows), clamp(this.cols, old.cols, this.info.limits.cols), this.shape.value,
      Number.isFinite(this.total.valueAsNumber) ? this.total.valueAsNumber : null);
    next.channel = old.channel;
    for (let row = 0; row < Math.min(old.rows, next.rows); row += 1) {
      for (let col = 0; col < Math.min(old.cols, next.cols); col += 1) next.cells[row * next.cols + col] = old.cells[row * old.cols + col];
    }
    this.#setPosition(next);
  }

  #clear() {
    const { rows, cols, shape, total } = this.board.position;
    this.#setPosition(emptyPosition(rows, cols, shape, total));
  }

  /** Keep the position that is about to change. */
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
    announce("The last change is undone.");
  }

  #setPosition(position) {
    this.#note();
    this.#showPosition(position);
  }

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
    this.rows.value = position.rows;
    this.cols.value = position.cols;
    this.total.value = position.total ?? "";
    this.shape.value = position.shape;
    // Addresses have an end; a large board is kept in the text only.
    showAddress("analyse", text.length <= 6000 ? { position: text } : {});
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
    try {
      await navigator.clipboard.writeText(this.text.value);
      toast("Copied.");
    } catch {
      this.text.select();
      toast("Press Ctrl+C to copy.");
    }
  }

  // -- answers --------------------------------------------------------------------------------------------

  async #read(text) {
    if (!text.trim()) {
      toast("Paste a position first.", true);
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
      if (error.name === "AbortError") return;
      // An impossible position is one all the same: show it with the clues that disagree.
      if (error.body?.clues && this.#looksLikeOurs(text)) {
        this.#note();
        this.board.setPosition(parsePosition(error.body.position ?? text));
        this.#showText();
      }
      this.#showError(error);
    }
  }

  #looksLikeOurs(text) {
    const lines = text.trim().split(/\s+/)[0].split("/");
    return lines.every((line) => line.length === lines[0].length && [...line].every((symbol) => codeOf(symbol) !== undefined));
  }

  async #analyse() {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.verdict.setAttribute("aria-busy", "true");
    try {
      this.#show(await api.analyse(formatPosition(this.board.position), running.signal));
    } catch (error) {
      if (error.name !== "AbortError") this.#showError(error);
    } finally {
      if (this.#running === running) this.verdict.removeAttribute("aria-busy");
    }
  }

  #show(answer) {
    this.#answer = answer;
    this.board.setMarks({});
    this.board.setChances(answer);
    const best = (answer.best ?? []).map((one) => (Array.isArray(one) ? one : one.cell));
    const isOver = !this.board.position.cells.some(isClosed);
    const figures = [["Layouts", describeLayouts(answer)], ["Safe cells", String(answer.safe.length)], ["Certain mines", String(answer.mines.length)]];
    if (best.length && answer.safe.length === 0) this.board.setMarks({ best });
    this.caption.textContent = answer.caption ?? "";
    const cellButton = (cell) => {
      const chance = this.board.chanceAt(...cell);
      return el("button", { type: "button", ...naming(cell), onclick: () => this.#explain(...cell) }, el("span", {}, cellName(cell)),
        el("b", {}, chance === null ? "" : chance.certain && chance.p === 0 ? "safe" : percent(chance.p, chance.certain)));
    };
    this.verdict.replaceChildren(
      el("h2", {}, isOver ? "Every cell is open" : answer.safe.length ? "There are safe cells" : "Nothing is safe: a guess"),
      el("dl.numbers", {}, ...figures.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
      best.length ? el("div", {}, el("p.label", {}, (answer.safe.length ? "Safe cells" : "Least risk") + (best.length > MOST_LISTED ? ` (${MOST_LISTED} of ${best.length})` : "")),
        el("div.chances", {}, ...best.slice(0, MOST_LISTED).map(cellButton))) : "",
      isOver ? "" : el("div.row", {}, bestButton((event) => this.#findBest(event.currentTarget)),
        button("Play on from here", "play", { id: "play-on", title: "A game from this position, on mines that the clues allow", onclick: (event) => this.#playOn(event.currentTarget) })),
      el("div.legend", {}, swatch("safe", "certainly safe ✓"), swatch("mine", "certainly a mine"), el("span", {}, "0 %", el("i.ramp"), "100 %")));
    const count = (cells, name) => `${cells.length} ${name}${cells.length === 1 ? "" : "s"}`;
    announce(`${count(answer.safe, "safe cell")}, ${count(answer.mines, "certain mine")}.`);
  }

  #showError(error) {
    this.#answer = null;
    this.board.setChances(null);
    this.board.setMarks({ conflict: error.body?.clues ?? [] });
    this.caption.textContent = "";
    const clues = error.body?.clues ?? [];
    this.verdict.replaceChildren(
      el("h2", {}, clues.length || error.body?.total ? "Impossible" : "This cannot be analysed"),
      el("p.notice.bad", { role: "alert" }, ...withCells(error.message)),
      clues.length ? el("p.small.soft", {}, ...withCells(describeConflict(clues.map((cell) => `the ${symbolOf(this.board.codeAt(...cell))} at ${cellName(cell)}`), error.body.total))) : "");
    if (clues.length) this.board.reveal(...clues[0]);
  }

  async #findBest(made) {
    const answer = this.#answer;
    made.disabled = true;
    made.setAttribute("aria-busy", "true");
    try {
      const found = await api.best(formatPosition(this.board.position), SECONDS);
      if (answer !== this.#answer) return; // something else is on the board by now
      this.best.replaceChildren(...bestBody(found, { explain: (cell) => this.#explain(...cell), close: () => this.#closeBest() }));
      this.best.hidden = false;
      this.proof.hidden = true;
      this.board.setMarks({ best: [found.cell] });
      this.board.reveal(...found.cell);
      announce(bestWords(found));
    } catch (error) {
      toast(error.message, true);
    } finally {
      made.disabled = false;
      made.removeAttribute("aria-busy");
    }
  }

  /** A game from the position that is shown; Back leads here again. */
  async #playOn(made) {
    made.disabled = true;
    try {
      const { id } = await api.onward({ position: formatPosition(this.board.position) });
      location.hash = addressOf("play", { game: id });
    } catch (error) {
      toast(error.message, true);
    } finally {
      made.disabled = false;
    }
  }

  #closeBest() {
    this.best.hidden = true;
    this.board.setMarks({});
  }

  async #explain(row, col) {
    try {
      const found = await api.explain(formatPosition(this.board.position), row, col);
      const body = { ...found, cell: [row, col] };
      const close = el("button.ghost", { type: "button", "aria-label": "Close the explanation", onclick: () => this.#closeProof() }, icon("cross"));
      this.proof.replaceChildren(el("header", {}, el("h2", {}, ...withCells(`Why ${cellName([row, col])}?`)), close), ...explanation(body),
        found.verdict ? "" : el("p", {}, "Chance of a mine: ", el("b", {}, percent(found.p_mine, false, 1))));
      this.proof.hidden = false;
      this.board.setMarks(found.verdict ? marksOf(body) : { clue: found.clues ?? [], last: [[row, col]] });
      this.board.reveal(row, col);
      announce(`${found.summary} ${(found.steps ?? []).map((step) => step.sentence ?? step).join(" ")}`);
    } catch (error) {
      toast(error.message, true);
    }
  }

  #closeProof() {
    this.proof.hidden = true;
    this.board.setMarks({});
  }

  key(event) {
    if (event.key === "Escape" && !this.proof.hidden) this.#closeProof();
    else if (event.key === "Escape" && !this.best.hidden) this.#closeBest();
    else if (event.key.toLowerCase() === "u") this.#undo();
    else if (event.key.toLowerCase() === "b") this.verdict.querySelector("#best-cell:not(:disabled)")?.click();
    else if (event.key.startsWith("Arrow") && (event.target === document.body || event.target.id === "main")) {
      event.preventDefault();
      this.board.grid.setCursor(...this.board.grid.cursor, { focus: true });
    }
  }
}

/** Which clues, in words, cannot hold together. */
function describeConflict(clues, isTotal) {
  if (clues.length === 1 && !isTotal) return "It is outlined on the board.";
  return `These disagree: ${[...clues, ...(isTotal ? ["the number of mines"] : [])].join(", ")}.`;
}

/** The number of layouts, exactly if it is known, else by its size. */
function describeLayouts({ layouts, log_layouts: log }) {
  if (layouts !== null && layouts !== undefined) return String(layouts).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  if (log === null || log === undefined) return "–";
  const tens = log / Math.LN10;
  const exponent = Math.floor(tens);
  const digits = String(exponent).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
  return `≈\u00a0${(10 ** (tens - exponent)).toFixed(1)}·10${digits}`;
}
