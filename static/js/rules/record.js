// A parsed tally with all its fields: their types (R1) and the house rules (R4), before any clause is checked.

import { Fault, Unanswered, printableName } from "./faults.js";
import { field, has, isObject } from "./fields.js";
import { gameOf } from "./games.js";
import { effectiveRules } from "./houserules.js";

/**
 * @param {any} record
 * @param {RulesOfGame} game
 */
function checkFields(record, { fields, needed }) {
  for (const name of Object.keys(record)) {
    if (record[name] === undefined) continue;
    const path = printableName(name);
    if (!Object.hasOwn(fields, name)) throw new Fault("R1", path);
    fields[name](record[name], path);
  }
  const missing = needed.find((name) => !has(record, name));
  if (missing) throw new Fault("R1", missing);
}

/**
 * Return a parsed tally as an object with all its fields: `rules` are effective, missing fields have their defaults.
 *
 * Throws R1 for fields and types, then R4 for house rules, then R1 for what depends on these.
 * @param {any} record
 * @returns {Tally}
 */
export function read(record) {
  if (!isObject(record)) throw new Fault("R1", "");
  const game = gameOf(field(record, "game", null));
  if (has(record, "deal")) throw new Unanswered("full", "deal");
  checkFields(record, game);
  /** @type {any} */
  const hand = {
    game: record.game,
    seats: record.seats,
    dealer: record.dealer + 0,
    pot_before: record.pot_before + 0,
    tricks: field(record, "tricks", {}),
    claimed: field(record, "claimed", []),
    ...game.read(record),
  };
  hand.rules = effectiveRules(record.game, field(record, "rules", {}));
  game.checkTable(hand.rules, hand);
  return hand;
}
