// Review: a finished game, move by move, each move's risk against the best there was.

import { api, messageOf } from "../../common/api.js";
import { Board } from "../../board/board.js";
import { announce, button, cellName, el, icon, memory, moveName, svg, toast } from "../../common/dom.js";
import { naming, withCells } from "../../common/coordinates.js";
import { Estimate, PASSES } from "./estimate.js";
import { EXAMPLE } from "./files.js";
import { explanation } from "../../common/hint.js";
import { Insight } from "./insight.js";
import { keep, recall } from "./kept.js";
import { OpeningCard } from "./opening.js";
import { formatPosition, parsePosition } from "../../board/cells/position.js";
import { percent } from "../../common/percent.js";
import { addressOf, readAddress, showAddress } from "../../common/router.js";
import { describeRules, parseRules } from "../../rules/text.js";
import { drawStrip, markStrip, moveAt } from "./strip.js";
import { badge, figuresOf, titleOf, writeShare } from "./verdicts.js";
import { rulerButton } from "../../board/rulers.js";
import { zoomButtons } from "../../board/zoom.js";
import { say } from "../../words/index.js";

const PATIENCE = 150; // milliseconds after which it is said that the server is at work
const TEACHES = ["mistake", "extra risk"];
const REST = 200; // milliseconds at a move after which the address names it: browsers allow few changes a second

/** @param {HTMLElement} root */
export function create(root) {
  return new Review(root);
}

/** Before a game is open. @type {GameReview} */
const NONE = {
  rules: "",
  start: "#",
  moves: [],
  summary: [],
  mistakes: [],
  last_safe: null,
  identified: 0,
  outcome: "playing",
  layout: [],
};

class Review {
  #review = NONE;
  #at = 0;
  /** @type {Position[]} */
  #positions = [];
  /** @type {{ game?: string | null, kept?: string | null }} */
  #source = {}; // how the address names the game: { game } of the player, or { kept } of a file or pasted text
  #asked = 0;
  #noting = 0;
  #insight = new Insight();
  /** @type {Reviewed | null} */
  #what = null; // as the server was asked to review it
  /** @type {Estimate | null} */
  #estimate = null;

  /** @param {HTMLElement} root */
  constructor(root) {
    const stage = el("div");
    /** @param {string} label @param {string} name @param {() => void} act @param {string} [id] */
    const jump = (label, name, act, id) =>
      el("button.square", { type: "button", "aria-label": label, title: label, onclick: act, id }, icon(name));
    this.range = el("input", {
      type: "range",
      min: "0",
      max: "0",
      step: "1",
      "aria-label": say.review.move,
      oninput: () => {
        this.#goTo(Number(this.range.value));
      },
    });
    this.strip = svg("svg", { class: "strip", "aria-hidden": "true" });
    this.strip.addEventListener(
      "click",
      (event) => this.#review.moves.length && this.#goTo(moveAt(this.strip, event.clientX, this.#review.moves)),
    );
    this.now = el("p.now-line", { "aria-hidden": "true" }); // the card says the same, but far below on a phone
    this.controls = el(
      "div.controls",
      { hidden: true },
      this.now,
      el("div.scrub", {}, this.strip, this.range),
      el(
        "div.row.spread.captions",
        {},
        el("p.small.soft", {}, say.review.captions),
        (this.progress = el("p.small.soft", { id: "estimating" })),
      ),
    );
    this.empty = el(
      "div.stage.empty",
      {},
      el("p", {}, el("b", {}, say.review.noGame), el("br"), say.review.openOne),
      el(
        "div.row",
        {},
        button(say.review.example, "review", { id: "review-example", onclick: () => this.#open({ record: EXAMPLE }) }),
      ),
    );
    this.working = el(
      "p.notice.row.working",
      { role: "status", hidden: true },
      el("i", { "aria-hidden": "true" }),
      el("span", {}, say.review.working),
    );
    this.desk = el("div.desk", {}, this.working, this.empty, stage, this.controls);
    this.card = el("section.card", { hidden: true, "aria-label": say.review.thisMove, id: "move-card" });
    this.reason = el("section.card", { hidden: true, "aria-label": say.review.reason, id: "reason-card" });
    this.showsChances = el("input", {
      type: "checkbox",
      id: "review-chances",
      checked: memory.get("review-chances") !== "off",
      onchange: () => this.#toggleChances(),
    });
    this.summary = el("section.card", { hidden: true, "aria-label": say.review.game });
    this.moves = el("ol.list.moves", { "aria-label": say.review.moves, tabindex: "0" });
    this.movesCard = el(
      "section.card",
      { hidden: true, "aria-label": say.review.moves },
      el("h2", {}, say.review.moves),
      this.moves,
    );
    this.opening = new OpeningCard((what) => this.#open(what));
    const side = el("div.side", {}, this.card, this.reason, this.summary, this.movesCard, this.opening.element);
    root.append(this.desk, side);
    this.stage = stage;
    this.board = new Board(stage, { label: say.review.board });
    stage.hidden = true;
    this.analyse = el(
      "a.button",
      {
        id: "analyse-this",
        title: say.review.analyseTitle,
        "aria-label": say.review.analyseTitle,
        onclick: () => this.#showAddress(),
      },
      icon("analyse"),
      el("span", {}, say.review.analyse),
    );
    this.controls.append(
      el(
        "div.bar",
        {},
        el(
          "div.group",
          {},
          jump(say.review.first, "first", () => this.#goTo(0)),
          jump(say.review.before, "back", () => this.#goTo(this.#at - 1), "review-back"),
          jump(say.review.next, "step", () => this.#goTo(this.#at + 1), "review-next"),
          jump(say.review.end, "last", () => this.#goTo(Infinity)),
        ),
        el(
          "div.group",
          {},
          (this.mistakeButton = button(say.review.turningPoint, "warn", {
            title: say.review.turningPointTitle,
            onclick: () => this.#nextMistake(),
            id: "next-mistake",
          })),
          (this.safeButton = button(say.review.lastSafe, "check", {
            title: say.review.lastSafeTitle,
            onclick: () => this.#lastSafe(),
            id: "last-safe",
          })),
          this.analyse,
          (this.continueButton = button(say.review.playOn, "play", {
            id: "play-on",
            title: say.review.playOnTitle,
            onclick: () => this.#playOn(),
          })),
        ),
        zoomButtons(this.board, rulerButton()),
      ),
    );
    root.board = this.board;
  }

  /** @param {URLSearchParams} query */
  async enter(query) {
    this.opening.refresh();
    this.#estimate?.start();
    const game = query.get("game");
    const kept = query.get("kept");
    const move = /^\d+$/.test(query.get("move") ?? "") ? Number(query.get("move")) : null;
    if (game === null && kept === null) {
      if (this.#review !== NONE) this.#showAddress();
      return;
    }
    const isThere = game === (this.#source.game ?? null) && kept === (this.#source.kept ?? null);
    if (this.#review !== NONE && isThere) {
      if (move !== null) this.#goTo(move);
      return;
    }
    const what = game === null ? recall(kept ?? "") : { game };
    if (what !== null) await this.#open(what, move);
    else toast(say.review.inOtherTab, true);
  }

  leave() {
    this.#insight.cancel();
    this.#estimate?.stop();
    clearTimeout(this.#noting);
  }

  // -- opening --------------------------------------------------------------------------------------------

  /** @param {Reviewed} what @param {number | null} move */
  async #open({ games: _, ...what }, move = null) {
    this.#asked += 1;
    const asked = this.#asked;
    const slow = setTimeout(() => {
      this.working.hidden = false;
      this.desk.setAttribute("aria-busy", "true");
    }, PATIENCE);
    try {
      const review = await api.review(what);
      if (asked !== this.#asked) return; // another game was asked for meanwhile
      this.#take(review, what.game ? { game: what.game } : { kept: keep(what) }, move, what);
    } catch (error) {
      if (asked === this.#asked) toast(messageOf(error), true);
    } finally {
      clearTimeout(slow);
      if (asked === this.#asked) {
        this.working.hidden = true;
        this.desk.removeAttribute("aria-busy");
      }
    }
  }

  /**
   * @param {GameReview} review
   * @param {{ game?: string | null, kept?: string | null }} source
   * @param {number | null} move
   * @param {Reviewed} what
   */
  #take(review, source, move, what) {
    this.#review = review;
    this.#source = source;
    this.#what = what;
    this.#positions = [];
    this.empty.hidden = true;
    this.stage.hidden = this.controls.hidden = this.card.hidden = this.summary.hidden = this.movesCard.hidden = false;
    this.range.max = String(review.moves.length);
    this.safeButton.disabled = review.last_safe === null;
    this.#at = 0;
    this.#showGame();
    const notable = review.moves.findIndex((one) => one.notable);
    this.#goTo(move ?? (notable >= 0 ? notable : 0));
    this.#beginEstimate(what);
  }

  /** Everything about the game as a whole. */
  #showGame() {
    const { moves, outcome, rules, summary } = this.#review;
    this.mistakeButton.disabled = !moves.some((one) => one.notable);
    drawStrip(this.strip, moves, outcome === "won", this.#at);
    this.#listMoves();
    /** @param {string} verdict */
    const count = (verdict) => moves.filter((one) => one.verdict === verdict).length;
    const nUnlucky = count("unlucky");
    this.summary.replaceChildren(
      el("h2", {}, say.review.game),
      el("p", {}, say.review.line(describeRules(rules), describeResult(this.#review))),
      el(
        "dl.numbers",
        {},
        ...[
          { name: say.review.mistakes, value: count("mistake") },
          { name: say.review.extraRisks, value: count("extra risk") },
          { name: say.review.unlucky, value: nUnlucky },
          { name: say.review.guesses, value: count("forced guess") + count("fair guess") + nUnlucky },
        ].map(({ name, value }) => el("div", {}, el("dt", {}, name), el("dd", {}, String(value)))),
      ),
      ...summary.map((line) => el("p.small.soft", {}, ...withCells(line))),
      ...this.#training(),
    );
  }

  /** A lost game is worth a puzzle: of the position where it went wrong. */
  #training() {
    const { moves, outcome } = this.#review;
    if (outcome === "won") return [];
    // Bad luck teaches nothing where something else went wrong before.
    const wrong = moves.findLastIndex(({ verdict }) => TEACHES.includes(verdict));
    const at = wrong >= 0 ? wrong : moves.findLastIndex(({ notable }) => notable);
    if (at < 0) return [];
    return [
      el(
        "a.button.primary",
        {
          id: "train-this",
          title: say.review.trainTitle,
          href: addressOf("train", { position: formatPosition(this.#positionAt(at)) }),
          onclick: () => this.#showAddress(),
        },
        icon("train"),
        el("span", {}, say.review.train),
      ),
    ];
  }

  // -- the chance to win ----------------------------------------------------------------------------------

  /** @param {Reviewed} what */
  #beginEstimate(what) {
    this.#estimate?.stop();
    this.#estimate = null;
    this.progress.textContent = "";
    const review = this.#review;
    if (!review.moves.some((one) => one.action !== "flag" && one.p_mine)) return; // nothing was risked
    this.progress.textContent = say.review.estimating;
    this.#estimate = new Estimate(what, {
      came: (part, isRough) => {
        if (this.#review === review) this.#takeChances(part, isRough);
      },
      done: () => {
        if (this.#review !== review) return;
        this.progress.textContent = describeSource(review.moves);
        announce(say.review.saidEstimated);
      },
      failed: (sentence) => {
        if (this.#review === review) this.progress.textContent = sentence;
      },
    });
    this.#estimate.start();
  }

  /**
   * Some more moves with their chances to win: show them, and leave the rest as it is.
   * @param {WinsPart} part
   * @param {boolean} isRough
   */
  #takeChances({ moves, done, total, summary, mistakes }, isRough) {
    const review = this.#review;
    const before = JSON.stringify(review.moves[this.#at]);
    for (const { number, ...move } of moves) Object.assign(review.moves[number], move);
    if (summary !== null) Object.assign(review, { summary, mistakes });
    this.progress.textContent = isRough ? say.review.estimatingMoves(done, total) : say.review.refining(done, total);
    const place = this.moves.scrollTop;
    const focused = [...this.moves.children].findIndex((line) => line.contains(document.activeElement));
    this.#showGame();
    this.#markListed();
    this.moves.scrollTop = place;
    this.moves.children[focused]?.querySelector("button")?.focus({ preventScroll: true });
    if (this.#at < review.moves.length && before !== JSON.stringify(review.moves[this.#at])) {
      this.#showMove(review.moves[this.#at], this.#at, true);
    }
  }

  /** Go on with the game from the position that is shown; Back leads here again. */
  async #playOn() {
    this.continueButton.disabled = true;
    try {
      const { id } = await api.continueGame({ ...this.#what, moves: this.#at });
      this.#showAddress();
      location.hash = addressOf("play", { game: id });
    } catch (error) {
      toast(messageOf(error), true);
    } finally {
      this.#showOnward();
    }
  }

  #showOnward() {
    const { moves } = this.#review;
    this.continueButton.disabled = this.#at === moves.length && moves.length > 0;
  }

  // -- going through it -----------------------------------------------------------------------------------

  /** The position before move `at`; after the last one, the end. @param {number} at */
  #positionAt(at) {
    const { moves, start } = this.#review;
    if (at === 0) return parsePosition(moves[0]?.position_before ?? start);
    const known = moves[at - 1].position_after;
    if (known) return parsePosition(known);
    // Large records come as changes only: go on from the nearest position before.
    let from = at;
    while (from > 0 && !this.#positions[from]) from -= 1;
    const position = this.#positions[from]
      ? { ...this.#positions[from], cells: this.#positions[from].cells.slice() }
      : parsePosition(start);
    for (let k = from; k < at; k += 1) {
      for (const [row, col, code] of moves[k].changed) position.cells[row * position.cols + col] = code;
    }
    if (at % 50 === 0) this.#positions[at] = { ...position, cells: position.cells.slice() };
    return position;
  }

  /** @param {number} wanted */
  #goTo(wanted) {
    if (this.#review === NONE) return;
    const { moves, layout } = this.#review;
    const at = Math.max(0, Math.min(moves.length, wanted));
    this.#at = at;
    this.range.value = String(at);
    const position = this.#positionAt(at);
    this.#insight.cancel();
    this.board.setChances(null);
    this.board.setPosition(position);
    this.board.setTruth(at === moves.length ? layout : null);
    this.reason.hidden = true;
    this.analyse.href = addressOf("analyse", { position: formatPosition(position) });
    const move = moves[at];
    this.range.setAttribute("aria-valuetext", move ? wordsOf(move, at + 1, moves.length) : say.review.end);
    if (move) this.#showMove(move, at);
    else this.#showEnd();
    this.#markListed();
    this.#showOnward();
    markStrip(this.strip, at, moves);
    clearTimeout(this.#noting);
    this.#noting = setTimeout(() => this.#showAddress(), REST);
  }

  /** Show in the list which move is looked at. */
  #markListed() {
    this.moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const line = this.moves.querySelectorAll("li")[this.#at];
    if (!line) return;
    line.firstElementChild?.setAttribute("aria-current", "true");
    this.moves.scrollTop = Math.max(0, line.offsetTop - this.moves.offsetTop - 60);
  }

  #showAddress() {
    clearTimeout(this.#noting);
    if (readAddress().mode === "review") showAddress("review", { ...this.#source, move: this.#at });
  }

  /**
   * `isSame`: it was shown already, and more is known of it now.
   * @param {ReviewedMove} move
   * @param {number} at
   * @param {boolean} isSame
   */
  #showMove(move, at, isSame = false) {
    /** @type {Marks} */
    const marks = { best: move.instead, last: [[move.row, move.col]] };
    this.board.setMarks(marks);
    if (!isSame) this.board.reveal(move.row, move.col);
    const hadFocus = document.activeElement === this.showsChances;
    const title = say.review.moveTitle(at + 1, moveName(move));
    this.now.replaceChildren(el("b", {}, say.review.moveLine(at + 1, moveName(move))), badge(move.verdict));
    this.card.replaceChildren(
      el("header", {}, el("h2", {}, ...withCells(title)), badge(move.verdict)),
      ...move.words.map((line) => el("p", {}, ...withCells(line))),
      figuresOf(move),
      move.reason ? el("p.small.soft", {}, ...withCells(say.review.player(move.reason))) : "",
      el("label.tick", {}, this.showsChances, el("span", {}, say.review.chancesShown)),
    );
    if (hadFocus) this.showsChances.focus();
    if (!isSame) announce(say.review.saidMove(title, titleOf(move.verdict), move.words.join(" ")));
    // What should have been seen: why the better cell is safe or less risky; else, why this move was what it was.
    const cell = move.instead[0] ?? (move.action === "chord" ? null : [move.row, move.col]);
    this.#insight.look(this.board.position, cell, (known) => this.#showInsight(known, marks));
  }

  /** @param {import("./insight.js").Known} known @param {Marks} marks */
  #showInsight({ chances, found }, marks) {
    if (this.showsChances.checked) this.board.setChances(chances);
    if (found === null) return;
    this.board.setMarks({ clue: found.clues, ...marks });
    this.reason.replaceChildren(
      el("h2", {}, ...withCells(say.review.why(cellName(found.cell)))),
      ...explanation(found),
    );
    this.reason.hidden = false;
  }

  #toggleChances() {
    memory.set("review-chances", this.showsChances.checked ? "on" : "off");
    this.#goTo(this.#at);
    this.showsChances.focus(); // the card was filled anew around it
  }

  #showEnd() {
    this.board.setMarks({});
    this.now.replaceChildren(el("b", {}, say.review.end));
    this.card.replaceChildren(el("h2", {}, say.review.end), el("p", {}, describeResult(this.#review)));
    announce(say.review.saidEnd);
  }

  #listMoves() {
    this.moves.replaceChildren(
      ...this.#review.moves.map((move, at) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", "data-at": String(at), ...naming([move.row, move.col]), onclick: () => this.#goTo(at) },
            el("span", {}, say.review.moveLine(at + 1, moveName(move))),
            move.wins
              ? el(
                  "span.soft.small.chance",
                  { title: say.review.winsBefore },
                  percent(move.wins.best[0], move.wins.exact && [0, 1].includes(move.wins.best[0])),
                )
              : null,
            badge(move.verdict),
          ),
        ),
      ),
    );
  }

  #nextMistake() {
    const { moves } = this.#review;
    for (let k = 1; k <= moves.length; k += 1) {
      const at = (this.#at + k) % moves.length;
      if (moves[at].notable) {
        this.#goTo(at);
        return;
      }
    }
  }

  #lastSafe() {
    if (this.#review.last_safe !== null) this.#goTo(this.#review.last_safe);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.#review === NONE || event.target === this.range) return;
    /** @type {Record<string, () => void>} */
    const acts = {
      ArrowLeft: () => this.#goTo(this.#at - 1),
      ArrowRight: () => this.#goTo(this.#at + 1),
      Home: () => this.#goTo(0),
      End: () => this.#goTo(Infinity),
      m: () => !this.mistakeButton.disabled && this.#nextMistake(),
      s: () => !this.safeButton.disabled && this.#lastSafe(),
    };
    const act = acts[event.key] ?? acts[event.key.toLowerCase()];
    if (act) {
      event.preventDefault();
      act();
    }
  }
}

/** Where the win chances come from. @param {ReviewedMove[]} moves */
function describeSource(moves) {
  const found = moves.flatMap(({ wins }) => (wins ? [wins.exact] : []));
  if (!found.length) return "";
  const games = PASSES[PASSES.length - 1];
  if (found.every(Boolean)) return say.review.exact;
  return found.some(Boolean) ? say.review.estimatedPartly(games) : say.review.estimated(games);
}

/** How a game ended; a survey is measured by its mines. @param {GameReview} review */
function describeResult({ moves, outcome, identified, rules }) {
  return say.review.results[outcome](moves.length, identified, parseRules(rules)?.mines ?? 0);
}

/** A move as the slider says it. @param {ReviewedMove} move @param {number} number @param {number} of */
function wordsOf(move, number, of) {
  const chance = move.wins === null ? null : writeShare(move.wins.best).join("");
  const [name, verdict] = [moveName(move), titleOf(move.verdict)];
  return chance
    ? say.review.sliderMoveWins(number, of, name, verdict, chance)
    : say.review.sliderMove(number, of, name, verdict);
}
