// Starts the page: asks the server who it is, then shows the mode that the address names.

import { fillSettings } from "./app/settings.js";
import { isUpgraded, offerUpgrade } from "./app/upgrade.js";
import { api, messageOf, statusOf } from "./common/api.js";
import { addressAt, isServerAway, onBack, ping, waitFor, whenBack } from "./common/connection.js";
import { byId, el, blurAfterClick, isTyping, targetOf, toast } from "./common/dom.js";
import { fillHelp } from "./common/help.js";
import { readAddress } from "./common/router.js";
import { isOn } from "./common/settings.js";
import "./common/theme.js";
import { fillPage, say } from "./words/index.js";

/** @type {Record<ModeName, () => Promise<ModeModule>>} */
const MAKERS = {
  play: () => import("./modes/play/mode.js"),
  train: () => import("./modes/train/mode.js"),
  watch: () => import("./modes/watch/mode.js"),
  analyse: () => import("./modes/analyse/mode.js"),
  review: () => import("./modes/review/mode.js"),
  you: () => import("./modes/you/mode.js"),
  lab: () => import("./modes/lab/mode.js"),
};

/**
 * @typedef {object} Entry
 * @property {HTMLElement} section
 * @property {Mode | null} ready
 * @property {Promise<Mode | null> | null} loading
 * @property {boolean} hasFailed
 * @property {boolean} isCutShort
 */

const main = byId("main");
const help = /** @type {HTMLDialogElement} */ (byId("help"));
const settings = /** @type {HTMLDialogElement} */ (byId("settings"));
/** @type {NodeListOf<HTMLElement>} */
const links = document.querySelectorAll("[data-mode]");
/** @type {Map<ModeName, Entry>} */
const modes = new Map();
/** @type {ModeName | null} */
let current = null;
let turn = 0;
/** @type {Info} */
let info;
/** @type {Set<ModeName>} */
const prepared = new Set();

async function show() {
  turn += 1;
  const own = turn;
  const { mode, query } = readAddress();
  for (const link of links) {
    if (link.dataset.mode === mode) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = say.common.title(say.page[mode]);
  const entry = entryOf(mode);
  for (const [name, other] of modes) other.section.hidden = name !== mode;
  if (current !== mode && current !== null) (current && modes.get(current))?.ready?.leave?.();
  current = mode;
  const ready = entry.ready ?? (await load(mode, entry));
  // Somebody who went on while it was loading is elsewhere by now.
  if (ready === null || own !== turn) return;
  try {
    await ready.enter?.(query);
  } finally {
    entry.isCutShort = isServerAway();
  }
}

/** @param {ModeName} mode */
function entryOf(mode) {
  const known = modes.get(mode);
  if (known !== undefined) return known;
  const section = el("section", { class: `mode ${mode}`, "aria-label": say.page[mode], hidden: true });
  main.append(section);
  /** @type {Entry} */
  const entry = { section, ready: null, loading: null, hasFailed: false, isCutShort: true };
  modes.set(mode, entry);
  return entry;
}

/** Load what shows a mode; null if it did not come. @param {ModeName} mode @param {Entry} entry */
async function load(mode, entry) {
  entry.loading ??= waitFor(make(mode, entry)).finally(() => {
    entry.loading = null;
  });
  return entry.loading;
}

/** @param {ModeName} mode @param {Entry} entry */
async function make(mode, entry) {
  let module;
  try {
    module = await MAKERS[mode]();
  } catch {
    await tellMissing(mode, entry);
    return null;
  }
  document.getElementById("skeleton")?.remove();
  entry.section.replaceChildren();
  entry.section.classList.remove("missing");
  entry.ready = module.create(entry.section, info);
  return entry.ready;
}

/**
 * A mode whose files did not come: say so, and try again on request or when the server is back.
 * @param {ModeName} mode
 * @param {Entry} entry
 */
async function tellMissing(mode, entry) {
  await ping();
  if (entry.hasFailed && !isServerAway()) {
    // The browser may remember that a file did not come, or an upgraded server no longer have it: a new page helps.
    location.reload();
    return;
  }
  entry.hasFailed = true;
  document.getElementById("skeleton")?.remove();
  entry.section.classList.add("missing");
  entry.section.replaceChildren(
    el(
      "p.notice.bad",
      {},
      `${say.common.didNotLoad(say.page[mode])} `,
      el("button", { type: "button", onclick: shown }, say.page.tryAgain),
    ),
  );
}

/** Load a mode in advance. @param {ModeName} mode */
async function prepare(mode) {
  if (mode === current || prepared.has(mode)) return;
  prepared.add(mode);
  try {
    (await MAKERS[mode]()).prepare?.();
  } catch {
    prepared.delete(mode);
  }
}

async function shown() {
  try {
    await show();
  } catch (error) {
    toast(messageOf(error), true);
  }
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    isTyping(event.target) ||
    help.open ||
    settings.open
  ) {
    return;
  }
  // Where single characters are not wanted they need the board or Alt; without that wish, Alt is the browser's.
  const isCharacter = event.key.length === 1 && event.key !== " ";
  const needsAlt = isCharacter && !isOn("keys") && !targetOf(event)?.closest("[role=grid]");
  if (event.altKey !== needsAlt) return;
  if (event.key === "?") {
    event.preventDefault();
    openHelp();
    return;
  }
  // At once: a promise would come too late to keep the browser from acting on the key.
  if (current !== null) modes.get(current)?.ready?.key?.(event);
}

function openSettings() {
  fillSettings(settings);
  settings.showModal();
}

function openHelp() {
  fillHelp(help, current ?? "play");
  help.showModal();
}

async function start() {
  fillPage();
  byId("help-button").addEventListener("click", openHelp);
  byId("settings-button").addEventListener("click", openSettings);
  byId("skip").addEventListener("click", () => {
    /** @type {HTMLElement | null} */
    const grid = document.querySelector(".mode:not([hidden]) [role=gridcell][tabindex='0']");
    (grid ?? main).focus();
  });
  blurAfterClick();
  // What shows the mode is on its way while the server says what it offers; whether it came is looked at later.
  MAKERS[readAddress().mode]().catch(() => {});
  try {
    info = await askInfo();
  } catch (error) {
    main.replaceChildren(
      el(
        "p.notice.bad",
        {},
        `${messageOf(error)} `,
        el("button", { type: "button", onclick: () => location.reload() }, say.page.tryAgain),
      ),
    );
    return;
  }
  window.addEventListener("hashchange", shown);
  for (const link of links) {
    for (const sign of ["pointerenter", "pointerdown", "focus"]) {
      link.addEventListener(sign, () => prepare(/** @type {ModeName} */ (link.dataset.mode)), { passive: true });
    }
  }
  document.addEventListener("keydown", onKey);
  onBack(() => {
    if (current && modes.get(current)?.isCutShort) shown();
    offerUpgrade();
  });
  await shown();
  document.body.dataset.ready = "true";
  becomeApp();
}

/** What the server offers; a page that was kept from an earlier visit may be there before the server is. */
async function askInfo() {
  for (;;) {
    try {
      return await api.info();
    } catch (error) {
      if (statusOf(error) !== 0) throw error;
      await whenBack();
      // Nothing has happened yet, so nothing is lost.
      if (await isUpgraded()) location.reload();
    }
  }
}

/** Let the page be installed and open at once; browsers allow it where the connection is safe. */
function becomeApp() {
  navigator.serviceWorker?.register(addressAt("/worker.js"), { updateViaCache: "none" }).catch(() => {
    // The page works without it.
  });
}

start();
