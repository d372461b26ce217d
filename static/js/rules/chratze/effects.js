// The house rules that changed the amounts of a hand of Chratze.

import { effect, equalShares, twoThirds } from "../pot.js";

/**
 * @param {HouseRules} rules
 * @param {Tally} record
 * @param {HandResult} result
 */
export function effects(rules, record, { outcome, tricks, declarer, joiners, pot }) {
  if (outcome === "passed_out") return [];
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
