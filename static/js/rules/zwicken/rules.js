// The house rules and the fields of a tally of Zwicken.

import { Fault } from "../faults.js";
import { COMMON, COMMON_NEEDED, each, field, has, plainSeat, seatOrNull, tricks, wholes, word } from "../fields.js";
import { amount, limit, oneOf, yesOrNo } from "../values.js";

const FEWEST_COINS = 3;

/** @type {RulesOfGame["values"]} */
export const VALUES = {
  stake: [30, amount],
  coin: [10, amount],
  seven: [true, yesOrNo],
  cut_moves: [true, yesOrNo],
  exchange: [true, yesOrNo],
  must_trump: [true, yesOrNo],
  must_beat: ["always", oneOf("always", "trumps", "off")],
  bete: ["pot", oneOf("pot", "stake")],
  seven_lost: ["stake", oneOf("stake", "off")],
  nobody: ["dealer", oneOf("dealer", "stays")],
  pot_limit: [null, limit],
};

/**
 * Check the conditions between house rules (R4): the stake is a multiple of three coins, a limit is not below them.
 * @param {HouseRules} rules
 */
export function checkRules({ stake, coin, pot_limit }) {
  const least = FEWEST_COINS * coin;
  if (stake % least) throw new Fault("R4", "rules.stake");
  if (pot_limit !== null && pot_limit < least) throw new Fault("R4", "rules.pot_limit");
}

/** @type {RulesOfGame["fields"]} */
export const FIELDS = { ...COMMON, cuts: each(word), players: wholes, tricks, seven_lost: seatOrNull };
export const NEEDED = COMMON_NEEDED;

/**
 * Return the fields of a record that only this game has; `cuts` is null where the record has none.
 * @param {any} record
 */
export function read(record) {
  return {
    cuts: has(record, "cuts") ? record.cuts : null,
    players: field(record, "players", []).map(plainSeat),
    seven_lost: plainSeat(field(record, "seven_lost", null)),
  };
}

/**
 * Throw R1 for missing cuts where the cut moves the deal.
 * @param {HouseRules} rules
 * @param {Tally} hand
 */
export function checkTable(rules, { cuts }) {
  if (rules.cut_moves && cuts === null) throw new Fault("R1", "cuts");
}
