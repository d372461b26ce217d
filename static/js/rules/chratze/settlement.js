// C6: payouts, penalties, the next pot and the next dealer of a hand of Chratze.

import { anteOfDeal, checkPlayers, lastToAnswer, nextDeal, speaking, tallyTricks } from "./playing.js";
import { book, equalShares, limitPenalties, sum, twoThirds } from "../pot.js";

/**
 * Replay a tally of Chratze and return its result; throw a `Fault` for the first broken clause.
 * @param {Tally} hand
 * @returns {HandResult}
 */
export function replay(hand) {
  checkPlayers(hand);
  const spoken = speaking(hand);
  return settle(hand, spoken, tallyTricks(hand, spoken));
}

/**
 * @param {Tally} hand
 * @param {Roles} roles
 * @param {Played} played
 * @returns {HandResult}
 */
function settle(hand, { declarer, joiners }, played) {
  const { rules, seats, pot_before, deal_number, blind } = hand;
  const ante = anteOfDeal(rules, deal_number);
  const pot = pot_before + ante * seats;
  /** @type {Movement[]} */
  const movements = [["ante", Array(seats).fill(-ante)]];
  let outcome = "passed_out";
  let susi = null;
  if (declarer !== null) {
    outcome = joiners.length ? "played" : "walkover";
    const payouts = payOut(rules, seats, pot, declarer, played);
    movements.push(["payout", payouts]);
    if (joiners.length) {
      const penalties = penaltiesOf(seats, pot, declarer, joiners, played);
      const left = pot - sum(payouts);
      const unlimited = rules.pot_limit === null;
      movements.push(["penalty", unlimited ? penalties : limitPenalties(penalties, rules.pot_limit, left, rules.coin)]);
    } else if (rules.susi === "label") {
      susi = lastToAnswer(seats, declarer);
    }
  }
  const { lines, deltas } = book(seats, movements);
  return {
    ok: true,
    outcome,
    declarer,
    joiners,
    muss: null,
    pot,
    tricks: played.tricks,
    lines,
    deltas,
    pot_after: pot_before - sum(deltas),
    next: { ...nextDeal(hand, declarer), muss: null },
    susi,
    blind,
  };
}

/**
 * Return the payout of each seat from the pot P (C6.3 to C6.6).
 * @param {HouseRules} rules
 * @param {number} seats
 * @param {number} pot
 * @param {number} declarer
 * @param {Played} played
 */
function payOut(rules, seats, pot, declarer, { declarerMade, winners }) {
  const payouts = Array(seats).fill(0);
  if (!winners.length) {
    // nobody joined, or only the declarer made his goal
    payouts[declarer] = pot;
    return payouts;
  }
  let share = pot;
  if (declarerMade) {
    const thirds = twoThirds(pot, rules.rounding);
    const [each, remainder] = equalShares(pot - thirds, winners.length, rules.coin);
    payouts[declarer] = thirds + remainder;
    share = each;
  } else if (winners.length > 1) {
    [share] = equalShares(pot, winners.length, rules.coin);
  }
  for (const seat of winners) payouts[seat] = share;
  return payouts;
}

/**
 * Return the penalty of each seat (0 or negative): computed from P, before any limit (C6.7).
 * @param {number} seats
 * @param {number} pot
 * @param {number} declarer
 * @param {number[]} joiners
 * @param {Played} played
 */
function penaltiesOf(seats, pot, declarer, joiners, { declarerMade, winners }) {
  const penalties = Array(seats).fill(0);
  if (!declarerMade) penalties[declarer] = -2 * pot;
  for (const seat of joiners) {
    if (!winners.includes(seat)) penalties[seat] = -pot;
  }
  return penalties;
}
