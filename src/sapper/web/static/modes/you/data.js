// What is kept of somebody: as a file, or no longer.

import { api } from "../../common/api.js";
import { button, el, icon, toast } from "../../common/dom.js";

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
    toast(error.message, true);
    return;
  }
  forgetHere();
  // Other modes may still show what is gone.
  location.hash = "#/you?deleted=1";
  location.reload();
}

function askToDelete() {
  const dialog = el("dialog", { "aria-labelledby": "delete-title", id: "delete-dialog", onclose: () => dialog.remove() },
    el("div.card-body", {},
      el("h2", { id: "delete-title" }, "Delete everything?"),
      el("p", {}, "Your games, results and streaks are deleted from the server, and your settings from this browser. This cannot be undone."),
      el("div.row", {},
        button("Delete everything", null, { class: "danger", id: "delete-confirm", onclick: deleteAll }),
        button("Keep everything", null, { autofocus: true, onclick: () => dialog.close() }))));
  document.body.append(dialog);
  dialog.showModal();
}

export function dataCard() {
  const file = (format, label) => el("a.button", { href: api.exportPath(format), download: "", "data-export": format }, icon("download"), label);
  return el("section.card", { "aria-label": "Your data" },
    el("h2", {}, "Your data"),
    el("p.soft.small", {}, "Results are kept for this browser: whoever has its cookie. The file in JSON also holds the moves of your newest 200 games."),
    el("div.row.even", {}, file("json", "Export as JSON"), file("csv", "Export as CSV")),
    button("Delete everything", null, { id: "delete", onclick: askToDelete }));
}
