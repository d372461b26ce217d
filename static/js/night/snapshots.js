// The newest snapshot of each table, in the browser's database. It belongs to the account that it was given to.
import { run, SNAPSHOTS } from "../database.js";
import { account } from "../signed_in.js";

/**
 * Keep a snapshot, unless a newer one of its table is there. `handed`: it came in a file and not from the server; then
 * a later one of the server counts, with any position.
 */
export async function keep(snapshot, { handed = false } = {}) {
  const user = account();
  if (!snapshot || !user) return;
  const table = String(snapshot.table.id);
  const kept = async (store) => {
    const older = await store.get(table);
    if (older?.user === user && !isLater(older, snapshot) && isNewer(older.snapshot, snapshot)) return;
    await store.put({ table, user, kept: Date.now(), snapshot, ...(handed && { handed: Date.now() }) });
  };
  try {
    await run(SNAPSHOTS, "readwrite", kept);
  } catch {
    /* nothing can be stored: the page has its own */
  }
}

/**
 * Return true if `snapshot` is newer than `other`: the position only rises; at the same one the time counts at which it
 * was made.
 */
function isNewer(snapshot, other) {
  return (snapshot.table.position - other.table.position || snapshot.made_at - other.made_at) > 0;
}

/** Return true if the stored one came in a file, and this one came from the server after that. */
const isLater = (stored, snapshot) => stored.handed !== undefined && snapshot.made_at > stored.handed;

/** The newest snapshot of a table: the stored one, or the page's (`embedded`). Null if there is none. */
export async function newest(table, embedded = null) {
  let stored = null;
  try {
    stored = await run(SNAPSHOTS, "readonly", (store) => store.get(String(table)));
  } catch {
    /* nothing can be read */
  }
  if (!stored || stored.user !== account() || stored.snapshot.format !== 1) return embedded;
  return embedded && (isLater(stored, embedded) || !isNewer(stored.snapshot, embedded)) ? embedded : stored.snapshot;
}

/** The snapshots of this account on this phone. */
export async function ownSnapshots() {
  try {
    const all = await run(SNAPSHOTS, "readonly", (store) => store.getAll());
    return all.filter((stored) => stored.user === account()).map((stored) => stored.snapshot);
  } catch {
    return [];
  }
}
