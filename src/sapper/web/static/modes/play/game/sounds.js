// Short synthesised sounds, off by default.

import { isOn } from "../../../common/settings.js";

// Each note: hertz, seconds until it begins, seconds that it lasts, loudness.
/** @type {Record<"open" | "flag" | "win" | "loss", [number, number, number, number][]>} */
const SOUNDS = {
  open: [[520, 0, 0.05, 0.12]],
  flag: [
    [760, 0, 0.06, 0.14],
    [980, 0.05, 0.06, 0.1],
  ],
  win: [
    [523, 0, 0.14, 0.16],
    [659, 0.11, 0.14, 0.16],
    [784, 0.22, 0.14, 0.16],
    [1047, 0.33, 0.32, 0.18],
  ],
  loss: [
    [196, 0, 0.22, 0.22],
    [139, 0.12, 0.38, 0.22],
  ],
};

/** @type {AudioContext | null} */
let audio = null;

/** @param {keyof typeof SOUNDS} name */
export function sound(name) {
  if (!isOn("sound")) return;
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
    for (const note of SOUNDS[name]) playNote(audio, ...note);
  } catch {
    // A device without sound.
  }
}

/**
 * @param {AudioContext} context
 * @param {number} hertz
 * @param {number} after
 * @param {number} seconds
 * @param {number} loudness
 */
function playNote(context, hertz, after, seconds, loudness) {
  const from = context.currentTime + after;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.value = hertz;
  // A sudden beginning or end would click.
  volume.gain.setValueAtTime(0.0001, from);
  volume.gain.exponentialRampToValueAtTime(loudness, from + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, from + seconds);
  tone.connect(volume).connect(context.destination);
  tone.start(from);
  tone.stop(from + seconds + 0.02);
}
