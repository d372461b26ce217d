// The writes of a bundle compared with this phone, table by table: what is new, what is here already, and what belongs
// to another story of the table.
//
// Pure: no page, no storage. Writes are matched by their keys alone. Where only the number of a hand agrees, the bundle
// has another story than this phone: none of its writes of that table goes on from here, and both are shown side by
// side before anything is taken. The states of a line: "here" (in the outbox), "stored", "same" (the same hand under
// another key), "new", "other" (of another story), "after" (behind a line that cannot be read) and "unreadable".
import { FIRST_GAME, gameOfTally } from "../entry/games.js";
import { begun, fateOf, present, STORED, storedIn, TAKEN, UNKNOWN } from "./present.js";
import { isAllSame, storiesOf } from "./stories_plan.js";
import { needs, tableOf } from "./writes.js";

// They belong to no order of the table.
const APART = ["begin", "leave-out"];
// A hand that cannot be carried out for one of these reasons follows another state of the table.
const ELSEWHERE = ["seating", "record"];

/**
 * Compare a bundle. `read`: bundle.js; `items`: all items of the outbox; `kept`: the snapshots of this phone. Returns
 * { states (one for each line), snapshots (Map by table), stories: [{table, stories, from, unknown, gives}], usable:
 * [snapshot of the bundle from which this phone can go on] }. `unknown`: the numbers of stored hands that this phone
 * does not have; `gives`: the keys of its writes that would give way to those of the bundle, null where only the server
 * can tell.
 */
export function compared(read, { items, kept }) {
  const here = new Set(items.map((item) => item.key));
  const unread = read.lines.indexOf(null);
  const states = read.lines.map((write, index) =>
    !write ? "unreadable" : here.has(write.key) ? "here" : unread >= 0 && index > unread ? "after" : "new",
  );
  const snapshots = new Map();
  const stories = [];
  const usable = [];
  for (const table of new Set(read.lines.filter(Boolean).map(tableOf))) {
    const own = items
      .filter((item) => item.write && item.table === table && !item.kept && item.write.kind !== "begin")
      .map((item) => item.write);
    const handed = valid(newestOf(read.snapshots, table));
    const known = valid(newestOf(kept, table)) ?? begunHere(items, table);
    // A newer snapshot may have other hands under the numbers of this phone: then this phone goes on from its own.
    const goesOn = handed && isNewer(handed, known) && !contradicts(handed, known, own);
    const snapshot = goesOn ? handed : known;
    if (goesOn) usable.push(handed);
    if (snapshot) snapshots.set(table, snapshot);
    const lines = read.lines.flatMap((write, index) =>
      write && tableOf(write) === table && states[index] === "new" && !APART.includes(write.kind)
        ? [{ write, at: index }]
        : [],
    );
    for (const line of lines)
      if ([snapshot, handed].some((candidate) => candidate && fateOf(candidate, line.write) === STORED))
        states[line.at] = "stored";
    const comparison = compareTable({
      lines: lines.filter(({ at: index }) => states[index] === "new"),
      snapshot,
      own,
      theirs: snapshot === handed ? null : handed,
    });
    for (const [index, state] of comparison.states) states[index] = state;
    if (comparison.stories)
      stories.push({
        table,
        from: comparison.stories.from,
        unknown: comparison.stories.unknown,
        stories: comparison.stories,
        gives: givingWay(snapshot, own, comparison.stories),
      });
  }
  return { states, snapshots, stories, usable };
}

/**
 * Return true if the waiting writes of this phone do not follow a snapshot of another phone: one has a number under
 * which a hand is stored there, or cannot be carried out there although it can be here.
 */
function contradicts(handed, known, own) {
  if (own.some((write) => [TAKEN, UNKNOWN].includes(fateOf(handed, write)))) return true;
  return Boolean(present(handed, own).stuck && known && !present(known, own).stuck);
}

const isNewer = (snapshot, other) =>
  !other ||
  snapshot.table.position > other.table.position ||
  (snapshot.table.position === other.table.position && snapshot.made_at > other.made_at);

function newestOf(snapshots, table) {
  return snapshots
    .filter((snapshot) => String(snapshot.table?.id) === table)
    .reduce((best, snapshot) => (isNewer(snapshot, best) ? snapshot : best), null);
}

/** The snapshot, if the present can be computed from it: one of a file may be damaged. */
function valid(snapshot) {
  if (!snapshot) return null;
  try {
    present(snapshot, []);
    const isHand = ({ number, keys, players, record }) =>
      Number.isInteger(number) &&
      Array.isArray(keys) &&
      Array.isArray(players) &&
      typeof record === "object" &&
      record !== null;
    return Number.isInteger(snapshot.table.id) &&
      Number.isInteger(snapshot.table.position) &&
      storedIn(snapshot).every(isHand)
      ? snapshot
      : null;
  } catch {
    return null;
  }
}

/** The snapshot of an evening that was begun on a phone and waits on this one. */
function begunHere(items, table) {
  const item = items.find((candidate) => candidate.key === table && candidate.write?.kind === "begin");
  if (!item?.night) return null;
  try {
    return begun(item.night, item.write);
  } catch {
    return null;
  }
}

/** The states of a table's new lines, and its two stories where there are two. */
function compareTable({ lines, snapshot, own, theirs }) {
  if (lines.length === 0) return { states: [], stories: null };
  const now = carriedOut(snapshot, own);
  const hands = handsHere(snapshot, now, own);
  // What the other phone knew as stored and this one does not have is a part of its story.
  const before = theirs
    ? storedIn(theirs).filter(
        (hand) =>
          !hand.voided && hand.number > (snapshot?.table.hands ?? 0) && !own.some(({ key }) => hand.keys.includes(key)),
      )
    : [];
  const steps = [
    ...before.reverse().map((hand) => stepOf({ ...hand, kind: "hand", key: hand.keys[0] ?? `stored ${hand.number}` })),
    ...lines.map(({ write }) => stepOf(write)),
  ];
  const top = Math.max(
    snapshot?.table.hands ?? 0,
    ...own.filter(({ kind }) => kind === "hand").map(({ number }) => number),
  );
  const clashing = steps.filter(({ write }) => write.kind === "hand" && write.number <= top);
  const compare = () => storiesFrom({ steps, hands, snapshot, now, top });
  if (clashing.length === 0)
    return otherwise(snapshot, now, own, lines) ? asOther(lines, compare()) : { states: [], stories: null };
  const stories = compare();
  const isPaired = (key) => [...stories.paired.keys()].some((place) => stories.mine[place].key === key);
  const last = steps.findLastIndex(({ key }) => isPaired(key));
  const [both, rest] = [steps.slice(0, last + 1), steps.slice(last + 1)];
  // The same hands, and after them only what follows from here.
  const keys = new Set(both.map(({ key }) => key));
  const ofBoth = {
    ...stories,
    steps: stories.steps.filter(({ item }) => keys.has(item.key)),
    mine: stories.mine.filter(({ key }) => keys.has(key)),
  };
  const isSame = clashing.every(({ key }) => isPaired(key)) && isAllSame(ofBoth);
  const named = new Set(rest.flatMap(({ write }) => [...needs(write)]));
  if (!isSame || both.some(({ key }) => named.has(key))) return asOther(lines, stories);
  const after = lines.filter(({ write }) => rest.some(({ key }) => key === write.key));
  if (otherwise(snapshot, now, own, after)) return asOther(lines, stories);
  return {
    states: lines.filter((line) => !after.includes(line)).map(({ at: index }) => [index, "same"]),
    stories: null,
  };
}

const stepOf = (write) => ({ key: write.key, write });

const asOther = (lines, stories) => ({ states: lines.map(({ at: index }) => [index, "other"]), stories });

/** The present of this phone, or null where its state is not known. */
function carriedOut(snapshot, own) {
  try {
    return snapshot && present(snapshot, own);
  } catch {
    return null;
  }
}

/**
 * Return true if the writes follow another state than that of this phone: a hand has other players, or comes to
 * something else here than on the phone that recorded it.
 */
function otherwise(snapshot, now, own, lines) {
  if (!now || now.stuck) return false;
  const after = carriedOut(snapshot, [...own, ...lines.map(({ write }) => write)]);
  const differs = ({ write, result }) =>
    result &&
    write.expected &&
    (write.expected.pot_after !== result.pot_after || String(write.expected.deltas) !== String(result.deltas));
  return (
    after === null ||
    ELSEWHERE.includes(after.stuck?.why) ||
    after.done.some((doneWrite) => lines.some(({ write }) => write === doneWrite.write) && differs(doneWrite))
  );
}

/**
 * The keys of this phone's writes that give way if the other story holds: its hands from the first one on, and the
 * seating changes before that, if the others come to what they did on the phone that recorded them without these alone.
 */
function givingWay(snapshot, own, { from, steps }) {
  if (!snapshot || from <= snapshot.table.hands) return null;
  const first = own.findIndex(({ kind, number }) => kind === "hand" && number >= from);
  for (let index = first < 0 ? own.length : first; index >= 0; index--) {
    const kept = own.slice(0, index);
    const now = carriedOut(snapshot, kept);
    const lines = steps.map(({ write }) => ({ write }));
    if (!now || now.stuck || otherwise(snapshot, now, kept, lines)) continue;
    if (!carriedOut(snapshot, [...kept, ...lines.map(({ write }) => write)]).stuck)
      return own.slice(index).map(({ key }) => key);
  }
  return null;
}

/** The hands of this phone by number, oldest first: the stored ones, and those that wait. */
function handsHere(snapshot, now, own) {
  const stored = snapshot
    ? storedIn(snapshot)
        .filter((hand) => !hand.voided)
        .map((hand) => ({ ...hand, result: null, expected: { deltas: hand.deltas ?? [] } }))
        .reverse()
    : [];
  const results = new Map((now?.done ?? []).map((doneWrite) => [doneWrite.write.key, doneWrite.result]));
  const numbers = new Set(stored.map((hand) => hand.number));
  const waiting = own
    .filter((write) => write.kind === "hand" && !numbers.has(write.number))
    .map((write) => ({ ...write, result: results.get(write.key) ?? null }));
  return [...stored, ...waiting];
}

/**
 * Both stories as stories_rows.js shows them: the hands of the bundle are "mine" there, those of this phone "theirs".
 */
function storiesFrom({ steps, hands, snapshot, now, top }) {
  const numbers = steps.filter(({ write }) => write.kind === "hand").map(({ write }) => write.number);
  const from = Math.min(...numbers, top + 1);
  const theirs = hands.filter((hand) => hand.number >= from);
  const { seats = [], roster = [] } = now ?? {};
  const record = steps.find(({ write }) => write.record)?.write.record;
  const game = record ? gameOfTally(record) : FIRST_GAME;
  const evening = snapshot?.evening ?? { game, rules: {}, open: true };
  const data = {
    from,
    was: null,
    hands: theirs,
    happenings: [],
    keys: {},
    names: {},
    sums: {},
    moved: 0,
    dealer_named: false,
    final: null,
    snapshot: { ...snapshot, evening, seats, roster, table: { ...snapshot?.table, paused: now?.paused ?? false } },
  };
  const have = new Set(theirs.map((hand) => hand.number));
  return { ...storiesOf(data, steps), from, unknown: numbers.filter((number) => number <= top && !have.has(number)) };
}
