// The pages of a tournament follow it: one poll asks for the clock and for the version of the pages. The page is loaded
// only after a change of the version.
import { closest } from "./dom.js";

const WARNINGS = [
  [300, "five", 1],
  [60, "one", 2],
  [0, "none", 3],
];
const LATE_MS = 20000;

const live = () => document.querySelector("[data-tournament]");
let clock = null;
let asked = 0;
let answered = Date.now();
let before = null;
let sound = null;

/** Return the seconds that remain now; null without a limit. */
export function remaining() {
  if (!clock || typeof clock.remaining !== "number") return null;
  return clock.remaining - (clock.running ? (performance.now() - clock.at) / 1000 : 0);
}

/** Write seconds as `12:40`, over time as `+0:12`. */
export function face(seconds) {
  const whole = Math.abs(seconds < 0 ? Math.floor(seconds) : Math.ceil(seconds));
  return `${seconds < 0 ? "+" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function tick() {
  const left = remaining();
  const played = clock && clock.state === "playing";
  for (const element of document.querySelectorAll("[data-clock-face]")) {
    const text = played && left !== null ? face(left) : "";
    if (element.textContent !== text && text) element.textContent = text;
    element.classList.toggle("long", text.length > 5);
    element.classList.toggle("soon", played && left !== null && left <= 300 && left > 60);
    element.classList.toggle("last", played && left !== null && left <= 60);
    element.classList.toggle("stands", Boolean(played && !clock.running));
  }
  for (const bar of document.querySelectorAll("[data-clock-bar]")) {
    bar.style.width =
      clock?.limit && left !== null ? `${Math.min(100, Math.max(0, 100 - (100 * left) / clock.limit))}%` : "0";
  }
  if (played && left !== null && clock.running) warn(left);
  before = left;
  const day = document.querySelector("[data-day]");
  if (day) day.textContent = timeOfDay(new Date());
  const late = Date.now() - answered > Math.max(LATE_MS, 2.5 * every());
  for (const net of document.querySelectorAll("[data-offline]")) {
    if (net.hidden === late) net.hidden = !late;
    const text = net.querySelector("[data-pattern]");
    if (late && text) text.textContent = text.dataset.pattern.replace("{time}", timeOfDay(new Date(answered)));
  }
}

const timeOfDay = (time) =>
  new Intl.DateTimeFormat(document.documentElement.lang, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(time);

/** Show and sound the moments that the clock passes. A page that was loaded later omits past ones. */
function warn(left) {
  for (const [limit, name, times] of WARNINGS) {
    if (before === null || before <= limit || left > limit || before - left > 10) continue;
    const says = document.querySelector("[data-clock-says]");
    if (says) says.textContent = says.dataset[name];
    if (sound) beep(times);
  }
}

/** Play some short tones; the last of three is long. */
function beep(times) {
  for (let n = 0; n < times; n += 1) {
    const tone = sound.createOscillator();
    const loud = sound.createGain();
    const begin = sound.currentTime + 0.45 * n;
    const long = n === 2 ? 1.2 : 0.25;
    tone.frequency.value = n === 2 ? 660 : 880;
    loud.gain.setValueAtTime(0.0001, begin);
    loud.gain.exponentialRampToValueAtTime(0.4, begin + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0001, begin + long);
    tone.connect(loud).connect(sound.destination);
    tone.start(begin);
    tone.stop(begin + long);
  }
}

// A browser plays sound only after a press of a button.
function toggleSound() {
  if (sound) {
    sound.close();
    sound = null;
  } else if (window.AudioContext) {
    sound = new AudioContext();
    beep(1);
  }
  showSound();
}

function showSound() {
  for (const button of document.querySelectorAll("[data-sound]"))
    button.setAttribute("aria-pressed", String(sound !== null));
}

document.addEventListener("click", (event) => {
  if (closest(event, "[data-sound]")) toggleSound();
});
document.addEventListener("keydown", (event) => {
  if (
    event.key.toLowerCase() === "s" &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    !closest(event, "input, textarea, select")
  )
    toggleSound();
});

const every = () => Number(live()?.dataset.seconds || 10) * 1000;

/** Ask for the clock; load the page where another version is out. */
async function poll() {
  const part = live();
  if (!part || asked || !navigator.onLine) return;
  asked = performance.now();
  try {
    const answer = await fetch(part.dataset.clock, { cache: "no-store", signal: AbortSignal.timeout(8000) });
    if (answer.status === 404 || answer.status === 403) return window.location.reload();
    if (answer.ok) {
      const state = await answer.json();
      // The answer is as old as half of its way.
      clock = { ...state, at: (asked + performance.now()) / 2 };
      answered = Date.now();
      if (state.version !== part.dataset.version) await load();
      tick();
    }
  } catch {
    /* no network: the page stays as it is, and shows the time */
  } finally {
    asked = 0;
  }
  return null;
}

/** Load this page and put its live part in the place of the old one. */
async function load() {
  const answer = await fetch(window.location.pathname + window.location.search, {
    cache: "no-cache",
    signal: AbortSignal.timeout(8000),
  });
  if (!answer.ok) return;
  const read = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = read.querySelector("[data-tournament]");
  const old = live();
  if (!fresh || !old) return;
  document.dispatchEvent(new CustomEvent("tournament-before", { detail: fresh }));
  for (const details of fresh.querySelectorAll("details[id]")) {
    const known = /** @type {HTMLDetailsElement | null} */ (document.getElementById(details.id));
    if (known) details.open = known.open;
  }
  old.replaceWith(document.adoptNode(fresh));
  showSound();
  document.dispatchEvent(new CustomEvent("tournament-changed"));
  tick();
}

async function turn() {
  if (!document.hidden) await poll();
  // Not all phones at the same moment.
  setTimeout(turn, every() * (0.85 + 0.3 * Math.random()));
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) poll();
});
window.addEventListener("online", poll);
setInterval(tick, 250);
turn();
