// Addresses, what the server answers, and what this browser remembers.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { api, bodyOf, messageOf, statusOf } from "../../src/sapper/web/static/common/api.js";
import { isOwnAnswer, isServerAway } from "../../src/sapper/web/static/common/connection.js";
import { addressOf, readAddress, showAddress } from "../../src/sapper/web/static/common/router.js";
import { changeSetting, isChosen, isOn, onSetting, setting } from "../../src/sapper/web/static/common/settings.js";

const { fetch } = globalThis;
const json = (body, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });

/** Have the server answer so; return what it is asked. */
function answer(given) {
  const asked = [];
  globalThis.fetch = async (address, options) => {
    asked.push({ path: new URL(address).pathname + new URL(address).search, ...options });
    return given(address);
  };
  return asked;
}

beforeEach(() => localStorage.clear());
afterEach(() => {
  globalThis.fetch = fetch;
});

test("an address names a mode and what it shows, readably", () => {
  const values = { rules: "1x6/2 own:1,5/2", seed: 0, daily: null, board: undefined, empty: "" };
  assert.equal(addressOf("play", values), "#/play?rules=1x6/2+own:1,5/2&seed=0");
  assert.equal(addressOf("you"), "#/you");
  assert.equal(addressOf("analyse", { position: "#F/*& 1" }), "#/analyse?position=%23F/*%26+1");
});

test("what an address names is read from it again; an unknown mode is Play", () => {
  showAddress("analyse", { position: "#F/*& 1" });
  const { mode, query } = readAddress();
  assert.deepEqual([mode, query.get("position")], ["analyse", "#F/*& 1"]);
  showAddress("nowhere");
  assert.equal(readAddress().mode, "play");
});

test("an address that somebody is just following is left alone until it is heard of", () => {
  location.hash = "#/watch";
  showAddress("play", { seed: 1 });
  assert.equal(location.hash, "#/watch");
  window.dispatchEvent(new Event("hashchange"));
  showAddress("play", { seed: 2 });
  assert.equal(location.hash, "#/play?seed=2");
});

test("a request carries what is asked, and nothing where nothing is", async () => {
  const asked = answer(() => json({ id: "x" }));
  await api.newGame({ rules: "9x9/10", seed: undefined });
  await api.hint("a/b", 2);
  assert.deepEqual(
    asked.map(({ method, path, body }) => [method, path, body]),
    [
      ["POST", "/api/games", '{"rules":"9x9/10"}'],
      ["GET", "/api/games/a%2Fb/hint?skip=2", undefined],
    ],
  );
  assert.equal(asked[0].headers["Content-Type"], "application/json");
  assert.equal("Content-Type" in asked[1].headers, false);
});

test("a refusal is an error with the server's sentence", async () => {
  answer(() => json({ error: "No layout fits.", clues: [[0, 0]] }, 422));
  const error = await api.analyse("1").catch((found) => found);
  assert.deepEqual([messageOf(error), statusOf(error), bodyOf(error).clues], ["No layout fits.", 422, [[0, 0]]]);
  answer(() => new Response("<html>", { status: 404 }));
  assert.equal(messageOf(await api.game("a").catch((found) => found)), "The server responded with status 404.");
  assert.equal(statusOf(new TypeError("x")), -1);
});

test("an answer that broke off is none, and does not mean that the server is away", async () => {
  answer(() => new Response('{"id": "a', { headers: { "Content-Type": "application/json" } }));
  const error = await api.game("a").catch((found) => found);
  assert.deepEqual([messageOf(error), statusOf(error)], ["The server’s response was cut off. Try again.", 0]);
  assert.equal(isServerAway(), false);
});

test("a proxy's answer is not the server's own", () => {
  assert.equal(isOwnAnswer(json({}, 404)), true);
  assert.equal(isOwnAnswer(json({}, 503)), true); // busy
  assert.equal(isOwnAnswer(new Response("", { status: 503 })), false);
  assert.equal(isOwnAnswer(json({}, 502)), false);
});

test("a setting is the first of its values until another one is chosen, and others hear of it", () => {
  const heard = [];
  onSetting((name) => heard.push(name));
  assert.deepEqual([setting("chord"), isChosen("chord"), isOn("ask")], ["both", false, true]);
  changeSetting("chord", "off");
  assert.deepEqual([setting("chord"), isChosen("chord"), heard], ["off", true, ["chord"]]);
  localStorage.setItem("sapper.chord", "nonsense");
  assert.deepEqual([setting("chord"), isChosen("chord")], ["both", false]);
});
