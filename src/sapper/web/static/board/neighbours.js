// Highlights the neighbours of the cell under the pointer, on boards whose drawing does not show them.
//
// A mouse points where it is, a keyboard at the cursor. A finger has to touch a cell, and what it touched last
// stays lit.

import { hidesNeighbours, neighboursOf } from "./cells/topology.js";

export class Neighbours {
  /** @type {Set<number>} */
  #lit = new Set();
  /** @type {Cell | null} */
  #hovered = null;
  /** @type {Cell | null} */
  #touched = null;

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    const { canvas } = board;
    canvas.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") this.#point(board.cellAt(event.clientX, event.clientY), null);
    });
    canvas.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.#point(null, null));
    canvas.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" && event.isPrimary) {
        this.#point(null, board.cellAt(event.clientX, event.clientY));
      }
    });
  }

  /** Whether a cell touches the one that is pointed at. @param {number} index */
  has(index) {
    return this.#lit.has(index);
  }

  /** Light up what is right now: the board, the mouse or the cursor may have moved. */
  refresh() {
    const { position, grid, painter } = this.board;
    let next = new Set();
    if (hidesNeighbours(position)) {
      const { rows, cols } = position;
      const cursor = grid.showsCursor(grid.cursor[0] * cols + grid.cursor[1]) ? grid.cursor : null;
      const cell = this.#hovered ?? cursor ?? this.#touched;
      if (cell !== null && cell[0] < rows && cell[1] < cols) {
        next = new Set(neighboursOf(position, ...cell).map(([row, col]) => row * cols + col));
      }
    }
    for (const index of this.#lit) if (!next.has(index)) painter.touch(index);
    for (const index of next) if (!this.#lit.has(index)) painter.touch(index);
    this.#lit = next;
  }

  /** Another board: no cell is pointed at yet. */
  reset() {
    this.#hovered = this.#touched = null;
    this.refresh();
  }

  /** @param {Cell | null} hovered @param {Cell | null} touched */
  #point(hovered, touched) {
    this.#hovered = hovered;
    this.#touched = touched;
    this.refresh();
  }
}
