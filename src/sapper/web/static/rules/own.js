// A choice of shapes, and a field for the neighbour table of a custom board that reports errors.

import { isTable, mistakeIn, tableOf, wordOf, writeTable } from "../board/cells/table.js";
import { nameOfShape, neighbourNumbers } from "../board/cells/topology.js";
import { el } from "../common/dom.js";
import { OWN } from "../constants.js";
import { language, lookUp, say } from "../words/index.js";

let nMade = 0; // fields; each needs names of its own for what is said about it

/** Shapes to choose from, and below them the table where the shape has no name. */
export class ShapeField {
  /** @type {string | null} */
  #filled = ""; // the table that was filled in automatically
  #named = "square"; // the last shape that has a name

  /** @param {Info} info @param {Attributes} attributes */
  constructor(info, attributes = {}) {
    const id = `table-${++nMade}`;
    this.most = info.limits.table;
    this.select = el(
      "select",
      attributes,
      ...[...info.topologies, OWN].map((shape) =>
        el("option", { value: shape }, lookUp(say.rules.shapes, shape) ?? shape),
      ),
    );
    this.text = el("textarea.mono.table-text", {
      rows: "3",
      spellcheck: "false",
      autocomplete: "off",
      required: true,
      "aria-describedby": `${id}-hint ${id}-wrong`,
      ...attributes,
    });
    this.wrong = el("p.notice.bad.small", { id: `${id}-wrong`, role: "status", hidden: true });
    this.own = el(
      "div.own-table",
      { hidden: true },
      el("label.field", {}, el("span", {}, say.table.label), this.text),
      this.wrong,
      el("p.small.soft", { id: `${id}-hint` }, say.table.hint(this.most.toLocaleString(language))),
    );
  }

  get isOwn() {
    return this.select.value === OWN;
  }

  /** The shape as rules and positions say it. */
  get shape() {
    return this.isOwn ? wordOf(this.#table) : this.select.value;
  }

  set shape(shape) {
    this.select.value = nameOfShape(shape);
    if (isTable(shape) && tableOf(shape) !== this.#table) {
      this.text.value = tableOf(shape);
      this.#filled = null;
    }
  }

  get #table() {
    const typed = this.text.value.replace(/\s+/g, "");
    return isTable(typed) ? tableOf(typed) : typed;
  }

  /**
   * Show what belongs to the shape on a board of this size; whether it is a board.
   * @param {number} rows
   * @param {number} cols
   */
  check(rows, cols) {
    const isSized = rows > 0 && cols > 0; // false during typing
    if (!this.isOwn) this.#named = this.select.value;
    else if (isSized && this.text.value === this.#filled) this.#fill(rows, cols);
    this.own.hidden = !this.isOwn;
    this.text.disabled = !this.isOwn; // hidden fields need not be filled in
    const mistake = this.isOwn && isSized && this.#table ? mistakeIn(this.#table, rows * cols, this.most) : null;
    this.text.setCustomValidity(mistake ?? "");
    this.text.setAttribute("aria-invalid", String(mistake !== null));
    this.wrong.textContent = mistake ?? "";
    this.wrong.hidden = mistake === null;
    return !this.isOwn || (mistake === null && this.#table !== "");
  }

  /**
   * Begin with the table of the shape before: it is a board to change, where an empty field is none.
   * @param {number} rows
   * @param {number} cols
   */
  #fill(rows, cols) {
    // Every cell takes a character at least, so what is far too large need not be written to see that.
    const isLarge = rows * cols > this.most;
    const table = isLarge ? "" : writeTable(neighbourNumbers({ shape: this.#named, rows, cols }));
    this.#filled = this.text.value = wordOf(table).length <= this.most ? table : "";
  }
}
