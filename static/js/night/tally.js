// The record of an entry (hand_state.js): the fields of a tally that a person taps, as HandForm.record of games/table
// gives them.
import { entryOfGame } from "../entry/games.js";
import * as hand from "../hand_state.js";

/** The tally of a complete entry: hand.missing(state) is null. */
export function tallyOf(state) {
  const game = entryOfGame(state.game);
  const called = !hand.allPlay(state) || hand.calledSeven(state);
  const own = game.tally(state, { called, lost: state.passed ? null : hand.lostOf(state) });
  if (state.passed) return { ...(game.hasDeclarer ? { declarer: null } : { players: [] }), ...own };
  const record = rolesOf(state, game);
  if (state.blind) record.blind = state.blind;
  if (hand.active(state).length > 1) Object.assign(record, played(state));
  return { ...record, ...own };
}

/** The roles; where nobody declares, the seats that play, unless everybody has to. */
function rolesOf(state, game) {
  const joiners = [...hand.joinersOf(state)].sort((a, b) => a - b);
  if (game.hasDeclarer) return { declarer: hand.declarerOf(state), joiners };
  return hand.allPlay(state) ? {} : { players: joiners };
}

function played(state) {
  if (!state.counting) {
    const made = hand.madeOf(state);
    return { made: hand.active(state).filter((seat) => made[seat]) };
  }
  return { tricks: hand.tricksOf(state) };
}
