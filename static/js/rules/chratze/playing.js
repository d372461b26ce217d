// Chratze: the seats (C1), the ante and the next dealer (C2), the roles (C3), the goals made (C5, C6.1).

import { Fault } from "../faults.js";
import { countOf } from "../fields.js";
import { ascending, checkJoiners, checkSeat } from "../seats.js";
import { countTricks } from "../tricks.js";

export const FEWEST_SEATS = 2;
export const MOST_SEATS = 7;
export const TRICKS = 4;
const BLIND_CLAUSE = { blind: "C3.4", double: "C3.5" };

/**
 * Check the number of seats (C1.1) and the dealer's seat (R3).
 * @param {number} seats
 * @param {number} dealer
 */
export function checkSeats(seats, dealer) {
  if (!(seats >= FEWEST_SEATS && seats <= MOST_SEATS)) throw new Fault("C1.1", "seats");
  checkSeat(dealer, seats, "dealer");
}

/**
 * Check the seats and the deal number (C2.5).
 * @param {Tally} hand
 */
export function checkPlayers({ rules, seats, dealer, deal_number }) {
  checkSeats(seats, dealer);
  if (rules.no_taker === "redeal" && deal_number > rules.max_turns) throw new Fault("C2.5", "deal_number");
}

/**
 * Return the ante of each seat for a deal (C2.1, C2.4, C2.5).
 * @param {HouseRules} rules
 * @param {number} dealNumber
 * @returns {number}
 */
export function anteOfDeal(rules, dealNumber) {
  return dealNumber === 1 || rules.ante_on_redeal ? rules.stake : 0;
}

/**
 * Return the next dealer and the next deal number (C2.3 to C2.5).
 * @param {Tally} hand
 * @param {number | null} declarer
 */
export function nextDeal({ rules, seats, dealer, deal_number }, declarer) {
  const isLast = rules.no_taker === "redeal" && deal_number === rules.max_turns;
  if (declarer === null && !isLast) return { dealer, deal_number: deal_number + 1 };
  return { dealer: (dealer + 1) % seats, deal_number: 1 };
}

/**
 * Return the last seat to answer, the one before the declarer (C3.6).
 * @param {number} seats
 * @param {number} declarer
 */
export function lastToAnswer(seats, declarer) {
  return (declarer + seats - 1) % seats;
}

/**
 * Check the roles of a tally and return them, joiners ascending (C3): { declarer, joiners }.
 * @param {Tally} hand
 * @returns {Roles}
 */
export function speaking({ rules, seats, dealer, blind, declarer, joiners }) {
  if (declarer !== null) checkSeat(declarer, seats, "declarer");
  if (blind !== null) checkBlind(rules, blind, declarer === dealer);
  if (declarer === null) {
    if (joiners.length) throw new Fault("C3.3", "joiners");
    return { declarer, joiners: [] };
  }
  if (!joiners.length && rules.susi === "forced") throw new Fault("C3.6", "joiners");
  checkJoiners(declarer, joiners, seats);
  return { declarer, joiners: ascending(joiners) };
}

/**
 * @param {HouseRules} rules
 * @param {"blind" | "double"} blind
 * @param {boolean} dealerDeclares
 */
function checkBlind(rules, blind, dealerDeclares) {
  if (rules.blind !== "both" && rules.blind !== blind) throw new Fault(BLIND_CLAUSE[blind], "blind");
  if (!dealerDeclares) throw new Fault(BLIND_CLAUSE[blind], "declarer");
}

/**
 * Check the tricks of a tally (R5) and return the goals made (C6.1), from the tricks or from the field `made`:
 * { tricks (by seat, null with `made`), declarerMade, winners (joiners) }.
 * @param {Tally} hand
 * @param {Roles} roles
 * @returns {Played}
 */
export function tallyTricks({ seats, tricks, made }, { declarer, joiners }) {
  if (declarer === null || !joiners.length) {
    if (countOf(tricks)) throw new Fault("R5", "tricks");
    if (made.length) throw new Fault("R5", "made");
    return { tricks: Array(seats).fill(0), declarerMade: false, winners: [] };
  }
  const active = [declarer, ...joiners];
  if (made.length) {
    checkMade(made, seats, declarer, active);
    return {
      tricks: null,
      declarerMade: made.includes(declarer),
      winners: joiners.filter((seat) => made.includes(seat)),
    };
  }
  const counts = countTricks(tricks, seats, active, TRICKS);
  return { tricks: counts, declarerMade: counts[declarer] >= 2, winners: joiners.filter((seat) => counts[seat] >= 1) };
}

/**
 * @param {number[]} made
 * @param {number} seats
 * @param {number} declarer
 * @param {number[]} active
 */
function checkMade(made, seats, declarer, active) {
  made.forEach((seat, place) => {
    const path = `made[${place}]`;
    checkSeat(seat, seats, path);
    if (made.indexOf(seat) < place) throw new Fault("R3", path);
    if (!active.includes(seat)) throw new Fault("R5", path);
  });
  const declarerMade = made.includes(declarer);
  const joiners = made.length - (declarerMade ? 1 : 0);
  if (joiners > (declarerMade ? TRICKS - 2 : TRICKS)) throw new Fault("R5", "made");
}
