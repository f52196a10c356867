// "Why not my cell?": two layouts that fit every clue, one with a mine there and one without, as pictures.

import { Board } from "../../board/board.js";
import { cellName, el } from "../../common/dom.js";
import { parsePosition } from "../../board/cells/position.js";
import { say } from "../../words/index.js";

const SMALLEST = 4; // css pixels of a cell
const LARGEST = 26;
const WIDE = 14; // columns, from which the two stand one below the other

/**
 * Two small boards side by side, to be destroyed after use; a cell where they differ is marked.
 * @param {string} position
 * @param {[Cell[], Cell[]]} layouts
 * @param {Cell} cell
 */
export function twoLayouts(position, layouts, cell) {
  const [withMine, without] = layouts.map((mines) => new Set(mines.map(String)));
  const differing = layouts
    .flat()
    .filter((one) => withMine.has(String(one)) !== without.has(String(one)) && String(one) !== String(cell));
  const name = cellName(cell);
  const shown = [say.train.withMine(name), say.train.withoutMine(name)].map((label, at) => {
    const stage = el("div");
    const board = new Board(stage, { label, smallest: SMALLEST, largest: LARGEST });
    board.setPosition(parsePosition(position));
    board.setTruth(layouts[at]);
    board.setMarks({ area: differing, last: [cell] });
    return { board, figure: el("figure", {}, el("figcaption", {}, label), stage) };
  });
  const { cols } = parsePosition(position);
  const figures = shown.map(({ figure }) => figure);
  return {
    element: el(cols >= WIDE ? "div.two-layouts.wide" : "div.two-layouts", {}, ...figures),
    destroy: () => shown.forEach(({ board }) => board.destroy()),
  };
}
