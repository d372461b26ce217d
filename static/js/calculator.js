// The pot splitter: taps go to hand_state.js, its state to rows and form; the server says what it comes to. The evening itself is
// the address of the page, and this browser remembers the last one.
import * as hand from "./hand_state.js";

const KEPT = "chratzete.calculator";

/** The last evening's address, where the browser may keep one. */
const kept = {
  read() {
    try { return localStorage.getItem(KEPT); } catch { return null; }
  },
  write(address) {
    try { localStorage.setItem(KEPT, address); } catch { /* storage is full or forbidden: the address still holds it all */ }
  },
};

class Entry {
  constructor(form) {
    this.form = form;
    this.data = form.dataset;
    this.told = form.querySelector("#told");
    this.first = this.told.querySelector(".first")?.cloneNode(true) ?? null;
    this.save = form.querySelector("[data-save]");
    this.rows = [...form.querySelectorAll("[data-seat]")];
    this.accepted = this.told.querySelector("[data-accepted]") !== null;
    this.state = this.begin();
    this.listen();
    this.render();
    // htmx looks for its forms only after this module has run, or when it is told to.
    window.htmx?.process(form);
  }

  begin() {
    const start = hand.empty({ seats: this.rows.length, dealer: Number(this.data.dealer), blinds: this.data.blinds });
    if (!("filled" in this.data)) return start;
    const fields = this.form.elements;
    return hand.fromFields(start, {
      passed: fields.passed.checked,
      mode: fields.mode.value,
      blind: fields.blind?.value ?? "",
      seats: this.rows.map((_, seat) => ({ role: fields[`role-${seat}`].value, made: fields[`made-${seat}`].value, tricks: fields[`tricks-${seat}`].value })),
    });
  }

  change(next) {
    if (next === this.state) return;
    this.state = next;
    this.accepted = false;
    this.render();
    window.htmx?.trigger(this.form, "htmx:abort");
    const lacking = hand.missing(next);
    if (lacking === null) this.form.dispatchEvent(new Event("hand-changed"));
    else if (lacking === "tricks") this.sayTricksLeft();
    else if (this.first) this.told.replaceChildren(this.first.cloneNode(true));
    else this.say(this.data.sayDeclarer);
  }

  sayTricksLeft() {
    const left = hand.tricksLeft(this.state);
    this.say(left === 1 ? this.data.sayTrick : this.data.sayTricks.replace("{n}", String(left)));
  }

  say(sentence) {
    const box = document.createElement("div");
    box.className = "first";
    const text = document.createElement("p");
    text.className = "say";
    text.textContent = sentence;
    box.append(text);
    this.told.replaceChildren(box);
  }

  render() {
    const { state } = this;
    const fields = hand.fields(state);
    this.form.querySelector(".seats").classList.toggle("someone", state.declarer !== null);
    this.rows.forEach((row, seat) => this.renderRow(row, seat, fields.seats[seat]));
    this.form.elements.passed.checked = fields.passed;
    this.fill("mode", fields.mode);
    this.fill("blind", fields.blind);
    const choices = hand.blindChoices(state);
    const blinds = this.form.querySelector("[data-blinds-choice]");
    if (blinds) {
      blinds.hidden = choices.length === 0;
      for (const button of blinds.children) button.setAttribute("aria-pressed", String((button.dataset.blind || null) === state.blind));
    }
    this.form.querySelector("[data-turn]").hidden = choices.length > 0;
    this.form.querySelector("[data-pass]").setAttribute("aria-pressed", String(state.passed));
    this.form.querySelector("[data-counting]").setAttribute("aria-pressed", String(state.counting));
    this.ready();
  }

  renderRow(row, seat, fields) {
    const { state } = this;
    const role = hand.role(state, seat);
    const plays = role !== "out" && state.joiners.length > 0;
    for (const one of ["declarer", "joiner", "out"]) row.classList.toggle(one, role === one);
    row.classList.remove("marked");
    row.querySelector("[data-tap]").setAttribute("aria-pressed", String(role !== "out"));
    const tag = role === "out" ? "" : role === "declarer" ? this.data.labelDeclarer : this.data.labelJoiner;
    row.querySelector("[data-role]").textContent = tag;
    row.querySelector("[data-balance]").hidden = plays;
    const marks = row.querySelector("[data-made]");
    marks.hidden = !plays || state.counting;
    const made = hand.madeOf(state)[seat];
    for (const button of marks.children) button.setAttribute("aria-pressed", String(made === (button.dataset.mark === "yes")));
    const counts = row.querySelector("[data-tricks]");
    counts.hidden = !plays || !state.counting;
    const shown = counts.querySelector("[data-count]");
    shown.textContent = hand.tricksOf(state)[seat] ?? "·";
    shown.classList.toggle("follows", !state.counts.some(([other]) => other === seat));
    for (const name of ["role", "made", "tricks"]) this.fill(`${name}-${seat}`, fields[name]);
  }

  fill(name, value) {
    if (this.form.elements[name]) this.form.elements[name].value = value;
  }

  ready() {
    this.save.setAttribute("aria-disabled", String(!this.accepted));
  }

  listen() {
    this.form.addEventListener("click", (event) => this.clicked(event));
    // Not accepted yet, a hand would only come back with the same words.
    this.form.addEventListener("submit", (event) => { if (!this.accepted) event.preventDefault(); });
    this.form.addEventListener("htmx:afterSwap", () => {
      const refused = this.told.querySelector("[data-refused]");
      const marked = (refused?.dataset.rows ?? "").split(",");
      this.rows.forEach((row) => row.classList.toggle("marked", marked.includes(row.dataset.seat)));
      this.accepted = refused === null;
      this.ready();
    });
    for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) this.form.addEventListener(name, () => this.say(this.data.sayUnseen));
    window.addEventListener("online", () => { if (hand.missing(this.state) === null) this.form.dispatchEvent(new Event("hand-changed")); });
  }

  clicked(event) {
    const button = event.target.closest("button");
    if (!button) return;
    const row = button.closest("[data-seat]");
    const seat = row ? Number(row.dataset.seat) : null;
    const { state } = this;
    if ("tap" in button.dataset) this.change(hand.tap(state, seat));
    else if ("mark" in button.dataset) this.change(hand.mark(state, seat, button.dataset.mark === "yes"));
    else if ("step" in button.dataset) this.change(hand.step(state, seat, Number(button.dataset.step)));
    else if ("blind" in button.dataset) this.change(hand.setBlind(state, button.dataset.blind || null));
    else if ("pass" in button.dataset) this.change(hand.pass(state));
    else if ("counting" in button.dataset) this.change(hand.setCounting(state, !state.counting));
  }
}

function start() {
  const evening = document.querySelector("[data-evening]")?.dataset.evening;
  if (evening) kept.write(evening);
  const goOn = document.querySelector("[data-continue]");
  const last = kept.read();
  if (goOn && last?.includes("?")) {
    // Only the query: wherever a stored text points, the link stays on this page.
    goOn.firstElementChild.search = last.slice(last.indexOf("?"));
    goOn.hidden = false;
  }
  const form = document.querySelector("#hand");
  if (!form) return;
  const entry = new Entry(form);
  document.querySelector("[data-print]").addEventListener("click", () => { document.querySelector("#more").hidePopover?.(); window.print(); });
  const share = document.querySelector("[data-share]");
  share.hidden = !navigator.clipboard;
  share.addEventListener("click", async () => {
    document.querySelector("#more").hidePopover?.();
    await navigator.clipboard.writeText(new URL(evening, window.location.href).href);
    entry.say(form.dataset.sayCopied);
  });
}

start();
