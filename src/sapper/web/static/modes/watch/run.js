// One game of an agent, played by the server, in parts if its moves take long, and shown step by step.

import { FLAG, HIDDEN, parsePosition } from "../../board/cells/position.js";
import { neighboursOf } from "../../board/cells/topology.js";

export class Run {
  /** @type {Set<number>[]} */
  #identified = [new Set()]; // after every step that was looked at

  /** @param {Watched} answer */
  constructor(answer) {
    this.answer = answer;
    this.steps = answer.steps;
    this.start = parsePosition(answer.start);
  }

  /** Take the next part of the game. @param {Watched} answer */
  append(answer) {
    this.answer = answer;
    this.steps.push(...answer.steps);
  }

  get isWhole() {
    return this.answer.over;
  }

  get length() {
    return this.steps.length;
  }

  /** The position after `count` steps. @param {number} count */
  positionAfter(count) {
    return count === 0 ? parsePosition(this.answer.start) : parsePosition(this.steps[count - 1].position_after);
  }

  /** The numbers of the cells identified as mines after `count` steps. @param {number} count */
  identifiedAfter(count) {
    for (let k = this.#identified.length; k <= count; k += 1) {
      const next = new Set(this.#identified[k - 1]);
      for (const { cell, is_mine: isMine } of this.steps[k - 1].deductions) {
        if (isMine) next.add(cell[0] * this.start.cols + cell[1]);
      }
      this.#identified.push(next);
    }
    return this.#identified[count];
  }

  /** What the agent opened or marked in a step. @param {number} count @returns {Cell[]} */
  cellsOf(count) {
    return count === 0 ? [] : this.steps[count - 1].moves.map(({ row, col }) => [row, col]);
  }

  /** The board as it truly is: every clue, and the mines hidden beneath `mines`. */
  actual() {
    const position = { ...this.start, cells: new Int8Array(this.start.cells.length) };
    for (const [row, col] of this.answer.layout) position.cells[row * position.cols + col] = HIDDEN;
    for (const [row, col] of this.answer.layout) {
      for (const [r, c] of neighboursOf(position, row, col)) {
        if (position.cells[r * position.cols + c] !== HIDDEN) position.cells[r * position.cols + c] += 1;
      }
    }
    return position;
  }

  /** Counts for the line above the board. @param {number} count */
  countsAfter(count) {
    const position = this.positionAfter(count);
    const identified = new Set(this.identifiedAfter(count));
    let nOpen = 0;
    let nExploded = 0;
    position.cells.forEach((code, index) => {
      if (code >= 0 || code === -4) nOpen += 1;
      else if (code === -3) nExploded += 1;
      else if (code === FLAG) identified.add(index);
    });
    return { nOpen, nExploded, nIdentified: identified.size };
  }
}
