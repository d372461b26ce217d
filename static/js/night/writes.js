// Writes: events recorded on the phone, as plain data (docs/night.md). This module makes them and checks those that
// come from outside.
//
// Every write: { format, key (UUID), kind, club (slug), table (reference), at (ms since 1970) } and the fields of its
// kind. A reference is a number (the server's id) or a string: the key of the write that makes the table or player, for
// a guest of a begun evening "key:place".
import { GAMES } from "../rules/games.js";
import { newKey } from "./new_key.js";

export const FORMAT = 1;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MOST_SEATS = 7;
const MOST_NUMBER = 1_000_000;
const MOST_RAPPEN = 1_000_000_000;
const LONGEST_NICKNAME = 40;
const MOST_HANDS = 500;
const MOST_CUTS = 60;
const LATEST = 8.64e15;

/** The fields of a record that a write carries; the rest of a hand record follows from the table. */
const RECORD = [
  ...["declarer", "joiners", "tricks", "made", "blind", "cuts", "seven", "game_type"],
  ...["players", "seven_lost"],
];

/**
 * @param {string} kind
 * @param {Shown} present
 * @param {object} fields
 * @returns {Write}
 */
function newWrite(kind, present, fields) {
  return {
    format: FORMAT,
    key: newKey(),
    kind,
    club: present.snapshot.club.slug,
    table: present.table,
    at: Date.now(),
    ...fields,
  };
}

/** @param {Record<string, any>} record */
const own = (record) =>
  Object.fromEntries(RECORD.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));

/**
 * A hand at the table of `present` (present.js). `record`: the tally; `result`: by the rules on the phone.
 * @param {Shown} present
 * @param {object} record
 * @param {{ deltas: number[], pot_after: number }} result
 */
export function handWrite(present, record, result) {
  return newWrite("hand", present, {
    number: present.number,
    players: present.seats.map((seat) => seat.player),
    record: own(record),
    expected: { deltas: result.deltas, pot_after: result.pot_after },
  });
}

/**
 * A player comes: `who` is { player: id } or { guest: nickname }, `after` the player on the seat before.
 * @param {Shown} present
 * @param {{ player?: Reference, guest?: string }} who
 * @param {Reference} after
 */
export const comeWrite = (present, who, after) => newWrite("come", present, { ...who, after });

/**
 * @param {Shown} present
 * @param {Reference} player
 */
export const leaveWrite = (present, player) => newWrite("leave", present, { player });

/**
 * @param {Shown} present
 * @param {Reference[]} players
 */
export const orderWrite = (present, players) => newWrite("order", present, { players });

/**
 * @param {Shown} present
 * @param {Reference} player
 */
export const dealerWrite = (present, player) => newWrite("dealer", present, { player });

/** @param {Shown} present */
export const pauseWrite = (present) => newWrite("pause", present, {});

/** @param {Shown} present */
export const resumeWrite = (present) => newWrite("resume", present, {});

/**
 * An evening that begins on the phone. `evening`: { season (id), game, rules_version, seating ([{player: id} | {guest:
 * nickname}]), first_dealer (place), held_on ("2026-11-23"), carry (bool), settling ("hands" | "end" | null) }.
 * @param {string} club
 * @param {object} evening
 * @returns {Write}
 */
export function beginWrite(club, evening) {
  return { format: FORMAT, key: newKey(), kind: "begin", club, at: Date.now(), ...evening };
}

/**
 * The name of the table of a write, as a string: the id, or the key of the write that begins its evening.
 * @param {Write} write
 * @returns {string}
 */
export const tableOf = (write) => (write.kind === "begin" ? write.key : String(write.table));

/**
 * The references of a write: its table, and its players by seat.
 * @param {Write} write
 * @returns {string[]}
 */
function references(write) {
  const inHands = (write.hands ?? []).flatMap((/** @type {any} */ hand) => [...hand.players, hand.dealer]);
  const named = [write.table, write.player, write.after, ...(write.players ?? []), ...inHands];
  return named.filter((reference) => typeof reference === "string");
}

/**
 * The keys of the writes that have to be stored before this one.
 * @param {Write} write
 */
export const needs = (write) => new Set(references(write).map((reference) => reference.split(":")[0]));

/**
 * The same write with the ids that the server gave: `known` is {reference: id}, `table` the id of the table that `key`
 * began.
 * @param {Write} write
 * @param {{ table?: Record<string, number>, players?: Record<string, number> }} ids
 * @returns {Write}
 */
export function resolved(write, { table = {}, players = {} }) {
  const player = (/** @type {Reference} */ reference) => players[reference] ?? reference;
  const next = { ...write };
  if (write.table !== undefined) next.table = table[write.table] ?? write.table;
  for (const name of ["player", "after"]) if (write[name] !== undefined) next[name] = player(write[name]);
  if (write.players) next.players = write.players.map(player);
  if (write.hands) next.hands = write.hands.map((/** @type {any} */ hand) => resolvedHand(hand, player));
  return next;
}

/**
 * @param {any} hand
 * @param {(reference: Reference) => Reference} player
 */
function resolvedHand(hand, player) {
  const dealer = hand.dealer === undefined ? {} : { dealer: player(hand.dealer) };
  return { ...hand, players: hand.players.map(player), ...dealer };
}

// --- Writes from outside: a file, a QR code, the database of an older version -----------------------------------

/**
 * @param {number} least
 * @param {number} most
 * @returns {Test}
 */
const isWhole = (least, most) => (/** @type {any} */ value) =>
  Number.isInteger(value) && value >= least && value <= most;
const isId = isWhole(1, Number.MAX_SAFE_INTEGER);
const isNumber = isWhole(1, MOST_NUMBER);
const isRappen = isWhole(-MOST_RAPPEN, MOST_RAPPEN);
const isSeat = isWhole(0, MOST_SEATS - 1);
/** @param {any} value */
const isFlag = (value) => typeof value === "boolean";
/** @param {any} value */
const isKey = (value) => typeof value === "string" && UUID.test(value);
/** @param {any} value */
const isSlug = (value) => typeof value === "string" && /^[-\w]{1,60}$/.test(value);
/**
 * @param {number} longest
 * @returns {Test}
 */
const isText = (longest) => (/** @type {any} */ value) =>
  typeof value === "string" && value.trim() !== "" && value.length <= longest;
const isOneOf =
  (/** @type {any[]} */ ...words) =>
  (/** @type {any} */ value) =>
    words.includes(value);
/** @param {any} value */
const isDay = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
/**
 * @param {number} least
 * @param {number} most
 * @param {Test} isItem
 * @returns {Test}
 */
const isList = (least, most, isItem) => (/** @type {any} */ value) =>
  Array.isArray(value) && value.length >= least && value.length <= most && value.every(isItem);
/** @param {any} value */
const isTable = (value) => isId(value) || isKey(value);

/**
 * @param {any} value
 * @returns {boolean}
 */
function isPlayer(value) {
  if (typeof value !== "string") return isId(value);
  const [key, place, ...rest] = value.split(":");
  return isKey(key) && rest.length === 0 && (place === undefined || /^[0-6]$/.test(place));
}

/**
 * @param {Test} isItem
 * @returns {Test}
 */
const isOrNull = (isItem) => (/** @type {any} */ value) => value === null || isItem(value);
const isKnown = isList(0, MOST_SEATS, isOrNull(isId));
/** @param {any[]} values */
const areDifferent = (values) => new Set(values).size === values.length;
/** @param {any} value */
const isPlayers = (value) => isList(2, MOST_SEATS, isPlayer)(value) && areDifferent(value);
/** @param {any} value */
const isSeats = (value) => isList(0, MOST_SEATS, isSeat)(value) && areDifferent(value);
const isNickname = isText(LONGEST_NICKNAME);

/**
 * Return true if a value has exactly these fields; `free`: the fields that may be missing.
 * @param {Record<string, Test>} fields
 * @param {Record<string, Test>} free
 * @returns {Test}
 */
function has(fields, free = {}) {
  return (/** @type {any} */ value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const all = { ...fields, ...free };
    return (
      Object.keys(value).every((name) => Object.hasOwn(all, name) && all[name](value[name])) &&
      Object.keys(fields).every((name) => Object.hasOwn(value, name))
    );
  };
}

/** @param {any} value */
const isTricks = (value) =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.entries(value).every(([seat, tricks]) => /^[0-6]$/.test(seat) && isWhole(0, 4)(tricks));

const isRecord = has(
  {},
  {
    declarer: (/** @type {any} */ value) => value === null || isSeat(value),
    joiners: isSeats,
    tricks: isTricks,
    made: isSeats,
    blind: isOneOf(null, "blind", "double"),
    cuts: (/** @type {any} */ value) =>
      isList(0, MOST_CUTS, isList(1, 2, isText(2)))(value) || isList(0, MOST_CUTS, isText(2))(value),
    seven: isFlag,
    game_type: isOneOf(null, "schlagen", "oder", "weiter-oder"),
    players: isSeats,
    seven_lost: isOrNull(isSeat),
  },
);

const isExpected = has({ deltas: isList(2, MOST_SEATS, isRappen), pot_after: isWhole(0, MOST_RAPPEN) });
/** @param {any} value */
const isSitting = (value) => has({ player: isId })(value) || has({ guest: isNickname })(value);

const COMMON = { format: isOneOf(FORMAT), key: isKey, kind: isText(20), club: isSlug, at: isWhole(0, LATEST) };
const AT_TABLE = { ...COMMON, table: isTable };

/** @type {Record<string, Test>} */
const KINDS = {
  hand: has(
    { ...AT_TABLE, number: isNumber, players: isPlayers, record: isRecord },
    { expected: isOrNull(isExpected) },
  ),
  come: (/** @type {any} */ value) =>
    has({ ...AT_TABLE, player: isId, after: isPlayer })(value) ||
    has({ ...AT_TABLE, guest: isNickname, after: isPlayer })(value),
  leave: has({ ...AT_TABLE, player: isPlayer }),
  order: has({ ...AT_TABLE, players: isPlayers }),
  dealer: has({ ...AT_TABLE, player: isPlayer }),
  pause: has(AT_TABLE),
  resume: has(AT_TABLE),
  begin: has({
    ...COMMON,
    season: isId,
    game: isOneOf(...Object.keys(GAMES)),
    rules_version: (/** @type {any} */ value) => value === null || isWhole(0, MOST_NUMBER)(value),
    seating: isList(2, MOST_SEATS, isSitting),
    first_dealer: isSeat,
    held_on: isDay,
    carry: isFlag,
    settling: isOneOf(null, "", "hands", "end"),
  }),
  correct: has({
    ...AT_TABLE,
    hands: isList(
      1,
      MOST_HANDS,
      has({ number: isNumber, revision: isNumber, players: isPlayers, record: isRecord, dealer: isOrNull(isPlayer) }),
    ),
    hands_seen: isWhole(1, MOST_NUMBER),
  }),
  "leave-out": has({
    ...AT_TABLE,
    hands: isList(0, MOST_HANDS, has({ number: isNumber, players: isKnown, record: isRecord })),
    changes: isList(
      0,
      MOST_HANDS,
      has({ kind: isOneOf("come", "leave", "order", "dealer", "pause", "resume"), players: isKnown }),
    ),
  }),
};

/** @param {Write} write */
const agree = (write) => {
  if (write.kind === "hand" && write.expected && write.expected.deltas.length !== write.players.length) return false;
  return write.kind !== "begin" || write.first_dealer < write.seating.length;
};

/**
 * The write, if each field is as docs/night.md says and there is no other field; else null. The rules of the game are
 * not checked.
 * @param {any} value
 * @returns {Write | null}
 */
export function readWrite(value) {
  const kind = Object.hasOwn(KINDS, value?.kind ?? "") ? KINDS[value.kind] : null;
  return kind?.(value) && agree(value) ? value : null;
}
