// Play: a game whose truth stays on the server.

import { api, messageOf, statusOf } from "../../common/api.js";
import { onBack } from "../../common/connection.js";
import { Board } from "../../board/board.js";
import { announce, button, el, icon, isUnaimed, memory, targetOf, toast } from "../../common/dom.js";
import { GameCard } from "./card.js";
import { Clock } from "./game/clock.js";
import { DailyCard } from "./daily/card.js";
import { Ready } from "./daily/ready.js";
import { Help, keyButton } from "./help.js";
import { FLAG, isClosed, parsePosition } from "../../board/cells/position.js";
import { showAddress } from "../../common/router.js";
import { isOn, onSetting, setting } from "../../common/settings.js";
import { describeRules, readSeed, withDealing } from "../../rules/text.js";
import { NO_GUESS, RulesForm } from "../../rules/form.js";
import { describeWin } from "./kept/bests.js";
import { Moves } from "./game/moves.js";
import { Panel } from "./panel.js";
import { resultBody } from "./result.js";
import { Questions } from "./kept/questions.js";
import { Tabs } from "./kept/tabs.js";
import { LastMoveVerdict } from "./verdict.js";
import { Welcome } from "./welcome.js";
import { zoomButtons } from "../../board/zoom.js";
import { say } from "../../words/index.js";

// A phone on its side shows the whole board: its cells may be small, and two fingers make them larger.
const SIDEWAYS = window.matchMedia("(max-height: 480px) and (min-width: 560px)");
const SMALLEST_SIDEWAYS = 12; // css pixels
const FEW_MOVES = 3; // from here on a game is not left unasked

/** CSS pixels of a cell, or undefined: whatever fits. */
function chosenSize() {
  const size = Number(setting("size"));
  return Number.isFinite(size) ? size : undefined;
}

/** @param {HTMLElement} root @param {Info} info */
export function create(root, info) {
  return new Play(root, info);
}

/** Before the first game there is none to play. @type {GameState} */
const NONE = {
  id: "",
  rules: "",
  position: "#",
  outcome: "finished",
  over: true,
  mines_left: null,
  moves: 0,
  seconds: 0,
  undone: false,
  no_guess: false,
  score: null,
};

class Play {
  #state = NONE;
  #mayGo = false; // to another mode, although the clock runs
  #isSeedKnown = false; // before the end: the player chose it, or has played the board
  /** @type {string | null} */
  #worth = null; // a sentence about the win
  /** @type {string | null} */
  #nextRules = null; // of the next board, if a setting has changed them

  /** @param {HTMLElement} root @param {Info} info */
  constructor(root, info) {
    this.info = info;
    this.minesLeft = el("span", { id: "mines-left" }, say.common.none);
    this.clock = new Clock();
    this.newButton = button(say.play.newBoard, "new", { id: "new", onclick: () => this.#leave(() => this.renew()) });
    const status = el(
      "div.bar.status",
      {},
      el(
        "div.meter",
        { title: say.play.minesLeft },
        icon("tile"),
        el("span.visually-hidden", {}, say.play.minesLeft),
        this.minesLeft,
      ),
      this.newButton,
      el(
        "div.meter.right",
        { title: say.play.time },
        icon("clock"),
        el("span.visually-hidden", {}, say.play.time),
        this.clock.element,
      ),
    );
    const stage = el("div");
    this.questions = new Questions(() => this.#showQuestions());
    this.board = new Board(stage, {
      label: say.play.board,
      keepsRulerRoom: true,
      get smallest() {
        return chosenSize() ?? (SIDEWAYS.matches ? SMALLEST_SIDEWAYS : undefined);
      },
      get largest() {
        return chosenSize();
      },
      get flagsOnPress() {
        return setting("flag") === "press";
      },
      act: (action, row, col) => this.#act(action, row, col),
      key: (event, row, col) => this.#boardKey(event, row, col),
    });
    root.board = this.board; // for tests
    this.moves = new Moves(this.board, this.questions, {
      state: () => this.#state,
      moving: () => this.help.close(),
      moved: (state, isWhole, from) => this.#moved(state, isWhole, from),
      failed: (error, id) => this.#moveFailed(error, id),
      asked: () => this.#showQuestions(),
    });
    this.panel = new Panel(() => this.board.grid.focus());
    this.welcome = new Welcome(this.panel);
    this.verdict = new LastMoveVerdict(this.board, this.panel);
    this.help = new Help(this.board, this.panel, {
      state: () => this.#state,
      settled: () => this.moves.settled,
      flag: (row, col) => this.moves.flag(row, col),
      open: (row, col) => this.moves.send("open", row, col),
      helped: () => memory.set("helped", this.#state.id),
    });
    this.flagButton = keyButton(say.play.flagMode, "flag", "M", () => this.#toggleFlagMode(), {
      "aria-pressed": "false",
      id: "flag-mode",
    });
    this.undoButton = keyButton(say.play.undo, "undo", "U", () => this.#undo(), { id: "undo" });
    const { hintButton, chanceButton, wrongButton } = this.help;
    const actions = el(
      "div.bar.actions",
      {},
      el("div.group", {}, hintButton, chanceButton, this.undoButton, wrongButton),
      el("div.thumb", {}, this.flagButton, zoomButtons(this.board)),
    );
    this.seed = el("input", {
      inputmode: "numeric",
      pattern: "[0-9]{1,16}",
      title: say.play.seedTitle,
      placeholder: say.play.anySeed,
      autocomplete: "off",
    });
    this.fromNext = el("p.notice.small", { id: "from-next", hidden: true }, say.play.fromNextBoard);
    this.form = new RulesForm(this.info, {
      action: say.play.startBoard,
      changed: (rules) =>
        this.#leave(
          () => this.#start(rules),
          () => this.#showRules(),
        ),
      first: () => setting("first"),
      typed: () => this.#changeNext(),
      beside: [this.fromNext],
      extra: [el("label.field", {}, el("span", {}, say.play.seed), this.seed)],
    });
    this.gameCard = new GameCard({
      resume: (id) => this.#leave(() => this.#resume(id)),
      fail: (words) => this.panel.fail(words),
    });
    this.dailyCard = new DailyCard();
    this.ready = new Ready(this.board, this.panel, (level, first) => this.#playDaily(level, first));
    const side = el(
      "div.side",
      {},
      this.panel.element,
      el(
        "div.rest",
        {},
        this.help.legend,
        el("section.card", { "aria-label": say.common.board }, el("h2", {}, say.common.board), this.form.element),
        this.dailyCard.element,
        this.gameCard.element,
      ),
    );
    root.append(el("div.desk", {}, status, stage, actions), side);
    this.tabs = new Tabs((id) => this.#lookAgain(id));
    onSetting((name) => this.#settingChanged(name));
    onBack(() => {
      if (this.moves.isAstray) this.moves.then(() => this.#resume(this.#state.id));
    });
  }

  // -- coming and going -----------------------------------------------------------------------------------

  /** @param {URLSearchParams} query */
  async enter(query) {
    // A link to a board comes from somebody who plays.
    if (query.size === 0) this.welcome.offer();
    const rules = query.get("rules");
    const named = query.get("game") ?? (rules || query.has("daily") ? null : this.tabs.game);
    if (named !== null && named === this.#state.id) this.#showAddress();
    else {
      await this.#leave(
        () => this.#go(query, rules, named),
        () => this.#showAddress(),
      );
    }
  }

  /** @param {URLSearchParams} query @param {string | null} rules @param {string | null} named */
  async #go(query, rules, named) {
    if (query.has("daily") && (await this.#startDaily(query.get("daily") ?? ""))) return;
    if (named !== null && (await this.#tryResume(named))) return;
    if (rules) this.form.type = query.get("noguess") === "1" ? NO_GUESS : "laid";
    const usual = this.form.renewed(memory.get("rules") ?? this.info.presets.beginner ?? "9x9/10");
    await this.#start(this.info.presets[rules ?? ""] ?? rules ?? usual, query.get("seed"));
    // A link that means nothing is said to, and there is a board all the same.
    if (this.#state === NONE) {
      await this.#start(this.form.renewed(this.info.presets.beginner));
      return;
    }
    // A link to another player's board, which depends on the cell that they opened first.
    const first = /^(\d{1,3}),(\d{1,3})$/.exec(query.get("first") ?? "");
    if (first !== null && this.#state.moves === 0) await this.moves.send("open", Number(first[1]), Number(first[2]));
  }

  /**
   * Go to another game, at once or after a question: what has been played for a while is not left unasked.
   * @param {() => unknown} act
   * @param {() => void} [keep]
   */
  #leave(act, keep) {
    const isWorthIt = this.#isDailyRunning || (!this.#state.over && this.#state.moves >= FEW_MOVES);
    if (!isWorthIt || !isOn("ask")) return act();
    const question = this.#isDailyRunning ? say.play.leaveDaily : say.play.leave;
    return this.panel.ask(question, say.play.leaveIt, act, keep);
  }

  /** A board of the day whose clock runs is not left for another mode unasked. @param {() => void} go */
  isHeld(go) {
    if (this.#mayGo || !this.#isDailyRunning || !isOn("ask")) return false;
    this.panel.ask(say.play.leaveDaily, say.play.leaveIt, () => {
      this.#mayGo = true;
      go();
    });
    return true;
  }

  leave() {
    this.#mayGo = false;
  }

  get #isDailyRunning() {
    return this.#state.daily !== undefined && !this.#state.over && this.#state.moves > 0;
  }

  /** A board of the day: what it is, or the game on it that has begun; whether there is one. @param {string} level */
  async #startDaily(level) {
    try {
      const told = await api.dailyBoard(level);
      if (told.state === "playing") this.#take(await api.playDaily(level), true);
      else this.#getReady(told);
    } catch (error) {
      if (statusOf(error) === 0) throw error;
      toast(messageOf(error), true);
      return false;
    }
    return true;
  }

  /** @param {DailyBoard} told */
  #getReady(told) {
    this.#state = NONE;
    this.#setNext(null);
    this.form.set(this.#usualRules, this.form.isNoGuess);
    this.help.changed(true);
    this.verdict.show(NONE);
    this.ready.show(told);
    this.gameCard.element.hidden = true;
    this.undoButton.disabled = true;
    this.minesLeft.textContent = String(this.board.position.total);
    this.clock.show(NONE);
  }

  /** Begin a board of the day by its first click. @param {string} level @param {Cell} first */
  #playDaily(level, first) {
    return this.moves.then(() =>
      this.#guard(async () => {
        if (!this.ready.isShown) return;
        this.#take(await api.playDaily(level), true, first);
        announce(say.play.saidDaily(describeRules(this.#state.rules)));
      }),
    );
  }

  /** The rules that were chosen last; a board of the day does not count as a choice. */
  get #usualRules() {
    return memory.get("rules") ?? this.info.presets.beginner;
  }

  get #isDaily() {
    return this.#state.daily !== undefined || this.#state.practice !== undefined;
  }

  /** @param {string} id */
  async #tryResume(id) {
    try {
      this.#take(await api.game(id), true);
      return true;
    } catch (error) {
      if (statusOf(error) === 0) throw error;
      return false;
    }
  }

  /** @param {string} id */
  async #resume(id) {
    await this.#guard(async () => this.#take(await api.game(id), true));
  }

  /** Begin a board; whether it could be had. @param {string} rules @param {string | null} seed */
  async #start(rules, seed = null) {
    const before = this.#state;
    const wanted = seed ?? this.seed.value.trim();
    // What is undefined is left out.
    const settings = { rules, seed: readSeed(wanted) ?? undefined, no_guess: this.form.isNoGuess || undefined };
    await this.#guard(async () => {
      this.#take(await api.newGame(settings), true);
      announce(say.play.saidNew(describeRules(this.#state.rules)));
    });
    return this.#state !== before;
  }

  /** Show the rules of this board, and nothing that was chosen for the next. */
  #showRules() {
    this.#setNext(null);
    this.form.set(this.#state.rules, this.#state.no_guess);
  }

  /** What another type of board, or first click, makes of the next board. @param {string | null} rules */
  #setNext(rules) {
    const { rules: now, no_guess: isNoGuess } = this.#state;
    this.#nextRules = rules !== now || this.form.isNoGuess !== isNoGuess ? rules : null;
    this.fromNext.hidden = this.#nextRules === null;
  }

  /** A board that is not begun is replaced at once; otherwise the choice holds from the next one on. */
  async #changeNext() {
    if (this.#state === NONE) return;
    const rules = withDealing(
      this.#nextRules ?? (this.#isDaily ? this.#usualRules : this.#state.rules),
      this.form.dealing,
    );
    if (this.#isFresh) {
      if (!(await this.#start(rules))) this.#showRules();
      return;
    }
    this.#setNext(rules);
    if (this.#nextRules !== null) announce(say.play.fromNextBoard);
  }

  get #isFresh() {
    return this.#state.moves === 0 && !this.#state.played_on;
  }

  /** @param {SettingName} name */
  #settingChanged(name) {
    if (name === "size") this.board.resetSize();
    else if (name === "tenths") this.clock.tick();
    else if (name === "first" && this.#state !== NONE) {
      const rules = this.form.renewed(this.#nextRules ?? this.#state.rules, true);
      if (this.#isFresh && (this.#state.seed ?? null) === null) {
        if (rules !== this.#state.rules) this.#start(rules);
      } else this.#setNext(rules);
    }
  }

  /** @param {KeyboardEvent} event */
  #renewByKey(event) {
    if (event.repeat) return;
    if (this.panel.isAsking) this.panel.agree();
    else this.#leave(() => this.renew());
  }

  /** A new board by the same rules. */
  async renew() {
    this.seed.value = "";
    const before = this.#isDaily || this.ready.isShown ? this.#usualRules : this.#state.rules;
    const rules =
      this.#nextRules ?? this.form.renewed(this.#state === NONE && !this.ready.isShown ? this.form.text : before);
    if (!(await this.#start(rules, "")) && this.#state !== NONE) this.#showRules();
  }

  /** The position before the last move once more, in a game that does not count. */
  async #tryAgain() {
    const { id, moves } = this.#state;
    await this.#guard(async () => {
      this.#take(await api.continueGame({ game: id, moves: moves - 1 }), true);
      announce(say.play.saidTryAgain);
    });
  }

  async #again() {
    if (this.#state === NONE || !this.#state.over) {
      toast(say.play.againLater);
      return;
    }
    await this.#guard(async () => {
      this.#take(await api.again(this.#state.id), true);
      announce(say.play.saidAgain);
    });
  }

  /** @param {() => Promise<void>} act */
  async #guard(act) {
    try {
      await act();
    } catch (error) {
      this.panel.fail(messageOf(error));
    }
  }

  // -- the state ------------------------------------------------------------------------------------------

  /**
   * Take over what the server says; `isWhole`: another game or position, not just changed cells; `from`: the cell of
   * the move that led to it.
   * @param {GameState} state
   * @param {boolean} isWhole
   * @param {Cell | null} from
   */
  #take(state, isWhole = false, from = null) {
    const isOther = state.id !== this.#state.id;
    const isWinNow = state.outcome === "won" && !isOther && !this.#state.over;
    this.#state = state;
    this.panel.hide(this.panel.note);
    if (isOther) this.#worth = null;
    if (!state.over) this.#isSeedKnown = (state.seed ?? null) !== null;
    if (isWinNow) this.#worth = describeWin(state, this.#whyNotCounted(state));
    this.board.stage.classList.toggle("won", isWinNow && isOn("animation"));
    if (isOther) {
      this.tabs.keep(state.id);
      this.questions.look(state.id);
      this.ready.end();
      this.gameCard.element.hidden = false;
      if (this.#isDaily) {
        this.#setNext(null);
        this.form.set(this.#usualRules, this.form.isNoGuess);
      } else {
        memory.set("rules", state.rules);
        this.#showRules();
      }
      this.#showAddress();
    }
    if (isWhole || !state.changed) {
      this.moves.isAstray = false;
      this.board.setTruth(null);
      this.board.setPosition(parsePosition(state.position));
      if (isOther && from !== null) this.board.painter.motion.begin(from);
    } else {
      const { cols } = this.board.position;
      this.board.setCells(
        state.changed.filter(([row, col, code]) => !isClosed(code) || !this.moves.isWaiting(row * cols + col)),
        from,
      );
    }
    this.#showQuestions();
    this.board.setTruth(state.over && state.layout ? state.layout : null);
    // Whoever has opened everything else knows the mines, so they are marked.
    if (state.outcome === "won" && state.layout) {
      this.board.setCells(state.layout.map(([row, col]) => [row, col, FLAG]));
    }
    if (state.over && from !== null) this.board.painter.motion.end(from, state.outcome === "won");
    this.#showState();
    this.help.changed(isOther);
  }

  /** Show the question marks of cells that are still closed; a flag may be an answer that is overtaken already. */
  #showQuestions() {
    this.questions.prune((index) => isClosed(this.board.position.cells[index]));
    this.board.setQuestions(this.questions.cells);
  }

  /**
   * A game may have changed in another tab or on another device: ask the server, and say so if it has.
   * @param {string | null} id
   */
  #lookAgain(id) {
    if (this.#state === NONE || (id !== null && id !== this.#state.id)) return;
    this.moves.then(() => this.#catchUp());
  }

  /** Show what the server knows of this game; whether it was something else. */
  async #catchUp() {
    const { id, moves, position } = this.#state;
    let state;
    try {
      state = await api.game(id);
    } catch {
      return false; // the next move will say what is wrong
    }
    if (this.#state.id !== id || (state.moves === moves && state.position === position)) return false;
    this.help.close();
    this.#take(state, true);
    toast(say.play.elsewhere);
    return true;
  }

  #showAddress() {
    const { rules, seed, id, no_guess: noGuess } = this.#state;
    showAddress("play", { rules, seed: seed ?? null, noguess: noGuess ? "1" : null, game: id });
  }

  /** Why a win is not compared with others, or null. @param {GameState} state */
  #whyNotCounted(state) {
    if (state.played_on) return "playedOn";
    if (state.undone) return "undone";
    if (memory.get("helped") === state.id) return "helped";
    return this.#isSeedKnown ? "known" : null;
  }

  #showState() {
    const state = this.#state;
    this.minesLeft.textContent = state.mines_left === null ? "?" : String(state.mines_left);
    // A disabled button would lose the focus.
    const hadFocus = document.activeElement;
    this.undoButton.disabled = !this.#canUndo;
    if (hadFocus === this.undoButton && this.undoButton.disabled) this.board.grid.focus();
    this.gameCard.show(state);
    this.dailyCard.changed(state);
    if (!state.over) {
      this.panel.hide(this.panel.result);
    } else {
      this.panel.show(
        this.panel.result,
        ...resultBody(
          state,
          this.#worth,
          {
            tryAgain: () => this.#tryAgain(),
            again: () => this.#again(),
            renew: () => this.renew(),
          },
          this.verdict.element,
        ),
      );
    }
    this.verdict.show(state);
    this.clock.show(state);
  }

  /** A lost game may go on, to see what would have been; one that is won stays won. */
  get #canUndo() {
    return this.#state.moves > 0 && this.#state.outcome !== "won";
  }

  // -- moves ----------------------------------------------------------------------------------------------

  /** @param {BoardAction | "chord-key"} action @param {number} row @param {number} col */
  #act(action, row, col) {
    if (this.ready.isShown) {
      this.ready.act(action, row, col);
      return;
    }
    this.moves.act(action, row, col);
  }

  /** @param {GameState} state @param {boolean} isWhole @param {Cell} from */
  #moved(state, isWhole, from) {
    this.#take(state, isWhole, from);
    this.tabs.tell(state.id);
    if (state.moves >= FEW_MOVES) this.welcome.end();
  }

  /** @param {unknown} error @param {string} id */
  async #moveFailed(error, id) {
    if (statusOf(error) === 409 && (await this.#catchUp())) return;
    if (statusOf(error) !== 0) await this.#resume(id);
    this.panel.fail(messageOf(error));
  }

  #undo() {
    if (!this.#canUndo) return;
    this.moves.then(() =>
      this.#guard(async () => {
        this.help.close();
        this.#take(await api.undo(this.#state.id), true);
        this.tabs.tell(this.#state.id);
        const left = this.#state.mines_left;
        announce(left === null ? say.play.saidUndone : `${say.play.saidUndone} ${say.play.saidMinesLeft(left)}`);
      }),
    );
  }

  #toggleFlagMode() {
    this.moves.isFlagMode = !this.moves.isFlagMode;
    this.flagButton.setAttribute("aria-pressed", String(this.moves.isFlagMode));
    announce(this.moves.isFlagMode ? say.play.flagModeOn : say.play.flagModeOff);
  }

  // -- keys -----------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event @param {number} row @param {number} col */
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

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, () => void>} */
    const acts = {
      h: () => this.help.hint(),
      p: () => this.help.toggleChances(),
      u: () => this.#undo(),
      n: () => this.#renewByKey(event),
      w: () => this.help.checkFlags(),
      m: () => this.#toggleFlagMode(),
      r: () => this.#again(),
    };
    const act = acts[event.key.toLowerCase()];
    if (act) {
      event.preventDefault();
      act();
    } else if (event.key.startsWith("Arrow") && isUnaimed(event)) {
      event.preventDefault();
      const [row, col] = this.board.grid.cursor;
      this.board.grid.setCursor(row, col, { focus: true });
    } else if (
      event.key === "Enter" &&
      this.panel.isAsking &&
      !targetOf(event)?.closest("button, a, summary, label, [role=grid]")
    ) {
      event.preventDefault();
      this.panel.agree();
    } else if (event.key === "Escape") {
      this.panel.hide(this.panel.note);
      this.help.close();
    }
  }
}
