// Every look of a cell, drawn once per size and colour scheme and copied from then on.
//
// A face is a short text: "hidden", "clue:3", "chance:17", "mine" …; a mark is drawn over a face: "clue" (a clue
// that proves), "safe", "mine", "best", "wrong", "right-flag", "conflict", "last", "cursor", "hover".

import { contextOf } from "../common/dom.js";
import { isDark } from "../common/theme.js";
import { LIGHT, SCALE_INK, SURE_MINE, SURE_SAFE } from "../constants.js";
import { WATCH, chanceColour, palette } from "./palette.js";

/** @typedef {CanvasRenderingContext2D} Context */

const RIGHT = "#14713a"; // a flag that is right

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

export class Sprites {
  /** @type {Map<string, HTMLCanvasElement>} */
  #made = new Map();

  /** @param {import("./geometry.js").Geometry} geometry @param {"board" | "watch"} theme */
  constructor(geometry, theme = "board") {
    this.geometry = geometry;
    this.theme = theme;
    this.colours = palette();
    this.watch = isDark() ? WATCH.dark : WATCH.light;
  }

  /** @param {string} name */
  face(name) {
    return this.#sprite(`face ${name}`, (ctx) => this.#drawFace(ctx, name));
  }

  /** @param {string} name */
  mark(name) {
    return this.#sprite(`mark ${name}`, (ctx) => this.#drawMark(ctx, name));
  }

  /** One colour for a whole cell, for boards seen from far away. @param {string} name */
  plain(name) {
    return this.#background(name);
  }

  /** @param {string} key @param {(ctx: Context) => void} draw */
  #sprite(key, draw) {
    let made = this.#made.get(key);
    if (made === undefined) {
      made = document.createElement("canvas");
      made.width = this.geometry.size;
      made.height = this.geometry.height;
      draw(contextOf(made));
      this.#made.set(key, made);
    }
    return made;
  }

  // -- faces ----------------------------------------------------------------------------------------------

  /** @param {string} name */
  #background(name) {
    const [kind, value] = name.split(":");
    const watching = this.theme === "watch";
    if (kind === "chance") return chanceColour(Number(value.replace(/[<>]/, "")) / 100);
    if (kind === "surely-safe") return SURE_SAFE;
    if (kind === "surely-mine") return SURE_MINE;
    if (kind === "exploded") return watching ? this.watch.clicked : this.colours.exploded;
    if (kind === "identified") return this.watch.identified;
    if (kind === "clue" || kind === "silent") return watching ? this.watch.open : this.colours.open;
    return watching ? this.watch.hidden : this.colours.hidden;
  }

  /** @param {Context} ctx @param {string} name */
  #drawFace(ctx, name) {
    const [kind, value] = name.split(":");
    const isFlat = kind === "clue" || kind === "silent";
    this.#outline(ctx, 0);
    ctx.fillStyle = this.theme === "watch" ? this.watch.edge : this.colours.edge;
    ctx.fill();
    const gap = this.geometry.size >= 14 ? Math.max(0.5, this.geometry.size / 40) : 0.35;
    this.#outline(ctx, gap);
    ctx.fillStyle = this.#background(name);
    ctx.fill();
    if (!isFlat && this.geometry.size >= 16) this.#bevel(ctx, gap);
    if (this.geometry.size < 7) return;
    if (kind === "clue" && value !== "0") {
      this.#text(ctx, value, this.clueColour(Number(value)), value.length > 1 ? 0.5 : 0.62);
    } else if (kind === "silent") this.#text(ctx, "?", this.clueColour(0), 0.5);
    else if (kind === "flag" || kind === "identified") this.#flag(ctx, kind === "flag" ? this.colours.flag : "#ffffff");
    else if (kind === "question") this.#text(ctx, "?", this.colours.ink, 0.58);
    else if (kind === "wrong-flag") this.#wrongFlag(ctx);
    else if (kind === "exploded") this.#mine(ctx, "#ffffff", true);
    else if (kind === "mine") this.#mine(ctx, this.colours.ink, false);
    else if (kind === "surely-safe") this.#check(ctx, "#ffffff");
    else if (kind === "surely-mine") this.#mine(ctx, "#ffffff", false);
    else if (kind === "chance") this.#text(ctx, value, SCALE_INK, value.length > 2 ? 0.36 : 0.42);
    else if (kind === "flag-chance") this.#flagAndChance(ctx, value);
  }

  /** The colour of a clue; those above 8, on custom boards, look like an 8. @param {number} value */
  clueColour(value) {
    const { clues } = this.theme === "watch" ? WATCH : this.colours;
    return clues[Math.min(value, clues.length - 1)];
  }

  /** The shape of a cell, smaller by `inset` on every side. @param {Context} ctx @param {number} inset */
  #outline(ctx, inset) {
    const { size, height, isHex } = this.geometry;
    ctx.beginPath();
    if (!isHex) {
      const radius = inset > 0 && size >= 14 ? size * 0.1 : 0;
      ctx.roundRect(inset, inset, size - 2 * inset, height - 2 * inset, radius);
      return;
    }
    const x = size / 2;
    const y = height / 2;
    const wide = x - inset;
    const tall = y - inset * 1.155;
    ctx.moveTo(x, y - tall);
    ctx.lineTo(x + wide, y - tall / 2);
    ctx.lineTo(x + wide, y + tall / 2);
    ctx.lineTo(x, y + tall);
    ctx.lineTo(x - wide, y + tall / 2);
    ctx.lineTo(x - wide, y - tall / 2);
    ctx.closePath();
  }

  /** @param {Context} ctx @param {number} gap */
  #bevel(ctx, gap) {
    // Light from above distinguishes hidden cells from open ones by shape, not only by shade.
    ctx.save();
    this.#outline(ctx, gap);
    ctx.clip();
    const { size, height } = this.geometry;
    const shade = ctx.createLinearGradient(0, 0, 0, height);
    shade.addColorStop(0, "rgba(255,255,255,0.22)");
    shade.addColorStop(0.5, "rgba(255,255,255,0)");
    shade.addColorStop(1, "rgba(0,0,0,0.10)");
    ctx.fillStyle = shade;
    ctx.fillRect(0, 0, size, height);
    ctx.restore();
  }

  /** @param {Context} ctx @param {string} text @param {string} colour @param {number} share */
  #text(ctx, text, colour, share) {
    const { size, height } = this.geometry;
    ctx.fillStyle = colour;
    ctx.font = `700 ${Math.max(6, size * share)}px ${FONT}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    const box = ctx.measureText(text);
    // Centred by its ink: fonts differ in what they call the middle.
    ctx.fillText(
      text,
      size / 2,
      height / 2 + (box.actualBoundingBoxAscent - box.actualBoundingBoxDescent) / 2,
      size * 0.94,
    );
  }

  /** @param {Context} ctx */
  #place(ctx) {
    // A square of 24 x 24 units in the middle of the cell.
    const { size, height } = this.geometry;
    ctx.translate(0, (height - size) / 2);
    ctx.scale(size / 24, size / 24);
  }

  /** @param {Context} ctx @param {string} colour */
  #flag(ctx, colour) {
    ctx.save();
    this.#place(ctx);
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.roundRect(8, 5, 2, 14, 1);
    ctx.fill();
    ctx.beginPath();
    ctx.moveTo(10, 5.2);
    ctx.lineTo(17.5, 9);
    ctx.lineTo(10, 12.8);
    ctx.closePath();
    ctx.fill();
    ctx.beginPath();
    ctx.roundRect(6, 17.6, 7, 1.8, 0.9);
    ctx.fill();
    ctx.restore();
  }

  /** @param {Context} ctx */
  #wrongFlag(ctx) {
    ctx.globalAlpha = 0.55;
    this.#flag(ctx, this.colours.flag);
    ctx.globalAlpha = 1;
    this.#cross(ctx, this.colours.ink);
  }

  /**
   * A small cross or tick in the corner: what the cell shows stays readable.
   * @param {Context} ctx
   * @param {boolean} isRight
   */
  #corner(ctx, isRight) {
    ctx.save();
    this.#place(ctx);
    ctx.beginPath();
    ctx.arc(18.5, 5.5, 5, 0, 2 * Math.PI);
    ctx.fillStyle = isRight ? RIGHT : SURE_MINE;
    ctx.fill();
    ctx.strokeStyle = "#ffffff";
    ctx.lineWidth = 1.6;
    ctx.lineCap = "round";
    ctx.beginPath();
    if (isRight) {
      ctx.moveTo(16.2, 5.6);
      ctx.lineTo(17.9, 7.4);
      ctx.lineTo(20.9, 3.8);
    } else {
      ctx.moveTo(16.5, 3.5);
      ctx.lineTo(20.5, 7.5);
      ctx.moveTo(20.5, 3.5);
      ctx.lineTo(16.5, 7.5);
    }
    ctx.stroke();
    ctx.restore();
  }

  /** @param {Context} ctx @param {string} colour */
  #cross(ctx, colour) {
    ctx.save();
    this.#place(ctx);
    ctx.strokeStyle = colour;
    ctx.lineWidth = 2.2;
    ctx.lineCap = "round";
    ctx.beginPath();
    ctx.moveTo(6, 6);
    ctx.lineTo(18, 18);
    ctx.moveTo(18, 6);
    ctx.lineTo(6, 18);
    ctx.stroke();
    ctx.restore();
  }

  /** @param {Context} ctx @param {string} colour @param {boolean} isBursting */
  #mine(ctx, colour, isBursting) {
    ctx.save();
    this.#place(ctx);
    ctx.translate(12, 12);
    ctx.strokeStyle = colour;
    ctx.fillStyle = colour;
    ctx.lineCap = "round";
    ctx.lineWidth = isBursting ? 1.8 : 2;
    const reach = isBursting ? 8.6 : 7;
    for (let ray = 0; ray < 8; ray += 1) {
      ctx.rotate(Math.PI / 4);
      ctx.beginPath();
      ctx.moveTo(0, 0);
      ctx.lineTo(0, ray % 2 ? reach : reach - (isBursting ? 1.6 : 0.8));
      ctx.stroke();
    }
    ctx.beginPath();
    ctx.arc(0, 0, isBursting ? 4.4 : 4.9, 0, 2 * Math.PI);
    ctx.fill();
    ctx.restore();
  }

  /** @param {Context} ctx @param {string} colour */
  #check(ctx, colour) {
    ctx.save();
    this.#place(ctx);
    ctx.strokeStyle = colour;
    ctx.lineWidth = 2.6;
    ctx.lineCap = "round";
    ctx.lineJoin = "round";
    ctx.beginPath();
    ctx.moveTo(6.5, 12.5);
    ctx.lineTo(10.5, 16.5);
    ctx.lineTo(17.5, 8);
    ctx.stroke();
    ctx.restore();
  }

  /** @param {Context} ctx @param {string} value */
  #flagAndChance(ctx, value) {
    this.#flag(ctx, this.colours.flag);
    const { size, height } = this.geometry;
    ctx.fillStyle = this.colours.ink;
    ctx.font = `700 ${Math.max(6, size * 0.26)}px ${FONT}`;
    ctx.textAlign = "right";
    ctx.textBaseline = "alphabetic";
    ctx.fillText(value, size * 0.94, height - (height - size) / 2 - size * 0.1);
  }

  // -- marks ----------------------------------------------------------------------------------------------

  /** @param {Context} ctx @param {string} name */
  #drawMark(ctx, name) {
    const { size } = this.geometry;
    const thick = Math.max(2, size * 0.09);
    const ink = this.theme === "watch" ? LIGHT.ink : this.colours.ink;
    if (name === "hover" || name === "pressed") {
      this.#outline(ctx, size / 40);
      ctx.fillStyle = name === "hover" ? "rgba(255,255,255,0.22)" : "rgba(0,0,0,0.22)";
      ctx.fill();
    } else if (name === "cursor") {
      // Two rings, light and dark: seen on every background.
      this.#ring(ctx, thick * 0.5 + 0.5, thick, "#ffffff");
      this.#ring(ctx, thick * 0.5 + 0.5, Math.max(1.8, thick * 0.55), "#0b4fc0");
      this.#ring(ctx, thick * 1.7, Math.max(1, thick * 0.4), "#ffffff");
    } else if (name === "pointed") {
      // Yellow between two dark lines: unlike every other mark, and seen on every background.
      this.#ring(ctx, thick * 0.9, thick * 1.9, LIGHT.ink);
      this.#ring(ctx, thick * 0.9, thick * 1.1, "#ffd21f");
    } else if (name === "near") {
      // The cells that touch the one pointed at: violet, which no other mark is.
      this.#outline(ctx, size / 40);
      ctx.fillStyle = isDark() ? "rgba(211,160,255,0.28)" : "rgba(122,40,170,0.16)";
      ctx.fill();
      this.#ring(ctx, thick * 0.7, thick * 0.8, isDark() ? "#d3a0ff" : "#7a28aa");
    } else if (name === "clue") {
      this.#outline(ctx, size / 40);
      ctx.fillStyle = isDark() ? "rgba(130,182,255,0.30)" : "rgba(29,95,196,0.16)";
      ctx.fill();
      this.#ring(ctx, thick, thick, isDark() ? "#82b6ff" : "#1d5fc4");
    } else if (name === "conflict" || name === "wrong") {
      this.#ring(ctx, thick, thick * 1.2, isDark() ? "#ff9486" : "#b8231a", [size * 0.2, size * 0.12]);
      if (name === "wrong") this.#corner(ctx, false);
    } else if (name === "right-flag") {
      this.#corner(ctx, true);
    } else if (name === "best") {
      this.#ring(ctx, thick, thick, ink, [size * 0.16, size * 0.12]);
    } else if (name === "last") {
      this.#ring(ctx, thick * 0.9, thick * 0.9, ink);
    } else if (name === "area") {
      this.#outline(ctx, size / 40);
      ctx.fillStyle = isDark() ? "rgba(242,181,102,0.26)" : "rgba(255,170,50,0.38)";
      ctx.fill();
      this.#ring(ctx, thick, thick, isDark() ? "#f2b566" : "#7a3e00", [size * 0.1, size * 0.08]);
    } else if (name === "supposed-safe" || name === "supposed-mine") {
      // For the sake of the argument: the same signs, not filled.
      const colour = isDark() ? "#f4f6f8" : name === "supposed-safe" ? SURE_SAFE : SURE_MINE;
      if (name === "supposed-safe") this.#check(ctx, colour);
      else this.#mine(ctx, colour, false);
      this.#ring(ctx, thick, thick, colour, [size * 0.16, size * 0.12]);
    } else if (name === "safe" || name === "mine") {
      this.#outline(ctx, size / 40);
      ctx.fillStyle = name === "safe" ? SURE_SAFE : SURE_MINE;
      ctx.fill();
      if (name === "safe") this.#check(ctx, "#ffffff");
      else this.#mine(ctx, "#ffffff", false);
      this.#ring(ctx, thick * 0.8, thick * 0.7, "#ffffff");
    }
  }

  /**
   * @param {Context} ctx
   * @param {number} inset
   * @param {number} width
   * @param {string} colour
   * @param {number[]} dashes
   */
  #ring(ctx, inset, width, colour, dashes = []) {
    ctx.save();
    this.#outline(ctx, inset);
    ctx.lineWidth = width;
    ctx.strokeStyle = colour;
    ctx.setLineDash(dashes);
    ctx.stroke();
    ctx.restore();
  }
}
