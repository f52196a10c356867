// Numbers drawn for the board: strokes on a square of 24 units, cut like the stencils that crates are marked with.

const STROKE = 3.2;
const CUT = 1.15;
const SHARP = 22; // from this many device pixels of a cell on, a cut is more than a blur

// Of each digit: its strokes, and where they are cut.
const DIGITS = [
  ["M12 5.4C14.9 5.4 16.4 8 16.4 12S14.9 18.6 12 18.6 7.6 16 7.6 12 9.1 5.4 12 5.4Z", "M12 3V8M12 16V21"],
  ["M8.2 9.2 12.5 6.2V18.6M8 18.6H17", "M9.6 16.4H15.4"],
  ["M7.8 9.4C7.8 7 9.5 5.4 12 5.4S16.3 7 16.3 9.2C16.3 11.8 14.2 13.4 8.4 18.6H16.9", "M9.9 13 14 17.6"],
  [
    "M7.9 8C8.4 6.4 9.9 5.4 12 5.4C14.4 5.4 16 6.7 16 8.7S14.4 11.8 12 11.8H10.4M12 11.8" +
      "C14.7 11.8 16.4 13.1 16.4 15.1S14.6 18.6 12 18.6C9.7 18.6 8.1 17.5 7.6 15.9",
    "M12.2 3V8M12.2 16V21",
  ],
  ["M14.4 19.9V5.4L7.4 15H17.6", "M11.6 6V18"],
  [
    "M16 5.4H9.2L8.5 11.9C9.4 11 10.6 10.5 12 10.5C14.8 10.5 16.4 12.1 16.4 14.5" +
      "S14.7 18.6 11.9 18.6C9.8 18.6 8.3 17.7 7.6 16.2",
    "M12.2 16V21M12.2 8V12.6",
  ],
  [
    "M15.9 7.5C15.1 6.1 13.9 5.4 12.3 5.4C9.2 5.4 7.6 8.2 7.6 12.4C7.6 16.4 9.2 18.6 12 18.6" +
      "S16.4 16.9 16.4 14.4 14.8 10.4 12.2 10.4C10.4 10.4 8.9 11.3 8.2 12.7",
    "M12.3 3V7.6M12.1 16V21",
  ],
  ["M7.4 5.4H16.2L10.2 19.9", "M11 8.6H19"],
  [
    "M12 5.4C14.2 5.4 15.8 6.6 15.8 8.5S14.2 11.6 12 11.6 8.2 10.4 8.2 8.5 9.8 5.4 12 5.4Z" +
      "M12 11.6C14.6 11.6 16.4 13 16.4 15.1S14.6 18.6 12 18.6 7.6 17.2 7.6 15.1 9.4 11.6 12 11.6Z",
    "M12 3V8M12 16V21",
  ],
  [
    "M8.1 16.5C8.9 17.9 10.1 18.6 11.7 18.6C14.8 18.6 16.4 15.8 16.4 11.6" +
      "C16.4 7.6 14.8 5.4 12 5.4S7.6 7.1 7.6 9.6 9.2 13.6 11.8 13.6C13.6 13.6 15.1 12.7 15.8 11.3",
    "M11.7 21V16.4M11.9 8V3",
  ],
];

/**
 * Draw a number in the middle of a cell.
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} number
 * @param {string} colour
 * @param {{ size: number, height: number }} cell
 * @param {number} share of the cell's width that a digit of 24 units gets
 */
export function drawNumber(ctx, number, colour, { size, height }, share) {
  // On a picture of its own, so that the cuts show what lies below it.
  const own = document.createElement("canvas");
  own.width = size;
  own.height = height;
  const pen = own.getContext("2d");
  if (pen === null) return;
  const unit = (size * share) / 24;
  const advance = 11.5 * unit;
  pen.strokeStyle = colour;
  [...number].forEach((digit, at) => {
    const middle = size / 2 + (at - (number.length - 1) / 2) * advance;
    const [strokes, cuts] = DIGITS[Number(digit)];
    pen.setTransform(unit, 0, 0, unit, middle - 12 * unit, height / 2 - 12 * unit);
    pen.lineWidth = STROKE;
    pen.stroke(new Path2D(strokes));
    if (size < SHARP) return;
    pen.globalCompositeOperation = "destination-out";
    pen.lineWidth = CUT;
    pen.stroke(new Path2D(cuts));
    pen.globalCompositeOperation = "source-over";
  });
  ctx.drawImage(own, 0, 0);
}
