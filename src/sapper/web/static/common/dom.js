// Making elements, and telling people things.

import { say } from "../words/index.js";

/** Make an element: tag and classes as "button.primary", attributes, listeners as onclick, children. */
export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && typeof value !== "string") made[key] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** An icon from icons.svg; decoration only, the words beside it say what it means. */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", "aria-hidden": "true", focusable: "false" },
    svg("use", { href: new URL(`icons.svg#${name}`, import.meta.url).href }),
  );
}

export function button(label, name, attributes = {}) {
  return el("button", { type: "button", ...attributes }, name ? icon(name) : null, el("span", {}, label));
}

export const cellName = ([row, col]) => say.common.cell(row, col);

/** What was done to a cell: "open (3, 4)". */
export const moveName = ({ action, row, col }) => say.common.moves[action]?.(cellName([row, col])) ?? action;

const live = () => document.getElementById("live");
let liveTurn = 0;
let said = { sentence: "", at: -Infinity };
const READING = 1000; // milliseconds

/** Say something politely to a screen reader, even if it is the same words as before. */
export function announce(sentence) {
  const now = performance.now();
  // What was said a moment ago may not have been read out yet.
  const before = now - said.at < READING && said.sentence !== sentence ? `${said.sentence} ` : "";
  said = { sentence, at: now };
  liveTurn += 1;
  live().textContent = before + sentence + (liveTurn % 2 ? "\u00a0" : "");
}

let toastTimer = 0;

/** Show one sentence at the bottom of the page for a while. */
export function toast(sentence, isError = false) {
  const place = document.getElementById("toast");
  place.textContent = sentence;
  place.classList.toggle("error", isError);
  place.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => place.classList.remove("shown"), isError ? 7000 : 3500);
}

/** Select the text of a field and copy it. */
export async function copyField(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // pages that are not served securely have no clipboard
  }
}

/** Have something drawn again, `draw({ width, height })`, whenever the room for it has changed. */
export function onResize(element, draw) {
  const size = { width: 0, height: 0 };
  new ResizeObserver(
    ([
      {
        contentRect: { width, height },
      },
    ]) => {
      if (width === 0 || (width === size.width && height === size.height)) return;
      Object.assign(size, { width, height });
      draw({ width, height });
    },
  ).observe(element);
}

/** Whether a key was meant for a field or control rather than for the page. */
export function isTyping(target) {
  return (
    target instanceof Element &&
    Boolean(target.closest("input:not([type=checkbox], [type=radio], [type=range]), textarea, select, dialog[open]"))
  );
}

export function isControl(target) {
  return (
    target instanceof Element && Boolean(target.closest("button, a, input, select, textarea, summary, dialog[open]"))
  );
}

const CLICKED = "button, summary, a, input[type=checkbox], input[type=radio], input[type=range]";

/** Have what was clicked give the keys back to the page: Space does not press it again, letters choose nothing. */
export function giveKeysBack() {
  let isPointer = false;
  document.addEventListener(
    "pointerdown",
    () => {
      isPointer = true;
    },
    true,
  );
  document.addEventListener(
    "keydown",
    () => {
      isPointer = false;
    },
    true,
  );
  document.addEventListener("click", (event) => {
    // A click by Space or Return leaves the focus where it is; one on a label comes to its box without a pointer.
    if (event.detail > 0 || isPointer) event.target.closest?.(CLICKED)?.blur();
  });
  document.addEventListener("change", (event) => {
    if (isPointer) event.target.closest?.("select")?.blur();
  });
}

/** Remember small things; private windows may refuse, which is no harm. */
const remembering = (storage) => ({
  get(key) {
    try {
      return storage().getItem(`sapper.${key}`);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      storage().setItem(`sapper.${key}`, value);
    } catch {
      // Nothing is lost but the convenience.
    }
  },
});

/** What this browser remembers. */
export const memory = remembering(() => localStorage);

/** What this tab remembers, as long as it is open. */
export const tabMemory = remembering(() => sessionStorage);
