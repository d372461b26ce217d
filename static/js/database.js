// The browser's database: the items of the outbox, the snapshots of tables, and parts of QR codes that are not complete
// yet (night/code_parts.js). Pages create it; the service worker takes it as it is.
import { openDB } from "../vendor/idb/idb.js";

const NAME = "chratzete";
const VERSION = 2;
export const ITEMS = "outbox";
export const SNAPSHOTS = "snapshots";
export const PARTS = "parts";

/** @type {Promise<import("../vendor/idb/idb.js").IDBPDatabase> | null} */
let opening = null;

function open() {
  const forget = () => {
    opening = null;
  };
  opening ??= openDB(NAME, VERSION, {
    upgrade: (base, from, _to, work) => upgrade(base, from, work),
    blocking: (_from, _to, event) => {
      /** @type {IDBDatabase} */ (event.target).close();
      forget();
    },
    terminated: forget,
  });
  // The next call tries again: a storage that was full may have room by then.
  opening.catch(forget);
  return opening;
}

/** Bring the database to this version. Items of version 1 stay, in the order of their times. */
async function upgrade(base, from, work) {
  const missing = (name) => !base.objectStoreNames.contains(name);
  if (missing(ITEMS)) base.createObjectStore(ITEMS, { keyPath: "key" });
  if (missing(SNAPSHOTS)) base.createObjectStore(SNAPSHOTS, { keyPath: "table" });
  if (missing(PARTS)) base.createObjectStore(PARTS, { keyPath: "key" });
  if (from !== 1) return;
  const items = work.objectStore(ITEMS);
  const oldestFirst = (await items.getAll()).sort((a, b) => a.at - b.at);
  for (const [place, item] of oldestFirst.entries()) await items.put({ ...item, place: place + 1 });
}

/** Carry out `act(store)` in one transaction, and return its result. Nothing is changed if `act` throws. */
async function transact(base, name, mode, act) {
  const work = base.transaction(name, mode, { durability: "strict" });
  const acted = (async () => act(work.store))().catch((fault) => {
    abort(work);
    throw fault;
  });
  const [result] = await Promise.all([acted, work.done]);
  return result;
}

function abort(work) {
  try {
    work.abort();
  } catch {
    /* the browser has aborted it */
  }
}

/**
 * Carry out `act(store)` on a store, in one transaction, and return its result. It waits for nothing but the store.
 * @template T
 * @param {string} name
 * @param {"readonly" | "readwrite"} mode
 * @param {(store: any) => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function run(name, mode, act) {
  return transact(await open(), name, mode, act);
}

/**
 * The same where the database may not exist: then nothing is created, and `instead` is returned.
 * @template T
 * @param {string} name
 * @param {"readonly" | "readwrite"} mode
 * @param {(store: any) => Promise<T>} act
 * @param {T} instead
 * @returns {Promise<T>}
 */
export async function runIfThere(name, mode, act, instead) {
  const base = await openDB(NAME, undefined, {
    upgrade: (_base, _from, _to, work) => {
      work.done.catch(() => null);
      work.abort();
    },
    blocking: (_from, _to, event) => /** @type {IDBDatabase} */ (event.target).close(),
  }).catch(() => null);
  if (!base) return instead;
  try {
    return base.objectStoreNames.contains(name) ? await transact(base, name, mode, act) : instead;
  } finally {
    base.close();
  }
}
