// Two stories of a table: the hands of this phone and those that another phone stored. Which of them are the same hand.
//
// Pure: no page, no storage. A hand here: { number, players (references by seat), record (the tally's own fields), … }.

import { entryOfGame } from "../entry/games.js";
import { playersOf } from "./players.js";

const SEAT_KINDS = ["come", "leave", "order", "dealer", "pause", "resume"];
const GOALS = { declarer: 2, joiner: 1 };

const folded = (name) => name.trim().toLocaleLowerCase();
const isFilled = (list) => (list?.length ?? 0) > 0;

/**
 * The writes of this phone from the first hand that was not stored, in order: steps { item, write, kind }. A refused
 * correction is its hands again. `known`: the server's keys of hands that are stored already, by key; a step of one of
 * these is left out.
 */
export function stepsOf(items, known = {}) {
  return items.flatMap((item) => {
    const { write } = item;
    if (!write || write.key in known) return [];
    if (write.kind === "correct")
      return write.hands.map((hand) => ({
        item,
        kind: "hand",
        write: { ...write, ...hand, kind: "hand", hands: undefined },
      }));
    return write.kind === "hand" || SEAT_KINDS.includes(write.kind) ? [{ item, write, kind: write.kind }] : [];
  });
}

/**
 * The players by reference where this phone has a key and the server an id: a guest whom both phones wrote down by the
 * same nickname.
 */
export function sameGuests(steps, data) {
  const ids = new Map(
    [...(data.snapshot.roster ?? []), ...data.snapshot.seats].map(({ player, name }) => [folded(name), player]),
  );
  for (const [player, name] of Object.entries(data.names))
    if (!ids.has(folded(name))) ids.set(folded(name), Number(player));
  const guests = {};
  for (const { write } of steps) {
    if (write.kind === "come" && write.guest !== undefined && ids.has(folded(write.guest)))
      guests[write.key] = ids.get(folded(write.guest));
  }
  return guests;
}

/** The names by reference: those of the server, and the guests of this phone. */
export function namesOf(steps, data) {
  const names = new Map(Object.entries(data.names).map(([player, name]) => [Number(player), name]));
  for (const { player, name } of [...(data.snapshot.roster ?? []), ...data.snapshot.seats]) names.set(player, name);
  for (const { write } of steps)
    if (write.kind === "come" && write.guest !== undefined) names.set(write.key, write.guest);
  return names;
}

/** The seats that play a hand. */
export const active = ({ record, players }) => playersOf(record, players.length);

/** The tricks of a record by seat, or null where they were not counted. */
function tricksOf(record) {
  return record.tricks && Object.keys(record.tricks).length > 0 ? record.tricks : null;
}

/**
 * The seats that reached their goal, where the record says or implies it; null if that depends on the rules of the
 * hand.
 */
function madeOf(hand, game) {
  const { record } = hand;
  if (record.made) return [...record.made].sort();
  const tricks = tricksOf(record);
  if (!tricks || entryOfGame(game).alwaysCounts) return null;
  const made = (seat) => (tricks[seat] ?? 0) >= (seat === record.declarer ? GOALS.declarer : GOALS.joiner);
  return active(hand).filter(made).sort();
}

/** Return true if two records are equal for the same players. */
export function isSame(hand, other, game) {
  if (String(hand.players) !== String(other.players)) return false;
  const [a, b] = [hand.record, other.record];
  const roles = (record) =>
    JSON.stringify([
      record.declarer ?? null,
      [...(record.joiners ?? [])].sort(),
      [...(record.players ?? [])].sort(),
      record.seven_lost ?? null,
      record.blind ?? null,
      record.cuts ?? [],
      record.seven ?? false,
      record.game_type ?? null,
    ]);
  if (roles(a) !== roles(b)) return false;
  if (active(hand).length !== active(other).length) return false;
  if (active(hand).length < 2) return true;
  const [tricks, others] = [tricksOf(a), tricksOf(b)];
  if (tricks && others) return active(hand).every((seat) => (tricks[seat] ?? 0) === (others[seat] ?? 0));
  const [made, reached] = [madeOf(hand, game), madeOf(other, game)];
  return made !== null && reached !== null && String(made) === String(reached);
}

/**
 * The pairs of identical hands: a map from the place in `mine` to the place in `theirs`. Both keep their order, so a
 * hand that only one phone has shifts the numbers of those after it. Where nobody declared, two hands with different
 * numbers are one only beside another pair.
 */
export function pairs(mine, theirs, game) {
  const worth = (i, j) => (isSame(mine[i], theirs[j], game) ? (mine[i].number === theirs[j].number ? 3 : 2) : 0);
  const best = Array.from({ length: mine.length + 1 }, () => Array(theirs.length + 1).fill(0));
  for (let i = mine.length - 1; i >= 0; i--) {
    for (let j = theirs.length - 1; j >= 0; j--) {
      const paired = worth(i, j);
      best[i][j] = Math.max(best[i + 1][j], best[i][j + 1], paired ? paired + best[i + 1][j + 1] : 0);
    }
  }
  const places = new Map();
  let [i, j] = [0, 0];
  while (i < mine.length && j < theirs.length) {
    const paired = worth(i, j);
    if (paired && best[i][j] === paired + best[i + 1][j + 1]) places.set(i++, j++);
    else if (best[i][j] === best[i + 1][j]) i++;
    else j++;
  }
  return withoutChance(places, mine, theirs);
}

function withoutChance(places, mine, theirs) {
  const says = (i) => isFilled(active(mine[i])) || mine[i].number === theirs[places.get(i)].number;
  const beside = (i) => [-1, 1].some((step) => places.get(i + step) === places.get(i) + step && says(i + step));
  return new Map([...places].filter(([i]) => says(i) || beside(i)));
}

/** The record of a hand for other seats: each player keeps the role. Null if one of its players has no seat there. */
export function carried(hand, players) {
  const seat = (old) => players.indexOf(hand.players[old]);
  const { record } = hand;
  if (active(hand).some((old) => seat(old) < 0)) return null;
  const next = { ...record };
  for (const name of ["declarer", "seven_lost"]) if (typeof record[name] === "number") next[name] = seat(record[name]);
  for (const name of ["joiners", "made", "players"])
    if (record[name]) next[name] = record[name].map(seat).sort((a, b) => a - b);
  if (record.tricks)
    next.tricks = Object.fromEntries(
      Object.entries(record.tricks)
        .map(([old, count]) => [seat(Number(old)), count])
        .filter(([now]) => now >= 0),
    );
  return next;
}
