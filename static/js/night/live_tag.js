// The mark "live" of the page of somebody who watches: only while the answers to the polls are as young as the polls.
//
// Without them the mark says the time of the last one.
import { presentPause } from "../poll_pace.js";
import * as network from "./network.js";

// The pause until the next poll, 1.5 seconds if there is none, and as long for its answer.
const YOUNG_MS = 3000;
const young = () => Math.max(YOUNG_MS, 2 * presentPause());

const live = document.querySelector("[data-live]");
const stale = document.querySelector("[data-stale]");
let timer = 0;
let last = null;

function show(isLive) {
  live.hidden = !isLive;
  stale.hidden = isLive || last === null;
  if (last !== null)
    stale.textContent = stale.dataset.asOf.replace(
      "{time}",
      last.toLocaleTimeString("de-CH", { hour: "2-digit", minute: "2-digit" }),
    );
}

/** Wait for the next answer, or say that the page is no longer live. */
function expect() {
  clearTimeout(timer);
  timer = setTimeout(show, young(), false);
}

/** The answer to a poll, before it replaces anything. */
function answered({ target, detail }) {
  if (!target.hasAttribute?.("data-poll") || ![200, 304].includes(detail.xhr.status)) return;
  last = new Date();
  expect();
  show(true);
}

function lost(isOffline) {
  if (!isOffline) return;
  clearTimeout(timer);
  show(false);
}

if (live) {
  document.addEventListener("htmx:beforeOnLoad", answered);
  // While the stream is open the polls are rare; when it was cut, they must come at their own pace again.
  document.addEventListener("stream-changed", expect);
  network.listen(lost);
  // This page is never kept: it came with an answer.
  last = new Date(performance.timeOrigin);
  lost(network.offline());
}
