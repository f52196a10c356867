// A board: what is shown of it, at which size and place. The painter draws it, the grid says it.
//
// The canvas is as large as the window onto the board (the scroller), never as the board: a spacer inside the
// scroller gives it the board's size, so scrolling, its bars and its momentum are the browser's own. Everything is in
// device pixels.

import { readChances } from "./chances.js";
import { Geometry } from "./geometry.js";
import { attachGestures } from "./gestures.js";
import { CellGrid } from "./grid.js";
import { el } from "../common/dom.js";
import { onSchemeChange } from "../common/theme.js";
import { Neighbours } from "./neighbours.js";
import { FAR, Painter } from "./painter.js";
import { EXPLODED, FLAG, HIDDEN, emptyPosition, isClosed } from "./cells/position.js";
import { Rulers } from "./rulers.js";
import { Sprites } from "./sprites.js";

const COARSE = window.matchMedia("(pointer: coarse)");
const SMALLEST = 2; // device pixels per cell
const LARGEST_CSS = 120;
const LARGEST_FITTING = 84; // css pixels of a cell that nobody made larger
const MARGIN = 12; // css pixels of the stage around the board
const NEARLY = 0.85; // of the least comfortable size of a cell

export class Board {
  /** @type {number | null} */
  #zoom = null; // CSS pixels per cell, if chosen by hand
  /** @type {import("./chances.js").ShownChances | null} */
  #chances = null;

  // What the painter reads besides the position: cell numbers.
  /** @type {Map<number, string[]>} */
  marks = new Map(); // to the names of a cell's marks
  /** @type {Set<number>} */
  questions = new Set(); // hidden cells with a question mark
  /** @type {Set<number> | null} */
  truth = null;
  /** @type {Set<number>} */
  identified = new Set();
  hover = -1;
  pressed = -1;
  pointed = -1; // the cell whose name in a text is pointed at

  isLaidOut = false; // until then there is nothing to draw
  isRuled = false; // rows and columns are numbered unless somebody chose otherwise

  /** @param {HTMLElement} place the element that becomes the stage @param {BoardOptions} options */
  constructor(place, options = {}) {
    this.options = options;
    this.theme = options.theme ?? "board";
    this.isRuled = options.isRuled ?? false;
    this.position = emptyPosition(1, 1);
    this.geometry = new Geometry(this.position, SMALLEST);
    this.sprites = new Sprites(this.geometry, this.theme);
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.spacer = el("div.spacer", {}, this.canvas);
    this.grid = new CellGrid(this, options);
    this.scroller = el("div.scroller", {}, this.grid.element, this.spacer);
    this.stage = place;
    place.classList.add("stage");
    this.tray = el("div.tray");
    place.append(this.tray, this.scroller);
    this.painter = new Painter(this, this.canvas);
    this.neighbours = new Neighbours(this);
    this.rulers = new Rulers(this);
    this.scroller.addEventListener("scroll", () => this.painter.schedule(), { passive: true });
    const resizing = new ResizeObserver(() => this.layOut());
    resizing.observe(this.scroller);
    const ignoreScheme = onSchemeChange(() => this.#restyle());
    attachGestures(this, options);
    /** Let go of everything that outlives the stage. */
    this.destroy = () => {
      resizing.disconnect();
      ignoreScheme();
      this.rulers.destroy();
    };
  }

  // -- what is shown --------------------------------------------------------------------------------------

  /** Show a position; the size of cells is chosen anew if the board is another one. @param {Position} position */
  setPosition(position) {
    const { rows, cols, shape } = this.position;
    const isOther = rows !== position.rows || cols !== position.cols || shape !== position.shape;
    const before = this.position.cells;
    this.position = position;
    if (isOther) {
      this.#zoom = null;
      this.marks = new Map();
      this.#chances = this.truth = null;
      this.hover = this.pressed = this.pointed = -1;
      this.painter.motion.stop();
      this.grid.reset();
      this.neighbours.reset();
      this.layOut();
      this.scroller.scrollTo(0, 0);
    } else {
      for (let index = 0; index < position.cells.length; index += 1) {
        if (before[index] !== position.cells[index]) this.painter.touch(index);
      }
      this.grid.refresh();
    }
  }

  /**
   * Change single cells: [[row, col, code], …]; those that open do so in waves from a cell, if one is named.
   * @param {Change[]} changed
   * @param {Cell | null} from
   */
  setCells(changed, from = null) {
    /** @type {number[]} */
    const lifted = [];
    for (const [row, col, code] of changed) {
      const index = row * this.position.cols + col;
      if (this.position.cells[index] === HIDDEN && !isClosed(code) && code !== EXPLODED) lifted.push(index);
      this.position.cells[index] = code;
      this.painter.touch(index);
    }
    if (from !== null) this.painter.motion.start("lift", lifted, from);
    this.grid.refresh();
  }

  /** Mark cells: { clue: [[row, col], …], safe: … }. Replaces the marks before. @param {Marks} marks */
  setMarks(marks = {}) {
    /** @type {Map<number, string[]>} */
    const next = new Map();
    for (const [name, cells] of Object.entries(marks)) {
      for (const [row, col] of cells ?? []) {
        const index = row * this.position.cols + col;
        next.set(index, [...(next.get(index) ?? []), name]);
      }
    }
    for (const index of [...this.marks.keys(), ...next.keys()]) this.painter.touch(index);
    this.marks = next;
    this.grid.refresh();
    this.point(null); // the text that spoke of a cell may be gone
  }

  /**
   * Show the chance of a mine in every hidden cell: { p, safe, mines } as the server says it, or null.
   * @param {Chances | null} chances
   */
  setChances(chances) {
    if (chances === null && this.#chances === null) return;
    this.#chances = chances === null ? null : readChances(this.position, chances);
    this.painter.redrawAll();
    this.grid.refresh();
  }

  /** The chance of the cells that no clue touches, or null if there are none. */
  get farChance() {
    const label = this.#chances?.label ?? -1;
    const { cols } = this.position;
    return label < 0 ? null : (this.#chances?.p[Math.floor(label / cols)][label % cols] ?? null);
  }

  /** Whether a chance is not written into a cell: another one carries it for all. @param {number} index */
  isLikeOthers(index) {
    return this.#chances !== null && this.#chances.far.has(index) && index !== this.#chances.label;
  }

  /** The best guess among the chances that are shown, or -1. */
  get bestGuess() {
    return this.#chances?.best ?? -1;
  }

  /** The chance shown in a cell: { p, certain }, or null. @param {number} row @param {number} col */
  chanceAt(row, col) {
    const p = this.#chances?.p[row]?.[col];
    if (p === null || p === undefined) return null;
    const certain = this.#chances?.certain.get(row * this.position.cols + col);
    return certain === undefined ? { p, certain: false } : { p: certain, certain: true };
  }

  /** Show where the mines were: [[row, col], …], or null while they are secret. @param {Cell[] | null} mines */
  setTruth(mines) {
    if (mines === null && this.truth === null) return;
    this.truth = mines === null ? null : new Set(mines.map(([row, col]) => row * this.position.cols + col));
    this.painter.redrawAll();
    this.grid.refresh();
  }

  /** @param {number} row @param {number} col */
  isMineShown(row, col) {
    return this.truth?.has(row * this.position.cols + col) ?? false;
  }

  /** Show cells as identified mines, as Watch does: a set of cell numbers. @param {Iterable<number>} cells */
  setIdentified(cells) {
    for (const index of [...this.identified, ...cells]) this.painter.touch(index);
    this.identified = new Set(cells);
  }

  /** Show question marks on hidden cells: a set of cell numbers. @param {Set<number>} cells */
  setQuestions(cells) {
    for (const index of this.questions.symmetricDifference?.(cells) ?? [...this.questions, ...cells]) {
      this.painter.touch(index);
    }
    this.questions = new Set(cells);
    this.grid.refresh();
  }

  /** @param {number} row @param {number} col */
  isIdentified(row, col) {
    return this.identified.has(row * this.position.cols + col);
  }

  /** @param {number} row @param {number} col */
  codeAt(row, col) {
    return this.position.cells[row * this.position.cols + col];
  }

  /** @param {number} row @param {number} col */
  isFlag(row, col) {
    return this.codeAt(row, col) === FLAG;
  }

  /** Number rows and columns while words beside the board name cells by them. @param {boolean} isRuled */
  rule(isRuled) {
    if (isRuled === this.isRuled) return;
    this.isRuled = isRuled;
    this.layOut();
  }

  /** @param {Cell | null} cell */
  setHover(cell) {
    this.hover = this.#swap(this.hover, cell);
  }

  /** @param {Cell | null} cell */
  setPressed(cell) {
    this.pressed = this.#swap(this.pressed, cell);
  }

  /** Point out a cell that a text speaks of, or none. @param {Cell | null} cell */
  point(cell) {
    const { rows, cols } = this.position;
    const isThere = cell !== null && cell[0] < rows && cell[1] < cols;
    this.pointed = this.#swap(this.pointed, isThere ? cell : null);
  }

  /** @param {number} before @param {Cell | null} cell */
  #swap(before, cell) {
    const next = cell === null ? -1 : cell[0] * this.position.cols + cell[1];
    if (next !== before) {
      if (before >= 0) this.painter.touch(before);
      if (next >= 0) this.painter.touch(next);
    }
    return next;
  }

  /** Draw again what the cursor left and where it went. @param {Cell | null} before @param {Cell | null} after */
  cursorMoved(before, after) {
    const { cols } = this.position;
    if (before) this.painter.touch(before[0] * cols + before[1]);
    if (after) this.painter.touch(after[0] * cols + after[1]);
    this.neighbours.refresh();
  }

  // -- size and place -------------------------------------------------------------------------------------

  get ratio() {
    return window.devicePixelRatio || 1;
  }

  /** The cell at a point of the window (clientX, clientY), or null. @param {number} clientX @param {number} clientY */
  cellAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const x = (clientX - box.left) * this.ratio;
    const y = (clientY - box.top) * this.ratio;
    if (x < 0 || y < 0 || x >= this.canvas.width || y >= this.canvas.height) return null;
    return this.geometry.hit(x + this.painter.seenX, y + this.painter.seenY);
  }

  /**
   * Where a cell is in the window, for tests: its middle and its width.
   * @param {number} row
   * @param {number} col
   */
  placeOf(row, col) {
    const box = this.canvas.getBoundingClientRect();
    const x = this.geometry.left(row, col) + this.geometry.size / 2 - this.offsetX;
    const y = this.geometry.top(row) + this.geometry.height / 2 - this.offsetY;
    return { x: box.left + x / this.ratio, y: box.top + y / this.ratio, size: this.geometry.size / this.ratio };
  }

  /**
   * Make cells larger or smaller around a point of the window (the middle by default).
   * @param {number} factor
   * @param {number | null} clientX
   * @param {number | null} clientY
   */
  zoomBy(factor, clientX = null, clientY = null) {
    const box = this.scroller.getBoundingClientRect();
    const atX = clientX === null ? box.width / 2 : clientX - box.left;
    const atY = clientY === null ? box.height / 2 : clientY - box.top;
    const old = this.geometry;
    const x = (this.offsetX + atX * this.ratio) / old.contentWidth;
    const y = (this.offsetY + atY * this.ratio) / old.contentHeight;
    const current = this.#zoom ?? old.size / this.ratio;
    this.#zoom = Math.min(LARGEST_CSS, Math.max(SMALLEST / this.ratio, current * factor));
    this.layOut();
    this.scroller.scrollTo(
      (x * this.geometry.contentWidth) / this.ratio - atX,
      (y * this.geometry.contentHeight) / this.ratio - atY,
    );
  }

  /** Show the whole board, however small its cells become; a second time, cells of a comfortable size. */
  fit() {
    const whole = this.#wholeSize();
    const isWhole = this.geometry.size <= Math.ceil(whole * this.ratio);
    this.#zoom = isWhole ? Math.max(whole, COARSE.matches ? 30 : 24) : Math.max(SMALLEST / this.ratio, whole);
    this.layOut();
  }

  /** Cells as large as the options say now, whatever was zoomed before. */
  resetSize() {
    this.#zoom = null;
    this.layOut();
  }

  /** Scroll as little as needed to see a cell and what is around it. @param {number} row @param {number} col */
  reveal(row, col) {
    const { size, height } = this.geometry;
    const margin = size * 1.5;
    const x = this.geometry.left(row, col);
    const y = this.geometry.top(row);
    let left = this.scroller.scrollLeft;
    let top = this.scroller.scrollTop;
    const width = this.canvas.width;
    const tall = this.canvas.height;
    if (this.geometry.contentWidth > width) {
      left = Math.min(left, (x - margin) / this.ratio);
      left = Math.max(left, (x + size + margin - width) / this.ratio);
    }
    if (this.geometry.contentHeight > tall) {
      top = Math.min(top, (y - margin) / this.ratio);
      top = Math.max(top, (y + height + margin - tall) / this.ratio);
    }
    this.scroller.scrollTo(left, top);
  }

  #wholeSize() {
    const { clientWidth, clientHeight } = this.scroller;
    const one = new Geometry(this.position, 1000);
    return Math.min((clientWidth * 1000) / one.contentWidth, (clientHeight * 1000) / one.contentHeight);
  }

  #comfortable(whole = this.#wholeSize()) {
    const least = this.options.smallest ?? (COARSE.matches ? 26 : 18);
    // Cells that are a little smaller are better than a board of which the edge is cut off.
    const isNearly = this.options.smallest === undefined ? NEARLY * (this.rulers.height ? NEARLY : 1) : 1;
    const enough = isNearly * least;
    return whole >= enough ? Math.min(this.options.largest ?? LARGEST_FITTING, whole) : least;
  }

  /** How tall the stage should be, by its width alone: where the page is one column it may choose. */
  #wantedHeight() {
    const one = new Geometry(this.position, 1000);
    const size = this.#comfortable((this.scroller.clientWidth * 1000) / one.contentWidth) / 1000;
    return Math.ceil(size * one.contentHeight) + MARGIN + this.rulers.height;
  }

  /** Choose the size of cells and draw everything anew. */
  layOut() {
    this.rulers.layOut();
    const size = Math.max(SMALLEST, Math.floor((this.#zoom ?? this.#comfortable()) * this.ratio));
    this.geometry = new Geometry(this.position, size);
    this.isLaidOut = true;
    if (this.sprites.geometry.size !== size || this.sprites.geometry.isHex !== this.geometry.isHex) {
      this.sprites = new Sprites(this.geometry, this.theme);
    }
    this.stage.style.setProperty("--wanted", `${this.#wantedHeight()}px`);
    this.spacer.style.width = `${this.geometry.contentWidth / this.ratio}px`;
    this.spacer.style.height = `${this.geometry.contentHeight / this.ratio}px`;
    const width = Math.max(1, Math.floor(this.scroller.clientWidth * this.ratio));
    const height = Math.max(1, Math.floor(this.scroller.clientHeight * this.ratio));
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.canvas.style.width = `${width / this.ratio}px`;
      this.canvas.style.height = `${height / this.ratio}px`;
    }
    const isCut = this.geometry.contentWidth > width || this.geometry.contentHeight > height;
    this.stage.classList.toggle("zoomable", isCut || this.#zoom !== null);
    this.#placeTray();
    this.stage.classList.toggle("far", size < FAR);
    this.painter.redrawAll();
  }

  /** Lay the tray below what is seen of the board. */
  #placeTray() {
    const { canvas, geometry, ratio, scroller } = this;
    const { style } = this.tray;
    const x = scroller.offsetLeft + Math.max(0, -this.offsetX) / ratio;
    const y = scroller.offsetTop + Math.max(0, -this.offsetY) / ratio;
    style.translate = `${x}px ${y}px`; // which does not shift the layout
    style.width = `${Math.min(canvas.width, geometry.contentWidth) / ratio}px`;
    style.height = `${Math.min(canvas.height, geometry.contentHeight) / ratio}px`;
  }

  #restyle() {
    this.sprites = new Sprites(this.geometry, this.theme);
    this.rulers.layOut();
    this.painter.redrawAll();
  }

  /** Where on the board the canvas begins. */
  get offsetX() {
    const spare = this.canvas.width - this.geometry.contentWidth;
    return spare > 0 ? -Math.floor(spare / 2) : Math.round(this.scroller.scrollLeft * this.ratio);
  }

  get offsetY() {
    const spare = this.canvas.height - this.geometry.contentHeight;
    if (spare <= 0) return Math.round(this.scroller.scrollTop * this.ratio);
    return this.options.atTop ? 0 : -Math.floor(spare / 2);
  }
}
