// Only its key proves that a write is stored (static/js/night/present.js).
import assert from "node:assert/strict";
import test from "node:test";
import { fateOf } from "../../static/js/night/present.js";

const OLD = { table: { hands: 2 } };
const SNAPSHOT = { ...OLD, stored: [{ number: 2, keys: ["now", "before"] }], keys: ["come"] };
const CASES = [
  ["a hand", SNAPSHOT, "hand", "now", 2, "stored"],
  ["a revision of a hand", SNAPSHOT, "hand", "before", 7, "stored"],
  ["another hand of that number", SNAPSHOT, "hand", "other", 2, "taken"],
  ["a hand that is older than those in the snapshot", SNAPSHOT, "hand", "other", 1, "unknown"],
  ["a snapshot of an older version", OLD, "hand", "other", 2, "unknown"],
  ["a hand that comes next", SNAPSHOT, "hand", "other", 3, null],
  ["a change", SNAPSHOT, "come", "come", null, "stored"],
  ["another change", SNAPSHOT, "come", "other", null, null],
  ["a change, and a snapshot of an older version", OLD, "come", "come", null, null],
];

for (const [name, snapshot, kind, key, number, fate] of CASES)
  test(name, () => assert.equal(fateOf(snapshot, { kind, key, number }), fate));
