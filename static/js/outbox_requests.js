// The requests of the outbox and what their answers mean: one item, or several writes of a table in one request
// (docs/night.md, Sending).
import { FORMAT } from "./night/writes.js";
import { REFUSED, SIGN_IN, STORED, WAITING } from "./outbox_states.js";

const SEND_MS = 15000;
// Status codes of a proxy or a captive portal on the way, not of our server.
const NOT_OURS = [407, 408, 421, 425, 429];

const server = document.querySelector("#outbox")?.dataset ?? {};

/** The write of an item as it is sent: each time with the key under which it was recorded. */
const writeOf = ({ write }) => write;

function postWrites(url, sent, token) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token, Outbox: "1" };
  return fetch(url, { method: "POST", body: JSON.stringify(sent), headers, signal: AbortSignal.timeout?.(SEND_MS) });
}

async function post(item, token) {
  if (item.write) return postWrites(item.url, writeOf(item), token);
  const signal = AbortSignal.timeout?.(SEND_MS);
  const body = new URLSearchParams(item.body);
  body.set("csrfmiddlewaretoken", token);
  return fetch(item.url, { method: "POST", body, headers: { Outbox: "1" }, signal });
}

function elsewhere(answer, path) {
  return answer.redirected && !new URL(answer.url).pathname.startsWith(path);
}

/** The outcome for an item that needs a sign-in first; its address leads back to the page of the entry. */
function signInOutcome(item, address) {
  const url = new URL(address, window.location.href);
  url.searchParams.set("next", item.page ?? item.url);
  return { kind: SIGN_IN, url: url.href };
}

/** The outcome of an answer, with its page where there is one to show. */
async function outcomeOf(answer, item) {
  if (elsewhere(answer, item.url)) return signInOutcome(item, answer.url);
  if (answer.status === 401) return signInOutcome(item, server.signIn);
  if (item.write && answer.headers.get("Content-Type")?.startsWith("application/json"))
    return jsonOutcome(await answer.json());
  const stored = answer.headers.get("Outbox-Stored");
  if (answer.status === 204 && stored) return { kind: STORED, url: new URL(stored, window.location.href).href };
  if (answer.status < 400 || answer.status >= 500 || NOT_OURS.includes(answer.status)) return { kind: WAITING };
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const reason = ["[data-refused] p", "[role=alert]:not([hidden])", "[data-why]", "h1"]
    .map((where) => page.querySelector(`#main ${where}`))
    .find(Boolean);
  if (!reason) return { kind: WAITING };
  return { kind: REFUSED, page, why: reason.textContent.trim().replace(/\s+/g, " ") };
}

/** The outcome of the answer to a write: docs/night.md has its fields. */
function jsonOutcome(answer) {
  if (answer?.stored) return { kind: STORED, url: new URL(answer.stored.at, window.location.href).href, answer };
  if (answer?.refused) return { kind: REFUSED, why: answer.refused.sentence, answer };
  return { kind: WAITING };
}

/**
 * Fetch a valid CSRF token: after another sign-in the page's own is void. Returns {token} or the outcome in its place.
 */
async function fresh(item, as) {
  const answer = await fetch(server.token, { cache: "no-store", signal: AbortSignal.timeout?.(SEND_MS) });
  if (elsewhere(answer, server.token)) return { instead: signInOutcome(item, answer.url) };
  if (answer.status !== 200) return { instead: { kind: WAITING } };
  const fetched = await answer.json();
  if (!fetched.token) return { instead: { kind: WAITING } };
  // Another user has signed in since: an item is never sent under another account than it was entered with.
  return fetched.user === as ? fetched : { instead: signInOutcome(item, server.signIn) };
}

/**
 * Send one item; {kind, url, page, why, answer, token}. `token`: a fresh one, or null; `as`: the account to send it
 * with.
 */
export async function request(item, token, as) {
  return authorized(item, token, as, (known) => post(item, known), outcomeOf);
}

/**
 * Send the writes of several items of a table. Returns {outcomes, token}, one for each item that was tried; or the
 * outcome of the first one, where nothing was: { kind: WAITING | SIGN_IN, url, alone }. The newest snapshot belongs to
 * all.
 */
export async function requestMany(items, token, as) {
  const [first] = items;
  const sent = { format: FORMAT, writes: items.map(writeOf) };
  return authorized(
    first,
    token,
    as,
    (known) => postWrites(first.url, sent, known),
    (answer) => outcomesOf(answer, first),
  );
}

async function outcomesOf(answer, first) {
  if (elsewhere(answer, first.url)) return signInOutcome(first, answer.url);
  if (answer.status === 401) return signInOutcome(first, server.signIn);
  const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
  const { answers, snapshot } = isJson ? await answer.json() : {};
  // Any other answer is none to these writes; `alone`: it may be one to the first of them.
  if (!Array.isArray(answers))
    return { kind: WAITING, alone: answer.status >= 400 && answer.status < 500 && !NOT_OURS.includes(answer.status) };
  const tried = answers.filter((reply) => reply.stored || reply.refused);
  return { outcomes: tried.map((reply) => jsonOutcome({ ...reply, snapshot })) };
}

async function authorized(item, token, as, send, outcomeFrom) {
  try {
    if (token) {
      const answer = await send(token);
      // 403 means an old token or a missing right: the second try with a fresh token shows which.
      if (answer.status !== 403) return { ...(await outcomeFrom(answer, item)), token };
    }
    const renewed = await fresh(item, as);
    return renewed.instead ?? { ...(await outcomeFrom(await send(renewed.token), item)), token: renewed.token };
  } catch {
    return { kind: WAITING };
  }
}
