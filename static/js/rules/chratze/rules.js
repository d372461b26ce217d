// The house rules and the fields of a tally of Chratze.

import { Fault } from "../faults.js";
import {
  COMMON,
  COMMON_NEEDED,
  countOf,
  field,
  must,
  rolesOf,
  seatOrNull,
  tricks,
  wholeFrom,
  wholes,
} from "../fields.js";
import { roundUp } from "../pot.js";
import { amount, isWhole, limit, oneOf, yesOrNo } from "../values.js";

const MOST_TURNS = 8;
/** @param {any} value */
const turns = (value) => isWhole(value) && value >= 1 && value <= MOST_TURNS;

/** @type {RulesOfGame["values"]} */
export const VALUES = {
  stake: [20, amount],
  rounding: [20, amount],
  coin: [5, amount],
  no_taker: ["turn", oneOf("turn", "redeal")],
  max_turns: [3, turns],
  ante_on_redeal: [true, yesOrNo],
  blind: ["both", oneOf("none", "blind", "both")],
  susi: ["label", oneOf("off", "label", "forced")],
  rob: [true, yesOrNo],
  pot_limit: [null, limit],
};

/**
 * Check the conditions between house rules (R4); the rounding follows from stake and coin unless it is given.
 * @param {HouseRules} rules
 * @param {string[]} given
 */
export function checkRules(rules, given) {
  if (!given.includes("rounding")) rules.rounding = roundUp(rules.stake, rules.coin);
  if (rules.rounding % rules.coin) throw new Fault("R4", "rules.rounding");
  if (rules.pot_limit !== null && rules.pot_limit < rules.stake) throw new Fault("R4", "rules.pot_limit");
}

/** @type {RulesOfGame["fields"]} */
export const FIELDS = {
  ...COMMON,
  declarer: seatOrNull,
  joiners: wholes,
  tricks,
  deal_number: wholeFrom(1),
  blind: must(oneOf(null, "blind", "double")),
  made: wholes,
};
export const NEEDED = [...COMMON_NEEDED, "declarer"];

/**
 * Return the fields of a record that only this game has.
 * @param {any} record
 */
export function read(record) {
  const made = field(record, "made", []);
  if (made.length && countOf(field(record, "tricks", {}))) throw new Fault("R1", "made");
  return {
    ...rolesOf(record),
    deal_number: field(record, "deal_number", 1),
    blind: field(record, "blind", null),
    made,
  };
}
