// A bundle of writes in few bytes, for QR codes: the keys as they are (16 bytes each), everything else as short JSON,
// compressed.
//
// A bundle (docs/night.md): { format, kind, club, saved_at, by: [names], players: {reference: name}, writes, snapshots
// }. The packed form has no snapshots. Layout: 1 byte format, 2 bytes number of keys, the keys, deflated JSON
// in which a reference to a key is a string "place" or "place:seat", with the place of the key in the list. A row is
// [kind, table, seconds and ms since the row before, ...fields].
import { FORMAT } from "./writes.js";

export const KIND = "chratzete-night";
const KEY_BYTES = 16;
const MOST_KEYS = 2000;
const MOST_BYTES = 400_000;
const KINDS = ["hand", "come", "leave", "order", "dealer", "pause", "resume", "begin", "correct", "leave-out"];
const RECORD = {
  declarer: "d",
  joiners: "j",
  tricks: "t",
  made: "m",
  blind: "b",
  cuts: "c",
  seven: "s",
  game_type: "g",
  players: "p",
  seven_lost: "l",
};
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** The fields of each kind by their place in the row; hands are written shorter. */
const FIELDS = {
  come: ["player", "guest", "after"],
  leave: ["player"],
  order: ["players"],
  dealer: ["player"],
  pause: [],
  resume: [],
  begin: ["season", "game", "rules_version", "seating", "first_dealer", "held_on", "carry", "settling"],
  correct: ["hands", "hands_seen"],
  "leave-out": ["hands", "changes"],
};
const REFERENCES = ["player", "after"];

/** The bytes of a bundle. */
export async function pack(bundle) {
  const keys = bundle.writes.map((write) => write.key);
  const short = (reference) => {
    const key = typeof reference === "string" && UUID.exec(reference)?.[0];
    if (!key) return reference;
    if (!keys.includes(key)) keys.push(key);
    return reference.replace(key, String(keys.indexOf(key)));
  };
  const tables = [...new Set(bundle.writes.map((write) => write.table).filter((table) => table !== undefined))];
  const rows = [];
  let before = { at: bundle.saved_at, players: "", number: 0 };
  for (const write of bundle.writes) {
    rows.push([
      KINDS.indexOf(write.kind),
      tables.indexOf(write.table),
      write.at - before.at,
      ...fieldsOf(write, before, short),
    ]);
    before = {
      at: write.at,
      players: write.kind === "hand" ? String(write.players) : before.players,
      number: write.number ?? before.number,
    };
  }
  const names = Object.entries(bundle.players).map(([reference, name]) => [
    /^\d+$/.test(reference) ? Number(reference) : short(reference),
    name,
  ]);
  const text = JSON.stringify([bundle.club, bundle.saved_at, bundle.by, names, tables.map(short), rows]);
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const head = new Uint8Array([FORMAT, keys.length >> 8, keys.length & 255]);
  return joined([head, ...keys.map(bytesOf), packed]);
}

function fieldsOf(write, before, short) {
  if (write.kind === "hand") {
    const players = String(write.players) === before.players ? 0 : write.players.map(short);
    // Most hands have the seats of the one before.
    const number = write.number === before.number + 1 ? 0 : write.number;
    // None where the phone could not count the hand.
    const { deltas, pot_after: pot } = write.expected ?? { deltas: null, pot_after: null };
    return [
      shortRecord(write.record),
      pot,
      deltas,
      ...(number || players ? [number, ...(players ? [players] : [])] : []),
    ];
  }
  return FIELDS[write.kind].map((name) => {
    const value = write[name];
    if (value === undefined) return null;
    if (REFERENCES.includes(name)) return short(value);
    return name === "players" ? value.map(short) : value;
  });
}

function shortRecord(record) {
  const short = {};
  for (const [name, letter] of Object.entries(RECORD)) if (record[name] !== undefined) short[letter] = record[name];
  // {"0": 2, "3": 2} as "0232": a digit each, seats and tricks have one.
  if (short.t && Object.values(short.t).every(Number.isInteger)) short.t = Object.entries(short.t).flat().join("");
  return short;
}

function longRecord(short) {
  const record = {};
  for (const [name, letter] of Object.entries(RECORD)) if (short[letter] !== undefined) record[name] = short[letter];
  if (typeof record.tricks === "string") {
    record.tricks = Object.fromEntries(
      (record.tricks.match(/\d\d/g) ?? []).map((/** @type {string} */ pair) => [pair[0], Number(pair[1])]),
    );
  }
  return record;
}

/**
 * The bundle of these bytes. Throws an Error for anything else; its writes still have to be checked (readWrite of
 * writes.js).
 */
export async function unpack(bytes) {
  if (bytes[0] !== FORMAT) throw new Error("format");
  const count = bytes[1] * 256 + bytes[2];
  const start = 3 + count * KEY_BYTES;
  if (count > MOST_KEYS || bytes.length < start) throw new Error("keys");
  const keys = Array.from({ length: count }, (_, index) =>
    keyOf(bytes.subarray(3 + index * KEY_BYTES, 3 + (index + 1) * KEY_BYTES)),
  );
  const long = (reference) => {
    if (typeof reference !== "string") return reference;
    const [index, ...rest] = reference.split(":");
    return [keys[Number(index)], ...rest].join(":");
  };
  const text = new TextDecoder().decode(
    await through(new DecompressionStream("deflate-raw"), bytes.subarray(start), MOST_BYTES),
  );
  const [club, savedAt, by, names, tables, rows] = JSON.parse(text);
  const known = tables.map(long);
  let before = { at: savedAt, players: [], number: 0 };
  const writes = rows.map(([kind, table, since, ...fields], place) => {
    const name = KINDS[kind];
    const common = {
      format: FORMAT,
      key: keys[place],
      kind: name,
      club,
      ...(known[table] !== undefined && { table: known[table] }),
      at: before.at + since,
    };
    /** @type {any} */
    const write = {
      ...common,
      ...(name === "hand" ? longHand(fields, before, long) : longFields(FIELDS[name], fields, long)),
    };
    before = {
      at: write.at,
      players: name === "hand" ? write.players : before.players,
      number: write.number ?? before.number,
    };
    return write;
  });
  const players = Object.fromEntries(names.map(([reference, name]) => [long(reference), name]));
  return { format: FORMAT, kind: KIND, club, saved_at: savedAt, by, players, writes, snapshots: [] };
}

/** @param {any} fields */
function longHand([record, pot, deltas, number, players], before, long) {
  return {
    number: number || before.number + 1,
    players: players ? players.map(long) : before.players,
    record: longRecord(record),
    expected: deltas === null ? null : { deltas, pot_after: pot },
  };
}

function longFields(names, values, long) {
  const fields = {};
  names.forEach((name, index) => {
    const value = values[index];
    const absent = value === null && REFERENCES.concat("guest").includes(name);
    if (!absent) fields[name] = REFERENCES.includes(name) ? long(value) : name === "players" ? value.map(long) : value;
  });
  return fields;
}

function bytesOf(key) {
  return Uint8Array.from(key.replaceAll("-", "").match(/../g), (pair) => parseInt(pair, 16));
}

function keyOf(bytes) {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

/** The bytes that come out of a stream; an Error as soon as they are more than `most`. */
async function through(stream, bytes, most = Infinity) {
  const writer = stream.writable.getWriter();
  // A fault of the data comes out of the reader.
  writer.write(bytes).catch(() => null);
  writer.close().catch(() => null);
  const parts = [];
  const reader = stream.readable.getReader();
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > most) throw new Error("size");
    parts.push(next.value);
  }
  return joined(parts);
}

/** Bytes as base64url, and back. `textBytes` returns null for any other text. */
export function bytesText(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export function textBytes(text) {
  if (!/^[-\w]*$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
