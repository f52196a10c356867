// What the page's scripts find in a browser: index.html and the usual names, without a picture.

import { readFileSync } from "node:fs";
import { Window } from "happy-dom";

const PAGE = new URL("../../src/sapper/web/static/index.html", import.meta.url);
const NAMES = [
  "window",
  "document",
  "navigator",
  "location",
  "history",
  "localStorage",
  "sessionStorage",
  "Element",
  "Event",
  "HTMLElement",
  "Node",
  "ResizeObserver",
];

const window = new Window({ url: "http://localhost/" });
window.document.write(readFileSync(PAGE, "utf-8"));
for (const name of NAMES) {
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
}
