// The event stream of a page that polls: it says only that there is something new. The page then polls at once, and
// else seldom. Without a stream, or after it was cut, the page polls as ever (poll_pace.js).
//
// A hidden page has no stream, nor one that the browser keeps for the way back.
import { pollSeldom, want } from "./poll_pace.js";

// All phones of an evening get the news at once: each waits for a moment of its own.
const SPREAD_MS = 1000;
// The service sends a beat each 20 seconds. A stream without one is dead, whatever the browser believes.
const SILENT_MS = 50_000;
const FIRST_AGAIN_MS = 4000;
const LONGEST_AGAIN_MS = 300_000;

const part = () => document.querySelector("[data-poll][data-stream]");

let source = null;
let hears = false;
let failures = 0;
let again = 0;
let silent = 0;
let looks = 0;

/** Poll within the next second. */
function look() {
  if (looks) return;
  looks = setTimeout(() => {
    looks = 0;
    want();
    if (part()) window.htmx?.trigger(part(), "look");
  }, Math.random() * SPREAD_MS);
}

/** A sign of life of the service. With the first one the polls become seldom. */
function heard() {
  clearTimeout(silent);
  silent = setTimeout(cut, SILENT_MS);
  if (hears) return;
  hears = true;
  failures = 0;
  pollSeldom(Number(part()?.dataset.seldom ?? 0) * 1000);
  tell();
  // News from before the stream was open.
  look();
}

function tell() {
  document.dispatchEvent(new CustomEvent("stream-changed", { detail: { open: hears } }));
}

function close() {
  source?.close();
  source = null;
  clearTimeout(silent);
  clearTimeout(again);
  if (!hears) return;
  hears = false;
  pollSeldom(0);
  tell();
}

/** The stream ended, or there is none: poll, and try again later, each phone at a time of its own. */
function cut() {
  const lost = hears;
  close();
  if (lost) look();
  const most = Math.min(LONGEST_AGAIN_MS, FIRST_AGAIN_MS * 2 ** failures);
  failures += 1;
  again = setTimeout(open, most * (0.25 + 0.75 * Math.random()));
}

function open() {
  const live = part();
  if (source || !live || document.hidden || !navigator.onLine) return;
  clearTimeout(again);
  const url = `${live.dataset.stream}?part=${encodeURIComponent(live.getAttribute("hx-get"))}`;
  source = new EventSource(url);
  source.addEventListener("beat", heard);
  source.addEventListener("news", () => {
    heard();
    look();
  });
  source.addEventListener("error", cut);
}

document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
window.addEventListener("pagehide", close);
window.addEventListener("pageshow", open);
window.addEventListener("online", open);
window.addEventListener("offline", close);
document.addEventListener("htmx:afterSettle", () => {
  // What was polled is over, such as an evening that was closed.
  if (!part()) close();
});
for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, ({ target }) => {
    // A poll that failed is repeated at the usual pace, and a stream that cannot help is no sign of life.
    if (hears && target === part()) cut();
  });
}
open();
