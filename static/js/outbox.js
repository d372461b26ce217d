// What was saved and has no answer yet: sent again and again with the same key until the server has one for it.
//
// An item: { key, url (where it goes), body (the form, without its token), title and told (words for people), user, at (ms), status, why,
//   lasting }; of something at a table also { table }.
// A hand of the table screen also has { number, players, state (what was tapped) }, any other form { what (its button), page (where it stood) }.
import * as store from "./outbox_store.js";

export const WAITING = "waiting";
export const SIGN_IN = "sign-in";
export const REFUSED = "refused";
// Not sent by itself: somebody takes the pencil and saves it, or sends it from the list.
export const HELD = "held";
export const STORED = "stored";

const SEND_MS = 15000;
const FIRST_MS = 2000;
const LONGEST_MS = 60000;
// Answers of a door on the way (a pub's WLAN, a proxy), not of ours.
const NOT_OURS = [407, 408, 421, 425, 429];

const heard = typeof BroadcastChannel === "function" ? new BroadcastChannel("chratzete.outbox") : null;
const listeners = new Set();
const server = document.querySelector("#outbox")?.dataset ?? {};
let busy = null;
let flushing = false;
let tries = 0;
let timer = null;
let user = "";

/** Be told of every change: with ({item, kind, url, why}) after an answer, here or in another tab; a `page` comes here only. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(outcome = null) {
  heard?.postMessage(outcome && { ...outcome, page: null, token: null });
  for (const listener of [...listeners]) listener(outcome);
}

heard?.addEventListener("message", (event) => { for (const listener of [...listeners]) listener(event.data); });

export const all = () => store.all();

/** Whether something is on its way just now. */
export const sending = () => busy !== null;

/** Put away what was saved. A refused or held hand of the same table and number is mended by it, and goes out in its turn. */
export async function put(item) {
  const same = (other) => item.number && other.table === item.table && other.number === item.number;
  const mended = (await store.all()).filter((other) => [REFUSED, HELD].includes(other.status) && same(other));
  const at = Math.min(item.at, ...mended.map((other) => other.at));
  const lasting = await store.put({ ...item, at, status: WAITING, why: "" });
  for (const other of mended) if (other.key !== item.key) await store.drop(other.key);
  tell();
  return lasting;
}

/** Only because a person says so. */
export async function discard(key) {
  await store.drop(key);
  tell();
  // What waited for it goes out.
  flush();
}

/** A refused hand becomes another one, under a new key: it is kept until it has an answer or somebody discards it. */
export async function renew(key, fields) {
  await store.renew(key, { ...fields, status: HELD, why: "" });
  tell();
}

async function post(item, token) {
  const body = new URLSearchParams(item.body);
  body.set("csrfmiddlewaretoken", token);
  return fetch(item.url, { method: "POST", body, headers: { Outbox: "1" }, signal: AbortSignal.timeout?.(SEND_MS) });
}

function elsewhere(answer, path) {
  return answer.redirected && !new URL(answer.url).pathname.startsWith(path);
}

/** Where to sign in, and back from there to where it was entered. */
function door(item, at) {
  const url = new URL(at, window.location.href);
  url.searchParams.set("next", item.page ?? item.url);
  return { kind: SIGN_IN, url: url.href };
}

/** What an answer means; with the page that came, where there is one to show. */
async function meaning(answer, item) {
  if (elsewhere(answer, item.url)) return door(item, answer.url);
  const stored = answer.headers.get("Outbox-Stored");
  if (answer.status === 204 && stored) return { kind: STORED, url: new URL(stored, window.location.href).href };
  if (answer.status < 400 || answer.status >= 500 || NOT_OURS.includes(answer.status)) return { kind: WAITING };
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const said = ["[data-refused] p", "[role=alert]:not([hidden])", "[data-why]", "h1"].map((where) => page.querySelector(`#main ${where}`)).find(Boolean);
  if (!said) return { kind: WAITING };
  return { kind: REFUSED, page, why: said.textContent.trim().replace(/\s+/g, " ") };
}

/** A token that holds now: after another sign-in the page's own is void. Gives {token} or what came instead. */
async function fresh(item, as) {
  const answer = await fetch(server.token, { cache: "no-store", signal: AbortSignal.timeout?.(SEND_MS) });
  if (elsewhere(answer, server.token)) return { instead: door(item, answer.url) };
  if (answer.status !== 200) return { instead: { kind: WAITING } };
  const said = await answer.json();
  if (!said.token) return { instead: { kind: WAITING } };
  // Somebody else has signed in here since: nothing goes out under a name that it was not entered with.
  return said.user === as ? said : { instead: door(item, server.signIn) };
}

async function ask(item, token, as) {
  try {
    if (token) {
      const answer = await post(item, token);
      // Refused for its token, or for what the person may do: a fresh token tells.
      if (answer.status !== 403) return { ...(await meaning(answer, item)), token };
    }
    const found = await fresh(item, as);
    return found.instead ?? { ...(await meaning(await post(item, found.token), item)), token: found.token };
  } catch {
    return { kind: WAITING };
  }
}

/** Send one item and keep or drop it by its answer, after what was saved before it; `token` where the page has a fresh one, `as` under
 *  another account than it was entered with. Gives {kind, url, page, why, token}. */
export async function send(item, token = null, as = item.user) {
  while (busy) await busy.catch(() => null);
  busy = inTurn(item, token, as);
  try { return await busy; } finally { busy = null; }
}

/** Who comes and which hand was played says something else in another order. */
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

/** What was refused before it at the same table, if anything: first somebody says what becomes of that. */
export async function blocking(item) {
  if (!item.table) return null;
  return (await store.all()).find((other) => other.status === REFUSED && other.table === item.table && other.at < item.at) ?? null;
}

async function deliver(item, token, as) {
  return answered(item, await ask(item, token, as));
}

async function answered(item, outcome) {
  if (outcome.kind === STORED) await store.drop(item.key);
  else await store.change(item.key, { status: outcome.kind, why: outcome.why ?? "" });
  tries = outcome.kind === WAITING ? tries + 1 : 0;
  tell({ item, ...outcome });
  if (outcome.kind === WAITING) later();
  return outcome;
}

/** A refused one is asked about once more: whether it was stored since is the server's to say. */
export async function again(key) {
  await store.change(key, { status: WAITING, why: "" });
  tell();
  await flush();
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(flush, Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, tries - 1)));
}

/** Send all that waits, oldest first; the first one without an answer ends it until later. */
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

/** Looked up before each one is sent: a person may have thrown it away while another was on its way. */
async function next(seen) {
  for (const item of await store.all()) {
    if (seen.has(item.key) || [REFUSED, HELD].includes(item.status) || item.user !== user || (await blocking(item))) continue;
    return item;
  }
  return null;
}

/** Begin: what waits goes out now, when the network is back, when somebody looks again, and from time to time. */
export function start(signedInAs) {
  user = signedInAs;
  const again = () => { tries = 0; flush(); };
  window.addEventListener("online", again);
  window.addEventListener("pageshow", again);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) again(); });
  flush();
}

/** A key for one intention to store something; `crypto.randomUUID` is for secure contexts alone. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
