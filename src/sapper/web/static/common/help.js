// The keys of every mode, in a dialog.

import { el, icon } from "./dom.js";
import { say } from "../words/index.js";

function keyList(entries) {
  return el(
    "dl.keys",
    {},
    ...entries.flatMap((parts) => {
      const keys = parts
        .slice(0, -1)
        .flatMap((part) => (Array.isArray(part) ? part.map((key) => el("kbd", {}, key)) : [part]));
      return [el("dt", {}, ...keys), el("dd", {}, parts.at(-1))];
    }),
  );
}

export function fillHelp(dialog, mode) {
  const lists = say.keys.modes;
  const order = [mode, ...Object.keys(lists).filter((name) => name !== mode)].filter((name) => name in lists);
  dialog.replaceChildren(
    el(
      "header.row.spread",
      {},
      el("h2", { id: "help-title" }, say.page.help),
      el(
        "button.ghost",
        { type: "button", autofocus: true, "aria-label": say.common.close, onclick: () => dialog.close() },
        icon("cross"),
      ),
    ),
    el("section.how-to", {}, el("h3", {}, say.keys.howTo), el("p", {}, say.keys.rules)),
    el(
      "div.columns",
      {},
      ...order.map((name) => el("section", {}, el("h3", {}, say.page[name]), keyList(lists[name]))),
      el(
        "section",
        {},
        el("h3", {}, say.keys.mouse),
        el("dl.keys", {}, ...say.keys.mouseActs.flatMap(([what, does]) => [el("dt", {}, what), el("dd", {}, does)])),
      ),
      el("section", {}, el("h3", {}, say.keys.everywhere), keyList(say.keys.everywhereKeys)),
    ),
    el("p.soft.small", {}, say.keys.note),
  );
}
