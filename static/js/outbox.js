// The outbox: writes that have no answer yet. Each is sent again with the same key until the server answers it.
//
// An item: { key, url (the target), body (the form, without its token), title and summary (texts for people), user, at (ms), status, why,
//   lasting }; a write at a table also has { table }.
// A hand of the table screen also has { number, players, state (the entry) }, any other form { what (its button), page (its address) }.
import * as store from "./outbox_store.js";

export const WAITING = "waiting";
export const SIGN_IN = "sign-in";
export const REFUSED = "refused";
// Not sent automatically: a person takes the pencil and saves it, or sends it from the list.
export const HELD = "held";
export const STORED = "stored";

const SEND_MS = 15000;
const FIRST_MS = 2000;
const LONGEST_MS = 60000;
// Status codes of a proxy or a captive portal on the way, not of our server.
const NOT_OURS = [407, 408, 421, 425, 429];

const heard = typeof BroadcastChannel === "function" ? new BroadcastChannel("chratzete.outbox") : null;
const listeners = new Set();
const server = document.querySelector("#outbox")?.dataset ?? {};
let busy = null;
let flushing = false;
let tries = 0;
let timer = null;
let user = "";

/** Call `listener` after each change: with {item, kind, url, why} after an answer, in this tab or another; `page` only in this tab. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(outcome = null) {
  heard?.postMessage(outcome && { ...outcome, page: null, token: null });
  for (const listener of [...listeners]) listener(outcome);
}

heard?.addEventListener("message", (event) => { for (const listener of [...listeners]) listener(event.data); });

export const all = () => store.all();

/** Return true while a request is under way. */
export const sending = () => busy !== null;

/** Store an item. It replaces a refused or held hand of the same table and number, and keeps its place in the order. */
export async function put(item) {
  const same = (other) => item.number && other.table === item.table && other.number === item.number;
  const replaced = (await store.all()).filter((other) => [REFUSED, HELD].includes(other.status) && same(other));
  const at = Math.min(item.at, ...replaced.map((other) => other.at));
  const lasting = await store.put({ ...item, at, status: WAITING, why: "" });
  for (const other of replaced) if (other.key !== item.key) await store.drop(other.key);
  notify();
  return lasting;
}

/** Remove an item because a person discards it. */
export async function discard(key) {
  await store.drop(key);
  notify();
  // Items that waited for it can be sent now.
  flush();
}

/** Turn a refused hand into another one with a new key; it is kept until it has an answer or a person discards it. */
export async function renew(key, fields) {
  await store.renew(key, { ...fields, status: HELD, why: "" });
  notify();
}

async function post(item, token) {
  const body = new URLSearchParams(item.body);
  body.set("csrfmiddlewaretoken", token);
  return fetch(item.url, { method: "POST", body, headers: { Outbox: "1" }, signal: AbortSignal.timeout?.(SEND_MS) });
}

function elsewhere(answer, path) {
  return answer.redirected && !new URL(answer.url).pathname.startsWith(path);
}

/** The outcome for an item that needs a sign-in first; its address leads back to the page of the entry. */
function signInOutcome(item, at) {
  const url = new URL(at, window.location.href);
  url.searchParams.set("next", item.page ?? item.url);
  return { kind: SIGN_IN, url: url.href };
}

/** The outcome of an answer, with its page where there is one to show. */
async function outcomeOf(answer, item) {
  if (elsewhere(answer, item.url)) return signInOutcome(item, answer.url);
  const stored = answer.headers.get("Outbox-Stored");
  if (answer.status === 204 && stored) return { kind: STORED, url: new URL(stored, window.location.href).href };
  if (answer.status < 400 || answer.status >= 500 || NOT_OURS.includes(answer.status)) return { kind: WAITING };
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const reason = ["[data-refused] p", "[role=alert]:not([hidden])", "[data-why]", "h1"].map((where) => page.querySelector(`#main ${where}`)).find(Boolean);
  if (!reason) return { kind: WAITING };
  return { kind: REFUSED, page, why: reason.textContent.trim().replace(/\s+/g, " ") };
}

/** Fetch a valid CSRF token: after another sign-in the page's own is void. Returns {token} or the outcome that came instead. */
async function fresh(item, as) {
  const answer = await fetch(server.token, { cache: "no-store", signal: AbortSignal.timeout?.(SEND_MS) });
  if (elsewhere(answer, server.token)) return { instead: signInOutcome(item, answer.url) };
  if (answer.status !== 200) return { instead: { kind: WAITING } };
  const fetched = await answer.json();
  if (!fetched.token) return { instead: { kind: WAITING } };
  // Another user has signed in since: an item is never sent under another account than it was entered with.
  return fetched.user === as ? fetched : { instead: signInOutcome(item, server.signIn) };
}

async function request(item, token, as) {
  try {
    if (token) {
      const answer = await post(item, token);
      // 403 means an old token or a missing right: the second try with a fresh token shows which.
      if (answer.status !== 403) return { ...(await outcomeOf(answer, item)), token };
    }
    const found = await fresh(item, as);
    return found.instead ?? { ...(await outcomeOf(await post(item, found.token), item)), token: found.token };
  } catch {
    return { kind: WAITING };
  }
}

/** Send one item after the items saved before it, and keep or drop it by its answer. `token`: a fresh token, where the page has one; `as`:
 *  the account to send it with. Returns {kind, url, page, why, token}. */
export async function send(item, token = null, as = item.user) {
  while (busy) await busy.catch(() => null);
  busy = inTurn(item, token, as);
  try { return await busy; } finally { busy = null; }
}

/** Send the older items of the same user first: seating changes and hands depend on their order. */
async function inTurn(item, token, as) {
  const all = await store.all();
  const at = all.find((one) => one.key === item.key)?.at ?? item.at;
  const own = all.filter((other) => other.user === item.user && other.at < at && other.key !== item.key);
  for (const older of own) {
    if (older.status === REFUSED || older.status === HELD) continue;
    const outcome = await deliver(older, null, as);
    if (outcome.kind === WAITING || outcome.kind === SIGN_IN) return answered(item, { kind: outcome.kind, url: outcome.url });
  }
  return (await blocking(item)) ? answered(item, { kind: WAITING }) : deliver(item, token, as);
}

/** The item that was refused before it at the same table, if any: a person has to settle that one first. */
export async function blocking(item) {
  if (!item.table) return null;
  return (await store.all()).find((other) => other.status === REFUSED && other.table === item.table && other.at < item.at) ?? null;
}

async function deliver(item, token, as) {
  return answered(item, await request(item, token, as));
}

async function answered(item, outcome) {
  if (outcome.kind === STORED) await store.drop(item.key);
  else await store.change(item.key, { status: outcome.kind, why: outcome.why ?? "" });
  tries = outcome.kind === WAITING ? tries + 1 : 0;
  notify({ item, ...outcome });
  if (outcome.kind === WAITING) later();
  return outcome;
}

/** Send a refused item once more: it may have been stored since. */
export async function again(key) {
  await store.change(key, { status: WAITING, why: "" });
  notify();
  await flush();
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(flush, Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, tries - 1)));
}

/** Send all waiting items, oldest first; stop at the first one without an answer. */
export async function flush() {
  clearTimeout(timer);
  if (busy || flushing || !user) return;
  flushing = true;
  try {
    const seen = new Set();
    for (let item = await next(seen); item; item = await next(seen)) {
      seen.add(item.key);
      const outcome = await send(item);
      if (outcome.kind === WAITING || outcome.kind === SIGN_IN) return;
    }
  } finally { flushing = false; }
}

/** The next item to send. It is read each time, as a person may have discarded one while another was under way. */
async function next(seen) {
  for (const item of await store.all()) {
    if (seen.has(item.key) || [REFUSED, HELD].includes(item.status) || item.user !== user || (await blocking(item))) continue;
    return item;
  }
  return null;
}

/** Begin to send: now, when the network is back, when the page is visible again, and from time to time. */
export function start(signedInAs) {
  user = signedInAs;
  const again = () => { tries = 0; flush(); };
  window.addEventListener("online", again);
  window.addEventListener("pageshow", again);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) again(); });
  flush();
}

/** A new idempotency key; `crypto.randomUUID` exists in secure contexts only. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
