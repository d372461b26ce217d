// What a hand is worth: each tap shows the hand and its answer, and writes the hand into the address. Without this
// script the form asks the server.
import { element } from "./dom.js";
import { classOf } from "./hand_worth/classes.js";
import { PACKS } from "./hand_worth/games.js";
import { LoadedTable } from "./hand_worth/load.js";
import { sentences, timesOf } from "./hand_worth/sentences.js";
import { chancesOf } from "./hand_worth/table.js";

const HAND = 4;
const FEWEST = 2;
const form = /** @type {HTMLFormElement} */ (document.querySelector("#hand-worth"));
const data = JSON.parse(document.querySelector("#hand-worth-data").textContent);
const answer = form.querySelector("[data-answer]");
const held = form.querySelector("[data-held]");
const enough = form.querySelector("[data-enough]");
const seats = document.querySelector("[data-seats]");
const tables = Object.fromEntries(Object.entries(data.files).map(([game, file]) => [game, new LoadedTable(file)]));

const field = (name, more) => /** @type {HTMLInputElement | null} */ (form.querySelector(`[name=${name}]${more}`));
const picked = (name) => field(name, ":checked")?.value ?? "";
const boxes = () => [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=c]"))];

/** The cards that are tapped and belong to the game. */
function chosen() {
  const others = Object.keys(PACKS).filter((game) => game !== picked("game"));
  return boxes().filter((box) => box.checked && !others.some((game) => box.closest(`.of-${game}`)));
}

/** The hand as the form has it now. */
function asked() {
  const players = Number(picked("players"));
  const place = players - 1 - Number(picked("after"));
  return {
    game: picked("game"),
    trump: picked("trump"),
    cards: chosen().map((box) => box.value),
    players,
    place,
    stage: picked("stage") === "after" ? 1 : 0,
  };
}

function addressOf() {
  const fields = new URLSearchParams();
  for (const name of ["game", "faces", "trump"]) if (picked(name)) fields.set(name, picked(name));
  for (const box of chosen()) fields.append("c", box.value);
  for (const name of ["players", "after"]) fields.set(name, picked(name));
  if (picked("stage") === "after") fields.set("stage", "after");
  return `${form.getAttribute("action")}?${fields}`;
}

/** The first empty places are dashed; a card in the hand is the picture that was tapped, with its name. */
function showHeld() {
  const cards = chosen();
  held.replaceChildren(
    ...Array.from({ length: HAND }, (_, place) => {
      const copies = cards[place] ? [...cards[place].parentElement.children].slice(1) : [];
      return element("li", "", ...copies.map((each) => each.cloneNode(true)));
    }),
  );
}

/** Show as many places as there are players. Whoever led leads on. */
function fitPlaces(players, led) {
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=after]"))) {
    const tooMany = Number(box.value) >= players;
    box.parentElement.toggleAttribute("data-too-many", tooMany);
    if (Number(box.value) === players - 1 && (led || Number(picked("after")) >= players)) box.checked = true;
  }
}

function roleOf(hand) {
  const after = hand.players - 1 - hand.place;
  const kind = after === 0 ? "last" : after === 1 ? "one" : "some";
  const key = hand.place === 0 ? "declares" : `joins-${kind}`;
  return data.roles[`${hand.game}-${key}`].replace("{n}", String(after));
}

function say(text) {
  answer.replaceChildren(element("p", "soft", text));
}

function showAnswer(hand, values) {
  const declares = hand.place === 0;
  const chances = chancesOf(values, hand.players, hand.place, hand.stage);
  const [goal, other, even] = sentences(data.texts, hand.game, chances, declares);
  answer.replaceChildren(
    element("p", "said", goal),
    element("p", "", other),
    element("p", "soft small", roleOf(hand)),
    element("p", "even", even),
  );
}

function showSeats(hand, values) {
  const rows = [];
  for (let players = FEWEST; players <= PACKS[hand.game].mostPlayers; players += 1) {
    const head = element("th", "text", String(players));
    head.scope = "row";
    // The leader first, then those who join, from the last one on.
    const places = [0, ...Array.from({ length: players - 1 }, (_, after) => players - 1 - after)];
    const cells = places.map((place) => {
      const [oneTrick, twoTricks] = chancesOf(values, players, place, hand.stage);
      const here = players === hand.players && place === hand.place;
      return element("td", here ? "here" : "", String(timesOf(oneTrick)), element("br"), String(timesOf(twoTricks)));
    });
    rows.push(element("tr", "", head, ...cells));
  }
  seats.replaceChildren(...rows);
}

let shown = 0;

/** Show the answer to the hand, unless another one was asked for meanwhile. */
async function show() {
  const hand = asked();
  const number = hand.cards.length === HAND && hand.trump ? classOf(hand.game, hand.cards, hand.trump) : null;
  const turn = ++shown;
  seats.closest("details").hidden = number === null;
  if (number === null) {
    say(data.tap);
    tables[hand.game].begin();
    return;
  }
  const waiting = setTimeout(say, 300, data.waits);
  try {
    const values = await tables[hand.game].values(number);
    if (turn !== shown) return;
    showAnswer(hand, values);
    showSeats(hand, values);
  } catch {
    if (turn === shown) say(data.away);
  } finally {
    clearTimeout(waiting);
  }
}

let before = asked();

form.addEventListener("change", (event) => {
  const box = /** @type {HTMLInputElement} */ (event.target);
  const tooMany = chosen().length > HAND;
  enough.textContent = tooMany ? data.enough : "";
  if (tooMany) box.checked = false;
  if (box.name === "faces") {
    window.location.assign(addressOf());
    return;
  }
  const most = PACKS[picked("game")].mostPlayers;
  if (Number(picked("players")) > most) field("players", `[value="${most}"]`).checked = true;
  fitPlaces(Number(picked("players")), before.place === 0 && box.name !== "after");
  before = asked();
  showHeld();
  window.history.replaceState(null, "", addressOf());
  show();
});

form.addEventListener("submit", (event) => event.preventDefault());

const share = form.querySelector("[data-share]");
share.hidden = !navigator.clipboard;
share.addEventListener("click", async () => {
  await navigator.clipboard.writeText(new URL(addressOf(), window.location.href).href);
  form.querySelector("[data-copied]").textContent = data.copied;
});

/** The page that a phone kept has no hand: that of the address is set here. */
function recall() {
  const wanted = new URLSearchParams(window.location.search);
  for (const name of ["game", "trump", "players", "after", "stage"]) {
    const box = wanted.has(name) && field(name, `[value="${CSS.escape(wanted.get(name))}"]`);
    if (box) box.checked = true;
  }
  const cards = wanted.getAll("c");
  if (cards.length > 0) for (const box of boxes()) box.checked = cards.includes(box.value);
  fitPlaces(Number(picked("players")), false);
  before = asked();
}

recall();
// The server has answered already, unless the page is a kept one or the browser has filled in its form.
if (answer.querySelector(".said") && addressOf() === window.location.pathname + window.location.search) {
  tables[before.game].begin();
} else {
  showHeld();
  show();
}
