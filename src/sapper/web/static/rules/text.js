// The rules of a game as fields and as the one-line text that the server reads.

import { isShape, nameOfShape } from "../board/cells/topology.js";
import { DEALINGS } from "../constants.js";
import { lookUp, say } from "../words/index.js";

/** @type {Rules} */
export const PLAIN = {
  rows: 9,
  cols: 9,
  mines: 10,
  shape: "square",
  first: "safe",
  survey: false,
  totalHidden: false,
  cascade: true,
  channel: "exact",
  dealing: "laid",
};

/**
 * Read a seed; null if it is none, or one that a number here cannot hold exactly. The server draws those up to 2⁵³.
 * @param {string} text
 */
export function readSeed(text) {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(value) ? value : null;
}

/**
 * Read the canonical text ("16x30/99 torus survey"); null if it is a preset's name or not ours.
 * @param {string} text
 */
export function parseRules(text) {
  const [size, ...words] = text.trim().split(/\s+/);
  const match = /^(\d+)x(\d+)\/(\d+)$/.exec(size);
  if (match === null) return null;
  const rules = { ...PLAIN, rows: Number(match[1]), cols: Number(match[2]), mines: Number(match[3]) };
  if (rules.mines >= rules.rows * rules.cols) rules.first = "any";
  for (const word of words) {
    if (isShape(word)) rules.shape = word;
    else if (word.startsWith("first-")) rules.first = word.slice(6);
    else if (word === "survey") rules.survey = true;
    else if (word === "total-hidden") rules.totalHidden = true;
    else if (word === "no-cascade") rules.cascade = false;
    else if (DEALINGS.includes(word)) rules.dealing = word;
    else if (!["classic", "cascade", "total-known"].includes(word)) rules.channel = word;
  }
  return rules;
}

/** @param {Rules} rules */
export function formatRules(rules) {
  const words = [`${rules.rows}x${rules.cols}/${rules.mines}`];
  if (rules.shape !== "square") words.push(rules.shape);
  if (rules.first !== "safe") words.push(`first-${rules.first}`);
  if (!rules.cascade) words.push("no-cascade");
  if (rules.survey) words.push("survey");
  if (rules.totalHidden) words.push("total-hidden");
  if (rules.channel !== "exact") words.push(rules.channel);
  if (rules.dealing !== "laid") words.push(rules.dealing);
  return words.join(" ");
}

/** The same rules with another promise about the first click. @param {string} text @param {string} first */
export function withFirst(text, first) {
  const rules = parseRules(text);
  return rules === null ? text : formatRules({ ...rules, first });
}

/**
 * The same rules with another way of placing mines.
 * @param {string} text
 * @param {string} dealing
 */
export function withDealing(text, dealing) {
  const rules = parseRules(text);
  return rules === null ? text : formatRules({ ...rules, dealing });
}

/**
 * Clues for people: "withheld:0.3:redraws" is "30% of clues withheld" and "click again to ask again".
 * @param {string} text
 */
export function describeChannel(text) {
  const [kind, p = "1", redraws] = text.split(":");
  const share = say.common.percent(Number((100 * Number(p)).toPrecision(12)));
  const part = lookUp(say.rules.channelParts, kind)?.(share) ?? text;
  return redraws ? [part, say.rules.redrawsPart] : [part];
}

/** @param {string | undefined} part */
const listed = (part) => (part === undefined ? [] : [part]);

/** Which cells touch, for people: nothing where it goes without saying, and never a table. @param {Shape} shape */
export const describeShape = (shape) => listed(lookUp(say.rules.shapeParts, nameOfShape(shape)));

/** A short name for people: "16 × 30, 99 mines, torus, survey". @param {string} text */
export function describeRules(text) {
  const rules = parseRules(text);
  if (rules === null) return text;
  const parts = [say.rules.size(rules.rows, rules.cols), say.rules.mines(rules.mines)];
  parts.push(...describeShape(rules.shape));
  if (rules.survey) parts.push(say.rules.surveyPart);
  parts.push(...listed(lookUp(say.rules.firstParts, rules.first)));
  if (rules.totalHidden) parts.push(say.rules.totalHiddenPart);
  if (!rules.cascade) parts.push(say.rules.noCascadePart);
  if (rules.channel !== "exact") parts.push(...describeChannel(rules.channel));
  parts.push(...listed(lookUp(say.rules.dealingParts, rules.dealing)));
  return parts.join(", ");
}
