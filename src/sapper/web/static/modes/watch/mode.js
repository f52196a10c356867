// Watch: agents play, step by step, each step with its reason.

import { api, messageOf } from "../../common/api.js";
import { announce, button, el, icon, isControl, targetOf, toast } from "../../common/dom.js";
import { introduction } from "./introduction.js";
import { Log } from "./log.js";
import { Pane, describeResult } from "./pane.js";
import { Tally } from "./tally.js";
import { addressOf, readAddress, showAddress } from "../../common/router.js";
import { PLAIN, describeRules, formatRules, parseRules, readSeed } from "../../rules/text.js";
import { RulesForm } from "../../rules/form.js";
import { rulerButton } from "../../board/rulers.js";
import { entriesOf, say } from "../../words/index.js";

const IMPROVED = "contradiction"; // the two agents of student report 002
const BASIC = "local";
const SPEEDS = [1, 2, 4, 8, 15, 30, 60]; // steps per second
const MOST_SAID = 60; // characters of rules that cannot be read
const PART = 1; // seconds of play that are asked for at once: a slow agent is shown while it still thinks
const WAIT = 120; // milliseconds until it is looked again whether it has thought of something
const REST = 200; // milliseconds at a step after which the address names it: browsers allow few changes a second

/** @param {HTMLElement} root @param {Info} info */
export function create(root, info) {
  return new Watch(root, info);
}

const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] >>> 1;

class Watch {
  #count = 0;
  #timer = 0;
  #isVersus = false;
  #isLoading = false;
  #wantsStart = false;
  #noting = 0;
  #tally = new Tally();
  #awaited = 0; // the step that the address asks for, while the game is not there that far

  /** @type {View | "all"} */
  view = "solved";

  /** @param {HTMLElement} root @param {Info} info */
  constructor(root, info) {
    this.info = info;
    this.names = info.agents.map(({ name }) => name);
    this.rules = info.presets["report-002"] ?? "16x16/40 first-any survey";
    this.seed = newSeed();
    this.panes = [new Pane(), new Pane()];
    this.startButton = button(say.watch.start, "start", {
      class: "primary",
      id: "start",
      onclick: () => this.#toggle(),
      "aria-keyshortcuts": "Space",
    });
    this.speed = el("input", {
      type: "range",
      min: "0",
      max: String(SPEEDS.length - 1),
      step: "1",
      "aria-label": say.watch.speed,
    });
    this.speed.value = "3";
    this.speedName = el("span.small.soft", {}, "");
    this.speed.addEventListener("input", () => this.#speedChanged());
    // A page that nobody sees stands still; it goes on by itself.
    document.addEventListener("visibilitychange", () => {
      if (this.#timer === 0) return;
      clearTimeout(this.#timer);
      if (!document.hidden) this.#tick();
    });
    /** @param {View | "all"} name @param {string} label */
    const view = (name, label) =>
      el(
        "button",
        { type: "button", "data-view": name, "aria-pressed": "false", onclick: () => this.#setView(name) },
        label,
      );
    this.viewButtons = [
      ...entriesOf(say.watch.views).map(([name, label]) => view(name, label)),
      view("all", say.watch.allViews),
    ];
    this.panesPlace = el("div.panes", {}, ...this.panes.map((pane) => pane.element));
    this.scrubber = el("input.scrubber", {
      type: "range",
      min: "0",
      max: "0",
      step: "1",
      disabled: true,
      "aria-label": say.watch.step,
      oninput: () => {
        this.#scrub(Number(this.scrubber.value));
      },
    });
    this.backButton = button(say.watch.back, "back", {
      onclick: () => this.#stepBack(),
      id: "back",
      disabled: true,
      "aria-keyshortcuts": "ArrowLeft",
    });
    const controls = el(
      "div.bar.actions",
      {},
      el(
        "div.group",
        {},
        this.startButton,
        this.backButton,
        button(say.watch.step, "step", {
          onclick: () => this.#stepOnce(),
          id: "step",
          "aria-keyshortcuts": "S ArrowRight",
        }),
        button(say.watch.reset, "first", { onclick: () => this.#reset(), id: "reset", "aria-keyshortcuts": "Enter" }),
        button(say.watch.newBoard, "dice", { onclick: () => this.#newBoard() }),
      ),
      el("label.row.speed", {}, this.speed, this.speedName),
    );
    const desk = el(
      "div.desk",
      {},
      el(
        "div.views",
        {},
        el("div.segments", { role: "group", "aria-label": say.watch.view }, ...this.viewButtons),
        rulerButton(),
      ),
      this.panesPlace,
      el("div.scrubbing", {}, this.scrubber, el("span.small.soft", {}, say.watch.colours)),
      controls,
    );
    desk.addEventListener("click", (event) => targetOf(event)?.closest("a.analyse-this") && this.#showAddress());
    /** @param {string} label @param {() => void} act */
    const choice = (label, act) =>
      el(
        "select",
        { "aria-label": label, onchange: act },
        ...this.info.agents.map(({ name }) => el("option", { value: name }, name)),
      );
    this.agents = [
      choice(say.watch.agent, () => this.#chooseAgent(0, this.agents[0].value)),
      choice(say.watch.secondAgent, () => this.#chooseAgent(1, this.agents[1].value)),
    ];
    this.versus = el("input", {
      type: "checkbox",
      onchange: () => {
        this.#setVersus(this.versus.checked);
      },
    });
    this.introductions = [el("div.introduction"), el("div.introduction")];
    this.secondPlace = el(
      "div.second",
      { hidden: true },
      el("label.field", {}, el("span", {}, say.watch.secondAgent), this.agents[1]),
      this.introductions[1],
    );
    this.note = el("p.small.soft", { hidden: true }, say.watch.boardsDiffer);
    this.form = new RulesForm(this.info, {
      action: say.watch.watchBoard,
      changed: (rules) => this.#setBoard(rules, newSeed()),
    });
    this.boardName = el("p.small.soft", {}, "");
    this.log = new Log();
    /** @param {string} agent @param {string} letter @param {string} label */
    const key = (agent, letter, label) =>
      button(label, null, {
        onclick: () => this.#run(agent),
        "data-agent": agent,
        "aria-pressed": "false",
        "aria-keyshortcuts": letter,
      });
    this.quick = [key(IMPROVED, "A", say.watch.improved(IMPROVED)), key(BASIC, "B", say.watch.basic(BASIC))];
    this.quick.forEach((made, at) => made.append(el("kbd", { "aria-hidden": "true" }, "AB"[at])));
    const side = el(
      "div.side",
      {},
      el(
        "section.card",
        { "aria-label": say.watch.agents },
        el("h2", {}, say.watch.agent),
        el("div.row.even", { role: "group", "aria-label": say.watch.quickAgents }, ...this.quick),
        el("label.field", {}, el("span", {}, say.watch.anyAgent), this.agents[0]),
        this.introductions[0],
        el("label.tick", {}, this.versus, el("span", {}, say.watch.versus)),
        this.secondPlace,
        this.note,
      ),
      el("section.card", { "aria-label": say.watch.log }, el("h2", {}, say.watch.log), this.log.element),
      el(
        "section.card",
        { "aria-label": say.common.board },
        el("h2", {}, say.common.board),
        this.boardName,
        this.form.element,
      ),
    );
    root.append(desk, side);
    this.#speedChanged();
    this.#setView("solved");
    root.boards = this.panes.map((pane) => pane.boards.solved);
  }

  /** @param {URLSearchParams} query */
  async enter(query) {
    const step = /^\d{1,6}$/.test(query.get("step") ?? "") ? Number(query.get("step")) : 0;
    // Back from another mode: the same games are still here.
    if (this.panes[0].run !== null && JSON.stringify(this.#named) === JSON.stringify(namedIn(query))) {
      this.#goTo(Math.min(step, this.#length));
      return;
    }
    const rules = query.get("rules");
    if (rules && !this.info.presets[rules] && parseRules(rules) === null) {
      toast(say.watch.badRules(rules.slice(0, MOST_SAID)), true);
    }
    /** @param {string | null} name */
    const known = (name) => (name !== null && this.names.includes(name) ? name : null);
    const agent = query.get("agent");
    const versus = query.get("versus");
    for (const name of [agent, versus]) if (name !== null && known(name) === null) toast(say.watch.noAgent(name), true);
    const [first, second] = this.panes;
    first.setAgent(known(agent) ?? (first.agent || (known(IMPROVED) ?? this.names[0])));
    second.setAgent(known(versus) ?? (second.agent || (known(BASIC) ?? this.names[0])));
    this.#isVersus = versus !== null ? true : this.#isVersus;
    const seed = readSeed(query.get("seed") ?? "") ?? this.seed;
    const read = parseRules(rules ?? "");
    const text = this.info.presets[rules ?? ""] ?? (read === null ? this.rules : formatRules(read));
    this.#setBoard(text, seed);
    if (step > 0) {
      this.#awaited = step;
      if (await this.#load()) this.#catchUp();
    }
  }

  leave() {
    this.#pause();
    clearTimeout(this.#noting);
  }

  /** What is watched, as the address names it. */
  get #named() {
    return {
      rules: this.rules,
      seed: String(this.seed),
      agent: this.panes[0].agent,
      versus: this.#isVersus ? this.panes[1].agent : null,
    };
  }

  get #place() {
    return { ...this.#named, step: this.#count || null };
  }

  /** Where one is: the bar of the browser names it a moment later. */
  get place() {
    return addressOf("watch", this.#place);
  }

  #showAddress() {
    clearTimeout(this.#noting);
    if (readAddress().mode === "watch") showAddress("watch", this.#place);
  }

  /** Go on towards the step that the address asked for. */
  #catchUp() {
    if (this.#awaited === 0) return;
    const to = Math.min(this.#awaited, this.#length);
    if (to === this.#awaited || !this.#isThinking) this.#awaited = 0;
    this.#goTo(to);
  }

  get #shown() {
    return this.#isVersus ? this.panes : this.panes.slice(0, 1);
  }

  get #length() {
    return Math.max(...this.#shown.map((pane) => pane.run?.length ?? 0));
  }

  /** @param {string} rules @param {number} seed */
  #setBoard(rules, seed) {
    this.rules = rules;
    this.seed = seed;
    this.form.set(rules);
    this.boardName.textContent = [describeRules(rules), say.rules.seedPart(seed)].join(", ");
    for (const pane of this.panes) pane.clear(parseRules(rules) ?? PLAIN);
    this.#changed();
  }

  #newBoard() {
    this.#setBoard(this.rules, newSeed());
    announce(say.watch.saidNew);
  }

  /** @param {number} at @param {string} name */
  #chooseAgent(at, name) {
    this.panes[at].setAgent(name);
    this.panes[at].clear(parseRules(this.rules) ?? PLAIN);
    this.#changed();
    announce(say.watch.saidAgent(name));
  }

  /** @param {boolean} isOn */
  #setVersus(isOn) {
    this.#isVersus = isOn;
    this.#changed();
  }

  /** Something about what is watched changed: back to the start. */
  #changed() {
    this.#pause();
    this.panes.forEach((pane, at) => {
      this.agents[at].value = pane.agent;
    });
    this.versus.checked = this.#isVersus;
    this.secondPlace.hidden = !this.#isVersus;
    this.panes[1].element.hidden = !this.#isVersus;
    this.note.hidden = !this.#isVersus || parseRules(this.rules)?.first === "any";
    this.introductions.forEach((place, at) => place.replaceChildren(...introduction(this.info, this.panes[at].agent)));
    for (const made of this.quick) {
      made.setAttribute("aria-pressed", String(made.dataset.agent === this.panes[0].agent));
    }
    this.panesPlace.classList.toggle("versus", this.#isVersus);
    for (const pane of this.panes) pane.setView(this.view, this.#isVersus);
    this.#awaited = 0;
    this.#goTo(0);
    this.#showAddress();
    if (this.view === "actual" || this.view === "all") this.#load();
  }

  /** @param {View | "all"} view */
  #setView(view) {
    this.view = view;
    for (const made of this.viewButtons) made.setAttribute("aria-pressed", String(made.dataset.view === view));
    for (const pane of this.panes) pane.setView(view, this.#isVersus);
    this.panesPlace.classList.toggle("all", view === "all");
    if (view !== "solved" && view !== "start" && this.panes[0].agent) this.#load();
  }

  // -- playing --------------------------------------------------------------------------------------------

  /** Ask the server for the games that are not there yet; false if it could not play them. */
  async #load() {
    this.#isLoading = true;
    this.startButton.setAttribute("aria-busy", "true");
    try {
      for (const pane of this.#shown) {
        const { agent } = pane;
        const { rules, seed } = this;
        await pane.ensure(JSON.stringify([rules, seed, agent]), (since) => api.watch(rules, seed, agent, since, PART), {
          came: () => {
            pane.show(this.#count);
            this.#showLength();
            this.#catchUp();
          },
          failed: (error) => {
            pane.forget();
            this.#pause();
            toast(messageOf(error), true);
          },
        });
      }
      this.#showLength();
      return this.#shown.every((pane) => pane.run !== null);
    } catch (error) {
      toast(messageOf(error), true);
      return false;
    } finally {
      this.#isLoading = false;
      this.startButton.removeAttribute("aria-busy");
    }
  }

  async #toggle() {
    if (this.#timer !== 0) {
      this.#pause();
      return;
    }
    // Pressed again while the server still plays: it is not to start after all.
    this.#wantsStart = !this.#wantsStart;
    if (!this.#wantsStart) return;
    await this.#loaded();
    const isThere = this.#wantsStart && (await this.#load());
    const starts = isThere && this.#wantsStart;
    this.#wantsStart = false;
    if (!starts) return;
    if (this.#count >= this.#length) this.#goTo(0);
    this.#timer = setTimeout(() => this.#tick(), 0);
    this.#showStart();
  }

  /** Let an agent play the board from its start, as the keys of student report 002 do. @param {string} agent */
  async #run(agent) {
    this.#chooseAgent(0, agent);
    // What is still being asked for is another agent's game.
    await this.#loaded();
    if (this.panes[0].agent === agent && this.#timer === 0 && !this.#wantsStart) await this.#toggle();
  }

  /** Wait until the server has answered what it was asked before. */
  async #loaded() {
    while (this.#isLoading) await new Promise((done) => setTimeout(done, WAIT));
  }

  get #isThinking() {
    return this.#shown.some((pane) => pane.run !== null && !pane.run.isWhole);
  }

  #tick() {
    if (this.#count >= this.#length && this.#isThinking) {
      this.#timer = setTimeout(() => this.#tick(), WAIT);
      return;
    }
    if (!this.#advance() && !this.#isThinking) {
      this.#pause();
      announce(this.#shown.map((pane) => say.watch.saidResult(pane.agent, describeResult(pane.run?.answer))).join(" "));
      return;
    }
    this.#timer = setTimeout(() => this.#tick(), 1000 / SPEEDS[Number(this.speed.value)]);
  }

  async #stepOnce() {
    this.#pause();
    if (this.#isLoading || !(await this.#load())) return;
    if (this.#count >= this.#length && this.#isThinking) announce(say.watch.saidThinking);
    this.#advance();
    const step = this.panes[0].run?.steps[this.#count - 1];
    if (step) announce(step.reason);
  }

  #stepBack() {
    this.#scrub(Math.max(0, this.#count - 1));
    announce(this.panes[0].run?.steps[this.#count - 1]?.reason ?? say.watch.saidStart);
  }

  /** To the last step that is known by now. */
  async #toEnd() {
    if (this.#isLoading || !(await this.#load())) return;
    this.#scrub(this.#length);
  }

  /** @param {number} count */
  #scrub(count) {
    this.#pause();
    this.#awaited = 0;
    this.#goTo(Math.min(count, this.#length));
  }

  #advance() {
    this.#awaited = 0;
    if (this.#count >= this.#length) return false;
    this.#goTo(this.#count + 1);
    return this.#count < this.#length;
  }

  #reset() {
    this.#scrub(0);
    announce(say.watch.saidReset);
  }

  #pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#showStart();
  }

  #showStart() {
    const isRunning = this.#timer !== 0;
    const isOver = !isRunning && this.#length > 0 && this.#count >= this.#length && !this.#isThinking;
    const [name, label] = isRunning
      ? ["pause", say.watch.pause]
      : isOver
        ? ["again", say.watch.again]
        : ["start", say.watch.start];
    this.startButton.replaceChildren(icon(name), el("span", {}, label));
  }

  #speedChanged() {
    const speed = SPEEDS[Number(this.speed.value)];
    this.speedName.textContent = say.watch.stepsPerSecond(speed);
  }

  /** @param {number} count */
  #goTo(count) {
    this.#count = count;
    for (const pane of this.#shown) pane.show(count);
    this.log.write(count, this.#shown);
    this.#showLength();
    clearTimeout(this.#noting);
    this.#noting = setTimeout(() => this.#showAddress(), REST);
  }

  /** Count the games that are shown to their end, and say how each agent does. */
  #showRates() {
    for (const pane of this.#shown) {
      if (pane.run?.isWhole && this.#count >= pane.run.length) {
        this.#tally.note(this.rules, this.seed, pane.agent, pane.run.answer);
      }
      pane.rate.textContent = this.#tally.describe(this.rules, pane.agent);
    }
  }

  /** Bring the slider and the rates up to date. */
  #showLength() {
    const length = this.#length;
    this.scrubber.max = String(length);
    this.scrubber.value = String(this.#count);
    this.scrubber.disabled = length === 0;
    this.backButton.disabled = this.#count === 0;
    this.scrubber.setAttribute("aria-valuetext", say.watch.sliderStep(this.#count, length));
    this.#showRates();
    this.#showStart();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const name = event.key.toLowerCase();
    if ((name === " " || name === "enter") && isControl(event.target)) return;
    if (targetOf(event)?.matches("[type=range]")) return;
    /** @type {Record<string, () => void>} */
    const acts = {
      " ": () => this.#toggle(),
      enter: () => this.#reset(),
      s: () => this.#stepOnce(),
      n: () => this.#newBoard(),
      arrowleft: () => this.#stepBack(),
      arrowright: () => this.#stepOnce(),
      home: () => this.#reset(),
      end: () => this.#toEnd(),
      a: () => this.#run(IMPROVED),
      b: () => this.#run(BASIC),
      1: () => this.#setView("solved"),
      2: () => this.#setView("actual"),
      3: () => this.#setView("start"),
      4: () => this.#setView("all"),
    };
    if (acts[name]) {
      event.preventDefault();
      acts[name]();
    }
  }
}

/** What an address asks to watch, as `#named` has it. @param {URLSearchParams} query */
function namedIn(query) {
  return Object.fromEntries(["rules", "seed", "agent", "versus"].map((key) => [key, query.get(key)]));
}
