// Writes that come from outside are checked field by field (static/js/night/writes.js).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { readWrite } from "../../static/js/night/writes.js";

const KEY = "11111111-2222-4333-8444-555555555555";
const OTHER = "aaaaaaaa-2222-4333-8444-555555555555";
const KINDS = {
  hand: {
    number: 1,
    players: [1, 2, `${OTHER}:3`, OTHER],
    record: { declarer: 0, joiners: [1], tricks: { 0: 2, 1: 2 }, blind: null },
    expected: { deltas: [10, -10, 0, 0], pot_after: 40 },
  },
  come: { guest: "Fritz", after: 7 },
  leave: { player: OTHER },
  order: { players: [3, 2, 1] },
  dealer: { player: 2 },
  pause: {},
  resume: {},
  begin: {
    season: 3,
    game: "kratzen",
    rules_version: 1,
    seating: [{ player: 7 }, { guest: "Fritz" }],
    first_dealer: 1,
    held_on: "2026-11-23",
    carry: false,
    settling: "end",
  },
  correct: {
    hands: [{ number: 4, revision: 9, players: [1, OTHER], record: { declarer: null }, dealer: 1 }],
    hands_seen: 4,
  },
  "leave-out": {
    hands: [{ number: 4, players: [1, null], record: { declarer: null } }],
    changes: [{ kind: "come", players: [null] }],
  },
};
// Invalid values of each of these fields; a path with dots names a field of a field.
const SPOILED = {
  format: [2, "1", null],
  key: ["x", OTHER.toUpperCase(), 5],
  kind: ["", "handle", "constructor", null],
  club: ["", "../etc", "a b", 3],
  table: [0, -1, 1.5, "5", null, { id: 1 }],
  at: [-1, "now", 1e300],
  more: [1],
  number: [0, 1.5, "1", 1000000000],
  players: [[1], [1, 1], [1, "x"], [1, 2, 3, 4, 5, 6, 7, 8], [1, `${OTHER}:9`], [1, `${OTHER}:1:1`], null],
  record: [null, [], { declarer: 7 }, { joiners: [1, 1] }, { tricks: { 0: 5 } }, { tricks: [1] }, { deal: {} }],
  "record.cuts": ["A7", [["A", "A", "A"]], [["Schilten"]], [[]]],
  "record.blind": ["triple", 1],
  "record.seven": [1],
  "record.game_type": ["x"],
  expected: [{}, { deltas: [1, -1], pot_after: 1 }, { deltas: [10, -10, 0, 0], pot_after: -1 }],
  after: [null, "x"],
  player: [null, "x", 0],
  guest: ["", " ", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
  season: [null, "1"],
  game: ["poker"],
  seating: [[], [{ player: 1 }], [{ player: 1 }, { player: 2, guest: "x" }], [{ player: "x" }, { guest: "y" }]],
  first_dealer: [2, -1],
  held_on: ["yesterday", "2026-13-40", null],
  carry: [1],
  settling: ["never"],
  revision: [0, "1"],
  hands: [null, [{ number: 1 }], [{ number: 1, sentence: "x" }], [{ number: 1, players: [0], record: {} }]],
  hands_seen: [0, "4"],
  changes: [null, [{ kind: "go", players: [] }], [{ kind: "come" }]],
};

const common = (kind) => ({
  ...{ format: 1, key: KEY, kind, club: "roessli", at: 1_700_000_000_000 },
  ...(kind === "begin" ? {} : { table: 5 }),
});

/** Each write with each field spoiled, missing, and with one field too many. */
function spoiled() {
  const found = [{}, { kind: "hand" }];
  for (const [kind, fields] of Object.entries(KINDS)) {
    const whole = { ...common(kind), ...fields };
    for (const name of Object.keys(whole)) {
      // A hand that the phone could not count has none.
      if (name !== "expected")
        found.push(Object.fromEntries(Object.entries(whole).filter(([other]) => other !== name)));
    }
    for (const [path, values] of Object.entries(SPOILED)) {
      const [name, inner] = path.split(".");
      if (!(name in whole) && name !== "more") continue;
      for (const value of values) found.push({ ...whole, [name]: inner ? { ...whole[name], [inner]: value } : value });
    }
  }
  return found;
}

/** The writes that the server must take for long (tests/games/test_night_formats.py). */
function keptWrites() {
  let text = readFileSync(new URL("../data/night_writes_1.json", import.meta.url), "utf8");
  for (const [place, name] of [...new Set(text.match(/"@[a-zA-Z]+"/g))].entries())
    text = text.replaceAll(name, String(place + 1));
  return Object.values(JSON.parse(text)).flat();
}

const hand = { ...common("hand"), ...KINDS.hand };
const { expected: _, ...uncounted } = hand;
const GOOD = [
  ...Object.entries(KINDS).map(([kind, fields]) => ({ ...common(kind), ...fields })),
  { ...hand, table: OTHER },
  { ...hand, expected: null },
  uncounted,
  { ...common("come"), player: 8, after: OTHER },
  ...keptWrites(),
];

test("each kind is read as it is", () => {
  assert.ok(GOOD.length > Object.keys(KINDS).length + 10);
  for (const write of GOOD) assert.deepEqual(readWrite(structuredClone(write)), write);
});

test("a write with any field spoiled is refused", () => {
  const bad = [...spoiled(), null, 1, "x", [], [[]]];
  assert.ok(bad.length > 150);
  for (const write of bad) assert.equal(readWrite(write), null, JSON.stringify(write));
});
