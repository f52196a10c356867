// Making elements, and telling people things.

import { say } from "../words/index.js";

/**
 * Make an element: tag and classes as "button.primary", attributes, listeners as onclick, children.
 * @template {string} Name
 * @param {Name} name
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = /** @type {ElementNamed<Name>} */ (document.createElement(tag));
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (key in made && typeof value !== "string") Object.assign(made, { [key]: value });
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, Value | null | undefined>} attributes
 * @param {(Node | string)[]} children
 */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/** An icon from icons.svg; decoration only, the words beside it say what it means. @param {string} name */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", "aria-hidden": "true", focusable: "false" },
    svg("use", { href: new URL(`icons.svg#${name}`, import.meta.url).href }),
  );
}

/** @param {string} label @param {string | null} name @param {Attributes} attributes */
export function button(label, name, attributes = {}) {
  return el("button", { type: "button", ...attributes }, name ? icon(name) : null, el("span", {}, label));
}

/** @param {Cell} cell */
export const cellName = ([row, col]) => say.common.cell(row, col);

/** What was done to a cell: "open (3, 4)". @param {Move} move */
export const moveName = ({ action, row, col }) => say.common.moves[action]?.(cellName([row, col])) ?? action;

/** An element that index.html has. @param {string} id */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(id);
  return found;
}

/** What draws on a canvas. @param {HTMLCanvasElement} canvas */
export const contextOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

let liveTurn = 0;
let said = { sentence: "", at: -Infinity };
const READING = 1000; // milliseconds

/** Say something politely to a screen reader, even if it is the same words as before. @param {string} sentence */
export function announce(sentence) {
  const now = performance.now();
  // What was said a moment ago may not have been read out yet.
  const before = now - said.at < READING && said.sentence !== sentence ? `${said.sentence} ` : "";
  said = { sentence, at: now };
  liveTurn += 1;
  byId("live").textContent = before + sentence + (liveTurn % 2 ? "\u00a0" : "");
}

/**
 * Do something now and then again after every pause, while the page is seen, and at once when it is seen again.
 * @param {number} pause milliseconds
 * @param {() => void} act
 */
export function repeat(pause, act) {
  let timer = 0;
  const follow = () => {
    clearInterval(timer);
    if (document.hidden) return;
    act();
    timer = setInterval(act, pause);
  };
  document.addEventListener("visibilitychange", follow);
  follow();
}

let toastTimer = 0;

/** Show one sentence at the bottom of the page for a while. @param {string} sentence @param {boolean} isError */
export function toast(sentence, isError = false) {
  const place = byId("toast");
  place.textContent = sentence;
  place.classList.toggle("error", isError);
  place.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => place.classList.remove("shown"), isError ? 7000 : 3500);
}

/** Select the text of a field and copy it. @param {HTMLInputElement | HTMLTextAreaElement} field */
export async function copyField(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // pages that are not served securely have no clipboard
  }
}

/**
 * Have something drawn again, `draw({ width, height })`, whenever the room for it has changed.
 * @param {Element} element
 * @param {(size: Size) => void} draw
 */
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

/** The element that an event happened to. @param {Event} event */
export const targetOf = ({ target }) => (target instanceof Element ? target : null);

/** Whether a key was pressed while nothing in particular had the focus. @param {KeyboardEvent} event */
export const isUnaimed = ({ target }) =>
  target === document.body || (target instanceof Element && target.id === "main");

/** Whether a key was meant for a field or control rather than for the page. @param {EventTarget | null} target */
export function isTyping(target) {
  return (
    target instanceof Element &&
    Boolean(target.closest("input:not([type=checkbox], [type=radio], [type=range]), textarea, select, dialog[open]"))
  );
}

/** @param {EventTarget | null} target */
export function isControl(target) {
  return (
    target instanceof Element && Boolean(target.closest("button, a, input, select, textarea, summary, dialog[open]"))
  );
}

const CLICKED = "button, summary, a, input[type=checkbox], input[type=radio], input[type=range]";

/** Have what was clicked give the keys back to the page: Space does not press it again, letters choose nothing. */
export function blurAfterClick() {
  let isPointer = false;
  /** @param {Element | null | undefined} element */
  const blur = (element) => element instanceof HTMLElement && element.blur();
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
    if (event.detail > 0 || isPointer) blur(targetOf(event)?.closest(CLICKED));
  });
  document.addEventListener("change", (event) => {
    if (isPointer) blur(targetOf(event)?.closest("select"));
  });
}

/** Remember small things; private windows may refuse, which is no harm. @param {() => Storage} storage */
const remembering = (storage) => ({
  /** @param {string} key */
  get(key) {
    try {
      return storage().getItem(`sapper.${key}`);
    } catch {
      return null;
    }
  },
  /** @param {string} key @param {string} value */
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
