// An agent in a sentence, with the reports that it comes from, and the rest about it.

import { el } from "../../common/dom.js";
import { addressOf } from "../../common/router.js";
import { say } from "../../words/index.js";

/** @param {Info} info @param {string} name */
export function introduction({ agents, presets }, name) {
  const agent = agents.find((one) => one.name === name);
  if (agent === undefined) return [];
  const { summary, about, reports } = agent;
  const rest = about.slice(summary.length).trim();
  const links = reports
    .filter((number) => `report-${number}` in presets)
    .map((number) =>
      el("a", { href: addressOf("watch", { rules: `report-${number}`, agent: name }) }, say.watch.onReport(number)),
    );
  return [
    el("p.small", {}, summary),
    links.length > 0 && el("p.small.row", {}, ...links),
    rest !== "" && el("details", {}, el("summary.small", {}, say.watch.more), el("p.small.soft", {}, rest)),
  ].filter((part) => part !== false);
}
