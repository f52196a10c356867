// Statistics: a player's results, and how much of them was luck.

import { api } from "../../common/api.js";
import { announce, el, icon, onResize } from "../../common/dom.js";
import { addressOf, showAddress } from "../../common/router.js";
import { drawHistory } from "./chart.js";
import { dataCard } from "./data.js";
import { assisted, boardNames, figures, keyOf, luck, rate, seconds, skill, speed } from "./figures.js";
import { lookUp, say } from "../../words/index.js";

const POLL = 1000; // milliseconds, while risks are being worked out
const MOST_IDLE = 20; // polls without any change, after which it is left to the next visit
const ALL = "all";

/** @param {HTMLElement} root */
export function create(root) {
  return new Statistics(root);
}

class Statistics {
  /** @type {PlayerStatistics | null} */
  #told = null;
  #timer = 0;
  #idle = 0;
  #size = { width: 720, height: 340 }; // of the figure, in pixels
  /** @type {Map<string, string>} */
  #names = new Map(); // of the boards, by their keys
  wanted = ALL;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.board = el("select", { id: "you-board", onchange: () => this.#chosen() });
    this.numbers = el("dl.numbers", { id: "you-numbers" });
    this.assisted = el("p.soft.small", { id: "you-assisted" });
    this.luck = el("div.sentences", { id: "you-luck" });
    this.figure = el("div.figure", { id: "you-chart" });
    this.table = el("div.table", { tabindex: "0", role: "region", "aria-label": say.you.gameByGame });
    this.boards = el("div.table", {
      tabindex: "0",
      role: "region",
      "aria-label": say.you.boardByBoard,
      id: "you-boards",
    });
    this.deleted = el("p.notice.good", { hidden: true, role: "status" }, say.you.deleted);
    this.full = [
      el(
        "section.card",
        { "aria-label": say.you.inNumbers },
        el(
          "header",
          {},
          el("h2", {}, say.you.inNumbers),
          el("label.pick", {}, el("span.visually-hidden", {}, say.common.board), this.board),
        ),
        this.numbers,
        this.assisted,
      ),
      el("section.card", { "aria-label": say.you.luckAndSkill }, el("h2", {}, say.you.luckAndSkill), this.luck),
      el(
        "section.card",
        { "aria-label": say.you.history },
        el("h2", {}, say.you.history),
        this.figure,
        el(
          "p.legend",
          {},
          el("span", {}, el("i.dot.won"), say.you.win),
          el("span", {}, el("i.dot.lost"), say.you.loss),
        ),
        el("details", {}, el("summary", {}, say.you.gameByGame), el("div.inside", {}, this.table)),
      ),
      el("section.card", { "aria-label": say.you.boardByBoard }, el("h2", {}, say.you.boardByBoard), this.boards),
    ];
    this.empty = el(
      "section.card.empty",
      { "aria-label": say.you.nothingYet, hidden: true },
      el("p", {}, say.you.noGame),
      el("a.button", { href: addressOf("play") }, icon("play"), say.you.play),
    );
    this.daily = el("div.levels", { id: "you-daily" });
    root.append(
      el("div.desk", {}, this.deleted, this.empty, ...this.full),
      el(
        "div.side",
        {},
        el("section.card", { "aria-label": say.you.dailyTitle }, el("h2", {}, say.you.dailyTitle), this.daily),
        dataCard(),
      ),
    );
    onResize(this.figure, (size) => {
      this.#size = size;
      this.#draw();
    });
  }

  /** @param {URLSearchParams} query */
  async enter(query) {
    this.wanted = query.get("board") ?? this.board.value;
    this.deleted.hidden = query.get("deleted") === null;
    this.#idle = 0;
    await Promise.all([this.#load(), this.#loadDaily()]);
  }

  leave() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  async #load() {
    clearTimeout(this.#timer);
    const before = this.#told?.all.luck.waiting ?? null;
    const told = await api.you();
    this.#told = told;
    const { waiting } = told.all.luck;
    this.#idle = waiting === before ? this.#idle + 1 : 0;
    this.#show(told);
    if (before && waiting === 0) announce(say.you.risksReady);
    // What the server cannot say now it will say next time.
    if (waiting > 0 && this.#idle < MOST_IDLE) this.#timer = setTimeout(() => this.#load().catch(() => {}), POLL);
  }

  async #loadDaily() {
    const { levels, streak, longest_streak: longest } = await api.daily();
    /** @param {Daily["levels"][number]} one */
    const solved = (one) => (one.assisted ? say.you.solvedWithHelp : seconds(one.seconds));
    this.daily.replaceChildren(
      el(
        "ul.list",
        {},
        ...levels.map((one) =>
          el(
            "li",
            {},
            el(
              "a",
              {
                href:
                  one.state === "playing"
                    ? addressOf("play", { game: one.game })
                    : addressOf("play", { daily: one.level }),
              },
              el("span", {}, lookUp(say.common.levels, one.level) ?? one.level),
              el("span.soft.small", {}, one.state === "solved" ? solved(one) : say.you.dailyStates[one.state]),
            ),
          ),
        ),
      ),
      el(
        "dl.numbers",
        {},
        ...[
          [say.you.days, String(streak)],
          [say.you.mostDays, String(longest)],
        ].map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value))),
      ),
    );
  }

  // -- what is shown --------------------------------------------------------------------------------------

  /** @param {PlayerStatistics} told */
  #show(told) {
    const { boards, results } = told;
    const isEmpty = results.length === 0;
    this.empty.hidden = !isEmpty;
    for (const card of this.full) card.hidden = isEmpty;
    const chosen = this.wanted || ALL;
    this.#names = boardNames(boards);
    this.board.replaceChildren(
      el("option", { value: ALL }, say.you.allBoards),
      ...boards.map((board) => el("option", { value: keyOf(board) }, this.#names.get(keyOf(board)) ?? "")),
    );
    this.board.value = boards.some((board) => keyOf(board) === chosen) ? chosen : ALL;
    this.#showChosen(told);
    this.#fill(
      this.boards,
      say.you.boardColumns,
      boards.map((board) => [
        this.#names.get(keyOf(board)) ?? "",
        board.games,
        rate(board),
        seconds(board.best_seconds),
        seconds(board.median_seconds),
        speed(board.best_speed),
        board.assisted.games,
      ]),
    );
  }

  #chosen() {
    this.wanted = this.board.value;
    showAddress("you", { board: this.wanted === ALL ? null : this.wanted });
    if (this.#told !== null) this.#showChosen(this.#told);
    announce(this.board.selectedOptions[0].textContent);
  }

  /** The games that count, on the board that was chosen. @param {PlayerStatistics} told */
  #counted(told) {
    return told.results.filter(
      (one) => !one.assisted && (this.board.value === ALL || keyOfGame(one) === this.board.value),
    );
  }

  /** @param {PlayerStatistics} told */
  #showChosen(told) {
    const totals = told.boards.find((board) => keyOf(board) === this.board.value) ?? told.all;
    const shown = figures(totals, this.board.value !== ALL);
    this.numbers.replaceChildren(
      ...shown.map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value))),
    );
    this.assisted.textContent = assisted(totals.assisted);
    this.luck.replaceChildren(
      ...[...luck(totals.luck), ...skill(totals.luck)].map((sentence) => el("p", {}, sentence)),
    );
    this.#fill(
      this.table,
      say.you.gameColumns,
      this.#counted(told)
        .map((one, at) => [
          at + 1,
          new Date(one.ended).toLocaleString(),
          this.#names.get(keyOfGame(one)) ?? "",
          one.outcome === "won" ? say.you.won : say.you.lost,
          seconds(one.seconds),
          speed(one.speed),
          one.risk === null ? say.common.none : one.risk.toFixed(2),
        ])
        .toReversed(),
    );
    this.#draw();
  }

  #draw() {
    if (this.#told === null) return;
    const results = this.#counted(this.#told);
    if (results.length === 0) {
      this.figure.replaceChildren(el("p.soft.small", {}, say.you.noCounted));
      return;
    }
    const { width, height } = this.#size;
    this.figure.replaceChildren(
      this.board.value === ALL
        ? drawHistory(results, "speed", say.you.chartSpeed, width, height)
        : drawHistory(results, "seconds", say.you.chartTime, width, height),
    );
  }

  /** @param {HTMLElement} place @param {readonly string[]} titles @param {Value[][]} rows */
  #fill(place, titles, rows) {
    place.replaceChildren(
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...titles.map((title) => el("th", { scope: "col" }, title)))),
        el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((value) => el("td", {}, String(value)))))),
      ),
    );
  }
}

/** @param {Result} one */
const keyOfGame = (one) => keyOf({ ...one, daily: one.daily !== null });
