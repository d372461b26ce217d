// The screen for the pub follows its club: it asks for its own page, which is sent only where something is new. Without
// a network it stays as it is and says since when.

import { turnPages } from "./screen_turns.js";

const LATE_MS = 25000;
const WAIT_MS = 8000;

const live = () => document.querySelector("[data-pub-screen]");
const every = () => Number(live()?.dataset.seconds || 10) * 1000;
const versionOf = (page) => page.querySelector("meta[name=app-version]")?.content;
const timeOfDay = (time) => new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" }).format(time);
let etag = "";
let answered = Date.now();

function tick() {
  const day = document.querySelector("[data-day]");
  if (day) day.textContent = timeOfDay(new Date());
  const net = document.querySelector("[data-offline]");
  net.hidden = Date.now() - answered <= Math.max(LATE_MS, 2.5 * every());
  const text = net.querySelector("[data-pattern]");
  if (!net.hidden) text.textContent = text.dataset.pattern.replace("{time}", timeOfDay(new Date(answered)));
}

/** Put the scenes of a page in the place of the old ones; a page of another version of the program is loaded instead. */
function take(page) {
  const fresh = page.querySelector("[data-pub-screen]");
  // Something else than the screen, for example the sign-in of a network: the screen stays.
  if (!fresh) return false;
  if (versionOf(page) !== versionOf(document)) {
    window.location.reload();
    return true;
  }
  if (fresh.innerHTML !== shown) {
    shown = fresh.innerHTML;
    live().replaceWith(document.adoptNode(fresh));
    turnPages(false);
  }
  return true;
}

/** Ask for the page. After a link that is over, the answer of the server is shown. */
async function poll() {
  const headers = etag ? { "If-None-Match": etag } : {};
  const answer = await fetch(window.location.pathname, { headers, cache: "no-store", signal: AbortSignal.timeout(WAIT_MS) });
  if (answer.status === 404 || answer.status === 403) return window.location.reload();
  if (answer.status !== 304) {
    if (!answer.ok || !take(new DOMParser().parseFromString(await answer.text(), "text/html"))) return null;
    etag = answer.headers.get("ETag") || "";
  }
  answered = Date.now();
  tick();
  return null;
}

async function turn() {
  // No network, or no answer in time: the next turn asks again.
  await poll().catch(() => null);
  setTimeout(turn, every() * (0.85 + 0.3 * Math.random()));
}

let shown = live().innerHTML;
turnPages(true);
window.addEventListener("online", () => poll().catch(() => null));
setInterval(tick, 1000);
tick();
setTimeout(turn, every());
