// Games from files: records and RawVF as text, binary replays of other programs as bytes.

import { say } from "../../words/index.js";

export const SUFFIXES = [".avf", ".evf", ".rmv", ".mvf"];
const MOST_BYTES = 2_000_000;

/** What the server is asked to review. @param {File} file @returns {Promise<Reviewed>} */
export async function readGameFile(file) {
  if (file.size > MOST_BYTES) throw new Error(say.review.tooLarge);
  const suffix = SUFFIXES.find((one) => file.name.toLowerCase().endsWith(one));
  if (suffix === undefined) return { record: await file.text() };
  return { video: toBase64(new Uint8Array(await file.arrayBuffer())), suffix };
}

/** Bytes as text that JSON can hold. @param {Uint8Array} bytes */
function toBase64(bytes) {
  let text = "";
  // In chunks: the number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

// A game with a mistake that gave wins away, a guess that had to be, and bad luck.
const CELLS =
  "0,0 0,3 0,4 2,4 3,4 6,5 0,5 1,5 2,5 3,5 4,5 7,5 0,6 2,6 3,6 5,6 8,6 " +
  "7,7 2,8 3,7 4,7 1,8 3,8 4,8 8,0 6,6 8,7 7,8 8,8 5,7";
export const EXAMPLE = `Sapper-Record: 1
Rules: 9x9/14 first-opening
Seed: 113
Moves:
${CELLS.split(" ")
  .map((cell) => `open ${cell}`)
  .join("\n")}
`;
