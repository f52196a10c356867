// What ESLint checks of the page, besides the types (tsconfig.json) and the form (Prettier).

import js from "@eslint/js";
import globals from "globals";

const PAGE = "src/sapper/web/static";

export default [
  { ignores: ["**/*", "!src", "!src/**", "!tests", "!tests/page", "!tests/page/**", "!eslint.config.js"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "arrow-body-style": "error",
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "max-len": ["error", { code: 120 }],
      "no-else-return": "off",
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "off",
    },
  },
  { files: [`${PAGE}/**`], languageOptions: { globals: globals.browser } },
  { files: [`${PAGE}/app/worker.js`], languageOptions: { globals: globals.serviceworker } },
  { files: [`${PAGE}/app/colours.js`], languageOptions: { sourceType: "script" } },
  { files: ["tests/page/**"], languageOptions: { globals: globals.node } },
];
