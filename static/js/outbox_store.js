// The browser's database: the items of the outbox, and the snapshots of tables. An item is on the disk before it is sent, so
// that a flat battery loses nothing. Items have a place (a whole number that only rises): the order in which they were saved.
// The phone's clock may be set back in the night.
const NAME = "chratzete";
const VERSION = 2;
export const ITEMS = "outbox";
export const SNAPSHOTS = "snapshots";
export const PARTS = "parts";

let opening = null;
// Items in memory, where the browser stores nothing (its storage is full or forbidden).
const held = new Map();

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = (event) => upgrade(request, event.oldVersion);
    request.onsuccess = () => {
      const forget = () => { opening = null; };
      request.result.onversionchange = () => { request.result.close(); forget(); };
      request.result.onclose = forget;
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  // The next call tries again: a storage that was full may have room by then.
  opening.catch(() => { opening = null; });
  return opening;
}

/** Bring the database to this version. Items of version 1 stay, in the order of their times. */
function upgrade({ result: base, transaction: work }, from) {
  const missing = (name) => !base.objectStoreNames.contains(name);
  if (missing(ITEMS)) base.createObjectStore(ITEMS, { keyPath: "key" });
  if (missing(SNAPSHOTS)) base.createObjectStore(SNAPSHOTS, { keyPath: "table" });
  // Parts of several QR codes, until all of them have been read (night/read_bundle.js).
  if (missing(PARTS)) base.createObjectStore(PARTS, { keyPath: "key" });
  if (from !== 1) return;
  const items = work.objectStore(ITEMS);
  const asked = items.getAll();
  asked.onsuccess = () => asked.result.sort((a, b) => a.at - b.at).forEach((item, place) => items.put({ ...item, place: place + 1 }));
}

/** Run `act(store, transaction)` on a store, in one transaction; the result is that of the request that it returns. */
export async function run(name, mode, act) {
  const base = await open();
  return new Promise((resolve, reject) => {
    const work = base.transaction(name, mode, { durability: "strict" });
    const request = act(work.objectStore(name), work);
    work.oncomplete = () => resolve(request?.result);
    work.onabort = work.onerror = () => reject(work.error ?? new Error("aborted"));
  });
}

const inOrder = (items) => items.sort((a, b) => a.place - b.place || a.at - b.at);

/** All items, oldest first. */
export async function all() {
  let stored = [];
  try { stored = await run(ITEMS, "readonly", (store) => store.getAll()); } catch { /* nothing can be read: the items in memory still count */ }
  return inOrder([...stored.filter((item) => !held.has(item.key)), ...held.values()]);
}

/** The place after all items, or that of the first of the items that `item` replaces. */
function placeOf(item, items, replaced) {
  const before = items.find((other) => other.key === item.key)?.place;
  if (before) return before;
  const first = items.filter((other) => replaced.includes(other.key)).map((other) => other.place);
  return first.length > 0 ? Math.min(...first) : Math.max(0, ...items.map((other) => other.place)) + 1;
}

/** Store items under their keys, after those that are there, in one transaction. `replaced`: keys of items that the first of
    them replaces;  they are removed. An item that is there already keeps its place. Returns true if they outlast this page. */
export async function put(added, replaced = []) {
  const place = (items) => {
    const all = [...items];
    return added.map((item) => {
      const placed = { ...item, place: placeOf(item, all, replaced) };
      all.push(placed);
      return placed;
    });
  };
  const placed = (store) => {
    const asked = store.getAll();
    asked.onsuccess = () => {
      for (const item of place([...asked.result, ...held.values()])) store.put(item);
      for (const key of replaced) if (!added.some((item) => item.key === key)) store.delete(key);
    };
  };
  let lasting = true;
  try { await run(ITEMS, "readwrite", placed); } catch { lasting = false; }
  if (!lasting) for (const item of place(await all())) held.set(item.key, { ...item, lasting });
  for (const { key } of added) if (lasting) held.delete(key);
  for (const key of replaced) if (!added.some((item) => item.key === key)) held.delete(key);
  return lasting;
}

/** Change fields of an item, if it still exists: an item that was discarded meanwhile is not stored again. */
export async function change(key, fields) {
  await update((item) => (item.key === key ? { ...item, ...fields } : item));
}

/** Replace each item by the result of `next`, null to remove it, in one transaction. The same object is not written. */
export async function update(next) {
  for (const [key, item] of [...held]) {
    const after = next(item);
    if (after) held.set(key, after);
    else held.delete(key);
  }
  const updated = (store) => {
    const asked = store.getAll();
    asked.onsuccess = () => {
      for (const item of asked.result) {
        const after = next(item);
        if (!after) store.delete(item.key);
        else if (after !== item) store.put(after);
      }
    };
  };
  try { await run(ITEMS, "readwrite", updated); } catch { /* they stay as they were; sent once more, a key gets the same answer */ }
}

/** Give an item another key and other fields in one transaction: it is never missing, and never there twice. */
export async function renew(key, fields) {
  if (held.has(key)) {
    held.set(fields.key, { ...held.get(key), ...fields });
    held.delete(key);
  }
  const renewed = (store) => {
    const request = store.get(key);
    request.onsuccess = () => {
      if (!request.result) return;
      store.put({ ...request.result, ...fields });
      store.delete(key);
    };
  };
  try { await run(ITEMS, "readwrite", renewed); } catch { /* it stays as it was */ }
}

export async function drop(key) {
  held.delete(key);
  try { await run(ITEMS, "readwrite", (store) => store.delete(key)); } catch { /* sent once more, its key gets the same answer */ }
}
