// The course: the list of its lessons with what is done, and one lesson with its example, its text and its puzzles.

import { api } from "../../../common/api.js";
import { el, icon, isControl } from "../../../common/dom.js";
import { Example } from "./example.js";
import { addressOf } from "../../../common/router.js";
import { say } from "../../../words/index.js";

/**
 * The link to what comes next in Train.
 * @param {string} label
 * @param {string} name
 * @param {Record<string, Value>} values
 * @param {string} id
 */
const nextLink = (label, name, values, id) =>
  el("a.button.primary", { href: addressOf("train", values), id }, icon(name), el("span", {}, label));
/** The link to a first game. @param {string} id */
const firstGame = (id) =>
  el(
    "a.button.primary",
    { href: addressOf("play", { rules: "beginner" }), id },
    icon("play"),
    el("span", {}, say.train.playBeginner),
  );

/** @param {LessonEntry} lesson */
export const isDone = ({ puzzles }) => puzzles.every(({ solved }) => solved);

/** @param {string} words */
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** A sentence in which patterns such as 1-2-2-1 stay on one line. @param {string} sentence */
export const unbroken = (sentence) =>
  sentence.split(/(\d(?:-\d)+)/).map((part, at) => (at % 2 ? el("span.unbroken", {}, part) : part));

/** The first lesson that is not done. @param {LessonEntry[]} lessons */
const current = (lessons) => lessons.find((one) => !isDone(one)) ?? null;

/** The card after the last puzzle of a lesson. @param {Lesson} lesson */
export const lessonEnd = ({ number, title, remember, next }) => [
  el("span.celebrate", {}, icon("check")),
  el("h2", {}, say.train.lessonDone(number)),
  el("p.soft", {}, title),
  el("p.notice.good.row", {}, icon("bulb"), el("span", {}, ...unbroken(remember))),
  el(
    "div.row.even",
    {},
    next === null ? firstGame("lesson-play") : nextLink(say.train.nextLesson, "step", { lesson: next }, "next-lesson"),
    el("a.button", { href: addressOf("train", { way: "course" }) }, say.train.allLessons),
  ),
];

export class CourseList {
  constructor() {
    this.list = el("ol.lessons", { id: "lessons" });
    this.next = el("div.row.even", {});
    this.about = el("p.small.soft", {}, say.train.aboutCourse);
    this.desk = el(
      "div.desk",
      {},
      el("section.card", { "aria-label": say.train.course }, el("h2", {}, say.train.course), this.list),
    );
    this.side = el(
      "div.side",
      {},
      el(
        "section.card",
        { "aria-label": say.train.yourCourse },
        el("h2", {}, say.train.yourCourse),
        (this.progress = el("p", { id: "course-progress" })),
        this.next,
        this.about,
      ),
    );
  }

  async enter() {
    const { lessons } = await api.train.course();
    this.list.replaceChildren(
      ...lessons.map((one) =>
        el(
          "li",
          { "data-done": String(isDone(one)) },
          el(
            "a",
            { href: addressOf("train", { lesson: one.name }) },
            el("span.number", { "aria-hidden": "true" }, isDone(one) ? icon("check") : String(one.number)),
            el("span.about", {}, el("b", {}, one.title), el("span.small.soft", {}, capital(one.about))),
            el(
              "span.small.soft",
              {},
              say.train.puzzlesDone(one.puzzles.filter(({ solved }) => solved).length, one.puzzles.length),
            ),
          ),
        ),
      ),
    );
    const nDone = lessons.filter(isDone).length;
    this.progress.textContent =
      nDone === lessons.length ? say.train.courseDone : say.train.lessonsDone(nDone, lessons.length);
    const next = current(lessons);
    this.next.replaceChildren(
      next === null
        ? firstGame("course-play")
        : nextLink(
            nDone === 0 ? say.train.startCourse : say.train.goOn(next.number),
            "start",
            { lesson: next.name },
            "course-on",
          ),
      ...(nDone === 0
        ? [el("a.button", { href: addressOf("train", { way: "steps" }), id: "course-steps" }, say.first.title)]
        : []),
    );
  }
}

export class LessonView {
  /** @type {Lesson | null} */
  #told = null;

  constructor() {
    this.example = new Example();
    this.title = el("h2", { id: "lesson-title", tabindex: "-1" });
    this.text = el("section.card.lesson-text", { "aria-label": say.train.lessonText });
    this.puzzles = el("ul.list", { id: "lesson-puzzles" });
    this.remember = el("p.notice.good.row", { id: "remember" });
    this.next = el("div.next", {});
    this.desk = el("div.desk.lesson", {}, this.example.stage, this.example.caption, this.example.controls);
    this.side = el(
      "div.side.lesson",
      {},
      this.text,
      el(
        "section.card.lesson-rest",
        { "aria-label": say.train.lessonPuzzles },
        el("h2", {}, say.train.lessonPuzzles),
        this.remember,
        this.puzzles,
        el("a.button", { href: addressOf("train", { way: "course" }), id: "all-lessons" }, say.train.allLessons),
      ),
    );
  }

  /** The lesson as last loaded from the server. */
  get lesson() {
    return this.#told;
  }

  /** @param {string} name */
  async enter(name) {
    this.#told = await api.train.lesson(name);
    const { number, title, text, example, puzzles, remember, next } = this.#told;
    this.title.textContent = say.train.lessonTitle(number, title);
    this.text.replaceChildren(this.title, ...text.map((paragraph) => el("p", {}, ...unbroken(paragraph))));
    this.puzzles.replaceChildren(
      ...puzzles.map((one, at) =>
        el(
          "li",
          {},
          el(
            "a.button",
            { href: addressOf("train", { lesson: name, number: at + 1 }), "data-puzzle": String(at + 1) },
            el("span", {}, say.train.puzzle(at + 1)),
            one.solved
              ? el("span.badge.safe", {}, icon("check"), say.train.solved)
              : el("span.small.soft", {}, say.train.unsolved),
          ),
        ),
      ),
    );
    this.remember.replaceChildren(
      icon("bulb"),
      el("span", {}, el("b", {}, say.train.remember, " "), ...unbroken(remember)),
    );
    const first = puzzles.findIndex(({ solved }) => !solved);
    this.next.replaceChildren(
      first >= 0
        ? nextLink(
            first === 0 ? say.train.startPuzzles : say.train.nextPuzzle,
            "start",
            { lesson: name, number: first + 1 },
            "lesson-start",
          )
        : next !== null
          ? nextLink(say.train.nextLesson, "step", { lesson: next }, "next-lesson")
          : firstGame("lesson-play"),
    );
    // Once it is done, what to remember comes first, and the way on with it.
    this.side.classList.toggle("done", first < 0);
    if (first < 0) this.remember.after(this.next);
    else this.example.controls.append(this.next);
    this.example.show(example);
  }

  leave() {
    this.example.pause();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, () => void>} */
    const acts = {
      ArrowLeft: () => this.example.step(-1),
      ArrowRight: () => this.example.step(1),
      " ": () => this.example.toggle(),
    };
    if (!(event.key in acts) || (event.key === " " && isControl(event.target))) return;
    event.preventDefault();
    acts[event.key]();
  }
}
