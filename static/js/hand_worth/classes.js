// The classes of hands, as `engine/hand_worth.py` numbers them: hands that differ only in the names of the plain suits
// are one class.

import { PACKS } from "./games.js";

const HAND = 4;
const SUITS = "shdc";
export const WELI = "W";

/** @type {Map<string, Map<string, number>>} */
const known = new Map();

/** The number of bits that are set. */
function count(bits) {
  let total = 0;
  for (let left = bits; left; left &= left - 1) total += 1;
  return total;
}

/** For 0 to 4: all numbers of so many bits of which at most so many are set, rising. */
function upTo(width) {
  const all = Array.from({ length: 2 ** width }, (_, bits) => bits);
  return Array.from({ length: HAND + 1 }, (_, most) => all.filter((bits) => count(bits) <= most));
}

/**
 * The number of each class, by its ranks as text.
 * @param {string} game
 */
export function classes(game) {
  const cached = known.get(game);
  if (cached) return cached;
  const [trumps, plain] = PACKS[game].ranks.map((ranks) => upTo(ranks.length));
  /** @type {Map<string, number>} */
  const numbers = new Map();
  for (const trump of trumps[HAND]) {
    const left = HAND - count(trump);
    for (const first of plain[left]) {
      for (const second of plain[left - count(first)]) {
        if (second > first) break;
        const last = left - count(first) - count(second);
        for (const third of plain[last]) {
          if (third > second) break;
          if (count(third) === last) numbers.set([trump, first, second, third].join(), numbers.size);
        }
      }
    }
  }
  known.set(game, numbers);
  return numbers;
}

/**
 * The number of the class of four cards; null if they are no hand.
 * @param {string} game
 * @param {string[]} cards
 * @param {string} trump the letter of the suit
 */
export function classOf(game, cards, trump) {
  const [ofTrumps, ofPlain] = PACKS[game].ranks;
  const held = Object.fromEntries([...SUITS].map((suit) => [suit, 0]));
  for (const card of cards) {
    const suit = card === WELI ? trump : card[1];
    held[suit] |= 1 << (suit === trump ? ofTrumps : ofPlain).indexOf(card[0]);
  }
  const others = [...SUITS].filter((suit) => suit !== trump).map((suit) => held[suit]);
  others.sort((left, right) => right - left);
  return classes(game).get([held[trump], ...others].join()) ?? null;
}
