// The registry of the games whose rules the phone has: beside their own folders the only module here that names them.

import { CHRATZE } from "./chratze/game.js";
import { Fault } from "./faults.js";
import { KRATZEN } from "./kratzen/game.js";
import { ZWICKEN } from "./zwicken/game.js";

/** @type {{ chratze: RulesOfGame, kratzen: RulesOfGame, zwicken: RulesOfGame }} */
export const GAMES = { chratze: CHRATZE, kratzen: KRATZEN, zwicken: ZWICKEN };

/**
 * Return the rules of a game; throw R1 unless there is such a game.
 * @param {any} name
 * @returns {RulesOfGame}
 */
export function gameOf(name) {
  if (typeof name !== "string" || !Object.hasOwn(GAMES, name)) throw new Fault("R1", "game");
  return GAMES[/** @type {Game} */ (name)];
}
