// The card that takes a picture of a board: chosen, dropped, pasted or from the camera roll.

import { api, messageOf } from "../../common/api.js";
import { button, el, toast } from "../../common/dom.js";
import { say } from "../../words/index.js";

const MOST_BYTES = 8 * 2 ** 20;
const KINDS = /^image\/(png|jpeg|webp|bmp|x-ms-bmp)$/;
const WIDTH = 360; // pixels of the part that is shown beside the board

export class PictureCard {
  /**
   * `show(reading)` shows what was read; `explain()` shows a safe cell of it with its proof.
   * @param {{ show(reading: PictureReading): Promise<void>, explain(): void }} on
   */
  constructor(on) {
    this.on = on;
    this.file = el("input", {
      type: "file",
      accept: "image/png,image/jpeg,image/webp,image/bmp",
      "aria-label": say.analyse.pictureLabel,
      onchange: () => {
        this.read(this.file.files?.[0]);
      },
    });
    this.image = el("canvas", { hidden: true, role: "img", "aria-label": say.analyse.pictureRead });
    this.found = el("p.small", { role: "status" });
    this.next = button(say.analyse.nextSafe, "bulb", {
      hidden: true,
      id: "next-safe",
      onclick: () => this.on.explain(),
    });
    this.element = el(
      "section.card.drop.picture",
      { "aria-label": say.analyse.picture },
      el("h2", {}, say.analyse.stuck),
      el("p.small.soft", {}, say.analyse.stuckHelp),
      this.file,
      this.image,
      this.found,
      el("div.row", {}, this.next),
    );
  }

  /** Take files that are dropped on an element or pasted while it is shown. @param {HTMLElement} root */
  listen(root) {
    root.addEventListener("dragover", (event) => {
      if (![...(event.dataTransfer?.items ?? [])].some((item) => item.kind === "file")) return;
      event.preventDefault();
      this.element.classList.add("over");
    });
    root.addEventListener("dragleave", () => this.element.classList.remove("over"));
    root.addEventListener("drop", (event) => {
      this.element.classList.remove("over");
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      this.read(file);
    });
    document.addEventListener("paste", (event) => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => KINDS.test(type));
      if (root.hidden || !file) return;
      event.preventDefault();
      this.read(file);
    });
  }

  /** @param {File | undefined} file */
  async read(file) {
    if (!file) return;
    if (!KINDS.test(file.type) || file.size > MOST_BYTES) {
      toast(say.analyse.notAPicture, true);
      return;
    }
    this.element.setAttribute("aria-busy", "true");
    this.found.textContent = say.analyse.readingPicture;
    try {
      const reading = await api.picture(await inBase64(file));
      await this.#showPart(file, reading);
      await this.on.show(reading);
      this.found.textContent = say.analyse.pictureFound(reading.doubts.length);
      this.next.hidden = false;
    } catch (error) {
      this.image.hidden = this.next.hidden = true;
      this.found.textContent = messageOf(error);
    } finally {
      this.element.removeAttribute("aria-busy");
    }
  }

  /** Show the part of the picture that was read, to compare. @param {File} file @param {PictureReading} reading */
  async #showPart(file, { grid }) {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, (WIDTH * devicePixelRatio) / grid.width);
    this.image.width = Math.round(grid.width * scale);
    this.image.height = Math.round(grid.height * scale);
    this.image
      .getContext("2d")
      ?.drawImage(picture, grid.x, grid.y, grid.width, grid.height, 0, 0, this.image.width, this.image.height);
    this.image.hidden = false;
    picture.close();
  }
}

/** @param {File} file @returns {Promise<string>} */
async function inBase64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
