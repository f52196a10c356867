// A player for Sapper's line protocol, in JSON: the two rules of single clues, else an arbitrary cell.
import { createInterface } from "node:readline";

function answer({ cells, rows, cols }, seed) {
  const all = Array.from({ length: rows * cols }, (_, n) => [Math.floor(n / cols), n % cols]);
  const shows = ([row, col]) => cells[row][col];
  const closed = all.filter((cell) => [-1, -2, -3].includes(shows(cell)));
  const near = ([r, c]) => closed.filter(([row, col]) => Math.abs(row - r) <= 1 && Math.abs(col - c) <= 1);
  const mines = new Set(closed.filter((cell) => shows(cell) === -3));
  for (const clue of all) if (near(clue).length === shows(clue)) near(clue).forEach((cell) => mines.add(cell));
  const isFree = (cell) => !mines.has(cell);
  const isDone = (clue) => near(clue).filter((cell) => mines.has(cell)).length === shows(clue);
  const done = all.filter(isDone);
  const safe = closed.filter((cell) => isFree(cell) && done.some((clue) => near(clue).includes(cell)));
  const choice = safe.length ? safe : closed.filter(isFree);
  const move = choice.length ? { open: choice[seed % choice.length] } : { stop: true };
  return { ...move, mines: [...mines], safe, reason: safe.length ? "a clue has all its mines" : "nothing is certain" };
}

let seed = 0;
for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith("sapper")) console.log("json single clues in JavaScript");
  else {
    const said = JSON.parse(line);
    if (said.quit) break;
    if (said.game) seed = said.game.seed;
    if (said.position) console.log(JSON.stringify(answer(said, seed)));
  }
}
