// Z4, Z6: who plays, the tricks, and who lost the seven of Schellen (Z7.3).

import { Fault } from "../faults.js";
import { countOf } from "../fields.js";
import { ascending, checkSeat, others } from "../seats.js";
import { countTricks } from "../tricks.js";

export const TRICKS = 3;

/**
 * Return true if the pot holds nothing but stakes of this hand (Z4.1).
 * @param {number} potBefore
 */
export const isForced = (potBefore) => potBefore === 0;

/**
 * Check the seats that play in a tally and return them, ascending (Z4.1, Z4.2).
 * @param {Tally} hand
 */
export function speaking({ seats, pot_before, players }) {
  if (isForced(pot_before)) {
    if (players.length) throw new Fault("Z4.1", "players");
    return others(null, seats);
  }
  players.forEach((seat, place) => {
    const path = `players[${place}]`;
    checkSeat(seat, seats, path);
    if (players.indexOf(seat) < place) throw new Fault("R3", path);
  });
  return ascending(players);
}

/**
 * Check the tricks of a tally (R5) and the seat that lost the seven of Schellen (Z7.3); return the tricks by seat.
 * @param {Tally} hand
 * @param {number[]} players
 */
export function tallyTricks(hand, players) {
  const { seats, tricks, seven_lost } = hand;
  if (players.length < 2 && countOf(tricks)) throw new Fault("R5", "tricks");
  const counts = players.length < 2 ? Array(seats).fill(0) : countTricks(tricks, seats, players, TRICKS);
  if (seven_lost !== null) checkSevenLost(hand, players, counts, seven_lost);
  return counts;
}

/**
 * @param {Tally} hand
 * @param {number[]} players
 * @param {number[]} counts
 * @param {number} seat
 */
function checkSevenLost({ seats, rules }, players, counts, seat) {
  checkSeat(seat, seats, "seven_lost");
  const pays = rules.seven && rules.seven_lost === "stake";
  const played = players.length > 1 && players.includes(seat);
  if (!pays || !played || counts[seat] === TRICKS) throw new Fault("Z7.3", "seven_lost");
}
