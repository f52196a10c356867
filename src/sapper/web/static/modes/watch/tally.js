// How the agents have done so far: every game that was watched to its end counts once, for its rules and its agent.

import { say } from "../../words/index.js";

export class Tally {
  #games = new Map(); // from rules and agent to what their games came to, by seed

  note(rules, seed, agent, { outcome, score }) {
    const name = JSON.stringify([rules, agent]);
    if (!this.#games.has(name)) this.#games.set(name, new Map());
    this.#games.get(name).set(seed, { outcome, score });
  }

  /** A few words about an agent's games, once there are several; a survey is never won, so its score counts. */
  describe(rules, agent) {
    const games = [...(this.#games.get(JSON.stringify([rules, agent]))?.values() ?? [])];
    if (games.length < 2) return "";
    if (games.some(({ outcome }) => outcome === "finished")) {
      const mean = games.reduce((sum, { score }) => sum + score, 0) / games.length;
      return say.watch.identifiedShare(games.length, say.common.percent((100 * mean).toFixed(0)));
    }
    return say.watch.wins(games.filter(({ outcome }) => outcome === "won").length, games.length);
  }
}
