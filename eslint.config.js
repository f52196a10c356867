// What ESLint checks of the page, besides its types (tsconfig.json) and its form (Prettier).

import js from "@eslint/js";
import globals from "globals";

const PAGE = "src/sapper/web/static";

// Words, or what begins like a label.
const VISIBLE = /[A-Za-z]{2,},? [A-Za-z]{2,}|^\s*[A-Z][a-z]|\w.*…|[✓✗⚑]/;
// What the browser, the server or a file calls something: nobody reads it on the page.
const NAMES = [
  /^(Content-Type|Accept|BroadcastChannel|AbortError)$/,
  /^(Arrow|Page)?(Left|Right|Up|Down)?$|^(Backspace|Delete|End|Enter|Escape|Home|Space)$/,
  /^(forced guess|fair guess|extra risk|16x16\/40 first-any survey)$/,
  // Fonts, selectors, media queries, names of classes, a record, and what only a developer reads.
  /sans-serif|\[role=|\[type=|dialog\[|\((?:max|min|prefers)-|^not all$|^sign sign-|^sapper games$/,
  /^Sapper-Record: 1\b|^The page is of another version\.$/,
];

/** All words stand in words/, so that another language is one more file. */
export const noWords = {
  create(context) {
    const check = (node, text) => {
      if (VISIBLE.test(text) && !NAMES.some((name) => name.test(text))) {
        context.report({ node, message: "This belongs in words/english.js: {{text}}", data: { text } });
      }
    };
    return {
      Literal: (node) => typeof node.value === "string" && check(node, node.value),
      TemplateElement: (node) => check(node, node.value.cooked),
    };
  },
};

export default [
  { ignores: ["**/*", "!src", "!src/**", "!tests", "!tests/page", "!tests/page/**", "!eslint.config.js"] },
  { ignores: [`${PAGE}/constants.js`] }, // generated
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "arrow-body-style": "error",
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "max-len": ["error", { code: 120 }],
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  { files: [`${PAGE}/**`, "src/sapper/data/*.js"], languageOptions: { globals: globals.browser } },
  {
    files: [`${PAGE}/**`],
    ignores: [`${PAGE}/words/**`],
    plugins: { page: { rules: { "no-words": noWords } } },
    rules: { "page/no-words": "error" },
  },
  { files: [`${PAGE}/app/worker.js`], languageOptions: { globals: globals.serviceworker } },
  { files: [`${PAGE}/app/colours.js`], languageOptions: { sourceType: "script" } },
  { files: ["tests/page/**"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
];
