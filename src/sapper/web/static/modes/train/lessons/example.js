// The worked example of a lesson: pictures that follow each other by themselves, or one by one.

import { Board } from "../../../board/board.js";
import { withCells } from "../../../common/coordinates.js";
import { announce, button, el, icon } from "../../../common/dom.js";
import { parsePosition } from "../../../board/cells/position.js";
import { rulerButton } from "../../../board/rulers.js";
import { say } from "../../../words/index.js";

const SHORTEST = 2600; // milliseconds that a picture is shown
const PER_CHARACTER = 58; // milliseconds to read its caption
const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Example {
  /** @type {Frame[]} */
  #frames = [];
  #at = 0;
  #timer = 0;
  #watcher = new IntersectionObserver(
    ([{ isIntersecting }]) => {
      if (!isIntersecting) return;
      this.#watcher.disconnect();
      this.#play();
    },
    { threshold: 0.6 },
  );

  constructor() {
    this.stage = el("div");
    this.board = new Board(this.stage, { label: say.train.exampleBoard, largest: 60, isRuled: true });
    /** @param {string} label @param {string} name @param {string} id @param {() => void} act */
    const square = (label, name, id, act) =>
      el("button.square", { type: "button", id, "aria-label": label, title: label, onclick: act }, icon(name));
    this.playButton = button(say.train.playExample, "start", { id: "example-play", onclick: () => this.toggle() });
    this.playButton.prepend(icon("pause"));
    this.backButton = square(say.train.frameBack, "back", "example-back", () => this.step(-1));
    this.onButton = square(say.train.frameOn, "step", "example-on", () => this.step(1));
    this.place = el("span.soft.small", {});
    this.total = el("span.badge.total", {});
    this.caption = el("p.caption", { id: "example-caption" });
    this.controls = el(
      "div.bar",
      {},
      el(
        "div.group.playing",
        {},
        this.backButton,
        this.playButton,
        this.onButton,
        rulerButton(true),
        this.place,
        this.total,
      ),
    );
  }

  /** Show the pictures of a lesson, from the first on or from where one left them. @param {Frame[]} frames */
  show(frames) {
    if (JSON.stringify(frames) !== JSON.stringify(this.#frames)) this.#at = 0;
    this.#frames = frames;
    this.#draw();
    this.pause();
    // No animation with reduced motion or out of view.
    if (!STILL.matches) this.#watcher.observe(this.stage);
  }

  get isPlaying() {
    return this.#timer !== 0;
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else {
      if (this.#at === this.#frames.length - 1) this.#at = 0;
      this.#draw();
      this.#play();
    }
  }

  /** @param {number} by */
  step(by) {
    this.pause();
    const at = Math.max(0, Math.min(this.#frames.length - 1, this.#at + by));
    if (at === this.#at) return;
    this.#at = at;
    this.#draw();
    announce(this.#frames[at].caption);
  }

  pause() {
    this.#watcher.disconnect();
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#showControls();
  }

  #play() {
    clearTimeout(this.#timer);
    const { caption } = this.#frames[this.#at];
    this.#timer = setTimeout(
      () => {
        if (this.#at === this.#frames.length - 1) {
          this.pause();
          return;
        }
        this.#at += 1;
        this.#draw();
        this.#play();
      },
      Math.max(SHORTEST, PER_CHARACTER * caption.length),
    );
    this.#showControls();
  }

  #showControls() {
    const { isPlaying } = this;
    const [pausing, starting, label] = this.playButton.children;
    pausing.toggleAttribute("hidden", !isPlaying);
    starting.toggleAttribute("hidden", isPlaying);
    label.textContent = isPlaying ? say.train.pauseExample : say.train.playExample;
    this.backButton.disabled = this.#at === 0;
    this.onButton.disabled = this.#at === this.#frames.length - 1;
  }

  #draw() {
    const frame = this.#frames[this.#at];
    const position = parsePosition(frame.position);
    this.board.setChances(null);
    this.board.setPosition(position);
    this.board.setChances(frame.risks.length ? chancesOf(position, frame.risks) : null);
    // The best cell comes first, and what it is compared with follows.
    const [best, ...others] = frame.chances.map(({ cell }) => cell);
    this.board.setMarks({ ...frame.lit, best: best ? [best] : [], area: [...(frame.lit.area ?? []), ...others] });
    this.caption.replaceChildren(...withCells(frame.caption));
    this.total.textContent = position.total === null ? "" : say.rules.mines(position.total);
    this.total.classList.toggle("lit", frame.total);
    this.place.textContent = say.train.frameOf(this.#at + 1, this.#frames.length);
    this.#showControls();
  }
}

/**
 * Risks of some cells as the board shows chances.
 * @param {Position} position
 * @param {Frame["risks"]} risks
 * @returns {Chances}
 */
function chancesOf({ rows, cols }, risks) {
  const p = Array.from({ length: rows }, () => Array(cols).fill(null));
  for (const {
    cell: [row, col],
    p_mine: risk,
  } of risks) {
    p[row][col] = risk;
  }
  /** @param {number} value */
  const cells = (value) => risks.filter(({ p_mine: risk }) => risk === value).map(({ cell }) => cell);
  return { p, safe: cells(0), mines: cells(1) };
}
