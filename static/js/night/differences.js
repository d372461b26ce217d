// Hands that the server counts otherwise than the phone did: kept in this browser until the recorder has seen them.
import { kept } from "../browser_storage.js";
import { account } from "../signed_in.js";

const NAME = "chratzete.differences";
const MOST = 50;

const all = () => kept.read(localStorage, NAME) ?? [];

/** Note the difference that the answer to a write names, if it does. */
export function note(item, answer) {
  const { table, number = null, difference = null } = answer?.stored ?? {};
  if (!difference) return;
  const added = {
    key: item.key,
    user: item.user,
    table: String(table),
    number,
    sentence: difference.sentence,
    title: item.title,
  };
  kept.write(localStorage, NAME, [...all().filter((entry) => entry.key !== item.key), added].slice(-MOST));
}

/** Those of a table that this account has not seen yet: [{key, number, sentence, title}]. */
export const differencesOf = (table) => all().filter((entry) => entry.table === table && entry.user === account());

export function seen(key) {
  const left = all().filter((entry) => entry.key !== key);
  kept.write(localStorage, NAME, left.length ? left : null);
}
