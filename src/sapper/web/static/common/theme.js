// Light or dark: as the system has it, or as was chosen for this browser. What is chosen is applied by app/colours.js.

import { memory } from "./dom.js";

const THEMES = ["system", "light", "dark"];

const system = window.matchMedia("(prefers-color-scheme: dark)");
/** @type {Set<() => void>} */
const listeners = new Set();

const chosen = () => THEMES.find((name) => name === memory.get("theme")) ?? "system";

export const theme = chosen;

export const isDark = () => (chosen() === "system" ? system.matches : chosen() === "dark");

/** @param {string} name */
export function setTheme(name) {
  memory.set("theme", name);
  tell();
}

function tell() {
  document.dispatchEvent(new Event("themechange"));
  for (const listener of listeners) listener();
}

/** Call something whenever it changes, until the function returned is called. @param {() => void} listener */
export function onSchemeChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

system.addEventListener("change", () => listeners.forEach((listener) => listener()));
// Chosen in another tab.
window.addEventListener("storage", (event) => event.key === "sapper.theme" && tell());
