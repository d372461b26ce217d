// The house rules that changed the amounts of a hand: half of a large pot, the limit, rounding, the remainder.

import { effectiveRules } from "./houserules.js";
import { amountAtStake } from "./kratzen_settlement.js";
import { equalShares, twoThirds } from "./pot.js";
import { replay } from "./replay.js";
import { TRICKS } from "./tricks.js";

/**
 * Return the house rules that changed the amounts of a hand, in the order in which they apply: [{ kind, amount, seat
 * }]. `record` is complete and valid, `result` is its result. Kinds: "half": the hand was played for `amount` (K8.5).
 * "limit": penalties were reduced to the limit `amount` (C6.7, K8.4). "rounding": the declarer's two thirds were
 * rounded up to `amount` (C6.5). "remainder": `amount` was indivisible; `seat` got it, null: it stayed in the pot
 * (C6.5, C6.6, K8.3).
 * @param {Tally} record
 * @param {HandResult} result
 */
export function effects(record, result) {
  if (result.outcome === "passed_out") return [];
  const rules = effectiveRules(record.game, record.rules ?? {});
  const shares = record.game === "kratzen" ? kratzenShares : chratzeShares;
  return [...shares(rules, record, result), ...limited(record, result)];
}

/**
 * @param {string} kind
 * @param {number} amount
 * @param {number | null} seat
 */
const effect = (kind, amount, seat = null) => ({ kind, amount, seat });

/**
 * @param {HouseRules} rules
 * @param {Tally} record
 * @param {HandResult} result
 */
function chratzeShares(rules, record, { tricks, declarer, joiners, pot }) {
  const goal = (/** @type {number} */ seat) => (seat === declarer ? 2 : 1);
  const made = (/** @type {number} */ seat) =>
    tricks === null ? record.made.includes(seat) : tricks[seat] >= goal(seat);
  const winners = joiners.filter(made).length;
  if (!winners) return [];
  if (declarer === null || !made(declarer)) {
    const [, remainder] = equalShares(pot, winners, rules.coin);
    return winners > 1 && remainder ? [effect("remainder", remainder)] : [];
  }
  const thirds = twoThirds(pot, rules.rounding);
  const [, remainder] = equalShares(pot - thirds, winners, rules.coin);
  return [
    ...(3 * thirds === 2 * pot ? [] : [effect("rounding", thirds)]),
    ...(remainder ? [effect("remainder", remainder, declarer)] : []),
  ];
}

/**
 * @param {HouseRules} rules
 * @param {Tally} _record
 * @param {HandResult} result
 */
function kratzenShares(rules, _record, { pot, muss, declarer }) {
  const atStake = amountAtStake(rules, pot, muss);
  const [, remainder] = equalShares(atStake, TRICKS, rules.coin);
  return [
    ...(atStake === pot ? [] : [effect("half", atStake)]),
    ...(remainder && !muss ? [effect("remainder", remainder, rules.remainder === "declarer" ? declarer : null)] : []),
  ];
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
