// The registry of how a hand of each game is entered: beside their own modules the only one that names games. The
// rules have another one (rules/games.js).
//
// An EntryOfGame (types.d.ts) is plain data and functions of a state (hand_state.js), and touches no page.

import { CHRATZE } from "./chratze.js";
import { KRATZEN } from "./kratzen.js";
import { ZWICKEN } from "./zwicken.js";

/** @type {Record<Game, EntryOfGame>} */
const ENTRIES = { chratze: CHRATZE, kratzen: KRATZEN, zwicken: ZWICKEN };

/**
 * The game of a state that names none: a draft of an older version of the page.
 * @type {Game}
 */
export const FIRST_GAME = "chratze";

/**
 * How a hand of a game is entered.
 * @param {Game | undefined} game
 */
export const entryOfGame = (game) => ENTRIES[game ?? FIRST_GAME];

/**
 * The game of a tally without the fields of the table.
 * @param {any} record
 * @returns {Game}
 */
export function gameOfTally(record) {
  const games = /** @type {Game[]} */ (Object.keys(ENTRIES));
  return games.find((game) => ENTRIES[game].owns(record)) ?? FIRST_GAME;
}
