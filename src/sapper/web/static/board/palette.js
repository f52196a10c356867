// The colours of a board: the same as in draw/palette.py, which a test holds this file to.

import { isDark, onSchemeChange } from "../common/theme.js";

export const LIGHT = {
  clues: ["#8a94a0", "#1d5fc4", "#14713a", "#b8231a", "#4b2a8c", "#7a3e00", "#0b6a70", "#1c1f23", "#5c636b"],
  open: "#f3f5f7",
  hidden: "#b4c0cd",
  edge: "#ffffff",
  flag: "#a3160d",
  exploded: "#d7372c",
  ink: "#1c1f23",
  faint: "#67717c",
};

export const DARK = {
  clues: ["#6d7782", "#82b6ff", "#74d592", "#ff9486", "#cba8ff", "#f2b566", "#66dada", "#f4f6f8", "#aeb6bf"],
  open: "#22272d",
  hidden: "#4a5663",
  edge: "#15181c",
  flag: "#ff9486",
  exploded: "#c8362b",
  ink: "#f4f6f8",
  faint: "#98a2ad",
};

// From safe to mined, even in lightness so that black ink is readable on all of them; blue to orange is told
// apart by colour-blind people as well. As in draw/terminal.py.
export const SCALE = ["#8fc1ff", "#a9cffb", "#c6dcf3", "#dfe5ea", "#f1e2cd", "#f7d3a4", "#fbc27a", "#ffb04d"];
export const SCALE_INK = "#14181d";
// On a dark page the same, dimmed: a lit board would glare. The ink keeps a contrast of 5 to 1.
const DIMMED = SCALE.map((colour) => mix(colour, DARK.edge, 0.28));
export const SURE_SAFE = "#1d5fc4";
export const SURE_MINE = "#a3160d";

// The colours of student report 002's board: white opened, red identified, blue clicked.
export const WATCH = {
  // The open cells are white in the dark as well, so their digits are those of light surroundings.
  clues: ["#5c636b", ...LIGHT.clues.slice(1)],
  light: { open: "#ffffff", hidden: "#aeb9c5", identified: "#c3261b", clicked: "#1d5fc4", edge: "#8794a1" },
  dark: { open: "#e6ebf0", hidden: "#4a5663", identified: "#c8362b", clicked: "#2f72d8", edge: "#15181c" },
};

// Lines of a chart: told apart by lightness, and by dashes and marks besides (lab/chart.js).
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
function mix(colour, other, share) {
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
  return scale[Math.min(scale.length - 1, Math.floor(p * scale.length))];
}

export const palette = () => (isDark() ? DARK : LIGHT);
export { isDark, onSchemeChange };
