// The dialog of all settings: what each does in a few words, and at once.

import { el, icon } from "../common/dom.js";
import { changeSetting, isOn, setting } from "../common/settings.js";
import { THEMES, setTheme, theme } from "../common/theme.js";

const SIZES = { fit: "As large as fits", 18: "Small", 26: "Medium", 36: "Large", 48: "Very large" };
const CHORDS = { both: "Both buttons, middle or double click", click: "A click on the number", off: "Off" };
const FLAGS = { press: "When the button goes down", release: "When the button comes up" };
const FIRSTS = { opening: "Opens an area", safe: "Is never a mine", any: "May be a mine" };

let nMade = 0;

/** A control with its name and a sentence about it. */
function described(label, control, words) {
  nMade += 1;
  const isTick = control.type === "checkbox";
  const about = el("small.soft", { id: `setting-${nMade}` }, words);
  control.id = `setting-${nMade}-control`;
  control.setAttribute("aria-describedby", about.id);
  const name = el("label", { for: control.id }, label);
  return el(isTick ? "div.setting.ticked" : "div.setting", {}, ...(isTick ? [control, name] : [name, control]), about);
}

export function choice(label, choices, value, use, words) {
  const select = el("select", { onchange: () => use(select.value) },
    ...Object.entries(choices).map(([name, said]) => el("option", { value: name }, said)));
  select.value = value;
  return described(label, select, words);
}

export function tick(label, isTicked, use, words) {
  const box = el("input", { type: "checkbox", checked: isTicked, onchange: () => use(box.checked) });
  return described(label, box, words);
}

const keptChoice = (name, label, choices, words) => choice(label, choices, setting(name), (value) => changeSetting(name, value), words);
const keptTick = (name, label, words) => tick(label, isOn(name), (value) => changeSetting(name, value ? "on" : "off"), words);

const part = (title, ...rows) => el("section", {}, el("h3", {}, title), ...rows);

export function fillSettings(dialog) {
  dialog.replaceChildren(
    el("header.row.spread", {}, el("h2", { id: "settings-title" }, "Settings"),
      el("button.ghost", { type: "button", autofocus: true, "aria-label": "Close", onclick: () => dialog.close() }, icon("cross"))),
    el("div.columns", {},
      part("Look and sound",
        choice("Colours", THEMES, theme(), setTheme, "Light or dark, for the whole page."),
        keptChoice("size", "Cells", SIZES, "How large the cells are in Play."),
        keptTick("rulers", "Rows and columns", "Numbers along the edges of every board, counted from 0. The key G does the same."),
        keptTick("tenths", "Tenths of a second on the clock", "The result always shows hundredths."),
        keptTick("animation", "Animation after a win", "Never shown if your system asks for less motion."),
        keptTick("sound", "Sound", "A short sound for each move and for the end of a game.")),
      part("Mouse and touch",
        keptChoice("flag", "Flag with the right button", FLAGS, "A long press flags on a touch screen."),
        keptChoice("chord", "Chord with the mouse", CHORDS, "A chord opens what is left around a number whose mines are flagged."),
        keptTick("questions", "Question marks", "Flagging again turns a flag into a question mark, and once more clears it.")),
      part("Games and keys",
        keptChoice("first", "First click", FIRSTS, "For the presets. Links and custom boards say it themselves."),
        keptTick("ask", "Ask before leaving a game", "Once you have made a few moves."),
        keptTick("keys", "Single keys everywhere", "If this is off, letters work only on the board, or anywhere with Alt."))),
    el("p.soft.small", {}, "Everything is kept in this browser."));
}
