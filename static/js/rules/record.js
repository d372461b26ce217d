// The fields of a tally and their types (R1), read before any clause is checked.

import { Fault, Unanswered, printableName } from "./faults.js";
import { HIGHEST_AMOUNT, effectiveRules, isWhole } from "./houserules.js";

/** @param {unknown} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {unknown} value */
const isSeatOrNull = (value) => value === null || isWhole(value);
/** @param {number} least */
const wholeFrom = (least) => (/** @type {any} */ value) => isWhole(value) && value >= least && value <= HIGHEST_AMOUNT;
const oneOf =
  (/** @type {any[]} */ ...values) =>
  (/** @type {any} */ value) =>
    values.includes(value);
const SEAT_WORD = /^(?:0|-?[1-9]\d*)$/;

/**
 * Make a check out of a test: it throws R1 at the place of the value.
 * @param {(value: any) => boolean} test
 * @returns {Check}
 */
const must = (test) => (value, at) => {
  if (!test(value)) throw new Fault("R1", at);
};

/**
 * Make a check of a list out of the check of its items.
 * @param {Check} check
 * @returns {Check}
 */
const each = (check) => (value, at) => {
  if (!Array.isArray(value)) throw new Fault("R1", at);
  for (let place = 0; place < value.length; place += 1) check(value[place], `${at}[${place}]`);
};

/**
 * @param {any} value
 * @param {string} at
 */
function checkTricks(value, at) {
  if (!isObject(value)) throw new Fault("R1", at);
  for (const [seat, count] of Object.entries(value)) {
    if (count === undefined) continue;
    const isSeat = seat.length <= 12 && SEAT_WORD.test(seat);
    if (!isSeat || !isWhole(count)) throw new Fault("R1", `${at}.${printableName(seat)}`);
  }
}

const wholes = each(must(isWhole));
const BOTH_GAMES = {
  game: () => {},
  rules: must(isObject),
  seats: must(isWhole),
  dealer: must(isWhole),
  pot_before: must(wholeFrom(0)),
  claimed: wholes,
  declarer: must(isSeatOrNull),
  joiners: wholes,
  tricks: checkTricks,
};
const NEEDED = ["seats", "dealer", "pot_before", "declarer"];
/** @type {Record<Game, Record<string, Check>>} */
const FIELDS = {
  chratze: {
    ...BOTH_GAMES,
    deal_number: must(wholeFrom(1)),
    blind: must(oneOf(null, "blind", "double")),
    made: wholes,
  },
  kratzen: {
    ...BOTH_GAMES,
    cuts: each(each(must((value) => typeof value === "string"))),
    seven: must((value) => typeof value === "boolean"),
    game_type: must(oneOf(null, "schlagen", "oder", "weiter-oder")),
  },
};
const NEEDED_OF = { chratze: NEEDED, kratzen: ["seats", "dealer", "pot_before", "cuts", "declarer"] };

/**
 * Return true if a parsed object has a field. A field that is undefined counts as missing: JSON.stringify leaves it
 * out.
 * @param {any} record
 * @param {string} name
 */
export const has = (record, name) => Object.hasOwn(record, name) && record[name] !== undefined;

/**
 * @param {any} record
 * @param {Game} game
 */
function checkFields(record, game) {
  const checks = FIELDS[game];
  for (const name of Object.keys(record)) {
    if (record[name] === undefined) continue;
    const at = printableName(name);
    if (!Object.hasOwn(checks, name)) throw new Fault("R1", at);
    checks[name](record[name], at);
  }
  const missing = NEEDED_OF[game].find((name) => !has(record, name));
  if (missing) throw new Fault("R1", missing);
}

/**
 * Return a parsed tally as an object with all its fields: `rules` are effective, missing fields have their defaults.
 *
 * Throws R1 for fields and types, then R4 for house rules, then R1 for a pot of Kratzen that is not in whole coins.
 * @param {any} record
 * @returns {Tally}
 */
export function read(record) {
  if (!isObject(record)) throw new Fault("R1", "");
  const game = has(record, "game") ? record.game : null;
  if (game !== "chratze" && game !== "kratzen") throw new Fault("R1", "game");
  if (has(record, "deal")) throw new Unanswered("full", "deal");
  checkFields(record, game);
  const field = (/** @type {string} */ name, /** @type {any} */ otherwise) =>
    has(record, name) ? record[name] : otherwise;
  /** @type {any} */
  const hand = {
    game,
    seats: record.seats,
    dealer: record.dealer + 0,
    pot_before: record.pot_before + 0,
    declarer: record.declarer === null ? null : record.declarer + 0,
    joiners: field("joiners", []).map((/** @type {number} */ seat) => seat + 0), // + 0: no seat is -0
    tricks: field("tricks", {}),
    claimed: field("claimed", []),
  };
  if (game === "chratze") {
    const made = field("made", []);
    if (made.length && countOf(hand.tricks)) throw new Fault("R1", "made");
    Object.assign(hand, { deal_number: field("deal_number", 1), blind: field("blind", null), made });
  } else {
    Object.assign(hand, { cuts: record.cuts, seven: field("seven", false), game_type: field("game_type", null) });
  }
  hand.rules = effectiveRules(game, field("rules", {}));
  if (game === "kratzen") checkWholeCoins(hand.rules, hand.pot_before);
  return hand;
}

/**
 * Return the number of seats that a tally's tricks name.
 * @param {Record<string, number>} tricks
 */
export const countOf = (tricks) => Object.keys(tricks).filter((seat) => tricks[seat] !== undefined).length;

/**
 * Throw R1 unless the pot is in whole coins (K2.1).
 * @param {HouseRules} rules
 * @param {number} potBefore
 */
export function checkWholeCoins(rules, potBefore) {
  if (potBefore % rules.coin) throw new Fault("R1", "pot_before");
}
