// Replay a tally of any game: a parsed record in, the result or the first fault out.

import { Fault, Unanswered } from "./faults.js";
import { gameOf } from "./games.js";
import { checkBalanced } from "./pot.js";
import { read } from "./record.js";

/**
 * Return the result of a tally, the same object as `engine.replay` returns, or { ok: false, error: { clause, at } } for
 * its first fault. It never throws, for any value. A record for which these rules have no answer gives { ok: false,
 * error: { clause: "", at, reason } }. `reason` is "full" (it has cards: only the server replays them), "amounts" (an
 * amount above 2^49, which numbers do not hold exactly), or "failed" (a value that no JSON gives, or a defect of these
 * rules).
 * @param {any} record
 * @returns {HandResult | Refusal}
 */
export function replay(record) {
  try {
    return replayed(record);
  } catch (error) {
    if (error instanceof Fault) return { ok: false, error: { clause: error.clause, at: error.at } };
    if (error instanceof Unanswered) return { ok: false, error: { clause: "", at: error.at, reason: error.reason } };
    return { ok: false, error: { clause: "", at: "", reason: "failed" } };
  }
}

/** @param {any} record */
function replayed(record) {
  const hand = read(record);
  const result = gameOf(hand.game).replay(hand);
  checkBalanced(result);
  const { claimed } = hand;
  const isOther =
    claimed.length !== result.deltas.length || claimed.some((change, seat) => change !== result.deltas[seat]);
  if (claimed.length && isOther) throw new Fault("R6", "claimed");
  return result;
}
