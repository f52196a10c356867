// What the library says of the same things; tests/web/test_page_vectors.py writes it and holds the library to it.

import { readFileSync } from "node:fs";

export const vectors = JSON.parse(readFileSync(new URL("../data/page.json", import.meta.url), "utf-8"));

export const STATIC = new URL("../../src/sapper/web/static/", import.meta.url);
