// The form of the board: its size, its mines, which cells touch, and how clues are shown.

import { el } from "../../common/dom.js";
import { emptyPosition } from "../../board/cells/position.js";
import { channelSelect, chooseChannel } from "../../rules/channels.js";
import { ShapeField } from "../../rules/own.js";
import { say } from "../../words/index.js";

export class BoardFields {
  /** @param {Info} info @param {() => void} changed */
  constructor(info, changed) {
    this.limits = info.limits;
    /** @param {number} least @param {number} most @param {string} label */
    const number = (least, most, label) =>
      el("input", {
        type: "number",
        inputmode: "numeric",
        min: String(least),
        max: String(most),
        "aria-label": label,
        onchange: changed,
      });
    this.rows = number(1, this.limits.rows, say.common.rows);
    this.cols = number(1, this.limits.cols, say.common.columns);
    this.total = number(0, this.limits.rows * this.limits.cols, say.analyse.minesOnBoard);
    this.total.placeholder = say.analyse.unknownMines;
    this.shape = new ShapeField(info, { onchange: changed });
    this.channel = channelSelect({ onchange: changed });
    /** @param {string} label @param {Node} input */
    const field = (label, input) => el("label.field", {}, el("span", {}, label), input);
    this.elements = [
      el(
        "div.fields",
        {},
        field(say.common.rows, this.rows),
        field(say.common.columns, this.cols),
        field(say.common.mines, this.total),
      ),
      field(say.common.topology, this.shape.select),
      this.shape.own,
      field(say.rules.clues, this.channel),
    ];
  }

  /** The board asked for, with the cells of the old one; null if a field says what is wrong. @param {Position} old */
  read(old) {
    /** @param {HTMLInputElement} input @param {number} fallback @param {number} most */
    const clamp = (input, fallback, most) =>
      Number.isFinite(input.valueAsNumber) ? Math.max(1, Math.min(most, Math.round(input.valueAsNumber))) : fallback;
    const rows = clamp(this.rows, old.rows, this.limits.rows);
    const cols = clamp(this.cols, old.cols, this.limits.cols);
    if (!this.shape.check(rows, cols)) return null;
    const total = Number.isFinite(this.total.valueAsNumber) ? this.total.valueAsNumber : null;
    const next = emptyPosition(rows, cols, this.shape.shape, total);
    next.channel = this.channel.value === "exact" ? null : this.channel.value;
    for (let row = 0; row < Math.min(old.rows, next.rows); row += 1) {
      for (let col = 0; col < Math.min(old.cols, next.cols); col += 1) {
        next.cells[row * next.cols + col] = old.cells[row * old.cols + col];
      }
    }
    return next;
  }

  /** @param {Position} position */
  show(position) {
    this.rows.value = String(position.rows);
    this.cols.value = String(position.cols);
    this.total.value = String(position.total ?? "");
    this.shape.shape = position.shape;
    this.shape.check(position.rows, position.cols);
    chooseChannel(this.channel, position.channel ?? "exact");
  }
}
