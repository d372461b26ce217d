// The desk of a tournament: forms and links change the screen in place, other desks' changes appear, everything works
// by keyboard. Without this script each form and each link loads a page. A form has a key, so that one that is sent
// twice is stored once.
import { plain, suggest } from "./desk/check_in.js";
import { key } from "./desk/keys.js";
import { desk, focusSheet, go, poll, send } from "./desk/screen.js";
import { addUp, flipSign } from "./desk/sheet.js";
import { closest } from "./dom.js";

const POLL_MS = 2000;

// --- The clock -------------------------------------------------------------------------------------------------------

let base = 0;

function tick() {
  const clock = document.querySelector("[data-clock]");
  if (!clock) return;
  const ran = clock.dataset.running === "1" ? Math.floor((performance.now() - base) / 1000) : 0;
  const left =
    clock.dataset.remaining !== undefined ? Number(clock.dataset.remaining) - ran : Number(clock.dataset.elapsed) + ran;
  const whole = Math.abs(left);
  const text = `${left < 0 ? "−" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  if (clock.textContent !== text) clock.textContent = text;
  clock.classList.toggle("over", clock.dataset.remaining !== undefined && left < 0);
  clock.classList.toggle("soon", clock.dataset.remaining !== undefined && left >= 0 && left <= 120);
}

// --- The draw: two taps swap -----------------------------------------------------------------------------------------

function chooseForSwap(seat) {
  const form = document.querySelector("[data-swap-form]");
  if (!form) return;
  const first = document.querySelector("[data-seat].chosen");
  if (first === seat) {
    seat.classList.remove("chosen");
    form.elements.a.value = "";
    return;
  }
  seat.classList.add("chosen");
  if (!first) {
    form.elements.a.value = seat.dataset.seat;
    return;
  }
  form.elements.a.value = first.dataset.seat;
  form.elements.b.value = seat.dataset.seat;
  form.requestSubmit();
}

// --- Begin -----------------------------------------------------------------------------------------------------------

function begun() {
  base = performance.now();
  tick();
  const sheet = document.querySelector("[data-sheet]");
  if (sheet) addUp(sheet);
}

document.addEventListener("desk-shown", begun);
document.addEventListener("keydown", key);
document.addEventListener("submit", (event) => {
  const form = closest(event, "form");
  if (!desk() || !form?.closest("#main.desk") || form.method !== "post") return;
  event.preventDefault();
  send(form, event.submitter);
});
document.addEventListener("click", (event) => {
  const sign = closest(event, "[data-sign]");
  if (sign) {
    const field = /** @type {HTMLInputElement} */ (document.getElementById(sign.dataset.sign));
    flipSign(field);
    return;
  }
  const add = closest(event, "[data-add]");
  if (add) {
    const field = document.querySelector("#names");
    field.value = `${field.value.trimEnd()}\n${add.dataset.add}`.trimStart();
    add.remove();
    return;
  }
  const seat = closest(event, "[data-drawn] [data-seat]");
  if (seat) {
    chooseForSwap(seat);
    return;
  }
  const option = closest(event, "#who-list li");
  if (option) {
    const field = document.querySelector("#who");
    field.value = option.dataset.number;
    field.form.requestSubmit();
    return;
  }
  const link = closest(event, "a[data-swap]");
  if (link && desk() && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    go(link);
  }
});
document.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.id === "who") suggest(field);
  if (field.matches("[data-chips]")) addUp(field.form);
  if (field.matches("[data-filter]")) {
    const wanted = plain(field.value);
    for (const item of document.querySelectorAll(`${field.dataset.filter} > li`))
      item.hidden = !plain(item.dataset.text).includes(wanted);
  }
});

begun();
if (desk()) {
  setInterval(poll, POLL_MS);
  setInterval(tick, 250);
  document.addEventListener("visibilitychange", poll);
  window.addEventListener("online", poll);
  if (document.querySelector("[data-open]")) focusSheet();
}
