// Whether the server has a newer page than this one. It may, once it has been away.

import { addressAt } from "../common/connection.js";
import { byId } from "../common/dom.js";

const VERSION = /\/static\/([0-9a-f]{16})\//.exec(import.meta.url)?.[1];

export async function isUpgraded() {
  if (VERSION === undefined) return false;
  try {
    const answer = await fetch(addressAt("/"), { cache: "no-cache" });
    return answer.ok && !(await answer.text()).includes(VERSION);
  } catch {
    return false;
  }
}

/** Say so, and leave it to people when to load the new page. */
export async function offerUpgrade() {
  if (await isUpgraded()) byId("upgraded").hidden = false;
}

byId("upgraded-reload").addEventListener("click", () => location.reload());
