// The app on a phone: registers the service worker (worker.js) and moves from one version to the next.
//
// A new version takes over at the next page that is opened, if nothing waits in the outbox. A visible page is never
// loaded again: a tap on it would be lost. A hidden one is, once, if nothing waits and nothing is entered.
import { meta } from "./dom.js";
import * as outbox from "./outbox.js";
import { kept } from "./browser_storage.js";
import { run, SNAPSHOTS } from "./database.js";
import { answerWorker, tellWorker } from "./worker_messages.js";

const IDLE_MS = 4000;
const LONGEST_PAUSE_MS = 5 * 60 * 1000;
// A person who left a page a moment ago often comes back at once, and taps again after a touch: the page is not loaded
// again so soon.
const TOUCHED_MS = 3000;
// A page that is busy misses the question of a takeover: it is asked again, with pauses that grow.
const PAUSE_MS = TOUCHED_MS + 200;
const LEAVING_MS = 30 * 1000;
const UPDATE_MS = 3600 * 1000;
const RELOADED = "chratzete.reloaded";
const version = meta("app-version");
const container = navigator.serviceWorker;

let registration = null;
let updated = 0;
// The version that waits for this page to be loaded again.
let newer = "";
// When another page was chosen: a reload would cancel that. A download does not leave the page.
let left = -Infinity;
// When the page was touched or opened, or the outbox changed.
let touched = performance.now();
let pause = PAUSE_MS;
let timer = 0;

/**
 * Return true if the page was not just touched or opened, nothing was just sent, and no other page is chosen. A
 * takeover waits for the work of the former worker, and a page that is opened meanwhile may never get its answer (seen
 * in Chromium 156).
 */
function calm() {
  const now = performance.now();
  return now - touched >= TOUCHED_MS && now - left >= LEAVING_MS;
}

/**
 * Return true if a person sees the page, has just touched it, has opened something in it, or has chosen another page.
 */
function used() {
  if (!document.hidden || !calm()) return true;
  // The list of files, the camera and the like hide the page, too.
  return document.querySelector(":popover-open, dialog[open], :is(input, select, textarea):focus") !== null;
}

/** Return true if a field of the page has another content than at first, or a hand is half entered in this tab. */
function entered() {
  const changed = (field) => {
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field instanceof HTMLSelectElement)
      return (
        [...field.options].some((option) => option.selected !== option.defaultSelected) && field.selectedIndex !== 0
      );
    return field.value !== field.defaultValue;
  };
  const fields = document.querySelectorAll("form :is(input:not([type=hidden]), textarea, select)");
  return [...fields].some(changed) || Object.keys(sessionStorage).some((key) => key.startsWith("chratzete.draft."));
}

/** Return true if the page can be loaded again now. Events while the outbox was read count, too. */
async function free() {
  return (
    !used() && !outbox.sending() && (await outbox.all()).length === 0 && !outbox.sending() && !entered() && !used()
  );
}

/** Return true if another version has taken over; the page is loaded again once, after any answer of the server. */
const outdated = () => newer !== "" && newer !== version && kept.read(sessionStorage, RELOADED) !== newer;

async function reload() {
  if (!outdated() || !(await free())) return;
  kept.write(sessionStorage, RELOADED, newer);
  window.location.reload();
}

function heard(event) {
  /** @type {import("./worker_messages.js").ToPage} */
  const message = event.data ?? {};
  if (message.ask) free().then((now) => answerWorker(event, { version, free: now, calm: calm() }));
  if (message.version) {
    newer = message.version;
    tellWorker(container.controller, { former: true });
    next();
  }
}

/** A version that is installed asks to take over; again after each change that may allow it, and after a pause. */
function next() {
  pause = PAUSE_MS;
  attempt();
}

function attempt() {
  clearTimeout(timer);
  tellWorker(registration?.waiting, { takeOver: true });
  reload();
  if (!registration?.waiting && !outdated()) return;
  timer = setTimeout(attempt, pause);
  pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
}

/**
 * Note when the page is used. Only some browsers report each navigation; the others report those that leave the page.
 */
function watchUse() {
  const leave = () => {
    left = performance.now();
  };
  window.navigation?.addEventListener("navigate", (event) => {
    if (!event.hashChange && !event.destination.sameDocument && event.downloadRequest === null) leave();
  });
  window.addEventListener("beforeunload", leave);
  window.addEventListener("pageshow", () => {
    left = -Infinity;
    next();
  });
  for (const name of ["pointerdown", "keydown", "input"]) {
    document.addEventListener(
      name,
      () => {
        touched = performance.now();
      },
      { capture: true, passive: true },
    );
  }
}

function watch(installing) {
  installing?.addEventListener("statechange", () => {
    if (installing.state === "installed") next();
  });
}

async function update() {
  if (!registration || Date.now() - updated < UPDATE_MS) return;
  updated = Date.now();
  await registration.update().catch(() => null);
}

/** The first page was loaded before there was a worker: it requests the page once more, to keep it. */
async function introduce(first) {
  const { active } = await container.ready;
  const loaded = {
    account: meta("app-account"),
    language: document.documentElement.lang.slice(0, 2),
    url: first ? window.location.pathname : "",
  };
  tellWorker(active, { loaded });
}

async function start() {
  watchUse();
  const first = container.controller === null;
  container.addEventListener("message", heard);
  registration = await container.register("/worker.js", { updateViaCache: "none" }).catch(() => null);
  if (!registration) return;
  updated = Date.now();
  watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration.installing));
  // While the outbox sends, the former worker is busy; and after an answer the page often goes to another one.
  outbox.listen(() => {
    touched = performance.now();
    setTimeout(next, PAUSE_MS);
  });
  document.addEventListener("visibilitychange", () => {
    next();
    if (!document.hidden) update();
  });
  window.addEventListener("online", () => {
    next();
    update();
  });
  next();
  await introduce(first);
}

/** Remove the snapshots of other accounts: the worker does so as well, but not every browser has one. */
async function forgetOthers() {
  const user = document.querySelector("#outbox")?.dataset.user;
  if (user === undefined) return;
  const others = async (store) => {
    for (const snapshot of await store.getAll()) if (snapshot.user !== user) await store.delete(snapshot.table);
  };
  await run(SNAPSHOTS, "readwrite", others).catch(() => null);
}

/** After the load, so that it delays no first paint. */
function whenIdle() {
  if (window.requestIdleCallback) window.requestIdleCallback(start, { timeout: IDLE_MS });
  else setTimeout(start, 0);
}

forgetOthers();
if (container && version) {
  if (document.readyState === "complete") whenIdle();
  else window.addEventListener("load", whenIdle, { once: true });
}
