// Pages for readers: ages count on without the server, and a poll with 304 changes nothing.

import { due } from "./poll_pace.js";

const SIZES = [1, 60, 3600, 86400];
const LIMITS = [60, 3600, 86400, Infinity];

export function age(seconds, patterns) {
  const step = LIMITS.findIndex((limit) => seconds < limit);
  return patterns[step].replace("{n}", String(Math.floor(seconds / SIZES[step])));
}

// The server sends the time of a count. Each answer to a poll has the server's time: from then on a wrongly set clock
// does not matter.
let ahead = 0;

function tick() {
  const now = (Date.now() - ahead) / 1000;
  for (const time of document.querySelectorAll("time[data-patterns]")) {
    const text = age(Math.max(0, now - Date.parse(time.dateTime) / 1000), time.dataset.patterns.split("|"));
    if (time.textContent !== text) time.textContent = text;
  }
}

document.addEventListener("htmx:afterRequest", (event) => {
  const sent = Date.parse(event.detail.xhr.getResponseHeader("Date"));
  if (sent) ahead = Date.now() - sent;
});

tick();
setInterval(tick, 1000);

document.addEventListener("htmx:beforeRequest", (event) => {
  // A hidden page does not poll. The next tick after its return does.
  if (event.target.hasAttribute("data-poll") && (document.hidden || !navigator.onLine || !due()))
    event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status === 304) event.detail.shouldSwap = false;
  // Details that the reader opened stay open in the new fragment.
  else if (event.detail.shouldSwap)
    open = [...document.querySelectorAll("details[open][id]")].map((details) => details.id);
});

// A link to a hand opens the ten in which it is folded; on paper all are open.
function unfold() {
  const hand = location.hash.startsWith("#hand-") ? document.getElementById(location.hash.slice(1)) : null;
  const ten = hand?.closest("details");
  if (!ten || ten.open) return;
  ten.open = true;
  hand.scrollIntoView();
}

unfold();
window.addEventListener("hashchange", unfold);
window.addEventListener("beforeprint", () => {
  for (const ten of document.querySelectorAll("details.ten")) ten.setAttribute("open", "");
});

let open = [];

document.addEventListener("htmx:afterSwap", () => {
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  open = [];
  tick();
});
