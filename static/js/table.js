// The table screen: an entry (table_entry.js) in a night that goes on in place (night/table_night.js).
import { closest } from "./dom.js";
import { openNight } from "./night/followed_table.js";
import { pageSnapshot } from "./night/page_snapshot.js";
import { Saving } from "./night/save_hand.js";
import { TableNight } from "./night/table_night.js";
import { askedFor, look, settle, showAgain } from "./refused_hands.js";
import { Entry } from "./table_entry.js";

/** Show the refusal of a hand that an older version of this page saved as a form; another tab may have the answer. */
function showOutcome({ item, page }) {
  if (page) show(page);
  else showAgain(item.key);
}

/** Show a page that came as an answer. */
function show(page) {
  for (const part of ["#main", "#night-snapshot"]) {
    const shown = page.querySelector(part);
    if (shown) document.querySelector(part)?.replaceWith(shown);
  }
  document.body.className = page.body.className;
  document.title = page.title;
  window.scrollTo(0, 0);
  document.querySelector("#main").focus();
  window.htmx?.process(document.querySelector("#main"));
  start();
}

/** The keys of the saved screen: Enter leads to the next hand, a number names its declarer, n says nobody. */
function saidOnward(event, onward) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector(":popover-open")) return;
  if (event.key === "Enter" && !closest(event, "button, a, summary")) onward.click();
  if (/^[1-7]$/.test(event.key))
    document.querySelectorAll("[data-declares]:not([data-nobody])")[Number(event.key) - 1]?.click();
  if (event.key === "n") document.querySelector("[data-nobody]")?.click();
}

let tableNight = null;

async function start(asked = "") {
  const form = document.querySelector("#hand");
  const once = [asked];
  tableNight?.close();
  const night = form && (await openNight(await pageSnapshot()));
  if (night) {
    tableNight = new TableNight(night, form, (filled, now, table) => {
      const saving = (entry) => new Saving(entry, showOutcome, table);
      return new Entry(filled, now, { saving, asked: once.splice(0)[0] });
    });
    tableNight.start();
  }
  const versus = document.querySelector("[data-versus]");
  if (versus) settle(versus);
  for (const link of document.querySelectorAll("[data-closes]")) {
    link.addEventListener("click", () => document.getElementById(link.dataset.closes)?.hidePopover?.());
  }
  const onward = document.querySelector("[data-go]");
  if (onward) document.addEventListener("keydown", (event) => saidOnward(event, onward));
}

// A page restored from the browser's cache may be about a hand that was saved long ago.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
// The undone hand fills the form only once; a reload must not bring it back.
// So does the declarer who was tapped on the page before.
if (/^\?(again|declares)=(\d+|nobody)$/.test(window.location.search))
  window.history.replaceState(null, "", window.location.pathname);
const asked = askedFor();
start(asked);
look(show, asked);
