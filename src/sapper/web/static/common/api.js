// The server's answers as values; its errors as one sentence each.

export class ApiError extends Error {
  constructor(status, body) {
    super(body.error ?? `The server answered with status ${status}.`);
    this.status = status;
    this.body = body;
  }
}

async function request(method, path, body, signal) {
  const options = { method, signal, headers: { Accept: "application/json" }, credentials: "same-origin" };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, { error: "The server does not answer; everything is kept there, so try again when it is back." });
  }
  let answer;
  try {
    answer = await response.json();
  } catch {
    answer = {};
  }
  if (!response.ok) throw new ApiError(response.status, answer);
  return answer;
}

const get = (path, signal) => request("GET", path, undefined, signal);
const post = (path, body = {}, signal = undefined) => request("POST", path, body, signal);
const game = (id) => `/api/games/${encodeURIComponent(id)}`;

export const api = {
  info: () => get("/api/info"),
  newGame: (settings) => post("/api/games", settings),
  game: (id) => get(game(id)),
  games: () => get("/api/games"),
  move: (id, action, row, col) => post(`${game(id)}/moves`, { action, row, col }),
  undo: (id) => post(`${game(id)}/undo`),
  again: (id) => post(`${game(id)}/again`),
  hint: (id) => get(`${game(id)}/hint`),
  chances: (id) => get(`${game(id)}/chances`),
  wrongFlags: (id) => get(`${game(id)}/wrong-flags`),
  downloadPath: (id, format) => `${game(id)}/download?format=${format}`,
  /** The record as text; only once the game is over. */
  record: async (id) => {
    const response = await fetch(`${game(id)}/download?format=record`, { credentials: "same-origin" });
    return response.ok ? response.text() : "";
  },
  /** A game of an agent from a step on, as far as it comes in so many seconds. */
  watch: (rules, seed, agent, since, seconds) => post("/api/watch", { rules, seed, agent, since, seconds }),
  analyse: (position, signal) => post("/api/analyse", { position }, signal),
  best: (position, seconds) => post("/api/best", { position, seconds }),
  explain: (position, row, col) => post("/api/explain", { position, row, col }),
  review: (what) => post("/api/review", what),
  startLab: (settings) => post("/api/lab", settings),
  lab: (id) => get(`/api/lab/${encodeURIComponent(id)}`),
  labs: () => get("/api/lab"),
  stopLab: (id) => post(`/api/lab/${encodeURIComponent(id)}/stop`),
};
