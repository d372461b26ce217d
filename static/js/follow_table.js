// Follows a table: polls it, reports that the recorder is still there, and reacts when another recorder takes the
// pencil.
import { stay } from "./awake.js";
import { kept } from "./browser_storage.js";
import { mayPoll, offline } from "./night/network.js";
import { keep } from "./night/snapshots.js";
import { answered } from "./night/take_over.js";
import { due } from "./poll_pace.js";

const BEAT_MS = 15000;
const LEAVING_MS = 15000;
const FOLLOWED = "chratzete.followed";
const FOLLOWED_MS = 30000;

const token = () => document.querySelector("#pencil [name=csrfmiddlewaretoken]")?.value;

/** Report that this device still records, or take the pencil if it is free. */
async function beat() {
  const strip = document.querySelector("#pencil");
  if (!strip?.dataset.beat || document.hidden || "lost" in strip.dataset || "over" in strip.dataset || offline())
    return;
  try {
    const answer = await fetch(strip.dataset.beat, {
      method: "POST",
      body: new URLSearchParams({ act: "beat", csrfmiddlewaretoken: token() }),
    });
    if (answer.status === 409) window.htmx?.trigger(strip, "look");
  } catch {
    /* no network: the next beat reports it */
  }
}

/** Return true if there is an entry that must not be lost. */
const entered = () => document.querySelector("#hand[data-entered], #hand.waits") !== null;

// While a form or a link is loading, the page is not reloaded. A download does not leave the page, so this ends after
// LEAVING_MS.
let left = 0;
window.addEventListener("beforeunload", () => {
  left = Date.now();
});
window.addEventListener("pageshow", () => {
  left = 0;
});
const leaving = () => Date.now() - left < LEAVING_MS || document.querySelector("form[data-sending]") !== null;

/**
 * Reload the page, but not at once again for the same reason: the answer may be the kept page of the phone, with the
 * same state.
 */
function loadAgain(reason) {
  const last = kept.read(sessionStorage, FOLLOWED);
  if (last?.reason === reason && Date.now() - last.at < FOLLOWED_MS) return;
  kept.write(sessionStorage, FOLLOWED, { reason, at: Date.now() });
  window.location.reload();
}

/** Reload an outdated page, unless that would lose an entry or the answer to one. */
function follow() {
  if (leaving()) return null;
  if (document.querySelector("[data-moved-on]")) return window.location.reload();
  const strip = document.querySelector("#pencil");
  const form = document.querySelector("#hand");
  if (!strip || !form) return null;
  // Hands of this page that wait for the server come before its state.
  if ("ahead" in form.dataset) {
    form.dispatchEvent(new Event("pencil-changed"));
    return null;
  }
  const moved = strip.dataset.basis !== form.dataset.basis;
  const away = "lost" in strip.dataset || "over" in strip.dataset;
  if (entered()) {
    form.dispatchEvent(new Event("pencil-changed"));
    if (!moved || "lost" in strip.dataset || form.matches(".waits")) return null;
    // Seats or pot changed: the entry moves along with its players. If the hand is already stored, or another person
    // records, the entry stays, and the preview is requested again and shows that.
    const same = strip.dataset.number === form.dataset.number;
    form.dispatchEvent(new Event(same && !away ? "table-changed" : "hand-changed"));
    return null;
  }
  if (!away && !moved) kept.write(sessionStorage, FOLLOWED, null);
  else loadAgain([window.location.pathname, form.dataset.basis, strip.dataset.basis, away].join(" "));
  return null;
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!event.target.hasAttribute("data-poll")) return;
  // The page is hidden, or a popover of the fragment is open: the next poll requests it.
  if (document.hidden || event.target.querySelector(":popover-open") || !mayPoll()) event.preventDefault();
  // The recorder's own strip keeps its pace: somebody may ask for the pencil.
  else if (event.target.id === "live" && !due()) event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!event.target.hasAttribute?.("data-poll")) return;
  const { xhr } = event.detail;
  if (xhr.status !== 200) {
    event.detail.shouldSwap = false;
    return;
  }
  // Signed out meanwhile: a viewer has to sign in, as has a recorder after a tap; an entry is sent first.
  if (!/\/(live|pencil)\/$/.test(new URL(xhr.responseURL).pathname)) {
    event.detail.shouldSwap = false;
    if (event.target.id === "live" || event.detail.requestConfig.verb === "post") window.location.reload();
  }
});

const DEVICE = "chratzete.device";

/**
 * The number of this device, kept beside its cookie: a recorder who lost the cookie and signed in again still has the
 * pencil.
 */
function sameDevice() {
  const mine = document.querySelector("#pencil[data-device]")?.dataset.device;
  const viewer = document.querySelector("#live[data-same-person]");
  if (mine) kept.write(localStorage, DEVICE, mine);
  else if (viewer) takeBack(viewer, kept.read(localStorage, DEVICE));
}

/** Take the pencil back, if this device held it. */
async function takeBack(viewer, device) {
  if (!device) return;
  const body = new URLSearchParams({
    act: "beat",
    device,
    csrfmiddlewaretoken: viewer.querySelector("[name=csrfmiddlewaretoken]").value,
  });
  try {
    const answer = await fetch(viewer.dataset.samePerson, { method: "POST", body });
    if (answer.status === 204) window.location.reload();
  } catch {
    /* no network: the page can be loaded again */
  }
}

/** Keep the state of the table that somebody watches: without a network this phone can go on from it. */
function keepWatched() {
  const block = document.querySelector("#live #night-snapshot");
  if (block) keep(JSON.parse(block.textContent));
}

sameDevice();
keepWatched();
document.addEventListener("htmx:afterSwap", () => {
  keepWatched();
  if (!answered()) follow();
  stay();
});
document.addEventListener("htmx:beforeOnLoad", ({ target, detail }) => {
  if (target.id === "pencil" && detail.xhr.status === 304) answered();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) beat();
});
setInterval(beat, BEAT_MS);
beat();
