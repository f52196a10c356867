// Draws a board on its canvas, once per frame and only where something changed.
//
// Scrolling moves the pixels that stay and paints the strips that come into sight. Everything is in device pixels.

import { contextOf } from "../common/dom.js";
import { bare } from "../common/percent.js";
import { EXPLODED, FLAG, NO_CLUE, isClosed } from "./cells/position.js";
import { Motion } from "./paint/motion.js";

export const FAR = 8; // below this many device pixels a cell is one colour
const SHADED = 14; // from this many on, hidden cells throw a shadow

export class Painter {
  /** @type {Set<number>} */
  #dirty = new Set();
  #isStale = true; // everything is to be drawn again
  #frame = 0;
  /** @type {HTMLCanvasElement | null} */
  #pixels = null;

  // What is on the canvas now: the place on the board of its top left corner.
  seenX = 0;
  seenY = 0;

  /** @param {Board} board @param {HTMLCanvasElement} canvas */
  constructor(board, canvas) {
    this.board = board;
    this.canvas = canvas;
    this.context = contextOf(canvas);
    this.motion = new Motion(board);
  }

  /** Draw everything again. */
  redrawAll() {
    this.#isStale = true;
    this.schedule();
  }

  /** Draw a cell again, once per frame however often it is asked for. @param {number} index */
  touch(index) {
    this.#dirty.add(index);
    // The shadow of this cell falls on the next one and on the one below.
    const { cells, cols } = this.board.position;
    if ((index + 1) % cols !== 0) this.#dirty.add(index + 1);
    if (index + cols < cells.length) this.#dirty.add(index + cols);
    this.schedule();
  }

  schedule() {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    if (!this.board.isLaidOut) return;
    const x = this.board.offsetX;
    const y = this.board.offsetY;
    const isFar = this.board.geometry.size < FAR;
    if (isFar) this.motion.stop();
    for (const index of this.motion.due(performance.now())) this.touch(index);
    if (isFar) {
      this.#drawFromFar(x, y);
    } else if (this.#isStale) {
      this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
      this.seenX = x;
      this.seenY = y;
      this.#paint(0, 0, this.canvas.width, this.canvas.height);
    } else {
      this.#shift(x, y);
      for (const index of this.#dirty) this.#paintCell(index);
    }
    this.seenX = x;
    this.seenY = y;
    this.#dirty.clear();
    this.#isStale = false;
    this.board.rulers.draw(x, y);
    if (!this.motion.isOver) this.schedule();
  }

  /** @param {number} x @param {number} y */
  #shift(x, y) {
    const right = x - this.seenX;
    const down = y - this.seenY;
    if (right === 0 && down === 0) return;
    const { width, height } = this.canvas;
    this.seenX = x;
    this.seenY = y;
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

  /**
   * Paint all cells that meet an area of the canvas.
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  #paint(x, y, width, height) {
    const area = this.board.geometry.range(x + this.seenX, y + this.seenY, width, height);
    for (let row = area.firstRow; row <= area.lastRow; row += 1) {
      for (let col = area.firstCol; col <= area.lastCol; col += 1) this.#paintAt(row, col);
    }
  }

  /** @param {number} index */
  #paintCell(index) {
    const { rows, cols } = this.board.position;
    const row = Math.floor(index / cols);
    const col = index % cols;
    this.#paintAt(row, col);
    if (this.board.geometry.rim === 0) return;
    // The rim shows cells of the edges a second time, corners a third and fourth.
    const alsoRows = [row, ...(row === 0 ? [rows] : []), ...(row === rows - 1 ? [-1] : [])];
    const alsoCols = [col, ...(col === 0 ? [cols] : []), ...(col === cols - 1 ? [-1] : [])];
    for (const r of alsoRows) for (const c of alsoCols) if (r !== row || c !== col) this.#paintAt(r, c);
  }

  /** @param {number} row @param {number} col */
  #paintAt(row, col) {
    const { rows, cols } = this.board.position;
    const isRim = row < 0 || col < 0 || row >= rows || col >= cols;
    const index = ((row + rows) % rows) * cols + ((col + cols) % cols);
    const x = this.board.geometry.left(row, col) - this.seenX;
    const y = this.board.geometry.top(row) - this.seenY;
    const { context } = this;
    if (isRim) {
      context.clearRect(x, y, this.board.geometry.size, this.board.geometry.height);
      context.globalAlpha = 0.3;
    }
    const face = this.board.sprites.face(this.#faceOf(index), index);
    if (!this.motion.draw(context, index, x, y, face)) context.drawImage(face, x, y);
    if (!isRim) this.#shade(row, col, x, y);
    for (const name of this.board.marks.get(index) ?? []) context.drawImage(this.board.sprites.mark(name), x, y);
    if (index === this.board.bestGuess) context.drawImage(this.board.sprites.mark("best"), x, y);
    if (this.board.neighbours.has(index)) context.drawImage(this.board.sprites.mark("near"), x, y);
    if (index === this.board.hover && this.#canBeUsed(index)) context.drawImage(this.board.sprites.mark("hover"), x, y);
    if (index === this.board.pressed && this.#canBeUsed(index)) {
      context.drawImage(this.board.sprites.mark("pressed"), x, y);
    }
    if (index === this.board.pointed) context.drawImage(this.board.sprites.mark("pointed"), x, y);
    if (!isRim && this.board.grid.showsCursor(index)) context.drawImage(this.board.sprites.mark("cursor"), x, y);
    if (isRim) context.globalAlpha = 1;
  }

  /**
   * An open cell lies lower than the hidden ones above and to the left of it.
   * @param {number} row
   * @param {number} col
   * @param {number} x
   * @param {number} y
   */
  #shade(row, col, x, y) {
    const { geometry, position, sprites } = this.board;
    if (geometry.isHex || geometry.size < SHADED) return;
    const { cells, cols } = position;
    const index = row * cols + col;
    if (this.#isRaised(cells[index])) return;
    if (row > 0 && this.#isRaised(cells[index - cols])) this.context.drawImage(sprites.mark("shade-top"), x, y);
    if (col > 0 && this.#isRaised(cells[index - 1])) this.context.drawImage(sprites.mark("shade-left"), x, y);
  }

  /** @param {number} code */
  #isRaised(code) {
    return isClosed(code) || code === EXPLODED;
  }

  /** @param {number} index */
  #canBeUsed(index) {
    return this.board.truth === null && isClosed(this.board.position.cells[index]);
  }

  /** @param {number} index */
  #faceOf(index) {
    const code = this.board.position.cells[index];
    if (code >= 0) return `clue:${code}`;
    if (code === EXPLODED) return "exploded";
    if (code === NO_CLUE) return "silent";
    if (this.board.truth !== null) return this.#faceInTruth(index, code, this.board.truth);
    if (this.board.theme === "watch") {
      return this.board.identified.has(index) || code === FLAG ? "identified" : "hidden";
    }
    const { cols } = this.board.position;
    const chance = this.board.chanceAt(Math.floor(index / cols), index % cols);
    if (chance === null && code !== FLAG && this.board.questions.has(index)) return "question";
    if (chance === null) return code === FLAG ? "flag" : "hidden";
    if (code === FLAG) return `flag-chance:${bare(chance.p, chance.certain)}`;
    if (chance.certain) return chance.p === 0 ? "surely-safe" : "surely-mine";
    return this.board.isLikeOthers(index) ? "hidden" : `chance:${bare(chance.p)}`;
  }

  /** @param {number} index @param {number} code @param {Set<number>} truth */
  #faceInTruth(index, code, truth) {
    const isMine = truth.has(index);
    if (this.board.theme === "watch") return isMine ? "mine" : "hidden";
    if (code === FLAG) return isMine ? "flag" : "wrong-flag";
    return isMine ? "mine" : "hidden";
  }

  /**
   * Seen from far away a cell is a dot of its colour: the board is one small image, enlarged.
   * @param {number} x
   * @param {number} y
   */
  #drawFromFar(x, y) {
    const { rows, cols } = this.board.position;
    if (this.#isStale || this.#pixels === null || this.#pixels.width !== cols || this.#pixels.height !== rows) {
      this.#pixels = document.createElement("canvas");
      this.#pixels.width = cols;
      this.#pixels.height = rows;
      for (let index = 0; index < rows * cols; index += 1) this.#dirty.add(index);
    }
    const small = contextOf(this.#pixels);
    for (const index of this.#dirty) {
      const marks = this.board.marks.get(index);
      small.fillStyle =
        this.board.grid.showsCursor(index) || index === this.board.pointed
          ? "#0b4fc0"
          : marks
            ? this.board.sprites.colours.ink
            : this.#farColour(index);
      small.fillRect(index % cols, Math.floor(index / cols), 1, 1);
    }
    const { context } = this;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.imageSmoothingEnabled = false;
    const { size, pitch, rim, isHex } = this.board.geometry;
    if (!isHex) {
      context.drawImage(this.#pixels, rim - x, rim - y, cols * size, rows * size);
      return;
    }
    for (let row = 0; row < rows; row += 1) {
      context.drawImage(
        this.#pixels,
        0,
        row,
        cols,
        1,
        this.board.geometry.left(row, 0) - x,
        row * pitch - y,
        cols * size,
        pitch,
      );
    }
  }

  /** @param {number} index */
  #farColour(index) {
    const face = this.#faceOf(index);
    if (face.startsWith("clue:") && face !== "clue:0") return this.board.sprites.clueColour(Number(face.slice(5)));
    if (face === "flag" || face === "mine" || face === "wrong-flag") return this.board.sprites.colours.flag;
    return this.board.sprites.plain(face);
  }
}
