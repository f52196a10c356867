// How the agents have done so far: every game that was watched to its end counts once, for its rules and its agent.

import { say } from "../../words/index.js";

export class Tally {
  /** @type {Map<string, Map<number, { outcome: Outcome, score: number }>>} */
  #games = new Map(); // from rules and agent to what their games came to, by seed

  /** @param {string} rules @param {number} seed @param {string} agent @param {Watched} game */
  note(rules, seed, agent, { outcome, score = 0 }) {
    const name = JSON.stringify([rules, agent]);
    const games = this.#games.get(name) ?? new Map();
    this.#games.set(name, games.set(seed, { outcome, score }));
  }

  /**
   * A few words about an agent's games, once there are several; a survey is never won, so its score counts.
   * @param {string} rules
   * @param {string} agent
   */
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
