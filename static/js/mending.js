// The form of a hand in the middle of a night: taps go to hand_state.js, its state to rows and form. Without a script the form does the same.
import * as hand from "./hand_state.js";

class Mending {
  constructor(form) {
    this.form = form;
    this.data = form.dataset;
    this.told = form.querySelector("#told");
    this.save = form.querySelector("[data-save]");
    this.rows = [...form.querySelectorAll("[data-seat]")];
    this.first = this.told.firstElementChild?.cloneNode(true) ?? null;
    this.refused = this.told.querySelector("[data-refused]") !== null;
    const { game, sevens } = this.data;
    const start = hand.empty({ seats: this.rows.length, dealer: Number(this.data.dealer), blinds: this.data.blinds, game, sevens, muss: "muss" in this.data });
    this.state = "filled" in this.data ? hand.fromFields(start, hand.fieldsOf(this.form, this.rows.length)) : start;
    form.addEventListener("click", (event) => this.clicked(event));
    form.addEventListener("htmx:afterSwap", () => this.answered());
    for (const name of ["htmx:sendError", "htmx:timeout"]) form.addEventListener(name, () => this.say(this.data.sayUnseen));
    this.render();
    window.htmx?.process(form);
    if (!this.refused) this.ask();
  }

  change(next) {
    if (next === this.state) return;
    this.state = next;
    this.refused = false;
    this.render();
    this.ask();
  }

  /** What the hand comes to, from the server; or what is still missing. */
  ask() {
    window.htmx?.trigger(this.form, "htmx:abort");
    const lacking = hand.missing(this.state);
    if (lacking === null) this.form.dispatchEvent(new Event("hand-changed"));
    else if (lacking === "cut") this.say(this.data.sayCutOpen);
    else if (lacking === "declarer" && this.first?.matches(".first")) this.told.replaceChildren(this.first.cloneNode(true));
    else if (lacking === "declarer") this.say(this.data.sayDeclarer);
    else {
      const left = hand.tricksLeft(this.state);
      this.say(left === 1 ? this.data.sayTrick : this.data.sayTricks.replace("{n}", String(left)));
    }
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

  answered() {
    const refused = this.told.querySelector("[data-refused]");
    this.refused = refused !== null;
    const marked = (refused?.dataset.rows ?? "").split(",");
    this.rows.forEach((row) => row.classList.toggle("marked", marked.includes(row.dataset.seat)));
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
      for (const each of ["declarer", "joiner", "out"]) row.classList.toggle(each, role === each);
      if (!this.refused) row.classList.remove("marked");
      row.querySelector("[data-tap]").setAttribute("aria-pressed", String(role !== "out"));
      row.querySelector("[data-role]").textContent = this.tag(role);
      const deals = row.querySelector("[data-deals]");
      if (state.game === "kratzen" && deals) deals.hidden = seat !== hand.dealerOf(state);
      const balance = row.querySelector("[data-balance]");
      if (balance) balance.hidden = plays;
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
    for (const name of ["cuts", "game_type", "mode", "blind"]) this.fill(name, fields[name]);
    this.press("[data-pass]", state.passed);
    this.press("[data-counting]", state.counting);
    this.press("[data-seven]", state.seven);
    this.renderChoices();
    if (state.game === "kratzen") this.renderCuts();
  }

  renderChoices() {
    const { state, form } = this;
    const turn = form.querySelector("[data-turn]");
    const blinds = form.querySelector("[data-blinds-choice]");
    const calls = form.querySelector("[data-calls]");
    const choices = state.game === "kratzen" ? [] : hand.blindChoices(state);
    const asks = calls !== null && state.declarer !== null && !state.seven;
    if (blinds) {
      blinds.hidden = choices.length === 0;
      for (const button of blinds.children) button.setAttribute("aria-pressed", String((button.dataset.blind || null) === state.blind));
    }
    if (calls) {
      calls.hidden = !asks;
      for (const button of calls.children) button.setAttribute("aria-pressed", String(button.dataset.call === state.call));
    }
    turn.hidden = asks || choices.length > 0;
  }

  renderCuts() {
    const { state, form } = this;
    const names = Object.fromEntries([...form.querySelectorAll("[data-cut]")].map((button) => [button.dataset.cut, button.textContent.trim()]));
    const cards = [...state.cuts].map((card) => names[card]);
    form.querySelector("[data-cut-label]").textContent = state.cuts ? this.data.sayCut.replace("{cards}", [...state.cuts].join(" ")) : this.data.sayCutNone;
    this.press("[data-cut-label]", state.cuts !== "");
    form.querySelector("[data-cut-shown]").textContent = cards.length ? cards.join(" · ") : "–";
    form.querySelector('[data-cut="x"]').disabled = state.cuts.length % 2 === 0;
    form.querySelector("[data-cut-back]").disabled = state.cuts === "";
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

  press(what, pressed) {
    this.form.querySelector(what)?.setAttribute("aria-pressed", String(pressed));
  }

  fill(name, value) {
    if (this.form.elements[name]) this.form.elements[name].value = value;
  }

  clicked(event) {
    const button = event.target.closest("button");
    if (!button || button.type === "submit") return;
    const { state } = this;
    const { dataset } = button;
    const row = button.closest("[data-seat]");
    const seat = row ? Number(row.dataset.seat) : null;
    if ("tap" in dataset) this.change(hand.tap(state, seat));
    else if ("mark" in dataset) this.change(hand.mark(state, seat, dataset.mark === "yes"));
    else if ("step" in dataset) this.change(hand.step(state, seat, Number(dataset.step)));
    else if ("blind" in dataset) this.change(hand.setBlind(state, dataset.blind || null));
    else if ("cut" in dataset) this.change(hand.cut(state, dataset.cut));
    else if ("cutBack" in dataset) this.change(hand.uncut(state));
    else if ("call" in dataset) this.change(hand.setCall(state, dataset.call));
    else if ("seven" in dataset) this.change(hand.toggleSeven(state));
    else if ("pass" in dataset) this.change(hand.pass(state));
    else if ("counting" in dataset) this.change(hand.setCounting(state, !state.counting));
  }
}

const form = document.querySelector("#mend");
if (form) new Mending(form);
