// Review: a finished game, move by move, each move's risk against the best there was.

import { api } from "../common/api.js";
import { Board } from "../board/board.js";
import { announce, button, cellName, el, icon, memory, svg, toast } from "../common/dom.js";
import { EXAMPLE } from "./files.js";
import { explanation } from "../common/hint.js";
import { Insight } from "./insight.js";
import { keep, recall } from "./kept.js";
import { OpeningCard } from "./opening.js";
import { formatPosition, parsePosition } from "../board/position.js";
import { addressOf, readAddress, showAddress } from "../common/router.js";
import { describeRules } from "../rules/text.js";
import { badge, drawStrip, figuresOf, markStrip, moveAt, titleOf } from "./verdicts.js";
import { zoomButtons } from "../board/zoom.js";

const GAMES = 200; // played on per risky move, where chances to win are asked for
const PATIENCE = 150; // milliseconds after which it is said that the server is at work
const REST = 200; // milliseconds at a move after which the address names it: browsers allow few changes a second

export function create(root, info) {
  return new Review(root, info);
}

class Review {
  #review = null;
  #at = 0;
  #positions = [];
  #source = {}; // as the address names the game: { game } of one's own, { kept } of what was pasted or opened
  #asked = 0;
  #noting = 0;
  #insight = new Insight();

  constructor(root) {
    this.#build(root);
  }

  #build(root) {
    const stage = el("div");
    const jump = (label, name, act, id) => el("button.square", { type: "button", "aria-label": label, title: label, onclick: act, id }, icon(name));
    this.range = el("input", { type: "range", min: "0", max: "0", step: "1", "aria-label": "Move", oninput: () => this.#goTo(Number(this.range.value)) });
    this.strip = svg("svg", { class: "strip", "aria-hidden": "true" });
    this.strip.addEventListener("click", (event) => this.#review?.moves.length && this.#goTo(moveAt(this.strip, event.clientX, this.#review.moves)));
    this.now = el("p.now-line", { "aria-hidden": "true" }); // the card says the same, but far below on a phone
    this.controls = el("div.controls", { hidden: true },
      this.now,
      el("div.scrub", {}, this.strip, this.range),
      (this.caption = el("p.small.soft", {}, "")));
    this.empty = el("div.stage.empty", {},
      el("p", {}, el("b", {}, "No game open yet."), el("br"), "Open a file, paste a record, or choose one of your games."),
      el("div.row", {}, button("Show an example", "review", { id: "review-example", onclick: () => this.#open({ record: EXAMPLE, games: GAMES }) })));
    this.working = el("p.notice.row.working", { role: "status", hidden: true }, el("i", { "aria-hidden": "true" }), el("span", {}, "Reviewing the game …"));
    this.desk = el("div.desk", {}, this.working, this.empty, stage, this.controls);
    root.append(this.desk, this.#buildSide());
    this.stage = stage;
    this.board = new Board(stage, { label: "Reviewed position" });
    stage.hidden = true;
    this.analyse = el("a.button", { id: "analyse-this", title: "Analyse this position", "aria-label": "Analyse this position", onclick: () => this.#showAddress() },
      icon("analyse"), el("span", {}, "Analyse"));
    this.controls.append(el("div.bar", {},
      el("div.group", {}, jump("First move", "first", () => this.#goTo(0)), jump("Move before", "back", () => this.#goTo(this.#at - 1), "review-back"),
        jump("Next move", "step", () => this.#goTo(this.#at + 1), "review-next"), jump("End of the game", "last", () => this.#goTo(Infinity))),
      el("div.group", {},
        (this.mistakeButton = button("Next turning point", "warn", { onclick: () => this.#nextMistake(), id: "next-mistake" })),
        (this.safeButton = button("Last safe moment", "check", { onclick: () => this.#lastSafe(), id: "last-safe" })),
        this.analyse),
      zoomButtons(this.board)));
    root.board = this.board;
  }

  #buildSide() {
    this.card = el("section.card", { hidden: true, "aria-label": "This move", id: "move-card" });
    this.reason = el("section.card", { hidden: true, "aria-label": "Reason", id: "reason-card" });
    this.showsChances = el("input", { type: "checkbox", id: "review-chances", checked: memory.get("review-chances") !== "off", onchange: () => this.#toggleChances() });
    this.summary = el("section.card", { hidden: true, "aria-label": "The game" });
    this.moves = el("ol.list.moves", { "aria-label": "Moves", tabindex: "0" });
    this.movesCard = el("section.card", { hidden: true, "aria-label": "Moves" }, el("h2", {}, "Moves"), this.moves);
    this.opening = new OpeningCard({ openOwn: (id) => this.#open({ game: id }), open: (what) => this.#open(what) });
    return el("div.side", {}, this.card, this.reason, this.summary, this.movesCard, this.opening.element);
  }

  async enter(query) {
    this.opening.refresh();
    const [game, kept] = [query.get("game"), query.get("kept")];
    const move = /^\d+$/.test(query.get("move") ?? "") ? Number(query.get("move")) : null;
    if (game === null && kept === null) {
      if (this.#review !== null) this.#showAddress();
      return;
    }
    if (this.#review !== null && (game ?? null) === (this.#source.game ?? null) && (kept ?? null) === (this.#source.kept ?? null)) {
      if (move !== null) this.#goTo(move);
      return;
    }
    const what = game === null ? recall(kept) : { game };
    if (what !== null) await this.#open(what, move);
    else toast("This game was open in another tab; open it again here.", true);
  }

  leave() {
    this.#insight.cancel();
    clearTimeout(this.#noting);
  }

  // -- opening --------------------------------------------------------------------------------------------

  async #open(what, move = null) {
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
      if (asked === this.#asked) toast(error.message, true);
    } finally {
      clearTimeout(slow);
      if (asked === this.#asked) {
        this.working.hidden = true;
        this.desk.removeAttribute("aria-busy");
      }
    }
  }

  /** The same review again, with the chances to win that take playing on. */
  async #estimate(what, made) {
    made.disabled = true;
    made.setAttribute("aria-busy", "true");
    made.querySelector("span").textContent = "Playing on …";
    const review = this.#review;
    try {
      const found = await api.review({ ...what, games: GAMES });
      if (this.#review !== review) return; // another game was opened meanwhile
      if (!what.game) keep({ ...what, games: GAMES });
      this.#take(found, this.#source, this.#at, null);
      announce("Chances to win estimated.");
    } catch (error) {
      made.disabled = false;
      made.removeAttribute("aria-busy");
      made.querySelector("span").textContent = "Estimate wins lost";
      toast(error.message, true);
    }
  }

  #take(review, source, move, what) {
    this.#review = review;
    this.#source = source;
    this.#positions = [];
    this.empty.hidden = true;
    this.stage.hidden = this.controls.hidden = this.card.hidden = this.summary.hidden = this.movesCard.hidden = false;
    this.range.max = String(review.moves.length);
    this.mistakeButton.disabled = !review.moves.some((one) => one.notable);
    this.safeButton.disabled = review.last_safe === null;
    drawStrip(this.strip, review.moves);
    this.caption.textContent = `Bars: the risk taken. Dashes: the least possible.${review.games > 0 ? " Curve: the chance to win." : ""}`;
    this.#listMoves();
    const count = (verdict) => review.moves.filter((one) => one.verdict === verdict).length;
    const nUnlucky = count("unlucky");
    this.summary.replaceChildren(el("h2", {}, "The game"),
      el("p", {}, `${describeRules(review.rules)}: ${review.result}.`),
      el("dl.numbers", {}, ...[["Mistakes", count("mistake")], ["Extra risks", count("extra risk")], ["Unlucky", nUnlucky], ["Guesses", count("forced guess") + count("fair guess") + nUnlucky]]
        .map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, String(value))))),
      ...review.summary.map((line) => el("p.small.soft", {}, line)),
      what === null || review.games > 0 ? "" : button("Estimate wins lost", "percent", { id: "estimate-wins", onclick: (event) => this.#estimate(what, event.currentTarget) }));
    const notable = review.moves.findIndex((one) => one.notable);
    this.#goTo(move ?? (notable >= 0 ? notable : 0));
  }

  // -- going through it -----------------------------------------------------------------------------------

  /** The position before move `at`; after the last one, the end. */
  #positionAt(at) {
    const { moves, start } = this.#review;
    if (at === 0) return parsePosition(moves[0]?.position_before ?? start);
    const known = moves[at - 1].position_after;
    if (known) return parsePosition(known);
    // Large records come as changes only: go on from the nearest position before.
    let from = at;
    while (from > 0 && !this.#positions[from]) from -= 1;
    const position = this.#positions[from] ? { ...this.#positions[from], cells: this.#positions[from].cells.slice() } : parsePosition(start);
    for (let k = from; k < at; k += 1) for (const [row, col, code] of moves[k].changed) position.cells[row * position.cols + col] = code;
    if (at % 50 === 0) this.#positions[at] = { ...position, cells: position.cells.slice() };
    return position;
  }

  #goTo(wanted) {
    if (this.#review === null) return;
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
    this.range.setAttribute("aria-valuetext", move ? `Move ${at + 1} of ${moves.length}: ${move.action} ${cellName([move.row, move.col])}, ${move.verdict}` : "End of the game");
    if (move) this.#showMove(move, at);
    else this.#showEnd();
    for (const line of this.moves.children) {
      const made = line.firstElementChild;
      if (Number(made.dataset.at) === at) {
        made.setAttribute("aria-current", "true");
        this.moves.scrollTop = Math.max(0, line.offsetTop - this.moves.offsetTop - 60);
      } else made.removeAttribute("aria-current");
    }
    markStrip(this.strip, at, moves);
    clearTimeout(this.#noting);
    this.#noting = setTimeout(() => this.#showAddress(), REST);
  }

  #showAddress() {
    clearTimeout(this.#noting);
    if (readAddress().mode === "review") showAddress("review", { ...this.#source, move: this.#at });
  }

  #showMove(move, at) {
    const marks = { best: move.instead, last: [[move.row, move.col]] };
    this.board.setMarks(marks);
    this.board.reveal(move.row, move.col);
    this.now.replaceChildren(el("b", {}, `${at + 1}. ${move.action} ${cellName([move.row, move.col])}`), badge(move.verdict));
    this.card.replaceChildren(
      el("header", {}, el("h2", {}, `Move ${at + 1}: ${move.action} ${cellName([move.row, move.col])}`), badge(move.verdict)),
      ...move.words.map((line) => el("p", {}, line)),
      figuresOf(move),
      move.reason ? el("p.small.soft", {}, `The player: ${move.reason}.`) : "",
      el("label.tick", {}, this.showsChances, el("span", {}, "Chances on the board")));
    announce(`Move ${at + 1}: ${move.action} ${cellName([move.row, move.col])}. ${titleOf(move.verdict)}. ${move.words.join(" ")}`);
    // What should have been seen: why the better cell is safe or less risky; else, why this move was what it was.
    const cell = move.instead[0] ?? (move.action === "chord" ? null : [move.row, move.col]);
    this.#insight.look(this.board.position, cell, (known) => this.#showInsight(known, marks));
  }

  #showInsight({ chances, found }, marks) {
    if (this.showsChances.checked) this.board.setChances(chances);
    if (found === null) return;
    this.board.setMarks({ clue: found.clues, ...marks });
    this.reason.replaceChildren(el("h2", {}, `Why ${cellName(found.cell)}?`), ...explanation(found));
    this.reason.hidden = false;
  }

  #toggleChances() {
    memory.set("review-chances", this.showsChances.checked ? "on" : "off");
    this.#goTo(this.#at);
    this.showsChances.focus(); // the card was filled anew around it
  }

  #showEnd() {
    this.board.setMarks({});
    const { result } = this.#review;
    this.now.replaceChildren(el("b", {}, "End of the game"));
    this.card.replaceChildren(el("h2", {}, "End of the game"), el("p", {}, `${titleOf(result)}.`));
    announce("End of the game.");
  }

  #listMoves() {
    this.moves.replaceChildren(...this.#review.moves.map((move, at) => el("li", {},
      el("button", { type: "button", "data-at": String(at), onclick: () => this.#goTo(at) },
        el("span", {}, `${at + 1}. ${move.action} ${cellName([move.row, move.col])}`), badge(move.verdict)))));
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
    if (this.#review?.last_safe !== null) this.#goTo(this.#review.last_safe);
  }

  key(event) {
    if (this.#review === null || event.target === this.range) return;
    const acts = {
      ArrowLeft: () => this.#goTo(this.#at - 1), ArrowRight: () => this.#goTo(this.#at + 1), Home: () => this.#goTo(0), End: () => this.#goTo(Infinity),
      m: () => !this.mistakeButton.disabled && this.#nextMistake(), s: () => !this.safeButton.disabled && this.#lastSafe(),
    };
    const act = acts[event.key] ?? acts[event.key.toLowerCase()];
    if (act) {
      event.preventDefault();
      act();
    }
  }
}
