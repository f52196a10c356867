// A form that makes rules: presets, size, mines and everything that is not as usual.

import { channelSelect, chooseChannel } from "./channels.js";
import { el, targetOf } from "../common/dom.js";
import { isTable } from "../board/cells/table.js";
import { ShapeField } from "./own.js";
import { PLAIN, formatRules, parseRules, withDealing, withFirst } from "./text.js";
import { lookUp, say } from "../words/index.js";

const QUICK = ["beginner", "intermediate", "expert"];
/** The type of a board that is dealt so that it needs no guess; the other types are ways of dealing. */
export const NO_GUESS = "no-guess";
const USUAL_TYPES = ["laid", NO_GUESS, "fair"]; // the others are for those who look for them

/** A preset for people; one that the page does not know has its own name. @param {string} name */
const title = (name) => lookUp(say.common.levels, name) ?? lookUp(say.rules.reportBoards, name) ?? name;

/** @param {string} value @param {string} label */
const option = (value, label) => el("option", { value }, label);

/** Unfold what hides an element. @param {Element | null} element */
function openAround(element) {
  for (let at = element?.closest("details"); at; at = at.parentElement?.closest("details")) at.open = true;
}

export class RulesForm {
  /**
   * @param {Info} info
   * @param {object} options
   * @param {string} options.action what the button is called that sends the form
   * @param {(rules: string) => void} options.changed called when a preset is chosen or the form is sent
   * @param {Node[]} [options.beside] what appears below the presets and types
   * @param {Node[]} [options.extra] what appears below the fields
   * @param {((type: string) => void) | null} [options.typed] called when another type of board is chosen; the usual
   *   types, and boards that need no guess, are offered only then
   * @param {(() => string) | null} [options.first] what the first click of the three presets is, now; without it, what
   *   the presets say
   */
  constructor(info, { action, changed, beside = [], extra = [], typed = null, first = null }) {
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
    const types = [...info.dealings];
    if (typed !== null && info.no_guess) types.splice(1, 0, NO_GUESS);
    /** @param {string} type */
    const nameOf = (type) => lookUp(say.rules.types, type) ?? type;
    this.types = el(
      "select",
      {
        name: "type",
        onchange: () => {
          typed?.(this.type);
        },
      },
      ...types.map((type) => option(type, nameOf(type))),
    );
    this.usualTypes = (typed === null ? [] : USUAL_TYPES.filter((type) => types.includes(type))).map((type) =>
      el(
        "button",
        {
          type: "button",
          "aria-pressed": "false",
          "data-type": type,
          onclick: () => {
            if (this.type === type) return;
            this.type = type;
            typed?.(type);
          },
        },
        nameOf(type),
      ),
    );
    this.typeAbout = el("p.soft.small", { id: typed === null ? null : "type-about" });
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
        el(
          "div.fields",
          {},
          field(say.common.rows, this.rows),
          field(say.common.columns, this.cols),
          field(say.common.mines, this.mines),
        ),
        el("div.fields.wide", {}, field(say.rules.type, this.types), field(say.rules.firstClick, this.first)),
        ...(typed === null ? [this.typeAbout] : []),
        tick(say.rules.survey, this.survey),
        el(
          "details",
          { class: "advanced" },
          el("summary", {}, say.rules.advanced),
          el(
            "div.inside",
            {},
            field(say.rules.reports, this.preset),
            field(say.common.topology, this.shape.select),
            this.shape.own,
            field(say.rules.clues, this.channel),
            el("div", {}, tick(say.rules.totalHidden, this.totalHidden), tick(say.rules.noCascade, this.noCascade)),
            ...extra,
          ),
        ),
        el("button.primary", { type: "submit" }, action),
      ),
    );
    this.element = el(
      "form",
      { onsubmit: (event) => this.#submit(event), oninput: () => this.#typed() },
      el("div.segments", { role: "group", "aria-label": say.rules.presets }, ...this.quick),
      ...(typed === null
        ? []
        : [el("div.segments", { role: "group", "aria-label": say.rules.type }, ...this.usualTypes), this.typeAbout]),
      ...beside,
      this.details,
    );
    // A field that is not filled in rightly has to be seen.
    this.element.addEventListener("invalid", (event) => openAround(targetOf(event)), true);
    this.set(formatRules(PLAIN));
  }

  /** How the next board is dealt: a way of dealing, or so that it needs no guess. */
  get type() {
    return this.types.value;
  }

  set type(type) {
    this.types.value = type;
    this.#edited();
  }

  get isNoGuess() {
    return this.type === NO_GUESS;
  }

  /** The way of dealing alone. */
  get dealing() {
    return this.isNoGuess ? "laid" : this.type;
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
      dealing: this.dealing,
    });
  }

  /**
   * Show rules in the fields, without an event.
   * @param {string} text
   * @param {boolean} isNoGuess
   */
  set(text, isNoGuess = this.isNoGuess) {
    const rules = parseRules(text);
    if (rules === null) return;
    this.rows.value = String(rules.rows);
    this.cols.value = String(rules.cols);
    this.mines.value = String(rules.mines);
    this.shape.shape = rules.shape;
    this.first.value = rules.first;
    chooseChannel(this.channel, rules.channel);
    this.types.value = isNoGuess && rules.dealing === "laid" ? NO_GUESS : rules.dealing;
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
  #presetText(name, dealing = this.dealing) {
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
    for (const button of this.usualTypes) {
      button.setAttribute("aria-pressed", String(button.dataset.type === this.type));
    }
    this.typeAbout.textContent = lookUp(say.rules.typesAbout, this.type) ?? "";
    const named = Object.entries(this.info.presets).find(([name, text]) => text === this.text && !QUICK.includes(name));
    this.preset.value = named?.[0] ?? "";
  }

  /** @param {SubmitEvent} event */
  #submit(event) {
    event.preventDefault();
    this.changed(this.text);
  }
}
