// Export and deletion of a player's data.

import { api, messageOf } from "../../common/api.js";
import { button, el, icon, toast } from "../../common/dom.js";
import { say } from "../../words/index.js";

const PREFIX = "sapper.";

/** Forget what this browser and this tab remember. */
function forgetHere() {
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      for (const key of Object.keys(storage())) if (key.startsWith(PREFIX)) storage().removeItem(key);
    } catch {
      // A browser that keeps nothing has nothing to forget.
    }
  }
}

async function deleteAll() {
  try {
    await api.forgetMe();
  } catch (error) {
    toast(messageOf(error), true);
    return;
  }
  forgetHere();
  // Other modes may still show what is gone.
  location.hash = "#/you?deleted=1";
  location.reload();
}

function askToDelete() {
  const dialog = el(
    "dialog",
    {
      "aria-labelledby": "delete-title",
      id: "delete-dialog",
      onclose: () => {
        dialog.remove();
      },
    },
    el(
      "div.card-body",
      {},
      el("h2", { id: "delete-title" }, say.you.deleteTitle),
      el("p", {}, say.you.deleteAbout),
      el(
        "div.row",
        {},
        button(say.you.deleteAll, null, { class: "danger", id: "delete-confirm", onclick: deleteAll }),
        button(say.you.keepAll, null, {
          autofocus: true,
          onclick: () => {
            dialog.close();
          },
        }),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

export function dataCard() {
  /** @param {string} format @param {string} label @param {string | null} of */
  const file = (format, label, of = null) =>
    el(
      "a.button",
      { href: api.exportPath(format, of), download: "", "data-export": of ?? format },
      icon("download"),
      label,
    );
  return el(
    "section.card",
    { "aria-label": say.you.data },
    el("h2", {}, say.you.data),
    el("p.soft.small", {}, say.you.aboutData),
    el(
      "div.row.even",
      {},
      file("json", say.you.exportJson),
      file("csv", say.you.exportCsv),
      file("csv", say.you.exportPuzzles, "puzzles"),
    ),
    button(say.you.deleteAll, null, { id: "delete", onclick: askToDelete }),
  );
}
