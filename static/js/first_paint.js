// Runs before the first paint, so that base.css shows either the controls for scripts or the plain ones, without a
// change.
const root = document.documentElement;
root.classList.add("js");
// If a script does not load, the plain controls are shown.
window.addEventListener(
  "error",
  (event) => {
    if (event.target instanceof HTMLScriptElement) root.classList.remove("js");
  },
  true,
);
// A form submitted before the scripts are loaded waits for them, as they put it into the outbox. Without them it is
// sent as a plain form. The entry of a hand reads the phone's database first; the taps that come before that are
// repeated.
let loaded = false;
let early = null;
const taps = [];
const heard = (form) => (form.id === "hand" ? form.hasAttribute("data-heard") : loaded);
document.addEventListener(
  "submit",
  (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!root.classList.contains("js") || !form.elements.key || heard(form)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    early = { form, button: event.submitter };
    early.button?.setAttribute("aria-busy", "true");
  },
  true,
);
document.addEventListener(
  "click",
  (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (
      button?.matches("#hand [type=button]:not([popovertarget])") &&
      root.classList.contains("js") &&
      !heard(button.form)
    )
      taps.push(button);
  },
  true,
);
function repeat() {
  for (const button of taps.splice(0)) button.click();
  if (!early || !heard(early.form)) return;
  const { form, button } = early;
  early = null;
  button?.removeAttribute("aria-busy");
  form.requestSubmit(button);
}
document.addEventListener("DOMContentLoaded", () => {
  loaded = true;
  if (taps.length === 0) repeat();
});
document.addEventListener("hand-heard", repeat);
