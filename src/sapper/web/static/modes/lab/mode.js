// Lab: sweeps in the background, with a figure that grows.

import { api, messageOf, statusOf } from "../../common/api.js";
import { announce, button, el, onResize, toast } from "../../common/dom.js";
import { chartLegend, drawChart } from "./chart.js";
import { onSchemeChange } from "../../common/theme.js";
import { showAddress } from "../../common/router.js";
import { ShapeField } from "../../rules/own.js";
import { entriesOf, say } from "../../words/index.js";

const DEFAULT_AGENTS = ["local", "contradiction", "exact"];
const POLL = 700; // milliseconds

/** @param {HTMLElement} root @param {Info} info */
export function create(root, info) {
  return new Lab(root, info);
}

class Lab {
  /** @type {string | null} */
  #id = null;
  #timer = 0;
  /** @type {LabReport | null} */
  #report = null;
  /** @type {Measure} */
  #measure = "score";
  #size = { width: 820, height: 460 }; // of the figure, in pixels

  /** @param {HTMLElement} root @param {Info} info */
  constructor(root, info) {
    this.info = info;
    this.title = el("h2", {}, say.lab.noSweep);
    this.progress = el("progress", { max: 1, value: 0, "aria-label": say.lab.progress });
    this.progressText = el("span.small.soft", {}, "");
    this.stopButton = button(say.lab.stop, "stop", { hidden: true, onclick: () => this.#stop(), id: "lab-stop" });
    this.measures = entriesOf(say.lab.measures).map(([name, label]) =>
      el(
        "button",
        {
          type: "button",
          "data-measure": name,
          "aria-pressed": String(name === this.#measure),
          onclick: () => this.#setMeasure(name),
        },
        label,
      ),
    );
    this.running = el(
      "div.running",
      {},
      el("div", {}, this.progress, this.progressText),
      el("div.segments", { role: "group", "aria-label": say.lab.measure }, ...this.measures),
    );
    this.figure = el("div.figure", {});
    this.legend = el("div.legend", {});
    this.table = el("div.table", { hidden: true, tabindex: "0", role: "region", "aria-label": say.lab.values });
    this.agents = this.info.agents.map(({ name, summary }, at) => {
      const id = `lab-agent-${at}`;
      const box = el("input", {
        type: "checkbox",
        value: name,
        checked: DEFAULT_AGENTS.includes(name),
        "aria-describedby": id,
      });
      return el("div", {}, el("label.tick", {}, box, el("span", {}, name)), el("p.small.soft", { id }, summary));
    });
    /** @param {string} value @param {Attributes} attributes */
    const number = (value, attributes) => {
      const made = el("input", { type: "number", required: true, ...attributes });
      made.value = value;
      return made;
    };
    this.rows = number("8", { min: "1", max: "50" });
    this.cols = number("8", { min: "1", max: "50" });
    this.games = number("50", { min: "1", max: "10000" });
    this.from = number("0.05", { min: "0", max: "1", step: "any" });
    this.to = number("0.35", { min: "0", max: "1", step: "any" });
    this.steps = number("7", { min: "1", max: "20" });
    this.words = el(
      "select",
      {},
      ...Object.entries(say.lab.rulesChoices).map(([value, label]) => el("option", { value }, label)),
    );
    const check = () => this.shape.check(this.rows.valueAsNumber, this.cols.valueAsNumber);
    this.shape = new ShapeField(this.info);
    check();
    /** @param {string} label @param {Node} input */
    const field = (label, input) => el("label.field", {}, el("span", {}, label), input);
    this.runButton = el("button.primary", { type: "submit", id: "lab-run" }, say.lab.run);
    const form = el(
      "form.card",
      { "aria-label": say.lab.newSweep, oninput: check, onsubmit: (event) => this.#start(event) },
      el("h2", {}, say.lab.newSweep),
      el("fieldset", {}, el("legend.label", {}, say.lab.agents), el("div.agents", {}, ...this.agents)),
      el(
        "div.fields",
        {},
        field(say.common.rows, this.rows),
        field(say.common.columns, this.cols),
        field(say.lab.gamesEach, this.games),
      ),
      el(
        "div.fields",
        {},
        field(say.lab.from, this.from),
        field(say.lab.to, this.to),
        field(say.lab.points, this.steps),
      ),
      field(say.lab.rules, this.words),
      field(say.common.topology, this.shape.select),
      this.shape.own,
      this.runButton,
    );
    this.past = el("ul.list");
    const side = el(
      "div.side",
      {},
      form,
      el("section.card", { "aria-label": say.lab.past }, el("h2", {}, say.lab.past), this.past),
    );
    root.append(
      el(
        "div.desk",
        {},
        el(
          "section.card.sheet",
          { "aria-label": say.lab.figure },
          el("header", {}, this.title, this.stopButton),
          this.running,
          this.figure,
          this.legend,
        ),
        el("details.card", {}, el("summary", {}, say.lab.values), el("div.inside", {}, this.table)),
      ),
      side,
    );
    this.#draw();
    onSchemeChange(() => this.#draw());
    onResize(this.figure, (size) => {
      this.#size = size;
      this.#draw();
    });
  }

  /** @param {URLSearchParams} query */
  async enter(query) {
    const id = query.get("run");
    await this.#listPast();
    if (id !== null && id !== String(this.#id)) this.#watch(id);
    else if (this.#id !== null) this.#watch(this.#id);
  }

  leave() {
    clearTimeout(this.#timer);
  }

  async #listPast() {
    try {
      const plans = await api.labs();
      this.past.replaceChildren(
        ...plans
          .slice(0, 12)
          .map((plan) =>
            el(
              "li",
              {},
              el(
                "button",
                { type: "button", onclick: () => this.#watch(plan.id) },
                el(
                  "span",
                  {},
                  plan.agents.length > 2
                    ? say.lab.pastMany(plan.size, plan.agents.length)
                    : say.lab.pastAgents(plan.size, plan.agents.join(", ")),
                ),
                el(
                  "span.soft.small",
                  {},
                  plan.finished
                    ? say.lab.pastGames(plan.games)
                    : say.lab.pastShare(say.common.percent(Math.floor((100 * plan.done) / Math.max(1, plan.total)))),
                ),
              ),
            ),
          ),
      );
      if (!plans.length) this.past.replaceChildren(el("li.soft.small", {}, say.lab.noPast));
    } catch (error) {
      this.past.replaceChildren(el("li.soft.small", {}, messageOf(error)));
    }
  }

  /** The rules besides the size; square boards go without saying, so a sweep of long ago is found again. */
  get #rules() {
    const { shape } = this.shape;
    return shape === "square" ? this.words.value : `${this.words.value} ${shape}`;
  }

  /** @param {SubmitEvent} event */
  async #start(event) {
    event.preventDefault();
    const agents = this.agents
      .flatMap((label) => label.querySelector("input") ?? [])
      .filter((box) => box.checked)
      .map((box) => box.value);
    if (agents.length === 0 || agents.length > 6) {
      toast(say.lab.chooseAgents, true);
      return;
    }
    const n = this.steps.valueAsNumber;
    const [low, high] = [this.from.valueAsNumber, this.to.valueAsNumber].sort((one, two) => one - two);
    const densities = Array.from({ length: n }, (_, k) =>
      Number((n === 1 ? low : low + ((high - low) * k) / (n - 1)).toFixed(4)),
    );
    this.runButton.disabled = true;
    try {
      const { id } = await api.startLab({
        agents,
        size: `${this.rows.value}x${this.cols.value}`,
        densities: [...new Set(densities)],
        games: this.games.valueAsNumber,
        words: this.#rules,
      });
      announce(say.lab.saidStarted);
      this.#watch(id);
    } catch (error) {
      toast(messageOf(error), true);
    } finally {
      this.runButton.disabled = false;
    }
  }

  /** @param {string} id */
  #watch(id) {
    this.#id = id;
    clearTimeout(this.#timer);
    showAddress("lab", { run: id });
    this.#poll(id);
  }

  /** @param {string} id */
  async #poll(id) {
    let report;
    try {
      report = await api.lab(id);
    } catch (error) {
      if (this.#id !== id) return;
      // Too often or not there for a moment: ask again later; anything else will not get better.
      if ([0, 429, 503].includes(statusOf(error))) this.#timer = setTimeout(() => this.#poll(id), 4 * POLL);
      else toast(messageOf(error), true);
      return;
    }
    if (this.#id !== id) return;
    const wasRunning = this.#report?.id === id && this.#report.running;
    this.#report = { ...report, id };
    this.#draw();
    if (report.running) this.#timer = setTimeout(() => this.#poll(id), POLL);
    else if (wasRunning) {
      announce(report.finished ? say.lab.saidFinished : say.lab.saidStopped);
      this.#listPast();
    }
  }

  async #stop() {
    if (this.#id === null) return;
    try {
      await api.stopLab(this.#id);
      toast(say.lab.stopped);
    } catch (error) {
      toast(messageOf(error), true);
    }
  }

  /** @param {Measure} name */
  #setMeasure(name) {
    this.#measure = name;
    for (const made of this.measures) made.setAttribute("aria-pressed", String(made.dataset.measure === name));
    this.#draw();
  }

  #draw() {
    const report = this.#report;
    const rows = report?.rows?.filter(({ n_games: n }) => n > 0) ?? [];
    if (report === null) {
      this.running.hidden = true;
      this.figure.replaceChildren(el("div.empty", {}, say.lab.empty));
      return;
    }
    this.running.hidden = false;
    this.title.textContent = say.lab.title(report.size, report.agents.join(", "));
    this.progress.max = Math.max(1, report.total);
    this.progress.value = report.done;
    this.progressText.textContent = report.error ?? stateOf(report)(report.done, report.total);
    this.stopButton.hidden = !report.running || report.finished;
    this.legend.replaceChildren(...chartLegend(rows).map(([agent, key]) => el("span", {}, key, agent)));
    if (rows.length) {
      this.figure.replaceChildren(
        drawChart(rows, this.#measure, say.lab.measures[this.#measure], this.#size.width, this.#size.height),
      );
    } else this.figure.replaceChildren(el("div.empty", {}, say.lab.firstGames));
    this.#fillTable(rows);
  }

  /** @param {LabRow[]} rows */
  #fillTable(rows) {
    this.table.hidden = rows.length === 0;
    this.table.replaceChildren(
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ...[...say.lab.columns, ...Object.values(say.lab.measures)].map((name) => el("th", { scope: "col" }, name)),
          ),
        ),
        el(
          "tbody",
          {},
          ...rows.map((row) =>
            el(
              "tr",
              {},
              el("td", {}, row.agent),
              el("td", {}, row.density.toFixed(3)),
              el("td", {}, String(row.n_games)),
              el("td", {}, ...figure(row.score, 100)),
              el("td", {}, ...figure(row.won, 100)),
              el("td", {}, ...figure(row.detonations, 1)),
            ),
          ),
        ),
      ),
    );
  }
}

/** @param {LabReport} report */
const stateOf = ({ finished, running }) => (finished ? say.lab.finished : running ? say.lab.running : say.lab.halted);

/**
 * A value with its 95 % interval below it; `scale`: 100 for shares, which are written in percent.
 * @param {LabRow[Measure]} interval
 * @param {number} scale
 */
function figure(interval, scale) {
  const [value, low, high] = interval ?? [null];
  if (value === null) return [say.common.none];
  const isShare = scale === 100;
  // Adding 0 turns a -0 into a 0.
  /** @param {number} number @param {number} places */
  const write = (number, places) => (Number((scale * number).toFixed(places)) + 0).toFixed(places);
  const bounds = isShare
    ? `${write(low, 0)}–${write(high, 0)}`
    : `${write(Math.max(0, low ?? value), 1)}–${write(high ?? value, 1)}`;
  return [isShare ? say.common.percent(write(value, 1)) : write(value, 2), el("span.bounds", {}, bounds)];
}
