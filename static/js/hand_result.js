// Who made it, as far as it is known: the results of an entry that has marks or counts for some of its players. Nothing
// here books a penalty that neither a mark nor the rules decide. games/table/goals.py has the same for a form without
// scripts.
//
// The rule, for a declarer and joiners with four tricks (C6.1, K8.1): a declarer makes it with two tricks, a joiner
// with one, and somebody made it. A set of players who made it is possible if their goals need at most four tricks.
//
// 1. A mark that was tapped counts. No other tap changes it.
// 2. Decided by the rules: a player without a mark who has the same result in every possible set.
// 3. Else the others keep the result that they had before the entry, if that set is possible: everybody made it, or in
// a correction the stored result.
// 4. Else they are undecided (null): a question, and nothing can be saved.
//
// Tricks are counted by the same rule: counts that were tapped stay; the last one follows from four tricks, and the
// others are 0 once four are given out. Else the counts of a correction stay if there are four in all. Else everybody
// made it, if that is exactly what is left; what a spare trick decides is money where tricks are paid, and a question
// there.

/**
 * The results of a declarer and joiners who have `all` tricks. `marks`: {seat: bool}, `before`: {seat: bool}, the
 * stored results of a correction. Returns { made: {seat: bool | null}, ruled: [seats decided by the rules], possible:
 * false for marks that no hand can have }.
 */
export function results({ declarer, joiners, all, marks, before = {} }) {
  const active = [declarer, ...joiners];
  const goal = (seat) => (seat === declarer ? 2 : 1);
  const made = Object.fromEntries(active.map((seat) => [seat, marks[seat] ?? null]));
  const open = () => active.filter((seat) => made[seat] === null);
  const left = all - sum(active.filter((seat) => made[seat]).map(goal));
  // Marks that no hand can have leave the others undecided: the rules refuse them with their own sentence.
  if (left < 0) return { made, ruled: [], possible: false };
  const ruled = open().filter((seat) => goal(seat) > left);
  for (const seat of ruled) made[seat] = false;
  const somebody = () => Object.values(made).includes(true);
  if (!somebody() && open().length === 1) {
    ruled.push(open()[0]);
    made[open()[0]] = true;
  }
  const kept = Object.fromEntries(open().map((seat) => [seat, before[seat] ?? true]));
  const makes = open().filter((seat) => kept[seat]);
  const taken = sum(active.filter((seat) => made[seat]).map(goal));
  if (taken + sum(makes.map(goal)) <= all && (somebody() || makes.length)) Object.assign(made, kept);
  return { made, ruled, possible: somebody() || open().length > 0 };
}

/**
 * The tricks of the active seats, {seat: count | null}, `all` together. `counts`: [[seat, count]] as tapped, `before`:
 * {seat: count}, those of a correction; `usual(open, left)`: the tricks of the others if everybody made it.
 */
export function tricks({ active, all, counts, before = {}, usual }) {
  const known = new Map(counts);
  const taken = sum([...known.values()]);
  const open = active.filter((seat) => !known.has(seat));
  const left = all - taken;
  return Object.fromEntries(
    active.map((seat) => [seat, known.get(seat) ?? others(open, left, before, usual)[seat] ?? null]),
  );
}

function others(open, left, before, usual) {
  if (left < 0) return {};
  if (left === 0 || open.length === 1) return Object.fromEntries(open.map((seat) => [seat, left]));
  if (!open.some((seat) => seat in before)) return usual(open, left);
  return sum(open.map((seat) => before[seat] ?? NaN)) === left ? before : {};
}

/**
 * The tricks of `open` seats, if everybody made it: the declarer two, a joiner one. Beside up to two joiners a spare
 * trick goes to the declarer, else to a joiner, if `spare` allows it.
 */
export function everybodyMadeIt({ declarer, joiners, spare }, open, left) {
  const given = Object.fromEntries(
    open.map((seat) => [seat, seat === declarer ? 2 : joiners.length === 1 && spare ? 2 : 1]),
  );
  let rest = left - sum(Object.values(given));
  if (rest < 0 || (rest > 0 && (!spare || joiners.length > 2))) return {};
  const gets = open.includes(declarer) ? [declarer] : open;
  for (let turn = 0; rest > 0; turn++, rest--) given[gets[turn % gets.length]] += 1;
  return given;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
