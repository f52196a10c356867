// What a click becomes: a flag at once, any other move when the server has answered, one after the other.

import { api } from "../../../common/api.js";
import { announce, toast } from "../../../common/dom.js";
import { FLAG, HIDDEN, NO_CLUE, isClosed, parsePosition } from "../../../board/cells/position.js";
import { isOn, setting } from "../../../common/settings.js";
import { sound } from "./sounds.js";
import { entriesOf, lookUp, say } from "../../../words/index.js";

/**
 * @typedef {object} MovedGame
 * @property {() => GameState} state over before there is any
 * @property {() => void} moving a move goes to the server
 * @property {(state: GameState, isWhole: boolean, from: Cell) => void} moved
 * @property {(error: unknown, id: string) => Promise<void>} failed
 * @property {() => void} asked question marks have changed
 */

export class Moves {
  isFlagMode = false;
  isAstray = false; // a move may be lost, so the board must be reloaded from the server
  #queue = Promise.resolve();
  /** @type {string | null} */
  #justOpened = null;
  /** @type {number[]} */
  #flagsToSend = []; // cells, by number, whose flag waits for its turn: what the server says of them is overtaken

  /** @param {Board} board @param {import("../kept/questions.js").Questions} questions @param {MovedGame} game */
  constructor(board, questions, game) {
    this.board = board;
    this.questions = questions;
    this.game = game;
  }

  /** When no move is under way. */
  get settled() {
    return this.#queue;
  }

  /** Do something once all moves before have been answered. @param {() => unknown} act */
  then(act) {
    this.#queue = this.#queue.then(async () => {
      await act();
    });
    return this.#queue;
  }

  /** Whether the flag of a cell waits for its turn. @param {number} index */
  isWaiting(index) {
    return this.#flagsToSend.includes(index);
  }

  /** @param {BoardAction | "chord-key"} action @param {number} row @param {number} col */
  act(action, row, col) {
    if (this.game.state().over) return;
    const code = this.board.codeAt(row, col);
    const key = `${row},${col}`;
    const chord = setting("chord");
    if (action === "double") {
      // The second click of a double click that opened the cell is no chord.
      if (code > 0 && chord === "both" && this.#justOpened !== key) this.send("chord", row, col);
      return;
    }
    // By mouse or finger a number can only be chorded; by keyboard it is asked for by name.
    const isOnNumber = code > 0 && (action === "tap" || (action === "open" && chord === "click"));
    this.#justOpened = null;
    if (isOnNumber) {
      if (chord !== "off") this.send("chord", row, col);
    } else if (action === "chord" || action === "chord-key") {
      if (code > 0 && (chord !== "off" || action === "chord-key")) this.send("chord", row, col);
    } else if (action === "flag" || (this.isFlagMode && isClosed(code))) this.flag(row, col, isOn("questions"));
    else if (code === FLAG) announce(say.play.saidFlagged);
    else if (code === HIDDEN || code === NO_CLUE) {
      this.#justOpened = key;
      this.send("open", row, col);
    }
  }

  /**
   * Flag a cell or take the flag off; `asksToo`: with a question mark in between.
   * @param {number} row
   * @param {number} col
   * @param {boolean} asksToo
   */
  flag(row, col, asksToo = false) {
    const code = this.board.codeAt(row, col);
    if (!isClosed(code)) return;
    const index = row * this.board.position.cols + col;
    sound("flag");
    if (code === HIDDEN && asksToo && this.questions.cells.has(index)) {
      this.questions.put(index, false);
      this.game.asked();
      announce(say.play.saidCell(this.board.grid.describe(row, col)));
      return;
    }
    // A flag is the player's own mark, so it need not wait for the server.
    this.board.setCells([[row, col, code === FLAG ? HIDDEN : FLAG]]);
    this.questions.put(index, code === FLAG && asksToo);
    this.game.asked();
    this.#flagsToSend.push(index);
    this.send("flag", row, col);
  }

  /** @param {MoveAction} action @param {number} row @param {number} col */
  send(action, row, col) {
    return this.then(() => this.#sendNow(action, row, col));
  }

  /** @param {MoveAction} action @param {number} row @param {number} col */
  async #sendNow(action, row, col) {
    if (action === "flag") this.#flagsToSend.shift();
    const before = this.game.state();
    if (before.over) return;
    const { id } = before;
    this.game.moving();
    const isLaid = !before.no_guess || before.moves > 0;
    const slow = setTimeout(() => toast(isLaid ? say.play.busy : say.play.searching), isLaid ? 3000 : 400);
    try {
      const state = await api.move(id, action, row, col);
      const now = this.game.state();
      if (now.id !== id) return;
      // Somebody else's moves in between are not among the cells that this one changed.
      this.game.moved(state, this.isAstray || state.moves !== now.moves + 1, [row, col]);
      if (state.over) sound(state.outcome === "lost" ? "loss" : "win");
      else if (action !== "flag") sound("open");
      announce([say.play.saidCell(this.board.grid.describe(row, col)), ...moveWords(action, state, now)].join(" "));
    } catch (error) {
      // What the server has is right; what the page guessed may not be: show what it said last, until it says more.
      this.isAstray = true;
      this.board.setPosition(parsePosition(this.game.state().position));
      this.game.asked();
      await this.game.failed(error, id);
    } finally {
      clearTimeout(slow);
    }
  }
}

/** What came of a move. @param {MoveAction} action @param {GameState} state @param {GameState} before */
function moveWords(action, state, before) {
  const parts = [];
  const nOpened = (state.changed ?? []).filter(([, , code]) => code >= 0 || code === NO_CLUE).length;
  if (action !== "flag" && nOpened > 1) parts.push(say.play.saidOpened(nOpened));
  if (action === "chord" && nOpened === 0 && !state.over) parts.push(say.play.saidNothing);
  for (const [kind, { made }] of state.guesses ? entriesOf(state.guesses) : []) {
    if (made > (before.guesses?.[kind].made ?? 0)) parts.push(say.guesses.said[kind]);
  }
  if (state.over) parts.push(lookUp(say.play.saidOver, state.outcome) ?? state.outcome);
  else if (state.mines_left !== null) parts.push(say.play.saidMinesLeft(state.mines_left));
  return parts;
}
