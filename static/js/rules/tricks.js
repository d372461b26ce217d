// The tricks of a hand as a tally counts them; shared by all games.

import { Fault } from "./faults.js";
import { sum } from "./pot.js";
import { checkSeat } from "./seats.js";

/**
 * Return the tricks of a tally by seat; throw R3 or R5 unless only active seats have tricks, `all` together.
 * @param {Record<string, number>} tricks
 * @param {number} seats
 * @param {number[]} active
 * @param {number} all
 * @returns {number[]}
 */
export function countTricks(tricks, seats, active, all) {
  const counts = Array(seats).fill(0);
  for (const [word, count] of Object.entries(tricks)) {
    if (count === undefined) continue;
    const seat = Number(word);
    const path = `tricks.${word}`;
    checkSeat(seat, seats, path);
    if (!active.includes(seat) || count < 0) throw new Fault("R5", path);
    counts[seat] = count + 0;
  }
  if (sum(counts) !== all) throw new Fault("R5", "tricks");
  return counts;
}
