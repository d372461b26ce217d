// The texts of the scripts: the page brings them in its language (games/table/night_texts.py).
import { money, sign } from "../money.js";

const block = document.getElementById("night-texts");
const texts = block ? JSON.parse(block.textContent) : {};

/** Return true if the page has a text of this name. */
export const has = (name) => name in texts;

/**
 * Write amounts without a currency from now on: points alone count at this table, which the page may not have known.
 */
export function withoutCurrency() {
  texts["preview.price"] = texts["preview.amount"];
}

/**
 * An amount with its currency, as the server writes it.
 * @param {number} minor
 */
export const price = (minor) => (has("preview.price") ? text("preview.price", { amount: money(minor) }) : money(minor));

/**
 * A change of an amount with its currency: the sign stands before it, as the server writes it.
 * @param {number} minor
 */
export const gainPrice = (minor) => `${sign(minor)}${price(Math.abs(minor))}`;

/**
 * The text of this name; each `{key}` in it is replaced by `values[key]`. A name that the page lacks is returned as it
 * is.
 */
export function text(name, values = {}) {
  const template = texts[name] ?? name;
  return template.replace(/\{(\w+)\}/g, (place, key) => (key in values ? String(values[key]) : place));
}

/**
 * A sentence of a game (games/game/screen.py).
 * @param {Game} game
 * @param {string} name
 */
export const say = (game, name, values = {}) => text(`say.${game}.${name}`, values);
