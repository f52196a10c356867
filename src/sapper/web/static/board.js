// A board on a canvas: what is seen of it, at which size, redrawn only where something changed.
//
// The canvas is as large as the window onto the board (the scroller), never as the board: a spacer inside the
// scroller gives it the board's size, so scrolling, its bars and its momentum are the browser's own. Scrolling
// moves the pixels that stay and paints the strips that come into sight. Everything is in device pixels.

import { Geometry } from "./geometry.js";
import { attachGestures } from "./gestures.js";
import { CellGrid } from "./grid.js";
import { el } from "./dom.js";
import { bare } from "./percent.js";
import { onSchemeChange } from "./palette.js";
import { EXPLODED, FLAG, HIDDEN, NO_CLUE, emptyPosition } from "./position.js";
import { Sprites } from "./sprites.js";

const COARSE = window.matchMedia("(pointer: coarse)");
const SMALLEST = 2; // device pixels per cell
const LARGEST_CSS = 72;
const FAR = 8; // below this many device pixels a cell is one colour

export class Board {
  #dirty = new Set();
  #isStale = true; // everything is to be drawn again
  #frame = 0;
  #seenX = 0;
  #seenY = 0;
  #zoom = null; // css pixels per cell if somebody chose it
  #pixels = null;
  #marks = new Map();
  #chances = null;
  #truth = null;
  #identified = new Set();
  #hover = -1;
  #pressed = -1;

  /**
   * @param place the element that becomes the stage
   * @param options label; theme ("board" or "watch"); act(action, row, col), if cells can be used;
   *   describe(row, col), more words about a cell; key(event, row, col), for keys that are not arrows;
   *   largest, css pixels of a cell that fits by itself
   */
  constructor(place, options = {}) {
    this.options = options;
    this.theme = options.theme ?? "board";
    this.position = emptyPosition(1, 1);
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.spacer = el("div.spacer", {}, this.canvas);
    this.grid = new CellGrid(this, options);
    this.scroller = el("div.scroller", {}, this.grid.element, this.spacer);
    this.stage = place;
    place.classList.add("stage");
    place.append(this.scroller);
    this.context = this.canvas.getContext("2d", { alpha: true });
    this.scroller.addEventListener("scroll", () => this.#schedule(), { passive: true });
    new ResizeObserver(() => this.#layOut()).observe(this.scroller);
    onSchemeChange(() => this.#restyle());
    attachGestures(this, options);
  }

  // -- what is shown --------------------------------------------------------------------------------------

  /** Show a position; the size of cells is chosen anew if the board is another one. */
  setPosition(position) {
    const { rows, cols, shape } = this.position;
    const isOther = rows !== position.rows || cols !== position.cols || shape !== position.shape;
    const before = this.position.cells;
    this.position = position;
    if (isOther) {
      this.#zoom = null;
      this.#marks = new Map();
      this.#chances = this.#truth = null;
      this.#hover = this.#pressed = -1;
      this.grid.reset();
      this.#layOut();
      this.scroller.scrollTo(0, 0);
    } else {
      for (let index = 0; index < position.cells.length; index += 1) {
        if (before[index] !== position.cells[index]) this.#dirty.add(index);
      }
      this.#schedule();
      this.grid.refresh();
    }
  }

  /** Change single cells: [[row, col, code], …]. */
  setCells(changed) {
    for (const [row, col, code] of changed) {
      const index = row * this.position.cols + col;
      this.position.cells[index] = code;
      this.#dirty.add(index);
    }
    this.#schedule();
    this.grid.refresh();
  }

  /** Mark cells: { clue: [[row, col], …], safe: … }. Replaces the marks before. */
  setMarks(marks = {}) {
    const next = new Map();
    for (const [name, cells] of Object.entries(marks)) {
      for (const [row, col] of cells ?? []) {
        const index = row * this.position.cols + col;
        if (!next.has(index)) next.set(index, []);
        next.get(index).push(name);
      }
    }
    for (const index of [...this.#marks.keys(), ...next.keys()]) this.#dirty.add(index);
    this.#marks = next;
    this.#schedule();
  }

  /** Show the chance of a mine in every hidden cell: { p, safe, mines } as the server says it, or null. */
  setChances(chances) {
    if (chances === null && this.#chances === null) return;
    if (chances === null) {
      this.#chances = null;
    } else {
      const certain = new Map();
      for (const [row, col] of chances.safe) certain.set(row * this.position.cols + col, 0);
      for (const [row, col] of chances.mines) certain.set(row * this.position.cols + col, 1);
      this.#chances = { p: chances.p, certain };
    }
    this.#redrawAll();
    this.grid.refresh();
  }

  /** The chance shown in a cell: { p, certain }, or null. */
  chanceAt(row, col) {
    const p = this.#chances?.p[row]?.[col];
    if (p === null || p === undefined) return null;
    const certain = this.#chances.certain.get(row * this.position.cols + col);
    return certain === undefined ? { p, certain: false } : { p: certain, certain: true };
  }

  /** Show where the mines were: [[row, col], …], or null while nobody may know. */
  setTruth(mines) {
    if (mines === null && this.#truth === null) return;
    this.#truth = mines === null ? null : new Set(mines.map(([row, col]) => row * this.position.cols + col));
    this.#redrawAll();
    this.grid.refresh();
  }

  isMineShown(row, col) {
    return this.#truth?.has(row * this.position.cols + col) ?? false;
  }

  /** Show cells as identified mines, as Watch does: a set of cell numbers. */
  setIdentified(cells) {
    for (const index of [...this.#identified, ...cells]) this.#dirty.add(index);
    this.#identified = new Set(cells);
    this.#schedule();
  }

  isIdentified(row, col) {
    return this.#identified.has(row * this.position.cols + col);
  }

  codeAt(row, col) {
    return this.position.cells[row * this.position.cols + col];
  }

  setHover(cell) {
    this.#hover = this.#swap(this.#hover, cell);
  }

  setPressed(cell) {
    this.#pressed = this.#swap(this.#pressed, cell);
  }

  #swap(before, cell) {
    const next = cell === null ? -1 : cell[0] * this.position.cols + cell[1];
    if (next !== before) {
      if (before >= 0) this.#dirty.add(before);
      if (next >= 0) this.#dirty.add(next);
      this.#schedule();
    }
    return next;
  }

  /** Draw again what the cursor left and where it went. */
  cursorMoved(before, after) {
    const { cols } = this.position;
    if (before) this.#dirty.add(before[0] * cols + before[1]);
    if (after) this.#dirty.add(after[0] * cols + after[1]);
    this.#schedule();
  }

  // -- size and place -------------------------------------------------------------------------------------

  get ratio() {
    return window.devicePixelRatio || 1;
  }

  /** The cell at a point of the window (clientX, clientY), or null. */
  cellAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const x = (clientX - box.left) * this.ratio;
    const y = (clientY - box.top) * this.ratio;
    if (x < 0 || y < 0 || x >= this.canvas.width || y >= this.canvas.height) return null;
    return this.geometry.hit(x + this.#seenX, y + this.#seenY);
  }

  /** Where a cell is on the window, for whoever wants to click it: its middle and its width. */
  placeOf(row, col) {
    const box = this.canvas.getBoundingClientRect();
    const x = this.geometry.left(row, col) + this.geometry.size / 2 - this.#offsetX();
    const y = this.geometry.top(row) + this.geometry.height / 2 - this.#offsetY();
    return { x: box.left + x / this.ratio, y: box.top + y / this.ratio, size: this.geometry.size / this.ratio };
  }

  /** Make cells larger or smaller around a point of the window (the middle by default). */
  zoomBy(factor, clientX = null, clientY = null) {
    const box = this.scroller.getBoundingClientRect();
    const atX = clientX === null ? box.width / 2 : clientX - box.left;
    const atY = clientY === null ? box.height / 2 : clientY - box.top;
    const old = this.geometry;
    const x = (this.#offsetX() + atX * this.ratio) / old.contentWidth;
    const y = (this.#offsetY() + atY * this.ratio) / old.contentHeight;
    const current = this.#zoom ?? old.size / this.ratio;
    this.#zoom = Math.min(LARGEST_CSS, Math.max(SMALLEST / this.ratio, current * factor));
    this.#layOut();
    this.scroller.scrollTo(
      x * this.geometry.contentWidth / this.ratio - atX,
      y * this.geometry.contentHeight / this.ratio - atY,
    );
  }

  /** Show the whole board, however small its cells become; a second time, cells of a comfortable size. */
  fit() {
    const whole = this.#wholeSize();
    const isWhole = this.geometry.size <= Math.ceil(whole * this.ratio);
    this.#zoom = isWhole ? Math.max(whole, COARSE.matches ? 30 : 24) : Math.max(SMALLEST / this.ratio, whole);
    this.#layOut();
  }

  /** Scroll as little as needed to see a cell and what is around it. */
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
    return Math.min(clientWidth * 1000 / one.contentWidth, clientHeight * 1000 / one.contentHeight);
  }

  #comfortable() {
    const least = this.options.smallest ?? (COARSE.matches ? 26 : 18);
    return Math.max(least, Math.min(this.options.largest ?? 52, this.#wholeSize()));
  }

  #layOut() {
    const size = Math.max(SMALLEST, Math.floor((this.#zoom ?? this.#comfortable()) * this.ratio));
    this.geometry = new Geometry(this.position, size);
    if (this.sprites === undefined || this.sprites.geometry.size !== size || this.sprites.geometry.isHex !== this.geometry.isHex) {
      this.sprites = new Sprites(this.geometry, this.theme);
    }
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
    this.#redrawAll();
  }

  #restyle() {
    this.sprites = new Sprites(this.geometry, this.theme);
    this.#redrawAll();
  }

  #offsetX() {
    const spare = this.canvas.width - this.geometry.contentWidth;
    return spare > 0 ? -Math.floor(spare / 2) : Math.round(this.scroller.scrollLeft * this.ratio);
  }

  #offsetY() {
    const spare = this.canvas.height - this.geometry.contentHeight;
    if (spare <= 0) return Math.round(this.scroller.scrollTop * this.ratio);
    return this.options.atTop ? 0 : -Math.floor(spare / 2);
  }

  // -- drawing --------------------------------------------------------------------------------------------

  #redrawAll() {
    this.#isStale = true;
    this.#schedule();
  }

  #schedule() {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    if (this.geometry === undefined) return;
    const x = this.#offsetX();
    const y = this.#offsetY();
    if (this.geometry.size < FAR) {
      this.#drawFromFar(x, y);
    } else if (this.#isStale) {
      this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
      this.#seenX = x;
      this.#seenY = y;
      this.#paint(0, 0, this.canvas.width, this.canvas.height);
    } else {
      this.#shift(x, y);
      for (const index of this.#dirty) this.#paintCell(index);
    }
    this.#seenX = x;
    this.#seenY = y;
    this.#dirty.clear();
    this.#isStale = false;
  }

  #shift(x, y) {
    const right = x - this.#seenX;
    const down = y - this.#seenY;
    if (right === 0 && down === 0) return;
    const { width, height } = this.canvas;
    this.#seenX = x;
    this.#seenY = y;
    if (Math.abs(right) >= width || Math.abs(down) >= height) {
      this.context.clearRect(0, 0, width, height);
      this.#paint(0, 0, width, height);
      return;
    }
    this.context.globalCompositeOperation = "copy";
    this.context.drawImage(this.canvas, -right, -down);
    this.context.globalCompositeOperation = "source-over";
    if (right > 0) this.#paint(width - right, 0, right, height);
    if (right < 0) this.#paint(0, 0, -right, height);
    if (down > 0) this.#paint(0, height - down, width, down);
    if (down < 0) this.#paint(0, 0, width, -down);
  }

  /** Paint all cells that meet an area of the canvas. */
  #paint(x, y, width, height) {
    const area = this.geometry.range(x + this.#seenX, y + this.#seenY, width, height);
    for (let row = area.firstRow; row <= area.lastRow; row += 1) {
      for (let col = area.firstCol; col <= area.lastCol; col += 1) this.#paintAt(row, col);
    }
  }

  #paintCell(index) {
    const { rows, cols } = this.position;
    const row = Math.floor(index / cols);
    const col = index % cols;
    this.#paintAt(row, col);
    if (this.geometry.rim === 0) return;
    // The rim shows cells of the edges a second time, corners a third and fourth.
    const alsoRows = [row, ...(row === 0 ? [rows] : []), ...(row === rows - 1 ? [-1] : [])];
    const alsoCols = [col, ...(col === 0 ? [cols] : []), ...(col === cols - 1 ? [-1] : [])];
    for (const r of alsoRows) for (const c of alsoCols) if (r !== row || c !== col) this.#paintAt(r, c);
  }

  #paintAt(row, col) {
    const { rows, cols } = this.position;
    const isRim = row < 0 || col < 0 || row >= rows || col >= cols;
    const index = ((row + rows) % rows) * cols + ((col + cols) % cols);
    const x = this.geometry.left(row, col) - this.#seenX;
    const y = this.geometry.top(row) - this.#seenY;
    const { context } = this;
    if (isRim) {
      context.clearRect(x, y, this.geometry.size, this.geometry.height);
      context.globalAlpha = 0.3;
    }
    context.drawImage(this.sprites.face(this.#faceOf(index)), x, y);
    for (const name of this.#marks.get(index) ?? []) context.drawImage(this.sprites.mark(name), x, y);
    if (index === this.#hover && this.#canBeUsed(index)) context.drawImage(this.sprites.mark("hover"), x, y);
    if (index === this.#pressed && this.#canBeUsed(index)) context.drawImage(this.sprites.mark("pressed"), x, y);
    if (!isRim && this.grid.showsCursor(index)) context.drawImage(this.sprites.mark("cursor"), x, y);
    if (isRim) context.globalAlpha = 1;
  }

  #canBeUsed(index) {
    return this.#truth === null && isClosed(this.position.cells[index]);
  }

  #faceOf(index) {
    const code = this.position.cells[index];
    if (code >= 0) return `clue:${code}`;
    if (code === EXPLODED) return "exploded";
    if (code === NO_CLUE) return "silent";
    if (this.#truth !== null) return this.#faceInTruth(index, code);
    if (this.theme === "watch") return this.#identified.has(index) || code === FLAG ? "identified" : "hidden";
    const chance = this.#chances === null ? null : this.chanceAt(Math.floor(index / this.position.cols), index % this.position.cols);
    if (chance === null) return code === FLAG ? "flag" : "hidden";
    if (code === FLAG) return `flag-chance:${bare(chance.p, chance.certain)}`;
    if (chance.certain) return chance.p === 0 ? "surely-safe" : "surely-mine";
    return `chance:${bare(chance.p)}`;
  }

  #faceInTruth(index, code) {
    const isMine = this.#truth.has(index);
    if (this.theme === "watch") return isMine ? "mine" : "hidden";
    if (code === FLAG) return isMine ? "flag" : "wrong-flag";
    return isMine ? "mine" : "hidden";
  }

  /** Seen from far away a cell is a dot of its colour: the board is one small image, enlarged. */
  #drawFromFar(x, y) {
    const { rows, cols } = this.position;
    if (this.#isStale || this.#pixels === null || this.#pixels.width !== cols || this.#pixels.height !== rows) {
      this.#pixels = document.createElement("canvas");
      this.#pixels.width = cols;
      this.#pixels.height = rows;
      for (let index = 0; index < rows * cols; index += 1) this.#dirty.add(index);
    }
    const small = this.#pixels.getContext("2d");
    for (const index of this.#dirty) {
      const marks = this.#marks.get(index);
      small.fillStyle = this.grid.showsCursor(index) ? "#0b4fc0" : marks ? this.sprites.colours.ink : this.#farColour(index);
      small.fillRect(index % cols, Math.floor(index / cols), 1, 1);
    }
    const { context } = this;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.imageSmoothingEnabled = false;
    const { size, pitch, rim, isHex } = this.geometry;
    if (!isHex) {
      context.drawImage(this.#pixels, rim - x, rim - y, cols * size, rows * size);
      return;
    }
    for (let row = 0; row < rows; row += 1) {
      context.drawImage(this.#pixels, 0, row, cols, 1, this.geometry.left(row, 0) - x, row * pitch - y, cols * size, pitch);
    }
  }

  #farColour(index) {
    const face = this.#faceOf(index);
    if (face.startsWith("clue:") && face !== "clue:0") return this.sprites.colours.clues[Number(face[5])];
    if (face === "flag" || face === "mine" || face === "wrong-flag") return this.sprites.colours.flag;
    return this.sprites.plain(face);
  }
}

export const isClosed = (code) => code === HIDDEN || code === FLAG;
