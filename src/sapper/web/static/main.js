// Starts the page: asks the server who it is, then shows the mode that the address names.

import { fillSettings } from "./app/settings.js";
import { isUpgraded, offerUpgrade } from "./app/upgrade.js";
import { api, messageOf, statusOf } from "./common/api.js";
import { addressAt, isServerAway, onBack, whenBack } from "./common/connection.js";
import { byId, el, blurAfterClick, isTyping, targetOf, toast } from "./common/dom.js";
import { TOUCH, fillHelp } from "./common/help.js";
import { addressOf, readAddress } from "./common/router.js";
import { isOn } from "./common/settings.js";
import "./common/theme.js";
import * as analyse from "./modes/analyse/mode.js";
import * as lab from "./modes/lab/mode.js";
import * as play from "./modes/play/mode.js";
import * as review from "./modes/review/mode.js";
import * as train from "./modes/train/mode.js";
import * as watch from "./modes/watch/mode.js";
import * as you from "./modes/you/mode.js";
import { fillPage, say } from "./words/index.js";

/** @type {Record<ModeName, ModeModule>} */
const MODULES = { play, train, watch, analyse, review, you, lab };
const KEPT = ["train", "watch"]; // the others know by themselves what they showed last

/**
 * @typedef {object} Entry
 * @property {HTMLElement} section
 * @property {Mode | null} ready
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
/** @type {Info} */
let info;
/** @type {Set<ModeName>} */
const prepared = new Set();

/** @param {string} [left] the address before */
async function show(left = "") {
  const { mode, query } = readAddress();
  const wanted = location.hash;
  const shownNow = current === null || current === mode ? null : modes.get(current)?.ready;
  if (shownNow?.isHeld?.(() => (location.hash = wanted))) {
    history.replaceState(history.state, "", left);
    return;
  }
  for (const link of links) {
    if (link.dataset.mode === mode) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = say.common.title(say.page[mode]);
  byId("heading").textContent = say.page[mode];
  const entry = entryOf(mode);
  for (const [name, other] of modes) other.section.hidden = name !== mode;
  if (current !== mode && current !== null) {
    modes.get(current)?.ready?.leave?.();
    scrollTo(0, 0); // how far the mode before was scrolled says nothing about this one
  }
  keepPlaces(mode, left);
  current = mode;
  if (entry.ready === null) {
    document.getElementById("skeleton")?.remove();
    entry.ready = MODULES[mode].create(entry.section, info);
  }
  try {
    await entry.ready.enter?.(query);
  } finally {
    entry.isCutShort = isServerAway();
  }
}

/**
 * A round, a lesson or a game to watch is where one left it: the link to its mode leads back there, until one is there.
 * @param {ModeName} mode the one that is shown
 * @param {string} left the address before
 */
function keepPlaces(mode, left) {
  const place = (current && modes.get(current)?.ready?.place) || new URL(left || location.href).hash;
  for (const link of links) {
    if (!KEPT.includes(link.dataset.mode ?? "")) continue;
    if (link.dataset.mode === mode) link.setAttribute("href", addressOf(mode));
    else if (link.dataset.mode === current) link.setAttribute("href", place);
  }
}

/** @param {ModeName} mode */
function entryOf(mode) {
  const known = modes.get(mode);
  if (known !== undefined) return known;
  const section = el("section", { class: `mode ${mode}`, "aria-label": say.page[mode], hidden: true });
  main.append(section);
  /** @type {Entry} */
  const entry = { section, ready: null, isCutShort: true };
  modes.set(mode, entry);
  return entry;
}

/** Have a mode prepare what it is likely to need. @param {ModeName} mode */
function prepare(mode) {
  if (mode === current || prepared.has(mode)) return;
  prepared.add(mode);
  MODULES[mode].prepare?.();
}

/** @param {Partial<HashChangeEvent>} [event] */
async function shown({ oldURL } = {}) {
  try {
    await show(oldURL);
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
  if (TOUCH.matches) {
    for (const name of ["aria-label", "title"]) byId("help-button").setAttribute(name, say.page.helpTouch);
  }
  byId("settings-button").addEventListener("click", openSettings);
  byId("skip").addEventListener("click", () => {
    /** @type {HTMLElement | null} */
    const grid = document.querySelector(".mode:not([hidden]) [role=gridcell][tabindex='0']");
    (grid ?? main).focus();
  });
  blurAfterClick();
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
