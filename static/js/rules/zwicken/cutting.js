// Z1, Z2: the seats, the stake of the dealer, and the cuts that move the deal.

import { Fault } from "../faults.js";
import { checkSeat } from "../seats.js";

export const FEWEST_SEATS = 3;
export const MOST_SEATS = 6;
const SYMBOL = /^[A7Bx]$/;
const CARD = /^[AKQJT987][shdc]$/;

/**
 * Check the number of seats (Z1.1) and the seat that has the pack (R3).
 * @param {number} seats
 * @param {number} dealer
 */
export function checkPlayers(seats, dealer) {
  if (!(seats >= FEWEST_SEATS && seats <= MOST_SEATS)) throw new Fault("Z1.1", "seats");
  checkSeat(dealer, seats, "dealer");
}

/**
 * Return the payments for the deal by seat: the first dealer's stake (Z2.2, Z2.5).
 * @param {HouseRules} rules
 * @param {number} seats
 * @param {number} dealer
 */
export function antes(rules, seats, dealer) {
  return Array.from({ length: seats }, (_, seat) => (seat === dealer ? rules.stake : 0));
}

/**
 * Check the cuts and return the dealer and the payments by seat (Z2.3, Z2.4): { dealer, payments }.
 *
 * If `isOver` is false, further cuts may follow.
 * @param {HouseRules} rules
 * @param {number} seats
 * @param {number} dealer
 * @param {string[]} cuts
 */
export function cut(rules, seats, dealer, cuts, isOver = true) {
  const payments = Array(seats).fill(0);
  if (!rules.cut_moves) {
    if (cuts.length) throw new Fault("Z2.3", "cuts");
    return { dealer, payments };
  }
  if (isOver && !cuts.length) throw new Fault("Z2.4", "cuts");
  let pack = dealer;
  cuts.forEach((name, number) => {
    const path = `cuts[${number}]`;
    const isLast = number === cuts.length - 1;
    const symbol = symbolOf(name, path);
    if (symbol === "x" ? !isLast : isLast && isOver) throw new Fault("Z2.4", path);
    for (let step = stepsOf(symbol, rules); step > 0; step -= 1) {
      pack = (pack + 1) % seats;
      payments[pack] += rules.stake;
    }
  });
  return { dealer: pack, payments };
}

/**
 * Return the symbol of the effect of a card (Z2.3); throw R2 for an unknown one.
 * @param {string} name
 * @param {string} path
 */
function symbolOf(name, path) {
  if (SYMBOL.test(name)) return name;
  if (!CARD.test(name)) throw new Fault("R2", path);
  if (name === "7d") return "B";
  return "A7".includes(name[0]) ? name[0] : "x";
}

/**
 * Return how many seats the deal moves to the left: a hop, or a jump; each of these seats pays (Z2.3).
 * @param {string} symbol
 * @param {HouseRules} rules
 */
function stepsOf(symbol, rules) {
  if (symbol === "x") return 0;
  return symbol === "B" && rules.seven ? 2 : 1;
}
