// What agents did, step by step: the move, its reason and what was deduced.

import { withCells } from "../../common/coordinates.js";
import { cellName, el, moveName } from "../../common/dom.js";
import { percent } from "../../common/percent.js";
import { say } from "../../words/index.js";

const MOST_SHOWN = 4; // deductions per step

export class Log {
  #logged = 0; // steps

  constructor() {
    this.element = el("ol.log", { "aria-label": say.watch.log, tabindex: "0" });
  }

  /** Show the steps up to one. @param {number} count @param {import("./pane.js").Pane[]} panes */
  write(count, panes) {
    // The line that stands there before the first step goes with it.
    if (this.#logged === 0 || count === 0) this.element.replaceChildren();
    /** @type {NodeListOf<HTMLElement>} */
    const entries = this.element.querySelectorAll("[data-step]");
    for (const entry of entries) if (Number(entry.dataset.step) > count) entry.remove();
    this.#logged = Math.min(this.#logged, count);
    this.element.querySelector("[aria-current]")?.removeAttribute("aria-current");
    for (let k = this.#logged; k < count; k += 1) {
      for (const pane of panes) {
        if (pane.run && k < pane.run.length) this.element.append(entryOf(pane, k, panes.length > 1));
      }
    }
    this.#logged = count;
    if (count === 0) this.element.append(el("li.soft", {}, say.watch.logEmpty));
    else this.element.lastElementChild?.setAttribute("aria-current", "step");
    this.element.scrollTop = this.element.scrollHeight;
  }
}

/** @param {import("./pane.js").Pane} pane @param {number} k @param {boolean} isVersus */
function entryOf(pane, k, isVersus) {
  const step = /** @type {Step} */ (pane.run?.steps[k]);
  const move = step.moves.at(-1);
  const what = move ? moveName(move) : say.watch.nothing;
  const risk = step.p_mine ?? 0;
  const found = step.deductions;
  const shown = found.slice(0, MOST_SHOWN).map(({ cell, is_mine: isMine, reason }) => {
    const words = isMine ? say.watch.foundMine : say.watch.foundSafe;
    return el("p.found", {}, ...withCells(words(cellName(cell), reason)));
  });
  if (found.length > MOST_SHOWN) shown.push(el("p.found", {}, say.watch.andMore(found.length - MOST_SHOWN)));
  const head = isVersus ? say.watch.entryOf(k + 1, pane.agent, what) : say.watch.entry(k + 1, what);
  const entry = el(
    "li",
    { "data-step": String(k + 1) },
    el(
      "p",
      {},
      el("span.head", {}, ...withCells(head)),
      risk > 0 ? ` ${say.watch.entryRisk(percent(risk, risk === 1))}` : "",
    ),
    el("p", {}, ...withCells(step.reason)),
    ...shown,
  );
  entry.board = pane.element.board;
  return entry;
}
