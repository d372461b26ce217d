// Kratzen, one module for each part of its rulebook.

import { effect, equalShares } from "../pot.js";
import { FEWEST_SEATS, MOST_SEATS, antes, checkPlayers, checkWholeCoins, cut, isMuss } from "./cutting.js";
import { TRICKS } from "./playing.js";
import { FIELDS, NEEDED, VALUES, checkRules, read } from "./rules.js";
import { amountAtStake, replay } from "./settlement.js";

/** @type {RulesOfGame} */
export const KRATZEN = {
  seats: [FEWEST_SEATS, MOST_SEATS],
  countsDeals: false,
  values: VALUES,
  checkRules,
  fields: FIELDS,
  needed: NEEDED,
  read,
  checkTable: (rules, { pot_before }) => checkWholeCoins(rules, pot_before),
  replay,
  due(rules, { seats, dealer, pot_before }) {
    checkWholeCoins(rules, pot_before);
    checkPlayers(seats, dealer);
    const muss = isMuss(rules, pot_before);
    return { antes: antes(rules, seats, dealer, muss), muss };
  },
  afterCuts(rules, { seats, dealer, cuts }) {
    checkPlayers(seats, dealer);
    return cut(rules, seats, dealer, cuts, false);
  },
  effects(rules, _record, { outcome, pot, muss, declarer }) {
    if (outcome === "passed_out") return [];
    const atStake = amountAtStake(rules, pot, muss);
    const [, remainder] = equalShares(atStake, TRICKS, rules.coin);
    return [
      ...(atStake === pot ? [] : [effect("half", atStake)]),
      ...(remainder && !muss ? [effect("remainder", remainder, rules.remainder === "declarer" ? declarer : null)] : []),
    ];
  },
};
