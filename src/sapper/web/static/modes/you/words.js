// Figures of the statistics in words.

import { describeRules } from "../../rules/text.js";

const ORDINARY = 1.96; // spreads: 95 of 100 players are within them

const fixed = (value, places) => (value === null || value === undefined ? "–" : value.toFixed(places));
const isExtreme = (value) => (value > 0.995 && value < 1) || (value < 0.005 && value > 0);
const percent = (value) => `${(100 * value).toFixed(isExtreme(value) ? 1 : 0)}\u00a0%`;

export const seconds = (value) => (value === null || value === undefined ? "–" : `${value.toFixed(2)} s`);
export const speed = (value) => fixed(value, 2);

export function boardName(board) {
  const name = describeRules(board.rules);
  if (board.daily) return `Daily: ${name}`;
  return board.no_guess ? `${name}, no guessing` : name;
}

/** Wins with their 95 % interval. */
export function rate(totals) {
  if (totals.rate === null) return "–";
  const [value, low, high] = totals.rate;
  return `${percent(value)} (${percent(low)} to ${percent(high)})`;
}

/** The same as a label and a value. */
function rateFigure(totals) {
  if (totals.rate === null) return ["Won", "–"];
  const [value, low, high] = totals.rate;
  return [`Won (95 % interval: ${percent(low)} to ${percent(high)})`, percent(value)];
}

/** Label and value of every figure. */
export function figures(totals) {
  return [
    ["Games", String(totals.games)],
    ["Wins", String(totals.wins)],
    rateFigure(totals),
    ["Best time", seconds(totals.best_seconds)],
    ["Median time", seconds(totals.median_seconds)],
    ["Best 3BV per second", speed(totals.best_speed)],
    ["Mean 3BV per second", speed(totals.mean_speed)],
    ["Efficiency", totals.efficiency === null ? "–" : percent(totals.efficiency)],
    ["Wins in a row now", String(totals.streak)],
    ["Most wins in a row", String(totals.longest_streak)],
  ];
}

export function assisted({ games, wins }) {
  if (games === 0) return "Games with help do not count here; there are none.";
  const played = games === 1 ? "1 game" : `${games} games`;
  return `${played} with help, a move taken back or a known board (${wins} won) not counted here.`;
}

/** What luck had to do with it: sentences. */
export function luck({ games, expected, spread, hits, unknown_moves: unknown, waiting, left_out: leftOut }) {
  const said = [];
  if (games > 0) said.push(verdict(expected, spread, hits));
  else if (waiting === 0) said.push("Luck shows in games on boards that may need a guess. None is finished yet.");
  if (waiting > 0) said.push(waiting === 1 ? "The risks of 1 game are being worked out …" : `The risks of ${waiting} games are being worked out …`);
  if (unknown > 0) said.push(unknown === 1 ? "1 move is left out: its risk was too hard to compute." : `${unknown} moves are left out: their risks were too hard to compute.`);
  if (leftOut > 0) said.push(leftOut === 1 ? "1 game is left out: it was too large or too hard." : `${leftOut} games are left out: they were too large or too hard.`);
  return said;
}

function verdict(expected, spread, hits) {
  const risk = `Your moves carried ${expected.toFixed(1)} mines’ worth of risk; you hit ${hits}`;
  const difference = hits - expected;
  const by = Math.abs(difference).toFixed(1);
  if (by === "0.0") return `${risk}: just as many as expected.`;
  const isOrdinary = Math.abs(difference) <= ORDINARY * spread;
  if (difference < 0) {
    return isOrdinary ? `${risk}: ${by} fewer than expected, which is within ordinary luck.`
      : `${risk}: ${by} fewer than expected, which is more than ordinary luck.`;
  }
  return isOrdinary ? `${risk}: ${by} more than expected, which is within ordinary luck.`
    : `${risk}: ${by} more than expected, which is worse than ordinary luck.`;
}

/** What luck had nothing to do with: sentences. */
export function skill({ judged, needless, mistakes }) {
  if (judged === 0) return [];
  return [
    `Needless risk: ${(needless / judged).toFixed(2)} mines a game. That is risk beyond the least there was at the time.`,
    `Mistakes: ${(mistakes / judged).toFixed(2)} a game. A mistake opens a certain mine or flags a cell that is certainly safe.`,
  ];
}
