// The browser's database: the items of the outbox, and the snapshots of tables. An item is on the disk before it is
// sent, so that a flat battery loses nothing. Items have a place (a whole number that only rises): the order in which
// they were saved. The phone's clock may be set back in the night.
import { ITEMS, PARTS, run } from "./database.js";

// The changes that the browser did not store (its storage is full or forbidden), by key: the item, or null where one
// was removed. They are stored with the next change for which there is room. An item that is nowhere else has {
// lasting: false }.
const held = new Map();
// One change at a time: the next one begins with what became of this one.
let working = Promise.resolve();

const inOrder = (items) => items.sort((a, b) => a.place - b.place || a.at - b.at);

/** Return true if an item is in the memory of this page only. */
export const onlyHere = (item) => item?.lasting === false;

/** Return true if items are in the memory of this page only, or the one with this key. */
export function holds(key = null) {
  return key === null ? [...held.values()].some(onlyHere) : onlyHere(held.get(key));
}

/** The stored items with the changes that are in memory only. An item that another tab has removed stays removed. */
function overlaid(stored) {
  const byKey = new Map(stored.map((item) => [item.key, item]));
  for (const [key, item] of held) {
    if (!item) byKey.delete(key);
    else if (onlyHere(item) || byKey.has(key)) byKey.set(key, item);
  }
  return inOrder([...byKey.values()]);
}

/** All items, oldest first. */
export async function all() {
  let stored = [];
  try {
    stored = await run(ITEMS, "readonly", (store) => store.getAll());
  } catch {
    /* nothing can be read: the items in memory still count */
  }
  return overlaid(stored);
}

/**
 * Carry out `next(items)`, [[key, item, or null to remove it], …], in one transaction, with the changes that are in
 * memory only. Returns false if the browser does not store it: then all of it is in memory.
 */
function carryOut(next) {
  const done = working.then(() => attempt(next));
  working = done.catch(() => null);
  return done;
}

async function attempt(next) {
  const write = async (store) => {
    const stored = await store.getAll();
    const there = new Set(stored.map((item) => item.key));
    const open = [...held].filter(([key, item]) => !item || onlyHere(item) || there.has(key));
    const changes = new Map([...open, ...next(overlaid(stored))]);
    await Promise.all([...changes].map(([key, item]) => (item ? store.put(asStored(item)) : store.delete(key))));
  };
  try {
    await run(ITEMS, "readwrite", write);
    held.clear();
    return true;
  } catch {
    const items = await all();
    for (const [key, item] of next(items))
      hold(
        key,
        item,
        items.find((candidate) => candidate.key === key),
      );
    return false;
  }
}

/** Keep a change in memory. `before`: the item as it was; one that is stored stays so, with what it had then. */
function hold(key, item, before) {
  if (item) held.set(key, before && !onlyHere(before) ? asStored(item) : { ...item, lasting: false });
  else if (onlyHere(before)) held.delete(key);
  else held.set(key, null);
}

const asStored = ({ lasting: _, ...item }) => item;

/** Try again to store what is in memory only. Returns true if nothing is any more. */
export async function retry() {
  return held.size === 0 || carryOut(() => []);
}

/** Return true if the browser stores something now. Nothing of it stays. */
export async function works() {
  const write = async (store) => {
    await store.put({ key: "works", user: "", at: Date.now() });
    await store.delete("works");
  };
  try {
    await run(PARTS, "readwrite", write);
  } catch {
    return false;
  }
  return true;
}

/** The place after all items, or that of the first of the items that `item` replaces. */
function placeOf(item, items, replaced) {
  const before = items.find((other) => other.key === item.key)?.place;
  if (before) return before;
  const first = items.filter((other) => replaced.includes(other.key)).map((other) => other.place);
  return first.length > 0 ? Math.min(...first) : Math.max(0, ...items.map((other) => other.place)) + 1;
}

/**
 * Store items under their keys, after those that are there, in one transaction. `replaced`: keys of items that the
 * first of them replaces; they are removed. An item that is there already keeps its place. Returns true if they
 * outlast this page.
 */
export async function put(added, replaced = []) {
  return carryOut((items) => {
    const all = [...items];
    const placed = added.map((item) => {
      const entry = { ...item, place: placeOf(item, all, replaced) };
      all.push(entry);
      return [entry.key, entry];
    });
    const removed = replaced.filter((key) => !added.some((item) => item.key === key));
    return [...placed, ...removed.map((key) => [key, null])];
  });
}

/** Change fields of an item, if it still exists: an item that was discarded meanwhile is not stored again. */
export async function change(key, fields) {
  return update((item) => (item.key === key ? { ...item, ...fields } : item));
}

/** Replace each item by the result of `next`, null to remove it, in one transaction. The same object is not written. */
export async function update(next) {
  return carryOut((items) =>
    items.map((item) => [item.key, next(item), item]).filter(([, after, before]) => after !== before),
  );
}

/**
 * Give an item another key and other fields in one transaction: it is never missing, and never there twice. Returns
 * true if it outlasts this page.
 */
export async function renew(key, fields) {
  return carryOut((items) => {
    const item = items.find((candidate) => candidate.key === key);
    return item
      ? [
          [fields.key, { ...item, ...fields }],
          [key, null],
        ]
      : [];
  });
}

export async function drop(key) {
  return carryOut(() => [[key, null]]);
}
