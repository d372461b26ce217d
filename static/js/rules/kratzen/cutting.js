// K1 to K3: the seats, Muss or free hand, the antes, and the cuts that decide the dealer.

import { Fault } from "../faults.js";
import { checkSeat } from "../seats.js";

export const FEWEST_SEATS = 3;
export const MOST_SEATS = 6;
const FEWEST_COINS = 4;
const CARDS_SHOWN = 2;
const SYMBOL = /^[A7Wx]$/;
const CARD = /^(?:[AKQJT987][shdc]|6d)$/;
/** @type {Record<string, number>} */
const STEP = { 7: -1, A: 1 }; // a seven passes the pack to the right, an ace to the left (K3.2)

/**
 * Throw R1 unless the pot is in whole coins (K2.1).
 * @param {HouseRules} rules
 * @param {number} potBefore
 */
export function checkWholeCoins(rules, potBefore) {
  if (potBefore % rules.coin) throw new Fault("R1", "pot_before");
}

/**
 * Check the number of seats (K1.1) and the seat that has the pack (R3).
 * @param {number} seats
 * @param {number} dealer
 */
export function checkPlayers(seats, dealer) {
  if (!(seats >= FEWEST_SEATS && seats <= MOST_SEATS)) throw new Fault("K1.1", "seats");
  checkSeat(dealer, seats, "dealer");
}

/**
 * Return true if the pot is empty or only an indivisible remainder, so that the hand is a Muss (K2.1).
 * @param {HouseRules} rules
 * @param {number} potBefore
 */
export function isMuss(rules, potBefore) {
  return potBefore < FEWEST_COINS * rules.coin;
}

/**
 * Return the antes by seat; `dealer` is the seat that has the pack before the cuts (K2.2, K2.3).
 * @param {HouseRules} rules
 * @param {number} seats
 * @param {number} dealer
 * @param {boolean} muss
 */
export function antes(rules, seats, dealer, muss) {
  return Array.from({ length: seats }, (_, seat) => (muss ? rules.unit : 0) + (seat === dealer ? rules.unit : 0));
}

/**
 * Check the cuts and return the dealer and the payments by seat (K3.1 to K3.4): { dealer, payments }.
 *
 * If `isOver` is false, the last cut or its second card may still be missing.
 * @param {HouseRules} rules
 * @param {number} seats
 * @param {number} dealer
 * @param {string[][]} cuts
 */
export function cut(rules, seats, dealer, cuts, isOver = true) {
  if (isOver && !cuts.length) throw new Fault("K3.4", "cuts");
  const payments = Array(seats).fill(0);
  let pack = dealer;
  cuts.forEach((cards, number) => {
    const path = `cuts[${number}]`;
    const symbols = symbolsOf(cards, path);
    checkLength(symbols, path, number === cuts.length - 1, isOver);
    for (const symbol of symbols) {
      if (symbol === "W")
        payments.forEach((_, seat) => {
          payments[seat] += rules.unit;
        });
      if (!STEP[symbol]) continue;
      pack = (pack + seats + STEP[symbol]) % seats;
      payments[pack] += rules.unit;
    }
  });
  return { dealer: pack, payments };
}

/**
 * Return the symbol of the effect of each card of a cut (K3.1); throw R2 for an unknown or repeated card.
 * @param {string[]} cards
 * @param {string} path
 */
function symbolsOf(cards, path) {
  /** @type {string[]} */
  const symbols = [];
  cards.forEach((name, place) => {
    const isCard = CARD.test(name);
    if (!isCard && !SYMBOL.test(name)) throw new Fault("R2", `${path}[${place}]`);
    const symbol = !isCard ? name : name === "6d" ? "W" : "A7".includes(name[0]) ? name[0] : "x";
    const isRepeated = (isCard && cards.indexOf(name) < place) || (symbol === "W" && symbols.includes(symbol));
    if (isRepeated) throw new Fault("R2", `${path}[${place}]`);
    symbols.push(symbol);
  });
  return symbols;
}

/**
 * Check the number of cards of a cut (K3.1); only the last cut starts with a card without effect (K3.4).
 * @param {string[]} symbols
 * @param {string} path
 * @param {boolean} isLast
 * @param {boolean} isOver
 */
function checkLength(symbols, path, isLast, isOver) {
  const count = symbols.length;
  if (isLast && isOver) {
    if (count !== 1 || symbols[0] !== "x") throw new Fault("K3.4", path);
  } else if (symbols[0] === "x" && !(isLast && count === 1)) {
    throw new Fault("K3.4", path);
  } else if (count > CARDS_SHOWN || (count < CARDS_SHOWN && !isLast)) {
    throw new Fault("K3.1", path);
  }
}
