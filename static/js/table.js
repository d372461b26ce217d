// The table screen: taps and keys change the state (hand_state.js), the state fills rows, form and bar. The server decides.
import * as hand from "./hand_state.js";
import { showEntry, tag } from "./entry_rows.js";
import { actionOf } from "./hand_keys.js";
import { kept } from "./kept.js";
import * as outbox from "./outbox.js";
import { look, settle, showAgain } from "./refused.js";

const DIM_MS = 100;
const SLOW_MS = 2500;
// Refusals of the preview that may be sent all the same: the answer shows both hands, or the entry on the new seats.
const SENDABLE = ["compare", "seats"];

export class Entry {
  constructor(form) {
    this.form = form;
    this.data = form.dataset;
    this.preview = form.querySelector("#preview");
    this.save = form.querySelector("[data-save]");
    this.saveLabel = this.save.textContent;
    this.rows = [...form.querySelectorAll("[data-seat]")];
    this.ownKey = `chratzete.draft.${this.data.table}.${this.data.number}`;
    this.draftKey = this.ownKey;
    // A person who counts tricks although the club does not (or the other way round) sets that on their own phone.
    this.countKey = `chratzete.count.${this.data.club}`;
    this.first = this.preview.firstElementChild?.cloneNode(true) ?? null;
    this.touched = null;
    const refused = this.preview.querySelector("[data-refused]");
    this.refused = refused !== null && !SENDABLE.includes(refused.dataset.refused);
    // The notice that the entry was moved to other seats than it was begun on.
    this.notice = form.querySelector("#changed");
    this.changed = refused?.dataset.refused === "seats" ? refused.querySelector("p").textContent : "";
    this.sending = false;
    // The saved hand that has no answer yet; `tapped`: a person tapped Save and waits for the answer.
    this.waiting = null;
    this.tapped = false;
    // `known`: the preview belongs to the present entry; `accepted`: it can be saved.
    this.known = false;
    this.accepted = this.preview.querySelector("[data-accepted]") !== null;
    this.eager = false;
    // Somebody else holds the pencil.
    this.lost = this.othersWrite;
    this.life = new AbortController();
    this.state = this.begin();
    this.listen();
    this.render();
    if (this.changed) this.showNotice();
    // htmx processes forms only after this module has run, so it is called here.
    window.htmx?.process(form);
    // A refused page already shows the reason; any other entry gets a new preview.
    if (!this.refused) this.ask();
    this.recall();
  }

  begin() {
    const { game, sevens } = this.data;
    const start = hand.empty({ seats: this.rows.length, dealer: Number(this.data.dealer), blinds: this.data.blinds, game, sevens, muss: "muss" in this.data });
    const draft = kept.read(sessionStorage, this.draftKey) ?? this.lostDraft();
    if (draft) return this.fromDraft(start, draft);
    if ("filled" in this.data) return hand.fromFields(start, hand.fieldsOf(this.form, this.rows.length));
    const begun = game === "kratzen" ? start : hand.setCounting(start, kept.read(localStorage, this.countKey) ?? "counts" in this.data);
    return "declared" in this.data ? hand.tap(begun, Number(this.data.declared)) : begun;
  }

  /**
   * The draft of an entry that was under way when somebody else took the pencil and stored that hand. It comes back under its own number, so
   * that Save shows both.
   */
  lostDraft() {
    for (let number = Number(this.data.number) - 1; number > 0; number--) {
      const key = `chratzete.draft.${this.data.table}.${number}`;
      const draft = kept.read(sessionStorage, key);
      if (!draft) continue;
      if (!draft.lost) return null;
      this.draftKey = key;
      this.form.elements.number.value = number;
      return draft;
    }
    return null;
  }

  /** A lost draft was cleared: the form is for the next hand. */
  dropLost() {
    this.forget();
    this.draftKey = this.ownKey;
    this.form.elements.number.value = this.data.number;
  }

  /** Return true if somebody else holds the pencil: then nothing can be saved here. */
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

  /** A draft on the present seats. If seats, dealer or pot changed since, a notice is shown and the draft gets a new key. */
  fromDraft(start, { state, key, players, basis }) {
    const { form, data } = this;
    if (players !== form.elements.players.value) this.changed = data.saySeats;
    else if (basis !== data.basis && form.elements.number.value === data.number) this.changed = data.sayPot;
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
    if (this.waiting || this.sending) return;
    this.keep();
    window.location.reload();
  }

  change(next) {
    if (next === this.state || this.waiting) return;
    if (this.draftKey !== this.ownKey && hand.untouched(next)) this.dropLost();
    this.seen();
    this.state = next;
    this.refused = false;
    this.known = false;
    this.eager = false;
    this.keep();
    this.render();
    this.ask();
  }

  keep() {
    const { key, players } = this.form.elements;
    const draft = hand.untouched(this.state) ? null : { state: this.state, key: key.value, players: players.value, basis: this.data.basis, lost: this.lost };
    kept.write(sessionStorage, this.draftKey, draft);
  }

  forget() {
    kept.write(sessionStorage, this.draftKey, null);
  }

  /** Request the preview, or show what is still missing. */
  ask() {
    const { state } = this;
    window.htmx?.trigger(this.form, "htmx:abort");
    const lacking = hand.missing(this.state);
    if (lacking === null) {
      this.form.dispatchEvent(new Event("hand-changed"));
      return;
    }
    this.quiet();
    this.accepted = false;
    if (lacking === "cut") this.say(this.data.sayCutOpen);
    else if (lacking === "tricks" && state.counts.length === 0 && hand.allPlay(state) && !state.muss) this.say(this.data.sayEach);
    else if (lacking === "tricks" && state.counts.length === 0 && state.muss && this.first?.matches(".first")) this.preview.replaceChildren(this.first.cloneNode(true));
    else if (lacking === "declarer" && this.first?.matches(".first")) this.preview.replaceChildren(this.first.cloneNode(true));
    else if (lacking === "declarer") this.say(this.data.sayDeclarer);
    else {
      const left = hand.tricksLeft(this.state);
      this.say(left === 1 ? this.data.sayTrick : this.data.sayTricks.replace("{n}", String(left)));
    }
  }

  say(sentence, kind = "first") {
    const box = document.createElement("div");
    box.className = kind;
    const text = document.createElement("p");
    text.className = "say";
    text.textContent = sentence;
    box.append(text);
    this.preview.replaceChildren(box);
  }

  quiet() {
    clearTimeout(this.dimming);
    clearTimeout(this.slow);
    this.preview.removeAttribute("aria-busy");
  }

  render() {
    this.form.toggleAttribute("data-entered", !hand.untouched(this.state));
    showEntry(this);
    this.save.setAttribute("aria-disabled", String(!this.ready()));
  }

  /** Return true if Save can be tapped. Between a tap and its preview the button stays as it was, so that it does not blink. */
  ready() {
    if (this.waiting) return !this.sending;
    if (this.othersWrite) return false;
    return hand.missing(this.state) === null && !this.refused && !this.sending && (this.known || this.accepted);
  }

  /** No preview from the server: the hand can be saved all the same, and the server decides then. */
  unseen(sentence, kind) {
    if (this.waiting) return;
    this.quiet();
    this.say(sentence, kind);
    this.settled(true);
  }

  settled(accepted) {
    this.known = true;
    this.accepted = accepted;
    this.save.setAttribute("aria-disabled", String(!this.ready()));
    if (this.eager) this.send();
  }

  listen() {
    const options = { signal: this.life.signal };
    this.form.addEventListener("click", (event) => this.clicked(event), options);
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.send(); }, options);
    document.addEventListener("keydown", (event) => this.pressed(event), options);
    window.addEventListener("online", () => { if (!this.waiting) this.ask(); }, options);
    options.signal.addEventListener("abort", outbox.listen((outcome) => this.onOutcome(outcome)));
    const on = (name, act) => this.form.addEventListener(name, act, options);
    on("table-changed", () => this.reload());
    on("pencil-changed", () => this.pencilChanged());
    on("htmx:beforeRequest", (event) => {
      if (hand.missing(this.state) !== null || this.sending || this.waiting) { event.preventDefault(); return; }
      this.quiet();
      this.dimming = setTimeout(() => this.preview.setAttribute("aria-busy", "true"), DIM_MS);
      // On a network that answers nothing, Save must not wait for the preview.
      this.slow = setTimeout(() => this.unseen(this.data.sayUnseen), SLOW_MS);
    });
    on("htmx:beforeSwap", (event) => {
      const target = this.form.getAttribute("hx-post");
      const away = target !== null && !event.detail.xhr.responseURL.endsWith(target);
      if (away) { event.detail.shouldSwap = false; this.unseen(this.data.saySignedOut, "why"); }
    });
    on("htmx:afterSwap", () => { if (!this.waiting) this.answered(); });
    for (const name of ["htmx:sendError", "htmx:timeout"]) on(name, () => this.unseen(this.data.sayUnseen));
    on("htmx:responseError", () => this.unseen(this.data.sayBroken, "why"));
  }

  answered() {
    this.quiet();
    const refused = this.preview.querySelector("[data-refused]");
    this.refused = refused !== null && !SENDABLE.includes(refused.dataset.refused);
    const marked = (refused?.dataset.rows ?? "").split(",");
    this.rows.forEach((row) => row.classList.toggle("marked", marked.includes(row.dataset.seat)));
    this.settled(!this.refused);
  }

  clicked(event) {
    const button = event.target.closest("button");
    if (!button || button === this.save) return;
    if ("seen" in button.dataset) this.seen();
    if ("change" in button.dataset) this.reopen();
    if (this.waiting) return;
    const row = button.closest("[data-seat]");
    const seat = row ? Number(row.dataset.seat) : null;
    if (seat !== null) this.touched = seat;
    if ("tap" in button.dataset) this.change(hand.tap(this.state, seat));
    else if ("mark" in button.dataset) this.change(hand.mark(this.state, seat, button.dataset.mark === "yes"));
    else if ("step" in button.dataset) this.change(hand.step(this.state, seat, Number(button.dataset.step)));
    else if ("blind" in button.dataset) this.change(hand.setBlind(this.state, button.dataset.blind || null));
    else if ("cut" in button.dataset) this.change(hand.cut(this.state, button.dataset.cut));
    else if ("cutBack" in button.dataset) this.change(hand.uncut(this.state));
    else if ("call" in button.dataset) this.change(hand.setCall(this.state, button.dataset.call));
    else if ("seven" in button.dataset) this.change(hand.toggleSeven(this.state));
    else if ("pass" in button.dataset) this.change(hand.pass(this.state));
    else if ("counting" in button.dataset) this.toggleCounting();
  }

  toggleCounting() {
    const next = hand.setCounting(this.state, !this.state.counting);
    kept.write(localStorage, this.countKey, next.counting);
    this.change(next);
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest("input, select, textarea") || document.querySelector(":popover-open")) return;
    const action = actionOf(this, event.key);
    if (!action || (event.key === "Enter" && event.target.closest("button, a, summary"))) return;
    event.preventDefault();
    action();
  }

  /** Save the hand: store it on this device, then send it. A second tap does nothing while the first is under way. */
  async send() {
    if (!this.ready()) return;
    if (!this.waiting && !this.known) {
      // Tapped before the preview came: sent as soon as the preview is there, if it is accepted.
      this.eager = true;
      return;
    }
    this.eager = false;
    this.tapped = true;
    this.sending = true;
    this.save.setAttribute("aria-disabled", "true");
    this.save.textContent = this.data.saySending;
    this.keep();
    const again = this.waiting !== null;
    this.waiting ??= this.item();
    if (!again) await outbox.put(this.waiting);
    await outbox.send(this.waiting, again ? null : this.form.elements.csrfmiddlewaretoken.value);
  }

  /** The hand as an item of the outbox: the request, the entry, and a summary for people. */
  item() {
    const body = new URLSearchParams(new FormData(this.form));
    body.delete("csrfmiddlewaretoken");
    const { key, players } = this.form.elements;
    return {
      key: key.value, table: this.data.table, number: Number(this.data.number), players: players.value, url: new URL(this.form.action).pathname,
      body: body.toString(), state: this.state, title: document.title, summary: this.summary(), user: this.data.user, at: Date.now(),
    };
  }

  summary() {
    const { state } = this;
    if (state.passed) return this.form.querySelector("[data-pass]").textContent.trim();
    const made = hand.madeOf(state);
    const tricks = hand.tricksOf(state);
    const alone = hand.joinersOf(state).length === 0;
    const active = [hand.declarerOf(state), ...hand.joinersOf(state)].filter((seat) => seat !== null);
    const parts = active.map((seat) => {
      const ended = alone ? "" : state.counting ? String(tricks[seat] ?? "") : made[seat] ? "✓" : "✕";
      return [this.rows[seat].querySelector(".name").textContent, tag(this, hand.role(state, seat)), ended].filter(Boolean).join(" ");
    });
    const blind = state.blind ? this.form.querySelector(`[data-blind="${state.blind}"]`).textContent : "";
    return [...parts, blind, state.cuts ?? ""].filter(Boolean).join(", ");
  }

  /** Show a hand of this table that was saved on this device before and still waits. */
  async recall() {
    const items = await outbox.all();
    const mine = items.find((item) => this.isMine(item) && item.status !== outbox.REFUSED);
    if (!mine || this.waiting || this.life.signal.aborted) return;
    if (mine.status === outbox.HELD) { this.fillHeld(mine); return; }
    this.waiting = mine;
    if (mine.players === this.form.elements.players.value) this.state = { ...this.state, ...mine.state };
    this.render();
    this.hold(mine.status);
  }

  /** Fill the form with a hand that waited for the pencil, as if it had just been tapped. */
  fillHeld({ state, key, players, user }) {
    const { form, data } = this;
    if (user !== data.user || !hand.untouched(this.state)) return;
    this.state = hand.carry(this.state, state, players.split(","), form.elements.players.value.split(","));
    if (players === form.elements.players.value) form.elements.key.value = key;
    this.render();
    this.ask();
  }

  isMine(item) {
    return item.table === this.data.table && item.number === Number(this.data.number);
  }

  async onOutcome(outcome) {
    if (!outcome) {
      // A person discarded it, perhaps in another tab.
      const gone = this.waiting && !this.sending && !(await outbox.all()).some((item) => item.key === this.waiting?.key);
      if (gone) window.location.reload();
      return;
    }
    if (this.waiting?.key !== outcome.item.key) {
      // Sent before this page found it, or by another tab; an entry made here meanwhile is another hand.
      if (outcome.kind === outbox.STORED && this.isMine(outcome.item) && hand.untouched(this.state)) window.location.reload();
      return;
    }
    if (outcome.kind === outbox.STORED) {
      this.forget();
      window.location.assign(outcome.url);
    } else if (outcome.kind === outbox.REFUSED) {
      this.forget();
      this.life.abort();
      if (outcome.page) show(outcome.page);
      else showAgain(outcome.item.key);
    } else if (outcome.kind === outbox.SIGN_IN && this.tapped) window.location.assign(outcome.url);
    else this.hold(outcome.kind);
  }

  /** No answer yet: the hand waits, and the rows cannot be changed. */
  hold(status) {
    this.sending = false;
    this.tapped = false;
    this.form.classList.add("waits");
    this.quiet();
    this.say(status === outbox.SIGN_IN ? this.data.saySignIn : this.data.sayOffline);
    this.preview.firstElementChild.append(document.querySelector("#waits-for").content.cloneNode(true));
    this.save.textContent = status === outbox.SIGN_IN ? this.data.labelSignIn : this.data.labelSendNow;
    this.save.setAttribute("aria-disabled", "false");
  }

  /** Take a waiting hand back to change it. If it was stored after all, the changed one is refused and both are shown. */
  async reopen() {
    const item = this.waiting;
    if (!item || outbox.sending()) return;
    this.waiting = null;
    await outbox.discard(item.key);
    this.form.elements.key.value = outbox.newKey();
    this.form.classList.remove("waits");
    this.save.textContent = this.saveLabel;
    this.known = false;
    this.accepted = false;
    this.keep();
    this.render();
    this.ask();
  }
}

/** Show a page that came as an answer. */
function show(page) {
  document.querySelector("#main").replaceWith(page.querySelector("#main"));
  document.body.className = page.body.className;
  document.title = page.title;
  window.scrollTo(0, 0);
  document.querySelector("#main").focus();
  window.htmx?.process(document.querySelector("#main"));
  start();
}

/** The keys of the saved screen: Enter leads to the next hand, a number names its declarer. */
function saidOnward(event, onward) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector(":popover-open")) return;
  if (event.key === "Enter" && !event.target.closest("button, a, summary")) onward.click();
  if (/^[1-7]$/.test(event.key)) document.querySelectorAll("[data-declares]")[Number(event.key) - 1]?.click();
}

function start() {
  const form = document.querySelector("#hand");
  if (form) new Entry(form);
  const versus = document.querySelector("[data-versus]");
  if (versus) settle(versus);
  for (const link of document.querySelectorAll("[data-closes]")) {
    link.addEventListener("click", () => document.getElementById(link.dataset.closes)?.hidePopover?.());
  }
  const onward = document.querySelector("[data-go]");
  if (onward) document.addEventListener("keydown", (event) => saidOnward(event, onward));
}

// A page restored from the browser's cache may be about a hand that was saved long ago.
window.addEventListener("pageshow", (event) => { if (event.persisted) window.location.reload(); });
// The undone hand fills the form only once; a reload must not bring it back.
// So does the declarer who was tapped on the page before.
if (/^\?(again|declares)=\d+$/.test(window.location.search)) window.history.replaceState(null, "", window.location.pathname);
start();
look(show);
