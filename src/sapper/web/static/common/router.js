// Seven modes by the part of the address behind #: #/play?rules=16x30/99&seed=7.

export const MODES = ["play", "train", "watch", "analyse", "review", "you", "lab"];

export function readAddress() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { mode: MODES.includes(path) ? path : "play", query: new URLSearchParams(query) };
}

// A slash, a star and a blank are common in positions and rules, as a comma is in tables, and harmless behind #.
const PLAIN = { "%2F": "/", "%3A": ":", "%2C": ",", "%20": "+" };
const readable = (text) => encodeURIComponent(text).replace(/%(?:2F|3A|2C|20)/g, (code) => PLAIN[code]);

export function addressOf(mode, values = {}) {
  const pairs = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = pairs.map(([key, value]) => `${key}=${readable(String(value))}`).join("&");
  return `#/${mode}${query ? `?${query}` : ""}`;
}

/** Change the address without adding to the history or waking the router. */
export function showAddress(mode, values = {}) {
  history.replaceState(history.state, "", addressOf(mode, values));
}
