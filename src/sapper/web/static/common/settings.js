// The player's settings, stored in this browser. The dialog that changes them is app/settings.js.

import { memory } from "./dom.js";

// What each may be; the first is meant where nothing was chosen.
/** @type {Record<SettingName, string[]>} */
const VALUES = {
  size: ["fit", "18", "26", "36", "48"], // css pixels of a cell
  chord: ["both", "click", "off"],
  flag: ["press", "release"],
  first: ["opening", "safe", "any"],
  questions: ["off", "on"],
  ask: ["on", "off"],
  rulers: ["off", "on"],
  tenths: ["off", "on"],
  animation: ["on", "off"],
  sound: ["off", "on"],
  keys: ["on", "off"],
};
/** @type {Set<(name: SettingName) => void>} */
const listeners = new Set();

/** @param {SettingName} name */
export function setting(name) {
  const kept = memory.get(name) ?? "";
  return VALUES[name].includes(kept) ? kept : VALUES[name][0];
}

/** Whether the player has changed a setting. @param {SettingName} name */
export const isChosen = (name) => VALUES[name].includes(memory.get(name) ?? "");

/** @param {SettingName} name */
export const isOn = (name) => setting(name) === "on";

/** @param {SettingName} name @param {string} value */
export function changeSetting(name, value) {
  memory.set(name, value);
  for (const listener of listeners) listener(name);
}

/**
 * Call something with the name of every setting that is changed, until the function returned is called.
 * @param {(name: SettingName) => void} listener
 */
export function onSetting(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
