// The words of the page, in the language of whoever looks at it. Another language is one more file and a line here.

import { english } from "./english.js";

const LANGUAGES = { en: english };

const language = navigator.languages.map((name) => name.split("-")[0]).find((name) => name in LANGUAGES) ?? "en";

/** Everything that the page says, as `say.play.newBoard`. */
export const say = LANGUAGES[language];

const ATTRIBUTES = ["aria-label", "title", "content"];

/** Write the words that index.html has from the start: `data-say` names a text, `data-say-title` a title, and so on. */
export function fillPage() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say.page[element.dataset.say];
  for (const attribute of ATTRIBUTES) {
    for (const element of document.querySelectorAll(`[data-say-${attribute}]`))
      element.setAttribute(attribute, say.page[element.getAttribute(`data-say-${attribute}`)]);
  }
}
