// The service worker: pages, scripts and styles of one version, for a night without a network, and messages by push.
// The server puts `const APP = {version, files, …}` (worker_app.d.ts) in front of it (league/web/app_shell.py), so that
// each version is another script. Caches, all of this version: `chratzete-files-VERSION` has the static files and the
// offline page, `chratzete-pages-VERSION` the kept pages. A page is kept only if the server says so (`Keep`), in the
// cache of the version that made it (`App-Version`), for the account that it was made for (`Account`). The account is
// in `chratzete-state`.
import { ITEMS, runIfThere, SNAPSHOTS } from "./database.js";
import { fieldsOf, subscribe, textOf } from "./push_subscription.js";
import { askPage, tellPage } from "./worker_messages.js";

const FILES = "chratzete-files-";
const PAGES = "chratzete-pages-";
const STATE = "chratzete-state";
const FOUND_MS = 2500;
const KEEP_MS = 30 * 24 * 3600 * 1000;
const ALSO_MS = 3600 * 1000;
const NEW_MS = 60 * 1000;
const NOBODY = "none";
const NO_SERVER = [502, 503, 504];
// The statuses of the server for a missing page, or for one that this reader may not see.
const REFUSED = [401, 403, 404, 410];

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const files = caches.open(FILES + APP.version);
const known = new Set(APP.files);

// --- State: small values under made-up addresses -------------------------------------------------------------------

async function state(name) {
  const answer = await (await caches.open(STATE)).match(`/${name}`);
  return answer ? answer.text() : "";
}

async function setState(name, value) {
  return (await caches.open(STATE)).put(`/${name}`, new Response(value));
}

/** The names of all caches with this beginning, those of other versions only if `others`. */
async function names(beginning, others = false) {
  const all = (await caches.keys()).filter((name) => name.startsWith(beginning));
  return others ? all.filter((name) => name !== beginning + APP.version) : all;
}

const waiting = () => runIfThere(ITEMS, "readonly", (store) => store.getAll(), []);

// --- Accounts ------------------------------------------------------------------------------------------------------

/** An answer of the server names the account. Another one than before, or nobody: remove the data of the former. */
async function seen(account) {
  const former = await state("account");
  if (!account || account === former) return;
  await setState("account", account);
  for (const name of await names(PAGES)) await caches.delete(name);
  // Nobody had none; the first page of an account may have kept its own before the worker got its answer.
  if (former && former !== NOBODY)
    await runIfThere(SNAPSHOTS, "readwrite", (store) => store.clear(), null).catch(() => null);
}

// --- Kept pages ----------------------------------------------------------------------------------------------------

const pathOf = (url) => new URL(url, worker.location.origin).pathname;
const versionOf = (answer) => answer.headers.get("App-Version");

/**
 * A copy with the time at which it was fetched; it also loses the mark of a redirect, with which it could not be shown.
 */
async function dated(answer) {
  const headers = new Headers(answer.headers);
  headers.set("Kept-At", String(Date.now()));
  return new Response(await answer.blob(), { status: answer.status, headers });
}

/**
 * Keep a page, or remove the one that was kept before: its evening or its link is over. True if the answer was one of
 * the server.
 */
async function keep(url, answer) {
  const version = versionOf(answer);
  if (!version || answer.type !== "basic") return false;
  const path = pathOf(url);
  if (!answer.ok || answer.redirected || !answer.headers.has("Keep")) {
    if (new URL(url, worker.location.origin).search && !REFUSED.includes(answer.status)) return true;
    for (const name of await names(PAGES)) await (await caches.open(name)).delete(path);
    return true;
  }
  if (answer.headers.get("Account") !== (await state("account"))) return true;
  await (await caches.open(PAGES + version)).put(path, await dated(answer));
  return true;
}

/** Request a page to keep it, without its notices. Throws without an answer of the server. */
async function fetchToKeep(url) {
  const answer = await fetch(pathOf(url), { headers: { "To-Keep": "1" }, cache: "no-store" });
  if (answer.status >= 500 || !(await keep(url, answer.clone()))) throw new Error(`no answer for ${url}`);
  return answer;
}

/** The kept page for an address, if it is of this version and of the present account. */
async function kept(url) {
  const page = await (await caches.open(PAGES + APP.version)).match(pathOf(url), { ignoreVary: true });
  return page && page.headers.get("Account") === (await state("account")) ? page : null;
}

/** Also keep the pages that the page names, unless that was done a short time ago. */
async function keepAlso(answer) {
  const pages = await caches.open(PAGES + APP.version);
  for (const url of (answer.headers.get("Keep-Also") ?? "").split(" ").filter(Boolean)) {
    const there = await pages.match(url, { ignoreVary: true });
    if (there && Date.now() - Number(there.headers.get("Kept-At")) < ALSO_MS) continue;
    await fetchToKeep(url)
      .then(keepAlso)
      .catch(() => null);
  }
}

/** Remove pages and snapshots that were fetched 30 days ago, unless writes of their table wait. */
async function tidy() {
  const old = Date.now() - KEEP_MS;
  const items = await waiting().catch(() => null);
  // The outbox cannot be read: something may wait.
  if (!items) return;
  const waits = (table) => items.some((item) => String(item.table ?? "") === table);
  for (const name of await names(PAGES)) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const page = await cache.match(request, { ignoreVary: true });
      const table = /\/t\/(\d+)\//.exec(request.url)?.[1] ?? "";
      // The page of an evening that began on this phone and has not arrived.
      const begun = items.some((item) => item.page && pathOf(item.page) === pathOf(request.url));
      if (Number(page?.headers.get("Kept-At")) < old && !waits(table) && !begun) await cache.delete(request);
    }
  }
  const snapshots = await runIfThere(SNAPSHOTS, "readonly", (store) => store.getAll(), []).catch(() => []);
  for (const snapshot of snapshots) {
    if (!(snapshot.kept < old) || waits(String(snapshot.table))) continue;
    await runIfThere(SNAPSHOTS, "readwrite", (store) => store.delete(snapshot.table), null).catch(() => null);
  }
}

// --- Answers to pages ----------------------------------------------------------------------------------------------

/**
 * The answer to a navigation: the network's, within 2.5 s if there is a kept page; else the kept page, else the offline
 * page.
 */
async function navigated(event) {
  const { request } = event;
  const here = await kept(request.url);
  const network = fetch(request);
  const inTime = here
    ? Promise.race([
        network,
        new Promise((resolve) => {
          setTimeout(resolve, FOUND_MS, null);
        }),
      ])
    : network;
  const answer = await inTime.catch(() => null);
  // Before the scripts of the page run: their later writes are their own.
  if (answer) await seen(answer.headers.get("Account"));
  event.waitUntil(network.then((reply) => learn(request.url, reply)).catch(() => null));
  if (!answer) return here ?? (await (await files).match(APP.offline, { ignoreVary: true })) ?? Response.error();
  if (here && NO_SERVER.includes(answer.status)) return here;
  // The answer may have named another account: then the page is gone.
  if (here && isOther(answer) && (await waiting().catch(() => [])).length > 0)
    return (await kept(request.url)) ?? answer;
  return answer;
}

/**
 * Return true for a page of another version: with writes that wait, a night goes on in the version in which it began.
 */
function isOther(answer) {
  return versionOf(answer) !== null && versionOf(answer) !== APP.version;
}

/**
 * Keep the answer to a navigation, if it may be kept. One that comes late names no account: another one may have been
 * seen since. A copy is made only of a body that is kept: a copy that nobody reads stays in memory.
 */
async function learn(url, answer) {
  if (answer.headers.has("Keep-Again")) await fetchToKeep(url).catch(() => null);
  else await keep(url, answer.headers.has("Keep") ? answer.clone() : answer);
  await keepAlso(answer);
}

/** The token of the outbox names the account, too. */
async function watched(request) {
  const answer = await fetch(request);
  await seen(answer.headers.get("Account"));
  return answer;
}

/**
 * A page that stays open asks for its own address: its later content is kept, too. A refusal goes to the page once
 * nothing is kept.
 */
async function followed(event) {
  const answer = await fetch(event.request);
  const { url } = event.request;
  await seen(answer.headers.get("Account"));
  const learned = answer.status === 304 ? stillNew(url) : learn(url, answer);
  if (REFUSED.includes(answer.status)) await learned.catch(() => null);
  else event.waitUntil(learned.catch(() => null));
  return answer;
}

/** The kept page is up to date. Its time is written once a minute. */
async function stillNew(url) {
  const pages = await caches.open(PAGES + APP.version);
  const there = await pages.match(pathOf(url), { ignoreVary: true });
  if (!there) await fetchToKeep(url);
  else if (Date.now() - Number(there.headers.get("Kept-At")) > NEW_MS) await pages.put(pathOf(url), await dated(there));
}

async function file(request) {
  // A developer sees each change of a file at once.
  const fresh = APP.fresh ? await fetch(request).catch(() => null) : null;
  return fresh ?? (await (await files).match(request, { ignoreVary: true })) ?? fetch(request);
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== worker.location.origin) return;
  if (request.mode === "navigate") event.respondWith(navigated(event));
  else if (url.pathname === APP.token) event.respondWith(watched(request));
  else if (known.has(url.pathname)) event.respondWith(file(request));
  else if (request.headers.has("To-Keep")) event.respondWith(followed(event));
});

// --- Versions ------------------------------------------------------------------------------------------------------

async function fetchFiles() {
  const cache = await files;
  const mode = APP.fresh ? "reload" : "default";
  await Promise.all(
    APP.files.map(async (url) => {
      const answer = await fetch(url, { cache: mode });
      if (!answer.ok) throw new Error(`${answer.status} for ${url}`);
      await cache.put(url, answer);
    }),
  );
  await fetchOffline();
}

async function fetchOffline() {
  const answer = await fetch(APP.offline, { cache: "no-store" });
  if (!answer.ok || versionOf(answer) !== APP.version) throw new Error("the offline page is of another version");
  await setState("language", answer.headers.get("Content-Language"));
  await (await files).put(APP.offline, answer);
}

/**
 * Fetch every kept page again, so that this version has all pages of the former. Throws without a network: the former
 * stays.
 */
async function fetchPages() {
  const urls = new Set();
  for (const name of await names(PAGES)) {
    for (const request of await (await caches.open(name)).keys()) urls.add(pathOf(request.url));
  }
  for (const url of urls) await fetchToKeep(url);
}

async function install() {
  const there = await caches.has(FILES + APP.version);
  const former = [...(await names(FILES, true)), ...(await names(PAGES, true))];
  try {
    await fetchFiles();
    await fetchPages();
    await setState(`former-${APP.version}`, former.join(" "));
  } catch (fault) {
    // Of a version that is active already, nothing is removed.
    if (!there) await caches.delete(FILES + APP.version);
    throw fault;
  }
}

/** Remove only caches that existed when this version was installed: a newer one may be installing now. */
async function removeFormer() {
  for (const name of (await state(`former-${APP.version}`)).split(" ").filter(Boolean)) await caches.delete(name);
  await (await caches.open(STATE)).delete(`/former-${APP.version}`);
}

/**
 * As short as possible: a page that is opened now waits for its end. The pages ask then to remove the caches of the
 * former version.
 */
async function activate() {
  await worker.clients.claim();
  for (const client of await worker.clients.matchAll({ type: "window" })) tellPage(client, { version: APP.version });
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));

/**
 * Take over from the former version, if no page of it is open that still needs it. (No navigation preload is used: a
 * request that was under way during a takeover got no answer with it.)
 */
async function takeOver() {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const answers = await Promise.all(pages.map(askPage));
  // Between two pages there is none that could answer. With all of them closed the browser lets this version take over
  // by itworker.
  const lets = ({ version, free, calm }) => free || (calm && version === APP.version);
  if (answers.length > 0 && answers.every(lets)) await worker.skipWaiting();
}

/**
 * A page was loaded: its account, its language, and its address if it was loaded before there was a worker to keep it.
 */
async function loaded({ account, language, url }) {
  await seen(account);
  await removeFormer();
  await tidy();
  if (url)
    await fetchToKeep(url)
      .then(keepAlso)
      .catch(() => null);
  if (language !== (await state("language"))) await fetchOffline().catch(() => null);
}

worker.addEventListener("message", (event) => {
  /** @type {import("./worker_messages.js").ToWorker} */
  const message = event.data ?? {};
  if (message.takeOver) event.waitUntil(takeOver());
  else if (message.former) event.waitUntil(removeFormer());
  else if (message.loaded) event.waitUntil(loaded(message.loaded));
});

// --- Messages by push ----------------------------------------------------------------------------------------------

/**
 * Show a message. That of an account is shown as it is only while the account is signed in here: anybody may hold the
 * phone. A browser demands that something is shown for each message.
 */
async function pushed(event) {
  const said = await Promise.resolve(event.data)
    .then((data) => data.json())
    .catch(() => ({}));
  const open = !said.account || said.account === (await state("account"));
  await worker.registration.showNotification(open && said.title ? String(said.title) : "Chratzete", {
    body: String((open ? said.body : said.hidden) ?? ""),
    tag: String(said.tag ?? "message"),
    icon: APP.icon,
    data: { url: open ? ownAddress(said.url) : "/" },
  });
}

/** An address of this server; any other one is the first page. */
function ownAddress(url) {
  try {
    const address = new URL(String(url ?? "/"), worker.location.origin);
    return address.origin === worker.location.origin ? address.href : "/";
  } catch {
    return "/";
  }
}

/** A tap on a message opens its page, or shows the one that is open. */
async function tapped(event) {
  event.notification.close();
  const url = new URL(ownAddress(event.notification.data?.url), worker.location.origin).href;
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => page.url === url);
  await (there ? there.focus() : worker.clients.openWindow(url));
}

/** The browser has ended its subscription: make a new one, and tell the server which one it replaces. */
async function renewed(event) {
  const old = event.oldSubscription;
  if (!old) return;
  const { key, token } = await (await fetch(APP.renew)).json();
  const subscription = event.newSubscription ?? (await subscribe(worker.registration.pushManager, key));
  await fetch(APP.renew, {
    method: "POST",
    headers: { "X-CSRFToken": token },
    body: new URLSearchParams({ old: old.endpoint, old_auth: textOf(old.getKey("auth")), ...fieldsOf(subscription) }),
  });
}

worker.addEventListener("push", (event) => event.waitUntil(pushed(event)));
worker.addEventListener("notificationclick", (event) => event.waitUntil(tapped(event)));
worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renewed(event).catch(() => null)));
