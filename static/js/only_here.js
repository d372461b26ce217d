// Writes that the browser did not store (its storage is full or forbidden): they are in the memory of this page only,
// until they are sent or stored. Leaving the page asks; the next save first asks to send them, to save a copy, or to
// write them on paper.
import { closest } from "./dom.js";
import * as outbox from "./outbox.js";
import { askBeforeLeaving } from "./leaving.js";

const sheet = document.querySelector("#only-here");
const part = (name) => sheet.querySelector(`[data-here-${name}]`);
// Those of which a person has a copy, by key.
const copied = new Set();
let decide = null;

/** What a person needs to enter an item again. */
export function asText(item) {
  const { lang } = document.documentElement;
  // Without a country, English would have the month first.
  return `${item.title}, ${new Date(item.at).toLocaleString(lang === "en" ? "en-GB" : lang)}\n${item.summary}`;
}

const uncopied = async () => (await outbox.all()).filter((item) => outbox.onlyHere(item) && !copied.has(item.key));

/**
 * Return true if a person may save something further: nothing is in the memory of this page only, or there is a copy of
 * it. Asks otherwise.
 */
export async function mayGoOn() {
  if (!outbox.holds() || (await outbox.retry())) return true;
  if (decide || !sheet) return false;
  const items = await uncopied();
  return items.length === 0 || ask(items);
}

function ask(items) {
  const { sayOne, sayMany } = sheet.dataset;
  part("title").textContent =
    items.length === 1 ? sayOne.replace("{what}", items[0].title) : sayMany.replace("{n}", items.length);
  part("said").textContent = "";
  for (const name of ["paper", "on"]) part(name).hidden = true;
  sheet.showPopover();
  part("title").focus();
  return new Promise((resolve) => {
    decide = resolve;
  });
}

function decided(goes) {
  const resolve = decide;
  decide = null;
  if (sheet.matches(":popover-open")) sheet.hidePopover();
  resolve?.(goes);
}

async function sendNow(button) {
  button.setAttribute("aria-disabled", "true");
  part("said").textContent = sheet.dataset.saySending;
  await outbox.flush();
  button.setAttribute("aria-disabled", "false");
  if (!decide) return;
  if ((await uncopied()).length === 0) decided(true);
  else part("said").textContent = sheet.dataset.sayUnsent;
}

/** Writes as a file for another phone; what cannot be in it, or where the script for it cannot be loaded, as text. */
async function saveCopy() {
  const items = await uncopied();
  let asked = items.filter((item) => !item.write);
  try {
    await (await import("./night/share_bundle.js")).saveFile();
  } catch {
    asked = items;
  }
  if (asked.length > 0) saveText(asked.map(asText).join("\n\n"));
  haveCopy(items, sheet.dataset.sayCopied);
}

function saveText(text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = "chratzete.txt";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function showPaper() {
  const items = await uncopied();
  part("paper").textContent = items.map(asText).join("\n\n");
  part("paper").hidden = false;
  haveCopy(items, sheet.dataset.sayPaper);
}

function haveCopy(items, said) {
  part("said").textContent = said;
  part("on").hidden = false;
  part("on").onclick = () => {
    for (const { key } of items) copied.add(key);
    decided(true);
  };
}

function tapped(event) {
  const button = closest(event, "button");
  if (!button || button.getAttribute("aria-disabled") === "true") return;
  if ("sendFirst" in button.dataset) sendNow(button);
  if ("copyFirst" in button.dataset) saveCopy();
  if ("paperFirst" in button.dataset) showPaper();
}

const follow = () => askBeforeLeaving("only-here", outbox.holds());

outbox.listen(follow);
if (sheet) {
  sheet.addEventListener("click", tapped);
  // Cancelled, or closed by a tap beside it: nothing is saved.
  sheet.addEventListener("toggle", (event) => {
    if (event.newState === "closed") decided(false);
  });
}
