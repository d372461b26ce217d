// The rules on the phone: the computation of the server's engine (engine/) for tallies, in the browser.
//
// The rulebooks in docs/rulebook/ are the norm. A record is a tally as docs/rulebook/hand-record.md defines it; amounts
// are whole Rappen. No module of this folder touches the page or imports from outside of it. The server replays each
// hand again and decides; tests/modules/test_rules_on_the_phone.py compares both.

import { Fault } from "./faults.js";
import { gameOf } from "./games.js";
import { effectiveRules } from "./houserules.js";
import { sum } from "./pot.js";

export { effects } from "./effects.js";
export { Fault } from "./faults.js";
export { GAMES } from "./games.js";
export { RULE_DEFAULTS, effectiveRules } from "./houserules.js";
export { replay } from "./replay.js";

/**
 * Return the antes due before a hand of any game and the pot with them: { antes, muss, pot }; `muss` is null in a game
 * where nobody has to play. In a game with cuts `dealer` is the seat that has the pack before them; payments for the
 * cuts come on top (K3.2, Z2.3). Throws a `Fault` if the game, a house rule, the number of seats, the dealer or the pot
 * is not allowed.
 * @param {{ game: Game, rules?: HouseRules, seats: number, dealer: number, pot_before: number,
 *   deal_number?: number }} table
 */
export function due({ game, rules = {}, seats, dealer, pot_before, deal_number = 1 }) {
  const effective = effectiveRules(game, rules);
  const { antes, muss } = gameOf(game).due(effective, { seats, dealer, pot_before, deal_number });
  return { antes, muss, pot: pot_before + sum(antes) };
}

/**
 * Return the dealer after some cuts and the payments of each seat for them (K3, Z2.3): { dealer, payments }. `cuts` are
 * cards or their symbols, as in a tally; further cuts may follow. Throws a `Fault` if the cuts are impossible, or if
 * the game has none.
 * @param {Game} game
 * @param {HouseRules} rules
 * @param {{ seats: number, dealer: number, cuts: any[] }} table
 */
export function afterCuts(game, rules, table) {
  const { afterCuts: cut } = gameOf(game);
  if (cut === null) throw new Fault("R1", "game");
  return cut(effectiveRules(game, rules), table);
}
