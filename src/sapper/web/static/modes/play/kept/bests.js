// What a game was worth beside those before it, by the rules of the game.

import { memory } from "../../../common/dom.js";
import { say } from "../../../words/index.js";

/** @param {GameState} state */
const nameOf = (state) => `best.${state.rules}${state.no_guess ? " no-guess" : ""}`;

/**
 * The best time before this game: what the server knows, or this browser from before the server kept any.
 * @param {GameState} state
 */
function bestBefore(state) {
  const known = [state.result?.before.best_seconds, read(nameOf(state))].filter((one) => typeof one === "number");
  return known.length === 0 ? null : Math.min(...known);
}

/** @param {string} name */
function read(name) {
  try {
    return JSON.parse(memory.get(name) ?? "null")?.seconds ?? null;
  } catch {
    return null;
  }
}

/** @param {number} value */
const seconds = (value) => say.common.seconds(value.toFixed(2));

/**
 * What a win was worth beside those before it: one sentence, or null where there is nothing to compare.
 * `why`: why it does not count (playedOn, undone, helped or known), or null if it does.
 * @param {GameState} state
 * @param {keyof English["result"]["bestStays"] | null} why
 */
export function describeWin(state, why) {
  const before = bestBefore(state);
  const counts = why === null && state.result?.counts !== false;
  if (!counts) return before === null ? null : say.result.bestStays[why ?? "helped"](seconds(before));
  if (before !== null && before <= state.seconds) return say.result.best(seconds(before));
  memory.set(nameOf(state), JSON.stringify({ seconds: state.seconds }));
  return before === null ? say.result.firstWin : say.result.newBest(seconds(before));
}

/** Whether a win was faster than all before it: in 3BV per second. @param {GameState} state */
export function isBestSpeed({ outcome, result, metrics, seconds: taken }) {
  const before = result?.before.best_speed ?? null;
  const isCounted = outcome === "won" && result?.counts === true && before !== null;
  return isCounted && (metrics?.["3bv"] ?? 0) / taken > before;
}

/** The player's standing after a game that counts: one sentence, or null. @param {GameState} state */
export function describeStanding({ outcome, result }) {
  if (!result?.counts) return null;
  const games = result.before.games + 1;
  const { streak } = result.before;
  if (games === 1) return null;
  if (outcome === "won") {
    const wins = result.before.wins + 1;
    return streak > 0 ? say.result.standingStreak(wins, games, streak + 1) : say.result.standing(wins, games);
  }
  const { wins } = result.before;
  return streak > 1 ? say.result.standingEnded(wins, games, streak) : say.result.standing(wins, games);
}
