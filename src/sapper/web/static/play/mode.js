// Play: a game whose truth stays on the server.

import { api } from "../common/api.js";
import { onBack } from "../common/connection.js";
import { Board } from "../board/board.js";
import { announce, button, el, icon, memory, toast } from "../common/dom.js";
import { GameCard } from "./card.js";
import { Help, keyButton } from "./help.js";
import { FLAG, HIDDEN, NO_CLUE, isClosed, parsePosition } from "../board/position.js";
import { showAddress } from "../common/router.js";
import { describeRules, readSeed } from "../rules/text.js";
import { RulesForm } from "../rules/form.js";
import { describeWin } from "./bests.js";
import { Panel } from "./panel.js";
import { resultBody } from "./result.js";
import { Settings } from "./settings.js";
import { zoomButtons } from "../board/zoom.js";

// A phone on its side shows the whole board: its cells may be small, and two fingers make them larger.
const SIDEWAYS = window.matchMedia("(max-height: 480px) and (min-width: 560px)");
const SMALLEST_SIDEWAYS = 12; // css pixels

export function create(root, info) {
  return new Play(root, info);
}

class Play {
  #state = null;
  #receivedAt = 0;
  #queue = Promise.resolve();
  #isFlagMode = false;
  #isAstray = false; // a move may be lost, so the board is not to be trusted before the server has told all of it
  #justOpened = null;
  #isSeedKnown = false; // before the end: somebody chose it, or has played the board
  #worth = null; // a sentence about the win

  constructor(root, info) {
    this.info = info;
    this.#build(root);
    setInterval(() => this.#tick(), 100);
    onBack(() => {
      if (this.#isAstray) this.#queue = this.#queue.then(() => this.#resume(this.#state.id));
    });
  }

  // -- the page -------------------------------------------------------------------------------------------

  #build(root) {
    this.minesLeft = el("span", { id: "mines-left" }, "–");
    this.clock = el("span", { id: "clock" }, "0:00");
    this.newButton = button("New board", "new", { id: "new", onclick: () => this.renew() });
    const status = el("div.bar.status", {},
      el("div.meter", { title: "Mines left" }, icon("flag"), el("span.visually-hidden", {}, "Mines left"), this.minesLeft),
      this.newButton,
      el("div.meter.right", { title: "Time" }, icon("clock"), el("span.visually-hidden", {}, "Time"), this.clock));
    const stage = el("div");
    const settings = new Settings((name) => (name === "size" ? this.board.resetSize() : this.#tick()));
    this.settings = settings;
    this.board = new Board(stage, {
      label: "Minesweeper board",
      get smallest() {
        return settings.size ?? (SIDEWAYS.matches ? SMALLEST_SIDEWAYS : undefined);
      },
      get largest() {
        return settings.size;
      },
      act: (action, row, col) => this.#act(action, row, col),
      key: (event, row, col) => this.#boardKey(event, row, col),
    });
    root.board = this.board; // for tests and for whoever looks at the page from outside
    this.panel = new Panel(() => this.board.grid.focus());
    this.help = new Help(this.board, this.panel, {
      state: () => this.#state,
      settled: () => this.#queue,
      flag: (row, col) => this.#flag(row, col, this.board.codeAt(row, col)),
      open: (row, col) => this.#send("open", row, col),
      helped: () => memory.set("helped", this.#state.id),
    });
    this.flagButton = keyButton("Flag mode", "flag", "", () => this.#toggleFlagMode(), { "aria-pressed": "false", id: "flag-mode" });
    this.undoButton = keyButton("Undo", "undo", "U", () => this.#undo(), { id: "undo" });
    const { hintButton, chanceButton, wrongButton } = this.help;
    const actions = el("div.bar.actions", {},
      el("div.group", {}, this.flagButton, hintButton, chanceButton, this.undoButton, wrongButton),
      zoomButtons(this.board));
    root.append(el("div.desk", {}, status, stage, actions), this.#buildSide());
  }

  #buildSide() {
    this.seed = el("input", { inputmode: "numeric", pattern: "[0-9]{1,16}", title: "A whole number of at most 16 digits", placeholder: "any", autocomplete: "off" });
    this.noGuess = el("input", { type: "checkbox", onchange: () => this.#noGuessChanged() });
    this.form = new RulesForm(this.info, {
      action: "Start this board", changed: (rules) => this.#start(rules),
      beside: this.info.no_guess ? [el("label.tick", {}, this.noGuess, el("span", {}, "No guessing needed"))] : [],
      extra: [el("label.field", {}, el("span", {}, "Seed"), this.seed)],
    });
    this.gameCard = new GameCard({ resume: (id) => this.#resume(id), fail: (words) => this.panel.fail(words) });
    return el("div.side", {}, this.panel.element,
      el("div.rest", {}, this.help.legend,
        el("section.card", { "aria-label": "Board" }, el("h2", {}, "Board"), this.form.element), this.gameCard.element, this.settings.element));
  }

  // -- coming and going -----------------------------------------------------------------------------------

  async enter(query) {
    const rules = query.get("rules");
    const seed = query.get("seed");
    const named = query.get("game") ?? (rules ? null : memory.get("game"));
    if (named !== null && named === this.#state?.id) {
      this.#showAddress();
      return;
    }
    if (named !== null && (await this.#tryResume(named))) return;
    if (rules) this.noGuess.checked = query.get("noguess") === "1";
    await this.#start(this.info.presets[rules] ?? rules ?? memory.get("rules") ?? this.info.presets.beginner ?? "9x9/10", seed);
    // A link that means nothing is said to, and there is a board all the same.
    if (this.#state === null) {
      await this.#start(this.info.presets.beginner);
      return;
    }
    // A link to somebody's board: it was laid around the cell that they opened first.
    const first = /^(\d{1,3}),(\d{1,3})$/.exec(query.get("first") ?? "");
    if (first !== null && this.#state?.moves === 0) await this.#send("open", Number(first[1]), Number(first[2]));
  }

  async #tryResume(id) {
    try {
      this.#take(await api.game(id), true);
      return true;
    } catch (error) {
      if (error.status === 0) throw error;
      return false;
    }
  }

  async #resume(id) {
    await this.#guard(async () => this.#take(await api.game(id), true));
  }

  async #start(rules, seed = null) {
    const wanted = seed ?? this.seed.value.trim();
    const settings = { rules };
    if (readSeed(wanted) !== null) settings.seed = readSeed(wanted);
    if (this.info.no_guess && this.noGuess.checked) settings.no_guess = true;
    await this.#guard(async () => {
      this.#take(await api.newGame(settings), true);
      announce(`New board: ${describeRules(this.#state.rules)}.`);
    });
    if (this.#state !== null) this.noGuess.checked = this.#state.no_guess;
  }

  /** A board that is not begun is replaced at once; otherwise the choice holds from the next one on. */
  #noGuessChanged() {
    if (this.#state?.moves === 0) this.#start(this.#state.rules);
    else announce("From the next board on.");
  }

  /** A new board by the same rules; asks first if a game is under way. */
  #renewByKey() {
    const isUnderWay = this.#state !== null && this.#state.moves > 0 && !this.#state.over;
    if (!isUnderWay || this.panel.isAsking) this.renew();
    else this.panel.ask("Leave this game for a new board? Press N again to do it. The game stays under Recent games.", "New board", () => this.renew());
  }

  /** A new board by the same rules. */
  renew() {
    this.seed.value = "";
    return this.#start(this.#state?.rules ?? this.form.text, "");
  }

  async #again() {
    if (!this.#state?.over) {
      toast("The same board can be played again once this game is over.");
      return;
    }
    await this.#guard(async () => {
      this.#take(await api.again(this.#state.id), true);
      announce("The same board again.");
    });
  }

  async #guard(act) {
    try {
      await act();
    } catch (error) {
      this.panel.fail(error.message);
    }
  }

  // -- the state ------------------------------------------------------------------------------------------

  /** Take over what the server says; `isWhole`: another game or position, not just changed cells. */
  #take(state, isWhole = false) {
    const isOther = state.id !== this.#state?.id;
    const isWinNow = state.outcome === "won" && !isOther && !this.#state.over;
    this.#state = state;
    this.panel.hide(this.panel.note);
    if (isOther) this.#worth = null;
    if (!state.over) this.#isSeedKnown = (state.seed ?? null) !== null;
    if (isWinNow) this.#worth = describeWin(state, this.#whyNotCounted(state));
    this.board.stage.classList.toggle("won", isWinNow && this.settings.isAnimated);
    this.#receivedAt = performance.now();
    if (isOther) {
      memory.set("game", state.id);
      memory.set("rules", state.rules);
      this.form.set(state.rules);
      this.noGuess.checked = state.no_guess;
      this.#showAddress();
    }
    if (isWhole || !state.changed) {
      this.#isAstray = false;
      this.board.setTruth(null);
      this.board.setPosition(parsePosition(state.position));
    } else {
      this.board.setCells(state.changed);
    }
    this.board.setTruth(state.over && state.layout ? state.layout : null);
    // Whoever has opened everything else knows the mines, so they are marked.
    if (state.outcome === "won" && state.layout) this.board.setCells(state.layout.map(([row, col]) => [row, col, FLAG]));
    this.#showState();
    this.help.changed(isOther);
  }

  #showAddress() {
    const { rules, seed, id, no_guess: noGuess } = this.#state;
    showAddress("play", { rules, seed: seed ?? null, noguess: noGuess ? "1" : null, game: id });
  }

  /** Why a win is not compared with others, or null. */
  #whyNotCounted(state) {
    if (state.undone) return "moves were taken back";
    if (memory.get("helped") === state.id) return "this game had help";
    return this.#isSeedKnown ? "this board was known" : null;
  }

  #showState() {
    const state = this.#state;
    this.minesLeft.textContent = state.mines_left === null ? "?" : String(state.mines_left);
    this.undoButton.disabled = !this.#canUndo;
    this.gameCard.show(state);
    if (!state.over) {
      this.panel.hide(this.panel.result);
    } else {
      this.panel.show(this.panel.result, ...resultBody(state, this.#worth, {
        undo: () => this.#undo(), again: () => this.#again(), renew: () => this.renew(),
      }));
    }
    this.#tick();
  }

  /** A lost game may go on, to see what would have been; one that is won stays won. */
  get #canUndo() {
    return this.#state !== null && this.#state.moves > 0 && this.#state.outcome !== "won";
  }

  #seconds() {
    const state = this.#state;
    if (!state || state.moves === 0) return 0;
    return state.over ? state.seconds : state.seconds + (performance.now() - this.#receivedAt) / 1000;
  }

  #tick() {
    const tenths = Math.floor(10 * this.#seconds());
    const seconds = Math.floor(tenths / 10);
    let words = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (this.settings.showsTenths) words += `.${tenths % 10}`;
    if (this.clock.textContent !== words) this.clock.textContent = words;
  }

  // -- moves ----------------------------------------------------------------------------------------------

  #act(action, row, col) {
    if (this.#state === null || this.#state.over) return;
    const code = this.board.codeAt(row, col);
    const key = `${row},${col}`;
    const { chord } = this.settings;
    if (action === "double") {
      // The second click of a double click that opened the cell is no chord.
      if (code > 0 && chord === "both" && this.#justOpened !== key) this.#send("chord", row, col);
      return;
    }
    // By mouse or finger a number can only be chorded; by keyboard it is asked for by name.
    const isOnNumber = code > 0 && (action === "tap" || (action === "open" && chord === "click"));
    this.#justOpened = null;
    if (isOnNumber) {
      if (chord !== "off") this.#send("chord", row, col);
    } else if (action === "chord" || action === "chord-key") {
      if (code > 0 && (chord !== "off" || action === "chord-key")) this.#send("chord", row, col);
    } else if (action === "flag" || (this.#isFlagMode && isClosed(code))) this.#flag(row, col, code);
    else if (code === FLAG) announce("Flagged; take the flag off before opening it.");
    else if (code === HIDDEN || code === NO_CLUE) {
      this.#justOpened = key;
      this.#send("open", row, col);
    }
  }

  #flag(row, col, code) {
    if (!isClosed(code)) return;
    // A flag is the player's own mark, so it need not wait for the server.
    this.board.setCells([[row, col, code === FLAG ? HIDDEN : FLAG]]);
    this.#send("flag", row, col);
  }

  #send(action, row, col) {
    this.#queue = this.#queue.then(() => this.#sendNow(action, row, col));
    return this.#queue;
  }

  async #sendNow(action, row, col) {
    if (this.#state.over) return;
    const { id } = this.#state;
    this.help.close();
    const isLaid = !this.#state.no_guess || this.#state.moves > 0;
    const slow = setTimeout(() => toast(isLaid ? "The server is busy …" : "Looking for a board that needs no guess …"), isLaid ? 3000 : 400);
    try {
      const state = await api.move(id, action, row, col);
      if (this.#state.id !== id) return;
      this.#take(state, this.#isAstray);
      this.#announceMove(action, row, col, state);
    } catch (error) {
      // What the server has is right; what the page guessed may not be.
      if (error.status !== 0) await this.#resume(id);
      else this.#takeBack();
      this.panel.fail(error.message);
    } finally {
      clearTimeout(slow);
    }
  }

  /** The server did not get a move, or could not say that it did: show what it said last, until it says more. */
  #takeBack() {
    this.#isAstray = true;
    this.board.setPosition(parsePosition(this.#state.position));
  }

  #announceMove(action, row, col, state) {
    const parts = [`${this.board.grid.describe(row, col)}.`];
    const nOpened = (state.changed ?? []).filter(([, , code]) => code >= 0 || code === NO_CLUE).length;
    if (action !== "flag" && nOpened > 1) parts.push(`${nOpened} cells opened.`);
    if (action === "chord" && nOpened === 0 && !state.over) parts.push("Nothing to open.");
    if (state.over) parts.push(`The game is ${state.outcome}.`);
    else if (state.mines_left !== null) parts.push(`Mines left ${state.mines_left}.`);
    announce(parts.join(" "));
  }

  #undo() {
    if (!this.#canUndo) return;
    this.#queue = this.#queue.then(() => this.#guard(async () => {
      this.help.close();
      this.#take(await api.undo(this.#state.id), true);
      announce(`The last move is taken back. ${this.#state.mines_left === null ? "" : `Mines left ${this.#state.mines_left}.`}`);
    }));
  }

  #toggleFlagMode() {
    this.#isFlagMode = !this.#isFlagMode;
    this.flagButton.setAttribute("aria-pressed", String(this.#isFlagMode));
    announce(this.#isFlagMode ? "Flag mode: a tap flags." : "Flag mode off: a tap opens.");
  }

  // -- keys -----------------------------------------------------------------------------------------------

  #boardKey(event, row, col) {
    if (event.key === " " || event.key === "Enter") {
      // On an open number, opening means its neighbours.
      this.#act(this.board.codeAt(row, col) > 0 ? "chord-key" : "open", row, col);
      return true;
    }
    const key = event.key.toLowerCase();
    if (key === "f") this.#act("flag", row, col);
    else if (key === "c") this.#act("chord-key", row, col);
    else return false;
    return true;
  }

  key(event) {
    const acts = { h: () => this.help.hint(), p: () => this.help.toggleChances(), u: () => this.#undo(), n: () => this.#renewByKey(), w: () => this.help.checkFlags(), r: () => this.#again() };
    const act = acts[event.key.toLowerCase()];
    if (act) {
      event.preventDefault();
      act();
    } else if (event.key.startsWith("Arrow") && (event.target === document.body || event.target.id === "main")) {
      event.preventDefault();
      const [row, col] = this.board.grid.cursor;
      this.board.grid.setCursor(row, col, { focus: true });
    } else if (event.key === "Escape") {
      this.panel.hide(this.panel.note);
      this.help.close();
    }
  }
}
