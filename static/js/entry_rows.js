// The rows and buttons of an entry, the same on the table screen and on the correction page.
import { button } from "./dom.js";
import { entryOfGame } from "./entry/games.js";
import * as hand from "./hand_state.js";
import { gain, money, showAmount } from "./money.js";

/** Show the state of an entry. `entry` has the form, its rows by seat, the state (hand_state.js), the texts (data) and
    `refused`. */
export function showEntry(entry) {
  const { form, rows, state } = entry;
  const fields = hand.fields(state);
  const made = hand.madeOf(state);
  const tricks = hand.tricksOf(state);
  const counted = new Set(state.counts.map(([seat]) => seat));
  const ruled = new Set(hand.ruledOf(state));
  const played = hand.active(state).length > 1;
  const asks = hand.missing(state) === "made";
  form.querySelector(".seats").classList.toggle("someone", hand.active(state).length > 0);
  rows.forEach((row, seat) => {
    const role = hand.role(state, seat);
    const plays = role !== "out";
    for (const each of ["declarer", "joiner", "out"]) row.classList.toggle(each, role === each);
    if (!entry.refused) row.classList.remove("marked");
    const who = row.querySelector("[data-tap]");
    who.setAttribute("aria-pressed", String(plays));
    who.setAttribute("aria-disabled", String(hand.allPlay(state)));
    row.querySelector("[data-role]").textContent = tag(entry, role);
    const deals = row.querySelector("[data-deals]");
    if (deals) deals.hidden = seat !== hand.dealerOf(state);
    const balance = row.querySelector("[data-balance]");
    if (balance) balance.hidden = plays;
    const marks = row.querySelector("[data-made]");
    if (marks)
      showMarks(marks, state, {
        result: played ? made[seat] : state.marks[seat],
        follows: played && ruled.has(seat),
        asks,
      });
    const counts = row.querySelector("[data-tricks]");
    counts.hidden = !state.counting;
    const shown = counts.querySelector("[data-count]");
    shown.textContent = (played || counted.has(seat) ? tricks[seat] : null) ?? "·";
    shown.classList.toggle("follows", !counted.has(seat));
    fill(form, `role-${seat}`, fields.seats[seat].role);
    fill(form, `made-${seat}`, fields.seats[seat].made);
    fill(form, `tricks-${seat}`, fields.seats[seat].tricks);
  });
  for (const name of ["passed", "seven"]) if (form.elements[name]) form.elements[name].checked = fields[name];
  for (const name of ["cuts", "game_type", "mode", "blind", "seven_lost"]) fill(form, name, fields[name]);
  press(form, "[data-pass]", state.passed);
  press(form, "[data-counting]", state.counting);
  press(form, "[data-seven]", state.seven);
  showChoices(entry);
  if (entryOfGame(state.game).cuts) {
    showCuts(entry);
    showDealer(entry);
  }
  showLost(entry);
}

/** The result of a seat: pressed, lighter where it follows from the rules, and grey where it is undecided. */
function showMarks(marks, state, { result, follows, asks }) {
  marks.hidden = state.counting;
  marks.classList.toggle("follows", follows);
  marks.classList.toggle("undecided", asks && result === null);
  for (const button of marks.querySelectorAll("[data-mark]"))
    button.setAttribute("aria-pressed", String(result === (button.dataset.mark === "yes")));
  marks.querySelector("[data-follows]").hidden = !follows;
}

function showChoices({ form, state }) {
  const turn = form.querySelector("[data-turn]");
  const blinds = form.querySelector("[data-blinds-choice]");
  const calls = form.querySelector("[data-calls]");
  const choices = hand.blindChoices(state);
  const asks = calls !== null && state.declarer !== null && !state.seven;
  if (blinds) {
    blinds.hidden = choices.length === 0;
    for (const button of blinds.children)
      button.setAttribute("aria-pressed", String((button.dataset.blind || null) === state.blind));
  }
  if (calls) {
    calls.hidden = !asks;
    for (const button of calls.children)
      button.setAttribute("aria-pressed", String(button.dataset.call === state.call));
  }
  turn.hidden = asks || choices.length > 0;
}

function showCuts({ form, state, data }) {
  const label = form.querySelector("[data-cut-label]");
  if (!label) return;
  const names = Object.fromEntries(
    [...form.querySelectorAll("[data-cut]")].map((button) => [button.dataset.cut, button.textContent.trim()]),
  );
  const cards = [...state.cuts].map((card) => names[card]);
  label.textContent = state.cuts ? data.sayCut.replace("{cards}", cards.join(", ")) : data.sayCutNone;
  press(form, "[data-cut-label]", state.cuts !== "");
  form.querySelector("[data-cut-shown]").textContent = cards.length ? cards.join(" · ") : "–";
  for (const button of form.querySelectorAll("[data-cut]")) button.disabled = !hand.canShow(state, button.dataset.cut);
  form.querySelector("[data-cut-back]").disabled = state.cuts === "";
}

/** Who lost the card for whose loss a player pays: the button, and the players to choose from in its sheet. */
function showLost({ form, rows, state, data }) {
  const label = form.querySelector("[data-lost-label]");
  if (!label) return;
  const names = rows.map((row) => row.querySelector(".name").textContent);
  const lost = hand.lostOf(state);
  const choices = hand.lostChoices(state);
  label.disabled = choices.length === 0;
  label.textContent = lost === null ? data.sayLostNone : data.sayLost.replace("{name}", () => names[lost]);
  press(form, "[data-lost-label]", lost !== null);
  const list = form.querySelector("[data-lost-seats]");
  // A button that is tapped must stay, else it does not close its sheet.
  const known = [...list.children].map((choice) => choice.textContent);
  if (String(known) !== String(choices.map((seat) => names[seat])))
    list.replaceChildren(...choices.map((seat) => lostChoice(seat, names[seat])));
  for (const choice of list.children)
    choice.setAttribute("aria-pressed", String(lost !== null && choice.dataset.lost === String(lost)));
}

function lostChoice(seat, name) {
  const choice = button("chip", name);
  choice.setAttribute("popovertarget", "lost");
  choice.setAttribute("popovertargetaction", "hide");
  choice.dataset.lost = String(seat);
  return choice;
}

/** The dealer, the pot and the payments follow each card that a cut shows. */
function showDealer({ form, rows, state, data }) {
  const units = hand.cutUnits(state);
  const unit = Number(data.unit);
  showAmount(form.querySelector(".pot"), Number(data.pot) + unit * units.reduce((sum, n) => sum + n, 0));
  for (const [seat, row] of rows.entries()) showBalance(row.querySelector("[data-balance]"), unit * units[seat]);
  const names = rows.map((row) => row.querySelector(".name").textContent);
  const deals = (state.seven ? data.sayDealsSeven : data.sayDeals).replace("{name}", () => names[hand.dealerOf(state)]);
  const sentence =
    state.cuts || state.seven
      ? [
          deals,
          dues(
            units.map((n) => n * unit),
            names,
            data,
          ),
        ]
          .filter(Boolean)
          .join(" ")
      : data.sayPack;
  for (const each of form.querySelectorAll("[data-turn-now]")) each.textContent = sentence;
}

/** The sum of tonight without the payments of the seat for the cuts. */
function showBalance(balance, due) {
  const minor = Number(balance.dataset.tonight) - due;
  balance.classList.toggle("gain", minor > 0);
  balance.classList.toggle("loss", minor < 0);
  balance.lastChild.data = ` ${gain(minor)}`;
}

/** The payments for the cuts, as one sentence; empty without one. */
function dues(payments, names, data) {
  const least = Math.min(...payments);
  const owed = payments.flatMap((paid, seat) => (paid > least ? [`${names[seat]} ${money(paid)}`] : []));
  if (least) owed.push((owed.length ? data.sayOthers : data.sayAll).replace("{amount}", money(least)));
  return owed.length ? data.sayDues.replace("{dues}", () => owed.join(", ")) : "";
}

/** The tag beside a name: the role of the seat in the terms of the game. */
export function tag({ state, data }, role) {
  if (role === "out") return "";
  if (hand.allPlay(state)) return (role === "declarer" && !state.seven && data.labelGoal) || "";
  if (role === "joiner") return data.labelJoiner;
  const calls = { schlagen: data.labelSchlagen, oder: data.labelOder, "weiter-oder": data.labelWeiterOder };
  return calls[state.call] ?? data.labelDeclarer;
}

function press(form, what, pressed) {
  form.querySelector(what)?.setAttribute("aria-pressed", String(pressed));
}

function fill(form, name, value) {
  if (form.elements[name]) form.elements[name].value = value;
}
