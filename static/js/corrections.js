// The form of a hand on the pages of corrections: hand_state.js handles taps, entry_rows.js shows the state. The form
// works without scripts too.
import { closest } from "./dom.js";
import { showEntry } from "./entry_rows.js";
import { seatOf, tapped } from "./entry_taps.js";
import * as hand from "./hand_state.js";
import { hint, lackingHint } from "./night/hints.js";

class CorrectionForm {
  constructor(form) {
    this.form = form;
    this.data = form.dataset;
    this.preview = form.querySelector("#preview");
    this.save = form.querySelector("[data-save]");
    this.rows = [...form.querySelectorAll("[data-seat]")];
    this.first = this.preview.firstElementChild?.cloneNode(true) ?? null;
    this.refused = this.preview.querySelector("[data-refused]") !== null;
    const start = hand.emptyFor(this.data, this.rows.length);
    this.state = "filled" in this.data ? hand.fromFields(start, hand.fieldsOf(this.form, this.rows.length)) : start;
    form.addEventListener("click", (event) => this.clicked(event));
    form.addEventListener("submit", (event) => {
      if (event.submitter === this.save && !this.ready()) event.preventDefault();
    });
    form.addEventListener("htmx:afterSwap", () => this.answered());
    for (const name of ["htmx:sendError", "htmx:timeout"])
      form.addEventListener(name, () => this.say(this.data.sayUnseen));
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
    else this.preview.replaceChildren(lackingHint(this.state, lacking, this.data, this.first));
  }

  say(sentence) {
    this.preview.replaceChildren(hint(sentence));
  }

  answered() {
    const refused = this.preview.querySelector("[data-refused]");
    this.refused = refused !== null;
    const marked = (refused?.dataset.rows ?? "").split(",");
    for (const row of this.rows) row.classList.toggle("marked", marked.includes(row.dataset.seat));
  }

  render() {
    showEntry(this);
    this.save.setAttribute("aria-disabled", String(!this.ready()));
  }

  /** Return true if nothing is missing; the preview says what is. */
  ready() {
    return hand.missing(this.state) === null;
  }

  clicked(event) {
    const button = closest(event, "button");
    if (!button || button.type === "submit") return;
    if ("counting" in button.dataset) this.change(hand.setCounting(this.state, !this.state.counting));
    else this.change(tapped(this.state, button, seatOf(button)) ?? this.state);
  }
}

const form = document.querySelector("#correction");
if (form) new CorrectionForm(form);
