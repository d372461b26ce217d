// Where do I sit: the page has the places of all. The choice stays on this phone.
import { button, closest, element } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const part = () => document.querySelector("[data-tournament]");
const key = () => `seat ${part().dataset.key}`;

let data = null;
let typed = "";

const fill = (pattern, values) => pattern.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const kept = () => {
  try {
    return Number(window.localStorage.getItem(key())) || null;
  } catch {
    return null;
  }
};
function keep(number) {
  try {
    if (number) window.localStorage.setItem(key(), String(number));
    else window.localStorage.removeItem(key());
  } catch {
    /* a browser that keeps nothing asks again */
  }
}

const isNumber = (text) => /^\d+$/.test(text);

/** Return the first letters of the first three words, the public name of players without a further agreement. */
function initials(text) {
  const letters = text
    .split(/\s+/)
    .map((word) => (word.match(/[\p{L}\p{N}]/u) || [""])[0])
    .filter(Boolean)
    .slice(0, 3);
  return letters.map((letter) => `${letter.toUpperCase()}.`).join(" ");
}

/** Return the [number, name] of those with this start number or shown name: as `exact_places` of the server. */
function exact(text) {
  const wanted = text.trim().toLowerCase();
  if (isNumber(wanted)) return data.people.filter(([number]) => number === Number(wanted));
  return data.people.filter(([, name]) => name.toLowerCase() === wanted);
}

/** Return the [number, name] of those whom a text can mean: as `similar_places` of the server. */
function similar(text) {
  const wanted = text.trim().toLowerCase();
  const names = data.people.map((person) => [person, person[1].toLowerCase()]);
  const begins = names.filter(([, name]) => name.startsWith(wanted));
  const short = initials(text);
  const letters = names.filter(
    ([person]) =>
      person[1] === short || (person[1].startsWith(`${short} `) && /^\d+$/.test(person[1].slice(short.length + 1))),
  );
  return (begins.length ? begins : letters).map(([person]) => person);
}

/** Ask the server for the start number of the one entrant with exactly this name, which the page may not have. */
async function named(text, answer) {
  try {
    const reply = await fetch(`${answer.dataset.find}?who=${encodeURIComponent(text)}`, {
      headers: { Accept: "application/json" },
    });
    return await reply.json();
  } catch {
    return { number: null, says: "" };
  }
}

async function search(text, answer) {
  const known = exact(text);
  if (known.length || isNumber(text.trim())) return offer(known, answer);
  const { number, says } = await named(text.trim(), answer);
  const person = data.people.filter(([startNumber]) => startNumber === number);
  return offer(person.length ? person : similar(text), answer, says);
}

function node(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

const LETTER = 0.57;
const SMALLEST = 12;

/** Write a name into `room` units: smaller where it is long, then in two lines, and cut where even that is too long. */
function label(name, room, attributes, size) {
  const fits = (text) => room / (LETTER * Math.max(text.length, 1));
  const breaks = [...name.matchAll(/[ -]/g)].map((match) => match.index + 1);
  const middle = breaks.sort((left, right) => Math.abs(left - name.length / 2) - Math.abs(right - name.length / 2))[0];
  const lines = fits(name) >= SMALLEST || !middle ? [name] : [name.slice(0, middle).trim(), name.slice(middle)];
  const used = Math.max(SMALLEST, Math.min(size, ...lines.map(fits)));
  const most = Math.floor(room / (LETTER * used));
  const made = node("text", { ...attributes, "font-size": used });
  lines.forEach((line, n) => {
    const text = line.length > most ? `${line.slice(0, most - 1)}…` : line;
    made.append(node("tspan", { x: attributes.x, dy: n ? used * 1.1 : 0 }, text));
  });
  return made;
}

/**
 * Draw the table from the person's seat: this person at the bottom, the order of play counter-clockwise, the first
 * dealer in gold.
 */
function plan(table, seats, me, words) {
  const names = new Map(data.people);
  const own = seats.indexOf(me);
  const order = fill(words.order, { table, names: seats.map((number) => names.get(number)).join(", ") });
  const drawing = node("svg", {
    viewBox: seats.length % 2 ? "0 0 358 296" : "0 -26 358 322",
    class: "plan",
    role: "img",
    "aria-label": order,
  });
  drawing.append(node("circle", { cx: 179, cy: 130, r: 106, class: "top-of" }));
  drawing.append(node("text", { x: 179, y: 72, class: "what" }, words.table));
  const digits = String(table).length;
  drawing.append(node("text", { x: 179, y: 130 + [0, 62, 52, 40][digits], class: `number d${digits}` }, String(table)));
  seats.forEach((number, place) => {
    const angle = Math.PI / 2 - (2 * Math.PI * (place - own)) / seats.length;
    const x = 179 + 106 * Math.cos(angle);
    const y = 130 + 106 * Math.sin(angle);
    const kind = number === me ? "me" : place === 0 ? "deals" : "";
    drawing.append(node("circle", { cx: x, cy: y, r: 15, class: "ring" }));
    drawing.append(node("circle", { cx: x, cy: y, r: 12.5, class: `seat ${kind} ${place === 0 ? "first" : ""}` }));
    drawing.append(node("text", { x, y: y + 4.7, class: `place ${kind}` }, String(place + 1)));
    const name = number === me ? words.you : (names.get(number) ?? "");
    const side = Math.cos(angle);
    const high = Math.sin(angle) < -0.3;
    const anchor = Math.abs(side) < 0.2 ? "middle" : side > 0 ? "start" : "end";
    // Where the edge of the table falls back below a seat, its name may begin further in.
    const out = Math.sin(angle) > 0.2 ? -4 : 8;
    let [tx, ty] = [x, y + 36];
    if (Math.abs(side) < 0.2 && high) [tx, ty] = [x, y - 21];
    else if (high) [tx, ty] = [x + 21 * Math.sign(side), y - 2];
    else if (Math.abs(side) >= 0.2) [tx, ty] = [x + out * Math.sign(side), y + 34];
    const room = anchor === "middle" ? 340 : anchor === "start" ? 356 - tx : tx - 2;
    drawing.append(
      label(name, room, { x: tx, y: ty, "text-anchor": anchor, class: `name ${kind}` }, number === me ? 22 : 17),
    );
  });
  return drawing;
}

function choose(number) {
  keep(number);
  show();
  window.scrollTo(0, 0);
}

/** List the matches, to choose from; a single match is chosen. */
function offer(people, answer, says) {
  const list = document.querySelector("[data-fits]");
  list.replaceChildren();
  if (people.length === 1 && !says) return choose(people[0][0]);
  document.querySelector("[data-fits-says]").textContent =
    says || (people.length ? answer.dataset.several : answer.dataset.nobody);
  for (const [number, name] of people.slice(0, 40)) {
    const choice = button("btn quiet wide", `${number} · ${name}`);
    choice.addEventListener("click", () => choose(number));
    list.append(element("li", "", choice));
  }
  return null;
}

function sentence(answer, seats, me) {
  const names = new Map(data.people);
  const [deals, speaks] = seats;
  const first = deals === me ? answer.dataset.youDeal : fill(answer.dataset.deals, { name: names.get(deals) });
  const second = speaks === me ? answer.dataset.youSpeak : fill(answer.dataset.speaks, { name: names.get(speaks) });
  return `${first} ${second}`;
}

/** Return title and explanation for a person without a table. */
function without(answer, me) {
  if (data.withdrawn.includes(me)) return [answer.dataset.gone, answer.dataset.goneSays];
  if (answer.dataset.state === "over") return [answer.dataset.over, ""];
  if (answer.dataset.state === "finished") return [answer.dataset.next, answer.dataset.nextSays];
  if (data.out.includes(me)) return [answer.dataset.out, answer.dataset.outSays];
  if (!answer.dataset.state) return [answer.dataset.first, answer.dataset.firstSays];
  return [answer.dataset.wait, answer.dataset.waitSays];
}

/** A result as in the ranking: a mean in italics, a dropped value struck through. */
function result([text, kind, dropped]) {
  return element(dropped ? "s" : kind === "mean" ? "i" : "span", "", text);
}

function show() {
  const answer = document.querySelector("[data-answer]");
  const me = kept();
  const person = data.people.find(([number]) => number === me);
  part().classList.toggle("answered", Boolean(person));
  answer.hidden = !person;
  if (!person) return;
  document.querySelector("[data-fits]").replaceChildren();
  document.querySelector("[data-fits-says]").textContent = "";
  answer.querySelector("[data-me]").textContent = fill(answer.dataset.no, { number: me, name: person[1] });
  const table = data.tables.find(([, seats]) => seats.includes(me));
  const [drawing, say, says] = ["[data-plan]", "[data-say]", "[data-says]"].map((name) => answer.querySelector(name));
  const words = { table: answer.dataset.table, you: answer.dataset.you, order: answer.dataset.order };
  drawing.replaceChildren(...(table ? [plan(table[0], table[1], me, words)] : []));
  const [title, more] = table ? [sentence(answer, table[1], me), ""] : without(answer, me);
  say.textContent = title;
  say.classList.toggle("alone", !table);
  says.textContent = more;
  const rank = data.ranks[me];
  const line = answer.querySelector("[data-ranked]");
  line.hidden = !rank;
  if (rank) {
    line.querySelector("b").textContent = fill(answer.dataset.of, {
      rank: rank[0],
      count: Object.keys(data.ranks).length,
    });
    line
      .querySelector("small")
      .replaceChildren(
        `${rank[1]} ${answer.dataset.unit}: `,
        ...rank[2].flatMap((cell, n) => [n ? ", " : "", result(cell)]),
      );
  }
  const open = answer.querySelector("a[data-open]");
  const address = table && data.open[table[0]];
  open.hidden = !address;
  if (address) open.href = address;
}

function read() {
  data = JSON.parse(document.getElementById("places").textContent);
  const who = document.getElementById("who");
  if (typed && !who.value) who.value = typed;
  show();
}

document.addEventListener("submit", (event) => {
  if (!closest(event, "form.who")) return;
  event.preventDefault();
  search(document.getElementById("who").value, document.querySelector("[data-answer]"));
});
document.addEventListener("click", (event) => {
  if (!closest(event, "[data-other]")) return;
  keep(null);
  show();
  const who = document.getElementById("who");
  who.value = "";
  who.focus();
});
document.addEventListener("tournament-before", () => {
  typed = document.getElementById("who").value;
});
document.addEventListener("tournament-changed", read);
read();

// A link chooses: with `#12`, for which the page is kept as without it, or with `who`, as the form without a script.
const wanted =
  (window.location.hash.match(/^#(\d+)$/) || [])[1] || new URLSearchParams(window.location.search).get("who");
if (wanted) {
  window.history.replaceState(null, "", window.location.pathname);
  search(wanted, document.querySelector("[data-answer]"));
}
