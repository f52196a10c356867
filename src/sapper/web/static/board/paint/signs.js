// The signs of the board: flag, mine, check and crosses, on a square of 24 units in the middle of a cell.

/** @typedef {CanvasRenderingContext2D} Context */

/**
 * Draw on 24 x 24 units in the middle of a cell.
 * @param {Context} ctx
 * @param {{ size: number, height: number }} cell
 * @param {(ctx: Context) => void} draw
 */
export function onUnits(ctx, { size, height }, draw) {
  ctx.save();
  ctx.translate(0, (height - size) / 2);
  ctx.scale(size / 24, size / 24);
  draw(ctx);
  ctx.restore();
}

/** A pennant at a pole. @param {Context} ctx @param {string} cloth @param {string} pole */
export function flag(ctx, cloth, pole) {
  ctx.fillStyle = pole;
  ctx.beginPath();
  ctx.roundRect(7.4, 4.6, 2.1, 14, 1);
  ctx.roundRect(5.2, 17.6, 6.5, 2, 1);
  ctx.fill();
  ctx.fillStyle = cloth;
  ctx.beginPath();
  ctx.moveTo(9.5, 4.9);
  ctx.bezierCurveTo(12.4, 3.6, 14.6, 6.6, 18.6, 5.2);
  ctx.lineTo(16.4, 8.9);
  ctx.lineTo(18.6, 12.4);
  ctx.bezierCurveTo(14.6, 13.8, 12.4, 10.9, 9.5, 12.2);
  ctx.closePath();
  ctx.fill();
}

/** @param {Context} ctx @param {string} colour @param {boolean} isBursting */
export function mine(ctx, colour, isBursting = false) {
  ctx.translate(12, 12);
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineCap = "round";
  ctx.lineWidth = isBursting ? 1.8 : 2;
  const reach = isBursting ? 8.6 : 7;
  for (let ray = 0; ray < 8; ray += 1) {
    ctx.rotate(Math.PI / 4);
    ctx.beginPath();
    ctx.moveTo(0, 0);
    ctx.lineTo(0, ray % 2 ? reach : reach - (isBursting ? 1.6 : 0.8));
    ctx.stroke();
  }
  ctx.beginPath();
  ctx.arc(0, 0, isBursting ? 4.4 : 4.9, 0, 2 * Math.PI);
  ctx.fill();
  if (isBursting) return;
  ctx.fillStyle = "rgba(255,255,255,0.55)";
  ctx.beginPath();
  ctx.arc(-1.7, -1.7, 1.2, 0, 2 * Math.PI);
  ctx.fill();
}

/** @param {Context} ctx @param {string} colour */
export function check(ctx, colour) {
  line(ctx, colour, 2.6, [6.5, 12.5, 10.5, 16.5, 17.5, 8]);
}

/** @param {Context} ctx @param {string} colour */
export function cross(ctx, colour) {
  line(ctx, colour, 2.2, [6, 6, 18, 18]);
  line(ctx, colour, 2.2, [18, 6, 6, 18]);
}

/**
 * A small tick or cross in the corner: what the cell shows stays readable.
 * @param {Context} ctx
 * @param {string} ground
 * @param {boolean} isRight
 */
export function cornerSign(ctx, ground, isRight) {
  ctx.beginPath();
  ctx.arc(18.5, 5.5, 5, 0, 2 * Math.PI);
  ctx.fillStyle = ground;
  ctx.fill();
  if (isRight) {
    line(ctx, "#ffffff", 1.6, [16.2, 5.6, 17.9, 7.4, 20.9, 3.8]);
    return;
  }
  line(ctx, "#ffffff", 1.6, [16.5, 3.5, 20.5, 7.5]);
  line(ctx, "#ffffff", 1.6, [20.5, 3.5, 16.5, 7.5]);
}

/** A triangle, as on a button that starts something. @param {Context} ctx @param {string} colour */
export function pointer(ctx, colour) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.moveTo(9.2, 6.8);
  ctx.lineTo(17.4, 12);
  ctx.lineTo(9.2, 17.2);
  ctx.closePath();
  ctx.fill();
}

/** @param {Context} ctx @param {string} colour @param {number} width @param {number[]} points x, y, x, y … */
function line(ctx, colour, width, points) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.lineCap = ctx.lineJoin = "round";
  ctx.beginPath();
  for (let at = 0; at < points.length; at += 2) ctx.lineTo(points[at], points[at + 1]);
  ctx.stroke();
}
