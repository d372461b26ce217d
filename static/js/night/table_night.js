// The table screen while the night goes on in place: the saved screen, the next hand, undo and change of hands that
// wait.
import { closest, contentOf, element, fieldsOf } from "../dom.js";
import { entryOfGame } from "../entry/games.js";
import { begin } from "../hand_state.js";
import { kept } from "../browser_storage.js";
import { gain } from "../money.js";
import { mayGoOn } from "../only_here.js";
import * as outbox from "../outbox.js";
import { Draft } from "./drafts.js";
import { emptyEntry, entryOf } from "./entry_from_hand.js";
import { newKey } from "./new_key.js";
import * as network from "./network.js";
import { tell } from "./no_effect.js";
import { fillSaved } from "./saved_screen.js";
import { basisOf, fill } from "./screen.js";
import { seatsSheet } from "./seating_sheet.js";
import { carried } from "./stories_hands.js";
import { text, withoutCurrency } from "./texts.js";
import { nameOf, WaitingLine } from "./waiting_line.js";

// The player who was tapped as declarer on the saved page of the server, or "nobody": a page that the phone kept
// lacks it.
const DECLARES = new URLSearchParams(window.location.search).get("declares");

export class TableNight {
  /**
   * `night`: followed_table.js; `begin(form, now, table)`: makes the entry of the form (table_entry.js); `table`:
   * save_hand.js.
   */
  constructor(night, form, begin) {
    this.night = night;
    this.form = form;
    this.begin = begin;
    this.saved = document.querySelector("#saved");
    this.entry = null;
    // The key of the waiting hand that the form is about, while it is changed.
    this.changes = null;
    // The number of entries that waited when the outbox last changed.
    this.waited = night.items.length;
    this.line = new WaitingLine(night, {
      change: (key) => this.change(key),
      undo: () => this.undo(),
      drop: (key) => this.drop(key),
      cancel: () => this.refill(),
    });
    this.life = new AbortController();
    this.listen();
  }

  listen() {
    const options = { signal: this.life.signal };
    const on = (what, act) =>
      this.saved.addEventListener(
        "click",
        (event) => {
          const tapped = closest(event, what);
          if (tapped) act(tapped);
        },
        options,
      );
    on("[data-next-hand]", () => this.next());
    on("[data-declares-seat]", (chip) => this.next(chip.dataset.declaresSeat));
    on("[data-undo-saved]", () => (this.night.item(this.savedKey) ? this.undo() : this.toServer()));
    on("[data-change-saved]", () => (this.night.done(this.savedKey) ? this.change(this.savedKey) : this.toServer()));
    document.addEventListener("keydown", (event) => this.pressed(event), options);
    document.querySelector("[data-store-change]").addEventListener("click", () => this.storeChange(), options);
    options.signal.addEventListener(
      "abort",
      this.night.listen(() => this.changed()),
    );
    options.signal.addEventListener(
      "abort",
      network.listen(() => this.showLine()),
    );
    seatsSheet({
      now: () => this.night.now,
      put: (write, title) => this.put(write, title),
      halted: () => this.night.halt !== null,
      ...options,
    });
  }

  /** Begin the page: at the present state, which may be ahead of the page. */
  start() {
    const { now } = this.night;
    if (now.snapshot.points_only) withoutCurrency();
    if (this.form.dataset.basis !== basisOf(now)) this.fill(now);
    else this.mark();
    this.declare(now);
    this.enter(now);
    this.line.show();
  }

  /** Let the player whom the page before named declare, where the page does not and nothing was entered. */
  declare(now) {
    const said = DECLARES === "nobody" ? DECLARES : now.seats.findIndex((seat) => String(seat.player) === DECLARES);
    if (said === -1 || now.muss === true || "declared" in this.form.dataset || "filled" in this.form.dataset) return;
    if (!new Draft(this.form.dataset.table, now.number).read())
      this.draft(now, begin(this.counting(emptyEntry(now)), said));
  }

  /** Begin the entry of the form. A hand without an answer leads to the saved screen. */
  enter(now) {
    const replaced = this.changes ?? this.night.replaceable;
    this.entry = this.begin(this.form, now, {
      onward: (item, status) => {
        this.showSaved(item.key, status);
        return true;
      },
      isPresent: (key) => this.night.done(key) !== undefined,
      instead: replaced === null ? null : (item) => this.saveChange(replaced, item),
    });
  }

  /** While hands wait, the server's number of the next hand is older than this page. */
  mark() {
    this.form.toggleAttribute("data-ahead", this.night.now.done.length > 0 || this.changes !== null);
  }

  close() {
    this.entry?.life.abort();
    this.life.abort();
    this.night.close();
  }

  fill(now) {
    this.entry?.life.abort();
    const done = now.done.findLast((doneWrite) => doneWrite.result);
    const last = done ? (this.night.item(done.write.key)?.summary ?? "") : "";
    fill(this.form, now, last);
    this.mark();
  }

  /**
   * Fill the form for the next hand. `declared`: the seat that declares, or "nobody". The draft of that hand comes
   * back.
   */
  refill(declared = null) {
    this.changes = null;
    this.line.changing = null;
    const { now } = this.night;
    this.fill(now);
    if (declared !== null) this.draft(now, begin(this.counting(emptyEntry(now)), declared));
    this.show(false);
    this.enter(now);
    this.line.show();
  }

  /** The entry counts tricks or marks goals, by the choice of this phone or else of the club. */
  counting(state) {
    if (entryOfGame(state.game).alwaysCounts) return state;
    const own = kept.read(localStorage, `chratzete.count.${this.form.dataset.club}`);
    return { ...state, counting: own ?? "counts" in this.form.dataset };
  }

  /** The entry of a hand that was recorded. */
  again(start, record) {
    const state = entryOf(start, record);
    return record.made || record.tricks ? state : this.counting(state);
  }

  /** Write the draft that the next entry of this hand begins with. */
  draft(now, state) {
    const players = now.seats.map((seat) => seat.player).join(",");
    new Draft(this.form.dataset.table, now.number).write({
      state,
      key: newKey(),
      players,
      basis: basisOf(now),
      lost: false,
    });
  }

  /** The saved screen instead of the form, or the form again. */
  show(saved) {
    document.body.classList.toggle("at-table", !saved);
    document.querySelector("#main").classList.toggle("is-saved", saved);
    this.form.hidden = saved;
    this.saved.hidden = !saved;
    this.line.beside(saved ? this.saved : this.form);
    if (!saved) this.saved.replaceChildren();
    window.scrollTo(0, 0);
  }

  /** A hand is saved and has no answer: show its result. */
  async showSaved(key, status = outbox.WAITING) {
    this.entry?.draft.forget();
    await this.night.read();
    const done = this.night.done(key);
    if (!done) {
      this.showBehind(key, status);
      return;
    }
    this.savedKey = key;
    this.savedNumber = done.write.number;
    this.entry?.life.abort();
    this.changes = null;
    this.line.changing = null;
    this.line.beside(this.form);
    this.saved.replaceChildren(contentOf("#saved-screen"));
    fillSaved(this.saved, {
      done,
      now: this.night.now,
      line: this.night.item(key).summary,
      rules: this.form.dataset.rules ?? "",
    });
    // Only the newest one can be undone.
    this.saved.querySelector("[data-undo-saved]").hidden = this.night.last?.key !== key;
    this.nameSaved();
    this.show(true);
    this.showLine();
    this.saved.querySelector("#saved-title").focus();
  }

  /** The title of the saved screen: it says whether the hand is stored on this phone. */
  nameSaved() {
    const number = this.savedNumber;
    const here = outbox.holds(this.savedKey);
    const title = text(here ? "saved.only-here" : "saved.title", { number });
    for (const head of [this.saved.querySelector("#saved-title"), document.querySelector("[data-saved-head]")]) {
      head.textContent = title;
      head.classList.toggle("loss", here);
    }
    document.title = here ? title : text("saved.page", { club: this.night.now.snapshot.club.name, number });
  }

  /**
   * A saved hand is no part of the present: the form shows it, and what it waits for. Or it was stored after all, or
   * refused.
   */
  showBehind(key, status) {
    const { halt } = this.night;
    const { saving } = this.entry;
    if (!halt || halt.key === key || saving.item?.key !== key || !this.night.item(key)) {
      this.refill();
      return;
    }
    saving.wait(status, text("waiting.behind", { what: nameOf(halt) }));
    this.showLine();
  }

  /** The server has the saved hand by now: its page undoes and corrects it. */
  toServer() {
    const { paid } = this.night.now.snapshot.urls;
    if (paid) window.location.assign(paid.replace(/\/0\/$/, `/${this.savedNumber}/`));
  }

  next(declared = null) {
    this.refill(declared);
    document.querySelector("#main").focus();
  }

  pressed(event) {
    if (
      this.saved.hidden ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.repeat ||
      document.querySelector(":popover-open")
    )
      return;
    if (event.key === "Enter" && !closest(event, "button, a, summary")) this.next();
    const said = event.key === "n" ? "nobody" : /^[1-7]$/.test(event.key) ? Number(event.key) - 1 : -1;
    if (this.saved.querySelector(`[data-sitting]:not([hidden]) [data-declares-seat="${said}"]`)) this.next(said);
  }

  /** Take back the newest write. A hand fills the form again. */
  async undo() {
    const { last } = this.night;
    const done = await this.night.undo();
    if (!done) {
      if (last) this.isUnderWay(last);
      return;
    }
    if (done.result) this.draft(this.night.now, this.again(this.night.now, done.write.record));
    this.refill();
  }

  /** Return true if an item is just being sent, and say so: nothing can be done with it until it has an answer. */
  isUnderWay(item) {
    if (!outbox.isUnderWay(item.key)) return false;
    tell(text("waiting.under-way", { what: nameOf(item) }));
    return true;
  }

  /** Change a waiting hand: the form is as it was before that hand, with its entry. */
  change(key) {
    const start = this.night.startOf(key);
    const item = this.night.item(key);
    if (!start || this.isUnderWay(item)) return;
    this.entry?.keep();
    this.fill(start);
    this.changes = key;
    this.line.changing = start.number;
    this.mark();
    // The one that does not fit may be of other seats.
    const record = this.night.done(key)
      ? item.write.record
      : carried(
          item.write,
          start.seats.map((seat) => seat.player),
        );
    if (record) this.draft(start, this.again(start, record));
    this.show(false);
    this.enter(start);
    this.showLine();
  }

  /** Return true if the hand that is changed still waits. Else say what became of it; the change is kept. */
  async canChange(key) {
    await this.night.read();
    const item = this.night.item(key);
    if (item && this.isUnderWay(item)) return false;
    if (this.night.startOf(key)) return true;
    const number = Number(this.form.dataset.number);
    if (!item && number <= this.night.now.snapshot.table.hands) this.showStored(number);
    // Refused meanwhile, or discarded in another tab: the change is an entry again.
    else {
      this.entry.keep();
      this.refill();
    }
    return false;
  }

  /** The hand that is changed is stored by now: the server's correction begins with the change. */
  showStored(number) {
    const sheet = document.querySelector("#stored-meanwhile");
    const fields = fieldsOf(this.form);
    // The server's fields of that hand, its seats among them, are newer than those of this page.
    for (const name of ["csrfmiddlewaretoken", "key", "number", "players", "pack", "muss"]) fields.delete(name);
    if (!fields.has("mode")) fields.set("mode", "tricks");
    const { paid } = this.night.now.snapshot.urls;
    sheet.querySelector("h2").textContent = text("waiting.stored", { number });
    sheet.querySelector("a").href = `${paid.replace(/\/0\/$/, `/${number}/edit/`)}?${fields}`;
    sheet.showPopover();
    sheet.querySelector("h2").focus();
  }

  /** Save the changed hand (`item` has its new write). If later hands get another result, that is shown first. */
  async saveChange(key, { write, summary, state, number, title, players }) {
    if (!(await this.canChange(key))) return;
    const change = this.night.changed(key, write);
    this.pending = { change, fields: { summary, state, number, title, players } };
    if (change.later.length === 0 && !change.after.stuck) {
      await this.storeChange();
      return;
    }
    const sheet = document.querySelector("#later-hands");
    sheet.querySelector("[data-later]").replaceChildren(...laterLines(change));
    sheet.showPopover();
    sheet.querySelector("h2").focus();
  }

  async storeChange() {
    const { change, fields } = this.pending ?? {};
    if (!change) return;
    this.pending = null;
    document.querySelector("#later-hands").hidePopover();
    if (!(await this.canChange(change.key))) return;
    const item = await this.night.store(change, fields);
    this.showSaved(item.key);
  }

  async drop(key) {
    const item = this.night.item(key);
    if (item && this.isUnderWay(item)) return;
    await this.night.drop(key);
    this.refill();
  }

  /** Store a seating change, and go on with the entry that is under way. */
  async put(write, title) {
    this.entry?.keep();
    if (!(await mayGoOn())) return;
    const item = await this.night.put(write, { title, summary: title });
    this.refill();
    outbox.send(item);
  }

  /** The outbox changed: hands went up, or were refused, or another tab recorded some. */
  changed() {
    this.showLine();
    if (!this.saved.hidden) this.nameSaved();
    this.mark();
    const had = this.waited;
    this.waited = this.night.items.length;
    if (had && !this.waited) this.showTonight();
    if (!this.saved.hidden || this.changes !== null || !this.entry || this.entry.saving.isBusy) return;
    if (this.form.dataset.basis === basisOf(this.night.now)) return;
    // Another recorder stored the hand of the entry: it stays, so that Save shows both. Else it moves along with its
    // players.
    if (this.night.now.number !== Number(this.form.dataset.number) && !this.entry.isUntouched)
      this.entry.movedOn(this.night.now.number, this.night.now.snapshot.table.hands);
    else {
      this.entry.keep();
      this.refill();
    }
  }

  /**
   * All writes are stored: the hands of tonight are shown from the server. They are below the entry, so nothing moves.
   */
  async showTonight() {
    const { table } = this.night.now.snapshot.urls;
    // An evening that has just arrived: its own page opens now.
    if (!table) return;
    try {
      const answer = await fetch(table);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector("#tonight");
      if (answer.ok && fresh && this.night.items.length === 0)
        document.querySelector("#tonight").replaceChildren(...fresh.childNodes);
    } catch {
      /* no network again: the list stays as it is */
    }
  }

  showLine() {
    const entered = this.saved.hidden && this.form.hasAttribute("data-entered");
    this.line.show({ entered });
  }
}

/** The changes of the later hands: the coins before and after, or a notice that the hand does not fit any more. */
function laterLines({ later, after }) {
  const lines = later
    .filter((change) => change.after)
    .map(({ number, before, after: again }) =>
      line(text("screen.hand", { number }), text("waiting.later", { before: sums(before), after: sums(again) })),
    );
  return after.stuck
    ? [...lines, line(nameOf({ write: after.stuck.write, title: "" }), text("waiting.later-stuck"))]
    : lines;
}

function sums(done) {
  const moved = new Map();
  for (const { seat, kind, amount } of done.result.lines)
    if (kind !== "ante") moved.set(seat, (moved.get(seat) ?? 0) + amount);
  const parts = [...moved].map(([seat, amount]) =>
    text("waiting.sum", { name: done.seats[seat].name, amount: gain(amount) }),
  );
  return parts.join(", ") || text("waiting.pot-stays");
}

function line(name, words) {
  return element("li", "", element("b", "", name), element("p", "", words));
}
