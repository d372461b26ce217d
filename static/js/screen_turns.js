// A big screen: its pages turn by themselves. Space stops, the arrows turn, F fills the screen.
import { closest } from "./dom.js";

const STRIP_MS = 6000;
const TOOLS_MS = 4000;
const HOME_EVERY = 3;

const scenes = () => [...document.querySelectorAll("[data-scene]")];
let order = [];
let place = 0;
let stopped = false;
let timer = 0;
let strip = 0;
let turning = 0;

/** Return the pages in their order: the first of several kinds, with the clock, comes again after two others. */
function turns(pages) {
  if (pages.length < HOME_EVERY || !pages[0].classList.contains("main")) return pages.map((_page, n) => n);
  const numbers = [];
  for (let n = 1; n < pages.length; n += 1) {
    if ((n - 1) % (HOME_EVERY - 1) === 0) numbers.push(0);
    numbers.push(n);
  }
  return numbers;
}

function show() {
  const pages = scenes();
  const now = order[place] ?? 0;
  pages.forEach((page, n) => {
    page.hidden = n !== now;
  });
  const dots = document.querySelector("[data-dots]");
  if (dots) {
    dots.replaceChildren(
      ...(pages.length > 1 && pages.length <= 24
        ? pages.map((_page, n) => {
            const dot = document.createElement("i");
            dot.classList.toggle("on", n === now);
            return dot;
          })
        : []),
    );
  }
  clearTimeout(timer);
  if (!stopped) timer = setTimeout(() => step(1), Number(pages[now]?.dataset.ms || 12000));
}

function step(by) {
  if (!order.length) return;
  place = (place + by + order.length) % order.length;
  firstStrip();
  show();
}

function strips() {
  for (const page of scenes()) {
    const all = [...page.querySelectorAll("[data-strip]")];
    all.forEach((element, n) => {
      element.hidden = n !== strip % all.length;
    });
  }
}

/** Begin with the first strip: it stays as long as the others. */
function firstStrip() {
  strip = 0;
  strips();
  clearInterval(turning);
  turning = setInterval(() => {
    if (!stopped) {
      strip += 1;
      strips();
    }
  }, STRIP_MS);
}

function stop() {
  stopped = !stopped;
  const button = document.querySelector("[data-do=stop]");
  button.setAttribute("aria-pressed", String(stopped));
  button.textContent = stopped ? button.dataset.go : button.dataset.stop;
  show();
}

function full() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => null);
}

const DO = { back: () => step(-1), next: () => step(1), stop, full };
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "next",
  PageUp: "back",
  PageDown: "next",
  " ": "stop",
  f: "full",
  F: "full",
};

document.addEventListener("click", (event) => DO[closest(event, "[data-do]")?.dataset.do]?.());
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  if (event.key === " " && closest(event, "button, a")) return;
  event.preventDefault();
  DO[KEYS[event.key]]();
});

// The buttons appear with the pointer or a key, and go by themselves.
let hiding = 0;
function tools() {
  document.body.classList.add("awake");
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    if (!document.querySelector("[data-tools]:focus-within")) document.body.classList.remove("awake");
  }, TOOLS_MS);
}
for (const name of ["pointermove", "pointerdown", "keydown", "focusin"]) document.addEventListener(name, tools);

/**
 * Begin with the pages that the document has now. `again`: with the first of them; else the page that is shown stays.
 */
export function turnPages(again) {
  order = turns(scenes());
  if (again || place >= order.length) place = 0;
  if (again || !turning) firstStrip();
  else strips();
  show();
}
