// Guesses on a board whose mines are dealt as it is played: how many were forced, and what came of them.

import { entriesOf, say } from "../../words/index.js";

/** Sentences about the guesses of a game; empty where its mines are laid beforehand. @param {GameState} state */
export function describeGuesses(state) {
  if (!state.guesses) return "";
  const { unforced } = state.guesses;
  const isLastUnforced = unforced.survived < unforced.made; // on a kind board it survives
  const parts = entriesOf(state.guesses)
    .filter(([kind, { made }]) => made > (kind === "unforced" && isLastUnforced ? 1 : 0))
    .map(([kind, { made, survived }]) => say.guesses.counts[kind](survived, made));
  if (isLastUnforced) parts.push(say.guesses.notForced);
  if (!parts.length) parts.push(state.over ? say.guesses.none : say.guesses.noneYet);
  return parts.join(" ");
}
