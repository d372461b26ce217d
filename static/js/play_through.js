// Play a stored hand through: arrow keys, Home, End and swipes work like the links. Without this script the links
// remain.
import { closest } from "./dom.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
const SWIPE_PX = 48;

// The step that was asked for last; null once it is shown. Each tap counts, also while an answer is under way.
let wanted = null;

/** Go to the step that a button, a key or a swipe names. */
function wind(where) {
  const nav = document.querySelector(".wind");
  const last = Number(nav.dataset.last);
  const from = wanted ?? Number(nav.dataset.step);
  const step = { first: 0, back: Math.max(0, from - 1), on: Math.min(last, from + 1), last }[where];
  if (step === from) return;
  wanted = step;
  nav.querySelector(".at").textContent = `${step} / ${last}`;
  window.htmx
    .ajax("GET", `?step=${step}`, { source: nav, target: "#through", select: "#through", swap: "outerHTML show:none" })
    .catch(() => {
      /* a later tap took its place */
    });
}

document.addEventListener("click", (event) => {
  const button = closest(event, "a[data-wind]");
  if (!button || !window.htmx || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  wind(button.dataset.wind);
});

// No answer: the next tap starts from the step that is shown.
for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, () => {
    wanted = null;
    const nav = document.querySelector(".wind");
    nav.querySelector(".at").textContent = `${nav.dataset.step} / ${nav.dataset.last}`;
  });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (!(event.key in KEYS) || closest(event, "input, select, textarea")) return;
  event.preventDefault();
  wind(KEYS[event.key]);
});

let start = null;

// A swipe ends at the element where it began, even if a new step has replaced that meanwhile.
document.addEventListener(
  "touchstart",
  (event) => {
    start = event.touches.length === 1 ? event.touches[0] : null;
    event.target.addEventListener("touchend", swiped, { once: true, passive: true });
  },
  { passive: true },
);

function swiped(event) {
  if (!start) return;
  const end = event.changedTouches[0];
  const [across, down] = [end.clientX - start.clientX, end.clientY - start.clientY];
  start = null;
  // A vertical move scrolls; a horizontal one is a step.
  if (Math.abs(across) > SWIPE_PX && Math.abs(across) > 2 * Math.abs(down)) wind(across < 0 ? "on" : "back");
}

// When the fragment is replaced, focus stays on the same button, and the open list stays open.
let focused = null;
let listed = false;
document.addEventListener("htmx:beforeSwap", () => {
  focused = document.querySelector(":focus")?.dataset.wind ?? null;
  listed = document.querySelector("#all-steps")?.open ?? false;
});
document.addEventListener("htmx:afterSwap", () => {
  if (Number(document.querySelector(".wind")?.dataset.step) === wanted) wanted = null;
});
document.addEventListener("htmx:afterSettle", () => {
  if (listed) document.querySelector("#all-steps")?.setAttribute("open", "");
  if (focused) document.querySelector(`[data-wind="${focused}"]`)?.focus({ preventScroll: true });
});
