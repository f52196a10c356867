// Sentences that the server makes, in another language: proofs, reasons of agents, lessons, errors.
//
// They are content with cells and numbers in it, and every program that asks the server gets the same. A language has
// them in a table from English patterns to its own (scripts/sentences.py lists all that there are). A gap such as
// {cell}, {number 2} or {why} stands for a cell, a number, or any words, which are translated in turn:
// {"Opened {cell}: {why}.": "{cell} ouverte : {why}."}

/**
 * @typedef {object} Phrase
 * @property {string[]} words before, between and after the gaps
 * @property {string[]} gaps their names
 * @property {string} own
 * @typedef {Map<string, string | null>} Known what parts of a sentence are in own words
 */

/** @type {[string, RegExp][]} */
const KINDS = [
  ["cell", /^\(\d+, \d+\)$/],
  ["number", /^[<>−-]?\d[\d,.]*(?<![,.])%?$/],
];
const GAP = /\{([^}]+)\}/g;
const SENTENCES = /(?<=[.!?]) (?=[A-Z(])/;
const AROUND_WORDS = /^([^\p{L}]*)(.*?)([^\p{L}]*)$/su; // numbers, cells, punctuation

/** How many letters a text has outside its gaps and what it quotes. @param {string} text */
const weight = (text) =>
  text
    .replace(GAP, "")
    .replace(/'[^']*'/g, "")
    .replace(/\P{L}/gu, "").length;
/** Whether no cell and no parenthesis is cut in two. @param {string} text */
const isBalanced = (text) => text.split("(").length === text.split(")").length;

/** @param {[string, string]} entry @returns {Phrase} */
function phraseOf([english, own]) {
  const parts = english.trim().split(GAP);
  return { words: parts.filter((_, at) => at % 2 === 0), gaps: parts.filter((_, at) => at % 2), own: own.trim() };
}

/** Whether a text has the words of a phrase, in their order. @param {Phrase} phrase @param {string} text */
function hasWords({ words }, text) {
  if (!text.startsWith(words[0]) || !text.endsWith(words.at(-1) ?? "")) return false;
  let from = 0;
  return words.every((one) => {
    const at = text.indexOf(one, from);
    from = at + one.length;
    return at >= 0;
  });
}

/**
 * Make what translates a text of the server by a table of patterns; a sentence that they do not cover stays as it is.
 * @param {Record<string, string>} table
 * @returns {(text: Value) => string}
 */
export function phrasebook(table) {
  const whole = new Map(Object.entries(table));
  // Of several patterns, the one that says most by itself is tried first.
  const phrases = [...whole]
    .sort(([one], [other]) => weight(other) - weight(one))
    .map(phraseOf)
    .filter(({ words, gaps }) => gaps.length > 0 && words.join("") !== "");

  /** A part of a sentence in own words, or null. @param {string} text @param {Known} known @returns {string | null} */
  const translate = (text, known) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    known.set(text, null); // it does not consist of itself
    const own = weight(text) === 0 ? text : (asSaid(text, known) ?? asClause(text, known) ?? within(text, known));
    known.set(text, own);
    return own;
  };
  /** @param {string} text @param {Known} known */
  const asSaid = (text, known) => {
    if (whole.has(text)) return whole.get(text) ?? null;
    for (const phrase of phrases) {
      const given = hasWords(phrase, text) ? fill(phrase, 0, text.slice(phrase.words[0].length), known) : null;
      if (given) return phrase.own.replace(GAP, (_, name) => given.get(name) ?? "");
    }
    return null;
  };
  /** A sentence may begin with a clause. @param {string} text @param {Known} known */
  const asClause = (text, known) => {
    const clause = text.charAt(0).toLowerCase() + text.slice(1);
    const own = clause === text ? null : asSaid(clause, known);
    return own && own.charAt(0).toUpperCase() + own.slice(1);
  };
  /** @param {string} text @param {Known} known */
  const within = (text, known) => {
    const [, before, words, after] = AROUND_WORDS.exec(text) ?? ["", "", text, ""];
    const own = words === text ? null : translate(words, known);
    return own && `${before}${own}${after}`;
  };
  /**
   * What stands in the gaps of a phrase from one on, by their names, or null.
   * @param {Phrase} phrase @param {number} at @param {string} text what follows the words before that gap
   * @param {Known} known @returns {Map<string, string> | null}
   */
  const fill = (phrase, at, text, known) => {
    const [gap, next] = [phrase.gaps[at], phrase.words[at + 1]];
    const isLast = at + 1 === phrase.gaps.length;
    const kind = KINDS.find(([name]) => gap.startsWith(name))?.[1];
    for (let end = isLast ? text.length - next.length : 0; end >= 0 && end <= text.length; end += 1) {
      const given = text.slice(0, end);
      // Where nothing stands between two gaps, one is empty or begins anew.
      const isEnd = next === "" ? /^$|^[ ,;:]/.test(text.slice(end)) || end === 0 : text.startsWith(next, end);
      if (!isEnd || !isBalanced(given)) continue;
      const own = kind ? (kind.test(given) ? given : null) : translate(given, known);
      if (own === null) continue;
      const others = isLast ? new Map() : fill(phrase, at + 1, text.slice(end + next.length), known);
      if (others !== null) return others.set(gap, own);
    }
    return null;
  };

  return (text) => {
    const known = new Map();
    const sentences = String(text).split(SENTENCES);
    return translate(String(text), known) ?? sentences.map((one) => translate(one, known) ?? one).join(" ");
  };
}
