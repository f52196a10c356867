// A puzzle on a board: what it asks for, how it is answered by mouse, touch and keyboard, and what is said then.

import { messageOf } from "../../common/api.js";
import { AnswerCard, verdictWords } from "./answer.js";
import { Board } from "../../board/board.js";
import { cellsIn, withCells } from "../../common/coordinates.js";
import { announce, button, cellName, el, icon, isControl, toast } from "../../common/dom.js";
import { FLAG, HIDDEN, parsePosition } from "../../board/cells/position.js";
import { rulerButton } from "../../board/rulers.js";
import { describeShape } from "../../rules/text.js";
import { zoomButtons } from "../../board/zoom.js";
import { say } from "../../words/index.js";

const FLASH = 450; // milliseconds that the verdict is shown where the next puzzle follows at once
const SMALL = 10; // rows of a board that leaves room for text below it

/**
 * What one has to know of a board besides its cells: the mines in all, those left, and which cells touch.
 * @param {Position} position
 */
function describeBoard({ total, cells, shape }) {
  const nFlags = cells.filter((code) => code === FLAG).length;
  const mines =
    total === null ? [] : [nFlags === 0 ? say.rules.mines(total) : say.train.minesLeft(total, total - nFlags)];
  return [...mines, ...describeShape(shape)].join(", ");
}

/** What a puzzle asks for. @param {Puzzle} puzzle */
function taskOf({ kind, answer_with: answer, marked: [cell], proven }) {
  if (kind === "guess") return say.train.tasks.guess;
  if (answer !== "clue") return say.train.tasks[answer];
  return (proven === "safe" ? say.train.tasks.clueForSafe : say.train.tasks.clueForMine)(cellName(cell));
}

export class PuzzleView {
  /** @type {{ puzzle: Puzzle, way: Puzzles } | null} */
  #asked = null; // the training mode, which decides what follows an answer
  /** @type {"asking" | "checking" | "answered" | "leaving"} */
  #phase = "asking"; // then "checking", then "answered"
  /** @type {Set<string>} */
  #notes = new Set(); // the learner's own flags, as "row,col"
  /** @type {Cell[]} */
  #lit = []; // clues that a hint speaks of
  #shownAt = 0;
  #turn = 0;

  /**
   * `follow(way)` shows what follows an answer, `noted(way, verdict)` hears of every answer.
   * @param {{ follow: (way: Puzzles) => void, noted: (way: Puzzles, verdict: Verdict) => void }} tell
   */
  constructor({ follow, noted }) {
    this.follow = follow;
    this.noted = noted;
    const stage = el("div");
    this.kind = el("span.badge", { id: "puzzle-kind" });
    this.about = el("span.small", { id: "puzzle-board" });
    this.task = el("p.task", { id: "task", tabindex: "-1" });
    this.status = el("div.way-status", {});
    this.numbers = el("div.group.numbering", { role: "group", "aria-label": say.train.numbers, hidden: true });
    this.hintButton = button(say.train.hint, "bulb", {
      id: "puzzle-hint",
      "aria-keyshortcuts": "H",
      onclick: () => this.#hint(),
    });
    this.solveButton = button(say.train.showSolution, "check", {
      id: "show-solution",
      "aria-keyshortcuts": "S",
      onclick: () => this.#giveUp(),
    });
    this.desk = el(
      "div.desk",
      {},
      el("div.asked", {}, el("div.row.spread", {}, el("div.row", {}, this.kind, this.about), this.status), this.task),
      stage,
      el(
        "div.bar.actions",
        {},
        el("div.group", {}, this.numbers, this.hintButton, this.solveButton),
        (this.zoom = el("div", {})),
      ),
    );
    this.board = new Board(stage, {
      label: say.train.board,
      isRuled: true,
      act: (action, row, col) => this.#act(action, row, col),
      key: (event, row, col) => this.#boardKey(event, row, col),
    });
    this.zoom.replaceWith(zoomButtons(this.board, rulerButton(true)));
    this.hinted = el("section.card", { "aria-label": say.train.hint, id: "hint-line", hidden: true });
    this.card = new AnswerCard(this.board, () => this.next());
  }

  get puzzle() {
    return this.#asked?.puzzle ?? null;
  }

  /** Whether an answer is being looked at. */
  get isAnswered() {
    return this.#phase === "answered";
  }

  /** Show a puzzle of a training mode. @param {Puzzle} puzzle @param {Puzzles} way */
  ask(puzzle, way) {
    const hadKeys = this.board.grid.isFocused || document.activeElement === this.card.nextButton;
    this.#turn += 1;
    this.#asked = { puzzle, way };
    this.#phase = "asking";
    this.#notes.clear();
    this.#lit = [];
    this.#shownAt = performance.now();
    this.desk.classList.remove("answered", "right", "nearly", "wrong");
    this.card.hide();
    this.hinted.hidden = true;
    this.board.setChances(null);
    this.board.setMarks({});
    const position = parsePosition(puzzle.position);
    this.desk.classList.toggle("small", position.rows <= SMALL);
    this.board.setPosition(position);
    this.#mark();
    if (puzzle.marked.length) this.board.reveal(...puzzle.marked[0]);
    this.kind.textContent = say.train.kinds[puzzle.kind];
    this.about.textContent = describeBoard(position);
    const task = taskOf(puzzle);
    this.task.replaceChildren(...withCells(task));
    const isNumber = puzzle.answer_with === "number";
    this.numbers.hidden = !isNumber;
    // No area has more mines than cells.
    this.numbers.replaceChildren(
      ...Array.from({ length: puzzle.marked.length + 1 }, (_, number) =>
        el(
          "button.square",
          { type: "button", "data-number": String(number), onclick: () => this.#answer({ number }) },
          String(number),
        ),
      ),
    );
    this.hintButton.hidden = way.isQuick;
    const isSkipping = way.solveLabel() === say.train.skip;
    this.solveButton.replaceChildren(icon(isSkipping ? "last" : "check"), el("span", {}, way.solveLabel()));
    this.#showControls();
    if (hadKeys) this.board.grid.focus();
    announce(say.train.saidTask(say.train.kinds[puzzle.kind], task, this.about.textContent));
  }

  /** Mark what the task speaks of, and a hint. @param {Marks} marks */
  #mark(marks = {}) {
    this.board.setMarks({ area: this.#asked?.puzzle.marked, clue: this.#lit, ...marks });
  }

  #showControls() {
    const isAsking = this.#phase === "asking";
    for (const made of [this.hintButton, this.solveButton, ...this.numbers.querySelectorAll("button")]) {
      made.disabled = !isAsking;
    }
  }

  // -- answering ------------------------------------------------------------------------------------------

  /** @param {BoardAction} action @param {number} row @param {number} col */
  #act(action, row, col) {
    if (this.#phase !== "asking" || action === "double" || action === "chord") return;
    const asked = this.#asked?.puzzle.answer_with;
    if (asked === "number") toast(say.train.saidNumber);
    else if (asked === "clue") this.#answerClue(row, col);
    else if (action === "flag" && asked === "open") this.#note(row, col);
    else this.#answerHidden(row, col);
  }

  /** @param {number} row @param {number} col */
  #answerClue(row, col) {
    if (this.board.codeAt(row, col) > 0) this.#answer({ row, col });
    else toast(say.train.saidClue);
  }

  /** @param {number} row @param {number} col */
  #answerHidden(row, col) {
    const code = this.board.codeAt(row, col);
    if (code === HIDDEN) this.#answer({ row, col });
    else if (this.#notes.has(`${row},${col}`)) toast(say.play.saidFlagged);
    else if (code === FLAG) toast(say.train.saidFlag);
    else announce(this.board.grid.describe(row, col));
  }

  /** A flag to think with: it is no answer. @param {number} row @param {number} col */
  #note(row, col) {
    const name = `${row},${col}`;
    const code = this.board.codeAt(row, col);
    if (code !== HIDDEN && !this.#notes.has(name)) return;
    if (!this.#notes.delete(name)) this.#notes.add(name);
    this.board.setCells([[row, col, this.#notes.has(name) ? FLAG : HIDDEN]]);
  }

  #giveUp() {
    this.#answer({ give_up: true });
  }

  /** @param {Answer} given */
  async #answer(given) {
    if (this.#phase !== "asking" || this.#asked === null) return;
    const turn = this.#turn;
    const { puzzle, way } = this.#asked;
    this.#phase = "checking";
    this.#showControls();
    /** @type {Cell | null} */
    const cell = "row" in given ? [given.row, given.col] : null;
    if (cell !== null) this.#mark({ last: [cell] });
    try {
      const verdict = await way.check(puzzle, {
        ...given,
        seconds: (performance.now() - this.#shownAt) / 1000,
        hinted: !this.hinted.hidden,
      });
      if (turn === this.#turn) this.#answered(puzzle, way, verdict, cell, "give_up" in given);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#phase = "asking";
      this.#showControls();
      this.#mark();
      toast(messageOf(error), true);
    }
  }

  /**
   * @param {Puzzle} puzzle
   * @param {Puzzles} way
   * @param {Verdict} verdict
   * @param {Cell | null} cell
   * @param {boolean} isGivenUp
   */
  #answered(puzzle, way, verdict, cell, isGivenUp) {
    this.#phase = "answered";
    this.#showControls();
    this.hinted.hidden = true;
    this.noted(way, verdict);
    this.desk.classList.add(verdict.right ? "right" : verdict.score > 0 ? "nearly" : "wrong");
    announce(verdictWords(verdict, isGivenUp));
    const isPassing = way.passes(verdict);
    if (isPassing) {
      this.board.setMarks({ [verdict.right ? "last" : "wrong"]: cell === null ? [] : [cell] });
      const turn = this.#turn;
      setTimeout(() => turn === this.#turn && this.next(), FLASH);
      return;
    }
    this.desk.classList.add("answered");
    this.card.show(puzzle, verdict, { cell, isGivenUp, beside: way.beside(verdict), nextLabel: way.nextLabel() });
    this.card.nextButton?.scrollIntoView({ block: "nearest" });
    // Keys now control the answer: Space continues, arrows step through the proof.
    this.card.nextButton?.focus({ preventScroll: true });
  }

  async #hint() {
    if (this.#phase !== "asking" || this.#asked === null) return;
    const { puzzle, way } = this.#asked;
    const turn = this.#turn;
    try {
      const { hint } = await way.hint(puzzle);
      if (turn !== this.#turn || this.#phase !== "asking") return;
      this.hinted.replaceChildren(el("p.row.notice", {}, icon("bulb"), el("span", {}, ...withCells(hint))));
      this.hinted.hidden = false;
      this.#lit = cellsIn(hint);
      this.#mark();
      announce(hint);
    } catch (error) {
      toast(messageOf(error), true);
    }
  }

  next() {
    if (this.#phase !== "answered" || this.#asked === null) return;
    this.#phase = "leaving";
    this.follow(this.#asked.way);
  }

  /** What follows did not come: it can be asked for again. */
  stay() {
    if (this.#phase === "leaving") this.#phase = "answered";
  }

  // -- keys -----------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event @param {number} row @param {number} col */
  #boardKey(event, row, col) {
    if (this.#phase !== "asking") return false;
    if (event.key === " " || event.key === "Enter") this.#act("open", row, col);
    else if (event.key.toLowerCase() === "f") this.#act("flag", row, col);
    else return false;
    return true;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const key = event.key.toLowerCase();
    if (this.#phase === "asking") {
      if (/^[0-9]$/.test(key) && this.#asked?.puzzle.answer_with === "number") this.#answer({ number: Number(key) });
      else if (key === "h" && !this.hintButton.hidden) this.#hint();
      else if (key === "s") this.#giveUp();
      else return;
    } else if (this.#phase === "answered") {
      const isGoing = key === "n" || ((key === " " || key === "enter") && !isControl(event.target));
      if (isGoing && !event.repeat) this.next();
      else if (key === "arrowright" || key === "arrowleft") {
        if (!this.card.step(key === "arrowright" ? 1 : -1)) return;
      } else return;
    } else return;
    event.preventDefault();
  }
}
