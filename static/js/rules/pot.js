// Amounts: payouts from the pot and payments into it, in whole Rappen; shared by all games. Nothing is computed with
// fractions.

import { Unanswered } from "./faults.js";

// Sixteen times this pot is still exact as a number; no sum of a hand is larger. Only thousands of cuts make such a
// pot.
const LARGEST_POT = 2 ** 49;

/**
 * Throw unless a pot is small enough to be counted exactly.
 * @param {number} pot
 */
export function checkExact(pot) {
  if (pot > LARGEST_POT) throw new Unanswered("amounts", "cuts");
}

/** @param {number[]} amounts */
export const negative = (amounts) => amounts.map((amount) => -amount);

/** @param {number[]} amounts */
export const sum = (amounts) => amounts.reduce((total, amount) => total + amount, 0);

/**
 * Return the smallest multiple of `unit` that is not below `amount`.
 * @param {number} amount
 * @param {number} unit
 */
export function roundUp(amount, unit) {
  const over = amount % unit;
  return over ? amount + unit - over : amount;
}

/**
 * Return two thirds of the pot, rounded up to a multiple of `rounding`, at most the pot (C6.5).
 * @param {number} pot
 * @param {number} rounding
 */
export function twoThirds(pot, rounding) {
  return Math.min(roundUp(2 * pot, 3 * rounding) / 3, pot);
}

/**
 * Divide an amount among `count` seats in whole coins; return one share and the remainder.
 * @param {number} amount
 * @param {number} count
 * @param {number} coin
 */
export function equalShares(amount, count, coin) {
  const remainder = amount % (count * coin);
  return [(amount - remainder) / count, remainder];
}

/**
 * Reduce the penalties so that the pot does not rise above the limit (C6.7, K8.4, Z7.2).
 *
 * `left` is the pot after the payouts. Penalties are negative; each amount paid is rounded down to whole coins.
 * @param {number[]} penalties
 * @param {number} potLimit
 * @param {number} left
 * @param {number} coin
 */
export function limitPenalties(penalties, potLimit, left, coin) {
  const room = Math.max(0, potLimit - left);
  const total = -sum(penalties);
  if (total <= room) return penalties;
  // The product of two amounts may not fit in a number.
  return penalties.map((penalty) => -Number((BigInt(-penalty) * BigInt(room)) / BigInt(total) / BigInt(coin)) * coin);
}

/**
 * Return the result lines and the change of each seat. Each movement is a kind and the amounts by seat; 0 gets no line.
 * @param {number} seats
 * @param {Movement[]} movements
 */
export function book(seats, movements) {
  /** @type {HandResult["lines"]} */
  const lines = [];
  const deltas = Array(seats).fill(0);
  for (const [kind, amounts] of movements) {
    amounts.forEach((amount, seat) => {
      if (!amount) return;
      lines.push({ seat, kind, amount });
      deltas[seat] += amount;
    });
  }
  return { lines, deltas };
}

/**
 * Throw unless the lines, changes and pot of a valid result agree exactly (C6.9, K8.8, Z7.5); that would be a defect of
 * these rules.
 * @param {HandResult} result
 */
export function checkBalanced({ deltas, lines, pot, pot_after }) {
  const unexplained = [...deltas];
  let potBefore = pot;
  for (const { seat, kind, amount } of lines) {
    unexplained[seat] -= amount;
    if (kind === "ante" || kind === "cut") potBefore += amount;
  }
  if (unexplained.some(Boolean) || sum(deltas) + pot_after !== potBefore || !(pot_after >= 0))
    throw new Error("unbalanced");
}

/**
 * Return a house rule that changed the amounts of a hand (effects.js).
 * @param {string} kind
 * @param {number} amount
 * @param {number | null} seat
 */
export const effect = (kind, amount, seat = null) => ({ kind, amount, seat });
