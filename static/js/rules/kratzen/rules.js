// The house rules and the fields of a tally of Kratzen.

import { Fault } from "../faults.js";
import {
  COMMON,
  COMMON_NEEDED,
  each,
  field,
  must,
  rolesOf,
  seatOrNull,
  tricks,
  wholes,
  word,
  yesOrNo,
} from "../fields.js";
import * as values from "../values.js";

const FEWEST_UNIT_COINS = 2;
const FEWEST_LIMIT_COINS = 8;

/** @type {RulesOfGame["values"]} */
export const VALUES = {
  unit: [10, values.amount],
  coin: [5, values.amount],
  must_beat: ["trumps", values.oneOf("trumps", "always")],
  remainder: ["pot", values.oneOf("pot", "declarer")],
  seven_muss: ["deal", values.oneOf("off", "deal", "any")],
  last_word: [true, values.yesOrNo],
  open_trumps: [true, values.yesOrNo],
  pot_limit: [null, values.limit],
  split_over: [null, values.limit],
};

/**
 * Check the conditions between house rules (R4).
 * @param {HouseRules} rules
 */
export function checkRules(rules) {
  const { unit, coin } = rules;
  if (unit % coin || unit < FEWEST_UNIT_COINS * coin) throw new Fault("R4", "rules.unit");
  for (const name of ["pot_limit", "split_over"]) {
    if (rules[name] !== null && rules[name] < FEWEST_LIMIT_COINS * coin) throw new Fault("R4", `rules.${name}`);
  }
}

/** @type {RulesOfGame["fields"]} */
export const FIELDS = {
  ...COMMON,
  declarer: seatOrNull,
  joiners: wholes,
  tricks,
  cuts: each(each(word)),
  seven: yesOrNo,
  game_type: must(values.oneOf(null, "schlagen", "oder", "weiter-oder")),
};
export const NEEDED = [...COMMON_NEEDED, "cuts", "declarer"];

/**
 * Return the fields of a record that only this game has.
 * @param {any} record
 */
export function read(record) {
  return {
    ...rolesOf(record),
    cuts: record.cuts,
    seven: field(record, "seven", false),
    game_type: field(record, "game_type", null),
  };
}
