// The state of a table on this phone: the newest snapshot of the server, and the writes that wait carried out on it.
//
// Pure: it reads no page and no storage. docs/night.md describes snapshots and writes. Amounts are Rappen.
import { GAMES, due, replay } from "../rules/index.js";

/**
 * The least and the most players at a table (C1.1, K1.1, Z1.1).
 * @param {Game} game
 */
export const seatsOf = (game) => GAMES[game].seats;

// The changes that move nobody: the only ones at a table of a tournament.
const SEATS_STAY = ["dealer", "pause", "resume"];

/** The fates of a write (`fateOf`). */
export const STORED = "stored";
export const TAKEN = "taken";
export const UNKNOWN = "unknown";

/** A write that cannot be carried out; `why` is the code of the server's refusal, `error` the fault of a record. */
class Stuck extends Error {
  /** @param {string} why @param {{ clause: string, at: string } | null} error */
  constructor(why, error = null) {
    super(why);
    this.why = why;
    this.error = error;
  }
}

/**
 * The present state. `writes` are those of this table that wait, in the order in which they were recorded. Returns {
 * snapshot, table, game, rules, number, potBefore, due, pot, muss, dealer, dealNumber, paused, ended, over, lastHand,
 * handsLeft, seats: [{player, name, sum}], roster: [{player, name, sum}], done: [{write, start, result, seats, same}],
 * stuck: null | {write, why, error} }. `dealer` is a seat; `sum` is the sum of tonight's hands without the antes of the
 * next hand; `pot` has these antes, but not once the last hand is played (`ended`). `over`: no hand can be recorded any
 * more. `start` is the present before the write; `result` is that of a hand, else null; `seats` are those of the hand,
 * or those after the change; `same`: the table already had this state, the write changes nothing.
 * @param {Snapshot} snapshot
 * @param {Write[]} writes
 * @returns {Present}
 */
export function present(snapshot, writes = []) {
  let state = begin(snapshot);
  /** @type {DoneWrite[]} */
  const done = [];
  /** @type {StuckWrite | null} */
  let stuck = null;
  for (const write of writes) {
    const fate = fateOf(snapshot, write);
    if (fate === STORED || fate === UNKNOWN) continue;
    try {
      if (fate === TAKEN) throw new Stuck(TAKEN);
      const start = shown(snapshot, state);
      const [after, result] = apply(snapshot, state, write);
      done.push({ write, start, result, seats: result ? start.seats : after.seats });
      state = after;
    } catch (fault) {
      if (!(fault instanceof Stuck)) throw fault;
      if (fault.why === "same") {
        // After an earlier write was changed, the table may already have this state. The server then stores the write
        // without any effect.
        done.push({ write, start: shown(snapshot, state), result: null, seats: state.seats, same: true });
        continue;
      }
      stuck = { write, why: fault.why, error: fault.error };
      break;
    }
  }
  return { ...shown(snapshot, state), done, stuck };
}

/**
 * The complete record of a hand: the tally's own fields with those of the table.
 * @param {Shown} present
 * @param {any} record
 */
export function recordOf(present, record) {
  const start = {
    game: present.game,
    rules: present.rules,
    seats: present.seats.length,
    dealer: present.dealer,
    pot_before: present.potBefore,
  };
  return { ...record, ...start, ...(GAMES[present.game].countsDeals ? { deal_number: present.dealNumber } : {}) };
}

/**
 * The fate of a write by the snapshot: STORED if the server has its key; TAKEN if another hand is stored under its
 * number; UNKNOWN if a hand is stored under its number of which the snapshot has no keys; null if the server does not
 * have it.
 * @param {Snapshot} snapshot
 * @param {Write} write
 */
export function fateOf(snapshot, write) {
  if (write.kind !== "hand") return (snapshot.keys ?? []).includes(write.key) ? STORED : null;
  const stored = storedIn(snapshot);
  if (stored.some((hand) => hand.keys.includes(write.key))) return STORED;
  if (write.number > snapshot.table.hands) return null;
  return stored.some((hand) => hand.number === write.number) ? TAKEN : UNKNOWN;
}

/**
 * The newest stored hands of a snapshot, newest first; one of an older version has none.
 * @param {Snapshot} snapshot
 * @returns {StoredHand[]}
 */
export const storedIn = (snapshot) => (Array.isArray(snapshot.stored) ? snapshot.stored : []);

/**
 * The snapshot of an evening that was begun on this phone and that is not stored on the server yet.
 * @param {any} night
 * @param {Write} write
 * @returns {Snapshot}
 */
export function begun(night, write) {
  const { rules } = night.games[write.game];
  const names = new Map((night.roster ?? []).map((/** @type {Seat} */ member) => [member.player, member.name]));
  const seats = /** @type {any[]} */ (write.seating).map(({ player = null, guest }, place) =>
    player === null
      ? { player: `${write.key}:${place}`, name: guest, sum: 0 }
      : { player, name: names.get(player) ?? "", sum: 0 },
  );
  const sitting = new Set(seats.map((seat) => seat.player));
  return {
    format: 1,
    made_at: write.at,
    club: night.club,
    in_chips: false,
    points_only: night.points_only ?? false,
    evening: {
      id: null,
      number: null,
      game: write.game,
      rules,
      rules_version: write.rules_version,
      open: true,
      held_on: write.held_on,
    },
    table: {
      id: write.key,
      number: 1,
      hands: 0,
      position: 0,
      pot_before: write.carry ? (night.box?.[write.game] ?? 0) : 0,
      dealer: write.first_dealer,
      deal_number: 1,
      paused: false,
      dissolved: false,
      last_hand: false,
      ended: false,
      hands_left: null,
      others: 0,
    },
    seats,
    roster: (night.roster ?? []).filter((/** @type {Seat} */ member) => !sitting.has(member.player)),
    keys: [],
    urls: night.urls ?? {},
  };
}

/**
 * The writes with one of them replaced; `replacement` null takes it out, and later hands get the number before theirs.
 * @param {Write[]} writes
 * @param {string} key
 * @param {Write | null} replacement
 * @returns {Write[]}
 */
export function replaced(writes, key, replacement) {
  const old = writes.find((write) => write.key === key);
  if (replacement) return writes.map((write) => (write.key === key ? replacement : write));
  const isLater = (/** @type {Write} */ write) =>
    old?.kind === "hand" && write.kind === "hand" && write.number > old.number;
  return writes
    .filter((write) => write.key !== key)
    .map((write) => (isLater(write) ? { ...write, number: write.number - 1 } : write));
}

/**
 * The expected amounts of a hand, for its write.
 * @param {HandResult} result
 */
export function expectedOf(result) {
  return { deltas: result.deltas, pot_after: result.pot_after };
}

/**
 * @param {Snapshot} snapshot
 * @returns {TableState}
 */
function begin(snapshot) {
  const { table, seats } = snapshot;
  return {
    hands: table.hands,
    pot: table.pot_before,
    dealer: seats[table.dealer].player,
    dealNumber: table.deal_number,
    paused: table.paused,
    ended: table.ended,
    handsLeft: table.hands_left ?? null,
    seats: seats.map(({ player, name, sum }) => ({ player, name, sum })),
    roster: (snapshot.roster ?? []).map(({ player, name, sum = 0 }) => ({ player, name, sum })),
  };
}

/**
 * @param {Snapshot} snapshot
 * @param {TableState} state
 * @returns {Shown}
 */
function shown(snapshot, state) {
  const { evening, table } = snapshot;
  const dealer = state.seats.findIndex((seat) => seat.player === state.dealer);
  const start = {
    game: evening.game,
    rules: evening.rules,
    seats: state.seats.length,
    dealer,
    pot_before: state.pot,
    deal_number: state.dealNumber,
  };
  const amounts = due(start);
  const played = state.handsLeft !== null && state.handsLeft <= 0;
  return {
    snapshot,
    table: table.id,
    game: evening.game,
    rules: evening.rules,
    number: state.hands + 1,
    potBefore: state.pot,
    due: amounts,
    pot: state.ended || played ? state.pot : amounts.pot,
    muss: amounts.muss,
    dealer,
    dealNumber: state.dealNumber,
    paused: state.paused,
    ended: state.ended || played,
    over: !evening.open || table.dissolved || played,
    lastHand: table.last_hand,
    handsLeft: state.handsLeft,
    seats: state.seats,
    roster: state.roster,
  };
}

/**
 * The state after a write, and the result if it is a hand. Throws Stuck.
 * @param {Snapshot} snapshot
 * @param {TableState} state
 * @param {Write} write
 * @returns {[TableState, HandResult | null]}
 */
function apply(snapshot, state, write) {
  if (!snapshot.evening.open) throw new Stuck("closed");
  if (snapshot.table.dissolved) throw new Stuck("dissolved");
  if (write.kind === "hand") return hand(snapshot, state, write);
  const change = CHANGES[write.kind];
  if (!change) throw new Stuck("kind");
  if (snapshot.in_chips && !SEATS_STAY.includes(write.kind)) throw new Stuck("round");
  return [change(state, named(snapshot, write), snapshot), null];
}

/**
 * The id that a reference has in the snapshot; a reference to a write that waits stays as it is.
 * @param {Snapshot} snapshot
 * @param {Reference} ref
 * @returns {Reference}
 */
function nameOf(snapshot, ref) {
  return snapshot.refs?.[ref] ?? ref;
}

/**
 * @param {Snapshot} snapshot
 * @param {Write} write
 */
function named(snapshot, write) {
  const copy = { ...write };
  for (const field of ["player", "after"]) if (copy[field] !== undefined) copy[field] = nameOf(snapshot, copy[field]);
  if (copy.players) copy.players = copy.players.map((/** @type {Reference} */ ref) => nameOf(snapshot, ref));
  return copy;
}

/**
 * @param {Snapshot} snapshot
 * @param {TableState} state
 * @param {Write} write
 * @returns {[TableState, HandResult]}
 */
function hand(snapshot, state, write) {
  const before = shown(snapshot, state);
  if (write.number !== before.number) throw new Stuck("number");
  /** @type {Reference[]} */
  const players = named(snapshot, write).players;
  if (players.length !== state.seats.length || players.some((player, seat) => player !== state.seats[seat].player))
    throw new Stuck("seating");
  if (state.handsLeft !== null && state.handsLeft <= 0) throw new Stuck("hands");
  const result = replay(recordOf(before, write.record));
  if (!result.ok) throw new Stuck("record", result.error);
  const seats = state.seats.map((seat, number) => ({ ...seat, sum: seat.sum + result.deltas[number] }));
  return [
    {
      ...state,
      seats,
      hands: write.number,
      pot: result.pot_after,
      dealer: state.seats[result.next.dealer].player,
      dealNumber: result.next.deal_number,
      // The hand after the announcement is the last one.
      paused: false,
      ended: state.ended || snapshot.table.last_hand,
      handsLeft: state.handsLeft === null ? null : state.handsLeft - 1,
    },
    result,
  ];
}

/**
 * The table with these seats. If the dealer is not among them, the next player deals, with a first deal.
 * @param {TableState} state
 * @param {Seat[]} seats
 * @returns {TableState}
 */
function sit(state, seats) {
  const sits = (/** @type {Reference} */ player) => seats.some((seat) => seat.player === player);
  if (sits(state.dealer)) return { ...state, seats };
  const turn = state.seats.findIndex((seat) => seat.player === state.dealer);
  const order = [...state.seats.slice(turn + 1), ...state.seats.slice(0, turn)];
  const next = order.find((seat) => sits(seat.player)) ?? seats[0];
  return { ...state, seats, dealer: next.player, dealNumber: 1 };
}

/**
 * @param {Snapshot} snapshot
 * @param {number} count
 */
function checkSeats(snapshot, count) {
  const [least, most] = seatsOf(snapshot.evening.game);
  if (count < least || count > most) throw new Stuck("seats");
}

/**
 * @param {TableState} state
 * @param {Reference} player
 */
function seatOf(state, player) {
  const seat = state.seats.findIndex((sitter) => sitter.player === player);
  if (seat < 0) throw new Stuck("seating");
  return seat;
}

/** @param {string} name */
const folded = (name) => name.toLocaleLowerCase();

/**
 * The arriving player: a player of the roster, or a guest; a nickname of the roster is that player.
 * @param {TableState} state
 * @param {Write} write
 * @returns {Seat & { known?: Reference }}
 */
function newcomer(state, write) {
  if (write.guest === undefined) {
    const known = state.roster.find((member) => member.player === write.player);
    return known ?? { player: write.player, name: write.name ?? "", sum: 0 };
  }
  if (state.seats.some((seat) => folded(seat.name) === folded(write.guest))) throw new Stuck("seating");
  const known = state.roster.find((member) => folded(member.name) === folded(write.guest));
  // Writes that follow name the player by the key of this one.
  return { player: write.key, name: known?.name ?? write.guest, sum: known?.sum ?? 0, known: known?.player };
}

/** @type {Record<string, (state: TableState, write: Write, snapshot: Snapshot) => TableState>} */
const CHANGES = {
  come(state, write, snapshot) {
    const place = seatOf(state, write.after) + 1;
    if (state.seats.some((seat) => seat.player === write.player)) throw new Stuck("seating");
    const { player, name, sum, known = player } = newcomer(state, write);
    checkSeats(snapshot, state.seats.length + 1);
    const roster = state.roster.filter((member) => member.player !== player && member.player !== known);
    return {
      ...sit(state, [...state.seats.slice(0, place), { player, name, sum }, ...state.seats.slice(place)]),
      roster,
    };
  },
  leave(state, write, snapshot) {
    const gone = state.seats[seatOf(state, write.player)];
    checkSeats(snapshot, state.seats.length - 1);
    return {
      ...sit(
        state,
        state.seats.filter((seat) => seat !== gone),
      ),
      roster: [gone, ...state.roster],
    };
  },
  order(state, write) {
    /** @type {Seat[]} */
    const seats = write.players.map((/** @type {Reference} */ player) => state.seats[seatOf(state, player)]);
    if (new Set(seats).size !== state.seats.length || seats.length !== state.seats.length) throw new Stuck("seating");
    if (seats.every((seat, number) => seat === state.seats[number])) throw new Stuck("same");
    return sit(state, seats);
  },
  dealer(state, write) {
    seatOf(state, write.player);
    if (write.player === state.dealer) throw new Stuck("same");
    return { ...state, dealer: write.player, dealNumber: 1 };
  },
  pause(state) {
    if (state.paused) throw new Stuck("same");
    return { ...state, paused: true };
  },
  resume(state) {
    if (!state.paused) throw new Stuck("same");
    return { ...state, paused: false };
  },
};
