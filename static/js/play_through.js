// Play a stored hand through: arrow keys, Home, End and swipes work like the links. Without this script the links remain.

const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
const SWIPE_PX = 48;

export function wind(where) {
  document.querySelector(`[data-wind="${where}"]`)?.click();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (!(event.key in KEYS) || event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  wind(KEYS[event.key]);
});

let start = null;

document.addEventListener("touchstart", (event) => {
  start = event.touches.length === 1 ? event.touches[0] : null;
}, { passive: true });

document.addEventListener("touchend", (event) => {
  if (!start) return;
  const end = event.changedTouches[0];
  const [across, down] = [end.clientX - start.clientX, end.clientY - start.clientY];
  start = null;
  // A vertical move scrolls; a horizontal one is a step.
  if (Math.abs(across) > SWIPE_PX && Math.abs(across) > 2 * Math.abs(down)) wind(across < 0 ? "on" : "back");
}, { passive: true });

// When the fragment is replaced, focus stays on the same button, and the open list stays open.
let focused = null;
let listed = false;
document.addEventListener("htmx:beforeSwap", () => {
  focused = document.activeElement?.dataset?.wind ?? null;
  listed = document.querySelector("#all-steps")?.open ?? false;
});
document.addEventListener("htmx:afterSettle", () => {
  if (listed) document.querySelector("#all-steps")?.setAttribute("open", "");
  if (focused) document.querySelector(`[data-wind="${focused}"]`)?.focus({ preventScroll: true });
});
