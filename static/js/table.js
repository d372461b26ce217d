// The table screen: taps and keys go to hand_state.js, its state goes to rows, form and bar. The server has the last word.
import * as hand from "./hand_state.js";

const RETRY_MS = 4000;
const SEND_MS = 15000;
const DIM_MS = 250;

/** What is kept in the browser: drafts by hand (this tab), the way of counting by club (this device). */
const kept = {
  read(store, key) {
    try { return JSON.parse(store.getItem(key)); } catch { return null; }
  },
  write(store, key, value) {
    try { if (value === null) store.removeItem(key); else store.setItem(key, JSON.stringify(value)); } catch { /* storage is full or forbidden: works without */ }
  },
};

export class Entry {
  constructor(form) {
    this.form = form;
    this.data = form.dataset;
    this.told = form.querySelector("#told");
    this.save = form.querySelector("[data-save]");
    this.saveLabel = this.save.textContent;
    this.rows = [...form.querySelectorAll("[data-seat]")];
    this.draftKey = `chratzete.draft.${this.data.table}.${this.data.number}`;
    this.countKey = `chratzete.count.${this.data.club}`;
    this.first = this.told.firstElementChild?.cloneNode(true) ?? null;
    this.touched = null;
    this.refused = this.told.querySelector("[data-refused]") !== null;
    this.sending = false;
    // What the bar shows: whether it is about what is tapped now, and whether it can be saved.
    this.known = false;
    this.accepted = this.told.querySelector("[data-accepted]") !== null;
    this.eager = false;
    this.life = new AbortController();
    this.state = this.begin();
    this.listen();
    this.render();
    // htmx looks for its forms only after this module has run, or when it is told to.
    window.htmx?.process(form);
    // A page that comes back refused has said why; everything else is asked anew.
    if (!this.refused) this.ask();
  }

  begin() {
    const { game, sevens } = this.data;
    const start = hand.empty({ seats: this.rows.length, dealer: Number(this.data.dealer), blinds: this.data.blinds, game, sevens, muss: "muss" in this.data });
    const draft = kept.read(sessionStorage, this.draftKey);
    if (draft && draft.players === this.form.elements.players.value) {
      // The key belongs to what was typed: a save that was cut off is sent again as the same save.
      this.form.elements.key.value = draft.key;
      return { ...start, ...draft.state };
    }
    if ("filled" in this.data) return hand.fromFields(start, this.values());
    return game === "kratzen" ? start : hand.setCounting(start, kept.read(localStorage, this.countKey) === true);
  }

  values() {
    const fields = this.form.elements;
    return {
      passed: fields.passed?.checked ?? false,
      mode: fields.mode?.value ?? "tricks",
      blind: fields.blind?.value ?? "",
      cuts: fields.cuts?.value ?? "",
      game_type: fields.game_type?.value ?? "",
      seven: fields.seven?.checked ?? false,
      seats: this.rows.map((_, seat) => ({ role: fields[`role-${seat}`].value, made: fields[`made-${seat}`]?.value ?? "yes", tricks: fields[`tricks-${seat}`].value })),
    };
  }

  change(next) {
    if (next === this.state) return;
    this.state = next;
    this.refused = false;
    this.known = false;
    this.eager = false;
    this.keep();
    this.render();
    this.ask();
  }

  keep() {
    const draft = hand.untouched(this.state) ? null : { state: this.state, key: this.form.elements.key.value, players: this.form.elements.players.value };
    kept.write(sessionStorage, this.draftKey, draft);
  }

  forget() {
    kept.write(sessionStorage, this.draftKey, null);
  }

  /** Ask the server what saving would do, or say what is still missing. */
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
    else if (lacking === "tricks" && state.counts.length === 0 && hand.allPlay(state) && this.first?.matches(".first")) this.told.replaceChildren(this.first.cloneNode(true));
    else if (lacking === "declarer" && this.first?.matches(".first")) this.told.replaceChildren(this.first.cloneNode(true));
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
    this.told.replaceChildren(box);
  }

  quiet() {
    clearTimeout(this.dimming);
    this.told.removeAttribute("aria-busy");
  }

  render() {
    const { state } = this;
    const fields = hand.fields(state);
    const made = hand.madeOf(state);
    const tricks = hand.tricksOf(state);
    const counted = new Set(state.counts.map(([seat]) => seat));
    const played = hand.joinersOf(state).length > 0;
    this.form.querySelector(".seats").classList.toggle("someone", hand.declarerOf(state) !== null);
    this.rows.forEach((row, seat) => {
      const role = hand.role(state, seat);
      const plays = role !== "out" && played;
      row.classList.toggle("declarer", role === "declarer");
      row.classList.toggle("joiner", role === "joiner");
      row.classList.toggle("out", role === "out");
      if (!this.refused) row.classList.remove("marked");
      row.querySelector("[data-tap]").setAttribute("aria-pressed", String(role !== "out"));
      row.querySelector("[data-role]").textContent = this.tag(role);
      if (state.game === "kratzen") row.querySelector("[data-deals]").hidden = seat !== hand.dealerOf(state);
      row.querySelector("[data-balance]").hidden = plays;
      const marks = row.querySelector("[data-made]");
      if (marks) marks.hidden = !plays || state.counting;
      for (const button of marks?.children ?? []) button.setAttribute("aria-pressed", String(made[seat] === (button.dataset.mark === "yes")));
      const counts = row.querySelector("[data-tricks]");
      counts.hidden = !plays || !state.counting;
      const shown = counts.querySelector("[data-count]");
      shown.textContent = tricks[seat] ?? "·";
      shown.classList.toggle("follows", !counted.has(seat));
      this.fill(`role-${seat}`, fields.seats[seat].role);
      this.fill(`made-${seat}`, fields.seats[seat].made);
      this.fill(`tricks-${seat}`, fields.seats[seat].tricks);
    });
    for (const name of ["passed", "seven"]) if (this.form.elements[name]) this.form.elements[name].checked = fields[name];
    for (const name of ["cuts", "game_type"]) this.fill(name, fields[name]);
    this.fill("mode", fields.mode);
    this.fill("blind", fields.blind);
    this.renderChoices();
  }

  /** What stands beside a name: the part of its seat in the game's own words. */
  tag(role) {
    const { state, data } = this;
    if (role === "out") return "";
    if (state.game !== "kratzen") return role === "declarer" ? data.labelDeclarer : data.labelJoiner;
    if (hand.allPlay(state)) return role === "declarer" && !state.seven ? data.labelGoal : "";
    const calls = { schlagen: data.labelSchlagen, oder: data.labelOder, "weiter-oder": data.labelWeiterOder };
    return role === "declarer" ? calls[state.call] : data.labelJoiner;
  }

  renderKratzen() {
    const { state, form } = this;
    const calls = form.querySelector("[data-calls]");
    const asks = calls !== null && state.declarer !== null && !state.seven;
    if (calls) {
      calls.hidden = !asks;
      for (const button of calls.children) button.setAttribute("aria-pressed", String(button.dataset.call === state.call));
    }
    form.querySelector("[data-turn]").hidden = asks;
    form.querySelector("[data-pass]")?.setAttribute("aria-pressed", String(state.passed));
    form.querySelector("[data-seven]")?.setAttribute("aria-pressed", String(state.seven));
    const names = Object.fromEntries([...form.querySelectorAll("[data-cut]")].map((button) => [button.dataset.cut, button.textContent.trim()]));
    const cards = [...state.cuts].map((card) => names[card]);
    const label = form.querySelector("[data-cut-label]");
    label.textContent = state.cuts ? this.data.sayCut.replace("{cards}", [...state.cuts].join(" ")) : this.data.sayCutNone;
    label.setAttribute("aria-pressed", String(state.cuts !== ""));
    form.querySelector("[data-cut-shown]").textContent = cards.length ? cards.join(" · ") : "–";
    form.querySelector('[data-cut="x"]').disabled = state.cuts.length % 2 === 0;
    form.querySelector("[data-cut-back]").disabled = state.cuts === "";
  }

  renderChoices() {
    const { state } = this;
    if (state.game === "kratzen") {
      this.renderKratzen();
      this.save.setAttribute("aria-disabled", String(!this.ready()));
      return;
    }
    const choices = hand.blindChoices(state);
    const blinds = this.form.querySelector("[data-blinds-choice]");
    if (blinds) {
      blinds.hidden = choices.length === 0;
      for (const button of blinds.children) button.setAttribute("aria-pressed", String((button.dataset.blind || null) === state.blind));
    }
    this.form.querySelector("[data-turn]").hidden = choices.length > 0;
    this.form.querySelector("[data-pass]").setAttribute("aria-pressed", String(state.passed));
    this.form.querySelector("[data-counting]").setAttribute("aria-pressed", String(state.counting));
    this.save.setAttribute("aria-disabled", String(!this.ready()));
  }

  fill(name, value) {
    if (this.form.elements[name]) this.form.elements[name].value = value;
  }

  /** Whether 'save' can be tapped. Between a tap and its answer it stays what it was: a button that blinks tells nothing. */
  ready() {
    return hand.missing(this.state) === null && !this.refused && !this.sending && (this.known || this.accepted);
  }

  /** The server cannot be asked: save all the same, it decides then. */
  unseen(sentence, kind) {
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
    window.addEventListener("online", () => (this.waiting ? this.send() : this.ask()), options);
    const on = (name, act) => this.form.addEventListener(name, act, options);
    on("htmx:beforeRequest", (event) => {
      if (hand.missing(this.state) !== null || this.sending) { event.preventDefault(); return; }
      clearTimeout(this.dimming);
      this.dimming = setTimeout(() => this.told.setAttribute("aria-busy", "true"), DIM_MS);
    });
    on("htmx:beforeSwap", (event) => {
      const asked = this.form.getAttribute("hx-post");
      const away = asked !== null && !event.detail.xhr.responseURL.endsWith(asked);
      if (away) { event.detail.shouldSwap = false; this.unseen(this.data.saySignedOut, "why"); }
    });
    on("htmx:afterSwap", () => this.answered());
    for (const name of ["htmx:sendError", "htmx:timeout"]) on(name, () => this.unseen(this.data.sayUnseen));
    on("htmx:responseError", () => this.unseen(this.data.sayBroken, "why"));
  }

  answered() {
    this.quiet();
    const refused = this.told.querySelector("[data-refused]");
    this.refused = refused !== null;
    const marked = (refused?.dataset.rows ?? "").split(",");
    this.rows.forEach((row) => row.classList.toggle("marked", marked.includes(row.dataset.seat)));
    this.settled(!this.refused);
  }

  clicked(event) {
    const button = event.target.closest("button");
    if (!button || button === this.save) return;
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
    const act = this.keys(event.key);
    if (!act || (event.key === "Enter" && event.target.closest("button, a, summary"))) return;
    event.preventDefault();
    act();
  }

  keys(key) {
    const { state, touched } = this;
    if (/^[1-7]$/.test(key) && Number(key) <= state.seats) {
      return () => { this.touched = Number(key) - 1; this.change(hand.tap(state, this.touched)); };
    }
    const blinds = hand.blindChoices(state);
    if (state.game === "kratzen" && key in this.kratzenKeys()) return this.kratzenKeys()[key];
    const steps = { "+": 1, "-": -1, "−": -1 };
    if (key in steps && touched !== null && state.counting) return () => this.change(hand.step(state, touched, steps[key]));
    return {
      m: touched !== null && !state.counting ? () => this.change(hand.toggleMade(state, touched)) : null,
      b: blinds.length ? () => this.change(hand.setBlind(state, blinds[(blinds.indexOf(state.blind) + 1) % blinds.length])) : null,
      n: () => this.change(hand.pass(state)),
      t: () => this.toggleCounting(),
      Escape: () => this.change(hand.clear(state)),
      Enter: () => this.send(),
    }[key];
  }

  kratzenKeys() {
    const { state } = this;
    const calls = ["schlagen", "oder", "weiter-oder"];
    return {
      b: hand.allPlay(state) ? null : () => this.change(hand.setCall(state, calls[(calls.indexOf(state.call) + 1) % calls.length])),
      s: () => this.change(hand.toggleSeven(state)),
      m: null,
      t: null,
      Escape: () => this.change({ ...hand.clear(state), cuts: "" }),
    };
  }

  /** Store the hand. A second tap finds the first one under way; without a network it waits and goes out with the same key. */
  async send() {
    if (!this.ready()) return;
    if (!this.known) {
      // Tapped before the bar has caught up: goes out as soon as it has, if it can.
      this.eager = true;
      return;
    }
    this.eager = false;
    this.sending = true;
    clearTimeout(this.waiting);
    this.waiting = null;
    this.save.setAttribute("aria-disabled", "true");
    this.save.textContent = this.data.saySending;
    this.keep();
    try {
      const answer = await fetch(this.form.action, { method: "POST", body: new FormData(this.form), signal: AbortSignal.timeout?.(SEND_MS) });
      await this.received(answer);
    } catch {
      this.rest();
      this.say(this.data.sayOffline);
      this.waiting = setTimeout(() => this.send(), RETRY_MS);
    }
  }

  async received(answer) {
    if (answer.redirected) {
      // To the coins of this hand; or to the sign-in, and then the draft has to outlast it.
      if (answer.url.includes("/h/")) this.forget();
      window.location.assign(answer.url);
      return;
    }
    if (answer.status >= 500) {
      this.rest();
      this.say(this.data.sayBroken, "why");
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    this.forget();
    this.life.abort();
    document.querySelector("#main").replaceWith(page.querySelector("#main"));
    document.title = page.title;
    window.scrollTo(0, 0);
    document.querySelector("#main").focus();
    start();
  }

  rest() {
    this.sending = false;
    this.save.textContent = this.saveLabel;
    this.save.setAttribute("aria-disabled", String(!this.ready()));
  }
}

function start() {
  const form = document.querySelector("#hand");
  if (form) new Entry(form);
  for (const once of document.querySelectorAll("form[data-once]")) {
    once.addEventListener("submit", (event) => {
      if (once.dataset.sent) event.preventDefault();
      once.dataset.sent = "1";
    });
  }
  for (const link of document.querySelectorAll("[data-closes]")) {
    link.addEventListener("click", () => document.getElementById(link.dataset.closes)?.hidePopover?.());
  }
  const onward = document.querySelector("[data-go]");
  if (onward) document.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.target.closest("button, a, summary")) onward.click(); });
}

// Shown again from the browser's memory, the page may be about a hand long saved.
window.addEventListener("pageshow", (event) => { if (event.persisted) window.location.reload(); });
// The undone hand stands in the form once; a reload shall not bring it back.
if (window.location.search === "?again=1") window.history.replaceState(null, "", window.location.pathname);
start();
