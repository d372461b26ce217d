// The desk of a tournament: forms and links change the screen in place, other desks' changes appear, everything works by
// keyboard. Without this script each form and each link loads a page. A form has a key, so that one that is sent twice is
// stored once.

const POLL_MS = 2000;
const DIGITS_MS = 700;
const MOST_MATCHES = 8;
const desk = () => document.querySelector("#main.desk");
const parse = (html) => new DOMParser().parseFromString(html, "text/html");
const typing = (node) => node?.matches?.("input, select, textarea") ?? false;

// --- The screen changes in place -------------------------------------------------------------------------------------

let busy = false;

const TARGETS = "a[href], button, input, summary, textarea";

/** The open parts and the focus: both outlive a change of the screen. */
function state() {
  const at = document.activeElement;
  const part = at?.closest?.("[data-part]");
  const place = part ? [...part.querySelectorAll(TARGETS)].indexOf(at) : -1;
  return { opened: [...document.querySelectorAll("main details[id]")].map((one) => [one.id, one.open]), focus: at?.id ?? "", part: part?.id ?? "", place };
}

function restore({ opened, focus, part, place }) {
  for (const [id, open] of opened) { const one = document.getElementById(id); if (one) one.open = open; }
  if (document.activeElement !== document.body) return;
  const same = focus ? document.getElementById(focus) : document.getElementById(part)?.querySelectorAll(TARGETS)[place];
  same?.focus({ preventScroll: true });
}

/** Show the desk of an answer. `parts`: only the polled parts, so that typed text is not lost. */
function show(next, parts) {
  const before = state();
  const now = desk();
  if (parts) {
    for (const part of next.querySelectorAll("[data-part]")) {
      const here = document.getElementById(part.id);
      // A form in this part is being filled in: it changes once that is done.
      if (here && !(here.contains(document.activeElement) && typing(document.activeElement))) here.replaceWith(part);
    }
    for (const name of ["live", "etag"]) now.dataset[name] = next.dataset[name];
  } else {
    now.replaceWith(next);
  }
  if (parts) restore(before);
  else restore({ ...before, part: "" });
  begun();
}

async function load(url, options) {
  const answer = await fetch(url, { headers: { Accept: "text/html" }, redirect: "follow", ...options });
  const page = parse(await answer.text());
  return { answer, page, next: page.querySelector("#main.desk") };
}

function say(text) {
  const note = document.createElement("p");
  note.className = "errors";
  note.setAttribute("role", "alert");
  note.textContent = text;
  document.querySelector("#desk-notes")?.replaceChildren(note);
}

async function send(form, button) {
  if (busy) return;
  busy = true;
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.append(button.name, button.value);
  button?.setAttribute("aria-busy", "true");
  try {
    const { answer, next } = await load(form.action, { method: "POST", body });
    if (next) after(form, next, answer.url);
    else if (answer.redirected) window.location.assign(answer.url);
    else plainly(form, button);
  } catch {
    button?.removeAttribute("aria-busy");
    say(desk().dataset.sayUnsent);
  }
  busy = false;
}

/** Another page has the reason of the refusal: the form is sent once more as the browser does it, and that page is shown. */
function plainly(form, button) {
  if (button?.name) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = button.name;
    field.value = button.value;
    form.append(field);
  }
  HTMLFormElement.prototype.submit.call(form);
}

function after(form, next, url) {
  const finder = form.matches(".check-in");
  show(next, false);
  // A reload must not ask an address that only takes forms.
  const stays = new URL(url).pathname === desk().dataset.home || url.includes("/table/");
  history.replaceState(null, "", stays ? url : desk().dataset.home);
  if (finder) document.querySelector("#who")?.focus();
  else focusSheet();
}

function focusSheet() {
  const field = document.querySelector("[data-sheet] [aria-invalid], [data-sheet] [data-chips]");
  field?.focus();
  field?.select?.();
}

async function go(link) {
  if (busy) return;
  busy = true;
  try {
    const { answer, next } = await load(link.href, {});
    if (!next) { window.location.assign(link.href); return; }
    show(next, false);
    history.replaceState(null, "", answer.url);
    focusSheet();
    document.querySelector("[data-open]")?.scrollIntoView({ block: "nearest" });
  } catch {
    say(desk().dataset.sayOffline);
  }
  busy = false;
}

// --- Other desks -----------------------------------------------------------------------------------------------------

async function poll() {
  const main = desk();
  if (!main || document.hidden || busy) return;
  try {
    const answer = await fetch(main.dataset.live, { headers: { "If-None-Match": main.dataset.etag } });
    document.body.classList.remove("offline");
    if (answer.redirected) { window.location.reload(); return; }
    if (answer.status !== 200 || busy || desk() !== main) return;
    const next = parse(await answer.text()).querySelector("#main.desk");
    if (next && !busy && desk() === main) show(next, true);
  } catch {
    document.body.classList.add("offline");
    if (!document.querySelector("#desk-notes [role=alert]")) say(main.dataset.sayOffline);
  }
}

// --- The clock -------------------------------------------------------------------------------------------------------

let base = 0;

function tick() {
  const clock = document.querySelector("[data-clock]");
  if (!clock) return;
  const ran = clock.dataset.running === "1" ? Math.floor((performance.now() - base) / 1000) : 0;
  const left = clock.dataset.remaining !== undefined ? Number(clock.dataset.remaining) - ran : Number(clock.dataset.elapsed) + ran;
  const whole = Math.abs(left);
  const text = `${left < 0 ? "−" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  if (clock.textContent !== text) clock.textContent = text;
  clock.classList.toggle("over", clock.dataset.remaining !== undefined && left < 0);
  clock.classList.toggle("soon", clock.dataset.remaining !== undefined && left >= 0 && left <= 120);
}

// --- Check-in: two letters or a number -------------------------------------------------------------------------------

const plain = (text) => text.toLocaleLowerCase().normalize("NFD").replace(/\p{M}/gu, "").trim();

function matching(typed) {
  const people = JSON.parse(document.querySelector("#desk-names")?.textContent || "[]");
  const wanted = plain(typed);
  if (!wanted) return [];
  if (/^\d+$/.test(wanted)) return people.filter(([number]) => String(number).startsWith(wanted)).sort(([a], [b]) => a - b);
  const begins = ([, name]) => plain(name).split(/\s+/).some((word) => word.startsWith(wanted)) || plain(name).startsWith(wanted);
  return people.filter(begins).sort((a, b) => Number(a[2]) - Number(b[2]) || Number(a[3]) - Number(b[3]) || a[1].localeCompare(b[1]));
}

function suggest(field) {
  const list = document.querySelector("#who-list");
  const found = matching(field.value).slice(0, MOST_MATCHES);
  list.replaceChildren(...found.map(([number, name, here], index) => {
    const one = document.createElement("li");
    one.id = `who-${number}`;
    one.dataset.number = number;
    one.setAttribute("role", "option");
    one.setAttribute("aria-selected", String(index === 0));
    const digits = document.createElement("span");
    digits.className = "num soft";
    digits.textContent = number;
    const text = document.createElement("span");
    text.textContent = name;
    one.append(digits, text);
    if (here) {
      const there = document.createElement("span");
      there.className = "gain small";
      there.textContent = desk().dataset.sayHere;
      one.append(there);
    }
    return one;
  }));
  list.hidden = found.length === 0;
  field.setAttribute("aria-expanded", String(found.length > 0));
  if (found.length) field.setAttribute("aria-activedescendant", `who-${found[0][0]}`);
  else field.removeAttribute("aria-activedescendant");
}

function move(field, by) {
  const all = [...document.querySelectorAll("#who-list li")];
  if (!all.length) return;
  const at = all.findIndex((one) => one.getAttribute("aria-selected") === "true");
  const to = (at + by + all.length) % all.length;
  all.forEach((one, index) => one.setAttribute("aria-selected", String(index === to)));
  field.setAttribute("aria-activedescendant", all[to].id);
}

/** Send the person who is chosen in the list. A number is sent as it is typed: a badge's code is one. */
function choose(field) {
  const chosen = document.querySelector('#who-list li[aria-selected="true"]');
  if (chosen && !/^\d+$/.test(field.value.trim())) field.value = chosen.dataset.number;
  if (field.value.trim()) field.form.requestSubmit();
}

// --- The sheet -------------------------------------------------------------------------------------------------------

const whole = (text) => { const tidy = text.trim().replace(/[−–]/g, "-").replace(/['’\s]/g, ""); return /^[+-]?\d+$/.test(tidy) ? Number(tidy) : tidy === "" ? 0 : NaN; };

function addUp(form) {
  const out = form.querySelector("[data-sum]");
  const fields = [...form.querySelectorAll("[data-chips]")];
  const sum = fields.reduce((total, field) => total + whole(field.value), 0);
  const filled = fields.filter((field) => field.name !== "pot").every((field) => field.value.trim() !== "");
  const count = Math.abs(sum).toLocaleString("de-CH");
  let text = Number.isNaN(sum) ? "?" : sum > 0 ? form.dataset.sayMany.replace("{n}", count) : sum < 0 ? form.dataset.sayFew.replace("{n}", count) : "0";
  if (sum === 0 && filled) text = `✓ ${form.dataset.sayRight}`;
  out.textContent = text;
  out.classList.toggle("loss", sum !== 0);
  out.classList.toggle("gain", sum === 0 && filled);
}

/** Enter goes to the next field that is empty; from the last one it stores the sheet. */
function enterInSheet(event, field) {
  const fields = [...field.form.querySelectorAll("[data-chips]")];
  const next = fields[fields.indexOf(field) + 1];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.select();
}

// --- The draw: two taps swap -----------------------------------------------------------------------------------------

function chooseForSwap(seat) {
  const form = document.querySelector("[data-swap-form]");
  if (!form) return;
  const first = document.querySelector("[data-seat].chosen");
  if (first === seat) { seat.classList.remove("chosen"); form.elements.a.value = ""; return; }
  seat.classList.add("chosen");
  if (!first) { form.elements.a.value = seat.dataset.seat; return; }
  form.elements.a.value = first.dataset.seat;
  form.elements.b.value = seat.dataset.seat;
  form.requestSubmit();
}

// --- Keys ------------------------------------------------------------------------------------------------------------

let digits = "";
let waiting = 0;

function digit(key) {
  clearTimeout(waiting);
  digits += key;
  const open = () => { const link = document.querySelector(`[data-table="${digits}"]`); digits = ""; if (link) go(link); };
  // With eleven tables 1 can begin 10 and 11: those who type a second digit soon mean these.
  const longer = [...document.querySelectorAll("[data-table]")].some((link) => link.dataset.table.startsWith(digits) && link.dataset.table !== digits);
  if (longer) waiting = setTimeout(open, DIGITS_MS);
  else open();
}

const KEYS = {
  Enter: () => document.querySelector("[data-next]"),
  " ": () => document.querySelector('[data-key="space"]'),
  "+": () => document.querySelector('[data-key="+"]'),
  "-": () => document.querySelector('[data-key="-"]'),
  z: () => document.querySelector('[data-key="z"]'),
  e: () => document.querySelector("[data-everybody]"),
};

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  const at = event.target;
  if (event.key === "Escape") {
    if (typing(at)) at.blur();
    else document.querySelector('[data-key="Escape"]')?.click();
    return;
  }
  if (at.id === "who") { inFinder(event, at); return; }
  if (event.key === "Enter" && at.matches?.("[data-sheet] [data-chips]")) { enterInSheet(event, at); return; }
  // A button, a link or a field that has the focus answers its keys itself.
  if (typing(at) || (at.closest?.("a, button, summary") && (event.key === "Enter" || event.key === " "))) return;
  shortcut(event);
}

function inFinder(event, field) {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); move(field, event.key === "ArrowDown" ? 1 : -1); }
  if (event.key === "Enter") { event.preventDefault(); choose(field); }
}

function shortcut(event) {
  // Keys that are typed before the answer arrives belong to the next screen.
  if (busy) { event.preventDefault(); return; }
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (/^\d$/.test(pressed) && desk()) { digit(pressed); return; }
  if (pressed === "/") { event.preventDefault(); document.querySelector("#who, #filter")?.focus(); return; }
  if (pressed === "?") { document.querySelector("#key-help")?.togglePopover?.(); return; }
  if (pressed === "n") {
    const enter = document.querySelector("#enter");
    if (enter) { event.preventDefault(); enter.open = true; enter.querySelector("textarea").focus(); }
    return;
  }
  const target = KEYS[pressed]?.();
  if (target) { event.preventDefault(); target.click(); }
}

// --- Begin -----------------------------------------------------------------------------------------------------------

function begun() {
  base = performance.now();
  tick();
  const sheet = document.querySelector("[data-sheet]");
  if (sheet) addUp(sheet);
}

document.addEventListener("keydown", key);
document.addEventListener("submit", (event) => {
  if (!desk() || !event.target.closest("#main.desk") || event.target.method !== "post") return;
  event.preventDefault();
  send(event.target, event.submitter);
});
document.addEventListener("click", (event) => {
  const sign = event.target.closest("[data-sign]");
  if (sign) {
    const field = document.getElementById(sign.dataset.sign);
    field.value = /^[-−]/.test(field.value.trim()) ? field.value.trim().slice(1) : `-${field.value.trim().replace(/^\+/, "")}`;
    addUp(field.form);
    field.focus();
    return;
  }
  const add = event.target.closest("[data-add]");
  if (add) {
    const field = document.querySelector("#names");
    field.value = `${field.value.trimEnd()}\n${add.dataset.add}`.trimStart();
    add.remove();
    return;
  }
  const seat = event.target.closest("[data-drawn] [data-seat]");
  if (seat) { chooseForSwap(seat); return; }
  const option = event.target.closest("#who-list li");
  if (option) { const field = document.querySelector("#who"); field.value = option.dataset.number; field.form.requestSubmit(); return; }
  const link = event.target.closest("a[data-swap]");
  if (link && desk() && !event.ctrlKey && !event.metaKey && !event.shiftKey) { event.preventDefault(); go(link); }
});
document.addEventListener("input", (event) => {
  if (event.target.id === "who") suggest(event.target);
  if (event.target.matches("[data-chips]")) addUp(event.target.form);
  if (event.target.matches("[data-filter]")) {
    const wanted = plain(event.target.value);
    for (const one of document.querySelectorAll(`${event.target.dataset.filter} > li`)) one.hidden = !plain(one.dataset.text).includes(wanted);
  }
});

begun();
if (desk()) {
  setInterval(poll, POLL_MS);
  setInterval(tick, 250);
  document.addEventListener("visibilitychange", poll);
  if (document.querySelector("[data-open]")) focusSheet();
}
