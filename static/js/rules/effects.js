// The house rules that changed the amounts of a hand: half of a large pot, the limit, rounding, the remainder.

import { gameOf } from "./games.js";
import { effectiveRules } from "./houserules.js";
import { effect } from "./pot.js";
import { replay } from "./replay.js";

/**
 * Return the house rules that changed the amounts of a hand, in the order in which they apply: [{ kind, amount, seat
 * }]. `record` is complete and valid, `result` is its result. Kinds: "half": the hand was played for `amount` (K8.5).
 * "limit": penalties were reduced to the limit `amount` (C6.7, K8.4, Z7.2). "rounding": the declarer's two thirds were
 * rounded up to `amount` (C6.5). "remainder": `amount` was indivisible; `seat` got it, null: it stayed in the pot
 * (C6.5, C6.6, K8.3, Z7.1).
 * @param {Tally} record
 * @param {HandResult} result
 */
export function effects(record, result) {
  const rules = effectiveRules(record.game, record.rules ?? {});
  return [...gameOf(record.game).effects(rules, record, result), ...limited(record, result)];
}

/**
 * @param {Tally} record
 * @param {HandResult} result
 */
function limited(record, result) {
  const limit = record.rules?.pot_limit ?? null;
  if (limit === null) return [];
  const { claimed, ...rest } = record;
  const free = replay({ ...rest, rules: { ...record.rules, pot_limit: null } });
  return !free.ok || free.deltas.every((change, seat) => change === result.deltas[seat])
    ? []
    : [effect("limit", limit)];
}
