// Runs before the first paint, so that base.css shows either the controls for scripts or the plain ones, without a change.
const root = document.documentElement;
root.classList.add("js");
// If a script does not load, the plain controls are shown.
window.addEventListener("error", (event) => { if (event.target instanceof HTMLScriptElement) root.classList.remove("js"); }, true);
// A form submitted before the scripts are loaded waits for them, as they put it into the outbox. Without them it is sent as a plain form.
let early = null;
const waiting = new AbortController();
document.addEventListener("submit", (event) => {
  if (!root.classList.contains("js") || !event.target.elements.key) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  early = { form: event.target, button: event.submitter };
  early.button?.setAttribute("aria-busy", "true");
}, { capture: true, signal: waiting.signal });
document.addEventListener("DOMContentLoaded", () => {
  waiting.abort();
  early?.button?.removeAttribute("aria-busy");
  early?.form.requestSubmit(early.button);
});
