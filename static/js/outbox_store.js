// The outbox in the browser's database: an item is on the disk before it is sent, so that a flat battery loses nothing.
const NAME = "chratzete";
const STORE = "outbox";

let opening = null;
// Items in memory, where the browser stores nothing (its storage is full or forbidden).
const held = new Map();

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
    request.onsuccess = () => {
      request.result.onversionchange = () => { request.result.close(); opening = null; };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  return opening;
}

async function run(mode, act) {
  const base = await open();
  return new Promise((resolve, reject) => {
    const work = base.transaction(STORE, mode, { durability: "strict" });
    const request = act(work.objectStore(STORE));
    work.oncomplete = () => resolve(request.result);
    work.onabort = work.onerror = () => reject(work.error);
  });
}

/** All items, oldest first. */
export async function all() {
  let stored = [];
  try { stored = await run("readonly", (store) => store.getAll()); } catch { /* nothing can be read: the items in memory still count */ }
  return [...stored, ...held.values()].sort((a, b) => a.at - b.at);
}

/** Store an item under its key. Returns true if it outlasts this page. */
export async function put(item) {
  try {
    await run("readwrite", (store) => store.put(item));
    held.delete(item.key);
    return true;
  } catch {
    held.set(item.key, { ...item, lasting: false });
    return false;
  }
}

/** Change fields of an item, if it still exists: an item that was discarded meanwhile is not stored again. */
export async function change(key, fields) {
  if (held.has(key)) held.set(key, { ...held.get(key), ...fields });
  const changed = (store) => {
    const request = store.get(key);
    request.onsuccess = () => { if (request.result) store.put({ ...request.result, ...fields }); };
    return request;
  };
  try { await run("readwrite", changed); } catch { /* it stays as it was, and is sent again */ }
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
    return request;
  };
  try { await run("readwrite", renewed); } catch { /* it stays as it was */ }
}

export async function drop(key) {
  held.delete(key);
  try { await run("readwrite", (store) => store.delete(key)); } catch { /* sent once more, its key gets the same answer */ }
}
