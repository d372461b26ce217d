// Messages by push on this device: the switch on the page of messages, and which device of the list is this one.
import { kept } from "./browser_storage.js";
import { subscribe, fieldsOf } from "./push_subscription.js";

const TICKED = "chratzete.messages.ticked";
const READY_MS = 15 * 1000;
const root = document.querySelector("#push");
const { renew, marks } = root?.dataset ?? {};
// An iPad says that it is a Mac.
const isIos =
  /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/** @param {string} state */
function show(state) {
  for (const part of root.querySelectorAll("[data-push]")) part.hidden = part.dataset.push !== state;
}

/** @param {string} sentence */
function fault(sentence) {
  const place = root.querySelector("[data-push-fault]");
  place.textContent = sentence || place.dataset.say;
  place.hidden = false;
}

/** The digest by which the server names a device. */
async function markOf(endpoint) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Send what was done; the page is loaded again with the answer's notice. False if the server refused it.
 * @param {Record<string, string>} fields
 */
async function send(fields) {
  const token = root.querySelector("[name=csrfmiddlewaretoken]").value;
  const answer = await fetch(location.pathname, {
    method: "POST",
    headers: { Accept: "application/json" },
    body: new URLSearchParams({ ...fields, csrfmiddlewaretoken: token }),
  });
  if (answer.ok) return true;
  const said = await answer.json().catch(() => ({}));
  fault(said.sentence ?? "");
  return false;
}

/** The worker of this page. A browser that cannot install it never has one: throws after a time. */
const ready = () =>
  Promise.race([
    navigator.serviceWorker.ready,
    new Promise((_found, give) => setTimeout(() => give(new Error("no worker")), READY_MS)),
  ]);

/** The ticks of the page, each with a name by its player; the forms of a personal link are of one player. */
const ticks = () =>
  [...document.querySelectorAll("main form input[type=checkbox]")].map((tick) => ({
    tick,
    name: `${tick.form.querySelector("input[name=player]")?.value} ${tick.name}`,
  }));

/** Load the page again with the ticks that are not stored yet: often they were set just before. */
function reload() {
  const set = Object.fromEntries(ticks().map(({ tick, name }) => [name, tick.checked]));
  kept.write(sessionStorage, TICKED, set);
  location.reload();
}

function setTicks() {
  const set = kept.read(sessionStorage, TICKED) ?? {};
  kept.write(sessionStorage, TICKED, null);
  for (const { tick, name } of ticks()) tick.checked = set[name] ?? tick.checked;
}

async function switchOn() {
  // The browser asks; without an answer it is the same as before.
  if ((await Notification.requestPermission()) !== "granted") return refresh();
  const { key } = await (await fetch(renew)).json();
  const { pushManager } = await ready();
  const subscription = await subscribe(pushManager, key);
  if (await send({ do: "device-on", ...fieldsOf(subscription) })) reload();
}

async function switchOff() {
  const { pushManager } = await ready();
  const subscription = await pushManager.getSubscription();
  if (!subscription) return refresh();
  // The server first: what it does not know gets nothing, whatever the browser does then.
  if (!(await send({ do: "device-left", endpoint: subscription.endpoint }))) return;
  await subscription.unsubscribe();
  reload();
}

/** Show the state of this device. */
async function refresh() {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    show(isIos ? "home" : "none");
    return;
  }
  if (Notification.permission === "denied") {
    show("refused");
    return;
  }
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  const mark = subscription ? await markOf(subscription.endpoint) : "";
  const here = mark && document.querySelector(`[data-mark="${mark}"]`);
  if (!here || !marks.includes(mark)) {
    show("off");
    return;
  }
  here.querySelector("[data-here]").hidden = false;
  root.querySelector("input[name=device]").value = here.dataset.device;
  show("on");
}

/** @param {() => Promise<unknown>} work */
const tried = (work) => async (event) => {
  const button = event.currentTarget;
  button.disabled = true;
  root.querySelector("[data-push-fault]").hidden = true;
  await work().catch(() => fault(""));
  button.disabled = false;
};

if (root) {
  setTicks();
  root.querySelector("[data-push-on]").addEventListener("click", tried(switchOn));
  root.querySelector("[data-push-off]").addEventListener("click", tried(switchOff));
  refresh().catch(() => show("none"));
}
