// Play: a game whose truth stays on the server.

import { api } from "./api.js";
import { Board, isClosed } from "./board.js";
import { announce, button, el, icon, memory, toast } from "./dom.js";
import { hintBody, marksOf, swatch } from "./hintcard.js";
import { FLAG, HIDDEN, NO_CLUE, parsePosition } from "./position.js";
import { showAddress } from "./router.js";
import { describeRules } from "./rules.js";
import { RulesForm } from "./rulesform.js";
import { resultBody } from "./result.js";
import { openShare } from "./share.js";
import { zoomButtons } from "./zoom.js";

const OUTCOMES = { won: "Won", lost: "Lost", finished: "Finished", playing: "Playing" };

export function create(root, info) {
  return new Play(root, info);
}

class Play {
  #state = null;
  #receivedAt = 0;
  #queue = Promise.resolve();
  #isFlagMode = false;
  #showsChances = false;
  #justOpened = null;
  #turn = 0; // grows with every move: answers about an older position are dropped

  constructor(root, info) {
    this.info = info;
    this.#build(root);
    setInterval(() => this.#tick(), 250);
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
    this.flagButton = this.#action("Flag mode", "flag", "", () => this.#toggleFlagMode(), { "aria-pressed": "false", id: "flag-mode" });
    this.chanceButton = this.#action("Chances", "percent", "P", () => this.#toggleChances(), { "aria-pressed": "false", id: "chances" });
    this.hintButton = this.#action("Hint", "bulb", "H", () => this.#hint(), { id: "hint" });
    this.undoButton = this.#action("Undo", "undo", "U", () => this.#undo(), { id: "undo" });
    this.wrongButton = this.#action("Check flags", "check", "W", () => this.#checkFlags(), { id: "check-flags" });
    const actions = el("div.bar.actions", {});
    root.append(el("div.desk", {}, status, stage, actions), this.#buildSide());
    this.board = new Board(stage, {
      label: "Minesweeper board",
      act: (action, row, col) => this.#act(action, row, col),
      key: (event, row, col) => this.#boardKey(event, row, col),
    });
    root.board = this.board; // for tests and for whoever looks at the page from outside
    actions.append(
      el("div.group", {}, this.flagButton, this.hintButton, this.chanceButton, this.undoButton, this.wrongButton),
      zoomButtons(this.board));
  }

  #action(label, name, key, act, attributes) {
    const made = button(label, name, { onclick: act, ...attributes });
    if (key) {
      made.append(el("kbd", { "aria-hidden": "true" }, key));
      made.setAttribute("aria-keyshortcuts", key);
    }
    return made;
  }

  #buildSide() {
    this.result = el("section.card", { hidden: true, "aria-label": "Result" });
    this.hintPlace = el("section.card", { hidden: true, "aria-label": "Hint", id: "hint-card" });
    this.chanceLegend = el("section.card", { hidden: true, "aria-label": "Chances" },
      el("h2", {}, "Chance of a mine"),
      el("div.legend", {}, swatch("safe", "certainly safe ✓"), swatch("mine", "certainly a mine"),
        el("span", {}, "0 %", el("i.ramp"), "100 %")));
    this.seed = el("input", { inputmode: "numeric", pattern: "[0-9]{1,15}", title: "A whole number of at most 15 digits", placeholder: "any", autocomplete: "off" });
    this.noGuess = el("input", { type: "checkbox" });
    const extra = [el("label.field", {}, el("span", {}, "Seed"), this.seed)];
    if (this.info.no_guess) extra.unshift(el("label.tick", {}, this.noGuess, el("span", {}, "No guessing needed")));
    this.form = new RulesForm(this.info, { action: "Start this board", changed: (rules) => this.#start(rules), extra });
    this.about = el("p.soft.small", {}, "");
    const tools = el("section.card", { "aria-label": "This game" },
      el("h2", {}, "This game"), this.about,
      el("div.choices", {},
        (this.againButton = button("Same board", "again", { onclick: () => this.#again() })),
        button("Share link", "share", { onclick: () => this.#guard(() => openShare(this.#state)) })),
      this.#buildDownloads(), this.#buildRecent());
    return el("div.side", {}, this.result, this.hintPlace, this.chanceLegend,
      el("section.card", { "aria-label": "Board" }, el("h2", {}, "Board"), this.form.element), tools);
  }

  #buildDownloads() {
    const formats = { text: "Position (text)", record: "Record", mbf: ".mbf", ptta: "PTTA", layout: "Layout" };
    this.downloads = Object.entries(formats).map(([format, label]) =>
      el("a.button", { "data-format": format, download: "" }, icon("download"), label));
    this.downloadNote = el("p.small.soft", {}, "Files that hold the mines can be had once the game is over.");
    return el("details", {}, el("summary", {}, "Download"),
      el("div.inside", {}, el("div.row", {}, ...this.downloads), this.downloadNote));
  }

  #buildRecent() {
    const list = el("ul.list", {});
    const details = el("details", { ontoggle: () => details.open && this.#listRecent(list) }, el("summary", {}, "Recent games"), el("div.inside", {}, list));
    return details;
  }

  async #listRecent(list) {
    try {
      const games = await api.games();
      list.replaceChildren(...games.slice(0, 12).map((game) => el("li", {},
        el("button", { type: "button", onclick: () => this.#resume(game.id) },
          el("span", {}, describeRules(game.rules)), el("span.soft.small", {}, `${OUTCOMES[game.outcome] ?? game.outcome}, ${game.moves} moves`)))));
      if (!games.length) list.replaceChildren(el("li.soft", {}, "No games yet."));
    } catch (error) {
      list.replaceChildren(el("li.soft", {}, error.message));
    }
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
    if (query.get("noguess") === "1") this.noGuess.checked = true;
    await this.#start(this.info.presets[rules] ?? rules ?? memory.get("rules") ?? this.info.presets.beginner ?? "9x9/10", seed);
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
    if (/^\d{1,15}$/.test(wanted)) settings.seed = Number(wanted);
    if (this.info.no_guess && this.noGuess.checked) settings.no_guess = true;
    await this.#guard(async () => {
      this.#take(await api.newGame(settings), true);
      announce(`New board: ${describeRules(this.#state.rules)}.`);
    });
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
      toast(error.message, true);
    }
  }

  // -- the state ------------------------------------------------------------------------------------------

  /** Take over what the server says; `isWhole`: another game or position, not just changed cells. */
  #take(state, isWhole = false) {
    const isOther = state.id !== this.#state?.id;
    this.#turn += 1;
    this.#state = state;
    this.#receivedAt = performance.now();
    if (isOther) {
      this.#closeHint();
      memory.set("game", state.id);
      memory.set("rules", state.rules);
      this.form.set(state.rules);
      this.#showAddress();
    }
    if (isWhole || !state.changed) {
      this.board.setTruth(null);
      this.board.setPosition(parsePosition(state.position));
    } else {
      this.board.setCells(state.changed);
    }
    this.board.setTruth(state.over && state.layout ? state.layout : null);
    this.#showState();
    if (this.#showsChances) this.#loadChances();
  }

  #showAddress() {
    const { rules, seed, id } = this.#state;
    showAddress("play", { rules, seed: seed ?? null, game: id });
  }

  #showState() {
    const state = this.#state;
    this.minesLeft.textContent = state.mines_left === null ? "?" : String(state.mines_left);
    this.about.textContent = describeRules(state.rules) + (state.seed !== null && state.seed !== undefined ? `, seed ${state.seed}` : "");
    this.againButton.disabled = !state.over;
    this.undoButton.disabled = state.moves === 0;
    this.wrongButton.disabled = this.hintButton.disabled = state.over;
    for (const link of this.downloads) {
      const { format } = link.dataset;
      const isThere = format === "text" || state.over;
      if (isThere) link.href = api.downloadPath(state.id, format);
      else link.removeAttribute("href");
      link.hidden = !isThere;
    }
    this.downloadNote.hidden = state.over;
    this.result.hidden = !state.over;
    if (state.over) {
      this.result.replaceChildren(...resultBody(state, {
        undo: () => this.#undo(), again: () => this.#again(), renew: () => this.renew(),
      }));
      if (this.#showsChances) this.#setChances(false);
    }
    this.#tick();
  }

  #seconds() {
    const state = this.#state;
    if (!state || state.moves === 0) return 0;
    return state.over ? state.seconds : state.seconds + (performance.now() - this.#receivedAt) / 1000;
  }

  #tick() {
    const seconds = Math.floor(this.#seconds());
    const words = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (this.clock.textContent !== words) this.clock.textContent = words;
  }

  // -- moves ----------------------------------------------------------------------------------------------

  #act(action, row, col) {
    if (this.#state === null || this.#state.over) return;
    const code = this.board.codeAt(row, col);
    const key = `${row},${col}`;
    if (action === "double") {
      // The second click of a double click that opened the cell is no chord.
      if (code > 0 && this.#justOpened !== key) this.#send("chord", row, col);
      return;
    }
    this.#justOpened = null;
    if (action === "tap" && code > 0) this.#send("chord", row, col);
    else if (action === "chord") {
      if (code > 0) this.#send("chord", row, col);
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
    this.#closeHint();
    try {
      const state = await api.move(id, action, row, col);
      if (this.#state.id !== id) return;
      this.#take(state);
      this.#announceMove(action, row, col, state);
    } catch (error) {
      toast(error.message, true);
      // What the server has is right; what the page guessed may not be.
      if (error.status !== 0) await this.#resume(id);
    }
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
    if (!this.#state || this.#state.moves === 0) return;
    this.#queue = this.#queue.then(() => this.#guard(async () => {
      this.#closeHint();
      this.#take(await api.undo(this.#state.id), true);
      announce(`The last move is taken back. ${this.#state.mines_left === null ? "" : `Mines left ${this.#state.mines_left}.`}`);
    }));
  }

  #toggleFlagMode() {
    this.#isFlagMode = !this.#isFlagMode;
    this.flagButton.setAttribute("aria-pressed", String(this.#isFlagMode));
    announce(this.#isFlagMode ? "Flag mode: a tap flags." : "Flag mode off: a tap opens.");
  }

  // -- help -----------------------------------------------------------------------------------------------

  async #hint() {
    if (!this.#state || this.#state.over) return;
    await this.#queue;
    const turn = this.#turn;
    this.hintButton.setAttribute("aria-busy", "true");
    await this.#guard(async () => {
      const hint = await api.hint(this.#state.id);
      if (turn === this.#turn) this.#showHint(hint);
    });
    this.hintButton.removeAttribute("aria-busy");
  }

  #showHint(hint) {
    this.#openCard("Hint", hintBody(hint, {
      use: (action, [row, col]) => {
        const code = this.board.codeAt(row, col);
        this.#closeHint();
        if (action === "flag") this.#flag(row, col, code);
        else {
          if (code === FLAG) this.#flag(row, col, code);
          this.#send("open", row, col);
        }
      },
      show: ([row, col]) => {
        this.board.reveal(row, col);
        this.board.grid.setCursor(row, col, { focus: true });
      },
    }));
    this.board.setMarks(marksOf(hint));
    if (!hint.certain && hint.candidates?.length && !this.#showsChances) this.#showCandidates(hint.candidates);
    const cell = hint.cell ?? hint.best?.cell;
    if (cell) {
      this.board.reveal(...cell);
      this.board.grid.setCursor(...cell, { byPointer: !this.board.grid.isFocused });
    }
    const steps = (hint.steps ?? []).map((step) => step.sentence ?? step).join(" ");
    announce(hint.certain ? `${hint.summary} ${steps}` : `Nothing is certain. ${hint.best?.reason ?? hint.summary ?? ""}`);
  }

  #showCandidates(candidates) {
    const { rows, cols } = this.board.position;
    const p = Array.from({ length: rows }, () => new Array(cols).fill(null));
    for (const { cell, p_mine: chance } of candidates) p[cell[0]][cell[1]] = chance;
    this.board.setChances({ p, safe: [], mines: [] });
  }

  async #checkFlags() {
    if (!this.#state || this.#state.over) return;
    await this.#queue;
    const turn = this.#turn;
    await this.#guard(async () => {
      const { cells } = await api.wrongFlags(this.#state.id);
      if (turn !== this.#turn) return;
      this.board.setMarks({ wrong: cells });
      const words = cells.length === 0
        ? "No flag is provably wrong."
        : `${cells.length === 1 ? "One flag stands" : `${cells.length} flags stand`} on a cell that the clues prove safe: ${cells.map(([row, col]) => `(${row}, ${col})`).join(", ")}.`;
      this.#openCard("Flags", [el(`p.notice.${cells.length ? "bad" : "good"}`, {}, words)]);
      announce(words);
      if (cells.length) this.board.reveal(...cells[0]);
    });
  }

  #openCard(title, body) {
    const close = el("button.ghost", { type: "button", "aria-label": `Close: ${title}`, onclick: () => this.#closeHint() }, icon("cross"));
    this.hintPlace.replaceChildren(el("header", {}, el("h2", {}, title), close), ...body);
    this.hintPlace.hidden = false;
  }

  #closeHint() {
    if (this.hintPlace.hidden) return;
    this.hintPlace.hidden = true;
    this.board.setMarks({});
    if (!this.#showsChances) this.board.setChances(null);
  }

  #toggleChances() {
    if (this.#state?.over && !this.#showsChances) return;
    this.#setChances(!this.#showsChances);
    if (this.#showsChances) this.#loadChances();
    announce(this.#showsChances ? "Chances shown." : "Chances hidden.");
  }

  #setChances(isOn) {
    this.#showsChances = isOn;
    this.chanceButton.setAttribute("aria-pressed", String(isOn));
    this.chanceLegend.hidden = !isOn;
    if (!isOn) this.board.setChances(null);
  }

  async #loadChances() {
    if (this.#state.over) return;
    const turn = this.#turn;
    try {
      const chances = await api.chances(this.#state.id);
      if (turn === this.#turn && this.#showsChances) this.board.setChances(chances);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#setChances(false);
      toast(error.message, true);
    }
  }

  // -- keys -----------------------------------------------------------------------------------------------

  #boardKey(event, row, col) {
    if (event.key === " " || event.key === "Enter") {
      // On an open number, opening means its neighbours.
      this.#act(this.board.codeAt(row, col) > 0 ? "chord" : "open", row, col);
      return true;
    }
    const key = event.key.toLowerCase();
    if (key === "f") this.#act("flag", row, col);
    else if (key === "c") this.#act("chord", row, col);
    else return false;
    return true;
  }

  key(event) {
    const acts = { h: () => this.#hint(), p: () => this.#toggleChances(), u: () => this.#undo(), n: () => this.renew(), w: () => this.#checkFlags(), r: () => this.#again() };
    const act = acts[event.key.toLowerCase()];
    if (act) {
      event.preventDefault();
      act();
    } else if (event.key.startsWith("Arrow") && (event.target === document.body || event.target.id === "main")) {
      event.preventDefault();
      const [row, col] = this.board.grid.cursor;
      this.board.grid.setCursor(row, col, { focus: true });
    } else if (event.key === "Escape") {
      this.#closeHint();
    }
  }
}
