// Chances as people read them. Never 0 % or 100 % unless it is certain; as in words.py.

import { say } from "../words/index.js";

/** @param {number} p @param {boolean} certain @param {number} places */
export function percent(p, certain = false, places = 0) {
  return say.common.percent(bare(p, certain, places));
}

/**
 * The same without the sign, for the small cells of a board.
 * @param {number} p
 * @param {boolean} certain
 * @param {number} places
 */
export function bare(p, certain = false, places = 0) {
  if (certain) return (100 * p).toFixed(0);
  const least = 10 ** -places;
  if (100 * p < least) return `<${least}`;
  if (100 * p > 100 - least) return `>${100 - least}`;
  return round(100 * p, places);
}

/**
 * As Python writes it: a tie goes to the even digit, where toFixed goes up.
 * @param {number} value
 * @param {number} places
 */
function round(value, places) {
  const scaled = value * 10 ** places;
  const isTie = scaled - Math.floor(scaled) === 0.5 && scaled / 10 ** places === value;
  if (!isTie) return value.toFixed(places);
  const even = 2 * Math.round(scaled / 2);
  return (even / 10 ** places).toFixed(places);
}
