// Z7: payouts by thirds of the pot, bêtes, the seven of Schellen, the next pot and the next dealer.

import { book, checkExact, equalShares, limitPenalties, negative, sum } from "../pot.js";
import { antes, checkPlayers, cut } from "./cutting.js";
import { TRICKS, isForced, speaking, tallyTricks } from "./playing.js";

/**
 * Replay a tally of Zwicken and return its result; throw a `Fault` for the first broken clause.
 * @param {Tally} hand
 * @returns {HandResult}
 */
export function replay(hand) {
  const { rules, seats, dealer, pot_before } = hand;
  checkPlayers(seats, dealer);
  const paid = antes(rules, seats, dealer);
  const cuts = cut(rules, seats, dealer, hand.cuts ?? []);
  const players = speaking(hand);
  const tricks = tallyTricks(hand, players);
  const pot = pot_before + sum(paid) + sum(cuts.payments);
  checkExact(pot);
  const payouts = payOut(rules, pot, cuts.dealer, players, tricks);
  const isPlayed = players.length > 1;
  const { lines, deltas } = book(seats, [
    ["ante", negative(paid)],
    ["cut", negative(cuts.payments)],
    ["payout", payouts],
    ["penalty", isPlayed ? payIn(rules, pot, pot - sum(payouts), players, tricks) : []],
    ["seven", isPlayed ? tricks.map((_, seat) => (seat === hand.seven_lost ? -rules.stake : 0)) : []],
  ]);
  const potAfter = pot_before - sum(deltas);
  return {
    ok: true,
    outcome: isPlayed ? "played" : players.length ? "walkover" : "passed_out",
    declarer: null,
    joiners: players,
    muss: isForced(pot_before),
    pot,
    tricks,
    lines,
    deltas,
    pot_after: potAfter,
    next: { dealer: (cuts.dealer + 1) % seats, deal_number: 1, muss: isForced(potAfter) },
    susi: null,
    blind: null,
  };
}

/**
 * Return the payout of each seat from the pot P: a third for each trick (Z4.3, Z7.1).
 * @param {HouseRules} rules
 * @param {number} pot
 * @param {number} dealer
 * @param {number[]} players
 * @param {number[]} tricks
 */
function payOut(rules, pot, dealer, players, tricks) {
  if (players.length > 1) {
    const [third] = equalShares(pot, TRICKS, rules.coin);
    return tricks.map((count) => third * count);
  }
  const payouts = Array(tricks.length).fill(0);
  if (players.length) payouts[players[0]] = pot;
  else if (rules.nobody === "dealer") [payouts[dealer]] = equalShares(pot, 1, rules.coin);
  return payouts;
}

/**
 * Return the bête of each seat (0 or negative), reduced by the limit of the pot (Z7.2); `left` is the pot after the
 * payouts.
 * @param {HouseRules} rules
 * @param {number} pot
 * @param {number} left
 * @param {number[]} players
 * @param {number[]} tricks
 */
function payIn(rules, pot, left, players, tricks) {
  const bete = rules.bete === "pot" ? pot : rules.stake;
  const betes = tricks.map((count, seat) => (players.includes(seat) && count < 1 ? -bete : 0));
  return rules.pot_limit === null ? betes : limitPenalties(betes, rules.pot_limit, left, rules.coin);
}
