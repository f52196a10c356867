// Which cells touch, as in topology.py.

const EIGHT = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];
const SIX_EVEN = [[-1, -1], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 0]];
const SIX_ODD = [[-1, 0], [-1, 1], [0, -1], [0, 1], [1, 0], [1, 1]];
const FOUR = [[-1, 0], [0, -1], [0, 1], [1, 0]];
const KNIGHT = [[-2, -1], [-2, 1], [-1, -2], [-1, 2], [1, -2], [1, 2], [2, -1], [2, 1]];

// By shape: the steps to a neighbour from an even and from an odd row.
const STEPS = { square: [EIGHT, EIGHT], torus: [EIGHT, EIGHT], hex: [SIX_EVEN, SIX_ODD], knight: [KNIGHT, KNIGHT], orthogonal: [FOUR, FOUR] };

export const isShape = (word) => Object.hasOwn(STEPS, word);

/** Whether cells touch that are not drawn side by side, or the other way round. */
export const hidesNeighbours = ({ shape }) => shape === "knight" || shape === "orthogonal";

/** The cells that touch (row, col), as [row, col]. */
export function neighboursOf({ shape, rows, cols }, row, col) {
  const steps = STEPS[shape][row % 2];
  const found = new Map();
  for (const [down, right] of steps) {
    let r = row + down;
    let c = col + right;
    if (shape === "torus") {
      r = (r + rows) % rows;
      c = (c + cols) % cols;
    }
    const isHome = r === row && c === col;
    if (r >= 0 && r < rows && c >= 0 && c < cols && !isHome) found.set(r * cols + c, [r, c]);
  }
  return [...found.values()];
}

/** Where an arrow key leads: around the edge on a torus, nowhere past it elsewhere. */
export function step({ shape, rows, cols }, row, col, down, right) {
  if (shape === "torus") return [(row + down + rows) % rows, (col + right + cols) % cols];
  return [Math.min(rows - 1, Math.max(0, row + down)), Math.min(cols - 1, Math.max(0, col + right))];
}
