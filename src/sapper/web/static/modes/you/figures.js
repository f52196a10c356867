// The figures of the statistics: labels with values, and sentences.

import { describeRules } from "../../rules/text.js";
import { say } from "../../words/index.js";

const ORDINARY = 1.96; // spreads: 95 of 100 players are within them

/** @param {number | null} value @param {number} places */
const fixed = (value, places) => (value === null || value === undefined ? say.common.none : value.toFixed(places));
/** @param {number} value */
const isExtreme = (value) => (value > 0.995 && value < 1) || (value < 0.005 && value > 0);
/** @param {number} value */
const percent = (value) => say.common.percent((100 * value).toFixed(isExtreme(value) ? 1 : 0));

/** @param {number | null} value */
export const seconds = (value) =>
  value === null || value === undefined ? say.common.none : say.common.seconds(value.toFixed(2));
/** @param {number | null} value */
export const speed = (value) => fixed(value, 2);

/**
 * What a kind of board is known by: its rules and how it was made.
 * @param {{ rules: string, no_guess: boolean, daily: boolean }} board
 */
export const keyOf = ({ rules, no_guess: noGuess, daily }) =>
  [rules, noGuess ? "no-guess" : "", daily ? "daily" : ""].filter(Boolean).join(" ");

/** @param {BoardTotals} board */
function boardName(board) {
  const name = describeRules(board.rules);
  if (board.daily) return say.you.dailyBoard(name);
  return board.no_guess ? [name, say.rules.noGuessPart].join(", ") : name;
}

/**
 * The boards' names for people, by their keys. Custom boards may have equal names: then they are numbered.
 * @param {BoardTotals[]} boards
 */
export function boardNames(boards) {
  const names = boards.map(boardName);
  return new Map(
    boards.map((board, at) => {
      const name = names[at];
      const alike = [...names.keys()].filter((other) => names[other] === name);
      return [keyOf(board), alike.length === 1 ? name : say.you.oneOfSeveral(name, 1 + alike.indexOf(at))];
    }),
  );
}

/** Wins with their 95 % interval. @param {Totals} totals */
export function rate(totals) {
  if (totals.rate === null) return say.common.none;
  const [value, low, high] = totals.rate;
  return say.you.within(percent(value), percent(low), percent(high));
}

/** The same as a label and a value. @param {Totals} totals */
function rateFigure(totals) {
  if (totals.rate === null) return [say.you.won, say.common.none];
  const [value, low, high] = totals.rate;
  return [say.you.wonWithin(percent(low), percent(high)), percent(value)];
}

/**
 * Label and value of every figure; `hasTimes`: with times, which compare on one board only.
 * @param {Totals} totals
 * @param {boolean} hasTimes
 */
export function figures(totals, hasTimes) {
  return [
    [say.you.games, String(totals.games)],
    [say.you.wins, String(totals.wins)],
    rateFigure(totals),
    ...(hasTimes
      ? [
          [say.you.bestTime, seconds(totals.best_seconds)],
          [say.you.medianTime, seconds(totals.median_seconds)],
        ]
      : []),
    [say.you.bestSpeed, speed(totals.best_speed)],
    [say.you.meanSpeed, speed(totals.mean_speed)],
    [say.you.efficiency, totals.efficiency === null ? say.common.none : percent(totals.efficiency)],
    [say.you.streak, String(totals.streak)],
    [say.you.longestStreak, String(totals.longest_streak)],
  ];
}

/** @param {Totals["assisted"]} totals */
export function assisted({ games, wins }) {
  return games === 0 ? say.you.noneAssisted : say.you.assisted(games, wins);
}

/** What luck had to do with it: sentences. @param {Luck} luck */
export function luck({ games, expected, spread, hits, unknown_moves: unknown, waiting, left_out: leftOut }) {
  const said = [];
  if (games > 0) said.push(verdict(expected, spread, hits));
  else if (waiting === 0) said.push(say.you.noLuck);
  if (waiting > 0) said.push(say.you.waiting(waiting));
  if (unknown > 0) said.push(say.you.unknownMoves(unknown));
  if (leftOut > 0) said.push(say.you.leftOut(leftOut));
  return said;
}

/** @param {number} expected @param {number} spread @param {number} hits */
function verdict(expected, spread, hits) {
  const risk = expected.toFixed(1);
  const difference = hits - expected;
  const by = Math.abs(difference).toFixed(1);
  if (by === "0.0") return say.you.asExpected(risk, hits);
  const isOrdinary = Math.abs(difference) <= ORDINARY * spread;
  if (difference < 0) return isOrdinary ? say.you.fewer(risk, hits, by) : say.you.farFewer(risk, hits, by);
  return isOrdinary ? say.you.more(risk, hits, by) : say.you.farMore(risk, hits, by);
}

/** What luck had nothing to do with: sentences. @param {Luck} luck */
export function skill({ judged, needless, mistakes }) {
  if (judged === 0) return [];
  return [say.you.needless((needless / judged).toFixed(2)), say.you.mistakes((mistakes / judged).toFixed(2))];
}
