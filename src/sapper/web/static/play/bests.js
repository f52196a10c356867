// The best times of this browser, by the rules of the game.

import { memory } from "../common/dom.js";

const nameOf = (state) => `best.${state.rules}${state.no_guess ? " no-guess" : ""}`;

function read(name) {
  try {
    const found = JSON.parse(memory.get(name));
    return Number.isFinite(found?.seconds) ? found : null;
  } catch {
    return null;
  }
}

/**
 * What a win was worth beside those before it: one sentence, or null where there is nothing to compare.
 * `why`: why it does not count (a word for people), or null if it does.
 */
export function describeWin(state, why) {
  const name = nameOf(state);
  const before = read(name);
  if (why !== null) return before === null ? null : `Your best time stays ${before.seconds.toFixed(2)} s: ${why}.`;
  if (before !== null && before.seconds <= state.seconds) return `Your best time is ${before.seconds.toFixed(2)} s.`;
  memory.set(name, JSON.stringify({ seconds: state.seconds }));
  return before === null ? "Your first win on such a board." : `New best time! It was ${before.seconds.toFixed(2)} s.`;
}
