// Taking the pencil over without a network: this phone records although the last answer of the server said that another
// one does.
//
// It is noted in this browser, for the account and for at most half a day. The next answer of the server settles it:
// the pencil is taken if its holder was not seen for a while; else the holder keeps it. Hands that were recorded
// meanwhile go up in either case, and the server decides by their numbers.
import { kept } from "../browser_storage.js";
import { offline } from "./network.js";
import { closest, meta } from "../dom.js";
import { account } from "../signed_in.js";

const LONGEST_MS = 12 * 3600 * 1000;

const nameOf = (table) => `chratzete.taken-over.${table}`;

/**
 * Return true if this phone took the pencil of the table over without a network, and no answer has settled that since.
 */
export function isTaken(table) {
  const entry = kept.read(localStorage, nameOf(table));
  return entry?.user === account() && Date.now() - entry.at < LONGEST_MS;
}

const note = (table) => kept.write(localStorage, nameOf(table), { user: account(), at: Date.now() });
const settle = (table) => kept.write(localStorage, nameOf(table), null);

/** The part of the page that says who has the pencil: of the recorder, or of who watches. */
const strip = () => document.querySelector("#pencil[data-table], #live[data-table]");

/** Let this page record, although its part says that another phone does. */
function record(shown) {
  if (!("lost" in shown.dataset)) return;
  delete shown.dataset.lost;
  shown.dataset.tookOver = "";
  changed(shown, true);
}

/** The holder keeps the pencil after all. */
function giveBack(shown) {
  if (!("tookOver" in shown.dataset)) return;
  delete shown.dataset.tookOver;
  shown.dataset.lost = "";
  changed(shown, false);
}

function changed(shown, taken) {
  const notice = shown.querySelector(".notice.lost");
  if (notice) notice.hidden = taken;
  document.querySelector("#hand")?.dispatchEvent(new Event("pencil-changed"));
}

/** Open the kept page of the table, on which hands can be entered; where this browser kept none, say so. */
async function openEntry(sheet) {
  const version = meta("app-version");
  const cache = window.caches && (await caches.open(`chratzete-pages-${version}`).catch(() => null));
  if (await cache?.match(window.location.pathname, { ignoreVary: true })) window.location.reload();
  else sheet.querySelector("[data-no-entry]").hidden = false;
}

/** The form that takes the pencil asks the server; without a network this phone notes it. */
async function submitted(event) {
  const form = closest(event, "form[data-take-over]");
  const shown = strip();
  if (!form || !shown || !offline()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const sheet = document.querySelector("#take-over");
  // The first tap shows what it means.
  if (!sheet.contains(form)) {
    show(true);
    sheet.showPopover();
    return;
  }
  note(shown.dataset.table);
  if (!document.querySelector("#hand")) {
    await openEntry(sheet);
    return;
  }
  sheet.hidePopover();
  record(shown);
}

/** The sheet says what a takeover means with or without a network. */
function show(lost) {
  for (const part of document.querySelectorAll("[data-with-network]")) part.hidden = lost;
  for (const part of document.querySelectorAll("[data-without-network]")) part.hidden = !lost;
}

/**
 * An answer of the server has said who has the pencil. Returns true while this phone is about to take it: the page must
 * not become the one of somebody who watches.
 */
export function answered() {
  const shown = strip();
  if (!shown || !isTaken(shown.dataset.table)) return false;
  const { table, lost, tookOver, away } = shown.dataset;
  const isLost = lost !== undefined || tookOver !== undefined;
  settle(table);
  if (isLost && away === undefined) giveBack(shown);
  else if (isLost) claim(shown);
  else if (shown.id === "live") window.location.reload();
  return isLost ? away !== undefined : shown.id === "live";
}

/** Take the pencil at the server, too. */
function claim(shown) {
  const { table, takes } = shown.dataset;
  const body = new URLSearchParams({
    act: "over",
    csrfmiddlewaretoken: shown.querySelector("[name=csrfmiddlewaretoken]").value,
  });
  record(shown);
  const after = () => (shown.id === "live" ? window.location.reload() : window.htmx?.trigger(strip(), "look"));
  fetch(takes, { method: "POST", body }).then(after, () => note(table));
}

/** A page that opens without a network goes on as it was left. */
function begin() {
  const shown = strip();
  if (shown?.id === "pencil" && "lost" in shown.dataset && isTaken(shown.dataset.table)) record(shown);
}

document.addEventListener("submit", submitted, true);
document.addEventListener(
  "toggle",
  (event) => {
    if (closest(event, "#take-over") === event.target) show(offline());
  },
  true,
);
begin();
if (strip()?.id === "live") answered();
