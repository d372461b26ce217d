/** Values in the storage of the browser: drafts of hands (this tab), the way of counting by club (this device). */
export const kept = {
  read(store, key) {
    try {
      return JSON.parse(store.getItem(key));
    } catch {
      return null;
    }
  },
  /** Returns false if the storage is full or forbidden: the value is not kept. */
  write(store, key, value) {
    try {
      if (value === null) store.removeItem(key);
      else store.setItem(key, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
};
