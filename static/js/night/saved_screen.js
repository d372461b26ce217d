// The saved screen of a hand that waits on this phone: payouts, payments, the pot, the next dealer. It looks as
// templates/games/table/paid.html does, and is filled into templates/games/table/_saved.html.
import { gain, money, showAmount } from "../money.js";
import { effectLines, price } from "./preview.js";
import { recordOf } from "./present.js";
import { text } from "./texts.js";

// A chip with a longer name has a smaller font.
const LONG_CHIP = 10;

/** Fill the screen. `done`: the result of the hand (present.js), `now`: the present after it, `line`: the hand in one line,
 * `rules`: address or "". */
export function fillSaved(root, { done, now, line, rules = "" }) {
  const { write, start, result, seats } = done;
  const names = seats.map((seat) => seat.name);
  for (const head of [root.querySelector("#saved-title"), document.querySelector("[data-saved-head]")]) head.textContent = text("saved.title", { number: write.number });
  root.querySelector("[data-hand-line]").textContent = result.susi === null ? line : `${line} · ${text("saved.susi", { susi: names[result.susi] })}`;
  const pot = document.querySelector("#hand .pot").cloneNode(true);
  pot.dataset.potNow = "";
  showAmount(pot, now.pot);
  root.querySelector("[data-pot-now]").replaceWith(pot);
  root.querySelector("[data-coins]").replaceChildren(...coins(result, names), ...antes(now, result));
  const effects = effectLines(recordOf(start, write.record), result, { names, rules });
  root.querySelector("[data-effects]").hidden = !effects;
  if (effects) root.querySelector("[data-effects]").replaceChildren(...effects.line.childNodes);
  root.querySelector("[data-next]").textContent = nextSentence(now);
  const next = root.querySelector("[data-next-hand]");
  next.textContent = text("screen.hand", { number: now.number });
  next.hidden = now.over;
  chips(root.querySelector("[data-sitting]"), now);
}

/** The coins in the order in which they move, without antes. */
function coins(result, names) {
  return result.lines.filter((one) => one.kind !== "ante").map(({ seat, kind, amount }) => {
    const name = kind === "payout" ? "takes" : kind === "cut" ? "pays-cut" : "pays";
    return coin(text(`saved.${name}`, { name: names[seat] }), text("preview.price", { amount: gain(amount) }), amount);
  });
}

/** The antes of the next hand, as one line. */
function antes(now, result) {
  const dealer = now.seats[now.dealer].name;
  const [ante, dealerAnte] = [now.due.antes[(now.dealer + 1) % now.seats.length], now.due.antes[now.dealer]];
  const none = result.lines.every((line) => line.kind === "ante");
  if (now.ended) return none ? [coin(text("saved.nothing"), price(0))] : [];
  if (now.muss) return [coin(text("saved.antes-muss", { dealer }), price(ante))];
  if (now.muss === false) return [coin(text("saved.pack", { name: dealer }), price(dealerAnte))];
  if (ante) return [coin(text("saved.antes"), price(ante))];
  return none ? [coin(text("saved.nothing"), price(0))] : [];
}

function coin(words, amount, minor = 0) {
  const li = document.createElement("li");
  const said = document.createElement("span");
  said.textContent = words;
  const sum = document.createElement("b");
  sum.className = `num ${minor > 0 ? "gain" : minor < 0 ? "loss" : ""}`;
  sum.textContent = amount;
  li.append(said, sum);
  return li;
}

function nextSentence(now) {
  const name = (step) => now.seats[(now.dealer + step) % now.seats.length].name;
  if (now.handsLeft === 0) return text("saved.round-over");
  if (now.ended) return text("saved.evening-over");
  if (now.muss !== null) return text(now.muss ? "saved.next-muss" : "saved.next-free", { dealer: name(0) });
  return text("screen.deals", { dealer: name(0), forehand: name(1) });
}

/** The declarers of the next hand: one tap leads to its entry. In a Muss nobody declares. */
function chips(nav, now) {
  for (const old of nav.querySelectorAll("button")) old.remove();
  nav.hidden = now.muss === true || now.ended || now.over;
  nav.setAttribute("aria-label", nav.querySelector("span").textContent);
  now.seats.forEach(({ name }, seat) => {
    const chip = document.createElement("button");
    chip.type = "button";
    chip.className = name.length > LONG_CHIP ? "chip long" : "chip";
    chip.dataset.declaresSeat = seat;
    const words = document.createElement("b");
    words.textContent = name;
    chip.append(words);
    nav.append(chip);
  });
}

/** The coins of a hand in one line, as in the list of tonight: [[name, amount]] as elements. */
export function coinsLine(done) {
  const sums = new Map();
  for (const { seat, kind, amount } of done.result.lines) if (kind !== "ante") sums.set(seat, (sums.get(seat) ?? 0) + amount);
  if (!sums.size) {
    const none = document.createElement("span");
    none.className = "soft";
    none.textContent = text("waiting.pot-stays");
    return [none];
  }
  return [...sums].flatMap(([seat, amount], at) => {
    const part = document.createElement("span");
    part.className = "nowrap";
    const sum = document.createElement("b");
    sum.className = amount > 0 ? "gain" : "loss";
    sum.textContent = gain(amount);
    part.append(`${done.seats[seat].name} `, sum);
    return at ? [" ", part] : [part];
  });
}

/** The pot after a hand, for a line. */
export const potAfter = (done) => money(done.result.pot_after);
