// Starts the page: asks the server who it is, then shows the mode that the address names.

import { fillSettings } from "./app/settings.js";
import { isUpgraded, offerUpgrade } from "./app/upgrade.js";
import { api } from "./common/api.js";
import { addressAt, isServerAway, onBack, ping, waitFor, whenBack } from "./common/connection.js";
import { el, giveKeysBack, isTyping, toast } from "./common/dom.js";
import { fillHelp } from "./common/help.js";
import { readAddress } from "./common/router.js";
import { isOn } from "./common/settings.js";
import "./common/theme.js";
import { fillPage, say } from "./words/index.js";

const MAKERS = {
  play: () => import("./modes/play/mode.js"),
  train: () => import("./modes/train/mode.js"),
  watch: () => import("./modes/watch/mode.js"),
  analyse: () => import("./modes/analyse/mode.js"),
  review: () => import("./modes/review/mode.js"),
  you: () => import("./modes/you/mode.js"),
  lab: () => import("./modes/lab/mode.js"),
};

const main = document.getElementById("main");
const help = document.getElementById("help");
const settings = document.getElementById("settings");
const modes = new Map();
let current = null;
let turn = 0;
let info = null;
const prepared = new Set();

async function show() {
  turn += 1;
  const own = turn;
  const { mode, query } = readAddress();
  for (const link of document.querySelectorAll("[data-mode]")) {
    if (link.dataset.mode === mode) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = say.common.title(say.page[mode]);
  if (!modes.has(mode)) {
    const section = el("section", { class: `mode ${mode}`, "aria-label": say.page[mode], hidden: true });
    main.append(section);
    modes.set(mode, { section, ready: null, loading: null, hasFailed: false, isCutShort: true });
  }
  const entry = modes.get(mode);
  for (const [name, other] of modes) other.section.hidden = name !== mode;
  if (current !== mode && current !== null) modes.get(current).ready?.leave?.();
  current = mode;
  if (entry.ready === null && !(await load(mode, entry))) return;
  // Somebody who went on while it was loading is elsewhere by now.
  if (own !== turn) return;
  try {
    await entry.ready.enter?.(query);
  } finally {
    entry.isCutShort = isServerAway();
  }
}

/** Load what shows a mode; whether it is there now. */
async function load(mode, entry) {
  entry.loading ??= waitFor(make(mode, entry)).finally(() => {
    entry.loading = null;
  });
  return entry.loading;
}

async function make(mode, entry) {
  let module;
  try {
    module = await MAKERS[mode]();
  } catch {
    await tellMissing(mode, entry);
    return false;
  }
  document.getElementById("skeleton")?.remove();
  entry.section.replaceChildren();
  entry.section.classList.remove("missing");
  entry.ready = module.create(entry.section, info);
  return true;
}

/** A mode whose files did not come: say so, and try again on request or when the server is back. */
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

/** Load a mode that somebody is about to open, and let it get ready. */
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
    toast(error.message, true);
  }
}

function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || isTyping(event.target) || help.open || settings.open)
    return;
  // Where single characters are not wanted they need the board or Alt; without that wish, Alt is the browser's.
  const isCharacter = event.key.length === 1 && event.key !== " ";
  const needsAlt = isCharacter && !isOn("keys") && !event.target.closest?.("[role=grid]");
  if (event.altKey !== needsAlt) return;
  if (event.key === "?") {
    event.preventDefault();
    openHelp();
    return;
  }
  // At once: a promise would come too late to keep the browser from acting on the key.
  modes.get(current)?.ready?.key?.(event);
}

function openSettings() {
  fillSettings(settings);
  settings.showModal();
}

function openHelp() {
  fillHelp(help, current);
  help.showModal();
}

async function start() {
  fillPage();
  document.getElementById("help-button").addEventListener("click", openHelp);
  document.getElementById("settings-button").addEventListener("click", openSettings);
  document.getElementById("skip").addEventListener("click", () => {
    const grid = document.querySelector(".mode:not([hidden]) [role=gridcell][tabindex='0']");
    (grid ?? main).focus();
  });
  giveKeysBack();
  // What shows the mode is on its way while the server says what it offers; whether it came is looked at later.
  MAKERS[readAddress().mode]().catch(() => {});
  try {
    info = await askInfo();
  } catch (error) {
    main.replaceChildren(
      el(
        "p.notice.bad",
        {},
        `${error.message} `,
        el("button", { type: "button", onclick: () => location.reload() }, say.page.tryAgain),
      ),
    );
    return;
  }
  window.addEventListener("hashchange", shown);
  for (const link of document.querySelectorAll("[data-mode]")) {
    for (const sign of ["pointerenter", "pointerdown", "focus"])
      link.addEventListener(sign, () => prepare(link.dataset.mode), { passive: true });
  }
  document.addEventListener("keydown", onKey);
  onBack(() => {
    if (modes.get(current)?.isCutShort) shown();
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
      if (error.status !== 0) throw error;
      await whenBack();
      // Nobody has done anything yet, so nobody minds.
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
