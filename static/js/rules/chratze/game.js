// Chratze, one module for each part of its rulebook.

import { effects } from "./effects.js";
import { FEWEST_SEATS, MOST_SEATS, anteOfDeal, checkSeats } from "./playing.js";
import { FIELDS, NEEDED, VALUES, checkRules, read } from "./rules.js";
import { replay } from "./settlement.js";

/** @type {RulesOfGame} */
export const CHRATZE = {
  seats: [FEWEST_SEATS, MOST_SEATS],
  countsDeals: true,
  values: VALUES,
  checkRules,
  fields: FIELDS,
  needed: NEEDED,
  read,
  checkTable: () => {},
  replay,
  due(rules, { seats, dealer, deal_number }) {
    checkSeats(seats, dealer);
    return { antes: Array(seats).fill(anteOfDeal(rules, deal_number)), muss: null };
  },
  afterCuts: null,
  effects,
};
