// After a board of the day: par, the results of all visitors with one's own place, and what to send to friends.

import { api } from "../../../common/api.js";
import { addressOf } from "../../../common/router.js";
import { button, copyField, el, svg, toast } from "../../../common/dom.js";
import { drawResult } from "./picture.js";
import { lookUp, say } from "../../../words/index.js";

const WIDE = 300; // of the figure, which is scaled to its place
const TALL = 66;

/** The line to send to friends, or null if there is none. @param {GameState} state */
export function resultLine({ daily, outcome, seconds, metrics, undone, result }) {
  if (!daily || !result || undone) return null;
  const [day, name] = daily.split(" ");
  const level = lookUp(say.common.levels, name) ?? name;
  const time = say.common.seconds(seconds.toFixed(1));
  if (outcome !== "won") {
    return result.counts ? say.daily.lineLost(day, level, time) : say.daily.lineLostWithHelp(day, level, time);
  }
  const speed = ((metrics?.["3bv"] ?? 0) / seconds).toFixed(2);
  return result.counts
    ? say.daily.lineWon(day, level, time, speed)
    : say.daily.lineWonWithHelp(day, level, time, speed);
}

/** A link to the board of the day. @param {string} level */
const linkTo = (level) => `${location.origin}${location.pathname}${addressOf("play", { daily: level })}`;

/** How a time compares with par. @param {number} seconds @param {number} par */
export function besidePar(seconds, par) {
  const by = Math.round(Math.abs(par - seconds));
  if (by === 0) return say.daily.atPar(par);
  return (seconds < par ? say.daily.underPar : say.daily.overPar)(by, par);
}

/** One's place, in a sentence. @param {DailyBoard["field"]} field */
export function describePlace({ bins, failed, place }) {
  const solved = bins.reduce((sum, n) => sum + n, 0);
  if (solved + failed === 0) return say.daily.nobody;
  return place === null ? say.daily.field(solved, failed) : say.daily.place(place, solved, failed);
}

/** How many took how long, as bars; one's own is full. @param {DailyBoard["field"]} field */
export function fieldChart(field) {
  const most = Math.max(1, ...field.bins);
  const wide = WIDE / field.bins.length;
  return svg(
    "svg",
    { class: "field-chart", viewBox: `0 0 ${WIDE} ${TALL + 16}`, role: "img", "aria-label": describePlace(field) },
    ...field.bins.map((n, at) => {
      const tall = n === 0 ? 2 : Math.max(5, (n / most) * TALL);
      const isOwn = at === field.own_bin;
      return svg("rect", {
        class: isOwn ? "own" : "",
        x: at * wide + 2,
        y: TALL - tall,
        width: wide - 4,
        height: tall,
        rx: 2,
      });
    }),
    ...[0, 4, 8].map((at) =>
      svg("text", { x: at * wide + 2, y: TALL + 13 }, say.common.seconds(Math.round(at * field.seconds_per_bin))),
    ),
  );
}

/** What a card says of a game on a board of the day; it fills itself. @param {GameState} state */
export function dailyEnd(state) {
  const line = resultLine(state);
  const made = el("div.daily-end", { id: "daily-end" });
  if (state.practice) made.append(el("p", {}, say.daily.wasPractice));
  const [day, level] = (state.daily ?? state.practice ?? "").split(" ");
  api
    .dailyBoard(level, day)
    .then((told) => {
      if (state.outcome === "won") made.append(el("p", { id: "par" }, besidePar(state.seconds, told.par)));
      made.append(fieldChart(told.field), el("p.soft.small", { id: "place" }, describePlace(told.field)));
      if (line === null) return;
      const open = () => openResult(state, told, line);
      made.append(button(say.daily.share, "share", { id: "share-daily", onclick: open }));
    })
    .catch(() => {}); // the page says by itself that the server is away
  return made;
}

/** A dialog with the line and the picture. @param {GameState} state @param {DailyBoard} told @param {string} line */
function openResult(state, told, line) {
  const level = lookUp(say.common.levels, told.level) ?? told.level;
  const picture = el("canvas.result-picture", { role: "img", "aria-label": line });
  drawResult(picture, {
    title: say.daily.pictureTitle,
    about: say.daily.pictureAbout(level, told.date),
    result: state.outcome === "won" ? say.common.seconds(state.seconds.toFixed(1)) : say.daily.pictureLost,
    note: state.outcome === "won" ? besidePar(state.seconds, told.par) : "",
    bins: told.field.bins,
    ownBin: told.field.own_bin,
  });
  const field = el("textarea", { readonly: true, rows: "3", "aria-label": say.daily.line, id: "daily-line" });
  field.value = `${line}\n${linkTo(told.level)}`;
  const dialog = el("dialog", {
    "aria-labelledby": "daily-share-title",
    onclose: () => {
      dialog.remove();
    },
  });
  const copy = async () => {
    await copyField(field);
    toast(say.common.copied);
  };
  dialog.append(
    el(
      "div.card-body",
      {},
      el("h2", { id: "daily-share-title" }, say.daily.share),
      picture,
      field,
      el(
        "div.row",
        {},
        button(say.daily.copyText, "share", { class: "primary", id: "copy-daily", autofocus: true, onclick: copy }),
        button(say.daily.copyPicture, "share", { id: "copy-picture", onclick: () => copyPicture(picture, told) }),
        button(say.common.close, null, { onclick: () => dialog.close() }),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Copy the picture, or save it where a page may not copy pictures.
 * @param {HTMLCanvasElement} picture
 * @param {DailyBoard} told
 */
async function copyPicture(picture, told) {
  /** @type {Blob | null} */
  const blob = await new Promise((done) => {
    picture.toBlob(done, "image/png");
  });
  if (blob === null) return;
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    toast(say.common.copied);
  } catch {
    const address = URL.createObjectURL(blob);
    el("a", { href: address, download: `sapper-${told.date}-${told.level}.png` }).click();
    URL.revokeObjectURL(address);
    toast(say.daily.saved);
  }
}
