// The keys of the desk; the page lists them.
import { choose, move } from "./check_in.js";
import { desk, go, isBusy, typing } from "./screen.js";
import { enterInSheet } from "./sheet.js";

const DIGITS_MS = 700;

let digits = "";
let waiting = 0;

function digit(key) {
  clearTimeout(waiting);
  digits += key;
  const open = () => {
    const link = document.querySelector(`[data-table="${digits}"]`);
    digits = "";
    if (link) go(link);
  };
  // With eleven tables 1 can begin 10 and 11: those who type a second digit soon mean these.
  const longer = [...document.querySelectorAll("[data-table]")].some(
    (link) => link.dataset.table.startsWith(digits) && link.dataset.table !== digits,
  );
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

/** Answer a key. */
export function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  const target = event.target;
  if (event.key === "Escape") {
    if (typing(target)) target.blur();
    else document.querySelector('[data-key="Escape"]')?.click();
    return;
  }
  if (target.id === "who") {
    inFinder(event, target);
    return;
  }
  if (event.key === "Enter" && target.matches?.("[data-sheet] [data-chips]")) {
    enterInSheet(event, target);
    return;
  }
  // A button, a link or a field that has the focus answers its keys itself.
  if (typing(target) || (target.closest?.("a, button, summary") && (event.key === "Enter" || event.key === " ")))
    return;
  shortcut(event);
}

function inFinder(event, field) {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    move(field, event.key === "ArrowDown" ? 1 : -1);
  }
  if (event.key === "Enter") {
    event.preventDefault();
    choose(field);
  }
}

function shortcut(event) {
  // Keys that are typed before the answer arrives belong to the next screen.
  if (isBusy()) {
    event.preventDefault();
    return;
  }
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (/^\d$/.test(pressed) && desk()) {
    digit(pressed);
    return;
  }
  if (pressed === "/") {
    event.preventDefault();
    document.querySelector("#who, #filter")?.focus();
    return;
  }
  if (pressed === "?") {
    document.querySelector("#key-help")?.togglePopover?.();
    return;
  }
  if (pressed === "n") {
    const enter = document.querySelector("#enter");
    if (enter) {
      event.preventDefault();
      enter.open = true;
      enter.querySelector("textarea").focus();
    }
    return;
  }
  const target = KEYS[pressed]?.();
  if (target) {
    event.preventDefault();
    target.click();
  }
}
