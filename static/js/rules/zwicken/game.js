// Zwicken, one module for each part of its rulebook.

import { effect, equalShares } from "../pot.js";
import { FEWEST_SEATS, MOST_SEATS, antes, checkPlayers, cut } from "./cutting.js";
import { TRICKS, isForced } from "./playing.js";
import { FIELDS, NEEDED, VALUES, checkRules, checkTable, read } from "./rules.js";
import { replay } from "./settlement.js";

/** @type {RulesOfGame} */
export const ZWICKEN = {
  seats: [FEWEST_SEATS, MOST_SEATS],
  countsDeals: false,
  values: VALUES,
  checkRules,
  fields: FIELDS,
  needed: NEEDED,
  read,
  checkTable,
  replay,
  due(rules, { seats, dealer, pot_before }) {
    checkPlayers(seats, dealer);
    return { antes: antes(rules, seats, dealer), muss: isForced(pot_before) };
  },
  afterCuts(rules, { seats, dealer, cuts }) {
    checkPlayers(seats, dealer);
    return cut(rules, seats, dealer, cuts, false);
  },
  effects(rules, _record, { outcome, pot }) {
    if (outcome === "walkover" || (outcome === "passed_out" && rules.nobody !== "dealer")) return [];
    const [, remainder] = equalShares(pot, outcome === "played" ? TRICKS : 1, rules.coin);
    return remainder ? [effect("remainder", remainder)] : [];
  },
};
