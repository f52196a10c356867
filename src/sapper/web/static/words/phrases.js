// Sentences that the server makes, in another language: proofs, reasons of agents, lessons, errors.
//
// They are content with cells and numbers in it, and every program that asks the server gets the same. A language has
// them in a table from English patterns to its own. A gap such as {cell}, {number 2} or {why} stands for a cell, a
// number, or any words, which are translated in turn: {"Opened {cell}: {why}.": "{cell} ouverte : {why}."}

/** @type {[string, string][]} */
const GAPS = [
  ["cell", String.raw`\(\d+, \d+\)`],
  ["number", String.raw`[<>−-]?\d[\d,.]*(?<![,.])%?`],
  ["", String.raw`.+?`],
];
const GAP = /\{([^}]+)\}/g;
const SENTENCES = /(?<=[.!?]) (?=[A-Z(])/;

/** @param {string} name */
const gap = (name) => GAPS.find(([kind]) => name.startsWith(kind))?.[1] ?? "";
/** @param {string} text */
const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/**
 * Make what translates a text of the server by a table of patterns; what no pattern fits stays as it is.
 * @param {Record<string, string>} table
 * @returns {(text: Value) => string}
 */
export function phrasebook(table) {
  const phrases = Object.entries(table).map(([english, own]) => {
    const names = [...english.matchAll(GAP)].map(([, name]) => name);
    // Between two gaps are the words themselves.
    const parts = english.split(GAP).map((part, at) => (at % 2 ? `(${gap(part)})` : literally(part)));
    return { pattern: new RegExp(`^${parts.join("")}$`), names, own };
  });
  /** @param {string} text @returns {string} */
  const translated = (text) => {
    for (const { pattern, names, own } of phrases) {
      const found = pattern.exec(text);
      if (found !== null) return own.replace(GAP, (_, name) => translated(found[names.indexOf(name) + 1] ?? ""));
    }
    return text;
  };
  return (text) => String(text).split(SENTENCES).map(translated).join(" ");
}
