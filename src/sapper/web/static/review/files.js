// Games from files: records and RawVF as text, binary replays of other programs as bytes.

export const SUFFIXES = [".avf", ".evf", ".rmv", ".mvf"];
const MOST_BYTES = 2_000_000;

/** What the server is asked to review. */
export async function readGameFile(file) {
  if (file.size > MOST_BYTES) throw new Error("The file is too large to be a game.");
  const suffix = SUFFIXES.find((one) => file.name.toLowerCase().endsWith(one));
  if (suffix === undefined) return { record: await file.text() };
  return { video: toBase64(new Uint8Array(await file.arrayBuffer())), suffix };
}

/** Bytes as text that JSON can hold. */
function toBase64(bytes) {
  let text = "";
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

// A game with a mistake, a guess that had to be, and bad luck.
const CELLS = `4,8 2,8 2,3 2,4 3,3 4,3 6,3 8,3 1,7 1,8 1,3 1,4 1,5 3,2 4,2 5,2 6,2 7,2 8,2 0,7 0,8 2,1 3,1 4,1 5,1 7,1 8,1
  2,0 3,0 6,0 0,4 0,3 0,6 1,0`;
export const EXAMPLE = `Sapper-Record: 1
Rules: 9x9/14 first-opening
Seed: 106
Moves:
${CELLS.split(/\s+/).map((cell) => `open ${cell}`).join("\n")}
`;
