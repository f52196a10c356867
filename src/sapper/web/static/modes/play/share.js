// A link to the same board, for somebody else.

import { api } from "../../common/api.js";
import { announce, button, el } from "../../common/dom.js";
import { addressOf } from "../../common/router.js";
import { parseRules } from "../../rules/text.js";

// The mines are laid around the first cell where the rules promise something of it, so it is part of the board.
async function firstCell(state) {
  if (!state.over || parseRules(state.rules)?.first === "any") return null;
  const found = /^open (\d+,\d+)/m.exec(await api.record(state.id));
  return found === null ? null : found[1];
}

export async function openShare(state) {
  if (state === null) return;
  const hasSeed = state.seed !== null && state.seed !== undefined;
  const values = { noguess: state.no_guess ? "1" : null };
  if (hasSeed) Object.assign(values, { seed: state.seed, first: await firstCell(state) });
  const link = `${location.origin}${location.pathname}${addressOf("play", { rules: state.rules, ...values })}`;
  const field = el("input", { readonly: true, value: link, "aria-label": "Link" });
  field.value = link;
  const copied = el("span.small.soft", { role: "status" });
  const dialog = el("dialog", { "aria-label": "Share link", onclose: () => dialog.remove() });
  const copy = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      document.execCommand("copy"); // pages that are not served securely have no clipboard
    }
    copied.textContent = "Copied.";
    announce("Copied.");
  };
  dialog.append(
    el("div.card-body", {},
      el("h2", {}, "Share link"),
      el("p.soft.small", {}, state.over && hasSeed
        ? "It leads to this very board, whoever opens it."
        : hasSeed ? "It leads to the same board for whoever opens the same cell first."
        : "The link leads to a board by the same rules. Once this game is over it leads to this very board: before, it would give the mines away."),
      field,
      el("div.row", {}, button("Copy", "share", { class: "primary", onclick: copy }), button("Close", null, { onclick: () => dialog.close() }), copied)));
  document.body.append(dialog);
  dialog.showModal();
  field.select();
}
