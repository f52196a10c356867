// The colours of a board. Those that other pictures share come from draw/palette.py.

import { isDark } from "../../common/theme.js";
import { DARK, LIGHT, SCALE, SCALE_STEPS } from "../../constants.js";

// The scale of risks, dimmed on a dark page: a lit board would glare. The ink keeps a contrast of 5 to 1.
const DIMMED = SCALE.map((colour) => mix(colour, DARK.edge, 0.28));

// The colours of student report 002's board: white opened, red identified, blue clicked.
export const WATCH = {
  // The open cells are white in the dark as well, so their digits are those of light surroundings.
  clues: ["#5c636b", ...LIGHT.clues.slice(1)],
  light: { open: "#ffffff", hidden: LIGHT.hidden, identified: "#c3261b", clicked: "#1d5fc4", edge: "#d5dad6" },
  dark: { open: "#e6ebf0", hidden: DARK.hidden, identified: "#c8362b", clicked: "#2f72d8", edge: "#b9c0c0" },
};

// Lines of a chart: they differ in lightness, dashes and markers (lab/chart.js).
export const SERIES = {
  light: ["#1d5fc4", "#b8231a", "#14713a", "#7a3e00", "#4b2a8c", "#0b6a70", "#1c1f23", "#a0457f"],
  dark: ["#82b6ff", "#ff9486", "#74d592", "#f2b566", "#cba8ff", "#66dada", "#f4f6f8", "#f39ad0"],
};

/**
 * The part `share` of a colour replaced by another; both as #rrggbb.
 * @param {string} colour
 * @param {string} other
 * @param {number} share
 */
export function mix(colour, other, share) {
  /** @param {string} text */
  const parts = (text) => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));
  const others = parts(other);
  return `#${parts(colour)
    .map((part, at) =>
      Math.round(part + (others[at] - part) * share)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

/** The colour of a chance from 0 to 1. @param {number} p */
export function chanceColour(p) {
  const scale = isDark() ? DIMMED : SCALE;
  return scale[SCALE_STEPS.filter((least) => p >= least).length];
}

export const palette = () => (isDark() ? DARK : LIGHT);
