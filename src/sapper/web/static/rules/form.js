// A form that makes rules: presets, size, mines and everything that is not as usual.

import { channelSelect, chooseChannel } from "./channels.js";
import { el } from "../common/dom.js";
import { isTable } from "../board/cells/table.js";
import { ShapeField } from "./own.js";
import { PLAIN, formatRules, parseRules, withDealing, withFirst } from "./text.js";
import { lookUp, say } from "../words/index.js";

const QUICK = ["beginner", "intermediate", "expert"];

/** A preset for people; one that the page does not know has its own name. @param {string} name */
const title = (name) => lookUp(say.common.levels, name) ?? lookUp(say.rules.reportBoards, name) ?? name;

/** @param {string} value @param {string} label */
const option = (value, label) => el("option", { value }, label);

export class RulesForm {
  /**
   * @param {Info} info
   * @param {object} options
   * @param {string} options.action what the button is called that sends the form
   * @param {(rules: string) => void} options.changed called when a preset is chosen or the form is sent
   * @param {Node[]} [options.beside] what appears below the presets
   * @param {Node[]} [options.extra] what appears below the fields
   * @param {((dealing: string) => void) | null} [options.dealt] called when another way of dealing is chosen, which
   *   then appears below the presets
   * @param {(() => string) | null} [options.first] what the first click of the three presets is, now; without it, what
   *   the presets say
   */
  constructor(info, { action, changed, beside = [], extra = [], dealt = null, first = null }) {
    this.info = info;
    this.changed = changed;
    this.firstOfPresets = first;
    /** @param {string} name @param {number} least @param {number} most */
    const number = (name, least, most) =>
      el("input", {
        type: "number",
        inputmode: "numeric",
        min: String(least),
        max: String(most),
        required: true,
        name,
      });
    /** @param {string} label @param {Node} input */
    const field = (label, input) => el("label.field", {}, el("span", {}, label), input);
    /** @param {string} label @param {Node} input */
    const tick = (label, input) => el("label.tick", {}, input, el("span", {}, label));
    const box = () => el("input", { type: "checkbox" });
    this.rows = number("rows", 1, info.limits.rows);
    this.cols = number("cols", 1, info.limits.cols);
    this.mines = number("mines", 0, info.limits.rows * info.limits.cols);
    this.shape = new ShapeField(info);
    this.first = el(
      "select",
      {},
      ...info.first_clicks.map((one) => option(one, lookUp(say.rules.firstClicks, one) ?? one)),
    );
    this.channel = channelSelect();
    this.dealing = el(
      "select",
      {
        name: "dealing",
        onchange: () => {
          dealt?.(this.dealing.value);
        },
      },
      ...info.dealings.map((dealing) => option(dealing, lookUp(say.rules.dealings, dealing) ?? dealing)),
    );
    this.dealingAbout = el("p.soft.small", { id: dealt === null ? null : "dealing-about" });
    const dealing = el("div", {}, field(say.rules.dealing, this.dealing), this.dealingAbout);
    this.survey = box();
    this.totalHidden = box();
    this.noCascade = box();
    this.quick = QUICK.filter((name) => name in info.presets).map((name) =>
      el(
        "button",
        {
          type: "button",
          "aria-pressed": "false",
          "data-preset": name,
          onclick: () => this.#choose(this.#presetText(name)),
        },
        title(name),
      ),
    );
    const others = Object.keys(info.presets).filter((name) => !QUICK.includes(name));
    this.preset = el(
      "select",
      {
        onchange: () => {
          this.preset.value && this.set(info.presets[this.preset.value]);
        },
      },
      option("", say.rules.noReport),
      ...others.map((name) => option(name, title(name))),
    );
    this.details = el(
      "details",
      {},
      el("summary", {}, say.rules.custom),
      el(
        "div.inside",
        {},
        field(say.rules.reports, this.preset),
        el(
          "div.fields",
          {},
          field(say.common.rows, this.rows),
          field(say.common.columns, this.cols),
          field(say.common.mines, this.mines),
        ),
        el(
          "div.fields.wide",
          {},
          field(say.common.topology, this.shape.select),
          field(say.rules.firstClick, this.first),
        ),
        this.shape.own,
        field(say.rules.clues, this.channel),
        ...(dealt === null ? [dealing] : []),
        el(
          "div",
          {},
          tick(say.rules.survey, this.survey),
          tick(say.rules.totalHidden, this.totalHidden),
          tick(say.rules.noCascade, this.noCascade),
        ),
        ...extra,
        el("button.primary", { type: "submit" }, action),
      ),
    );
    this.element = el(
      "form",
      { onsubmit: (event) => this.#submit(event), oninput: () => this.#typed() },
      el("div.segments", { role: "group", "aria-label": say.rules.presets }, ...this.quick),
      ...beside,
      ...(dealt === null ? [] : [dealing]),
      this.details,
    );
    this.set(formatRules(PLAIN));
  }

  get text() {
    return formatRules({
      rows: this.rows.valueAsNumber,
      cols: this.cols.valueAsNumber,
      mines: this.mines.valueAsNumber,
      shape: this.shape.shape,
      first: this.first.value,
      survey: this.survey.checked,
      totalHidden: this.totalHidden.checked,
      cascade: !this.noCascade.checked,
      channel: this.channel.value,
      dealing: this.dealing.value,
    });
  }

  /** Show rules in the fields, without an event. @param {string} text */
  set(text) {
    const rules = parseRules(text);
    if (rules === null) return;
    this.rows.value = String(rules.rows);
    this.cols.value = String(rules.cols);
    this.mines.value = String(rules.mines);
    this.shape.shape = rules.shape;
    this.first.value = rules.first;
    chooseChannel(this.channel, rules.channel);
    this.dealing.value = rules.dealing;
    this.survey.checked = rules.survey;
    this.totalHidden.checked = rules.totalHidden;
    this.noCascade.checked = !rules.cascade;
    this.#edited();
  }

  /**
   * Rules as they are dealt anew: a preset with the first click that is wanted now, even if it names another one.
   * @param {string} text
   * @param {boolean} isNaming
   */
  renewed(text, isNaming = false) {
    const name = QUICK.find((one) =>
      isNaming ? this.#isPreset(one, text) : this.info.presets[one] === withDealing(text, "laid"),
    );
    return name === undefined ? text : this.#presetText(name, parseRules(text)?.dealing);
  }

  /** @param {string} name @param {string} [dealing] */
  #presetText(name, dealing = this.dealing.value) {
    const text = withDealing(this.info.presets[name], dealing);
    return this.firstOfPresets === null ? text : withFirst(text, this.firstOfPresets());
  }

  /** @param {string} name @param {string} text */
  #isPreset(name, text) {
    const preset = this.info.presets[name];
    const laid = withDealing(text, "laid");
    if (this.firstOfPresets === null || preset === undefined) return preset === laid;
    return withFirst(preset, "safe") === withFirst(laid, "safe");
  }

  /** @param {string} text */
  #choose(text) {
    this.set(text);
    this.changed(this.text);
  }

  #typed() {
    // Whoever pastes the rules of a board of their own where its table belongs means all of them.
    const pasted = parseRules(this.shape.text.value);
    if (pasted !== null && isTable(pasted.shape)) this.set(this.shape.text.value);
    else this.#edited();
  }

  #edited() {
    const most = this.rows.valueAsNumber * this.cols.valueAsNumber;
    if (Number.isFinite(most)) this.mines.max = String(most);
    this.shape.check(this.rows.valueAsNumber, this.cols.valueAsNumber);
    for (const button of this.quick) {
      button.setAttribute("aria-pressed", String(this.#isPreset(button.dataset.preset ?? "", this.text)));
    }
    this.dealingAbout.textContent = lookUp(say.rules.dealingsAbout, this.dealing.value) ?? "";
    const named = Object.entries(this.info.presets).find(([name, text]) => text === this.text && !QUICK.includes(name));
    this.preset.value = named?.[0] ?? "";
  }

  /** @param {SubmitEvent} event */
  #submit(event) {
    event.preventDefault();
    this.changed(this.text);
  }
}
