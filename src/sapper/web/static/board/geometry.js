// Where cells lie, in whole device pixels: squares, tori (with a rim that repeats the far edge) and hexagons.

const RATIO = Math.sqrt(3) / 2; // row pitch of pointy hexagons / their width

export class Geometry {
  /** @param {Grid} grid @param {number} size width of a cell in device pixels */
  constructor({ shape, rows, cols }, size) {
    this.shape = shape;
    this.rows = rows;
    this.cols = cols;
    this.size = size;
    this.isHex = shape === "hex";
    // The rim shows the cells of the opposite edge, faintly: they are neighbours.
    this.rim = shape === "torus" ? size : 0;
    this.pitch = this.isHex ? Math.max(1, Math.round(size * RATIO)) : size;
    this.height = this.isHex ? Math.round(size / RATIO) : size; // of one cell
    this.half = this.isHex ? Math.floor(size / 2) : 0;
    this.contentWidth = cols * size + 2 * this.rim + this.half;
    this.contentHeight = (rows - 1) * this.pitch + this.height + 2 * this.rim;
  }

  /**
   * Top left corner of a cell's box. Rows and columns outside the board are those of the rim.
   * @param {number} row
   * @param {number} col
   */
  left(row, col) {
    return this.rim + col * this.size + (this.isHex && row % 2 ? this.half : 0);
  }

  /** @param {number} row */
  top(row) {
    return this.rim + row * this.pitch;
  }

  /**
   * The rows and columns whose boxes meet an area, the rim included.
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  range(x, y, width, height) {
    const rim = this.rim ? 1 : 0;
    /** @param {number} value @param {number} most */
    const clamp = (value, most) => Math.max(-rim, Math.min(most - 1 + rim, value));
    return {
      firstRow: clamp(Math.floor((y - this.rim - (this.height - this.pitch)) / this.pitch), this.rows),
      lastRow: clamp(Math.floor((y + height - this.rim) / this.pitch), this.rows),
      firstCol: clamp(Math.floor((x - this.rim - this.half) / this.size), this.cols),
      lastCol: clamp(Math.floor((x + width - this.rim) / this.size), this.cols),
    };
  }

  /**
   * The cell at a point, or null. A point on the rim is the cell that it repeats.
   * @param {number} x
   * @param {number} y
   * @returns {Cell | null}
   */
  hit(x, y) {
    if (this.isHex) return this.#hitHex(x, y);
    const row = Math.floor((y - this.rim) / this.size);
    const col = Math.floor((x - this.rim) / this.size);
    const rim = this.rim ? 1 : 0;
    if (row < -rim || row >= this.rows + rim || col < -rim || col >= this.cols + rim) return null;
    return [(row + this.rows) % this.rows, (col + this.cols) % this.cols];
  }

  /** @param {number} x @param {number} y */
  #hitHex(x, y) {
    // The nearest centre is the right one: hexagons are the Voronoi cells of their centres.
    const around = Math.floor(y / this.pitch);
    /** @type {Cell | null} */
    let best = null;
    let least = (this.size * 0.62) ** 2;
    for (const row of [around - 1, around, around + 1]) {
      if (row < 0 || row >= this.rows) continue;
      const guess = Math.floor((x - (row % 2 ? this.half : 0)) / this.size);
      for (const col of [guess - 1, guess, guess + 1]) {
        if (col < 0 || col >= this.cols) continue;
        const dx = this.left(row, col) + this.size / 2 - x;
        const dy = this.top(row) + this.height / 2 - y;
        const distance = dx * dx + dy * dy;
        if (distance < least) {
          least = distance;
          best = [row, col];
        }
      }
    }
    return best;
  }
}
