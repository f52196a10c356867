// A player for Sapper's line protocol, in JSON: the two rules of single clues, else an arbitrary cell.
import { createInterface } from "node:readline";

function choose({ cells, rows, cols }, seed) {
  const all = Array.from({ length: rows * cols }, (_, n) => [Math.floor(n / cols), n % cols]);
  const near = ([r, c]) => all.filter(([i, j]) => Math.max(Math.abs(i - r), Math.abs(j - c)) === 1);
  const shows = ([r, c]) => cells[r][c];
  const isHidden = (cell) => shows(cell) === -1 || shows(cell) === -2;
  const mines = new Set(all.filter((cell) => shows(cell) === -3).map(String));
  const clues = all.filter((cell) => shows(cell) >= 0);
  for (const clue of clues) {
    const closed = near(clue).filter((cell) => isHidden(cell) || shows(cell) === -3);
    if (closed.length === shows(clue)) closed.forEach((cell) => mines.add(String(cell)));
  }
  const claims = { mines: [...mines].map((cell) => cell.split(",").map(Number)) };
  for (const clue of clues) {
    const known = near(clue).filter((cell) => mines.has(String(cell)));
    const safe = near(clue).filter((cell) => isHidden(cell) && !mines.has(String(cell)));
    if (safe.length && known.length === shows(clue)) return { open: safe[0], safe, ...claims, reason: "all is known" };
  }
  const rest = all.filter((cell) => isHidden(cell) && !mines.has(String(cell)));
  return rest.length ? { open: rest[seed % rest.length], ...claims, reason: "a guess" } : { stop: true, ...claims };
}

let seed = 0;
for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith("sapper")) console.log("json single clues in JavaScript");
  else {
    const said = JSON.parse(line);
    if (said.quit) break;
    if (said.game) seed = said.game.seed;
    if (said.position) console.log(JSON.stringify(choose(said, seed)));
  }
}
