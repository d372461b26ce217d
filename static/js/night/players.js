// The seats that play a hand, by the fields of its tally.

/**
 * The seats: the declarer first, then the joiners; or those who play where nobody declares. A tally that has tricks and
 * names nobody is a hand that everybody had to play.
 * @param {any} record
 * @param {number} seats
 * @returns {number[]}
 */
export function playersOf(record, seats) {
  const { declarer = null, joiners = [], players, tricks = {} } = record;
  if (declarer !== null) return [declarer, ...joiners];
  if (players) return players;
  const all = !("declarer" in record) && Object.keys(tricks).length > 0;
  return all ? Array.from({ length: seats }, (_, seat) => seat) : [];
}
