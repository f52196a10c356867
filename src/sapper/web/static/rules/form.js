// A form that makes rules: presets, size, mines and everything that is not as usual.

import { el } from "../common/dom.js";
import { PLAIN, SHAPE_NAMES, formatRules, parseRules, withFirst } from "./text.js";

const QUICK = ["beginner", "intermediate", "expert"];
const VARIANTS = { total: "total known", uncertain: "uncertain", play: "small board" };
const FIRST_NAMES = { any: "May be a mine", safe: "Is never a mine", opening: "Opens an area" };
// As the server writes them, so that the rules of a game find their option.
const CHANNELS = {
  exact: "Exact", "withheld:0.3": "Withheld, 30 %", "withheld:0.3:redraws": "Withheld, 30 %; click again to ask again",
  "optimistic:1.0": "Optimistic (0 … truth)", "cautious:1.0": "Cautious (truth … all)",
};

/** A preset for people: "report-000-total" is "Student report 000, total known". */
function title(name) {
  const [, number, variant] = /^report-(\d+)(?:-(.+))?$/.exec(name) ?? [];
  if (number === undefined) return name.charAt(0).toUpperCase() + name.slice(1);
  return `Student report ${number}${variant ? `, ${VARIANTS[variant] ?? variant}` : ""}`;
}

const option = (value, label) => el("option", { value }, label);

export class RulesForm {
  /**
   * @param changed called with the text of the rules when a preset is chosen or the form is sent
   * @param beside what stands below the presets, extra what stands below the fields
   * @param first what the first click of the three presets is, now; without it, what the presets say
   */
  constructor(info, { action, changed, beside = [], extra = [], first = null }) {
    this.info = info;
    this.changed = changed;
    this.firstOfPresets = first;
    const number = (name, least, most) => el("input", {
      type: "number", inputmode: "numeric", min: String(least), max: String(most), required: true, name,
    });
    const field = (label, input) => el("label.field", {}, el("span", {}, label), input);
    const tick = (label, input) => el("label.tick", {}, input, el("span", {}, label));
    const box = () => el("input", { type: "checkbox" });
    this.rows = number("rows", 1, info.limits.rows);
    this.cols = number("cols", 1, info.limits.cols);
    this.mines = number("mines", 0, info.limits.rows * info.limits.cols);
    this.shape = el("select", {}, ...info.topologies.map((shape) => option(shape, SHAPE_NAMES[shape] ?? shape)));
    this.first = el("select", {}, ...info.first_clicks.map((first) => option(first, FIRST_NAMES[first] ?? first)));
    this.channel = el("select", {}, ...Object.entries(CHANNELS).map(([value, label]) => option(value, label)));
    this.survey = box();
    this.totalHidden = box();
    this.noCascade = box();
    this.quick = QUICK.filter((name) => name in info.presets).map((name) =>
      el("button", { type: "button", "aria-pressed": "false", "data-preset": name, onclick: () => this.#choose(this.#presetText(name)) }, title(name)));
    const others = Object.keys(info.presets).filter((name) => !QUICK.includes(name));
    this.preset = el("select", { onchange: () => this.preset.value && this.set(info.presets[this.preset.value]) },
      option("", "Own settings"), ...others.map((name) => option(name, title(name))));
    this.details = el("details", {}, el("summary", {}, "Custom board"),
      el("div.inside", {},
        field("Boards of the reports", this.preset),
        el("div.fields", {}, field("Rows", this.rows), field("Columns", this.cols), field("Mines", this.mines)),
        el("div.fields.wide", {}, field("Topology", this.shape), field("First click", this.first)),
        field("Clues", this.channel),
        el("div", {},
          tick("Survey: mines explode, play goes on", this.survey),
          tick("Total number of mines hidden", this.totalHidden),
          tick("Zeros do not cascade", this.noCascade)),
        ...extra,
        el("button.primary", { type: "submit" }, action)));
    this.element = el("form", { onsubmit: (event) => this.#submit(event), oninput: () => this.#edited() },
      el("div.segments", { role: "group", "aria-label": "Presets" }, ...this.quick), ...beside, this.details);
    this.set(formatRules(PLAIN));
  }

  get text() {
    return formatRules({
      rows: this.rows.valueAsNumber, cols: this.cols.valueAsNumber, mines: this.mines.valueAsNumber,
      shape: this.shape.value, first: this.first.value, survey: this.survey.checked,
      totalHidden: this.totalHidden.checked, cascade: !this.noCascade.checked, channel: this.channel.value,
    });
  }

  /** Show rules in the fields, without telling anybody. */
  set(text) {
    const rules = parseRules(text);
    if (rules === null) return;
    this.rows.value = rules.rows;
    this.cols.value = rules.cols;
    this.mines.value = rules.mines;
    this.shape.value = rules.shape;
    this.first.value = rules.first;
    if (![...this.channel.options].some((one) => one.value === rules.channel)) this.channel.append(option(rules.channel, rules.channel));
    this.channel.value = rules.channel;
    this.survey.checked = rules.survey;
    this.totalHidden.checked = rules.totalHidden;
    this.noCascade.checked = !rules.cascade;
    this.#edited();
  }

  /** Rules as they are dealt anew: a preset with the first click that is wanted now, even if it names another one. */
  renewed(text, isNaming = false) {
    const name = QUICK.find((one) => (isNaming ? this.#isPreset(one, text) : this.info.presets[one] === text));
    return name === undefined ? text : this.#presetText(name);
  }

  #presetText(name) {
    const text = this.info.presets[name];
    return this.firstOfPresets === null ? text : withFirst(text, this.firstOfPresets());
  }

  #isPreset(name, text) {
    const preset = this.info.presets[name];
    if (this.firstOfPresets === null || preset === undefined) return preset === text;
    return withFirst(preset, "safe") === withFirst(text, "safe");
  }

  #choose(text) {
    this.set(text);
    this.changed(this.text);
  }

  #edited() {
    const most = this.rows.valueAsNumber * this.cols.valueAsNumber;
    if (Number.isFinite(most)) this.mines.max = String(most);
    for (const button of this.quick) {
      button.setAttribute("aria-pressed", String(this.#isPreset(button.dataset.preset, this.text)));
    }
    const named = Object.entries(this.info.presets).find(([name, text]) => text === this.text && !QUICK.includes(name));
    this.preset.value = named?.[0] ?? "";
  }

  #submit(event) {
    event.preventDefault();
    this.changed(this.text);
  }
}
