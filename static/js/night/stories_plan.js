// The result of each choice on the page of two stories, and the writes that carry it out (docs/night.md). Nothing is
// stored here.
//
// A plan: { possible, why (a reason: {name, values}), writes (new ones, in order), removed (keys of items that they
// replace), drops (keys that go once the log is stored), kept ([{step, why}]: stay on the phone), hands ([{number, own
// (bool), players, record, result, was}]), sums (Map of player to Rappen), pot, potBefore, dealer, number (of the next
// hand), seats, notes (reasons), logged (bool), corrects (bool) }.
import { entryOfGame } from "../entry/games.js";
import { newKey } from "./new_key.js";
import { present } from "./present.js";
import { active, carried, isSame, namesOf, pairs, sameGuests, stepsOf } from "./stories_hands.js";
import { nextDealer, play } from "./stories_chain.js";

export const AFTER = "after";
export const ALONE = "alone";
export const CORRECTED = "corrected";

/** Both stories: `data` of the server, `items` of this phone at this table (outbox.js), oldest first. */
export function storiesOf(data, items) {
  const steps = stepsOf(items, data.keys);
  const guests = sameGuests(steps, data);
  const own = (ref) => guests[ref] ?? ref;
  const mine = steps
    .filter((step) => step.kind === "hand")
    .map(({ item, write }) => ({ ...write, players: write.players.map(own), item }));
  const theirs = data.hands.filter((hand) => !hand.voided);
  const paired = pairs(mine, theirs, data.snapshot.evening.game);
  const stories = { data, items, steps, guests, names: namesOf(steps, data), mine, theirs, paired };
  return { ...stories, ...chainOf(stories) };
}

/** Return true if a seating change of this phone is already applied: both phones recorded it. */
function isSoAlready({ guests, data: { snapshot } }, { kind, player, guest, key }) {
  const sits = (ref) => snapshot.seats.some((seat) => seat.player === ref);
  if (kind === "come") return sits(guest === undefined ? player : guests[key]);
  if (kind === "leave") return !sits(guests[player] ?? player);
  return (kind === "pause" && snapshot.table.paused) || (kind === "resume" && !snapshot.table.paused);
}

const changesOf = (stories) => stories.steps.filter(({ kind }) => kind !== "hand").map((step) => step.write);

/** Return true if this phone has nothing that differs. */
export const isAllSame = (stories) =>
  stories.paired.size === stories.mine.length && changesOf(stories).every((change) => isSoAlready(stories, change));

// --- Parts of all plans ------------------------------------------------------------------------------------------

function evening({ data }) {
  return { game: data.snapshot.evening.game, rules: data.snapshot.evening.rules };
}

function write({ data }, kind, fields) {
  const { club, table } = data.snapshot;
  return { format: 1, key: newKey(), kind, club: club.slug, table: table.id, at: Date.now(), ...fields };
}

const sumsOf = ({ data }) => new Map(Object.entries(data.sums).map(([player, sum]) => [Number(player), sum]));

function add(sums, players, deltas, sign = 1) {
  for (const [seat, player] of players.entries()) sums.set(player, (sums.get(player) ?? 0) + sign * deltas[seat]);
}

const storedHands = ({ theirs }) =>
  theirs.map(({ number, players, record, result }) => ({ number, own: false, players, record, result, was: null }));

function planned(stories, now, more) {
  return {
    possible: true,
    why: null,
    writes: [],
    drops: [],
    kept: [],
    notes: [],
    logged: false,
    corrects: false,
    removed: [...new Set(stories.steps.map(({ item }) => item.key))],
    pot: now.pot,
    potBefore: now.potBefore,
    dealer: now.seats[now.dealer]?.player,
    number: now.number,
    seats: now.seats,
    ...more,
  };
}

const impossible = (stories, name, values = {}) => ({
  ...planned(stories, present(stories.data.snapshot, []), { hands: [], sums: sumsOf(stories) }),
  possible: false,
  why: { name, values },
  removed: [],
});

/** The write that logs the left-out hands and changes, or null if there are none. */
export function leaveOut(stories, hands, changes) {
  if (hands.length === 0 && changes.length === 0) return null;
  const known = (ref) => (typeof ref === "number" ? ref : null);
  return write(stories, "leave-out", {
    hands: hands.map(({ number, players, record }) => ({ number, players: players.map(known), record })),
    changes: changes.map(({ kind, player, players, guest, key }) => ({
      kind,
      players: (
        players ?? (player !== undefined ? [player] : guest !== undefined ? [stories.guests[key] ?? null] : [])
      ).map(known),
    })),
  });
}

/** Carry steps out after a state of the table, each with a new key. */
class Appending {
  constructor(stories, snapshot) {
    this.stories = stories;
    this.snapshot = snapshot;
    this.writes = [];
    this.kept = [];
    this.notes = [];
    this.unapplied = [];
    this.hands = [];
    // The players by the reference of the old writes.
    this.refs = { ...stories.guests };
    this.now = present(snapshot, []);
  }

  ref(old) {
    return this.refs[old] ?? old;
  }

  /** Try a write; returns null if it was carried out, or the reason why it was not. */
  attempt(next) {
    const now = present(this.snapshot, [...this.writes, next]);
    if (now.stuck) return now.stuck;
    if (now.done.at(-1)?.same) return { write: next, why: "same", error: null };
    this.writes.push(next);
    this.now = now;
    return null;
  }

  hand(step, hand) {
    const players = hand.players.map((player) => this.ref(player));
    const seats = this.now.seats.map((seat) => seat.player);
    const record = carried({ ...hand, players }, seats);
    const keep = (name, values = {}) =>
      this.kept.push({ step, why: { name, values: { number: hand.number, ...values } } });
    if (record === null) {
      const gone = active(hand)
        .map((seat) => players[seat])
        .filter((player) => !seats.includes(player));
      return keep("gone", { players: gone });
    }
    const next = write(this.stories, "hand", {
      number: this.now.number,
      players: seats,
      record,
      expected: { deltas: [], pot_after: 0 },
    });
    const stuck = this.attempt(next);
    if (stuck) return keep(stuck.why, { clause: stuck.error?.clause ?? "" });
    const { result } = this.now.done.at(-1);
    next.expected = { deltas: result.deltas, pot_after: result.pot_after };
    this.hands.push({ number: next.number, own: true, players: seats, record, result, was: hand.number });
    if (String(seats) !== String(players)) this.notes.push({ name: "other-seats", values: { number: next.number } });
    return null;
  }

  change(step) {
    const old = step.write;
    const next = { ...old, key: newKey(), at: Date.now() };
    for (const name of ["player", "after"]) if (next[name] !== undefined) next[name] = this.ref(next[name]);
    if (next.players) next.players = next.players.map((player) => this.ref(player));
    const sits = this.now.seats.map((seat) => seat.player);
    // The seat before an arrival may be gone; the arriving player still gets a seat.
    if (next.kind === "come" && !sits.includes(next.after)) next.after = sits.at(-1);
    const known = next.guest === undefined ? next.player : this.refs[old.key];
    // Both phones recorded it.
    if ((next.kind === "come" && sits.includes(known)) || (next.kind === "leave" && !sits.includes(next.player)))
      return;
    const stuck = this.attempt(next);
    if (stuck && stuck.why !== "same") this.unapplied.push(old);
    else if (!stuck && next.guest !== undefined) this.refs[old.key] = next.key;
  }
}

/** The plan of the appended writes, with the sums of tonight. */
function appendedPlan(stories, appending, sums, more) {
  for (const { players, result } of appending.hands) add(sums, players, result.deltas);
  const keptKeys = new Set(appending.kept.map(({ step }) => step.item.key));
  const plan = planned(stories, appending.now, { sums, kept: appending.kept, notes: appending.notes, ...more });
  return { ...plan, removed: plan.removed.filter((key) => !keptKeys.has(key)) };
}

const whyOver = ({ data }) =>
  !data.snapshot.evening.open ? "closed" : data.snapshot.table.dissolved ? "dissolved" : null;

// --- The three choices ---------------------------------------------------------------------------------------------

/**
 * Mine after theirs; hands that are the same are left out, and those in `without` (keys of items), which the log then
 * names.
 */
export function mineAfter(stories, without = new Set()) {
  const over = whyOver(stories);
  if (over) return impossible(stories, over);
  const appending = new Appending(stories, stories.data.snapshot);
  const left = [];
  let place = -1;
  for (const step of stories.steps) {
    if (step.kind !== "hand") {
      appending.change(step);
      continue;
    }
    place++;
    const hand = stories.mine[place];
    if (stories.paired.has(place)) continue;
    if (without.has(step.item.key)) left.push(hand);
    else appending.hand(step, hand);
  }
  const log = leaveOut(stories, left, appending.unapplied);
  return appendedPlan(stories, appending, sumsOf(stories), {
    hands: [...storedHands(stories), ...appending.hands],
    writes: [...appending.writes, ...(log ? [log] : [])],
    logged: log !== null,
    left,
  });
}

/** Theirs alone: mine are removed once the log has them. */
export function theirsAlone(stories) {
  const now = present(stories.data.snapshot, []);
  const left = stories.mine.filter((_hand, place) => !stories.paired.has(place));
  const log = leaveOut(
    stories,
    left,
    changesOf(stories).filter((change) => !isSoAlready(stories, change)),
  );
  const plan = planned(stories, now, { hands: storedHands(stories), sums: sumsOf(stories), left });
  return log ? { ...plan, writes: [log], removed: [], drops: plan.removed, logged: true } : plan;
}

/**
 * The dealer of each hand of this phone, as far as the hands before it determine it, and its result: { dealers, results
 * }, null where unknown.
 */
function chainOf(stories) {
  const { data, theirs } = stories;
  const dealers = [];
  const results = [];
  let state = data.was;
  let number = data.from;
  let named = null;
  let place = -1;
  for (const step of stories.steps) {
    if (step.kind === "dealer") named = step.write.player;
    if (step.kind !== "hand") continue;
    const hand = stories.mine[++place];
    // A refused correction has only the hands that differ: those between are as they are stored.
    const between = theirs
      .filter((other) => other.number >= number && other.number < hand.number)
      .map((other) => storedEntry(other, false));
    if (state && between.length > 0) state = play(evening(stories), between, state, number).state;
    number = hand.number + 1;
    const stored = theirs.find((other) => other.number === hand.number);
    const moved = stored?.moved ?? 0;
    // Both stories begin with the same dealer, also where one was named before.
    if (place === 0 && named === null && stored?.dealer_named && String(stored.players) === String(hand.players))
      named = stored.players[stored.dealer];
    const entry = {
      players: hand.players,
      record: hand.record,
      moved,
      named: hand.players.includes(named) ? named : null,
      keeps: false,
    };
    const { played, state: next } = state
      ? play(evening(stories), [entry], state, hand.number)
      : { played: [], state: null };
    // The dealer is known already if a refused correction named one.
    dealers.push(hand.dealer ?? played[0]?.dealer ?? null);
    results.push(played[0]?.result ?? null);
    state = played.length > 0 ? next : null;
    named = null;
  }
  return { dealers, results };
}

/** A stored hand as an entry of the chain. `keeps`: its dealer stays, independent of the hands before it. */
function storedEntry({ players, record, moved, dealer, dealer_named: isNamed }, keeps) {
  return { players, record, moved, named: isNamed ? players[dealer] : null, dealt: players[dealer], keeps, own: false };
}

/** The hands from the first on, with mine in place of theirs where both have the number. */
function mixed(stories, dealers) {
  const { game } = stories.data.snapshot.evening;
  const isCut = entryOfGame(game).cuts !== null;
  const replaced = [];
  const entries = stories.theirs.map((hand) => {
    const place = stories.mine.findIndex((other) => other.number === hand.number);
    const own = stories.mine[place];
    const differs = own && !isSame(own, hand, game);
    // With cuts the dealer pays, and a hand that is the same may have had another dealer on this phone.
    if (differs || (own && isCut && replaced.length > 0)) {
      replaced.push({
        number: hand.number,
        revision: hand.revision,
        players: own.players,
        record: own.record,
        dealer: dealers[place],
      });
      const dealt = dealers[place];
      return {
        players: own.players,
        record: own.record,
        moved: hand.moved,
        named: null,
        dealt,
        keeps: dealt !== null,
        own: true,
      };
    }
    return storedEntry(hand, false);
  });
  const last = replaced.at(-1)?.number ?? 0;
  // The dealers of stored hands after the corrected ones stay in a game with cuts, as the server's correction does it.
  const keep = isCut && last < stories.data.snapshot.table.hands;
  return { entries: entries.map((entry) => (entry.own ? entry : { ...entry, keeps: keep })), replaced, keep };
}

/** The table after its hands were corrected, as a snapshot to go on from. */
function correctedSnapshot({ data }, chain, keep, sums) {
  const { snapshot } = data;
  const seats = snapshot.seats.map((seat) => ({ ...seat, sum: sums.get(seat.player) ?? seat.sum }));
  const players = seats.map((seat) => seat.player);
  const { state } = chain;
  const present = players[snapshot.table.dealer];
  const turn = nextDealer(state.dealer, state.players, players);
  const stays = data.dealer_named || keep;
  const dealer = stays ? present : turn;
  const deal = data.dealer_named ? snapshot.table.deal_number : dealer === state.dealer ? state.deal_number : 1;
  return {
    ...snapshot,
    seats,
    table: {
      ...snapshot.table,
      pot_before: state.pot + data.moved,
      dealer: players.indexOf(dealer),
      deal_number: deal,
    },
  };
}

/** Seat changes that bring the table to the players of a hand, in their order. */
function seatsLike(appending, hand, comes) {
  const wanted = hand.players.map((player) => appending.ref(player));
  const sitting = () => appending.now.seats.map((seat) => seat.player);
  const change = (kind, fields) => appending.attempt(write(appending.stories, kind, fields));
  const added = wanted.filter((player) => !sitting().includes(player));
  const gone = sitting().filter((player) => !wanted.includes(player));
  const come = (player) => {
    const after =
      wanted
        .slice(0, wanted.indexOf(player))
        .reverse()
        .find((other) => sitting().includes(other)) ?? sitting().at(-1);
    const guest = comes.find((step) => step.write.key === player);
    if (!guest) return change("come", { player, after });
    return appending.change({ ...guest, write: { ...guest.write, after } });
  };
  const leave = (player) => change("leave", { player });
  // Nobody leaves while a table would have too few players.
  const few = sitting().length - gone.length < 3;
  for (const [act, players] of few
    ? [
        [come, added],
        [leave, gone],
      ]
    : [
        [leave, gone],
        [come, added],
      ])
    for (const player of players) act(player);
  const order = hand.players.map((player) => appending.ref(player));
  if (String(order) !== String(sitting()) && new Set(order).size === sitting().length)
    change("order", { players: order });
}

/**
 * Mine as corrections: they replace theirs where both have the number; mine beyond theirs are appended, theirs beyond
 * mine stay.
 */
export function mineAsCorrections(stories) {
  const { data, mine, theirs, dealers } = stories;
  if (data.final) return impossible(stories, "final");
  const { entries, replaced, keep } = mixed(stories, dealers);
  const chain = play(evening(stories), entries, data.was, data.from);
  if (chain.failed) {
    const { number, result, entry } = chain.failed;
    return impossible(stories, entry.own ? "mine-impossible" : "theirs-impossible", {
      number,
      clause: result.error.clause,
    });
  }
  const sums = sumsOf(stories);
  for (const hand of theirs) add(sums, hand.players, hand.result.deltas, -1);
  for (const { entry, result } of chain.played) add(sums, entry.players, result.deltas);
  const hands = chain.played.map(({ number, entry, record, result }) => ({
    number,
    own: entry.own,
    players: entry.players,
    record,
    result,
    was: entry.own ? number : null,
  }));
  const correction =
    replaced.length > 0 ? [write(stories, "correct", { hands: replaced, hands_seen: data.snapshot.table.hands })] : [];
  const snapshot = theirs.length > 0 ? correctedSnapshot(stories, chain, keep, sums) : data.snapshot;
  const appending = new Appending(stories, snapshot);
  appendBeyond(stories, appending, dealers);
  const log = leaveOut(
    stories,
    [],
    appending.unapplied.filter((change) => !isSoAlready(stories, change)),
  );
  return appendedPlan(stories, appending, sums, {
    hands: [...hands, ...appending.hands],
    writes: [...correction, ...appending.writes, ...(log ? [log] : [])],
    corrects: replaced.length > 0,
    logged: log !== null,
    notes: [...beyondNotes(stories, mine, theirs), ...appending.notes],
  });
}

function beyondNotes({ data }, mine, theirs) {
  const last = mine.at(-1)?.number ?? 0;
  const beyond = theirs.filter((hand) => hand.number > last).map((hand) => hand.number);
  return beyond.length > 0 && last >= data.from ? [{ name: "theirs-stay", values: { numbers: beyond } }] : [];
}

function appendBeyond(stories, appending, dealers) {
  const last = stories.data.snapshot.table.hands;
  const comes = stories.steps.filter(({ kind }) => kind === "come");
  let place = -1;
  let begun = false;
  // Changes before a corrected hand are in the players of that hand; before the first hand beyond theirs the seats are
  // set to those of this phone.
  let earlier = [];
  for (const step of stories.steps) {
    if (step.kind !== "hand") {
      if (begun) appending.change(step);
      else earlier.push(step.write);
      continue;
    }
    const hand = stories.mine[++place];
    if (hand.number <= last) continue;
    const over = whyOver(stories);
    if (over) {
      appending.kept.push({ step, why: { name: over, values: { number: hand.number } } });
      continue;
    }
    if (!begun && !stories.data.snapshot.in_chips) begin(appending, hand, comes, dealers[place]);
    begun = true;
    earlier = [];
    appending.hand(step, hand);
  }
  appending.unapplied.push(...earlier);
}

/** Before the first hand beyond theirs: the seats and the dealer that this phone had. */
function begin(appending, hand, comes, dealer) {
  seatsLike(appending, hand, comes);
  const player = appending.ref(dealer);
  const sits = appending.now.seats[appending.now.dealer]?.player;
  if (dealer !== null && player !== sits && appending.now.seats.some((seat) => seat.player === player))
    appending.attempt(write(appending.stories, "dealer", { player }));
}
