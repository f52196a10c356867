// Whether the server answers: a bar while it takes its time, a banner while it is away.

import { byId, toast } from "./dom.js";
import { say } from "../words/index.js";

const PATIENCE = 150; // milliseconds before waiting is shown
const FIRST_PAUSE = 1000; // milliseconds before it is asked whether it is back, twice as many every time
const LONGEST_PAUSE = 15000;
const LONGEST_PING = 8000;

/** Where something of the server is, seen from the page: it may lie under any path. @param {string} path */
export const addressAt = (path) => new URL(`.${path}`, document.baseURI).href;

/**
 * Whether an answer is the server's own; a proxy answers so while the server behind it is away.
 * @param {Response} response
 */
export function isOwnAnswer(response) {
  if (response.status === 502 || response.status === 504) return false;
  return response.status !== 503 || (response.headers.get("Content-Type") ?? "").startsWith("application/json");
}

// -- waiting ----------------------------------------------------------------------------------------------

let nWaiting = 0;
let patience = 0;

/** Show that something is awaited, if it takes long enough to notice. @template T @param {Promise<T>} promise */
export async function waitFor(promise) {
  nWaiting += 1;
  if (nWaiting === 1) patience = setTimeout(() => showWaiting(true), PATIENCE);
  try {
    return await promise;
  } finally {
    nWaiting -= 1;
    if (nWaiting === 0) {
      clearTimeout(patience);
      showWaiting(false);
    }
  }
}

/** @param {boolean} isWaiting */
function showWaiting(isWaiting) {
  byId("waiting").hidden = !isWaiting;
}

// -- away -------------------------------------------------------------------------------------------------

let isAway = false;
/** @type {Promise<void> | null} */
let pinging = null;
let pause = FIRST_PAUSE;
let timer = 0;
/** @type {Set<() => void>} */
const listeners = new Set();

export const isServerAway = () => isAway;

/** Call something every time the server is back. @param {() => void} listener */
export function onBack(listener) {
  listeners.add(listener);
}

/** Wait until the server is back; at once if it is there. @returns {Promise<void>} */
export function whenBack() {
  if (!isAway) return Promise.resolve();
  return new Promise((resolve) => {
    const once = () => {
      listeners.delete(once);
      resolve();
    };
    listeners.add(once);
  });
}

export function noteAway() {
  if (isAway) return;
  isAway = true;
  pause = FIRST_PAUSE;
  showBanner();
  timer = setTimeout(ping, pause);
}

export function noteBack() {
  if (!isAway) return;
  isAway = false;
  clearTimeout(timer);
  showBanner();
  toast(say.common.serverBack);
  for (const listener of [...listeners]) listener();
}

/** Ask the server whether it is there, and show what comes of it. */
export function ping() {
  pinging ??= pingNow().finally(() => {
    pinging = null;
    showBanner();
  });
  showBanner();
  return pinging;
}

async function pingNow() {
  clearTimeout(timer);
  let isThere = false;
  try {
    isThere = isOwnAnswer(
      await fetch(addressAt("/api/info"), { credentials: "same-origin", signal: AbortSignal.timeout(LONGEST_PING) }),
    );
  } catch {
    // Not there.
  }
  if (isThere) noteBack();
  else if (!isAway) noteAway();
  else {
    pause = Math.min(2 * pause, LONGEST_PAUSE);
    timer = setTimeout(ping, pause);
  }
}

function showBanner() {
  byId("away").hidden = !isAway;
  byId("away-retry").setAttribute("aria-busy", String(pinging !== null));
}

byId("away-retry").addEventListener("click", ping);
// The network of this device; the server may be on this very device, so it is asked.
window.addEventListener("online", ping);
window.addEventListener("offline", ping);
