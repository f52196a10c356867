// Seven modes by the part of the address behind #: #/play?rules=16x30/99&seed=7.

/** @type {ModeName[]} */
export const MODES = ["play", "train", "watch", "analyse", "review", "you", "lab"];

/** @returns {{ mode: ModeName, query: URLSearchParams }} */
export function readAddress() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { mode: MODES.find((name) => name === path) ?? "play", query: new URLSearchParams(query) };
}

// A slash, a star and a blank are common in positions and rules, as a comma is in tables, and harmless behind #.
/** @type {Record<string, string>} */
const PLAIN = { "%2F": "/", "%3A": ":", "%2C": ",", "%20": "+" };
/** @param {string} text */
const readable = (text) => encodeURIComponent(text).replace(/%(?:2F|3A|2C|20)/g, (code) => PLAIN[code]);

/** @param {string} mode @param {Record<string, Value | null | undefined>} values */
export function addressOf(mode, values = {}) {
  const pairs = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = pairs.map(([key, value]) => `${key}=${readable(String(value))}`).join("&");
  return `#/${mode}${query ? `?${query}` : ""}`;
}

// The address that the page has heard of: a browser changes it first and says so a moment later.
let heard = location.hash;
window.addEventListener("hashchange", () => {
  heard = location.hash;
});

/**
 * Change the address without adding to the history or waking the router, unless somebody is just following a link.
 * @param {string} mode
 * @param {Record<string, Value | null | undefined>} values
 */
export function showAddress(mode, values = {}) {
  if (location.hash !== heard) return;
  history.replaceState(history.state, "", addressOf(mode, values));
  heard = location.hash;
}
