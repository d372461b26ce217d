// The outbox: writes that have no answer yet. Each is sent again with the same key until the server answers it.
//
// An item: { key, url (the target), title and summary (texts for people), user (the account that entered it) and who (its
// name), at (ms), place (the order), status, why, lasting }; one at a table also has { table }: its id, or the key of the
// write that begins its evening. A write (night/writes.js) also has { write, answer (the refusal, docs/night.md) }, a hand {
// number }; it is sent as JSON. One that takes others out of the outbox once it is stored has { drops (their keys) }; a hand
// that a choice left on the phone has { kept: true }. A form also has { body (without its token) }: { what (its button), page
// (its address) }, or a hand { number, players, state (the entry) }.
import { kept } from "./browser_storage.js";
import { note } from "./night/differences.js";
import { newKey } from "./night/new_key.js";
import { keep } from "./night/snapshots.js";
import { needs, resolved, tableOf } from "./night/writes.js";
import * as store from "./outbox_store.js";

export { newKey };

export const WAITING = "waiting";
export const SIGN_IN = "sign-in";
export const REFUSED = "refused";
// Not sent automatically: a person takes the pencil and saves it, or sends it from the list.
export const HELD = "held";
export const STORED = "stored";
// The outcome of an item that is no longer in the outbox once it could be sent: a person discarded or changed it.
export const GONE = "gone";

const SEND_MS = 15000;
const FIRST_MS = 2000;
const LONGEST_MS = 60000;
const LOCK = "chratzete.outbox";
const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_KEPT = 30;
// Status codes of a proxy or a captive portal on the way, not of our server.
const NOT_OURS = [407, 408, 421, 425, 429];

const heard = typeof BroadcastChannel === "function" ? new BroadcastChannel("chratzete.outbox") : null;
const listeners = new Set();
// The outcomes of stored items, by key: one that waits for its turn may have been sent meanwhile.
const stored = new Map();
const server = document.querySelector("#outbox")?.dataset ?? {};
let busy = null;
let underWay = null;
let flushing = null;
let tries = 0;
let timer = null;
let user = "";
let asked = false;
// null until the browser has been asked.
let safe = null;

/** Call `listener` after each change: with {item, kind, url, why} after an answer, in this tab or another; `page` only in this
    tab. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(outcome = null) {
  heard?.postMessage(outcome && { ...outcome, page: null, token: null });
  for (const listener of [...listeners]) listener(outcome);
}

heard?.addEventListener("message", (event) => {
  remember(event.data);
  for (const listener of [...listeners]) listener(event.data);
});

function remember(outcome) {
  if (outcome?.kind === STORED) stored.set(outcome.item.key, outcome);
}

export const all = () => store.all();

/** Return true while a request is under way. */
export const sending = () => busy !== null;

/** Return true while this item is being sent from this page. */
export const isUnderWay = (key) => underWay === key;

/** The item of a write. `fields`: { url, title, summary }, for a hand { number }. */
export function itemOf(write, fields) {
  return { key: write.key, write, table: tableOf(write), user: server.user, who: server.userName, at: write.at, ...fields };
}

/** Store an item. It replaces a refused or held hand of the same table and number, and keeps its place in the order. */
export async function put(item) {
  const same = (other) => item.number && !other.kept && other.table === item.table && other.number === item.number;
  const replaced = (await store.all()).filter((other) => [REFUSED, HELD].includes(other.status) && same(other));
  const who = item.user === server.user ? server.userName : "";
  const lasting = await store.put([{ who, ...item, status: WAITING, why: "" }], replaced.map((other) => other.key));
  notify();
  return lasting;
}

/** Store items in place of those with these keys, in one transaction: nothing is missing in between, and nothing is there
    twice. An item that has its place already keeps it. Returns true if they last. */
export async function replace(items, keys) {
  const lasting = await store.put(items.map((item) => ({ status: WAITING, why: "", ...item })), keys);
  notify();
  flush();
  return lasting;
}

/** Store items that another phone handed over, in their order. Those that are here already stay as they are. Returns true if
    they last. */
export async function take(items) {
  const here = new Set((await store.all()).map((item) => item.key));
  const lasting = await store.put(items.filter((item) => !here.has(item.key)).map((item) => ({ ...item, status: WAITING, why: "" })));
  notify();
  flush();
  return lasting;
}

/** Replace items (`replaced`: keys) by others, in one transaction; an item that is there already keeps its place. For a change of
 * waiting items. */
export async function exchange(items, replaced) {
  const lasting = await store.put(items, replaced);
  notify();
  flush();
  return lasting;
}

/** Ask the browser, once on this phone, not to delete waiting items when it runs out of room. Some browsers ask the person. */
async function askToKeep() {
  if (asked) return;
  asked = true;
  const storage = navigator.storage;
  safe = (await storage?.persisted?.().catch(() => false)) || (await storage?.persist?.().catch(() => false)) || false;
  notify();
}

/** Return true unless the browser has said that it may delete waiting items. */
export const lasts = () => safe !== false;

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
  const signal = AbortSignal.timeout?.(SEND_MS);
  if (item.write) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token, Outbox: "1" };
    return fetch(item.url, { method: "POST", body: JSON.stringify(item.write), headers, signal });
  }
  const body = new URLSearchParams(item.body);
  body.set("csrfmiddlewaretoken", token);
  return fetch(item.url, { method: "POST", body, headers: { Outbox: "1" }, signal });
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
  if (answer.status === 401) return signInOutcome(item, server.signIn);
  if (item.write && answer.headers.get("Content-Type")?.startsWith("application/json")) return jsonOutcome(await answer.json());
  const stored = answer.headers.get("Outbox-Stored");
  if (answer.status === 204 && stored) return { kind: STORED, url: new URL(stored, window.location.href).href };
  if (answer.status < 400 || answer.status >= 500 || NOT_OURS.includes(answer.status)) return { kind: WAITING };
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const reason = ["[data-refused] p", "[role=alert]:not([hidden])", "[data-why]", "h1"].map((where) => page.querySelector(`#main ${where}`)).find(Boolean);
  if (!reason) return { kind: WAITING };
  return { kind: REFUSED, page, why: reason.textContent.trim().replace(/\s+/g, " ") };
}

/** The outcome of the answer to a write: docs/night.md has its fields. */
function jsonOutcome(answer) {
  if (answer?.stored) return { kind: STORED, url: new URL(answer.stored.at, window.location.href).href, answer };
  if (answer?.refused) return { kind: REFUSED, why: answer.refused.sentence, answer };
  return { kind: WAITING };
}

/** Fetch a valid CSRF token: after another sign-in the page's own is void. Returns {token} or the outcome in its place. */
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

/** Run `act` while no other tab and nothing else on this page sends. */
async function alone(act) {
  while (busy) await busy.catch(() => null);
  busy = navigator.locks ? navigator.locks.request(LOCK, act) : act();
  try { return await busy; } finally { busy = null; }
}

/** Send one item after the items saved before it, and keep or drop it by its answer. `token`: a fresh token, where the page has
    one; `as`: the account to send it with. Returns {kind, url, page, why, token, answer}; an item that was discarded meanwhile
    is not sent (GONE). */
export async function send(item, token = null, as = item.user) {
  const outcome = await alone(() => inTurn(item, token, as));
  // Pages that wait for the answer look whether their item is still there.
  if (outcome.kind === GONE) notify();
  return outcome;
}

/** Send the older items of the same user first: seating changes and hands depend on their order. */
async function inTurn(item, token, as) {
  // As it is now: an answer to another item may have given the id of a player that this one names.
  const current = async (one) => (await store.all()).find((other) => other.key === one.key);
  const own = (await before(item)).filter((other) => other.user === item.user);
  for (const older of own) {
    const now = await current(older);
    if (!now || now.status === REFUSED || now.status === HELD || (await blocking(now))) continue;
    const outcome = await deliver(now, null, as);
    if (outcome.kind === WAITING || outcome.kind === SIGN_IN) return answered(item, { kind: outcome.kind, url: outcome.url });
  }
  const now = await current(item);
  if (!now) return stored.get(item.key) ?? { kind: GONE };
  return (await blocking(now)) ? answered(now, { kind: WAITING }) : deliver(now, token, as);
}

/** The items before this one. */
async function before(item) {
  const items = await store.all();
  return items.slice(0, Math.max(0, items.findIndex((other) => other.key === item.key)));
}

/**
 * The item before it that a person has to settle first, if any: one that was refused at the same table, or one that makes a
 * player or table which this one names and that is not sent by itself.
 */
export async function blocking(item) {
  return blockerOf(item, await before(item));
}

/** As `blocking`; `items`: those before the item. */
export function blockerOf(item, items) {
  const named = item.write ? needs(item.write) : new Set();
  for (const [at, other] of items.entries()) {
    if (other.status === REFUSED && item.table && other.table === item.table) return other;
    if (!named.has(other.key)) continue;
    if (other.status === REFUSED || other.user !== item.user) return other;
    const further = blockerOf(other, items.slice(0, at));
    if (further) return further;
  }
  return null;
}

async function deliver(item, token, as) {
  underWay = item.key;
  try {
    return await answered(item, await request(item, token, as));
  } finally { underWay = null; }
}

async function answered(item, outcome) {
  // Before the item goes: the table is never shown as it was before both.
  await keep(outcome.answer?.snapshot);
  note(item, outcome.answer);
  if (outcome.kind === STORED) await settled(item, outcome.answer);
  else await store.change(item.key, { status: outcome.kind, why: outcome.why ?? "", ...(item.write && { answer: refusalOf(outcome) }) });
  tries = outcome.kind === WAITING ? tries + 1 : 0;
  remember({ item, ...outcome });
  notify({ item, ...outcome });
  if (outcome.kind === WAITING) later();
  if (outcome.kind !== STORED) askToKeep();
  return outcome;
}

/** The part of a refusal that is kept with its item. */
const refusalOf = ({ answer }) => (answer?.refused ? { refused: answer.refused, stories: answer.stories ?? null, final_on: answer.final_on ?? null } : null);

/** The item is stored: it goes, and in the same moment those after it name its table and its players by their ids. */
async function settled(item, answer) {
  const { table, table_url: page, players = {} } = answer?.stored ?? {};
  const url = answer?.snapshot?.urls.night;
  const ids = Object.fromEntries(Object.entries(players).map(([reference, one]) => [reference, one.player]));
  // The page of an evening that was begun on this phone finds its table by this, also when it is opened later.
  if (item.write?.kind === "begin" && page) kept.write(localStorage, `chratzete.begun.${item.key}`, { page, table, ids });
  await store.update((other) => {
    if (other.key === item.key || item.drops?.includes(other.key)) return null;
    if (!other.write) return other;
    const began = other.write.table === item.key && url;
    const write = resolved(other.write, { table: began ? { [item.key]: table } : {}, players: ids });
    if (JSON.stringify(write) === JSON.stringify(other.write)) return other;
    return { ...other, write, table: tableOf(write), url: began ? url : other.url };
  });
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
export function flush() {
  clearTimeout(timer);
  if (user) flushing ??= flushAll().finally(() => { flushing = null; });
  return flushing;
}

async function flushAll() {
  const seen = new Set();
  for (let outcome = await alone(() => sendNext(seen)); outcome; outcome = await alone(() => sendNext(seen))) {
    if (outcome.kind === WAITING || outcome.kind === SIGN_IN) return;
  }
}

/** Send the next item. The items are read each time: a person or another tab may have removed one while another was under way. */
async function sendNext(seen) {
  const items = await store.all();
  for (const [at, item] of items.entries()) {
    if (seen.has(item.key) || [REFUSED, HELD].includes(item.status) || item.user !== user || blockerOf(item, items.slice(0, at))) continue;
    seen.add(item.key);
    return deliver(item, null, item.user);
  }
  return null;
}

/** Remove refused writes of evenings that have been final for 30 days: they can no longer be entered. Nothing else is ever
 * removed by time. */
async function tidy() {
  const limit = Date.now() - DAYS_KEPT * DAY_MS;
  for (const item of await store.all()) {
    const day = item.status === REFUSED && item.answer?.final_on;
    if (day && Date.parse(day) < limit) await store.drop(item.key);
  }
}

/** Begin to send: now, when the network is back, when the page is visible again, and from time to time. */
export async function start(signedInAs) {
  user = signedInAs;
  const again = () => { tries = 0; flush(); };
  window.addEventListener("online", again);
  window.addEventListener("pageshow", again);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) again(); });
  await tidy();
  flush();
}
