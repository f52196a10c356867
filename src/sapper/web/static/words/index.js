// The strings of the page in the visitor's language. Another language is one more file and a line here.

import { english } from "./english.js";

/** @type {Record<string, English>} */
const LANGUAGES = { en: english };

/** The language of the page: the first that the visitor's browser asks for and that is there. */
export const language = navigator.languages.map((name) => name.split("-")[0]).find((name) => name in LANGUAGES) ?? "en";

/** Everything that the page says, as `say.play.newBoard`. */
export const say = LANGUAGES[language];

const ATTRIBUTES = ["aria-label", "title", "content"];

/**
 * What a table says of a name that the server gave; undefined where the page does not know it.
 * @template T
 * @param {Record<string, T>} table
 * @param {string} name
 * @returns {T | undefined}
 */
export const lookUp = (table, name) => (Object.hasOwn(table, name) ? table[name] : undefined);

/**
 * The names and values of a table, with their types.
 * @template {object} T
 * @param {T} table
 */
export const entriesOf = (table) => /** @type {[keyof T & string, T[keyof T]][]} */ (Object.entries(table));

/** Write the words that index.html has from the start: `data-say` names a text, `data-say-title` a title, and so on. */
export function fillPage() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = wordOf(element, "data-say");
  for (const attribute of ATTRIBUTES) {
    for (const element of document.querySelectorAll(`[data-say-${attribute}]`)) {
      element.setAttribute(attribute, wordOf(element, `data-say-${attribute}`));
    }
  }
}

/** @param {Element} element @param {string} attribute */
const wordOf = (element, attribute) => lookUp(say.page, element.getAttribute(attribute) ?? "") ?? "";
