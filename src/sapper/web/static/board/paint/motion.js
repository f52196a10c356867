// Cells that are on their way from one look to another: tiles that lift off in waves, mines that come up, and the light
// that runs over a board that is won. The position is what it is all the while; only its picture follows.

import { isOn } from "../../common/settings.js";
import { HIDDEN } from "../cells/position.js";

const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");
const MOST_CELLS = 1600; // that move at once: more of them would be slow, and nobody could follow
const STEP = 16; // milliseconds from one ring of cells to the next
const LONGEST = 420; // milliseconds until the last ring begins
const LASTS = { lift: 150, rise: 260, gleam: 420 };

/** @typedef {keyof typeof LASTS} Manner */

/** Quick at first. @param {number} t */
const ease = (t) => 1 - (1 - t) ** 3;

export class Motion {
  /** @type {Map<number, { manner: Manner, begins: number }>} */
  #moving = new Map();

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
  }

  get isOver() {
    return this.#moving.size === 0;
  }

  stop() {
    this.#moving.clear();
  }

  /**
   * Let cells move, the nearer to a cell the earlier. What is not to move is simply there.
   * @param {Manner} manner
   * @param {number[]} cells
   * @param {Cell} from
   */
  start(manner, cells, [row, col]) {
    if (STILL.matches || !isOn("animation") || cells.length > MOST_CELLS) return;
    const { cols } = this.board.position;
    const now = performance.now();
    const far = cells.map((cell) => Math.hypot(Math.floor(cell / cols) - row, (cell % cols) - col));
    const step = Math.min(STEP * (manner === "gleam" ? 2 : 1), LONGEST / Math.max(1, ...far));
    cells.forEach((cell, at) => this.#moving.set(cell, { manner, begins: now + step * far[at] }));
    this.board.painter.schedule();
  }

  /** Another game has begun with a move at a cell. @param {Cell} from */
  begin(from) {
    const { cells } = this.board.position;
    const open = [...cells.keys()].filter((cell) => cells[cell] >= 0);
    this.start("lift", open, from);
  }

  /**
   * A game has ended with a move at a cell: light runs over a board that is won, and the mines of a lost one come up.
   * @param {Cell} from
   * @param {boolean} isWon
   */
  end(from, isWon) {
    const { position, truth } = this.board;
    const cells = [...position.cells.keys()];
    if (isWon) {
      this.start("gleam", cells, from);
      return;
    }
    const mines = cells.filter((cell) => truth?.has(cell) && position.cells[cell] === HIDDEN);
    this.start("rise", mines, from);
  }

  /** The cells to draw again now; those that have arrived are drawn for the last time. @param {number} now */
  *due(now) {
    for (const [cell, { manner, begins }] of this.#moving) {
      if (now >= begins) yield cell;
      if (now >= begins + LASTS[manner]) this.#moving.delete(cell);
    }
  }

  /**
   * Draw a cell that moves; whether it does.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} cell
   * @param {number} x
   * @param {number} y
   * @param {HTMLCanvasElement} face what it becomes
   */
  draw(ctx, cell, x, y, face) {
    const moving = this.#moving.get(cell);
    if (moving === undefined) return false;
    const t = Math.min(1, (performance.now() - moving.begins) / LASTS[moving.manner]);
    const { sprites } = this.board;
    const tile = sprites.face("hidden", cell);
    if (moving.manner === "gleam") {
      ctx.drawImage(face, x, y);
      if (t > 0) blend(ctx, sprites.mark("gleam"), x, y, Math.sin(Math.PI * t), 1);
    } else if (t <= 0) {
      ctx.drawImage(tile, x, y);
    } else if (moving.manner === "lift") {
      ctx.drawImage(face, x, y);
      blend(ctx, tile, x, y, 1 - t, 1 - 0.3 * t);
    } else {
      ctx.drawImage(tile, x, y);
      blend(ctx, face, x, y, Math.min(1, 2 * t), 0.3 + 0.7 * ease(t));
    }
    return true;
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {HTMLCanvasElement} picture
 * @param {number} x
 * @param {number} y
 * @param {number} alpha
 * @param {number} scale around its middle
 */
function blend(ctx, picture, x, y, alpha, scale) {
  const before = ctx.globalAlpha;
  ctx.globalAlpha = before * Math.max(0, alpha);
  const { width, height } = picture;
  const wide = width * scale;
  const tall = height * scale;
  ctx.drawImage(picture, x + (width - wide) / 2, y + (height - tall) / 2, wide, tall);
  ctx.globalAlpha = before;
}
