// The table as it goes on: looks every moment, says that the writer is still there, and notices when the pencil changes hands.
import { stay } from "./awake.js";

const BEAT_MS = 15000;
const LEAVING_MS = 15000;

const token = () => document.querySelector("#pencil [name=csrfmiddlewaretoken]")?.value;

/** Say that this device still writes here, or take the pencil where it lies free. */
async function beat() {
  const strip = document.querySelector("#pencil");
  if (!strip || document.hidden || "lost" in strip.dataset || "over" in strip.dataset) return;
  try {
    const answer = await fetch(strip.dataset.beat, { method: "POST", body: new URLSearchParams({ act: "beat", csrfmiddlewaretoken: token() }) });
    if (answer.status === 409) window.htmx?.trigger(strip, "look");
  } catch { /* no network: the next one tells */ }
}

/** Whether something was tapped that must not go away by itself. */
const entered = () => document.querySelector("#hand[data-entered], #hand.waits") !== null;

// The answer to a form, or where a link leads, is under way: that is not loaded over. What turns out to be a file to keep leaves nothing.
let left = 0;
window.addEventListener("beforeunload", () => { left = Date.now(); });
window.addEventListener("pageshow", () => { left = 0; });
const leaving = () => Date.now() - left < LEAVING_MS || document.querySelector("form[data-sending]") !== null;

/** The page is about something that is over: load what holds now, unless that would lose an entry or the answer to one. */
function follow() {
  if (leaving()) return null;
  if (document.querySelector("[data-moved-on]")) return window.location.reload();
  const strip = document.querySelector("#pencil");
  const form = document.querySelector("#hand");
  if (!strip || !form) return null;
  const moved = strip.dataset.stand !== form.dataset.stand;
  const away = "lost" in strip.dataset || "over" in strip.dataset;
  if (entered()) {
    if (!moved || form.matches(".waits")) return null;
    // Others sit there, or the pot is another: what was entered goes along with its players. Where the hand is stored already, or
    // somebody else writes, it stays as it is; the bar is asked again and says so.
    const same = strip.dataset.number === form.dataset.number;
    form.dispatchEvent(new Event(same && !away ? "table-changed" : "hand-changed"));
    return null;
  }
  if (away || moved) window.location.reload();
  return null;
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!event.target.hasAttribute("data-poll")) return;
  // Nobody looks, or somebody reads what has opened out of it: the next tick asks again.
  if (document.hidden || event.target.querySelector(":popover-open")) event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!event.target.hasAttribute?.("data-poll")) return;
  const { xhr } = event.detail;
  if (xhr.status !== 200) { event.detail.shouldSwap = false; return; }
  // Signed out meanwhile: who looks on is asked to sign in, who writes sends first.
  if (!new URL(xhr.responseURL).pathname.endsWith("/live/")) {
    event.detail.shouldSwap = false;
    if (event.target.id === "live") window.location.reload();
  }
});

document.addEventListener("htmx:afterSwap", () => { follow(); stay(); });
document.addEventListener("visibilitychange", () => { if (!document.hidden) beat(); });
setInterval(beat, BEAT_MS);
beat();
