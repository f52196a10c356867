// A language that nobody speaks, made from English: accents on every letter, brackets around every string, a third
// longer. What is read without accents was never translated; what does not fit would not fit in German.

const ACCENTS = new Map(
  Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ").map((letter, at) => [
    letter,
    Array.from("áƀçđéƒğħíĵķłɱñóþɋŕšţúṽŵẋýžÁɃÇĐÉƑĞĦÍĴĶŁṀÑÓÞɊŔŠŢÚṼŴẊÝŽ")[at],
  ]),
);
const GIVEN = 0xe000; // what a sentence is given stands in it as a letter of nobody's, until it has its accents

/** @param {string} text */
export function stretch(text) {
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0;
  if (letters === 0) return text;
  const accented = Array.from(text, (letter) => ACCENTS.get(letter) ?? letter).join("");
  // In words of five letters, which may go to the next line.
  const more = "·".repeat(Math.ceil(letters / 3)).replace(/.{5}(?=.)/g, "$& ");
  return `[${accented} ${more}]`;
}

/** A table of the server's patterns in this language. */
export const stretched = (patterns) =>
  Object.fromEntries(
    patterns.map((english) => {
      const gaps = english.match(/\{[^}]+\}/g) ?? [];
      const held = gaps.reduce((text, one, at) => text.replace(one, String.fromCharCode(GIVEN + at)), english);
      return [english, stretch(held).replace(/[\ue000-\ue0ff]/g, (one) => gaps[one.charCodeAt(0) - GIVEN])];
    }),
  );

/** English in this language; `sentence` has what the server says. */
export function pseudo(words, sentence = stretch) {
  if (typeof words === "string") return stretch(words);
  if (typeof words === "function") {
    return (...given) => {
      const held = given.map((one, at) => (typeof one === "string" ? String.fromCharCode(GIVEN + at) : one));
      return stretch(words(...held)).replace(/[\ue000-\ue0ff]/g, (one) => given[one.charCodeAt(0) - GIVEN]);
    };
  }
  if (Array.isArray(words)) return words.map((one) => pseudo(one, sentence));
  const made = Object.fromEntries(Object.entries(words).map(([name, value]) => [name, pseudo(value, sentence)]));
  return "sentence" in made ? { ...made, sentence } : made;
}
