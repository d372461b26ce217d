// The screen of the desk changes in place: answers to forms and links, and what other desks have changed. After each
// change the document gets the event "desk-shown".
import { element, fieldsOf } from "../dom.js";

export const desk = () => document.querySelector("#main.desk");
const parse = (html) => new DOMParser().parseFromString(html, "text/html");
export const typing = (node) => node?.matches?.("input, select, textarea") ?? false;

let busy = false;

/** Return true while an answer is awaited: keys that are typed before it belong to the next screen. */
export const isBusy = () => busy;

const TARGETS = "a[href], button, input, summary, textarea";

/** The open parts and the focus: both outlive a change of the screen. */
function state() {
  const focused = document.querySelector(":focus");
  const part = focused?.closest?.("[data-part]");
  const place = part ? [...part.querySelectorAll(TARGETS)].indexOf(focused) : -1;
  return {
    opened: [...document.querySelectorAll("main details[id]")].map((details) => [details.id, details.open]),
    focus: focused?.id ?? "",
    part: part?.id ?? "",
    place,
  };
}

function restore({ opened, focus, part, place }) {
  for (const [id, open] of opened) {
    const details = /** @type {HTMLDetailsElement | null} */ (document.getElementById(id));
    if (details) details.open = open;
  }
  if (document.activeElement !== document.body) return;
  const same = focus ? document.getElementById(focus) : document.getElementById(part)?.querySelectorAll(TARGETS)[place];
  same?.focus({ preventScroll: true });
}

/** Show the desk of an answer. `parts`: only the polled parts, so that typed text is not lost. */
function show(next, parts) {
  const before = state();
  const now = desk();
  if (parts) {
    for (const part of next.querySelectorAll("[data-part]")) {
      const here = document.getElementById(part.id);
      // A form in this part is being filled in: it changes once that is done.
      if (here && !(here.contains(document.activeElement) && typing(document.activeElement))) here.replaceWith(part);
    }
    for (const name of ["live", "etag"]) now.dataset[name] = next.dataset[name];
  } else {
    now.replaceWith(next);
  }
  if (parts) restore(before);
  else restore({ ...before, part: "" });
  document.dispatchEvent(new Event("desk-shown"));
}

async function load(url, options) {
  const answer = await fetch(url, { headers: { Accept: "text/html" }, redirect: "follow", ...options });
  const page = parse(await answer.text());
  return { answer, page, next: page.querySelector("#main.desk") };
}

function say(text) {
  const note = element("p", "errors", text);
  note.setAttribute("role", "alert");
  document.querySelector("#desk-notes")?.replaceChildren(note);
}

/** Send a form; its answer is the next screen. */
export async function send(form, button) {
  if (busy) return;
  busy = true;
  const body = fieldsOf(form);
  if (button?.name) body.append(button.name, button.value);
  button?.setAttribute("aria-busy", "true");
  try {
    const { answer, next } = await load(form.action, { method: "POST", body });
    if (next) after(form, next, answer.url);
    else if (answer.redirected) window.location.assign(answer.url);
    else plainly(form, button);
  } catch {
    button?.removeAttribute("aria-busy");
    say(desk().dataset.sayUnsent);
  }
  busy = false;
}

/**
 * Another page has the reason of the refusal: the form is sent once more as the browser does it, and that page is
 * shown.
 */
function plainly(form, button) {
  if (button?.name) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = button.name;
    field.value = button.value;
    form.append(field);
  }
  HTMLFormElement.prototype.submit.call(form);
}

function after(form, next, url) {
  const finder = form.matches(".check-in");
  show(next, false);
  // A reload must not ask an address that only takes forms.
  const stays = new URL(url).pathname === desk().dataset.home || url.includes("/table/");
  history.replaceState(null, "", stays ? url : desk().dataset.home);
  if (finder) document.querySelector("#who")?.focus();
  else focusSheet();
}

export function focusSheet() {
  const field = /** @type {HTMLInputElement | null} */ (
    document.querySelector("[data-sheet] [aria-invalid], [data-sheet] [data-chips]")
  );
  field?.focus();
  field?.select();
}

/** Show the screen of a link. */
export async function go(link) {
  if (busy) return;
  busy = true;
  try {
    const { answer, next } = await load(link.href, {});
    if (next) {
      show(next, false);
      history.replaceState(null, "", answer.url);
      focusSheet();
      document.querySelector("[data-open]")?.scrollIntoView({ block: "nearest" });
    } else window.location.assign(link.href);
  } catch {
    say(desk().dataset.sayOffline);
  }
  busy = false;
}

/** Show what other desks have changed. */
export async function poll() {
  const main = desk();
  if (!main || document.hidden || busy) return;
  if (!navigator.onLine) {
    showOffline(main);
    return;
  }
  try {
    const answer = await fetch(main.dataset.live, { headers: { "If-None-Match": main.dataset.etag } });
    document.body.classList.remove("offline");
    if (answer.redirected) {
      window.location.reload();
      return;
    }
    if (answer.status !== 200 || busy || desk() !== main) return;
    const next = parse(await answer.text()).querySelector("#main.desk");
    if (next && !busy && desk() === main) show(next, true);
  } catch {
    showOffline(main);
  }
}

/** Say that the desk may be outdated. */
function showOffline(main) {
  document.body.classList.add("offline");
  if (!document.querySelector("#desk-notes [role=alert]")) say(main.dataset.sayOffline);
}
