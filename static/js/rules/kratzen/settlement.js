// K8: payouts by quarters of the pot, penalties, the next pot and the next dealer of a hand of Kratzen.

import { book, checkExact, equalShares, limitPenalties, negative, sum } from "../pot.js";
import { antes, checkPlayers, cut, isMuss } from "./cutting.js";
import { TRICKS, choice, tallyTricks } from "./playing.js";

/**
 * Replay a tally of Kratzen and return its result; throw a `Fault` for the first broken clause.
 * @param {Tally} hand
 * @returns {HandResult}
 */
export function replay(hand) {
  const { rules, seats, dealer, pot_before } = hand;
  checkPlayers(seats, dealer);
  const muss = isMuss(rules, pot_before);
  const paid = antes(rules, seats, dealer, muss);
  const cuts = cut(rules, seats, dealer, hand.cuts ?? []);
  const chosen = choice(hand, cuts.dealer, muss);
  return settle(hand, paid, cuts, chosen, tallyTricks(hand, chosen));
}

/**
 * @param {Tally} hand
 * @param {number[]} paid
 * @param {{ dealer: number, payments: number[] }} cuts
 * @param {Choice} chosen
 * @param {{ tricks: number[], made: number[] }} played
 * @returns {HandResult}
 */
function settle({ rules, seats, pot_before }, paid, cuts, chosen, played) {
  const { muss, declarer, joiners } = chosen;
  const pot = pot_before + sum(paid) + sum(cuts.payments);
  checkExact(pot);
  const atStake = amountAtStake(rules, pot, muss);
  let outcome = "passed_out";
  /** @type {number[]} */
  let payouts = [];
  /** @type {number[]} */
  let penalties = [];
  if (declarer !== null) {
    outcome = joiners.length ? "played" : "walkover";
    if (!muss) payouts = payOut(rules, atStake, { ...chosen, declarer }, played.tricks);
    penalties = penaltiesOf(rules, atStake, pot - sum(payouts), { ...chosen, declarer }, played);
  }
  const { lines, deltas } = book(seats, [
    ["ante", negative(paid)],
    ["cut", negative(cuts.payments)],
    ["payout", payouts],
    ["penalty", penalties],
  ]);
  const potAfter = pot_before - sum(deltas);
  return {
    ok: true,
    outcome,
    declarer,
    joiners,
    muss,
    pot,
    tricks: played.tricks,
    lines,
    deltas,
    pot_after: potAfter,
    next: { dealer: (cuts.dealer + 1) % seats, deal_number: 1, muss: isMuss(rules, potAfter) },
    susi: null,
    blind: null,
  };
}

/**
 * Return the amount at stake: the pot, or half of a large pot in a free hand, in whole coins (K8.5).
 * @param {HouseRules} rules
 * @param {number} pot
 * @param {boolean | null} muss
 * @returns {number}
 */
export function amountAtStake(rules, pot, muss) {
  if (muss || rules.split_over === null || pot <= rules.split_over) return pot;
  return equalShares(pot, 2, rules.coin)[0];
}

/**
 * Return the payout of each seat: a quarter a trick, all four in a walkover, the remainder by house rule (K8.2, K8.3).
 * @param {HouseRules} rules
 * @param {number} atStake
 * @param {Choice & { declarer: number }} chosen
 * @param {number[]} tricks
 */
function payOut(rules, atStake, { declarer, joiners }, tricks) {
  const [quarter, remainder] = equalShares(atStake, TRICKS, rules.coin);
  const payouts = tricks.map((count) => quarter * count);
  if (!joiners.length) payouts[declarer] = quarter * TRICKS;
  if (rules.remainder === "declarer") payouts[declarer] += remainder;
  return payouts;
}

/** Return the penalty of each seat (0 or negative), reduced by the limit of the pot (K8.4); `left` is the pot after the
    payouts.
 * @param {HouseRules} rules
 * @param {number} atStake
 * @param {number} left
 * @param {Choice & { declarer: number }} chosen
 * @param {{ tricks: number[], made: number[] }} played
 */
function penaltiesOf(rules, atStake, left, { declarer, joiners }, { tricks, made }) {
  if (!joiners.length) return [];
  const penalties = Array(tricks.length).fill(0);
  for (const seat of [declarer, ...joiners]) {
    if (!made.includes(seat)) penalties[seat] = seat === declarer ? -2 * atStake : -atStake;
  }
  return rules.pot_limit === null ? penalties : limitPenalties(penalties, rules.pot_limit, left, rules.coin);
}
