/** What is kept in the browser: drafts by hand (this tab), the way of counting by club (this device). */
export const kept = {
  read(store, key) {
    try { return JSON.parse(store.getItem(key)); } catch { return null; }
  },
  write(store, key, value) {
    try { if (value === null) store.removeItem(key); else store.setItem(key, JSON.stringify(value)); } catch { /* storage is full or forbidden: works without */ }
  },
};
