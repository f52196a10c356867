import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { repeat } from "../../src/sapper/web/static/common/dom.js";
import { changeSetting, onSetting } from "../../src/sapper/web/static/common/settings.js";
import { onSchemeChange, setTheme } from "../../src/sapper/web/static/common/theme.js";

afterEach(() => mock.timers.reset());

function hide(isHidden) {
  Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}

test("what is repeated rests while the page is hidden, and is done at once when it is seen again", () => {
  mock.timers.enable({ apis: ["setInterval"] });
  let n = 0;
  repeat(100, () => {
    n += 1;
  });
  assert.equal(n, 1);
  mock.timers.tick(250);
  assert.equal(n, 3);
  hide(true);
  mock.timers.tick(1000);
  assert.equal(n, 3);
  hide(false);
  assert.equal(n, 4);
  mock.timers.tick(100);
  assert.equal(n, 5);
});

test("who listens to settings and colours can stop", () => {
  const heard = [];
  const stops = [onSetting((name) => heard.push(name)), onSchemeChange(() => heard.push("colours"))];
  const change = () => {
    changeSetting("rulers", "on");
    setTheme("dark");
  };
  change();
  assert.deepEqual(heard, ["rulers", "colours"]);
  for (const stop of stops) stop();
  change();
  assert.equal(heard.length, 2);
  localStorage.clear();
});
