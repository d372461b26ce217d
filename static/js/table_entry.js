// The entry of a hand: taps and keys change the state (hand_state.js), the state fills rows, form and bar. The rules on
// the phone give the preview (night/preview.js); the server decides.
import { kept } from "./browser_storage.js";
import { closest } from "./dom.js";
import { entryOfGame } from "./entry/games.js";
import { showEntry } from "./entry_rows.js";
import { seatOf, tapped } from "./entry_taps.js";
import { actionOf } from "./hand_keys.js";
import * as hand from "./hand_state.js";
import { Draft } from "./night/drafts.js";
import { DueNumber } from "./night/due_number.js";
import { entryOf } from "./night/entry_from_hand.js";
import { lackingHint } from "./night/hints.js";
import { recordOf } from "./night/present.js";
import { previewOf, refusal } from "./night/preview.js";
import { tallyOf } from "./night/tally.js";
import * as outbox from "./outbox.js";

// Refusals of the preview that may be sent all the same: the answer shows both hands, or the entry on the new seats.
const SENDABLE = ["compare", "seats"];

export class Entry {
  /**
   * `now`: the present state of the table (night/present.js); `asked`: the key of a refused hand whose reason is asked
   * for; `saving(entry)`: makes what saves the hand (night/save_hand.js).
   */
  constructor(form, now, { saving, asked = "" }) {
    this.form = form;
    this.data = form.dataset;
    this.at = now;
    this.preview = form.querySelector("#preview");
    this.save = form.querySelector("[data-save]");
    this.saveLabel = this.save.textContent;
    this.rows = [...form.querySelectorAll("[data-seat]")];
    this.draft = new Draft(this.data.table, Number(this.data.number));
    // A person who counts tricks although the club does not (or the other way round) sets that on their own phone.
    this.countKey = `chratzete.count.${this.data.club}`;
    this.first = this.preview.firstElementChild?.cloneNode(true) ?? null;
    this.touched = null;
    this.due = new DueNumber(this.data);
    const refused = this.preview.querySelector("[data-refused]");
    this.refused = refused !== null && !SENDABLE.includes(refused.dataset.refused);
    // The notice that the entry was moved to other seats than it was begun on.
    this.notice = form.querySelector("#changed");
    this.changed = refused?.dataset.refused === "seats" ? refused.querySelector("p").textContent : "";
    this.saving = saving(this);
    // Another recorder holds the pencil.
    this.lost = this.othersWrite;
    this.life = new AbortController();
    this.state = this.begin();
    this.listen();
    this.render();
    if (this.changed) this.showNotice();
    // A refused page already shows the reason; any other entry gets a new preview.
    if (!this.refused) this.ask();
    this.saving.recall(asked);
    // first_paint.js repeats the taps that came before.
    document.dispatchEvent(new Event("hand-heard"));
  }

  begin() {
    const start = hand.emptyFor(this.data, this.rows.length);
    const draft = this.draft.read();
    if (draft) return this.fromDraft(start, draft);
    if ("filled" in this.data) return hand.fromFields(start, hand.fieldsOf(this.form, this.rows.length));
    const begun = entryOfGame(start.game).alwaysCounts
      ? start
      : hand.setCounting(start, kept.read(localStorage, this.countKey) ?? "counts" in this.data);
    return "declared" in this.data ? hand.begin(begun, this.data.declared) : begun;
  }

  /** Return true if another recorder holds the pencil: then nothing can be saved here. */
  get othersWrite() {
    return document.querySelector("#pencil[data-lost]") !== null;
  }

  /** The pencil was taken or came back. */
  pencilChanged() {
    if (this.othersWrite === this.lost) return;
    this.lost = this.othersWrite;
    this.keep();
    this.render();
  }

  /**
   * A draft on the present seats. If seats, dealer or pot changed since, a notice is shown and the draft gets a new
   * key.
   */
  fromDraft(start, { state, key, players, basis }) {
    const { form, data } = this;
    form.elements.number.value = this.draft.number;
    if (players !== form.elements.players.value) this.changed = data.saySeats;
    else if (basis !== data.basis && !this.draft.isLost) this.changed = data.sayPot;
    // The key belongs to the entry: a save that was cut off is sent again as the same request.
    else form.elements.key.value = key;
    return hand.carry(start, state, players.split(","), form.elements.players.value.split(","));
  }

  showNotice() {
    this.notice.querySelector("p").textContent = this.changed;
    this.notice.hidden = false;
    this.keep();
  }

  seen() {
    if (this.notice) this.notice.hidden = true;
  }

  /** Seats or pot changed: load the page again, and put the entry into it. */
  reload() {
    if (this.saving.isBusy) return;
    this.keep();
    window.location.reload();
  }

  change(next) {
    if (next === this.state || this.saving.isBusy) return;
    if (this.draft.isLost && hand.untouched(next)) this.dropLost();
    this.seen();
    this.state = next;
    this.keep();
    this.ask();
  }

  /** A lost draft was cleared: the form is for the next hand. */
  dropLost() {
    this.draft.drop();
    this.form.elements.number.value = this.data.number;
  }

  keep() {
    const { key, players } = this.form.elements;
    const { state, lost } = this;
    this.draft.write(
      hand.untouched(state) ? null : { state, key: key.value, players: players.value, basis: this.data.basis, lost },
    );
  }

  /** Show the preview of the entry, or its missing parts. */
  ask() {
    if (this.saving.isBusy) return;
    const lacking = hand.missing(this.state);
    const problem = lacking === null ? this.count() : null;
    if (lacking !== null) this.preview.replaceChildren(lackingHint(this.state, lacking, this.data, this.first));
    this.refused = problem !== null && !SENDABLE.includes(problem.kind);
    this.render();
    this.mark(problem?.rows ?? []);
  }

  /** Show the reason of the server's refusal. */
  refuse(problem) {
    this.preview.replaceChildren(refusal(problem));
    this.refused = true;
    this.render();
    this.mark(problem.rows);
  }

  /** Show the result of the entry by the rules on the phone. Returns the reason why it cannot be saved, or null. */
  count() {
    const problem = this.due.problemOf(this.draft.number);
    this.counted = previewOf(recordOf(this.at, tallyOf(this.state)), this.view);
    this.preview.replaceChildren(problem ? refusal(problem) : this.counted.box);
    return problem ?? this.counted.problem;
  }

  /** The present has this next hand by now, and the entry is for an older one; `stored`: the number of stored hands. */
  movedOn(number, stored) {
    this.due.movedOn(number, stored);
    this.ask();
  }

  get view() {
    const { seats, lastHand, handsLeft } = this.at;
    return { names: seats.map((seat) => seat.name), last: lastHand || handsLeft === 1, rules: this.data.rules ?? "" };
  }

  mark(seats) {
    for (const row of this.rows) row.classList.toggle("marked", seats.includes(Number(row.dataset.seat)));
  }

  render() {
    this.form.toggleAttribute("data-entered", !hand.untouched(this.state));
    showEntry(this);
    this.save.setAttribute("aria-disabled", String(!this.ready()));
  }

  /** Return true if Save can be tapped. */
  ready() {
    if (this.saving.isBusy) return !this.saving.sending;
    return !this.othersWrite && !this.refused && hand.missing(this.state) === null;
  }

  listen() {
    const options = { signal: this.life.signal };
    this.form.toggleAttribute("data-heard", true);
    this.form.addEventListener("click", (event) => this.clicked(event), options);
    this.form.addEventListener(
      "submit",
      (event) => {
        event.preventDefault();
        this.saving.send();
      },
      options,
    );
    document.addEventListener("keydown", (event) => this.pressed(event), options);
    options.signal.addEventListener(
      "abort",
      outbox.listen((outcome) => this.saving.heard(outcome)),
    );
    const on = (name, act) => this.form.addEventListener(name, act, options);
    on("table-changed", () => this.reload());
    on("hand-changed", () => {
      this.due.polled();
      this.ask();
    });
    on("pencil-changed", () => this.pencilChanged());
  }

  clicked(event) {
    const button = closest(event, "button");
    if (!button || button === this.save) return;
    if ("seen" in button.dataset) this.seen();
    if ("change" in button.dataset) this.saving.reopen();
    if (this.saving.isBusy) return;
    const seat = seatOf(button);
    if (seat !== null) this.touched = seat;
    if ("counting" in button.dataset) this.toggleCounting();
    else this.change(tapped(this.state, button, seat) ?? this.state);
  }

  toggleCounting() {
    const next = hand.setCounting(this.state, !this.state.counting);
    kept.write(localStorage, this.countKey, next.counting);
    this.change(next);
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (closest(event, "input, select, textarea") || document.querySelector(":popover-open")) return;
    const action = actionOf(this, event.key);
    if (!action || (event.key === "Enter" && closest(event, "button, a, summary"))) return;
    event.preventDefault();
    action();
  }

  get isUntouched() {
    return hand.untouched(this.state);
  }

  get token() {
    return this.form.elements.csrfmiddlewaretoken.value;
  }

  /**
   * Fill the form with a hand that was saved on this device before. One that waited for the pencil is as if it had just
   * been tapped.
   */
  take({
    write,
    key,
    status,
    user,
    state = write ? entryOf(this.at, write.record) : null,
    players = write?.players.join(","),
  }) {
    const { form, data } = this;
    const held = status === outbox.HELD;
    if (!state || (held && (user !== data.user || !this.isUntouched))) return;
    this.state = hand.carry(this.state, state, players.split(","), form.elements.players.value.split(","));
    if (held && players === form.elements.players.value) form.elements.key.value = key;
    if (held) this.ask();
    else this.render();
  }
}
