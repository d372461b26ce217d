// Runs before the first paint: base.css shows either the controls for scripts or the plain ones, never first one and then the other.
const root = document.documentElement;
root.classList.add("js");
// A script that does not arrive leaves the plain controls, which need none.
window.addEventListener("error", (event) => { if (event.target instanceof HTMLScriptElement) root.classList.remove("js"); }, true);
