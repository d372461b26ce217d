// Kratzen: the kind of the hand and the roles (K4.2, K5), the goals made (K7, K8.1).

import { Fault } from "../faults.js";
import { countOf } from "../fields.js";
import { ascending, checkJoiners, checkSeat, others } from "../seats.js";
import { countTricks } from "../tricks.js";

export const TRICKS = 4;

/**
 * Check the kind of the hand and the roles of a tally and return them: { muss, seven, declarer, joiners (ascending) }.
 * `dealer` is the seat that dealt after the cuts. Without a declarer the hand is passed out, without a joiner a
 * walkover.
 * @param {Tally} hand
 * @param {number} dealer
 * @param {boolean} muss
 * @returns {Choice}
 */
export function choice(hand, dealer, muss) {
  const { seats, seven, game_type, declarer } = hand;
  if (seven) checkSeven(hand, muss);
  if (!seven && !muss) return freeChoice(hand);
  const clause = seven ? "K4.2" : "K5.1";
  let expected = dealer;
  if (game_type !== null) {
    if (!seven) throw new Fault("K5.1", "game_type");
    checkDeclarer(hand);
    if (declarer === null) throw new Fault("K4.2", "declarer");
    expected = declarer; // a Siebenermuss after oder or weiter-oder: the caller is the declarer (K5.3)
  }
  checkDeclarer(hand);
  if (declarer !== expected) throw new Fault(clause, "declarer");
  const joiners = joinersOf(hand);
  if (joiners.length !== seats - 1) throw new Fault(clause, "joiners");
  return { muss: true, seven, declarer, joiners: others(declarer, seats) };
}

/**
 * Check that the house rules allow the Siebenermuss of a tally (K4.2).
 * @param {Tally} hand
 * @param {boolean} muss
 */
function checkSeven({ rules, game_type }, muss) {
  if (rules.seven_muss === "off") throw new Fault("K4.2", "seven");
  if (game_type === null) return;
  if (muss || game_type === "schlagen") throw new Fault("K4.2", "game_type");
  if (rules.seven_muss !== "any") throw new Fault("K4.2", "seven");
}

/**
 * Return the roles of a free hand: declarer and joiners (K5.2 to K5.5), or none if it is passed out (K5.4).
 * @param {Tally} hand
 * @returns {Choice}
 */
function freeChoice(hand) {
  const { game_type, declarer, joiners } = hand;
  checkDeclarer(hand);
  if (declarer === null) {
    if (game_type !== null) throw new Fault("K5.4", "game_type");
    if (joiners.length) throw new Fault("K5.4", "joiners");
    return { muss: false, seven: false, declarer, joiners: [] };
  }
  if (game_type === null) throw new Fault("R1", "game_type");
  return { muss: false, seven: false, declarer, joiners: joinersOf(hand) };
}

/** @param {Tally} hand */
function checkDeclarer({ declarer, seats }) {
  if (declarer !== null) checkSeat(declarer, seats, "declarer");
}

/** @param {Tally} hand */
function joinersOf({ declarer, joiners, seats }) {
  checkJoiners(declarer, joiners, seats);
  return ascending(joiners);
}

/**
 * Check the tricks of a tally (R5) and return them by seat and the seats that made their goal (K8.1): { tricks, made }.
 * @param {Tally} hand
 * @param {Choice} chosen
 * @returns {{ tricks: number[], made: number[] }}
 */
export function tallyTricks({ seats, tricks }, { seven, declarer, joiners }) {
  if (declarer === null || !joiners.length) {
    if (countOf(tricks)) throw new Fault("R5", "tricks");
    return { tricks: Array(seats).fill(0), made: [] };
  }
  const active = [declarer, ...joiners];
  const counts = countTricks(tricks, seats, active, TRICKS);
  const goal = (/** @type {number} */ seat) => (seat === declarer && !seven ? 2 : 1);
  return { tricks: counts, made: active.filter((seat) => counts[seat] >= goal(seat)) };
}
