// How somebody likes to play: kept in this browser.

import { el, memory } from "../common/dom.js";
import { THEMES, setTheme, theme } from "../common/theme.js";

const CHORDS = { both: "Both buttons, middle or double click", click: "A click on the number", off: "Off" };
const SIZES = { fit: "As large as fits", 18: "Small", 26: "Medium", 36: "Large", 48: "Very large" };

const read = (name, choices, fallback) => (memory.get(name) in choices ? memory.get(name) : fallback);

export class Settings {
  /** @param changed called with the name of what was changed: size, tenths */
  constructor(changed) {
    const choose = (label, choices, value, use) => {
      const select = el("select", { onchange: () => use(select.value) },
        ...Object.entries(choices).map(([name, words]) => el("option", { value: name }, words)));
      select.value = value;
      return el("label.field", {}, el("span", {}, label), select);
    };
    const tick = (label, isOn, use) => {
      const box = el("input", { type: "checkbox", checked: isOn, onchange: () => use(box.checked) });
      return el("label.tick", {}, box, el("span", {}, label));
    };
    const keep = (name) => (value) => {
      memory.set(name, value === true ? "on" : value === false ? "off" : value);
      changed(name);
    };
    this.element = el("section.card", { "aria-label": "Settings" },
      el("details", {}, el("summary", {}, "Settings"),
        el("div.inside", {},
          el("div.fields.wide", {},
            choose("Colours", THEMES, theme(), setTheme),
            choose("Cells", SIZES, read("size", SIZES, "fit"), keep("size"))),
          choose("Chord with the mouse", CHORDS, this.chord, keep("chord")),
          el("div", {},
            tick("Tenths of a second on the clock", this.showsTenths, keep("tenths")),
            tick("Animation after a win", this.isAnimated, keep("animation"))))));
  }

  /** What chords: "both" (both buttons, middle or double click), "click" (a click on the number too) or "off". */
  get chord() {
    return read("chord", CHORDS, "both");
  }

  /** CSS pixels of a cell, or undefined: whatever fits. */
  get size() {
    const size = Number(read("size", SIZES, "fit"));
    return Number.isFinite(size) ? size : undefined;
  }

  get showsTenths() {
    return memory.get("tenths") === "on";
  }

  get isAnimated() {
    return memory.get("animation") !== "off";
  }
}
