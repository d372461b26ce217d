// The seats of a table, numbered in the order of play; shared by all games (C1.4, K1.4, Z1.1).

import { Fault } from "./faults.js";

/**
 * Throw R3 unless the table has the seat.
 * @param {number} seat
 * @param {number} seats
 * @param {string} path
 */
export function checkSeat(seat, seats, path) {
  if (!(seat >= 0 && seat < seats)) throw new Fault("R3", path);
}

/**
 * Throw R3 for the first joiner that is no seat of the table, is the declarer, or is named twice.
 * @param {number | null} declarer
 * @param {number[]} joiners
 * @param {number} seats
 */
export function checkJoiners(declarer, joiners, seats) {
  joiners.forEach((seat, place) => {
    const path = `joiners[${place}]`;
    checkSeat(seat, seats, path);
    if (seat === declarer || joiners.indexOf(seat) < place) throw new Fault("R3", path);
  });
}

/** @param {number[]} numbers */
export const ascending = (numbers) => [...numbers].sort((left, right) => left - right);

/**
 * Return all seats but one, ascending.
 * @param {number | null} seat
 * @param {number} seats
 */
export function others(seat, seats) {
  return Array.from({ length: seats }, (_, each) => each).filter((each) => each !== seat);
}
