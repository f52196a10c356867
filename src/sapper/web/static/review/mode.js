// Review: a finished game, move by move, each move's risk against the best there was.

import { api } from "../common/api.js";
import { Board } from "../board/board.js";
import { announce, button, cellName, el, icon, svg, toast } from "../common/dom.js";
import { EXAMPLE, SUFFIXES, readGameFile } from "./files.js";
import { parsePosition } from "../board/position.js";
import { showAddress } from "../common/router.js";
import { describeRules } from "../rules/text.js";
import { badge, drawStrip, titleOf } from "./verdicts.js";
import { zoomButtons } from "../board/zoom.js";

const GAMES = 200; // played on per risky move, where chances to win are asked for
const FIGURES = [["Risk taken", "risk"], ["Least possible", "least"], ["Chance to win", "chance"], ["Wins lost by it", "lost"]];
export function create(root, info) {
  return new Review(root, info);
}

class Review {
  #review = null;
  #at = 0;
  #positions = [];
  #source = null;

  constructor(root) {
    this.#build(root);
  }

  #build(root) {
    const stage = el("div");
    const jump = (label, name, act, id) => el("button.square", { type: "button", "aria-label": label, title: label, onclick: act, id }, icon(name));
    this.range = el("input", { type: "range", min: "0", max: "0", step: "1", "aria-label": "Move", oninput: () => this.#goTo(Number(this.range.value)) });
    this.strip = svg("svg", { class: "strip", "aria-hidden": "true" });
    this.strip.addEventListener("click", (event) => {
      const box = this.strip.getBoundingClientRect();
      const n = this.#review?.moves.length ?? 0;
      if (n) this.#goTo(Math.min(n - 1, Math.floor(((event.clientX - box.left) / box.width) * n)));
    });
    this.now = el("p.now-line", { "aria-hidden": "true" }); // the card says the same, but far below on a phone
    this.controls = el("div.controls", { hidden: true },
      this.now,
      this.strip,
      el("p.small.soft", {}, "Bars: the risk taken. Line: the least possible."),
      el("div.slider", {}, jump("First move", "first", () => this.#goTo(0)), jump("Move before", "back", () => this.#goTo(this.#at - 1), "review-back"),
        this.range, jump("Next move", "step", () => this.#goTo(this.#at + 1), "review-next"), jump("End of the game", "last", () => this.#goTo(Infinity))));
    this.empty = el("div.stage.empty", {},
      el("p", {}, el("b", {}, "No game open yet."), el("br"), "Open a file, paste a record, or choose one of your games."),
      el("div.row", {}, button("Show an example", "review", { id: "review-example", onclick: () => this.#open({ record: EXAMPLE, games: GAMES }, null) })));
    this.desk = el("div.desk", {}, this.empty, stage, this.controls);
    root.append(this.desk, this.#buildSide());
    this.stage = stage;
    this.board = new Board(stage, { label: "Reviewed position" });
    stage.hidden = true;
    this.controls.append(el("div.bar", {},
      el("div.group", {},
        (this.mistakeButton = button("Next turning point", "warn", { onclick: () => this.#nextMistake(), id: "next-mistake" })),
        (this.safeButton = button("Last safe moment", "check", { onclick: () => this.#lastSafe(), id: "last-safe" }))),
      zoomButtons(this.board)));
    root.board = this.board;
  }

  #buildSide() {
    this.card = el("section.card", { hidden: true, "aria-label": "This move", id: "move-card" });
    this.summary = el("section.card", { hidden: true, "aria-label": "The game" });
    this.moves = el("ol.list.moves", { "aria-label": "Moves", tabindex: "0" });
    this.movesCard = el("section.card", { hidden: true, "aria-label": "Moves" }, el("h2", {}, "Moves"), this.moves);
    this.file = el("input", { type: "file", accept: `.record,.txt,.rawvf,${SUFFIXES.join(",")},text/plain`, "aria-label": "Record file", onchange: () => this.#openFile(this.file.files[0]) });
    this.text = el("textarea.mono", { rows: "4", spellcheck: "false", "aria-label": "Record as text", placeholder: "Sapper-Record: 1\nRules: 9x9/10\n…" });
    this.games = el("ul.list");
    const open = el("section.card.drop", { "aria-label": "Open a game" }, el("h2", {}, "Open a game"),
      el("p.label", {}, "Your finished games"), this.games,
      el("label.field", {}, el("span", {}, `A file: a record, .rawvf ${SUFFIXES.join(" ")}`), this.file),
      el("label.field", {}, el("span", {}, "Or paste one"), this.text),
      el("div.row", {}, button("Review it", "open", { class: "primary", id: "review-text", onclick: () => this.#openText(this.text.value) })));
    open.addEventListener("dragover", (event) => {
      event.preventDefault();
      open.classList.add("over");
    });
    open.addEventListener("dragleave", () => open.classList.remove("over"));
    open.addEventListener("drop", (event) => {
      event.preventDefault();
      open.classList.remove("over");
      this.#openFile(event.dataTransfer.files[0]);
    });
    return el("div.side", {}, this.card, this.summary, this.movesCard, open);
  }

  async enter(query) {
    this.#listGames();
    const game = query.get("game");
    if (game === null) {
      if (this.#review !== null) this.#showAddress();
      return;
    }
    const move = /^\d+$/.test(query.get("move") ?? "") ? Number(query.get("move")) : null;
    if (this.#source !== game) await this.#open({ game }, game, move);
    else if (move !== null) this.#goTo(move);
  }

  async #listGames() {
    try {
      const games = (await api.games()).filter((game) => game.outcome !== "playing").slice(0, 6);
      this.games.replaceChildren(...games.map((game) => el("li", {}, el("button", { type: "button", onclick: () => this.#open({ game: game.id }, game.id) },
        el("span", {}, describeRules(game.rules)), el("span.soft.small", {}, `${game.outcome}, ${game.moves} moves`)))));
      if (!games.length) this.games.replaceChildren(el("li.soft.small", {}, "None yet: play one to its end first."));
    } catch (error) {
      this.games.replaceChildren(el("li.soft.small", {}, error.message));
    }
  }

  async #openFile(file) {
    if (!file) return;
    try {
      await this.#open(await readGameFile(file), null);
    } catch (error) {
      toast(error.message, true);
    }
  }

  async #openText(text) {
    if (!text.trim()) {
      toast("Paste a record first.", true);
      return;
    }
    await this.#open({ record: text }, null);
  }

  async #open(what, source, move = null) {
    try {
      this.#take(await api.review(what), source, move, what);
    } catch (error) {
      toast(error.message, true);
    }
  }

  /** The same review again, with the chances to win that take playing on. */
  async #estimate(what, made) {
    made.disabled = true;
    const review = this.#review;
    try {
      const found = await api.review({ ...what, games: GAMES });
      if (this.#review !== review) return; // another game was opened meanwhile
      this.#take(found, this.#source, this.#at, null);
      announce("Chances to win estimated.");
    } catch (error) {
      made.disabled = false;
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
    const { moves } = this.#review;
    const at = Math.max(0, Math.min(moves.length, wanted));
    this.#at = at;
    this.range.value = String(at);
    this.board.setPosition(this.#positionAt(at));
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
    this.strip.querySelector(".now")?.setAttribute("x", `${(at / Math.max(1, moves.length)) * 100}%`);
    this.#showAddress();
  }

  #showAddress() {
    showAddress("review", this.#source ? { game: this.#source, move: this.#at } : {});
  }

  #showMove(move, at) {
    this.board.setMarks({ best: move.instead, last: [[move.row, move.col]] });
    this.board.reveal(move.row, move.col);
    const figures = move.action === "flag" ? [] : FIGURES.filter(([, name]) => move.figures[name]);
    this.now.replaceChildren(el("b", {}, `${at + 1}. ${move.action} ${cellName([move.row, move.col])}`), badge(move.verdict));
    this.card.replaceChildren(
      el("header", {}, el("h2", {}, `Move ${at + 1}: ${move.action} ${cellName([move.row, move.col])}`), badge(move.verdict)),
      ...move.words.map((line) => el("p", {}, line)),
      figures.length ? el("dl.numbers", {}, ...figures.map(([label, name]) => el("div", {}, el("dt", {}, label), el("dd", {}, move.figures[name])))) : "",
      move.reason ? el("p.small.soft", {}, `The player: ${move.reason}.`) : "");
    announce(`Move ${at + 1}: ${move.action} ${cellName([move.row, move.col])}. ${titleOf(move.verdict)}. ${move.words.join(" ")}`);
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
