// The rules on the phone: the computation of the server's engine (engine/) for tallies, in the browser.
//
// The rulebooks in docs/rulebook/ are the norm. A record is a tally as docs/rulebook/hand-record.md defines it; amounts
// are whole Rappen. No module of this folder touches the page or imports from outside of it. The server replays each
// hand again and decides; tests/modules/test_rules_on_the_phone.py compares both.

import * as chratze from "./chratze.js";
import { effectiveRules } from "./houserules.js";
import { antes, checkPlayers, cut, isMuss } from "./kratzen_cutting.js";
import { checkWholeCoins } from "./record.js";
import { sum } from "./pot.js";

export { effects } from "./effects.js";
export { Fault } from "./faults.js";
export { RULE_DEFAULTS, effectiveRules } from "./houserules.js";
export { replay } from "./replay.js";

/**
 * Return the antes due before a hand of either game and the pot with them: { antes, muss, pot }; `muss` is null in
 * Chratze. In Kratzen `dealer` is the seat that has the pack before the cuts; payments for the cuts come on top
 * (K3.2). Throws a `Fault` if the game, a house rule, the number of seats, the dealer or the pot is not allowed.
 * @param {{ game: Game, rules?: HouseRules, seats: number, dealer: number, pot_before: number,
 *   deal_number?: number }} table
 */
export function due({ game, rules = {}, seats, dealer, pot_before, deal_number = 1 }) {
  const effective = effectiveRules(game, rules);
  if (game === "chratze") {
    chratze.checkSeats(seats, dealer);
    const ante = chratze.anteOfDeal(effective, deal_number);
    return { antes: Array(seats).fill(ante), muss: null, pot: pot_before + ante * seats };
  }
  checkWholeCoins(effective, pot_before);
  checkPlayers(seats, dealer);
  const muss = isMuss(effective, pot_before);
  const paid = antes(effective, seats, dealer, muss);
  return { antes: paid, muss, pot: pot_before + sum(paid) };
}

/**
 * Return the dealer after some cuts of Kratzen and the payments of each seat for them (K3): { dealer, payments }.
 * `cuts` are cards or their symbols, as in a tally; further cuts may follow. Throws a `Fault` if the cuts are
 * impossible.
 * @param {HouseRules} rules
 * @param {{ seats: number, dealer: number, cuts: string[][] }} table
 */
export function afterCuts(rules, { seats, dealer, cuts }) {
  const effective = effectiveRules("kratzen", rules);
  checkPlayers(seats, dealer);
  return cut(effective, seats, dealer, cuts, false);
}
