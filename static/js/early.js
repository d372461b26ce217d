// Runs before the first paint: base.css shows either the controls for scripts or the plain ones, never first one and then the other.
const root = document.documentElement;
root.classList.add("js");
// A script that does not arrive leaves the plain controls, which need none.
window.addEventListener("error", (event) => { if (event.target instanceof HTMLScriptElement) root.classList.remove("js"); }, true);
// A tap before the scripts are there waits for them: they keep a save until it has an answer. Where they do not come it goes out as a form.
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
