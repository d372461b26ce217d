// What waits to be sent, in the browser's own database: on the disk before anything goes out, so that a flat battery loses nothing.
const NAME = "chratzete";
const STORE = "outbox";

let opening = null;
// Where the browser keeps nothing (its storage is full or forbidden), as long as this page lives.
const held = new Map();

function open() {
  opening ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "key" });
    asked.onsuccess = () => {
      asked.result.onversionchange = () => { asked.result.close(); opening = null; };
      resolve(asked.result);
    };
    asked.onerror = () => reject(asked.error);
  });
  return opening;
}

async function run(mode, act) {
  const base = await open();
  return new Promise((resolve, reject) => {
    const work = base.transaction(STORE, mode, { durability: "strict" });
    const asked = act(work.objectStore(STORE));
    work.oncomplete = () => resolve(asked.result);
    work.onabort = work.onerror = () => reject(work.error);
  });
}

/** All that waits, oldest first. */
export async function all() {
  let stored = [];
  try { stored = await run("readonly", (store) => store.getAll()); } catch { /* nothing can be read: what is held still counts */ }
  return [...stored, ...held.values()].sort((a, b) => a.at - b.at);
}

/** Keep an item under its key. Whether it outlasts this page. */
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

/** Change something of an item, if it is still there: what a person has thrown away meanwhile stays away. */
export async function change(key, fields) {
  if (held.has(key)) held.set(key, { ...held.get(key), ...fields });
  const changed = (store) => {
    const asked = store.get(key);
    asked.onsuccess = () => { if (asked.result) store.put({ ...asked.result, ...fields }); };
    return asked;
  };
  try { await run("readwrite", changed); } catch { /* it stays as it was, and is asked about again */ }
}

/** Give an item another key and other fields in one step: it is never away, and never there twice. */
export async function renew(key, fields) {
  if (held.has(key)) {
    held.set(fields.key, { ...held.get(key), ...fields });
    held.delete(key);
  }
  const renewed = (store) => {
    const asked = store.get(key);
    asked.onsuccess = () => {
      if (!asked.result) return;
      store.put({ ...asked.result, ...fields });
      store.delete(key);
    };
    return asked;
  };
  try { await run("readwrite", renewed); } catch { /* it stays as it was */ }
}

export async function drop(key) {
  held.delete(key);
  try { await run("readwrite", (store) => store.delete(key)); } catch { /* sent once more, its key gets the same answer */ }
}
