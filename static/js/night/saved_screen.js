// The saved screen of a hand that waits on this phone: payouts, payments, the pot, the next dealer. It looks as
// templates/games/table/paid.html does, and is filled into templates/games/table/_saved.html.
import { button, element } from "../dom.js";
import { gain, money, showAmount } from "../money.js";
import { coinsOf, effectLines } from "./preview.js";
import { recordOf } from "./present.js";
import { gainPrice, price, say, text } from "./texts.js";

// A chip with a longer name has a smaller font.
const LONG_CHIP = 10;

/**
 * Fill the screen. `done`: the result of the hand (present.js), `now`: the present after it, `line`: the hand in one
 * line, `rules`: address or "".
 */
export function fillSaved(root, { done, now, line, rules = "" }) {
  const { write, start, result, seats } = done;
  const names = seats.map((seat) => seat.name);
  for (const head of [root.querySelector("#saved-title"), document.querySelector("[data-saved-head]")])
    head.textContent = text("saved.title", { number: write.number });
  root.querySelector("[data-hand-line]").textContent =
    result.susi === null ? line : `${line} · ${text("saved.susi", { susi: names[result.susi] })}`;
  const pot = /** @type {HTMLElement} */ (document.querySelector("#hand .pot").cloneNode(true));
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
  return coinsOf(result).map(({ seat, kind, amount }) => {
    const kinds = { payout: "takes", cut: "pays-cut", seven: "pays-seven" };
    return coin(text(`saved.${kinds[kind] ?? "pays"}`, { name: names[seat] }), gainPrice(amount), amount);
  });
}

/** The antes of the next hand, as one line. */
function antes(now, result) {
  const dealer = now.seats[now.dealer].name;
  const [ante, dealerAnte] = [now.due.antes[(now.dealer + 1) % now.seats.length], now.due.antes[now.dealer]];
  const none = result.lines.every((line) => line.kind === "ante");
  if (now.ended) return none ? [coin(text("saved.nothing"), price(0))] : [];
  if (now.muss && ante) return [coin(text("saved.antes-muss", { dealer }), price(ante))];
  if (now.muss !== null) return [coin(say(now.game, "saved-pack", { name: dealer }), price(dealerAnte))];
  if (ante) return [coin(text("saved.antes"), price(ante))];
  return none ? [coin(text("saved.nothing"), price(0))] : [];
}

function coin(words, amount, minor = 0) {
  const css = `num ${minor > 0 ? "gain" : minor < 0 ? "loss" : ""}`;
  return element("li", "", element("span", "", words), element("b", css, amount));
}

function nextSentence(now) {
  const name = (step) => now.seats[(now.dealer + step) % now.seats.length].name;
  if (now.handsLeft === 0) return text("saved.round-over");
  if (now.ended) return text("saved.evening-over");
  if (now.muss !== null) return say(now.game, now.muss ? "saved-muss" : "saved-free", { dealer: name(0) });
  return text("screen.deals", { dealer: name(0), forehand: name(1) });
}

/** Who declares the next hand, or nobody: one tap leads to its entry. In a Muss nobody is asked. */
function chips(nav, now) {
  nav.hidden = now.muss === true || now.ended || now.over;
  nav.setAttribute("aria-label", nav.querySelector("span").textContent);
  now.seats.forEach(({ name }, seat) => {
    const chip = button(name.length > LONG_CHIP ? "chip long" : "chip", element("b", "", name));
    chip.dataset.declaresSeat = String(seat);
    nav.querySelector("[data-declares-seat=nobody]").before(chip);
  });
}

/** The coins of a hand in one line, as in the list of tonight: [[name, amount]] as elements. */
export function coinsLine(done) {
  const sums = new Map();
  for (const { seat, kind, amount } of done.result.lines)
    if (kind !== "ante") sums.set(seat, (sums.get(seat) ?? 0) + amount);
  if (!sums.size) return [element("span", "soft", text("waiting.pot-stays"))];
  return [...sums].flatMap(([seat, amount], index) => {
    const sum = element("b", amount > 0 ? "gain" : "loss", gain(amount));
    const part = element("span", "nowrap", `${done.seats[seat].name} `, sum);
    return index ? [" ", part] : [part];
  });
}

/** The pot after a hand, for a line. */
export const potAfter = (done) => money(done.result.pot_after);
