// Light or dark: as the system has it, or as was chosen for this browser.

import { memory } from "./dom.js";

export const THEMES = { system: "As the system", light: "Light", dark: "Dark" };

const system = window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set();

const chosen = () => (memory.get("theme") in THEMES ? memory.get("theme") : "system");

// The styles ask the system; where something else is chosen, the same rules are made to hold always or never.
const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  .filter((rule) => rule instanceof CSSMediaRule && rule.conditionText === system.media);

function apply() {
  const theme = chosen();
  const media = { system: system.media, light: "not all", dark: "all" }[theme];
  for (const rule of rules) rule.media.mediaText = media;
  document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
}

export const theme = chosen;

export const isDark = () => (chosen() === "system" ? system.matches : chosen() === "dark");

export function setTheme(name) {
  memory.set("theme", name);
  apply();
  for (const listener of listeners) listener();
}

export function onSchemeChange(listener) {
  listeners.add(listener);
  system.addEventListener("change", listener);
}

apply();
