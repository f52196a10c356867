// Starts the page: asks the server who it is, then shows the mode that the address names.

import { api } from "./common/api.js";
import { el, isTyping, memory, toast } from "./common/dom.js";
import { fillHelp } from "./common/help.js";
import { readAddress } from "./common/router.js";

const MAKERS = {
  play: () => import("./play/mode.js"),
  watch: () => import("./watch/mode.js"),
  analyse: () => import("./analyse/mode.js"),
  review: () => import("./review/mode.js"),
  lab: () => import("./lab/mode.js"),
};
const TITLES = { play: "Play", watch: "Watch", analyse: "Analyse", review: "Review", lab: "Lab" };

const main = document.getElementById("main");
const help = document.getElementById("help");
const modes = new Map();
let current = null;
let info = null;

async function show() {
  const { mode, query } = readAddress();
  for (const link of document.querySelectorAll("[data-mode]")) {
    if (link.dataset.mode === mode) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${TITLES[mode]} · Sapper`;
  if (!modes.has(mode)) {
    const section = el("section", { class: `mode ${mode}`, "aria-label": TITLES[mode], hidden: true });
    main.append(section);
    modes.set(mode, { section, made: MAKERS[mode]().then((module) => module.create(section, info)) });
  }
  const entry = modes.get(mode);
  for (const [name, other] of modes) other.section.hidden = name !== mode;
  if (current !== mode && current !== null) (await modes.get(current).made).leave?.();
  current = mode;
  const made = await entry.made;
  entry.ready = made;
  if (current === mode) await made.enter?.(query);
}

function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event.target) || help.open) return;
  if (memory.get("keys") === "off" && !event.target.closest?.("[role=grid]")) return;
  if (event.key === "?") {
    event.preventDefault();
    openHelp();
    return;
  }
  // At once: a promise would come too late to keep the browser from acting on the key.
  modes.get(current)?.ready?.key?.(event);
}

function openHelp() {
  fillHelp(help, current);
  help.showModal();
}

async function start() {
  document.getElementById("help-button").addEventListener("click", openHelp);
  document.getElementById("skip").addEventListener("click", () => {
    const grid = document.querySelector(".mode:not([hidden]) [role=gridcell][tabindex='0']");
    (grid ?? main).focus();
  });
  // A button that was clicked gives the keys back to the page: Space then does not press it again.
  document.addEventListener("click", (event) => {
    if (event.detail > 0) event.target.closest?.("button")?.blur();
  });
  try {
    info = await api.info();
  } catch (error) {
    main.append(el("p.notice.bad", {}, `${error.message} `, el("button", { type: "button", onclick: () => location.reload() }, "Try again")));
    return;
  }
  const shown = async () => {
    try {
      await show();
    } catch (error) {
      toast(error.message, true);
    }
  };
  window.addEventListener("hashchange", shown);
  document.addEventListener("keydown", onKey);
  await shown();
  document.body.dataset.ready = "true";
}

start();
