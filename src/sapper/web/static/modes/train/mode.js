// Train: puzzles with proofs, rated, in a sprint or with three lives; a course of lessons; and what it all adds up to.

import { api, messageOf } from "../../common/api.js";
import { boardField, Choice, remembered } from "./choice.js";
import { CourseList, isDone, lessonEnd, LessonView, unbroken } from "./lessons/course.js";
import { announce, el, icon, isControl, memory, repeat, toast } from "../../common/dom.js";
import { endBody, startBody } from "./end.js";
import { FirstSteps } from "./lessons/first.js";
import { Progress } from "./progress.js";
import { PuzzleView } from "./puzzle.js";
import { addressOf, readAddress, showAddress } from "../../common/router.js";
import { LessonPuzzles, prepare as make, Puzzles, Rounds } from "./run.js";
import { entriesOf, lookUp, say } from "../../words/index.js";

const TICK = 200; // milliseconds
const WAYS = { rated: "train", sprint: "clock", survival: "heart", course: "bulb", progress: "you" };

/** @param {HTMLElement} root */
export function create(root) {
  return new Train(root);
}

/** Somebody is about to come here: the first puzzle is made meanwhile. */
export const prepare = () => make("rated", remembered());

class Train {
  /** @type {string | null} */
  #shown = null; // the view that is on the page
  /** @type {Puzzles | null} */
  #way = null; // in which the puzzle on the board is asked
  /** @type {Rounds | null} */
  #ended = null; // the last round, to look at its mistakes
  /** @type {Record<string, number>} */
  /** @type {Map<RoundName, { round: Rounds, link: string | null }>} */
  #rounds = new Map(); // under way, each with the puzzle to answer: they go on while something else is looked at
  /** @type {Record<string, number>} */
  #best = {}; // the best rounds so far of the way that is shown, by board
  #turn = 0;
  #isAway = false; // in another mode

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.choice = new Choice(() => this.#next());
    this.puzzle = new PuzzleView({
      follow: (way) => this.#follow(way),
      noted: (way, verdict) => this.#noted(way, verdict),
    });
    this.gate = el("div.stage.empty.gate", { hidden: true, id: "gate" });
    this.puzzle.desk.prepend(this.gate);
    this.rules = el("section.card", { "aria-label": say.train.howItWorks, hidden: true });
    this.first = el(
      "section.card",
      { "aria-label": say.train.firstTime, hidden: true, id: "first-time" },
      el("h2", {}, say.train.firstTime),
      el("p.small.soft", {}, say.train.aboutFirstTime),
      el("a.button", { href: addressOf("train", { way: "course" }) }, icon("bulb"), say.train.startCourse),
    );
    this.taught = el("section.card", { "aria-label": say.train.lessonText, hidden: true });
    const side = el(
      "div.side",
      {},
      this.puzzle.hinted,
      this.puzzle.card.element,
      this.rules,
      this.taught,
      this.choice.element,
      this.first,
    );
    this.course = new CourseList();
    this.lesson = new LessonView();
    this.steps = new FirstSteps();
    this.progress = new Progress({
      train: (kind) => this.#go({ kind }),
      repeat: () => this.#go({ kind: "all" }),
    });
    this.views = {
      puzzle: { desk: this.puzzle.desk, side },
      course: this.course,
      lesson: this.lesson,
      steps: this.steps,
      progress: this.progress,
    };
    this.tabs = entriesOf(WAYS).map(([way, name]) =>
      el("a", { href: addressOf("train", { way }), "data-way": way }, icon(name), el("span", {}, say.train.ways[way])),
    );
    root.append(el("nav.segments.ways", { "aria-label": say.train.waysTitle }, ...this.tabs));
    for (const { desk, side: beside } of Object.values(this.views)) root.append(desk, beside);
    this.#show("puzzle", "rated");
    repeat(TICK, () => this.#tick());
  }

  /** @param {string} view @param {string} tab */
  #show(view, tab) {
    if (this.#shown !== view) this.lesson.leave();
    this.#shown = view;
    for (const [name, { desk, side }] of Object.entries(this.views)) desk.hidden = side.hidden = name !== view;
    for (const one of this.tabs) {
      if (one.dataset.way === tab) one.setAttribute("aria-current", "page");
      else one.removeAttribute("aria-current");
    }
    this.root.dataset.view = view;
    const boards = { lesson: this.lesson.example.board, steps: this.steps.board };
    this.root.board = lookUp(boards, view) ?? this.puzzle.board;
  }

  /** @param {Record<string, Value>} values */
  #go(values) {
    location.hash = addressOf("train", values);
  }

  /** @param {URLSearchParams} query */
  async enter(query) {
    this.#turn += 1;
    const isBack = this.#isAway;
    this.#isAway = false;
    const [way, lesson, number] = [query.get("way") ?? "rated", query.get("lesson"), query.get("number")];
    if (query.size === 0 && (await this.#isNew())) {
      showAddress("train", { way: "course" });
      await this.#enterView("course", "course");
    } else if (lesson !== null && number === null) await this.#enterView("lesson", "course", lesson);
    else if (lesson !== null) await this.#enterLessonPuzzle(lesson, Number(number) - 1, isBack);
    else if (way === "steps") await this.#enterView("steps", "course");
    else if (way === "course" || way === "progress") await this.#enterView(way, way);
    else if (way === "sprint" || way === "survival") {
      await this.#enterRound(way, query.get("puzzle"), Number(query.get("began")) || null);
    } else await this.#enterPuzzles(way === "free" ? "free" : "rated", query);
  }

  leave() {
    this.#isAway = true;
    this.lesson.leave();
  }

  /** Whether the course comes first: nobody has asked for a puzzle, and none has given a rating. */
  async #isNew() {
    if (this.#way?.way === "rated") return false;
    return (await api.train.progress()).overall.rated === 0;
  }

  /** @param {"course" | "lesson" | "steps" | "progress"} view @param {string} tab @param {string} name */
  async #enterView(view, tab, name = "") {
    this.#show(view, tab);
    scrollTo(0, 0);
    if (this.#way === null) prepare();
    await this.views[view].enter(name);
  }

  /** Show this card beside a puzzle, besides what is said about it. @param {HTMLElement} card */
  #beside(card) {
    for (const one of [this.rules, this.taught, this.choice.element, this.first]) one.hidden = one !== card;
  }

  // -- puzzles --------------------------------------------------------------------------------------------

  /** @param {Way} way @param {URLSearchParams} query */
  async #enterPuzzles(way, query) {
    this.#show("puzzle", "rated");
    const [link, position, kind] = [query.get("puzzle"), query.get("position"), query.get("kind")];
    if (kind !== null) this.choice.set({ kind, board: query.get("board") ?? this.choice.board });
    this.#beside(this.choice.element);
    const isThere = this.#way?.way === way && !(this.#way instanceof LessonPuzzles);
    const chosen = new Puzzles(way, this.choice);
    if (position !== null) await this.#ask(new Puzzles("free", this.choice), () => this.#ofPosition(position));
    else if (link !== null && isThere && this.puzzle.puzzle?.link === link) this.#showAddress();
    else if (link !== null) await this.#ask(chosen, () => chosen.find(link));
    else if (isThere && kind === null) this.#showAddress();
    else await this.#next();
  }

  /** The puzzle of a position; where it makes none, one of a kind that fits. @param {string} position */
  async #ofPosition(position) {
    const told = await api.train.ofPosition(position);
    if (told.puzzle !== null) return told;
    toast(say.train.noPuzzleThere);
    return api.train.next({ way: "free", kind: told.kind, board: this.choice.board });
  }

  /** The next puzzle of those that were chosen; a free one was an exception. */
  async #next() {
    const way = this.#way?.way === "rated" ? this.#way : new Puzzles("rated", this.choice);
    await this.#ask(way, () => way.next());
  }

  /** Show the puzzle that `find()` finds. @param {Puzzles} way @param {() => Promise<Asked>} find */
  async #ask(way, find) {
    const turn = ++this.#turn;
    this.puzzle.desk.setAttribute("aria-busy", "true");
    try {
      const told = await find();
      if (turn !== this.#turn) return;
      this.#way = way;
      this.gate.hidden = true;
      this.puzzle.desk.classList.remove("closed");
      this.puzzle.status.replaceChildren(way.status ?? this.#rating(way, told));
      this.first.hidden = way.way !== "rated" || told.rating !== null;
      this.puzzle.ask(told.puzzle, way);
      if (way instanceof Rounds) this.#rounds.set(way.name, { round: way, link: told.puzzle.link });
      scrollTo(0, 0);
      this.#showAddress();
    } catch (error) {
      if (turn !== this.#turn) return;
      this.puzzle.stay();
      toast(messageOf(error), true);
    } finally {
      if (turn === this.#turn) this.puzzle.desk.removeAttribute("aria-busy");
    }
  }

  /** An answer may have moved the rating that is shown. @param {Puzzles} way @param {Verdict} verdict */
  #noted(way, verdict) {
    if (way instanceof Rounds) this.#rounds.set(way.name, { round: way, link: null });
    if (way.status === null && verdict.before !== null) this.puzzle.status.replaceChildren(this.#rating(way, verdict));
  }

  /** @param {Puzzles} way @param {Rated & { repetition?: boolean }} told */
  #rating({ way }, { rating, deviation, provisional, repetition }) {
    if (repetition) return el("span.badge.unlucky", {}, icon("again"), say.train.comesBack);
    const words =
      way === "free"
        ? say.train.unrated
        : rating === null || deviation === null
          ? say.train.noRating
          : provisional
            ? say.train.provisional(Math.round(rating), Math.round(2 * deviation))
            : say.train.ratingIs(Math.round(rating));
    return el("span.soft.small", {}, words);
  }

  #showAddress() {
    const { puzzle } = this.puzzle;
    if (readAddress().mode === "train" && this.#way !== null && puzzle !== null) {
      showAddress("train", this.#way.address(puzzle));
    }
  }

  /** @param {Puzzles} way */
  async #follow(way) {
    if (way instanceof LessonPuzzles) {
      if (way.isLast) await this.#endLesson(way.lesson.name);
      else this.#go({ lesson: way.lesson.name, number: way.at + 2 });
    } else if (way instanceof Rounds && way.isOver) this.#end(way);
    else if (way.way === "free") await this.#next();
    else await this.#ask(way, () => way.next());
  }

  /** @param {string} name @param {number} at @param {boolean} isBack */
  async #enterLessonPuzzle(name, at, isBack) {
    this.#show("puzzle", "course");
    this.#beside(this.taught);
    const lesson = this.lesson.lesson?.name === name ? this.lesson.lesson : await api.train.lesson(name);
    this.taught.replaceChildren(
      el("h2", {}, say.train.lessonTitle(lesson.number, lesson.title)),
      el("p.small.soft", {}, ...unbroken(lesson.remember)),
      el("a.button", { href: addressOf("train", { lesson: name }) }, icon("bulb"), say.train.backToLesson),
    );
    const asked = lesson.puzzles[Math.max(0, Math.min(lesson.puzzles.length - 1, at || 0))];
    // Back from another mode it is still here, with its answer; within the course it is asked again.
    if (isBack && this.#way instanceof LessonPuzzles && this.puzzle.puzzle?.link === asked.link) return;
    const way = new LessonPuzzles(lesson, lesson.puzzles.indexOf(asked));
    await this.#ask(way, () => way.find(asked.link));
  }

  /** After its last puzzle a lesson is done, or its page says which puzzles are left. @param {string} name */
  async #endLesson(name) {
    const turn = ++this.#turn;
    const lesson = await api.train.lesson(name);
    if (turn !== this.#turn) return;
    if (!isDone(lesson)) {
      this.#go({ lesson: name });
      return;
    }
    this.#close(lessonEnd(lesson));
    announce(say.train.saidLessonDone(lesson.number, lesson.remember));
    this.#beginButton?.focus({ preventScroll: true });
  }

  // -- rounds ---------------------------------------------------------------------------------------------

  /** @param {RoundName} way @param {string | null} link @param {number | null} began */
  async #enterRound(way, link, began) {
    this.#show("puzzle", way);
    this.#beside(this.rules);
    const isUnderWay = this.#way?.way === way && !this.#way.isOver;
    if (isUnderWay && (link === null || this.puzzle.puzzle?.link === link)) {
      this.#showAddress();
      return;
    }
    this.#best = (await api.train.progress()).best_by_board[way];
    this.rules.replaceChildren(el("h2", {}, say.train.howItWorks), el("p.small.soft", {}, say.train.aboutRounds));
    const known = this.#rounds.get(way);
    if (known !== undefined && (began ?? known.round.round?.began) === known.round.round?.began) {
      await this.#resume(known.round, known.link, began);
      return;
    }
    if (link !== null && began !== null) {
      await this.#resume(new Rounds(way, null), link, began);
      return;
    }
    this.#way = null;
    if (this.#ended?.way === way) this.#showEnd(this.#ended);
    else this.#offer(way);
  }

  /**
   * Go on with a round: with its puzzle, or with the next if that was answered.
   * @param {Rounds} round
   * @param {string | null} link
   * @param {number | null} began
   */
  async #resume(round, link, began) {
    await this.#ask(round, () => (link === null ? round.next() : round.find(link, round.round?.began ?? began)));
    if (round.isOver) this.#end(round);
  }

  /** The card before a round. @param {RoundName} way */
  #offer(way) {
    const field = this.#roundBoard(way, () => {
      this.#offer(way);
      this.gate.querySelector("select")?.focus();
    });
    this.#close(startBody(way, this.#best[field.value], field, () => this.#begin(way, field.value)));
  }

  /**
   * The list of boards for a round; the first puzzle is made in advance.
   * @param {RoundName} way
   * @param {() => void} changed
   */
  #roundBoard(way, changed) {
    const field = boardField("round-board", memory.get("round-board"), (board) => {
      memory.set("round-board", board);
      changed();
    });
    make(way, { kind: null, board: field.value });
    return field;
  }

  /** @param {RoundName} way @param {string} board */
  async #begin(way, board) {
    this.#ended = null;
    const round = new Rounds(way, board);
    await this.#ask(round, () => round.next());
    this.puzzle.board.grid.focus();
  }

  /** Show a card in place of the board. @param {Node[]} body */
  #close(body) {
    this.puzzle.card.hide();
    this.puzzle.hinted.hidden = true;
    this.puzzle.desk.classList.remove("answered", "right", "nearly", "wrong");
    this.puzzle.desk.classList.add("closed");
    this.gate.replaceChildren(el("div.gate-body", {}, ...body));
    this.gate.hidden = false;
  }

  /** The card after a round. @param {Rounds} way */
  #showEnd(way) {
    const field = this.#roundBoard(way.name, () => {
      this.#ended = null;
      this.#offer(way.name);
    });
    this.#close(endBody(way, this.#best[way.choice.board ?? ""], field, () => this.#begin(way.name, field.value)));
  }

  /** @param {Rounds} way */
  #end(way) {
    this.#way = null;
    this.#ended = way;
    this.#rounds.delete(way.name);
    this.#showEnd(way);
    const { board } = way.choice;
    if (board) this.#best[board] = Math.max(this.#best[board] ?? 0, way.score);
    // Time runs out while something else is looked at, too.
    if (this.root.hidden || this.#shown !== "puzzle") return;
    showAddress("train", { way: way.name });
    announce(say.train.saidEnd(way.score));
    this.#beginButton?.focus({ preventScroll: true });
  }

  /** @returns {HTMLElement | null} */
  get #beginButton() {
    return this.gate.querySelector("#begin, #next-lesson, #lesson-play");
  }

  #tick() {
    if (this.#way instanceof Rounds && this.#way.tick()) this.#end(this.#way);
  }

  // -- keys -----------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.#shown === "lesson") this.lesson.key(event);
    else if (this.#shown !== "puzzle") return;
    else if (!this.gate.hidden) {
      if (event.key.toLowerCase() !== "n" && (event.key !== " " || isControl(event.target))) return;
      event.preventDefault();
      this.#beginButton?.click();
    } else if (this.puzzle.puzzle !== null) this.puzzle.key(event);
  }
}
