// Mouse and touch on a board: click, right click, both buttons, middle or double click, tap, long press, wheel, pinch.
//
// One finger scrolls (the browser does that), two fingers zoom.

import { isClosed } from "./cells/position.js";

const LONG_PRESS = 420; // milliseconds
const SLACK = 9; // css pixels that a still finger may move

/**
 * @typedef {object} Press
 * @property {Cell} cell
 * @property {number} button
 * @property {number} x
 * @property {number} y
 * @property {boolean} isTouch
 * @property {boolean} isDone whether it has had its effect
 * @property {ReturnType<typeof setTimeout>} [timer]
 */

/** @param {Board} board @param {BoardOptions} options */
export function attachGestures(board, options) {
  const { canvas, scroller } = board;
  attachZoom(board);
  if (!options.act) return;
  const { act } = options;
  /** @type {Press | null} */
  let down = null;

  const end = () => {
    clearTimeout(down?.timer);
    down = null;
    board.setPressed(null);
  };

  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("mousedown", (event) => {
    // The middle button must not start the browser's own scrolling, nor a click take the focus from the grid.
    event.preventDefault();
    // The second of both buttons: only the first makes a pointer go down.
    if (down && !down.isTouch && !down.isDone && (event.buttons & 3) === 3) {
      down.isDone = true;
      use("chord", down.cell);
    }
  });
  canvas.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary) {
      end();
      return;
    }
    const cell = board.cellAt(event.clientX, event.clientY);
    if (cell === null) return;
    down = {
      cell,
      button: event.button,
      x: event.clientX,
      y: event.clientY,
      isTouch: event.pointerType === "touch",
      isDone: false,
    };
    board.setPressed(cell);
    options.press?.();
    // On a number the right button may be the first of both.
    if (options.flagsOnPress && event.button === 2 && isClosed(board.codeAt(...cell))) {
      down.isDone = true;
      use("flag", cell);
    }
    if (down.isTouch) {
      const held = down;
      held.timer = setTimeout(() => {
        held.isDone = true;
        board.setPressed(null);
        navigator.vibrate?.(15);
        use("flag", held.cell);
      }, LONG_PRESS);
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") {
      const cell = board.cellAt(event.clientX, event.clientY);
      board.setHover(cell);
      if (down && options.drag && event.buttons === 1 && cell !== null) options.drag(cell[0], cell[1]);
      if (down && (cell === null || cell[0] !== down.cell[0] || cell[1] !== down.cell[1])) board.setPressed(null);
      else if (down) board.setPressed(cell);
    }
    if (down?.isTouch && Math.hypot(event.clientX - down.x, event.clientY - down.y) > SLACK) end();
  });
  canvas.addEventListener("pointerleave", () => {
    board.setHover(null);
    if (down && !down.isTouch) end();
  });
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerup", (event) => {
    const held = down;
    end();
    if (!held || held.isDone) return;
    const cell = board.cellAt(event.clientX, event.clientY);
    if (cell === null || cell[0] !== held.cell[0] || cell[1] !== held.cell[1]) return;
    if (held.button === 2) use("flag", cell);
    else if (held.button === 1) use("chord", cell);
    else if (held.button === 0) use(held.isTouch ? "tap" : "open", cell);
  });
  canvas.addEventListener("dblclick", (event) => {
    const cell = board.cellAt(event.clientX, event.clientY);
    if (cell !== null) use("double", cell);
  });

  /** @param {BoardAction} action @param {Cell} cell */
  function use(action, cell) {
    board.grid.setCursor(cell[0], cell[1], { focus: true, byPointer: true });
    act(action, cell[0], cell[1]);
  }
  scroller.addEventListener("scroll", () => down?.isTouch && end(), { passive: true });
}

/** @param {Board} board */
function attachZoom(board) {
  const { scroller } = board;
  scroller.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      board.zoomBy(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) / 180), event.clientX, event.clientY);
    },
    { passive: false },
  );

  // Two fingers: what is between them stays between them, so they move the board as well as its size.
  /** @type {{ apart: number, x: number, y: number } | null} */
  let pinch = null;
  /** @param {TouchList} touches */
  const measure = ([one, two]) => ({
    apart: Math.max(1, Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY)),
    x: (one.clientX + two.clientX) / 2,
    y: (one.clientY + two.clientY) / 2,
  });
  scroller.addEventListener(
    "touchstart",
    (event) => {
      pinch = event.touches.length === 2 ? measure(event.touches) : null;
      // A scroll that the browser has begun already cannot be called off.
      if (pinch && event.cancelable) event.preventDefault();
    },
    { passive: false },
  );
  scroller.addEventListener(
    "touchmove",
    (event) => {
      if (pinch === null) return;
      if (event.cancelable) event.preventDefault();
      const now = measure(event.touches);
      scroller.scrollBy(pinch.x - now.x, pinch.y - now.y);
      board.zoomBy(now.apart / pinch.apart, now.x, now.y);
      pinch = now;
    },
    { passive: false },
  );
  for (const name of ["touchend", "touchcancel"]) {
    scroller.addEventListener(name, () => {
      pinch = null;
    });
  }
}
