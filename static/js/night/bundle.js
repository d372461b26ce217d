// A bundle: the writes that wait on a phone, to be saved as a file or handed to another phone (docs/night.md). Pure.
import { KIND } from "./pack.js";
import { FORMAT, readWrite } from "./writes.js";

export const MOST_WRITES = 1000;
export const MOST_LETTERS = 4_000_000;
const LONGEST_NAME = 80;
const MOST_NAMES = 300;

/** The bundle of the writes of a club. `items`: the waiting items, in order; `snapshots`: those of their tables. */
export function bundleOf(club, items, snapshots = [], now = Date.now()) {
  const writes = items.map((item) => item.write).filter((write) => write?.club === club);
  const tables = new Set(writes.map((write) => String(write.table)));
  const own = snapshots.filter((snapshot) => snapshot.club.slug === club && tables.has(String(snapshot.table.id)));
  const by = [
    ...new Set(
      items
        .filter((item) => item.write?.club === club)
        .map((item) => item.who)
        .filter(Boolean),
    ),
  ];
  return { format: FORMAT, kind: KIND, club, saved_at: now, by, players: namesOf(writes, own), writes, snapshots: own };
}

/** The names of all players that the writes refer to, by reference; those that no snapshot has are missing. */
export function namesOf(writes, snapshots) {
  const names = {};
  const known = new Map(
    snapshots.flatMap(({ seats, roster }) => [...seats, ...roster]).map(({ player, name }) => [String(player), name]),
  );
  for (const write of writes) {
    if (write.kind === "come" && write.guest) known.set(write.key, write.guest);
    if (write.kind === "come" && write.player) known.set(write.key, known.get(String(write.player)));
    for (const [place, sitting] of (write.kind === "begin" ? write.seating : []).entries()) {
      if (sitting.guest) known.set(`${write.key}:${place}`, sitting.guest);
    }
    const seated = write.kind === "begin" ? write.seating.map((sitting) => sitting.player) : [];
    for (const reference of [write.player, write.after, ...(write.players ?? []), ...seated]) {
      const name = known.get(String(reference));
      if (reference !== undefined && name) names[reference] = name;
    }
  }
  return names;
}

const isName = (value) => typeof value === "string" && value !== "" && value.length <= LONGEST_NAME;
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Check a bundle that comes from outside. Returns { fault, club } with the fault "kind", "newer", "club" or "many", or
 * else { savedAt, by, players (Map of names by reference, as a string), lines: [write, or null where it cannot be
 * read], snapshots }.
 */
export function readBundle(value, club) {
  if (!isObject(value) || value.kind !== KIND || !Array.isArray(value.writes)) return { fault: "kind" };
  if (!Number.isInteger(value.format) || value.format < 1) return { fault: "kind" };
  if (value.format > FORMAT) return { fault: "newer" };
  if (value.writes.length > MOST_WRITES) return { fault: "many" };
  if (value.club !== club) return { fault: "club", club: isName(value.club) ? value.club : "" };
  const named = Object.entries(isObject(value.players) ? value.players : {}).slice(0, MOST_NAMES);
  const seen = new Set();
  const lines = value.writes.map((rawWrite) => {
    const write = readWrite(rawWrite);
    if (!write || write.club !== club || seen.has(write.key)) return null;
    seen.add(write.key);
    return write;
  });
  return {
    savedAt: Number.isInteger(value.saved_at) && Math.abs(value.saved_at) <= 8.64e15 ? value.saved_at : null,
    by: (Array.isArray(value.by) ? value.by : []).filter(isName).slice(0, 10),
    players: new Map(named.filter(([, name]) => isName(name))),
    lines,
    snapshots: (Array.isArray(value.snapshots) ? value.snapshots : []).filter(
      (snapshot) => isObject(snapshot) && snapshot.format === 1 && snapshot.club?.slug === club,
    ),
  };
}
