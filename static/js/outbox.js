// Hands that were saved and have no answer yet: sent again and again with the same key until the server has one for them.
//
// An item: { key, table, number, players, url (of the table), live (a page that is quick and has a fresh token), body (the form, without
//   its token), state (what was tapped), title and told (words for people), user, at (ms), status, why, lasting }
import * as store from "./outbox_store.js";

export const WAITING = "waiting";
export const SIGN_IN = "sign-in";
export const REFUSED = "refused";
export const STORED = "stored";

const SEND_MS = 15000;
const FIRST_MS = 2000;
const LONGEST_MS = 60000;
// Answers of a door on the way (a pub's WLAN, a proxy), not of ours.
const NOT_OURS = [407, 408, 421, 425, 429];

const heard = typeof BroadcastChannel === "function" ? new BroadcastChannel("chratzete.outbox") : null;
const listeners = new Set();
let busy = null;
let tries = 0;
let timer = null;
let user = "";

/** Be told of every change: with ({item, kind, url, why}) after an answer, here or in another tab; a `page` comes here only. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(outcome = null) {
  heard?.postMessage(outcome && { ...outcome, page: null });
  for (const listener of [...listeners]) listener(outcome);
}

heard?.addEventListener("message", (event) => { for (const listener of [...listeners]) listener(event.data); });

export const all = () => store.all();

/** Whether something is on its way just now. */
export const sending = () => busy !== null;

/** Put a saved hand away. A refused one for the same hand of the same table is mended by it. */
export async function put(item) {
  for (const other of await store.all()) {
    if (other.status === REFUSED && other.table === item.table && other.number === item.number) await store.drop(other.key);
  }
  const lasting = await store.put({ ...item, status: WAITING, why: "" });
  tell();
  return lasting;
}

/** Only because a person says so. */
export async function discard(key) {
  await store.drop(key);
  tell();
}

async function post(item, token) {
  const body = new URLSearchParams(item.body);
  body.set("csrfmiddlewaretoken", token);
  return fetch(item.url, { method: "POST", body, signal: AbortSignal.timeout?.(SEND_MS) });
}

function elsewhere(answer, item) {
  return answer.redirected && !new URL(answer.url).pathname.startsWith(item.url);
}

/** Where to sign in, and back to the table from there. */
function door(answer, item) {
  const url = new URL(answer.url);
  url.searchParams.set("next", item.url);
  return { kind: SIGN_IN, url: url.href };
}

/** What an answer means; with the page that came, where there is one to show. */
async function meaning(answer, item) {
  if (elsewhere(answer, item)) return door(answer, item);
  if (answer.redirected && /\/h\/\d+\/$/.test(new URL(answer.url).pathname)) return { kind: STORED, url: answer.url };
  if (answer.status < 400 || answer.status >= 500 || NOT_OURS.includes(answer.status)) return { kind: WAITING };
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const said = ["[data-refused] p", "[data-why]", "h1"].map((where) => page.querySelector(`#main ${where}`)).find(Boolean);
  if (!said) return { kind: WAITING };
  return { kind: REFUSED, page, why: said.textContent.trim().replace(/\s+/g, " ") };
}

/** A token that holds now: after another sign-in the page's own is void. Gives {token} or what came instead. */
async function fresh(item) {
  const answer = await fetch(item.live, { cache: "no-store", signal: AbortSignal.timeout?.(SEND_MS) });
  if (elsewhere(answer, item)) return { instead: door(answer, item) };
  if (answer.status !== 200) return { instead: await meaning(answer, item) };
  const piece = new DOMParser().parseFromString(await answer.text(), "text/html");
  const token = piece.querySelector("[name=csrfmiddlewaretoken]")?.value;
  return token ? { token } : { instead: { kind: WAITING } };
}

async function ask(item, token) {
  try {
    if (token) {
      const answer = await post(item, token);
      // Refused for its token, or for what the person may do: a fresh token tells.
      if (answer.status !== 403) return await meaning(answer, item);
    }
    const found = await fresh(item);
    return found.instead ?? (await meaning(await post(item, found.token), item));
  } catch {
    return { kind: WAITING };
  }
}

/** Send one item and keep or drop it by its answer; `token` where the page has a fresh one. Gives {kind, url, page, why}. */
export async function send(item, token = null) {
  while (busy) await busy.catch(() => null);
  busy = deliver(item, token);
  try { return await busy; } finally { busy = null; }
}

async function deliver(item, token) {
  const outcome = await ask(item, token);
  const still = (await store.all()).find((one) => one.key === item.key);
  if (outcome.kind === STORED) await store.drop(item.key);
  else if (still) await store.put({ ...still, status: outcome.kind, why: outcome.why ?? "" });
  tries = outcome.kind === WAITING ? tries + 1 : 0;
  tell({ item, ...outcome });
  if (outcome.kind === WAITING) later();
  return outcome;
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(flush, Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, tries - 1)));
}

/** Send all that waits, oldest first; the first one without an answer ends it until later. */
export async function flush() {
  clearTimeout(timer);
  if (busy || !user) return;
  for (const item of await store.all()) {
    if (item.status === REFUSED || item.user !== user) continue;
    const outcome = await send(item);
    if (outcome.kind === WAITING || outcome.kind === SIGN_IN) return;
  }
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
