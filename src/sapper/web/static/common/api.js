// The server's answers as values; its errors as one sentence each.

import { addressAt, isOwnAnswer, isServerAway, noteAway, noteBack, ping, waitFor } from "./connection.js";
import { language, say } from "../words/index.js";

const LONG = 10_000; // milliseconds
const SERVER_LANGUAGE = "en";

export class ApiError extends Error {
  /** @param {number} status @param {ErrorBody} body */
  constructor(status, body) {
    super(body.error ?? say.common.badStatus(status));
    this.status = status;
    this.body = body;
  }
}

/** What went wrong, in a sentence. @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** The status of the server's refusal, 0 if it did not answer; -1 for any other error. @param {unknown} error */
export const statusOf = (error) => (error instanceof ApiError ? error.status : -1);

/** What the server says besides the sentence. @param {unknown} error @returns {ErrorBody} */
export const bodyOf = (error) => (error instanceof ApiError ? error.body : {});

/** Whether a request was called off. @param {unknown} error */
export const isAborted = (error) => error instanceof Error && error.name === "AbortError";

// Where the server's answers have sentences (docs/api.md).
const SENTENCES = new Set([
  ...["about", "answer", "because", "caption", "details", "error", "hint", "reason", "remember"],
  ...["said", "sentence", "summary", "text", "title", "words"],
]);

/**
 * An answer of the server with its sentences in the language of the page.
 * @template T
 * @param {T} answer
 * @param {boolean} isSentence
 * @returns {T}
 */
function inOwnWords(answer, isSentence = false) {
  if (typeof answer === "string") return isSentence ? /** @type {T & string} */ (say.server.sentence(answer)) : answer;
  if (Array.isArray(answer)) return /** @type {T & any[]} */ (answer.map((one) => inOwnWords(one, isSentence)));
  if (answer === null || typeof answer !== "object") return answer;
  const values = Object.entries(answer).map(([key, value]) => [key, inOwnWords(value, SENTENCES.has(key))]);
  return Object.fromEntries(values);
}

/** @param {string} method @param {string} path @param {object} [body] @param {AbortSignal} [signal] */
function request(method, path, body, signal) {
  return waitFor(ask(method, path, body, signal));
}

/** @param {string} method @param {string} path @param {object} [body] @param {AbortSignal} [signal] */
async function ask(method, path, body, signal) {
  const headers = { Accept: "application/json", ...(body && { "Content-Type": "application/json" }) };
  const response = await reach(path, {
    method,
    signal,
    headers,
    body: JSON.stringify(body),
    credentials: "same-origin",
  });
  let answer;
  try {
    answer = await response.json();
  } catch (error) {
    // A response that was cut off or aborted is an error.
    if (response.ok) throw signal?.aborted ? error : new ApiError(0, { error: say.common.brokeOff });
    answer = {};
  }
  const told = language === SERVER_LANGUAGE ? answer : inOwnWords(answer);
  if (!response.ok) throw new ApiError(response.status, told);
  return told;
}

/**
 * The server's answer, whatever it is; that there is none is status 0, and the page shows it until it is back.
 * @param {string} path
 * @param {RequestInit} options
 */
async function reach(path, options) {
  let response = null;
  const given = options.signal ?? null;
  const hopeless = new AbortController();
  // A network that swallows requests says nothing for minutes: after a while another request asks for the server.
  const slow = setTimeout(() => ping().then(() => isServerAway() && hopeless.abort()), LONG);
  try {
    response = await fetch(addressAt(path), {
      ...options,
      signal: given === null ? hopeless.signal : AbortSignal.any([given, hopeless.signal]),
    });
  } catch (error) {
    if (given?.aborted) throw error;
  } finally {
    clearTimeout(slow);
  }
  if (response === null || !isOwnAnswer(response)) {
    noteAway();
    throw new ApiError(0, { error: say.common.serverAway });
  }
  noteBack();
  return response;
}

/** @param {string} path */
const get = (path) => request("GET", path);
/** @param {string} path @param {object} body @param {AbortSignal} [signal] */
const post = (path, body = {}, signal) => request("POST", path, body, signal);
/** @param {string} id */
const game = (id) => `/api/games/${encodeURIComponent(id)}`;

/** @type {Api} */
export const api = {
  info: () => get("/api/info"),
  newGame: (settings) => post("/api/games", settings),
  game: (id) => get(game(id)),
  games: () => get("/api/games"),
  move: (id, action, row, col) => post(`${game(id)}/moves`, { action, row, col }),
  undo: (id) => post(`${game(id)}/undo`),
  again: (id) => post(`${game(id)}/again`),
  hint: (id, skip = 0) => get(`${game(id)}/hint${skip ? `?skip=${skip}` : ""}`),
  chances: (id) => get(`${game(id)}/chances`),
  /** The position of a game under way, to analyse it: that counts as help. */
  analysis: (id) => get(`${game(id)}/analysis`),
  wrongFlags: (id) => get(`${game(id)}/wrong-flags`),
  downloadPath: (id, format) => addressAt(`${game(id)}/download?format=${format}`),
  /** The record as text; only once the game is over. */
  record: async (id) => {
    const response = await waitFor(reach(`${game(id)}/download?format=record`, { credentials: "same-origin" }));
    return response.ok ? response.text() : "";
  },
  /** A game of an agent from a step on, as far as it gets within the time limit. */
  watch: (rules, seed, agent, since, seconds) => post("/api/watch", { rules, seed, agent, since, seconds }),
  analyse: (position, signal) => post("/api/analyse", { position }, signal),
  best: (position, seconds) => post("/api/best", { position, seconds }),
  explain: (position, row, col) => post("/api/explain", { position, row, col }),
  review: (what) => post("/api/review", what),
  /** The verdict on the last move of a game, in the background. */
  lastMove: (id) => ask("POST", "/api/review/last", { game: id }),
  /** Win chances, in the background, so no waiting is shown. */
  wins: (what, games, since, signal) => ask("POST", "/api/review/wins", { ...what, games, since }, signal),
  /** A game continued from { position }, or from { record, game or video, moves }. */
  continueGame: (from) => post("/api/games/onward", from),
  /** The boards of the day; and a try at one, or the one that is under way. */
  daily: () => get("/api/daily"),
  dailyBoard: (level, day) => get(`/api/daily/board?level=${encodeURIComponent(level)}${day ? `&day=${day}` : ""}`),
  playDaily: (level) => post("/api/daily", { level }),
  you: () => get("/api/you"),
  forgetMe: () => request("DELETE", "/api/you", {}),
  exportPath: (format, of) => addressAt(`/api/you/export?format=${format}${of ? `&of=${of}` : ""}`),
  train: {
    /** The learner's progress; days begin by their clock. */
    progress: () => get(`/api/train?utc_offset=${-60 * new Date().getTimezoneOffset()}`),
    next: (wanted) => post("/api/train/next", wanted),
    puzzle: (which) => post("/api/train/puzzle", which),
    ofPosition: (position) => post("/api/train/puzzle", { position, way: "free" }),
    hint: (which) => post("/api/train/hint", which),
    check: (answer) => post("/api/train/check", answer),
    course: () => get("/api/train/course"),
    lesson: (name) => get(`/api/train/course/${encodeURIComponent(name)}`),
  },
  startLab: (settings) => post("/api/lab", settings),
  lab: (id) => get(`/api/lab/${encodeURIComponent(id)}`),
  labs: () => get("/api/lab"),
  stopLab: (id) => post(`/api/lab/${encodeURIComponent(id)}/stop`),
};
