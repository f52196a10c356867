// Rows and columns counted along the edges of a board, on request: two strips beside the picture that go along with it.

import { announce, contextOf, el, icon, isTyping, targetOf } from "../common/dom.js";
import { changeSetting, isChosen, isOn, onSetting } from "../common/settings.js";
import { say } from "../words/index.js";

const KEY = "g";
const TALL = 18; // css pixels of the strip above the board
const FONT = 11; // css pixels
const WIDE = 560; // css pixels of a stage
const STEPS = [1, 2, 5, 10, 20, 50, 100];

// By default, boards that texts refer to have them, and others do not.
/** @param {boolean | undefined} isUsual */
const isShown = (isUsual) => (isChosen("rulers") ? isOn("rulers") : Boolean(isUsual));

/** @param {boolean | undefined} isUsual */
function toggle(isUsual) {
  changeSetting("rulers", isShown(isUsual) ? "off" : "on");
  announce(isOn("rulers") ? say.board.rulersShown : say.board.rulersHidden);
}

document.addEventListener("keydown", (event) => {
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    isTyping(event.target) ||
    event.key.toLowerCase() !== KEY
  ) {
    return;
  }
  // As with the other letters: where they are not wanted, on the board or with Alt alone.
  if (event.altKey !== (!isOn("keys") && !targetOf(event)?.closest("[role=grid]"))) return;
  /** @type {HTMLElement | null} */
  const mode = document.querySelector(".mode:not([hidden])");
  if (document.querySelector("dialog[open]") === null && mode?.querySelector(".stage")) {
    toggle(mode.board?.isRuled);
  }
});

/** A button that shows or hides the rulers of all boards; `isUsual`: whether those beside it are shown unasked. */
export function rulerButton(isUsual = false) {
  const made = el(
    "button.square.ruling",
    {
      type: "button",
      "aria-label": say.board.rulers,
      title: say.board.rulersTitle,
      "aria-keyshortcuts": "G",
      onclick: () => toggle(isUsual),
    },
    icon("ruler"),
  );
  const show = () => made.setAttribute("aria-pressed", String(isShown(isUsual)));
  onSetting(show);
  show();
  return made;
}

export class Rulers {
  #drawn = ""; // what is drawn now, so that a frame that changes nothing of it costs nothing
  #colour = "";

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.columns = el("canvas.ruler", { "aria-hidden": "true" });
    this.rows = el("canvas.ruler", { "aria-hidden": "true" });
    board.stage.append(this.columns, this.rows);
    this.destroy = onSetting((name) => name === "rulers" && board.layOut());
  }

  get #isShown() {
    return isShown(this.board.isRuled);
  }

  /** Whether the strips have room: where there is plenty, nothing moves when they come. */
  get #hasRoom() {
    const isWide = this.board.stage.clientWidth >= WIDE;
    return this.#isShown || (isWide && Boolean(this.board.options.keepsRulerRoom));
  }

  /** Css pixels that the strip above the board takes. */
  get height() {
    return this.#hasRoom ? TALL : 0;
  }

  get #width() {
    return 8 + 7 * String(this.board.position.rows - 1).length;
  }

  /** Make room, or give it back, before the board is measured. */
  layOut() {
    const { stage } = this.board;
    stage.classList.toggle("ruled", this.#isShown);
    stage.classList.toggle("ruler-room", this.#hasRoom);
    stage.style.setProperty("--ruler", `${this.#width}px`);
    this.#drawn = "";
    if (this.#isShown) this.#colour = getComputedStyle(this.columns).color;
  }

  /**
   * Draw the numbers of the rows and columns in sight; `x` and `y`: where on the board the picture begins.
   * @param {number} x
   * @param {number} y
   */
  draw(x, y) {
    const { canvas, geometry, ratio, scroller } = this.board;
    if (!this.board.stage.classList.contains("ruled")) return;
    const drawn = [x, y, geometry.size, canvas.width, canvas.height].join();
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const width = this.#width;
    // A board smaller than its window has them at its own edge.
    place(
      this.columns,
      scroller.offsetLeft,
      scroller.offsetTop - TALL + Math.max(0, -y) / ratio,
      canvas.width,
      TALL * ratio,
      ratio,
    );
    place(
      this.rows,
      scroller.offsetLeft - width + Math.max(0, -x) / ratio,
      scroller.offsetTop,
      width * ratio,
      canvas.height,
      ratio,
    );
    const { firstRow, lastRow, firstCol, lastCol } = geometry.range(x, y, canvas.width, canvas.height);
    const { rows, cols } = this.board.position;
    const digits = String(Math.max(0, cols - 1)).length;
    const middle = geometry.left(0, 0) + (geometry.size + geometry.half) / 2 - x;
    this.#write(this.columns, firstCol, Math.min(lastCol, cols - 1), geometry.size, (digits * 7 + 5) * ratio, (at) => [
      middle + at * geometry.size,
      (TALL * ratio) / 2,
    ]);
    const down = geometry.top(0) + geometry.height / 2 - y;
    this.#write(this.rows, firstRow, Math.min(lastRow, rows - 1), geometry.pitch, (FONT + 2) * ratio, (at) => [
      (width * ratio) / 2,
      down + at * geometry.pitch,
    ]);
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {number} first
   * @param {number} last
   * @param {number} pitch
   * @param {number} room
   * @param {(at: number) => Cell} placeOf
   */
  #write(canvas, first, last, pitch, room, placeOf) {
    const step = STEPS.find((one) => one * pitch >= room) ?? STEPS[STEPS.length - 1];
    const context = contextOf(canvas);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = this.#colour;
    context.font = `${FONT * this.board.ratio}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (let at = Math.ceil(Math.max(0, first) / step) * step; at <= last; at += step) {
      context.fillText(String(at), ...placeOf(at));
    }
  }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {number} left
 * @param {number} top
 * @param {number} width
 * @param {number} height
 * @param {number} ratio
 */
function place(canvas, left, top, width, height, ratio) {
  const [wide, tall] = [Math.round(width), Math.round(height)];
  if (canvas.width !== wide || canvas.height !== tall) {
    canvas.width = wide;
    canvas.height = tall;
    canvas.style.width = `${wide / ratio}px`;
    canvas.style.height = `${tall / ratio}px`;
  }
  canvas.style.translate = `${left}px ${top}px`;
}
