// The table of a page, kept up to date: its newest snapshot, the writes that wait for the server, and the present
// computed from both.
import * as outbox from "../outbox.js";
import { newKey } from "./new_key.js";
import { expectedOf, present, replaced } from "./present.js";
import { keep, newest } from "./snapshots.js";
import { text } from "./texts.js";
import { account } from "../signed_in.js";

/** The items that are sent automatically: their writes are part of the present. */
const GOES_UP = [outbox.WAITING, outbox.SIGN_IN];

/** The night of the page's table, or null on a page without a snapshot. `embedded`: the snapshot of the page. */
export async function openNight(embedded = fromPage()) {
  if (!embedded) return null;
  const night = new Night(embedded);
  if (embedded.table.position > 0 || typeof embedded.table.id === "number") await keep(embedded);
  await night.read();
  night.follow();
  return night;
}

function fromPage() {
  const block = document.querySelector("#night-snapshot");
  return block ? JSON.parse(block.textContent) : null;
}

export class Night {
  constructor(embedded) {
    this.embedded = embedded;
    this.table = String(embedded.table.id);
    this.listeners = new Set();
    // All items of this table and account; `waits`: those before the first refused one are sent automatically and make
    // the present. A hand that a choice left on the phone holds up nothing.
    this.items = [];
    this.waits = [];
    this.refused = null;
    this.now = present(embedded);
    this.ended = () => {};
  }

  /** Read snapshot and items again. */
  async read() {
    const user = account();
    // Items first: the outbox keeps the snapshot of an answer before it removes the item, so none is missing in both.
    const all = await outbox.all();
    const snapshot = await newest(this.table, this.embedded);
    this.items = all.filter(
      (item) => item.write && item.table === this.table && item.user === user && item.write.kind !== "begin",
    );
    // True if this phone has waiting items of other tables: the line about this table does not mention it. The log of a
    // choice is an item of no table, so that nothing holds it up.
    const isHere = (item) =>
      this.items.includes(item) ||
      (String(item.write?.table) === this.table && item.user === user) ||
      (item.table === this.table && item.write?.kind === "begin");
    this.elsewhere = all.some((item) => !isHere(item));
    const open = this.items.filter((item) => !item.kept);
    const halt = open.findIndex((item) => !GOES_UP.includes(item.status));
    this.waits = halt < 0 ? open : open.slice(0, halt);
    this.refused = open[halt] ?? null;
    this.now = present(
      snapshot,
      this.waits.map((item) => item.write),
    );
    return this.now;
  }

  /**
   * Follow the outbox: read again after each change, then call the listeners. The outbox keeps the snapshots of the
   * answers.
   */
  follow() {
    this.ended = outbox.listen(async (outcome) => {
      await this.read();
      for (const listener of [...this.listeners]) listener(outcome);
    });
  }

  /** Call `listener(outcome)` once the present is read again after a change of the outbox. Returns the function that
      ends this. */
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close() {
    this.ended();
    this.listeners.clear();
  }

  /** The result of a waiting write: {write, start, result, seats}; undefined if it is no part of the present. */
  done(key) {
    return this.now.done.find((doneWrite) => doneWrite.write.key === key);
  }

  /** The state before a waiting hand that can be changed: also before the one that cannot be carried out. Else null. */
  startOf(key) {
    const { stuck } = this.now;
    if (stuck?.write.key === key && stuck.write.kind === "hand") return { ...this.now, done: [], stuck: null };
    const done = this.done(key);
    return done?.result ? { ...done.start, done: [], stuck: null } : null;
  }

  /**
   * The key of the waiting hand that cannot be carried out, and that the next hand with this number replaces; or null.
   */
  get replaceable() {
    const { stuck, number } = this.now;
    return stuck?.write.kind === "hand" && stuck.write.number === number ? stuck.write.key : null;
  }

  item(key) {
    return this.items.find((item) => item.key === key);
  }

  /**
   * The item that holds up those after it: it is refused, or cannot be carried out on the present. Null if there is
   * none.
   */
  get halt() {
    const { stuck } = this.now;
    return (stuck && this.item(stuck.write.key)) ?? this.refused;
  }

  /** The newest write that waits; only this one can be undone. */
  get last() {
    return this.waits.at(-1) ?? null;
  }

  /** Store a write. `fields`: { title, summary, number } for people. Returns its item. */
  async put(write, fields) {
    const item = outbox.itemOf(write, { url: this.now.snapshot.urls.night, ...fields });
    await outbox.put(item);
    await this.read();
    return item;
  }

  /** Take back the newest write that waits. Returns its result, or null if it is just being sent. */
  async undo() {
    const item = this.last;
    if (!item || outbox.isUnderWay(item.key)) return null;
    const done = this.done(item.key) ?? { write: item.write };
    await outbox.discard(item.key);
    await this.read();
    return done;
  }

  /**
   * Take out a write that was refused, or that cannot be carried out; the hands after it get the number before theirs.
   */
  async drop(key) {
    const open = this.items.filter((item) => !item.kept);
    const left = replaced(
      open.map((item) => item.write),
      key,
      null,
    );
    const changed = left.flatMap((write) => {
      const item = this.item(write.key);
      return write === item.write ? [] : [{ ...item, write, ...numbered(this.now, write.number) }];
    });
    await outbox.exchange(this.counted(changed, present(this.now.snapshot, left)), [key]);
    await this.read();
  }

  /** The items with the results that their hands have in a present. */
  counted(items, { done }) {
    return items.map((item) => {
      const { result } = done.find((doneWrite) => doneWrite.write.key === item.key) ?? {};
      return result ? { ...item, write: { ...item.write, expected: expectedOf(result) } } : item;
    });
  }

  /**
   * The result of replacing the write of a waiting hand by another one; one that could not be carried out gets the
   * number and the players of the table there. Returns { key, write, after (a present), later: [{number, before,
   * after}] }; `later` are the hands after it with another result, with the old and the new one; `after.stuck` is the
   * first write that cannot be carried out any more.
   */
  changed(key, { record, expected }) {
    const { write } = this.item(key);
    const { number, seats } = this.startOf(key);
    const next = { ...write, number, players: seats.map((seat) => seat.player), record, expected };
    const after = present(
      this.now.snapshot,
      replaced(
        this.waits.map((item) => item.write),
        key,
        next,
      ),
    );
    const later = this.now.done.flatMap((doneWrite) => {
      const again = after.done.find((other) => other.write.key === doneWrite.write.key);
      if (!doneWrite.result || doneWrite.write.key === key || same(doneWrite.result, again?.result)) return [];
      return [{ number: doneWrite.write.number, before: doneWrite, after: again ?? null }];
    });
    return { key, write: next, after, later };
  }

  /** Store a change of a waiting hand: it gets a new key; the later ones get their new results. */
  async store({ key, write, after }, fields) {
    const changed = { ...this.item(key), ...fields, key: null, status: outbox.WAITING, why: "" };
    changed.key = newKey();
    changed.write = { ...write, key: changed.key };
    const later = after.done
      .filter((doneWrite) => doneWrite.result && doneWrite.write.key !== key)
      .map((doneWrite) => this.item(doneWrite.write.key))
      .filter(Boolean);
    await outbox.exchange([changed, ...this.counted(later, after)], [key]);
    await this.read();
    return changed;
  }
}

/** The fields of the item of a hand that gets another number. */
function numbered({ snapshot }, number) {
  const { club, table } = snapshot;
  return { number, title: text("screen.title", { club: club.name, table: table.number, number }) };
}

function same(result, other) {
  return (
    other && result.pot_after === other.pot_after && result.deltas.every((delta, seat) => delta === other.deltas[seat])
  );
}
