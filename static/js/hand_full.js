// Entering card by card: no more cards than are asked for, and the choice of blind without a button. The server decides the rest.
import { kept } from "./kept.js";

document.addEventListener("change", (event) => {
  const set = event.target.closest("fieldset[data-most]");
  if (set) {
    const most = Number(set.dataset.most);
    const ticked = [...set.querySelectorAll("input:checked")];
    // One too many: the one ticked before gives way where a single card is asked for, else the new one does.
    if (ticked.length > most) (most === 1 ? ticked.find((box) => box !== event.target) : event.target).checked = false;
  }
  if ("blind" in event.target.dataset) event.target.form.querySelector("[data-set-blind]").click();
});

document.addEventListener("click", (event) => {
  // A card that is dealt already says why when it is tapped; a legal answer never gets here.
  const no = event.target.closest("span.no[title]");
  if (no) document.querySelector("#why")?.replaceChildren(no.title);
});

// What was told so far outlives the page; once its hand is stored, another number is due and nobody asks for it.
const steps = () => document.querySelector("#steps");
const begun = (form) => form.querySelector("[data-back]") !== null;

function keepCards() {
  const form = steps();
  if (!form) return;
  const { number, players, record } = form.elements;
  kept.write(localStorage, form.dataset.draft, begun(form) ? { number: number.value, players: players.value, record: record.value } : null);
}

function recallCards() {
  const form = steps();
  const draft = form && kept.read(localStorage, form.dataset.draft);
  if (!draft || begun(form) || draft.number !== form.elements.number.value || draft.players !== form.elements.players.value) return keepCards();
  form.elements.record.value = draft.record;
  const go = document.createElement("input");
  Object.assign(go, { type: "hidden", name: "do", value: "go" });
  form.append(go);
  // htmx looks for its forms only after this module has run, or when it is told to.
  window.htmx?.process(form);
  return form.requestSubmit();
}

const pasted = document.querySelector("textarea[data-draft]");
if (pasted) {
  const { draft, number } = pasted.dataset;
  const before = kept.read(localStorage, draft);
  if (!pasted.value && before?.number === number) pasted.value = before.text;
  pasted.addEventListener("input", () => kept.write(localStorage, draft, pasted.value ? { number, text: pasted.value } : null));
}

document.addEventListener("htmx:afterSettle", keepCards);
for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, () => { document.querySelector("[data-no-answer]")?.removeAttribute("hidden"); });
}
recallCards();

window.addEventListener("pageshow", (event) => { if (event.persisted) window.location.reload(); });
