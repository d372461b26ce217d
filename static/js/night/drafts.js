// The draft of an entry, in the storage of this tab: it survives a reload, a sign-in, and the pencil in another hand. A
// copy in the storage of the browser, for the same account, survives the tab.
import { kept } from "../browser_storage.js";
import { askBeforeLeaving } from "../leaving.js";
import { account } from "../signed_in.js";

const DAY_MS = 24 * 60 * 60 * 1000;
const COPY = "chratzete.entry";

/** The newest draft of this browser, if it is for this hand and account and not older than a day. */
function copied(table, number) {
  const copy = kept.read(localStorage, COPY);
  const same = copy && copy.user === account() && copy.name === nameOf(table, number) && Date.now() - copy.at < DAY_MS;
  return same ? copy.value : null;
}

const nameOf = (table, number) => `chratzete.draft.${table}.${number}`;

export class Draft {
  constructor(table, number) {
    this.table = table;
    this.own = number;
    // The number of the hand that the draft is for: a lost one is for an earlier hand than the page.
    this.number = number;
  }

  /** True if it belongs to a hand that was stored while another recorder had the pencil. */
  get isLost() {
    return this.number !== this.own;
  }

  /**
   * The draft of this page, {state, key, players, basis, lost}, or null. Else that of an entry that was under way when
   * another recorder took the pencil and stored that hand: it comes back under its own number, so that Save shows both.
   */
  read() {
    const draft = kept.read(sessionStorage, nameOf(this.table, this.own)) ?? copied(this.table, this.own);
    if (draft) return draft;
    for (let number = this.own - 1; number > 0; number--) {
      const older = kept.read(sessionStorage, nameOf(this.table, number));
      if (!older) continue;
      if (!older.lost) return null;
      this.number = number;
      return older;
    }
    return null;
  }

  /**
   * Returns false if the browser keeps no draft (its storage is full or forbidden): then it asks before the page is
   * left.
   */
  write(value) {
    const name = nameOf(this.table, this.number);
    const here = kept.write(sessionStorage, name, value);
    // Another draft's copy stays where this one is cleared.
    const clears = !value && kept.read(localStorage, COPY)?.name !== name;
    const copy = clears || kept.write(localStorage, COPY, value && { name, user: account(), at: Date.now(), value });
    askBeforeLeaving("draft", value !== null && !here && !copy);
    return here || copy;
  }

  forget() {
    this.write(null);
  }

  /** A lost draft was cleared: from now on it is for the hand of the page. */
  drop() {
    this.forget();
    this.number = this.own;
  }
}
