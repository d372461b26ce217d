// The table screen of an evening that was begun on this phone: until it arrives, it is shown from the write that waits.
// Then its own page opens.
import { kept } from "../browser_storage.js";
import * as outbox from "../outbox.js";
import { ARRIVED, arrivedAt, beginItem, keyOfPage } from "./page_snapshot.js";
import { price, text } from "./texts.js";

const DRAFT = "chratzete.draft.";

const show = (what, shown) => {
  document.querySelector(what).hidden = !shown;
};

let begun = false;
let left = false;

async function look() {
  const item = await beginItem();
  const arrived = arrivedAt(keyOfPage());
  if (!item && arrived) {
    leave(arrived);
    return;
  }
  const refused = item?.status === outbox.REFUSED;
  show("[data-no-evening]", !item);
  show("#tonight", Boolean(item));
  show("[data-begin-refused]", refused);
  // Once it is shown, the night itself hides the form behind the saved screen.
  if (!item || !begun) show("#hand", Boolean(item));
  begun = Boolean(item);
  if (refused) document.querySelector("[data-begin-why]").textContent = item.why;
}

/** The evening is stored: its number, and the pot if the phone had another one, is shown on the page of its table. */
function note({ item, answer }) {
  const { evening, table } = answer.snapshot;
  const known = item.write.carry ? (item.night?.box?.[item.write.game] ?? 0) : 0;
  const said = [text("begun.number", { number: evening.number })];
  const { difference } = answer.stored;
  if (difference) said.push(difference.sentence);
  else if (table.hands === 0 && table.pot_before !== known)
    said.push(text("begun.pot", { amount: price(table.pot_before), known: price(known) }));
  kept.write(sessionStorage, ARRIVED, said.join(" "));
}

/** The entry under way, for the table and the players with their ids on the server. */
function carryDrafts(key, { table, ids }) {
  const idOf = (reference) => ids[reference] ?? reference;
  for (const name of Object.keys(sessionStorage).filter((storageKey) => storageKey.startsWith(`${DRAFT}${key}.`))) {
    const draft = kept.read(sessionStorage, name);
    kept.write(sessionStorage, name, null);
    if (!draft) continue;
    const moved = draft.players ? { ...draft, players: draft.players.split(",").map(idOf).join(",") } : draft;
    kept.write(sessionStorage, name.replace(`${DRAFT}${key}.`, `${DRAFT}${table}.`), moved);
  }
}

/**
 * Go to the table with the entry under way, as soon as no dialog is open; once, as a second start would stop the first.
 */
function leave(arrived) {
  if (left) return;
  const open = document.querySelector(":popover-open");
  if (open) {
    open.addEventListener("toggle", () => leave(arrived), { once: true });
    return;
  }
  left = true;
  carryDrafts(keyOfPage(), arrived);
  window.location.replace(arrived.page);
}

outbox.listen((outcome) => {
  if (outcome?.item?.key === keyOfPage() && outcome.kind === outbox.STORED) {
    if (outcome.answer?.snapshot) note(outcome);
    // Without storage only the guests of the entry under way are lost.
    leave(arrivedAt(keyOfPage()) ?? { page: outcome.url, table: outcome.answer?.stored?.table, ids: {} });
    return;
  }
  if (document.querySelector("#hand")) look();
});
window.addEventListener("hashchange", () => window.location.reload());
look();
