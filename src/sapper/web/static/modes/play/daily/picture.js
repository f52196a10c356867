// The picture of a result: when, how fast and among whom, but nothing of the board.

import { DARK, LIGHT } from "../../../constants.js";
import { contextOf } from "../../../common/dom.js";
import { flag } from "../../../board/paint/signs.js";

const WIDE = 1000;
const TALL = 420;
const EDGE = 56;
const GROUND = "#12363a";
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{ title: string, about: string, result: string, note: string, bins: number[], ownBin: number | null }} told
 */
export function drawResult(canvas, { title, about, result, note, bins, ownBin }) {
  canvas.width = WIDE;
  canvas.height = TALL;
  const ctx = contextOf(canvas);
  ctx.fillStyle = GROUND;
  ctx.fillRect(0, 0, WIDE, TALL);
  tile(ctx, EDGE, EDGE - 4, 84);
  write(ctx, title, EDGE + 108, EDGE + 34, 40, 800, LIGHT.tile_ink);
  write(ctx, about, EDGE + 108, EDGE + 74, 27, 500, "#b9d3d1");
  write(ctx, result, EDGE, 284, 112, 800, LIGHT.flag);
  write(ctx, note, EDGE, 350, 28, 500, LIGHT.tile_ink);
  bars(ctx, bins, ownBin);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} size */
function tile(ctx, x, y, size) {
  ctx.fillStyle = "#0b2426";
  rounded(ctx, x, y, size, size, 16);
  ctx.fillStyle = DARK.hidden;
  rounded(ctx, x, y, size, size * 0.92, 16);
  ctx.save();
  ctx.translate(x, y - 2);
  ctx.scale(size / 24, size / 24);
  flag(ctx, LIGHT.flag, LIGHT.tile_ink);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {number[]} bins @param {number | null} ownBin */
function bars(ctx, bins, ownBin) {
  const left = 560;
  const wide = (WIDE - EDGE - left) / bins.length;
  const most = Math.max(1, ...bins);
  bins.forEach((n, at) => {
    const tall = n === 0 ? 5 : Math.max(14, (n / most) * 170);
    ctx.fillStyle = at === ownBin ? LIGHT.flag : "#3f8289";
    rounded(ctx, left + at * wide + 3, 350 - tall, wide - 6, tall, 5);
  });
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} radius
 */
function rounded(ctx, x, y, width, height, radius) {
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, Math.min(radius, height / 2));
  ctx.fill();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {number} weight
 * @param {string} colour
 */
function write(ctx, text, x, y, size, weight, colour) {
  ctx.fillStyle = colour;
  ctx.font = `${weight} ${size}px ${FONT}`;
  ctx.fillText(text, x, y, WIDE - EDGE - x);
}
