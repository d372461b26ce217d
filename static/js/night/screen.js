// Fills the table screen from a present (present.js): title, hand number, pot, rows, dealer, Muss, hidden fields,
// labels.
//
// The server renders the same page with its own state; this is for the hands that are not stored there yet.
import { element, elementOf } from "../dom.js";
import { entryOfGame } from "../entry/games.js";
import { gain, money, showAmount } from "../money.js";
import { newKey } from "./new_key.js";
import { say, text } from "./texts.js";

// As games/table/screens.py: a longer name needs two lines beside its marks.
const LONG_NAME = 13;

/** Return true if the cards shown at the cuts decide the dealer, and add to the pot. */
const isCut = (now) => entryOfGame(now.game).cuts !== null;

/** The state for which an entry is begun, as the server writes it (games/table/draft_reseating.py). */
export function basisOf(now) {
  const players = now.seats.map((seat) => seat.player);
  return `${now.number} ${players.join(",")} ${players[now.dealer]} ${now.dealNumber} ${now.potBefore}`;
}

/** Fill the form of the next hand. `last`: the line about the hand before it, or "". The entry is empty then. */
export function fill(form, now, last = "") {
  title(now);
  data(form, now);
  fields(form, now);
  pot(form.querySelector(".pot"), now);
  form.querySelector(".seats").replaceChildren(...now.seats.map((_, seat) => row(now, seat)));
  turn(form, now);
  for (const button of form.querySelectorAll("[data-pass]")) button.hidden = now.muss === true;
  for (const calls of form.querySelectorAll("[data-calls]")) calls.hidden = true;
  form.querySelector("#preview").replaceChildren(first(now, last));
  form.querySelector("[data-save]").textContent = text("screen.save", { number: now.number });
  form.querySelector("#changed").hidden = true;
  form.classList.remove("waits");
}

/**
 * The amount in the pot. Points alone have no currency, but the page of an evening that begins on the phone brings one.
 */
function pot(shown, now) {
  const amount = isCut(now) ? now.due.pot : now.pot;
  if (now.snapshot.points_only) shown.textContent = money(amount);
  else showAmount(shown, amount);
}

function title(now) {
  const { club, table } = now.snapshot;
  document.title = text("screen.title", { club: club.name, table: table.number, number: now.number });
  for (const number of document.querySelectorAll("[data-hand-number]"))
    number.textContent = text("screen.hand", { number: now.number });
}

function data(form, now) {
  const own = form.dataset;
  for (const name of ["filled", "declared"]) delete own[name];
  Object.assign(own, {
    seats: now.seats.length,
    dealer: now.dealer,
    number: now.number,
    table: now.table,
    basis: basisOf(now),
  });
  if (!isCut(now)) return;
  form.toggleAttribute("data-muss", now.muss);
  const { name } = now.seats[now.dealer];
  own.pot = now.due.pot;
  own.sayPack = say(now.game, now.muss ? "pack-muss" : "pack", { dealer: name });
  // The place of the name is filled by entry_rows.js, after each card that a cut shows.
  own.sayDeals = say(now.game, now.muss ? "deals-muss" : "deals-free");
}

function fields(form, now) {
  const { key, number, players, pack, muss } = form.elements;
  key.value = newKey();
  number.value = now.number;
  players.value = now.seats.map((seat) => seat.player).join(",");
  if (!pack) return;
  pack.value = now.dealer;
  if (muss && !now.muss) muss.remove();
  if (!muss && now.muss)
    pack.after(Object.assign(document.createElement("input"), { type: "hidden", name: "muss", value: "1" }));
}

/** A row of a seat, from the page's pattern: `{seat}` and `{name}` in it are replaced. */
function row(now, seat) {
  const { name, sum } = now.seats[seat];
  const li = elementOf("#seat-row");
  const filled = (value) => value.replace("{seat}", () => seat).replace("{name}", () => name);
  for (const node of [li, ...li.querySelectorAll("*")]) {
    for (const { name: attribute, value } of [...node.attributes])
      if (value.includes("{")) node.setAttribute(attribute, filled(value));
    for (const child of node.childNodes)
      if (child instanceof Text && child.data.includes("{")) child.data = filled(child.data);
  }
  li.classList.toggle("long", name.length > LONG_NAME);
  for (const mark of li.querySelectorAll("[data-deals]")) mark.hidden = seat !== now.dealer;
  const tonight = sum - (now.ended ? 0 : now.due.antes[seat]);
  const balance = li.querySelector("[data-balance]");
  balance.dataset.tonight = String(tonight);
  balance.classList.toggle("gain", tonight > 0);
  balance.classList.toggle("loss", tonight < 0);
  balance.lastChild.nodeValue = ` ${gain(tonight)}`;
  return li;
}

/** The dealer and the first speaker; before that the pause and the last hand for all. */
function turn(form, now) {
  const line = form.querySelector("[data-turn]");
  const sentence = element("span");
  const parts = [];
  if (now.ended || now.lastHand)
    parts.push(element("b", "", text(now.ended ? "screen.ended" : "screen.last-hand")), " ");
  if (now.paused) parts.push(`${text("screen.paused")} `);
  if (isCut(now)) {
    sentence.dataset.turnNow = "";
    sentence.textContent = form.dataset.sayPack;
  } else sentence.textContent = dealsSentence(now);
  line.replaceChildren(...parts, sentence);
}

function dealsSentence(now) {
  const name = (step) => now.seats[(now.dealer + step) % now.seats.length].name;
  const deal = now.dealNumber > 1 ? ` ${text("screen.deal", { n: now.dealNumber })}` : "";
  return text("screen.deals", { dealer: name(0), forehand: name(1) }) + deal;
}

/** The instruction for the first tap, and the hand before this one. */
function first(now, last) {
  const sentence = now.muss ? text("screen.tap-muss") : say(now.game, "tap-first");
  const before = last ? element("p", "soft before", `${text("screen.before")} ${last}`) : null;
  return element("div", "first", element("p", "say", sentence), before);
}
