// The end of a round: what it came to, and what went wrong in it.

import { button, el } from "../../common/dom.js";
import { addressOf } from "../../common/router.js";
import { say } from "../../words/index.js";

/**
 * The card before a round begins; `field` chooses the board.
 * @param {"sprint" | "survival"} way
 * @param {number | undefined} best
 * @param {HTMLSelectElement} field
 * @param {() => void} begin
 */
export function startBody(way, best, field, begin) {
  return [
    el("h2", {}, say.train.ways[way]),
    el("p", {}, say.train.aboutWays[way]),
    el("label.field", {}, el("span", {}, say.common.board), field),
    ...(best ? [el("p.soft", {}, say.train.bestSoFar(best))] : []),
    button(say.train.begin, "start", { class: "primary", id: "begin", "aria-keyshortcuts": "N", onclick: begin }),
  ];
}

/**
 * The card after it: the score, the best one, and the puzzles that were answered wrong.
 * @param {import("./run.js").Rounds} way
 * @param {number | undefined} best
 * @param {HTMLSelectElement} field
 * @param {() => void} begin
 */
export function endBody({ way, score, wrong }, best, field, begin) {
  const isBest = score > (best ?? 0);
  return [
    el("h2", {}, way === "sprint" ? say.train.timeUp : say.train.livesGone),
    el("p.result", {}, el("b", {}, String(score)), " ", say.train.solvedIn(score)),
    el("p.soft", {}, isBest ? say.train.newBest : best ? say.train.bestSoFar(best) : ""),
    ...(wrong.length
      ? [
          el("p.label", {}, say.train.wrongOnes),
          el(
            "ul.list",
            {},
            ...wrong.map(({ link, kind }, at) =>
              el(
                "li",
                {},
                el(
                  "a.button",
                  { href: addressOf("train", { way: "free", puzzle: link }) },
                  el("span", {}, say.train.puzzle(at + 1)),
                  el("span.soft.small", {}, say.train.kinds[kind]),
                ),
              ),
            ),
          ),
        ]
      : []),
    el("label.field", {}, el("span", {}, say.common.board), field),
    el(
      "div.row.even",
      {},
      button(say.train.again, "again", { class: "primary", id: "begin", "aria-keyshortcuts": "N", onclick: begin }),
      el("a.button", { href: addressOf("train", { way: "progress" }) }, say.train.progress),
    ),
  ];
}
