// House rules: their names, defaults and allowed values (R4). A test compares this list with engine/rules.py.

import { Fault, printableName } from "./faults.js";
import { roundUp } from "./pot.js";

/** The largest amount allowed in a record or a house rule. */
export const HIGHEST_AMOUNT = 10 ** 12;

const MOST_TURNS = 8;
const FEWEST_UNIT_COINS = 2;
const FEWEST_LIMIT_COINS = 8;

/**
 * Return true for a whole number. The server reads numbers from 10^21 on as fractions, because JSON.stringify writes
 * them so.
 * @param {any} value
 */
export function isWhole(value) {
  return Number.isInteger(value) && Math.abs(value) < 1e21;
}

/** @param {any} value */
const amount = (value) => isWhole(value) && value > 0 && value <= HIGHEST_AMOUNT;
/** @param {any} value */
const limit = (value) => value === null || amount(value);
/** @param {any} value */
const turns = (value) => isWhole(value) && value >= 1 && value <= MOST_TURNS;
/** @param {unknown} value */
const yesOrNo = (value) => value === true || value === false;
const oneOf =
  (/** @type {any[]} */ ...words) =>
  (/** @type {any} */ value) =>
    words.includes(value);

/** @type {Record<Game, Record<string, [value: any, test: (value: any) => boolean]>>} */
// By game and name: the default and the test of a value. The order is that of the engine.
const RULES = {
  chratze: {
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
  },
  kratzen: {
    unit: [10, amount],
    coin: [5, amount],
    must_beat: ["trumps", oneOf("trumps", "always")],
    remainder: ["pot", oneOf("pot", "declarer")],
    seven_muss: ["deal", oneOf("off", "deal", "any")],
    last_word: [true, yesOrNo],
    open_trumps: [true, yesOrNo],
    pot_limit: [null, limit],
    split_over: [null, limit],
  },
};

/**
 * @param {Game} game
 * @returns {HouseRules}
 */
const defaultsOf = (game) => Object.fromEntries(Object.entries(RULES[game]).map(([name, [value]]) => [name, value]));

/** The default house rules of each game; `rounding` is computed from `stake` and `coin` unless it is given. */
export const RULE_DEFAULTS = { chratze: defaultsOf("chratze"), kratzen: defaultsOf("kratzen") };

/**
 * Throw R1 unless there is such a game.
 * @param {unknown} game
 */
export function checkGame(game) {
  if (game !== "chratze" && game !== "kratzen") throw new Fault("R1", "game");
}

/**
 * Return all house rules of a game: those given, and the defaults for the others. Throws R1 or R4.
 * @param {Game} game
 * @param {HouseRules} given
 * @returns {HouseRules}
 */
export function effectiveRules(game, given) {
  checkGame(game);
  const rules = { ...RULE_DEFAULTS[game] };
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  for (const name of names) {
    if (!Object.hasOwn(rules, name)) throw new Fault("R4", `rules.${printableName(name)}`);
    if (!RULES[game][name][1](given[name])) throw new Fault("R4", `rules.${name}`);
    rules[name] = given[name];
  }
  if (game === "kratzen") return checkedKratzen(rules);
  if (!names.includes("rounding")) rules.rounding = roundUp(rules.stake, rules.coin);
  return checkedChratze(rules);
}

/** @param {HouseRules} rules */
function checkedChratze(rules) {
  if (rules.rounding % rules.coin) throw new Fault("R4", "rules.rounding");
  if (rules.pot_limit !== null && rules.pot_limit < rules.stake) throw new Fault("R4", "rules.pot_limit");
  return rules;
}

/** @param {HouseRules} rules */
function checkedKratzen(rules) {
  const { unit, coin } = rules;
  if (unit % coin || unit < FEWEST_UNIT_COINS * coin) throw new Fault("R4", "rules.unit");
  for (const name of ["pot_limit", "split_over"]) {
    if (rules[name] !== null && rules[name] < FEWEST_LIMIT_COINS * coin) throw new Fault("R4", `rules.${name}`);
  }
  return rules;
}
