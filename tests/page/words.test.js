import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { Linter } from "eslint";
import { noWords } from "../../eslint.config.js";
import { english } from "../../src/sapper/web/static/words/english.js";
import { phrasebook } from "../../src/sapper/web/static/words/phrases.js";
import { fillPage, lookUp, say } from "../../src/sapper/web/static/words/index.js";
import { pseudo } from "./pseudo.js";
import { STATIC } from "./vectors.js";

const read = (name) => readFileSync(new URL(name, STATIC), "utf-8");
const SCRIPTS = readdirSync(STATIC, { recursive: true }).filter(
  (name) => name.endsWith(".js") && !name.startsWith("words"),
);

test("every word is used", () => {
  const used = new Set(SCRIPTS.flatMap((name) => read(name).match(/\bsay\.\w+\.\w+/g) ?? []));
  for (const [, key] of read("index.html").matchAll(/\sdata-say(?:-[a-z-]+)?="(\w+)"/g)) used.add(`say.page.${key}`);
  const there = Object.entries(english).flatMap(([group, words]) =>
    Object.keys(words).map((key) => `say.${group}.${key}`),
  );
  // That every used word is there, the types say; those of index.html they do not see.
  assert.deepEqual(
    there.filter((name) => !used.has(name)),
    [],
  );
  assert.deepEqual(
    [...used].filter((name) => name.startsWith("say.page.") && !there.includes(name)),
    [],
  );
});

test("index.html says the same before any script runs, and nothing that could not be said in another language", () => {
  const page = new window.DOMParser().parseFromString(read("index.html"), "text/html");
  const said = [];
  for (const element of page.querySelectorAll("body *, meta[name=description]")) {
    if (element.closest("noscript") !== null) continue; // without scripts nothing can be replaced
    const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map((node) => node.data.trim());
    for (const text of texts.filter((one) => one !== "" && one !== "Sapper")) said.push([element, "data-say", text]);
    for (const name of ["aria-label", "title", "content"]) {
      if (element.hasAttribute(name)) said.push([element, `data-say-${name}`, element.getAttribute(name)]);
    }
  }
  assert.ok(said.length > 15);
  for (const [element, attribute, words] of said) assert.equal(say.page[element.getAttribute(attribute)], words);
});

test("the page is filled with the words of its language", () => {
  document.querySelector("#help-button").title = "?";
  document.querySelector("[data-say=skip]").textContent = "?";
  fillPage();
  assert.equal(document.querySelector("#help-button").title, "Keys and help (?)");
  assert.equal(document.querySelector("[data-say=skip]").textContent, "Skip to the board");
  assert.equal(document.documentElement.lang, "en");
});

test("words in a script would be found", () => {
  const config = { plugins: { page: { rules: { "no-words": noWords } } }, rules: { "page/no-words": "error" } };
  const find = (code) => new Linter().verify(code, config).map(({ message }) => message.split(": ")[1]);
  const code =
    'const a = /"No/; // "Never"\nsay(`${n} of ${[`Won ${b}`]} games won`, "Undo", "x.y", \'it is\', "Escape");';
  assert.deepEqual(find(code), ["Won ", " games won", "Undo", "it is"]);
});

test("one of something is one, and none or several are more", () => {
  assert.deepEqual([0, 1, 2].map(say.rules.mines), ["0 mines", "1 mine", "2 mines"]);
  assert.deepEqual([1, 3].map(say.train.livesLeft), ["1 life left", "3 lives left"]);
  assert.equal(say.help.wrongFlags("(0, 1)", 1), "One flag is on a safe cell: (0, 1).");
  assert.equal(say.analyse.saidCounts(1, 2), "1 safe cell, 2 certain mines.");
  assert.deepEqual([1, 2].map(say.train.due), ["1 puzzle is due today.", "2 puzzles are due today."]);
});

test("no sentence is cut or joined badly", () => {
  const found = [];
  const look = (words) => {
    if (typeof words === "string") found.push(words);
    else if (typeof words === "function") found.push(words("1", "2", "3", "4", "5"));
    else Object.values(words).forEach(look);
  };
  look(english);
  assert.ok(found.length > 700);
  for (const words of found) {
    assert.doesNotMatch(words, /\bundefined\b|\bNaN\b| {2}|\.[A-Z]|,[A-Za-z]|^ | $(?<!to )/, words);
  }
});

test("the language that nobody speaks has all that English has, in brackets, and leaves what it is given alone", () => {
  assert.equal(pseudo(english).common.close, "[Çłóšé ··]");
  assert.equal(pseudo(english).game.line("Won", 2), "[Won, 2 ɱóṽéš ··]");
  assert.equal(pseudo(english).common.percent("5"), "5%");
  assert.equal(pseudo(english).server.sentence("Opened (2, 1)."), "[Óþéñéđ (2, 1). ··]");
});

test("what the server says is translated by patterns, with its cells and numbers in their places", () => {
  const german = phrasebook({
    "Opened {cell}: {why}.": "{cell} geöffnet: {why}.",
    "the {number 1} at {cell} already touches {number 2} mines": "die {number 1} auf {cell} hat schon {number 2} Minen",
    "{cell} is safe because of {clues}.": "Wegen {clues} ist {cell} sicher.",
    "{clue 1} and {clue 2}": "{clue 1} und {clue 2}",
    "the {number} at {cell}": "der {number} auf {cell}",
    "Count the mines.": "Zähle die Minen.",
  });
  assert.equal(
    german("Opened (2, 10): the 3 at (1, 1) already touches 3 mines."),
    "(2, 10) geöffnet: die 3 auf (1, 1) hat schon 3 Minen.",
  );
  assert.equal(
    german("(0, 1) is safe because of the 1 at (0, 0) and the 2 at (1, 1). Count the mines."),
    "Wegen der 1 auf (0, 0) und der 2 auf (1, 1) ist (0, 1) sicher. Zähle die Minen.",
  );
  assert.equal(german("Nobody has translated this yet."), "Nobody has translated this yet.");
  assert.equal(say.server.sentence("Opened (0, 0): why. It is."), "Opened (0, 0): why. It is.");
});

test("a name that the page does not know has no words, whatever objects are made of", () => {
  assert.equal(lookUp(say.common.levels, "expert"), "Expert");
  assert.equal(lookUp(say.common.levels, "toString"), undefined);
});
