// How clues are shown, as a choice: those that have a name, and whatever else is set.

import { el } from "../common/dom.js";
import { describeChannel } from "./text.js";
import { say } from "../words/index.js";

/** @param {Attributes} attributes */
export function channelSelect(attributes = {}) {
  return el(
    "select",
    attributes,
    ...Object.entries(say.rules.channels).map(([value, label]) => el("option", { value }, label)),
  );
}

/**
 * Show a channel in such a choice; one that is not in it yet is added.
 * @param {HTMLSelectElement} select
 * @param {string} channel
 */
export function chooseChannel(select, channel) {
  const isThere = [...select.options].some((one) => one.value === channel);
  if (!isThere) select.append(el("option", { value: channel }, describeChannel(channel).join("; ")));
  select.value = channel;
}
