// Ways to train: rated, a sprint against the clock, survival with three lives, free. Each says what follows an answer.

import { api } from "../../common/api.js";
import { el, icon } from "../../common/dom.js";
import { withFirst } from "../../rules/text.js";
import { say } from "../../words/index.js";

/**
 * Have the server make the likely next puzzle in advance; errors do not matter.
 * @param {Way} way
 * @param {Wanted} wanted
 */
export async function prepare(way, { kind, board }) {
  await api.train.next({ way, kind, board }).catch(() => {});
}

/** Puzzles one after the other; rated ones move the rating, free ones do not. */
export class Puzzles {
  isQuick = false; // a timed round, without hints
  isPassing = false; // whether the next puzzle follows every answer at once
  /** @type {Round | null} */
  round = null;
  /** @type {HTMLElement | null} */
  status = null; // what is shown of it in place of a rating

  /** @param {Way} way @param {Wanted} choice */
  constructor(way, choice) {
    this.way = way;
    this.choice = choice;
  }

  /** What is wanted; the server also hears it with an answer, and makes the next puzzle meanwhile. */
  get #wish() {
    return { way: this.way, kind: this.choice.kind, board: this.choice.board, began: this.round?.began };
  }

  /** The next puzzle: { puzzle, round, repetition }. */
  async next() {
    return this.#note(await api.train.next(this.#wish));
  }

  /** The puzzle of a link, in this way. @param {string} link @param {number | null} began */
  async find(link, began = null) {
    return this.#note(await api.train.puzzle({ link, way: this.way, began }));
  }

  /** @param {Asked} told */
  #note(told) {
    this.round = told.round;
    return told;
  }

  /** @param {Puzzle} puzzle @param {Answered} given */
  async check({ link }, given) {
    const verdict = await api.train.check({ link, ...this.#wish, ...given });
    this.round = verdict.round;
    return verdict;
  }

  /** @param {Puzzle} puzzle */
  hint({ link }) {
    return api.train.hint({ link });
  }

  /** Whether the next puzzle follows at once. @param {Verdict} _verdict */
  passes(_verdict) {
    return false;
  }

  get isOver() {
    return false;
  }

  /** What an answer did to the rating. @param {Verdict} verdict @returns {string | null} */
  beside({ counts, before, rating, deviation, provisional }) {
    if (!counts) return say.train.doesNotCount;
    if (before === null || rating === null || deviation === null) return null;
    if (provisional) return say.train.ratingSoFar(Math.round(rating), Math.round(2 * deviation));
    const by = Math.round(rating) - Math.round(before);
    return say.train.ratingNow(Math.round(rating), by >= 0 ? `+${by}` : `−${-by}`);
  }

  /** What the button is called that leads on. */
  nextLabel() {
    return say.train.next;
  }

  /** What the button is called that shows the solution, with what that costs. */
  solveLabel() {
    return this.way === "rated" ? say.train.showForRating : say.train.showSolution;
  }

  /**
   * What the address says, so that a reload shows the same.
   * @param {Puzzle} puzzle
   * @returns {Record<string, Value | null | undefined>}
   */
  address({ link }) {
    return { way: this.way === "rated" ? null : this.way, puzzle: link, began: this.round?.began };
  }
}

/** A sprint or survival: a round with a score and an end. */
export class Rounds extends Puzzles {
  /** @type {Puzzle[]} */
  wrong = []; // puzzles of this round that were answered wrong
  /** @type {number | null} */
  #endsAt = null; // by the clock of this browser, which may differ from the server's
  #late = false;

  /** @param {RoundName} way @param {string | null} board */
  constructor(way, board) {
    super(way, { kind: null, board }); // the same kinds for everybody, so that scores compare
    this.name = way;
    this.isQuick = true;
    this.isPassing = way === "sprint";
    this.clock = el("b.clock", { role: "timer", "aria-label": say.train.timeLeft, hidden: way !== "sprint" });
    this.lives = el("span.lives", { role: "img", hidden: way !== "survival" });
    this.solved = el("b", {});
    this.status = el("div.row", {}, this.clock, this.lives, this.solved);
  }

  async next() {
    const told = await super.next();
    this.#show();
    return told;
  }

  /** @param {string} link @param {number | null} began */
  async find(link, began) {
    const told = await super.find(link, began);
    // Continues a round after a reload; as short as possible.
    this.choice.board = withFirst(told.puzzle.board, "safe");
    this.#show();
    return told;
  }

  /** @param {Puzzle} puzzle @param {Answered} given */
  async check(puzzle, given) {
    const verdict = await super.check(puzzle, given);
    if (!verdict.right) this.wrong.push(puzzle);
    this.#show();
    return verdict;
  }

  #show() {
    if (this.round === null) return;
    const { seconds_left: left, lives, right, over } = this.round;
    if (left !== null) this.#endsAt = performance.now() + 1000 * left;
    this.#late = over;
    this.solved.textContent = say.train.scoreNow(right);
    if (lives !== null) {
      this.lives.setAttribute("aria-label", say.train.livesLeft(lives));
      this.lives.replaceChildren(
        ...Array.from({ length: 3 }, (_, at) => {
          const heart = icon("heart");
          heart.classList.toggle("gone", at >= lives);
          return heart;
        }),
      );
    }
    this.tick();
  }

  /** Bring the clock up to date; whether time has just run out. */
  tick() {
    if (this.#endsAt === null) return false;
    const left = Math.max(0, this.#endsAt - performance.now());
    this.clock.textContent = say.train.clock(
      Math.floor(Math.ceil(left / 1000) / 60),
      String(Math.ceil(left / 1000) % 60).padStart(2, "0"),
    );
    this.clock.classList.toggle("ending", left < 15_000);
    if (left > 0 || this.#late) return false;
    this.#late = true;
    return true;
  }

  /** @param {Verdict} verdict */
  passes({ right }) {
    return this.isPassing || (right && !this.isOver);
  }

  /** Puzzles that were solved. */
  get score() {
    return this.round?.right ?? 0;
  }

  get isOver() {
    return this.#late || (this.round?.over ?? false);
  }

  beside() {
    return null;
  }

  nextLabel() {
    return this.isOver ? say.train.seeResult : say.train.next;
  }

  // Without a solution where the next puzzle follows at once.
  solveLabel() {
    return this.isPassing ? say.train.skip : say.train.showForLife;
  }
}

/** The puzzles of a lesson, one after the other. */
export class LessonPuzzles extends Puzzles {
  /**
   * `lesson` as the server sends it, `at` the place of the puzzle, from 0.
   * @param {Lesson} lesson
   * @param {number} at
   */
  constructor(lesson, at) {
    super("free", {});
    this.lesson = lesson;
    this.at = at;
    this.status = el("span.soft.small", {}, say.train.lessonPuzzle(lesson.number, at + 1, lesson.puzzles.length));
  }

  get isLast() {
    return this.at === this.lesson.puzzles.length - 1;
  }

  beside() {
    return null;
  }

  nextLabel() {
    return this.isLast ? say.train.finishLesson : say.train.next;
  }

  address() {
    return { lesson: this.lesson.name, number: this.at + 1 };
  }
}
