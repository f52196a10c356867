// The dialog of all settings: what each does in a few words, and at once.

import { el, icon } from "../common/dom.js";
import { TOUCH } from "../common/help.js";
import { changeSetting, isOn, setting } from "../common/settings.js";
import { setTheme, theme } from "../common/theme.js";
import { say } from "../words/index.js";

let nMade = 0;

/**
 * A control with its name and a sentence about it.
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement} control
 * @param {string} words
 */
function described(label, control, words) {
  nMade += 1;
  const isTick = control.type === "checkbox";
  const about = el("small.soft", { id: `setting-${nMade}` }, words);
  control.id = `setting-${nMade}-control`;
  control.setAttribute("aria-describedby", about.id);
  const name = el("label", { for: control.id }, label);
  return el(isTick ? "div.setting.ticked" : "div.setting", {}, ...(isTick ? [control, name] : [name, control]), about);
}

/**
 * @param {string} label
 * @param {Record<string, string>} choices
 * @param {string} value
 * @param {(value: string) => void} use
 * @param {string} words
 */
export function choice(label, choices, value, use, words) {
  const select = el(
    "select",
    {},
    ...Object.entries(choices).map(([name, said]) => el("option", { value: name }, said)),
  );
  select.value = value;
  select.addEventListener("change", () => use(select.value));
  return described(label, select, words);
}

/** @param {string} label @param {boolean} isTicked @param {(isTicked: boolean) => void} use @param {string} words */
export function tick(label, isTicked, use, words) {
  const box = el("input", { type: "checkbox", checked: isTicked });
  box.addEventListener("change", () => use(box.checked));
  return described(label, box, words);
}

/**
 * @param {SettingName} name
 * @param {string} label
 * @param {Record<string, string>} choices
 * @param {string} words
 */
const keptChoice = (name, label, choices, words) =>
  choice(label, choices, setting(name), (value) => changeSetting(name, value), words);
/** @param {SettingName} name @param {string} label @param {string} words */
const keptTick = (name, label, words) =>
  tick(label, isOn(name), (value) => changeSetting(name, value ? "on" : "off"), words);

/** @param {string} title @param {Node[]} rows */
const part = (title, ...rows) => el("section", {}, el("h3", {}, title), ...rows);

/** @param {HTMLDialogElement} dialog */
export function fillSettings(dialog) {
  dialog.replaceChildren(
    el(
      "header.row.spread",
      {},
      el("h2", { id: "settings-title" }, say.page.settings),
      el(
        "button.ghost",
        { type: "button", autofocus: true, "aria-label": say.common.close, onclick: () => dialog.close() },
        icon("cross"),
      ),
    ),
    el(
      "div.columns",
      {},
      part(
        say.settings.look,
        choice(say.settings.colours, say.settings.themes, theme(), setTheme, say.settings.aboutColours),
        keptChoice("size", say.settings.size, say.settings.sizes, say.settings.aboutSize),
        keptTick("rulers", say.settings.rulers, say.settings.aboutRulers),
        keptTick("tenths", say.settings.tenths, say.settings.aboutTenths),
        keptTick("animation", say.settings.animation, say.settings.aboutAnimation),
        keptTick("sound", say.settings.sound, say.settings.aboutSound),
      ),
      part(
        say.settings.input,
        keptChoice("flag", say.settings.flag, say.settings.flagChoices, say.settings.aboutFlag),
        keptChoice("chord", say.settings.chord, say.settings.chordChoices, say.settings.aboutChord),
        keptTick("questions", say.settings.questions, say.settings.aboutQuestions),
      ),
      part(
        say.settings.games,
        keptChoice("first", say.settings.first, say.settings.firstChoices, say.settings.aboutFirst),
        keptTick("ask", say.settings.ask, say.settings.aboutAsk),
        ...(TOUCH.matches ? [] : [keptTick("keys", say.settings.keys, say.settings.aboutKeys)]),
      ),
    ),
    el("p.soft.small", {}, say.settings.kept),
  );
}
