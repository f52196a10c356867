// The keys of every mode, in a dialog.

import { el, icon } from "./dom.js";
import { addressOf } from "./router.js";
import { lookUp, say } from "../words/index.js";

/** A device without a keyboard, as far as one can tell: nothing is said of keys there. */
export const TOUCH = window.matchMedia("(hover: none) and (pointer: coarse)");

/** @param {string} key @returns {Child} */
const keyCap = (key) => el("kbd", {}, key);

/** Keys in lists, words between them, and at the end what they do. @param {(string | string[])[][]} entries */
function keyList(entries) {
  return el(
    "dl.keys",
    {},
    ...entries.flatMap((parts) => {
      const keys = parts.slice(0, -1).flatMap((part) => (typeof part === "string" ? [part] : part.map(keyCap)));
      return [el("dt", {}, ...keys), el("dd", {}, String(parts.at(-1)))];
    }),
  );
}

/** @param {HTMLDialogElement} dialog @param {string} mode */
export function fillHelp(dialog, mode) {
  const isTouched = TOUCH.matches;
  const lists = isTouched
    ? []
    : Object.entries(say.keys.modes).sort(([one], [other]) => Number(other === mode) - Number(one === mode));
  const acts = [...(isTouched ? [] : say.keys.mouseActs), ...say.keys.touchActs];
  dialog.replaceChildren(
    el(
      "header.row.spread",
      {},
      el("h2", { id: "help-title" }, isTouched ? say.page.helpTouch : say.page.help),
      el(
        "button.ghost",
        { type: "button", autofocus: true, "aria-label": say.common.close, onclick: () => dialog.close() },
        icon("cross"),
      ),
    ),
    el(
      "section.how-to",
      {},
      el("h3", {}, say.keys.howTo),
      el("p", {}, say.keys.rules),
      el(
        "a.button",
        { href: addressOf("train", { way: "steps" }), onclick: () => dialog.close() },
        icon("start"),
        say.first.about,
      ),
    ),
    el(
      "div.columns",
      {},
      ...lists.map(([name, keys]) => el("section", {}, el("h3", {}, lookUp(say.page, name)), keyList(keys))),
      el(
        "section",
        {},
        el("h3", {}, isTouched ? say.keys.touch : say.keys.mouse),
        el("dl.keys", {}, ...acts.flatMap(([what, does]) => [el("dt", {}, what), el("dd", {}, does)])),
      ),
      isTouched ? "" : el("section", {}, el("h3", {}, say.keys.everywhere), keyList(say.keys.everywhereKeys)),
    ),
    el("p.soft.small", {}, say.keys.note),
  );
}
