// The screen for the pub follows its club: it requests its own page, which is sent only after a change. The service
// worker keeps its content (`To-Keep`). Without a network it stays as it is and shows the time, also after it was
// opened again.

import { turnPages } from "./screen_turns.js";

const LATE_MS = 25000;
const WAIT_MS = 8000;
const PAGES = "chratzete-pages-";
const GONE = [401, 403, 404, 410];

const live = () => document.querySelector("[data-pub-screen]");
const every = () => Number(live()?.dataset.seconds || 10) * 1000;
const versionOf = (page) => page.querySelector("meta[name=app-version]")?.content;
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const DAY = { weekday: "short", day: "numeric", month: "short" };
const written = (time, how) => new Intl.DateTimeFormat(document.documentElement.lang, how).format(time);
let etag = "";
// The time of the last answer of the server; `asked`: a request was made since the page was opened.
let answered = Date.now();
let asked = false;

/** Return the time of day, with the day before it if that was not today. */
function timeOf(time) {
  const today = new Date().toDateString() === new Date(time).toDateString();
  return written(time, today ? CLOCK : { ...DAY, ...CLOCK });
}

/** When the copy of this page was fetched that the service worker keeps; 0 without one. */
async function keptAt() {
  const pages = await window.caches?.open(PAGES + versionOf(document));
  const copy = await pages?.match(window.location.pathname, { ignoreVary: true });
  return Number(copy?.headers.get("Kept-At") ?? 0);
}

function tick() {
  const day = document.querySelector("[data-day]");
  if (day) day.textContent = written(new Date(), CLOCK);
  const net = document.querySelector("[data-offline]");
  net.hidden = !asked || Date.now() - answered <= Math.max(LATE_MS, 2.5 * every());
  const text = net.querySelector("[data-pattern]");
  if (!net.hidden) text.textContent = text.dataset.pattern.replace("{time}", timeOf(answered));
}

/**
 * Put the scenes of a page in the place of the old ones; a page of another version of the program is loaded instead.
 */
function take(page) {
  const fresh = page.querySelector("[data-pub-screen]");
  // Another answer than the screen, for example the sign-in of a network: the screen stays.
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

/**
 * Ask for the page. After a link that is over, the answer of the server is shown; an answer of the pub's network does
 * not count.
 */
async function poll() {
  const headers = { "To-Keep": "1", ...(etag ? { "If-None-Match": etag } : {}) };
  const answer = await fetch(window.location.pathname, {
    headers,
    cache: "no-store",
    signal: AbortSignal.timeout(WAIT_MS),
  });
  if (GONE.includes(answer.status) && answer.headers.has("App-Version")) return window.location.reload();
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
  if (navigator.onLine) await poll().catch(() => null);
  asked = true;
  setTimeout(turn, every() * (0.85 + 0.3 * Math.random()));
}

/** A page that was opened without a network is as old as its copy: ask at once. */
async function begin() {
  const moment = await keptAt().catch(() => 0);
  if (!moment || Date.now() - moment < every()) {
    setTimeout(turn, every());
    return;
  }
  answered = moment;
  await turn();
}

let shown = live().innerHTML;
turnPages(true);
window.addEventListener("online", () => poll().catch(() => null));
setInterval(tick, 1000);
tick();
begin();
