// House rules: those given, and the defaults for the others (R4). A test compares them with those of the engine.

import { Fault, printableName } from "./faults.js";
import { GAMES, gameOf } from "./games.js";

/** @param {RulesOfGame} game @returns {HouseRules} */
const defaultsOf = ({ values }) => Object.fromEntries(Object.entries(values).map(([name, [value]]) => [name, value]));

/** The default house rules of each game; a rule that follows from others is computed unless it is given. */
export const RULE_DEFAULTS = Object.fromEntries(Object.entries(GAMES).map(([name, game]) => [name, defaultsOf(game)]));

/**
 * Return all house rules of a game: those given, and the defaults for the others. Throws R1 or R4.
 * @param {Game} game
 * @param {HouseRules} given
 * @returns {HouseRules}
 */
export function effectiveRules(game, given) {
  const { values, checkRules } = gameOf(game);
  const rules = { ...RULE_DEFAULTS[game] };
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  for (const name of names) {
    if (!Object.hasOwn(rules, name)) throw new Fault("R4", `rules.${printableName(name)}`);
    if (!values[name][1](given[name])) throw new Fault("R4", `rules.${name}`);
    rules[name] = given[name];
  }
  checkRules(rules, names);
  return rules;
}
