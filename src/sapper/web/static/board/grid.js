// The board for keyboards and screen readers: a grid of real, focusable cells behind the picture.
//
// Only the cells around the cursor are in the document; aria-rowcount and aria-rowindex say where they belong.

import { el } from "../common/dom.js";
import { percent } from "../common/percent.js";
import { FLAG, HIDDEN, describeCode } from "./cells/position.js";
import { hidesNeighbours, neighboursOf, step } from "./cells/topology.js";
import { lookUp, say } from "../words/index.js";

const MOST = 13; // rows and columns in the document at once
/** @type {Record<string, Cell>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class CellGrid {
  /** @type {Cell} */
  #cursor = [0, 0];
  /** @type {{ top: number, bottom: number, left: number, right: number } | null} */
  #window = null;
  /** @type {Map<string, HTMLElement>} */
  #cells = new Map();
  #isFocused = false;
  #byPointer = false; // the mouse needs no ring around the cell it points at
  #isMoving = false;
  #refreshing = 0;

  /** @param {Board} board @param {BoardOptions} options */
  constructor(board, options) {
    this.board = board;
    this.options = options;
    this.element = el("div.cells", {
      role: "grid",
      "aria-label": options.label ?? say.common.board,
      onkeydown: (event) => this.#key(event),
      onfocusin: () => this.#focusChanged(true),
    });
    this.element.addEventListener("focusout", ({ relatedTarget }) => {
      // From cell to cell the focus stays in the grid.
      const stays = relatedTarget instanceof Node && this.element.contains(relatedTarget);
      if (!this.#isMoving && !stays) this.#focusChanged(false);
    });
    if (!options.act) this.element.setAttribute("aria-readonly", "true");
  }

  get cursor() {
    return this.#cursor;
  }

  get isFocused() {
    return this.#isFocused;
  }

  /** @param {number} index */
  showsCursor(index) {
    const { cols } = this.board.position;
    return this.#isFocused && !this.#byPointer && index === this.#cursor[0] * cols + this.#cursor[1];
  }

  reset() {
    const { rows, cols } = this.board.position;
    const wasFocused = this.#isFocused;
    this.#isMoving = true;
    this.#cursor = [Math.min(this.#cursor[0], rows - 1), Math.min(this.#cursor[1], cols - 1)];
    this.element.setAttribute("aria-rowcount", String(rows));
    this.element.setAttribute("aria-colcount", String(cols));
    this.#window = null;
    this.#fill();
    if (wasFocused) this.focus();
    this.#isMoving = false;
  }

  /** Bring the words of all cells up to date, once per frame. */
  refresh() {
    if (this.#refreshing === 0) {
      this.#refreshing = requestAnimationFrame(() => {
        this.#refreshing = 0;
        for (const [key, cell] of this.#cells) {
          const [row, col] = key.split(",").map(Number);
          this.#label(cell, row, col);
        }
      });
    }
  }

  focus() {
    this.#cellAt(this.#cursor)?.focus({ preventScroll: true });
  }

  /** @param {number} row @param {number} col @param {{ focus?: boolean, byPointer?: boolean }} how */
  setCursor(row, col, { focus = false, byPointer = false } = {}) {
    const before = this.#cursor;
    this.#isMoving = true;
    this.#byPointer = byPointer;
    const hadFocus = this.#isFocused;
    this.#cellAt(before)?.setAttribute("tabindex", "-1");
    this.#cursor = [row, col];
    this.#fill();
    this.#cellAt(this.#cursor)?.setAttribute("tabindex", "0");
    if (focus || hadFocus) this.focus();
    this.#isMoving = false;
    this.board.stage.classList.toggle("focused", this.#isFocused && !byPointer);
    this.board.cursorMoved(before, this.#cursor);
  }

  /** What a screen reader says of a cell. @param {number} row @param {number} col */
  describe(row, col) {
    const { board } = this;
    const code = board.codeAt(row, col);
    let words = describeCode(code);
    if ((code === HIDDEN || code === FLAG) && board.isMineShown(row, col)) {
      words = code === FLAG ? say.board.flagOnMine : say.board.mine;
    } else if (code === HIDDEN && board.questions.has(row * board.position.cols + col)) words = say.board.question;
    if (board.isIdentified(row, col)) words = say.board.identified;
    const chance = board.chanceAt(row, col);
    if (chance !== null) {
      if (chance.certain) words = chance.p === 0 ? say.board.certainlySafe(words) : say.board.certainlyMine(words);
      else words = say.board.chance(words, percent(chance.p));
    }
    // Marks that say something of a cell which no text beside the board has said.
    const marked = (board.marks.get(row * board.position.cols + col) ?? [])
      .map((name) => lookUp(say.board.marks, name))
      .find(Boolean);
    return say.board.cell(row, col, marked ? marked(words) : words);
  }

  /** @param {Cell} cell */
  #cellAt([row, col]) {
    return this.#cells.get(`${row},${col}`);
  }

  /** @param {HTMLElement} cell @param {number} row @param {number} col */
  #label(cell, row, col) {
    const words = this.describe(row, col);
    if (cell.getAttribute("aria-label") !== words) cell.setAttribute("aria-label", words);
    // Said once more, when a reader stays at the cell: which cells it is about, where that is not plain.
    if (hidesNeighbours(this.board.position)) {
      cell.setAttribute("aria-description", describeNeighbours(this.board.position, row, col));
    }
  }

  #fill() {
    const { rows, cols } = this.board.position;
    const [row, col] = this.#cursor;
    const seen = this.#window;
    // A margin of one, so that a reader who looks around the cursor finds the neighbours.
    /** @param {number} at @param {number} from @param {number} to @param {number} most */
    const isInside = (at, from, to, most) => (at > from || from === 0) && (at < to || to === most - 1);
    if (seen && isInside(row, seen.top, seen.bottom, rows) && isInside(col, seen.left, seen.right, cols)) return;
    /** @param {number} at @param {number} most @returns {[number, number]} */
    const span = (at, most) => {
      const from = Math.max(0, Math.min(at - Math.floor(MOST / 2), most - MOST));
      return [from, Math.min(most - 1, from + MOST - 1)];
    };
    const [top, bottom] = span(row, rows);
    const [left, right] = span(col, cols);
    this.#window = { top, bottom, left, right };
    this.#cells.clear();
    const lines = [];
    for (let r = top; r <= bottom; r += 1) {
      const line = el("div", { role: "row", "aria-rowindex": String(r + 1) });
      for (let c = left; c <= right; c += 1) {
        const cell = el("div", {
          role: "gridcell",
          "aria-colindex": String(c + 1),
          tabindex: r === row && c === col ? "0" : "-1",
        });
        this.#label(cell, r, c);
        this.#cells.set(`${r},${c}`, cell);
        line.append(cell);
      }
      lines.push(line);
    }
    this.element.replaceChildren(...lines);
  }

  /** @param {boolean} isFocused */
  #focusChanged(isFocused) {
    if (isFocused === this.#isFocused) return;
    this.#isFocused = isFocused;
    if (!this.#isMoving) this.#byPointer = false;
    this.board.stage.classList.toggle("focused", isFocused && !this.#byPointer);
    this.board.cursorMoved(null, this.#cursor);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.metaKey) return;
    const [row, col] = this.#cursor;
    const { rows, cols } = this.board.position;
    /** @type {Cell | null} */
    let to = null;
    if (event.key in ARROWS && !event.ctrlKey) to = step(this.board.position, row, col, ...ARROWS[event.key]);
    else if (event.key === "Home") to = event.ctrlKey ? [0, 0] : [row, 0];
    else if (event.key === "End") to = event.ctrlKey ? [rows - 1, cols - 1] : [row, cols - 1];
    else if (event.key === "PageUp") to = [Math.max(0, row - 10), col];
    else if (event.key === "PageDown") to = [Math.min(rows - 1, row + 10), col];
    if (to !== null) {
      event.preventDefault();
      event.stopPropagation();
      this.setCursor(...to, { focus: true });
      this.board.reveal(...to);
    } else if (!event.ctrlKey && this.options.key?.(event, row, col)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }
}

/** @param {Position} position @param {number} row @param {number} col */
function describeNeighbours(position, row, col) {
  const places = neighboursOf(position, row, col).map((cell) => say.board.place(...cell));
  return places.length ? say.board.touches(places.join("; ")) : say.board.touchesNone;
}
