// The form of a hand on the pages of corrections: hand_state.js handles taps, entry_rows.js shows the state. The form works
// without scripts too.
import { showEntry } from "./entry_rows.js";
import { seatOf, tapped } from "./entry_taps.js";
import * as hand from "./hand_state.js";

class CorrectionForm {
  constructor(form) {
    this.form = form;
    this.data = form.dataset;
    this.preview = form.querySelector("#preview");
    this.save = form.querySelector("[data-save]");
    this.rows = [...form.querySelectorAll("[data-seat]")];
    this.first = this.preview.firstElementChild?.cloneNode(true) ?? null;
    this.refused = this.preview.querySelector("[data-refused]") !== null;
    const { game, sevens } = this.data;
    const start = hand.empty({ seats: this.rows.length, dealer: Number(this.data.dealer), blinds: this.data.blinds, game, sevens, muss: "muss" in this.data });
    this.state = "filled" in this.data ? hand.fromFields(start, hand.fieldsOf(this.form, this.rows.length)) : start;
    form.addEventListener("click", (event) => this.clicked(event));
    form.addEventListener("htmx:afterSwap", () => this.answered());
    for (const name of ["htmx:sendError", "htmx:timeout"]) form.addEventListener(name, () => this.say(this.data.sayUnseen));
    this.render();
    window.htmx?.process(form);
    if (!this.refused) this.requestPreview();
  }

  change(next) {
    if (next === this.state) return;
    this.state = next;
    this.refused = false;
    this.render();
    this.requestPreview();
  }

  /** Request the preview of the hand from the server, or show the missing parts. */
  requestPreview() {
    window.htmx?.trigger(this.form, "htmx:abort");
    const lacking = hand.missing(this.state);
    if (lacking === null) this.form.dispatchEvent(new Event("hand-changed"));
    else if (lacking === "cut") this.say(this.data.sayCutOpen);
    else if (lacking === "declarer" && this.first?.matches(".first")) this.preview.replaceChildren(this.first.cloneNode(true));
    else if (lacking === "declarer") this.say(this.data.sayDeclarer);
    else if (this.state.counts.length === 0 && hand.allPlay(this.state)) this.say(this.data.sayEach);
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
    this.preview.replaceChildren(box);
  }

  answered() {
    const refused = this.preview.querySelector("[data-refused]");
    this.refused = refused !== null;
    const marked = (refused?.dataset.rows ?? "").split(",");
    this.rows.forEach((row) => row.classList.toggle("marked", marked.includes(row.dataset.seat)));
  }

  render() {
    showEntry(this);
  }

  clicked(event) {
    const button = event.target.closest("button");
    if (!button || button.type === "submit") return;
    if ("counting" in button.dataset) this.change(hand.setCounting(this.state, !this.state.counting));
    else this.change(tapped(this.state, button, seatOf(button)) ?? this.state);
  }
}

const form = document.querySelector("#correction");
if (form) new CorrectionForm(form);
