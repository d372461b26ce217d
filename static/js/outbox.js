// The outbox: writes that have no answer yet. Each is sent again with the same key until the server answers it.
//
// An item: { key, url (the target), title and summary (texts for people), user (the account that entered it) and who
// (its name), at (ms), place (the order), status, why, lasting }; one at a table also has { table }: its id, or the key
// of the write that begins its evening. A write (night/writes.js) also has { write, answer (the refusal, docs/night.md)
// }, a hand { number }; it is sent as JSON. One that takes others out of the outbox once it is stored has { drops
// (their keys) }; a hand that a choice left on the phone has { kept: true }. A form also has { body (without its token)
// }: { what (its button), page (its address) }, or a hand { number, players, state (the entry) }.
import { kept } from "./browser_storage.js";
import { note } from "./night/differences.js";
import { newKey } from "./night/new_key.js";
import { keep } from "./night/snapshots.js";
import { needs, resolved, tableOf } from "./night/writes.js";
import { request, requestMany } from "./outbox_requests.js";
import { GONE, HELD, REFUSED, SIGN_IN, STORED, WAITING } from "./outbox_states.js";
import * as store from "./outbox_store.js";

export { GONE, HELD, REFUSED, SIGN_IN, STORED, WAITING, newKey };

const FIRST_MS = 2000;
const LONGEST_MS = 60000;
const LOCK = "chratzete.outbox";
const STORE_MS = 5000;
const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_KEPT = 30;
// So many writes go in one request, and so many letters: the server takes a few more.
const MOST_WRITES = 50;
const MOST_LETTERS = 48_000;
// The kinds that go together with others of their table; the other ones have answers that change what comes after them.
const TOGETHER = ["hand", "come", "leave", "order", "dealer", "pause", "resume"];

const heard = typeof BroadcastChannel === "function" ? new BroadcastChannel("chratzete.outbox") : null;
const listeners = new Set();
// The outcomes of stored items, by key: one that waits for its turn may have been sent meanwhile.
const stored = new Map();
const server = document.querySelector("#outbox")?.dataset ?? {};
let busy = null;
let underWay = [];
// The number of writes for the next request: one after a request without an answer, then more again.
let together = MOST_WRITES;
let flushing = null;
let tries = 0;
let timer = null;
let storing = null;
let user = "";
let asked = false;
// null until the browser has been asked.
let safe = null;

/**
 * Call `listener` after each change: with {item, kind, url, why} after an answer, in this tab or another; `page` only
 * in this tab.
 */
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

/** Return true if an item is in the memory of this page only: the browser did not store it. */
export const { onlyHere } = store;

/** Return true if items are in the memory of this page only, or the one with this key. */
export const holds = (key) => store.holds(key);

/** Return true if the browser stores something now. */
export const works = () => store.works();

/** Return true while a request is under way. */
export const sending = () => busy !== null;

/** Return true while this item is being sent from this page. */
export const isUnderWay = (key) => underWay.includes(key);

/** The item of a write. `fields`: { url, title, summary }, for a hand { number }. */
export function itemOf(write, fields) {
  return {
    key: write.key,
    write,
    table: tableOf(write),
    user: server.user,
    who: server.userName,
    at: write.at,
    ...fields,
  };
}

/** Store an item. It replaces a refused or held hand of the same table and number, and keeps its place in the order. */
export async function put(item) {
  const same = (other) => item.number && !other.kept && other.table === item.table && other.number === item.number;
  const replaced = (await store.all()).filter((other) => [REFUSED, HELD].includes(other.status) && same(other));
  const who = item.user === server.user ? server.userName : "";
  return written(
    store.put(
      [{ who, ...item, status: WAITING, why: "" }],
      replaced.map((other) => other.key),
    ),
  );
}

/**
 * Tell the page of a change of the items, and try again later to store what the browser did not. Returns true if it
 * did.
 */
async function written(change) {
  const lasting = await change;
  notify();
  if (!lasting) storeLater();
  return lasting;
}

/** Try to store what is in the memory of this page only. Returns true if nothing is any more. */
export async function retry() {
  const before = store.holds();
  const lasting = await store.retry();
  if (before && lasting) notify();
  if (!lasting) storeLater();
  return lasting;
}

function storeLater() {
  clearTimeout(storing);
  storing = setTimeout(retry, STORE_MS);
}

/**
 * Store items in place of those with these keys, in one transaction: nothing is missing in between, and nothing is
 * there twice. An item that has its place already keeps it. Returns true if they last.
 */
export async function replace(items, keys) {
  const lasting = await written(
    store.put(
      items.map((item) => ({ status: WAITING, why: "", ...item })),
      keys,
    ),
  );
  flush();
  return lasting;
}

/**
 * Store items that another phone handed over, in their order. Those that are here already stay as they are. Returns
 * true if they last.
 */
export async function take(items) {
  const here = new Set((await store.all()).map((item) => item.key));
  const added = items.filter((item) => !here.has(item.key)).map((item) => ({ status: WAITING, why: "", ...item }));
  const lasting = await written(store.put(added));
  flush();
  return lasting;
}

/**
 * Replace items (`replaced`: keys) by others, in one transaction; an item that is there already keeps its place. For a
 * change of waiting items.
 */
export async function exchange(items, replaced) {
  const lasting = await written(store.put(items, replaced));
  flush();
  return lasting;
}

/**
 * Ask the browser, once on this phone, not to delete waiting items when it runs out of room. Some browsers ask the
 * person.
 */
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
  await written(store.drop(key));
  // Items that waited for it can be sent now.
  flush();
}

/**
 * Turn a refused hand into another one with a new key; it is kept until it has an answer or a person discards it.
 * Returns true if it lasts.
 */
export async function renew(key, fields) {
  return written(store.renew(key, { ...fields, status: HELD, why: "" }));
}

/** Run `act` while no other tab and nothing else on this page sends. */
async function alone(act) {
  while (busy) await busy.catch(() => null);
  busy = navigator.locks ? navigator.locks.request(LOCK, act) : act();
  try {
    return await busy;
  } finally {
    busy = null;
  }
}

/**
 * Send one item after the items saved before it, and keep or drop it by its answer. `token`: a fresh token, where the
 * page has one; `as`: the account to send it with. Returns {kind, url, page, why, token, answer}; an item that was
 * discarded meanwhile is not sent (GONE).
 */
export async function send(item, token = null, as = item.user) {
  const outcome = await alone(() => inTurn(item, token, as));
  // Pages that wait for the answer look whether their item is still there.
  if (outcome.kind === GONE) notify();
  return outcome;
}

/** Send the older items of the same user first: seating changes and hands depend on their order. */
async function inTurn(item, token, as) {
  const tried = new Set([item.key]);
  for (;;) {
    const items = await before(item);
    const batch = batchOf(items, (other) => other.user === item.user && !tried.has(other.key));
    if (batch.length === 0) break;
    const { kind, url, count } = await deliver(batch, null, as);
    for (const { key } of batch.slice(0, count)) tried.add(key);
    if (kind === WAITING || kind === SIGN_IN) return answered(item, { kind, url });
  }
  // As it is now: an answer to another item may have given the id of a player that this one names.
  const now = (await store.all()).find((other) => other.key === item.key);
  if (!now) return stored.get(item.key) ?? { kind: GONE };
  return (await blocking(now)) ? answered(now, { kind: WAITING }) : deliver([now], token, as);
}

/**
 * The items for the next request: the first one that can be sent, and those after it at the same table. `may(item)`:
 * whether an item may be sent now.
 */
function batchOf(items, may) {
  const batch = [];
  let letters = 0;
  for (const [index, item] of items.entries()) {
    if (!may(item) || [REFUSED, HELD].includes(item.status) || blockerOf(item, items.slice(0, index))) continue;
    const [first] = batch;
    letters += item.write ? JSON.stringify(item.write).length : 0;
    const fits =
      !first ||
      (goesTogether(first) &&
        goesTogether(item) &&
        item.url === first.url &&
        item.table === first.table &&
        letters < MOST_LETTERS);
    if (!fits || batch.length === together) break;
    batch.push(item);
  }
  return batch;
}

const goesTogether = ({ write, drops }) => !drops && TOGETHER.includes(write?.kind);

/** The items before this one. */
async function before(item) {
  const items = await store.all();
  return items.slice(
    0,
    Math.max(
      0,
      items.findIndex((other) => other.key === item.key),
    ),
  );
}

/**
 * The item before it that a person has to settle first, if any: one that was refused at the same table, or one that
 * makes a player or table which this one names and that is not sent by itself.
 */
export async function blocking(item) {
  return blockerOf(item, await before(item));
}

/** As `blocking`; `items`: those before the item. */
export function blockerOf(item, items) {
  const named = item.write ? needs(item.write) : new Set();
  for (const [index, other] of items.entries()) {
    if (other.status === REFUSED && item.table && other.table === item.table) return other;
    if (!named.has(other.key)) continue;
    if (other.status === REFUSED || other.user !== item.user) return other;
    const further = blockerOf(other, items.slice(0, index));
    if (further) return further;
  }
  return null;
}

/**
 * Send items in one request, and keep or drop each by its answer. Returns the outcome of the last one that was tried,
 * with the `count` of these.
 */
async function deliver(items, token, as) {
  underWay = items.map((item) => item.key);
  try {
    if (items.length === 1) return { ...(await answered(items[0], await request(items[0], token, as))), count: 1 };
    const { outcomes, ...instead } = await requestMany(items, token, as);
    if (outcomes?.length > 0) return { ...(await allAnswered(items, outcomes)), count: outcomes.length };
    // Not understood as several: the first one alone has an answer of its own.
    underWay = [items[0].key];
    const outcome = instead.alone ? await request(items[0], token, as) : instead;
    const last = await answered(items[0], outcome);
    if (instead.alone) together = 1;
    return { ...last, count: 1 };
  } finally {
    underWay = [];
  }
}

/** Keep the answers to several items of a table: all that are stored go at once, as the snapshot has all of them. */
async function allAnswered(items, outcomes) {
  const pairs = outcomes.map((outcome, index) => ({ item: items[index], ...outcome }));
  const { answer } = pairs.at(-1);
  await keep(answer.snapshot);
  for (const pair of pairs) note(pair.item, pair.answer);
  await settled(pairs.filter((pair) => pair.kind === STORED));
  const last = pairs.at(-1);
  if (last.kind === REFUSED)
    await store.change(last.item.key, { status: REFUSED, why: last.why, answer: refusalOf(last) });
  return pairs.map(tellOutcome).at(-1);
}

async function answered(item, outcome) {
  // Before the item goes: the table is never shown as it was before both.
  await keep(outcome.answer?.snapshot);
  note(item, outcome.answer);
  if (outcome.kind === STORED) await settled([{ item, answer: outcome.answer }]);
  else
    await store.change(item.key, {
      status: outcome.kind,
      why: outcome.why ?? "",
      ...(item.write && { answer: refusalOf(outcome) }),
    });
  return tellOutcome({ item, ...outcome });
}

/** Tell all pages the outcome of an item. */
function tellOutcome(outcome) {
  const waits = outcome.kind === WAITING;
  tries = waits ? tries + 1 : 0;
  together = waits ? 1 : Math.min(MOST_WRITES, 8 * together);
  remember(outcome);
  notify(outcome);
  if (waits) later();
  if (outcome.kind !== STORED) askToKeep();
  return outcome;
}

/** The part of a refusal that is kept with its item. */
const refusalOf = ({ answer }) =>
  answer?.refused
    ? { refused: answer.refused, stories: answer.stories ?? null, final_on: answer.final_on ?? null }
    : null;

/**
 * The items are stored: they go, and in the same moment those after them name their table and players by their ids.
 * `pairs`: {item, answer}.
 */
async function settled(pairs) {
  const gone = new Set();
  const tables = {};
  const ids = {};
  let url = null;
  for (const { item, answer } of pairs) {
    const { table, table_url: page, players = {} } = answer?.stored ?? {};
    for (const key of [item.key, ...(item.drops ?? [])]) gone.add(key);
    for (const [reference, entry] of Object.entries(players)) ids[reference] = entry.player;
    // The page of an evening that was begun on this phone finds its table by this, also when it is opened later.
    if (item.write?.kind === "begin" && page)
      kept.write(localStorage, `chratzete.begun.${item.key}`, { page, table, ids });
    url = answer?.snapshot?.urls.night ?? url;
    if (url) tables[item.key] = table;
  }
  await store.update((other) => {
    if (gone.has(other.key)) return null;
    if (!other.write) return other;
    const began = other.write.table in tables;
    const write = resolved(other.write, { table: began ? tables : {}, players: ids });
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

/** Send after a pause. A browser without a network sends when it has one again: each request would fill its console. */
function later() {
  clearTimeout(timer);
  const attempt = () => (navigator.onLine ? flush() : later());
  timer = setTimeout(attempt, Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, tries - 1)));
}

/** Send all waiting items, oldest first; stop at the first one without an answer. */
export function flush() {
  clearTimeout(timer);
  if (user)
    flushing ??= flushAll().finally(() => {
      flushing = null;
    });
  return flushing;
}

async function flushAll() {
  const seen = new Set();
  for (let outcome = await alone(() => sendNext(seen)); outcome; outcome = await alone(() => sendNext(seen))) {
    if (outcome.kind === WAITING || outcome.kind === SIGN_IN) return;
  }
}

/**
 * Send the next items. They are read each time: a person or another tab may have removed one while another was under
 * way.
 */
async function sendNext(seen) {
  const items = await store.all();
  const batch = batchOf(items, (item) => !seen.has(item.key) && item.user === user);
  if (batch.length === 0) return null;
  const outcome = await deliver(batch, null, user);
  for (const { key } of batch.slice(0, outcome.count)) seen.add(key);
  return outcome;
}

/**
 * Remove refused writes of evenings that have been final for 30 days: they can no longer be entered. Nothing else is
 * ever removed by time.
 */
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
  const again = () => {
    tries = 0;
    flush();
    if (store.holds()) retry();
  };
  window.addEventListener("online", again);
  window.addEventListener("pageshow", again);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) again();
  });
  await tidy();
  flush();
}
