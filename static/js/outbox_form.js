// Forms that go through the outbox: those with `data-keep`, or sent by a button that has it. They have an idempotency
// key.
//
// An item is named by the label of its button. When it is stored, the page follows the server's redirect; when it is
// refused, the server's page is shown with the entry; without an answer the form shows that it waits, and a tap sends
// it again. Without this script it is a form. Where a page has several forms with the same button, the value of
// `data-keep` is the name of the field in which they differ.
import { kept } from "./browser_storage.js";
import { button, closest, element } from "./dom.js";
import { mayGoOn } from "./only_here.js";
import * as outbox from "./outbox.js";

const DIM_MS = 100;
const SHOWN = "chratzete.shown";
const PLACE = "chratzete.place";
const texts = document.querySelector("#outbox").dataset;
const waiting = new WeakMap();
// What each note of a form says is found again after each change: the storage may have room by then.
const notes = new WeakMap();

const labelOf = (button) => button.textContent.trim().replace(/\s+/g, " ");
const carried = (form) => form.matches("[data-keep]") || form.querySelector("button[data-keep]") !== null;

/** Go to the address of the answer, also if it is the address of this page. */
export function go(url) {
  const to = new URL(url, window.location.href);
  if (to.pathname === window.location.pathname && to.search === window.location.search) {
    // With a fragment the browser would only scroll and not load the page.
    kept.write(sessionStorage, PLACE, to.hash || null);
    to.hash = "";
  }
  window.location.assign(to.href);
}

/** Send the item once more as a plain form: the browser shows the page with the reason and the entry. */
export async function show(item, token) {
  const form = document.createElement("form");
  form.method = "post";
  form.action = item.url;
  form.hidden = true;
  const body = new URLSearchParams(item.body);
  body.set("csrfmiddlewaretoken", token);
  for (const [name, value] of body) {
    const field = document.createElement("textarea");
    field.name = name;
    field.value = value;
    form.append(field);
  }
  kept.write(sessionStorage, SHOWN, item.key);
  document.body.append(form);
  form.submit();
}

/**
 * Show the outcome of an item. A form is sent once more, and its answer is the page with the reason; a hand is shown at
 * its table.
 */
export async function lookAt(item) {
  const { refused, stories } = item.answer ?? {};
  // Another phone recorded at the table: the page of both stories. If only the seats changed, the table screen moves
  // the entry along.
  if (stories && refused.code !== "seating") {
    window.location.assign(stories);
    return;
  }
  if (item.write && item.write.kind !== "hand" && item.page) {
    window.location.assign(item.page);
    return;
  }
  if (!item.what) {
    const there = new URL(item.page ?? item.url, window.location.href);
    if (item.status === outbox.REFUSED) there.hash = `waits-${item.key}`;
    const here = there.pathname === window.location.pathname;
    window.location.assign(there);
    // A change of the fragment alone loads no page.
    if (here) window.location.reload();
    return;
  }
  const outcome = await outbox.send(item);
  if (outcome.kind === outbox.REFUSED && outcome.token) show(item, outcome.token);
  else if (outcome.kind === outbox.STORED || outcome.kind === outbox.SIGN_IN) window.location.assign(outcome.url);
}

/** The page with the reason also has the entry in it: the item need not be kept in the outbox as well. */
async function settle() {
  const key = kept.read(sessionStorage, SHOWN);
  kept.write(sessionStorage, SHOWN, null);
  const item = key && (await outbox.all()).find((candidate) => candidate.key === key);
  if (!item || document.querySelector("#main.notice-page")) return;
  if (document.querySelector("#main [role=alert]:not([hidden]), #main [data-refused]")) await outbox.discard(key);
  else await outbox.again(key);
}

function bodyOf(form, button) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  if (button?.name) body.append(button.name, button.value);
  body.delete("csrfmiddlewaretoken");
  return body;
}

function itemOf(form, button) {
  const body = bodyOf(form, button);
  const what = labelOf(button);
  // Text that a person would have to type again is shown in the list.
  const typed = [...form.querySelectorAll("[data-in-summary]")].map((field) => field.value.trim()).filter(Boolean);
  return {
    key: body.get("key"),
    url: new URL(form.action).pathname,
    page: window.location.pathname,
    table: form.dataset.table ?? "",
    body: body.toString(),
    what,
    title: document.title,
    summary: [what, ...typed].join("\n"),
    user: texts.user,
    at: Date.now(),
  };
}

/**
 * No answer yet: the form shows that, or that an item before it was refused, and cannot be changed until there is one.
 */
async function hold(form, item, status) {
  const before = status === outbox.SIGN_IN ? null : await outbox.blocking(item);
  free(form, false);
  waiting.set(form, item);
  form.classList.add("waits");
  form.dataset.waits = item.key;
  const note = element("p", "waits-note", element("span"));
  note.setAttribute("role", "status");
  explain(note, item, status, before);
  notes.set(note, () => explain(note, item, status, before));
  const more = button("plain");
  if (before?.user === texts.user) {
    more.textContent = texts.sayLook;
    more.addEventListener("click", () => lookAt(before));
  } else {
    more.setAttribute("popovertarget", "outbox-list");
    more.textContent = texts.sayShow;
  }
  note.append(more);
  // On a page with a bar at the bottom, the note is above the buttons of the bar.
  const bar = form.querySelector(".bar");
  if (bar) bar.prepend(note);
  else form.append(note);
  for (const field of form.querySelectorAll("input:not([type=hidden]), select, textarea")) field.inert = true;
}

/** The reason why an item of a form waits; in red while it is in the memory of this page only. */
function explain(note, item, status, before) {
  const here = outbox.holds(item.key);
  const away = status === outbox.SIGN_IN;
  note.classList.toggle("bad", here);
  note.querySelector("span").textContent = here
    ? away
      ? texts.whyNotKeptSignIn
      : texts.whyNotKept
    : away
      ? texts.whySignIn
      : before
        ? texts.whyHeld
        : texts.whyWaits;
}

function free(form, renewed = true) {
  if (renewed && form.elements.key) form.elements.key.value = outbox.newKey();
  waiting.delete(form);
  form.classList.remove("waits");
  delete form.dataset.waits;
  delete form.dataset.sending;
  form.querySelector(".waits-note")?.remove();
  for (const field of form.querySelectorAll("[inert]")) field.inert = false;
}

async function save(form, button) {
  // A second tap finds the first one under way.
  if (form.dataset.sending) return;
  form.dataset.sending = "1";
  const known = waiting.get(form);
  if (!known && !(await mayGoOn())) {
    delete form.dataset.sending;
    return;
  }
  const item = known ?? itemOf(form, button);
  waiting.set(form, item);
  const label = [...button.childNodes];
  const dim = setTimeout(() => {
    button.setAttribute("aria-disabled", "true");
    button.replaceChildren(texts.saySending);
  }, DIM_MS);
  if (!known) await outbox.put(item);
  const outcome = await outbox.send(item, known ? null : form.elements.csrfmiddlewaretoken.value);
  clearTimeout(dim);
  button.removeAttribute("aria-disabled");
  button.replaceChildren(...label);
  delete form.dataset.sending;
  follow(form, item, outcome, true);
}

function follow(form, item, outcome, tapped) {
  if (outcome.kind === outbox.STORED) go(outcome.url);
  else if (outcome.kind === outbox.REFUSED && outcome.token) show(item, outcome.token);
  else if (outcome.kind === outbox.SIGN_IN && tapped && !outbox.holds()) window.location.assign(outcome.url);
  else if (outcome.kind === outbox.REFUSED) free(form);
  else if (outcome.kind === outbox.GONE) reload();
  else hold(form, item, outcome.kind);
}

/** After a reload a form shows again that its entry waits: a tap sends this entry, and not a second one. */
async function recall() {
  const items = (await outbox.all()).filter(
    (item) => item.what && item.user === texts.user && item.status !== outbox.REFUSED,
  );
  for (const form of document.querySelectorAll("form")) {
    if (!carried(form) || waiting.has(form)) continue;
    const item = items.find((candidate) => isOf(candidate, form));
    if (item) hold(form, item, item.status);
  }
}

/** Return true if the item was sent by this form: by its address, the label of its button and its own field. */
function isOf(item, form) {
  if (
    item.url !== new URL(form.action).pathname ||
    ![...form.querySelectorAll("button")].map(labelOf).includes(item.what)
  )
    return false;
  const field = form.dataset.keep;
  return !field || String(new FormData(form).getAll(field)) === String(new URLSearchParams(item.body).getAll(field));
}

async function heard(outcome) {
  const keys = outcome ? [] : (await outbox.all()).map((item) => item.key);
  for (const note of document.querySelectorAll(".waits-note")) notes.get(note)?.();
  for (const form of document.querySelectorAll("form.waits")) {
    const item = waiting.get(form);
    if (!item || form.dataset.sending) continue;
    if (outcome?.item.key === item.key) follow(form, item, outcome, false);
    else if (!outcome && !keys.includes(item.key)) reload();
  }
}

/** The item was discarded, perhaps in another tab. It may have been stored before that: load the page again. */
function reload() {
  window.location.assign(window.location.pathname + window.location.search);
}

document.addEventListener("submit", (event) => {
  const form = closest(event, "form");
  const button = event.submitter ?? form?.querySelector("[type=submit]");
  if (event.defaultPrevented || !button || !form.elements.key?.value) return;
  if (!form.matches("[data-keep]") && !button.matches("[data-keep]")) return;
  event.preventDefault();
  save(form, button);
});
outbox.listen(heard);
// A fragment loaded into the page may contain a form whose entry waits.
document.addEventListener("htmx:afterSettle", recall);
settle();
recall();
const place = kept.read(sessionStorage, PLACE);
kept.write(sessionStorage, PLACE, null);
if (place) document.querySelector(place)?.scrollIntoView();
