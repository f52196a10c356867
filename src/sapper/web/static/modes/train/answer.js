// What is said after an answer: whether it was right, why, and what a guess was worth.

import { FLAG } from "../../board/cells/position.js";
import { cellsIn, withCells } from "../../common/coordinates.js";
import { button, cellName, el, icon } from "../../common/dom.js";
import { twoLayouts } from "./layouts.js";
import { percent } from "../../common/percent.js";
import { ProofSteps } from "./proof.js";
import { say } from "../../words/index.js";

const MOST_LISTED = 6;

/** @param {number} p */
const chance = (p) => percent(p, p === 0 || p === 1, p === 0 || p === 1 ? 0 : 1);

/** The verdict in a word or two. @param {Verdict} verdict @param {boolean} isGivenUp */
function headline({ right, score }, isGivenUp) {
  if (isGivenUp) return say.train.givenUp;
  if (right) return say.train.right;
  return score > 0 ? say.train.nearly : say.train.wrong;
}

/** What the answer came to, for a screen reader. @param {Verdict} verdict @param {boolean} isGivenUp */
export const verdictWords = (verdict, isGivenUp) =>
  [headline(verdict, isGivenUp), ...saidOf(verdict, isGivenUp)].join(" ");

/** What there is to say besides the headline. @param {Verdict} verdict @param {boolean} isGivenUp */
function saidOf({ right, said, answer, reason, number }, isGivenUp) {
  // A right number needs its reason alone.
  const sentences = isGivenUp ? [answer, reason] : right && number !== null ? [reason] : said;
  return sentences.filter(Boolean);
}

/** The card of an answer. */
export class AnswerCard {
  /** @type {ProofSteps | null} */
  #steps = null;
  #destroyLayouts = () => {};

  /**
   * `board` is the one that the puzzle is shown on, `next(event)` leads to what follows.
   * @param {Board} board
   * @param {(event: MouseEvent) => void} next
   */
  constructor(board, next) {
    this.board = board;
    this.next = next;
    /** @type {HTMLButtonElement | null} */
    this.nextButton = null;
    this.element = el("section.card.answer", { "aria-label": say.train.answer, id: "answer-card", hidden: true });
  }

  hide() {
    this.element.hidden = true;
    this.#steps = null;
    this.#destroyLayouts();
  }

  /**
   * Show the verdict on an answer, `cell` or none.
   * `beside` says what it did to a rating, `nextLabel` names the next button.
   * @param {Puzzle} puzzle
   * @param {Verdict} verdict
   * @param {{ cell: Cell | null, isGivenUp: boolean, beside: string | null, nextLabel: string }} told
   */
  show(puzzle, verdict, { cell, isGivenUp, beside, nextLabel }) {
    const mood = verdict.right ? "good" : verdict.score > 0 ? "warn" : "bad";
    this.nextButton = button(nextLabel, "step", {
      class: "primary",
      id: "next-puzzle",
      "aria-keyshortcuts": "N",
      onclick: this.next,
    });
    this.element.replaceChildren(
      el(
        `div.notice.${mood}.row`,
        { id: "verdict-line" },
        icon(verdict.right ? "check" : "cross"),
        el("p", {}, el("b", {}, headline(verdict, isGivenUp), " "), ...withCells(saidOf(verdict, isGivenUp).join(" "))),
      ),
      ...[beside].filter(Boolean).map((sentence) => el("p.small.soft", { id: "rating-line" }, sentence)),
      el("div.row.even", {}, this.nextButton),
      ...this.#why(puzzle, verdict, cell),
    );
    this.element.hidden = false;
  }

  /** @param {Puzzle} puzzle @param {Verdict} verdict @param {Cell | null} cell */
  #why(puzzle, verdict, cell) {
    const isFlag = verdict.right && puzzle.answer_with === "flag";
    const own = cell === null ? {} : { [isFlag ? "right-flag" : verdict.right ? "last" : "wrong"]: [cell] };
    if (isFlag && cell !== null) this.board.setCells([[...cell, FLAG]]);
    /** @param {Marks} marks */
    const mark = (marks) => {
      // A flag that is right stays in sight.
      const mine = isFlag ? marks.mine?.filter((one) => String(one) !== String(cell)) : marks.mine;
      this.board.setMarks({ area: puzzle.marked, ...marks, mine, ...own });
    };
    if (verdict.guess) return this.#guess(verdict.guess, mark);
    if (verdict.proof === null) {
      mark({ clue: cellsIn(verdict.reason) });
      return [];
    }
    this.board.reveal(...verdict.proof.cell);
    this.#steps = new ProofSteps(verdict.proof, mark);
    return [...this.#whyNot(puzzle, verdict, cell), el("h2", {}, say.train.proof), this.#steps.element];
  }

  /** @param {Puzzle} puzzle @param {Verdict} verdict @param {Cell | null} cell */
  #whyNot(puzzle, { layouts }, cell) {
    if (layouts === null || cell === null) return [];
    const place = el("div.inside", {});
    const details = el(
      "details",
      {
        id: "why-not",
        ontoggle: () => {
          if (!details.open || place.firstChild) return;
          const { element, destroy } = twoLayouts(puzzle.position, layouts, cell);
          this.#destroyLayouts = destroy;
          place.append(el("p.small.soft", {}, say.train.bothFit), element);
        },
      },
      el("summary", {}, say.train.whyNot),
      place,
    );
    return [details];
  }

  /**
   * What a guess is worth beside the best.
   * @param {NonNullable<Verdict["guess"]>} guess
   * @param {(marks: Marks) => void} mark
   */
  #guess({ own: answer, best, cells, chances }, mark) {
    const own = cells.find(({ cell }) => String(cell) === String(answer?.cell)) ?? null;
    // Flags stay flags: what is under them is known.
    this.board.setChances({
      ...chances,
      p: chances.p.map((line, row) => line.map((p, col) => (this.board.isFlag(row, col) ? null : p))),
    });
    mark({ best: cells.filter(({ p_win: p }) => p === best.p_win).map(({ cell }) => cell) });
    const shown = cells.slice(0, MOST_LISTED);
    if (own !== null && !shown.includes(own)) shown.push(own);
    const figures =
      own === null
        ? []
        : [
            [say.train.yourRisk, chance(own.risk)],
            [say.train.yourWins, chance(own.p_win)],
            [say.train.share, percent(own.p_win / best.p_win, own.p_win === best.p_win)],
          ];
    return [
      el(
        "dl.numbers",
        {},
        ...[...figures, [say.train.bestWins, chance(best.p_win)]].map(([name, value]) =>
          el("div", {}, el("dt", {}, name), el("dd", {}, value)),
        ),
      ),
      el(
        "div.table",
        { tabindex: "0", role: "region", "aria-label": say.train.candidates },
        el(
          "table",
          {},
          el("thead", {}, el("tr", {}, ...say.train.guessColumns.map((name) => el("th", { scope: "col" }, name)))),
          el(
            "tbody",
            {},
            ...shown.map((one) =>
              el(
                "tr",
                { class: one === own ? "own" : null },
                el("td", {}, ...withCells(cellName(one.cell)), one === own ? ` ${say.train.yours}` : ""),
                el("td", {}, chance(one.risk)),
                el("td", {}, chance(one.p_win)),
              ),
            ),
          ),
        ),
      ),
      el("p.small.soft", {}, say.train.aboutGuess),
    ];
  }

  /** Step through the proof by key; whether there was something to do. @param {number} by */
  step(by) {
    this.#steps?.go(by);
    return this.#steps !== null;
  }
}
