// The state of the network for this page: by the browser, and by the last request of the page.
import * as outbox from "../outbox.js";

// Without answers a poll asks once in this time: each failed request is a line in the browser's console.
const AGAIN_MS = 10000;

const listeners = new Set();
let unanswered = false;
let tried = 0;

/** Return true if a request would probably get no answer. */
export function offline() {
  return !navigator.onLine || unanswered;
}

/** Return true if a poll may ask now: never without a network, and from time to time while there are no answers. */
export function mayPoll() {
  if (!navigator.onLine) return false;
  if (unanswered && Date.now() - tried < AGAIN_MS) return false;
  tried = Date.now();
  return true;
}

/** Call `listener(offline)` after each change. Returns the function that ends this. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function note(lost) {
  const before = offline();
  unanswered = lost;
  if (offline() !== before) tell();
}

function tell() {
  for (const listener of [...listeners]) listener(offline());
}

for (const name of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(name, () => note(true));
document.addEventListener("htmx:afterOnLoad", () => note(false));
outbox.listen((outcome) => {
  if (outcome?.kind) note(outcome.kind === outbox.WAITING);
});
window.addEventListener("online", () => {
  unanswered = false;
  tell();
});
window.addEventListener("offline", tell);
