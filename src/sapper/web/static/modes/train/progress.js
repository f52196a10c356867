// Progress: ratings by kind, streaks, accuracy, times, what comes back, and the pattern that goes worst.

import { api } from "../../common/api.js";
import { announce, button, el, icon, onResize } from "../../common/dom.js";
import { drawRating } from "./chart.js";
import { nameBoard } from "./choice.js";
import { percent } from "../../common/percent.js";
import { addressOf } from "../../common/router.js";
import { describeRules } from "../../rules/text.js";
import { entriesOf, lookUp, say } from "../../words/index.js";

const ALL = "overall";

/** @param {number} value */
const share = (value) => percent(value, value === 0 || value === 1);
/** @param {number} value */
const seconds = (value) => say.common.seconds(value.toFixed(1));
/** @param {Standing} standing */
const rating = ({ rating: value, deviation, rated }) =>
  rated > 0 ? say.train.within(Math.round(value), Math.round(2 * deviation)) : say.common.none;
// On a phone the error appears below the rating.
/** @param {Standing} standing */
const ratingCell = ({ rating: value, deviation, rated }) =>
  rated > 0
    ? el(
        "span",
        {},
        String(Math.round(value)),
        " ",
        el("span.soft.error", {}, say.train.error(Math.round(2 * deviation))),
      )
    : say.common.none;
/** @param {string[]} figure */
const figure = ([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value));

export class Progress {
  /** @type {TrainProgress | null} */
  #told = null;
  #size = { width: 640, height: 280 };

  /**
   * `train(kind)` begins with puzzles of a kind, `repeat()` with those that are due.
   * @param {{ train: (kind: Kind) => void, repeat: () => void }} acts
   */
  constructor({ train, repeat }) {
    this.train = train;
    this.repeat = repeat;
    this.numbers = el("dl.numbers", { id: "train-numbers" });
    this.which = el("select", { id: "train-chart-kind", onchange: () => this.#draw(true) });
    this.figure = el("div.figure", { id: "train-chart" });
    this.table = el("div.table", { tabindex: "0", role: "region", "aria-label": say.train.byKind, id: "train-kinds" });
    this.weakest = el("section.card", { "aria-label": say.train.weakest, id: "weakest" });
    this.due = el("section.card", { "aria-label": say.train.repetition, id: "due" });
    this.rounds = el("section.card", { "aria-label": say.train.bestRounds, id: "rounds" });
    this.full = [
      el("section.card", { "aria-label": say.train.inNumbers }, el("h2", {}, say.train.inNumbers), this.numbers),
      el("section.card", { "aria-label": say.train.byKind }, el("h2", {}, say.train.byKind), this.table),
      el(
        "section.card",
        { "aria-label": say.train.overTime },
        el(
          "header",
          {},
          el("h2", {}, say.train.overTime),
          el("label.pick", {}, el("span.visually-hidden", {}, say.train.kind), this.which),
        ),
        this.figure,
        el("p.small.soft", {}, say.train.aboutChart),
      ),
    ];
    this.empty = el(
      "section.card.empty",
      { "aria-label": say.train.nothingYet, hidden: true },
      el("p", {}, say.train.nothingSolved),
      el(
        "div.row",
        {},
        el("a.button.primary", { href: addressOf("train", { way: "rated" }) }, icon("train"), say.train.startTraining),
        el("a.button", { href: addressOf("train", { way: "course" }) }, say.train.startCourse),
      ),
    );
    this.desk = el("div.desk", {}, this.empty, ...this.full);
    this.side = el(
      "div.side",
      {},
      this.weakest,
      this.due,
      this.rounds,
      el(
        "section.card",
        { "aria-label": say.train.yourData },
        el("h2", {}, say.train.yourData),
        el("p.small.soft", {}, say.train.aboutData),
        el("a.button", { href: addressOf("you") }, icon("you"), say.train.toStatistics),
      ),
    );
    onResize(this.figure, (size) => {
      this.#size = size;
      this.#draw();
    });
  }

  async enter() {
    const told = await api.train.progress();
    this.#told = told;
    const { overall } = told;
    const isEmpty = overall.attempts === 0;
    this.empty.hidden = !isEmpty;
    for (const card of [...this.full, this.rounds, this.due]) card.hidden = isEmpty;
    this.#showWeakest(told);
    if (isEmpty) return;
    this.#showNumbers(told);
    this.#showKinds(told);
    this.#showDue(told);
    this.#showRounds(told);
    const charted = Object.entries(told.progress)
      .filter(([, points]) => points.length > 0)
      .map(([kind]) => kind);
    const before = this.which.value;
    this.which.replaceChildren(
      ...charted.map((kind) =>
        el("option", { value: kind }, kind === ALL ? say.train.allKinds : lookUp(say.train.kinds, kind)),
      ),
    );
    this.which.value = charted.includes(before) ? before : ALL;
    this.which.hidden = charted.length === 0;
    this.#draw();
  }

  /** @param {TrainProgress} told */
  #showNumbers({ overall, streaks }) {
    this.numbers.replaceChildren(
      ...[
        [overall.rated > 0 && overall.provisional ? say.train.ratingProvisional : say.train.rating, rating(overall)],
        [say.train.solvedPuzzles, String(overall.attempts)],
        [say.train.accuracy, share(overall.accuracy)],
        [say.train.meanTime, seconds(overall.mean_seconds)],
        [say.train.streak, String(streaks.right)],
        [say.train.longestStreak, String(streaks.most_right)],
        [say.train.days, String(streaks.days)],
      ].map(figure),
    );
  }

  /** @param {TrainProgress} told */
  #showKinds({ kinds }) {
    const rows = Object.entries(kinds).map(([kind, one]) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, lookUp(say.train.kinds, kind) ?? kind),
        ...[ratingCell(one), share(one.accuracy), seconds(one.mean_seconds), String(one.attempts)].map((value) =>
          el("td", {}, value),
        ),
      ),
    );
    this.table.replaceChildren(
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...say.train.kindColumns.map((title) => el("th", { scope: "col" }, title)))),
        el("tbody", {}, ...rows),
      ),
    );
  }

  /** @param {TrainProgress} told */
  #showWeakest({ weakest }) {
    this.weakest.replaceChildren(
      el("h2", {}, say.train.weakest),
      ...(weakest === null
        ? [el("p.small.soft", {}, say.train.noWeakness)]
        : [
            el("p", {}, el("b", {}, say.train.kinds[weakest.kind])),
            el("p.small.soft", {}, say.train.aboutWeakest(share(weakest.score), share(weakest.expected))),
            button(say.train.trainThis, "train", {
              class: "primary",
              id: "train-weakest",
              onclick: () => this.train(weakest.kind),
            }),
          ]),
    );
  }

  /** @param {TrainProgress} told */
  #showDue({ repetition: { due, next_due: next } }) {
    this.due.replaceChildren(
      el("h2", {}, say.train.repetition),
      el(
        "p",
        {},
        due.length
          ? say.train.due(due.length)
          : next === null
            ? say.train.noRepetition
            : say.train.noneDue(new Date(1000 * next).toLocaleDateString()),
      ),
      el("p.small.soft", {}, say.train.aboutRepetition),
      ...(due.length
        ? [button(say.train.repeatNow, "again", { class: "primary", id: "repeat", onclick: () => this.repeat() })]
        : []),
    );
  }

  /** @param {TrainProgress} told */
  #showRounds(told) {
    const rounds = entriesOf(told.best_by_board).flatMap(([way, boards]) =>
      Object.entries(boards).map(([board, right]) => [
        say.train.roundOn(say.train.ways[way], nameBoard(board) ?? describeRules(board)),
        String(right),
      ]),
    );
    this.rounds.replaceChildren(
      el("h2", {}, say.train.bestRounds),
      rounds.length ? el("dl.numbers", {}, ...rounds.map(figure)) : el("p.small.soft", {}, say.train.noRounds),
    );
  }

  /** @param {boolean} isChosen */
  #draw(isChosen = false) {
    const points = this.#told?.progress[this.which.value] ?? [];
    if (isChosen) announce(this.which.selectedOptions[0].textContent);
    if (points.length === 0) {
      this.figure.replaceChildren(el("p.soft.small", {}, say.train.noRated));
      return;
    }
    const { overall = null, kinds = {} } = this.#told ?? {};
    const standing = this.which.value === ALL ? overall : lookUp(kinds, this.which.value);
    this.figure.replaceChildren(
      drawRating(points, standing?.rated ?? points.length, this.#size.width, this.#size.height),
    );
  }
}
