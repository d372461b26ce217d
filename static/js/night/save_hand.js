// Saving the hand of the table screen: as a write through the outbox, and its answer. `entry` is an Entry of
// table_entry.js.
import { contentOf } from "../dom.js";
import { mayGoOn } from "../only_here.js";
import * as outbox from "../outbox.js";
import { refusalOf } from "./entry_problems.js";
import { handItem } from "./hand_item.js";
import { hint } from "./hints.js";
import { offline } from "./network.js";

// After this time without an answer the hand waits, and the recorder goes on.
const SLOW_MS = 2500;

/**
 * What the table does with a hand that is saved. `onward(item, status)`: a saved hand has no answer; true if it is
 * shown elsewhere. `isPresent(key)`: true if a waiting hand is part of the present, false behind a write that holds it
 * up. `instead(item)`: the entry changes a hand that waits already; null if it does not.
 * @typedef {{
 *   onward: (item: any, status: string) => boolean,
 *   isPresent: (key: string) => boolean,
 *   instead: ((item: any) => void) | null,
 * }} Table
 */

/** @type {Table} */
export const NO_TABLE = { onward: () => false, isPresent: () => false, instead: null };

export class Saving {
  /**
   * `show(page)` shows a page that came as an answer to a form of an older version of this page.
   * @param {any} entry
   * @param {(outcome: any) => void} show
   * @param {Table} table
   */
  constructor(entry, show, table = NO_TABLE) {
    this.entry = entry;
    this.show = show;
    this.table = table;
    // The saved hand that has no answer yet; `tapped`: a person tapped Save and waits for the answer.
    this.item = null;
    this.tapped = false;
    this.sending = false;
    // The sentence that says why the hand waits: its element, and the reasons.
    this.waits = null;
  }

  /** True while the entry cannot be changed. */
  get isBusy() {
    return this.sending || this.item !== null;
  }

  /** Store the hand on this device, then send it. A second tap does nothing while the first is under way. */
  async send() {
    const { entry } = this;
    if (!entry.ready()) return;
    if (this.table.instead) {
      this.table.instead(handItem(entry));
      return;
    }
    this.sending = true;
    const goes = this.item !== null || (await mayGoOn());
    this.sending = false;
    // The present may have moved on while a person was asked.
    if (!goes || entry.life.signal.aborted || !entry.ready()) return;
    this.tapped = true;
    this.sending = true;
    entry.save.setAttribute("aria-disabled", "true");
    entry.save.textContent = entry.data.saySending;
    entry.keep();
    const again = this.item !== null;
    this.item ??= handItem(entry);
    const { item } = this;
    if (!again) await outbox.put(item);
    const slow = setTimeout(
      () => {
        if (this.item === item) this.hold(outbox.WAITING);
      },
      offline() ? 0 : SLOW_MS,
    );
    let outcome;
    try {
      outcome = await outbox.send(item, again ? null : entry.token);
    } finally {
      clearTimeout(slow);
    }
    // Discarded before it was shown that it waits.
    if (outcome.kind === outbox.GONE && this.item === item && !entry.life.signal.aborted) window.location.reload();
  }

  /**
   * Show a hand of this page that was saved on this device before. `asked`: the key of a refused one whose reason is
   * asked for. A write that is no part of the present is shown by the line about waiting writes alone.
   */
  async recall(asked = "") {
    const items = await outbox.all();
    const isShown = ({ key, write }) => !write || this.table.isPresent(key);
    const mine =
      items.find((item) => item.write && item.key === asked) ??
      items.find((item) => this.isMine(item) && item.status !== outbox.REFUSED && isShown(item));
    if (!mine || this.isBusy || this.table.instead || this.entry.life.signal.aborted) return;
    if (mine.status === outbox.HELD) {
      this.entry.take(mine);
      return;
    }
    this.item = mine;
    this.entry.take(mine);
    // It may have been stored since.
    if (mine.key === asked) await this.sendAgain();
    else this.hold(mine.status);
  }

  async sendAgain() {
    this.sending = true;
    this.entry.save.setAttribute("aria-disabled", "true");
    this.entry.save.textContent = this.entry.data.saySending;
    await outbox.send(this.item);
  }

  isMine(item) {
    return item.table === this.entry.data.table && item.number === this.entry.draft.number;
  }

  async heard(outcome) {
    if (!outcome) {
      // Stored on this device by now, perhaps.
      if (this.item && !this.sending) this.explain();
      // A person discarded it, perhaps in another tab.
      const gone = this.item && !this.sending && !(await outbox.all()).some((item) => item.key === this.item?.key);
      if (gone) window.location.reload();
    } else if (this.item?.key === outcome.item.key) await this.answered(outcome);
    // Sent before this page found it, or by another tab; an entry made here meanwhile is another hand.
    else if (outcome.kind === outbox.STORED && this.isMine(outcome.item) && this.entry.isUntouched)
      window.location.reload();
  }

  async answered(outcome) {
    const { entry } = this;
    if (outcome.kind === outbox.STORED) {
      entry.draft.forget();
      window.location.assign(outcome.url);
    } else if (outcome.kind === outbox.REFUSED && outcome.answer) await this.refused(outcome.item, outcome.answer);
    else if (outcome.kind === outbox.REFUSED) {
      entry.draft.forget();
      entry.life.abort();
      this.show(outcome);
    } else if (outcome.kind === outbox.SIGN_IN && this.tapped && !outbox.holds()) window.location.assign(outcome.url);
    else this.hold(outcome.kind);
  }

  /**
   * The hand is refused: it moves to the new seats of its players, or both stories are shown, or the reason; the entry
   * stays.
   */
  async refused(item, { refused, stories }) {
    const { entry } = this;
    const alone = (await outbox.all()).every((other) => other.key === item.key || other.table !== item.table);
    const draft = { state: item.state, key: item.key, players: item.players, basis: "", lost: false };
    if (refused.code === "seating" && alone && item.state && entry.draft.write(draft)) {
      // The page comes again with the new seats, and the entry as a draft.
      this.item = null;
      await outbox.discard(item.key);
      window.location.reload();
    } else if (stories) {
      entry.draft.forget();
      window.location.assign(stories);
    } else {
      this.release();
      entry.refuse(refusalOf(refused, item.write.record));
    }
  }

  /** The hand is an entry again, with a new key. */
  release() {
    const { entry } = this;
    this.item = null;
    this.sending = false;
    entry.form.elements.key.value = outbox.newKey();
    entry.form.classList.remove("waits");
    entry.save.textContent = entry.saveLabel;
    entry.keep();
  }

  /** No answer yet: the hand waits. */
  hold(status) {
    this.sending = false;
    this.tapped = false;
    if (!this.item.write || !this.table.onward(this.item, status)) this.wait(status);
  }

  /** The form shows the hand that waits, and the reason: `why`, or that there is no answer or sign-in. */
  wait(status, why = "") {
    const { entry } = this;
    const away = status === outbox.SIGN_IN;
    entry.form.classList.add("waits");
    entry.preview.replaceChildren(hint(""));
    this.waits = { said: entry.preview.querySelector("p"), away, why };
    this.explain();
    entry.preview.firstElementChild.append(contentOf("#waits-for"));
    entry.save.textContent = away ? entry.data.labelSignIn : entry.data.labelSendNow;
    entry.save.setAttribute("aria-disabled", "false");
  }

  /** Say again why the hand waits: it may be in the memory of this page only. */
  explain() {
    if (!this.waits) return;
    const { said, away, why } = this.waits;
    const { data } = this.entry;
    const { whyNotKept, whyNotKeptSignIn } = document.querySelector("#outbox").dataset;
    const here = outbox.holds(this.item?.key ?? "");
    said.classList.toggle("loss", here);
    if (here) said.textContent = away ? whyNotKeptSignIn : whyNotKept;
    else said.textContent = away ? data.saySignIn : why || data.sayOffline;
  }

  /**
   * Take a waiting hand back to change it. If it was stored after all, the changed one is refused and both are shown.
   */
  async reopen() {
    const { item } = this;
    if (!item || outbox.sending()) return;
    this.item = null;
    await outbox.discard(item.key);
    this.release();
    this.entry.ask();
  }
}
