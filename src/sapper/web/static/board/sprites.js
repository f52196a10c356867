// Every look of a cell, drawn once per size and colour scheme and copied from then on.
//
// A face is a short text: "hidden", "clue:3", "chance:17", "mine" …; a mark is drawn over a face: "clue" (a clue
// that proves), "safe", "mine", "best", "wrong", "right-flag", "conflict", "last", "cursor", "hover".

import { contextOf } from "../common/dom.js";
import { isDark } from "../common/theme.js";
import { LIGHT, SCALE_INK, SURE_MINE, SURE_SAFE } from "../constants.js";
import { drawNumber } from "./paint/glyphs.js";
import { check, cornerSign, cross, flag, mine, onUnits, pointer } from "./paint/signs.js";
import { WATCH, chanceColour, mix, palette } from "./paint/palette.js";

/** @typedef {CanvasRenderingContext2D} Context */

const RIGHT = "#14713a"; // a flag that is right

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

const N_TONES = 4;
// Faces that look like a hidden cell, with something on it.
const TILES = new Set(["question", "flag", "wrong-flag", "hidden"]);

/** A number without a pattern that an eye could follow. @param {number} index */
function scattered(index) {
  const mixed = Math.imul(index + 1, 374761393);
  const more = Math.imul(mixed ^ (mixed >>> 13), 1274126177);
  return (more ^ (more >>> 16)) >>> 8;
}

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

  /**
   * A face; cells that look alike still differ a little in tone, by their number.
   * @param {string} name
   * @param {number} index
   */
  face(name, index = 0) {
    const tone = name.startsWith("clue") ? 0 : scattered(index) % N_TONES;
    return this.#sprite(`face ${name} ${tone}`, (ctx) => this.#drawFace(ctx, name, tone));
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

  /** @param {Context} ctx @param {string} name @param {number} tone */
  #drawFace(ctx, name, tone) {
    const [kind, value] = name.split(":");
    const isFlat = kind === "clue" || kind === "silent";
    const { size } = this.geometry;
    const background = this.#background(name);
    const edge = this.theme === "watch" ? this.watch.edge : this.colours.edge;
    this.#outline(ctx, 0);
    ctx.fillStyle = isFlat ? edge : mix(background, "#000000", 0.55);
    ctx.fill();
    const gap = isFlat ? Math.max(0.5, size / 48) : size >= 14 ? Math.max(0.5, size / 40) : 0.35;
    this.#outline(ctx, gap);
    ctx.fillStyle = background;
    ctx.fill();
    if (!isFlat && size >= 12) this.#raise(ctx, gap, background, tone);
    if (size < 7) return;
    const ink = TILES.has(kind) ? this.colours.tile_ink : this.colours.ink;
    if (kind === "clue" && value !== "0") {
      const share = value.length > 1 ? 0.6 : 0.8;
      drawNumber(ctx, value, this.clueColour(Number(value)), this.geometry, share);
    } else if (kind === "silent") this.#text(ctx, "?", this.clueColour(0), 0.5);
    else if (kind === "flag" || kind === "identified") this.#flag(ctx, kind === "flag" ? this.colours.flag : "#ffffff");
    else if (kind === "question") this.#text(ctx, "?", ink, 0.58);
    else if (kind === "wrong-flag") this.#wrongFlag(ctx);
    else if (kind === "exploded") this.#sign(ctx, (units) => mine(units, "#ffffff", true));
    else if (kind === "mine") this.#sign(ctx, (units) => mine(units, this.colours.mine));
    else if (kind === "surely-safe") this.#sign(ctx, (units) => check(units, "#ffffff"));
    else if (kind === "surely-mine") this.#sign(ctx, (units) => mine(units, "#ffffff"));
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
      const radius = inset > 0 && size >= 14 ? size * 0.13 : 0;
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

  /**
   * A glazed tile: lit from above, with a lip below, so that hidden cells differ from open ones by shape too. `tone`
   * from 0 makes some a little lighter than others, as if they were fired by hand.
   * @param {Context} ctx
   * @param {number} gap
   * @param {string} colour
   * @param {number} tone
   */
  #raise(ctx, gap, colour, tone) {
    const { size, height } = this.geometry;
    const lip = Math.max(1, Math.round(size * 0.075));
    ctx.save();
    this.#outline(ctx, gap);
    ctx.clip();
    ctx.fillStyle = mix(colour, "#000000", 0.34);
    ctx.fillRect(0, 0, size, height);
    ctx.translate(0, -lip);
    this.#outline(ctx, gap);
    ctx.translate(0, lip);
    const glaze = ctx.createLinearGradient(0, gap, size * 0.35, height - lip);
    const base = mix(colour, tone % 2 ? "#ffffff" : "#000000", 0.022 * tone);
    glaze.addColorStop(0, mix(base, "#ffffff", 0.17));
    glaze.addColorStop(0.42, base);
    glaze.addColorStop(1, mix(base, "#000000", 0.09));
    ctx.fillStyle = glaze;
    ctx.fill();
    // The edge that catches the light.
    const light = ctx.createLinearGradient(0, gap, 0, height * 0.3);
    light.addColorStop(0, "rgba(255,255,255,0.5)");
    light.addColorStop(1, "rgba(255,255,255,0)");
    ctx.strokeStyle = light;
    ctx.lineWidth = Math.max(1, size / 30);
    this.#outline(ctx, gap + ctx.lineWidth / 2);
    ctx.stroke();
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

  /** @param {Context} ctx @param {(ctx: Context) => void} draw */
  #sign(ctx, draw) {
    onUnits(ctx, this.geometry, draw);
  }

  /** @param {Context} ctx @param {string} cloth */
  #flag(ctx, cloth) {
    this.#sign(ctx, (units) => flag(units, cloth, this.colours.tile_ink));
  }

  /** @param {Context} ctx */
  #wrongFlag(ctx) {
    ctx.globalAlpha = 0.55;
    this.#flag(ctx, this.colours.flag);
    ctx.globalAlpha = 1;
    this.#sign(ctx, (units) => cross(units, this.colours.tile_ink));
  }

  /** @param {Context} ctx @param {string} value */
  #flagAndChance(ctx, value) {
    this.#flag(ctx, this.colours.flag);
    const { size, height } = this.geometry;
    ctx.fillStyle = this.colours.tile_ink;
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
    if (name.startsWith("shade")) this.#shade(ctx, name);
    else if (name === "gleam") {
      this.#outline(ctx, size / 40);
      ctx.fillStyle = "rgba(255,244,214,0.6)";
      ctx.fill();
    } else if (name === "hover" || name === "pressed") {
      this.#outline(ctx, size / 40);
      ctx.fillStyle = name === "hover" ? "rgba(255,255,255,0.22)" : "rgba(0,0,0,0.22)";
      ctx.fill();
    } else if (name === "cursor") {
      // Two rings, light and dark: seen on every background.
      this.#ring(ctx, thick * 0.5 + 0.5, thick, "#ffffff");
      this.#ring(ctx, thick * 0.5 + 0.5, Math.max(1.8, thick * 0.55), "#0b4fc0");
      this.#ring(ctx, thick * 1.7, Math.max(1, thick * 0.4), "#ffffff");
    } else if (name === "start") {
      // Saffron between dark lines, and a pointer: here it begins.
      this.#ring(ctx, thick * 0.9, thick * 1.9, LIGHT.mine);
      this.#ring(ctx, thick * 0.9, thick * 1.1, LIGHT.flag);
      this.#sign(ctx, (units) => pointer(units, LIGHT.flag));
    } else if (name === "pointed") {
      // Yellow between two dark lines: unlike every other mark, and seen on every background.
      this.#ring(ctx, thick * 0.9, thick * 1.9, LIGHT.ink);
      this.#ring(ctx, thick * 0.9, thick * 1.1, "#ffd21f");
    } else if (name === "near") {
      // The cells that touch the one pointed at: violet, which no other mark is.
      this.#outline(ctx, size / 40);
      ctx.fillStyle = "rgba(190,120,240,0.26)";
      ctx.fill();
      this.#lined(ctx, thick, "#7a28aa");
    } else if (name === "clue") {
      this.#outline(ctx, size / 40);
      ctx.fillStyle = isDark() ? "rgba(114,208,199,0.24)" : "rgba(15,97,102,0.15)";
      ctx.fill();
      this.#ring(ctx, thick, thick, isDark() ? "#72d0c7" : "#0f6166");
    } else if (name === "conflict" || name === "wrong") {
      this.#lined(ctx, thick, "#b0221a", [size * 0.2, size * 0.12]);
      if (name === "wrong") this.#sign(ctx, (units) => cornerSign(units, SURE_MINE, false));
    } else if (name === "right-flag") {
      this.#sign(ctx, (units) => cornerSign(units, RIGHT, true));
    } else if (name === "best") {
      this.#lined(ctx, thick, LIGHT.ink, [size * 0.16, size * 0.12]);
    } else if (name === "last") {
      this.#lined(ctx, thick, LIGHT.ink);
    } else if (name === "area") {
      this.#outline(ctx, size / 40);
      ctx.fillStyle = isDark() ? "rgba(242,181,102,0.34)" : "rgba(255,170,50,0.42)";
      ctx.fill();
      this.#lined(ctx, thick, "#7a3e00", [size * 0.1, size * 0.08]);
    } else if (name === "supposed-safe" || name === "supposed-mine") {
      // For the sake of the argument: the same signs, on paper.
      const colour = name === "supposed-safe" ? SURE_SAFE : SURE_MINE;
      this.#outline(ctx, size / 20);
      ctx.fillStyle = LIGHT.open;
      ctx.fill();
      this.#sign(ctx, (units) => (name === "supposed-safe" ? check : mine)(units, colour));
      this.#ring(ctx, thick, thick, colour, [size * 0.16, size * 0.12]);
    } else if (name === "safe" || name === "mine") {
      this.#outline(ctx, size / 40);
      ctx.fillStyle = name === "safe" ? SURE_SAFE : SURE_MINE;
      ctx.fill();
      this.#sign(ctx, (units) => (name === "safe" ? check : mine)(units, "#ffffff"));
      this.#ring(ctx, thick * 0.8, thick * 0.7, "#ffffff");
    }
  }

  /**
   * A dark ring, whole or dashed, on a light one: seen on tiles as on open cells.
   * @param {Context} ctx
   * @param {number} thick
   * @param {string} colour
   * @param {number[]} dashes
   */
  #lined(ctx, thick, colour, dashes = []) {
    this.#ring(ctx, thick, thick * 1.7, LIGHT.open);
    this.#ring(ctx, thick, thick, colour, dashes);
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

  /** What a raised tile throws on the open cell below it or to its right. @param {Context} ctx @param {string} name */
  #shade(ctx, name) {
    const { size } = this.geometry;
    const depth = Math.max(2, size * (name === "shade-left" ? 0.1 : 0.2));
    const shade =
      name === "shade-left" ? ctx.createLinearGradient(0, 0, depth, 0) : ctx.createLinearGradient(0, 0, 0, depth);
    shade.addColorStop(0, this.colours.shadow);
    shade.addColorStop(1, "transparent");
    ctx.fillStyle = shade;
    ctx.fillRect(0, 0, name === "shade-left" ? depth : size, name === "shade-left" ? size : depth);
  }
}
