// Card by card: limit the ticked cards to the number asked for, choose blind without a button, keep a draft. The server
// decides the rest.
import { kept } from "./browser_storage.js";
import { closest } from "./dom.js";

document.addEventListener("change", (event) => {
  const box = /** @type {HTMLInputElement} */ (event.target);
  const set = box.closest("fieldset[data-most]");
  if (set) {
    const most = Number(set.dataset.most);
    const ticked = [.../** @type {NodeListOf<HTMLInputElement>} */ (set.querySelectorAll("input:checked"))];
    // One too many: if a single card is asked for, the earlier tick is removed, else the new one.
    if (ticked.length > most) (most === 1 ? ticked.find((other) => other !== box) : box).checked = false;
  }
  if ("blind" in box.dataset) box.form.querySelector("[data-set-blind]").click();
});

document.addEventListener("click", (event) => {
  // A tap on a refused card shows the reason of the refusal.
  const no = closest(event, "span.no[title]");
  if (no) document.querySelector("#why")?.replaceChildren(no.title);
});

// The cards entered so far are kept as a draft. Once the hand is stored, the number no longer fits and the draft is not
// used.
const steps = () => document.querySelector("#steps");
const begun = (form) => form.querySelector("[data-back]") !== null;

function keepCards() {
  const form = steps();
  if (!form) return;
  const { number, players, record } = form.elements;
  kept.write(
    localStorage,
    form.dataset.draft,
    begun(form) ? { number: number.value, players: players.value, record: record.value } : null,
  );
}

function recallCards() {
  const form = steps();
  const draft = form && kept.read(localStorage, form.dataset.draft);
  if (
    !draft ||
    begun(form) ||
    draft.number !== form.elements.number.value ||
    draft.players !== form.elements.players.value
  )
    return keepCards();
  form.elements.record.value = draft.record;
  const go = document.createElement("input");
  Object.assign(go, { type: "hidden", name: "do", value: "go" });
  form.append(go);
  // htmx processes forms only after this module has run, so it is called here.
  window.htmx?.process(form);
  return form.requestSubmit();
}

const pasted = document.querySelector("textarea[data-draft]");
if (pasted) {
  const { draft, number } = pasted.dataset;
  const before = kept.read(localStorage, draft);
  if (!pasted.value && before?.number === number) pasted.value = before.text;
  pasted.addEventListener("input", () =>
    kept.write(localStorage, draft, pasted.value ? { number, text: pasted.value } : null),
  );
}

// Before the page settles: it may be closed at once.
document.addEventListener("htmx:afterSwap", keepCards);
for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, (event) => {
    if (!closest(event, "#pencil")) document.querySelector("[data-no-answer]")?.removeAttribute("hidden");
  });
}
recallCards();

window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
