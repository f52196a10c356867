// A link to the same board, to share.

import { api } from "../../common/api.js";
import { announce, button, copyField, el } from "../../common/dom.js";
import { addressOf } from "../../common/router.js";
import { parseRules } from "../../rules/text.js";
import { say } from "../../words/index.js";

// The mines are laid around the first cell where the rules promise something of it, so it is part of the board.
/** @param {GameState} state */
async function firstCell(state) {
  if (!state.over || parseRules(state.rules)?.first === "any") return null;
  const found = /^open (\d+,\d+)/m.exec(await api.record(state.id));
  return found === null ? null : found[1];
}

/** @param {GameState | null} state */
export async function openShare(state) {
  if (state === null) return;
  const hasSeed = state.seed !== null && state.seed !== undefined;
  const values = { noguess: state.no_guess ? "1" : null };
  if (hasSeed) Object.assign(values, { seed: state.seed, first: await firstCell(state) });
  const link = `${location.origin}${location.pathname}${addressOf("play", { rules: state.rules, ...values })}`;
  const field = el("input", { readonly: true, value: link, "aria-label": say.game.link });
  field.value = link;
  const copied = el("span.small.soft", { role: "status" });
  const dialog = el("dialog", {
    "aria-label": say.game.share,
    onclose: () => {
      dialog.remove();
    },
  });
  const copy = async () => {
    await copyField(field);
    copied.textContent = say.common.copied;
    announce(say.common.copied);
  };
  dialog.append(
    el(
      "div.card-body",
      {},
      el("h2", {}, say.game.share),
      el(
        "p.soft.small",
        {},
        state.over && hasSeed
          ? state.guesses
            ? say.game.linkToDealt
            : say.game.linkToBoard
          : hasSeed
            ? say.game.linkToSeed
            : say.game.linkToRules,
      ),
      field,
      el(
        "div.row",
        {},
        button(say.common.copy, "share", { class: "primary", onclick: copy }),
        button(say.common.close, null, { onclick: () => dialog.close() }),
        copied,
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  field.select();
}
