// The pace of a page that polls: as often as its fragment says while something happens, and less often the longer
// nothing does. While an event stream tells the news (stream.js): seldom, and when there is news.

const ACTIVE_MS = 120_000;
const QUIET_FOR_A_PAUSE = 12;
const LONGEST_MS = 15_000;

/**
 * Return the time between two polls, in milliseconds, once nothing has happened for `quiet` milliseconds; 0 is the
 * pace of the fragment.
 */
export const pause = (quiet) => Math.min(LONGEST_MS, Math.max(0, (quiet - ACTIVE_MS) / QUIET_FOR_A_PAUSE));

let happened = 0;
let asked = -LONGEST_MS;
let seldom = 0;
let wanted = false;

/** Return the present time between two polls, in milliseconds. */
export const presentPause = () => seldom || pause(performance.now() - happened);

/** Return true if a poll is due, which is then sent. */
export function due() {
  const now = performance.now();
  if (!wanted && now - asked < presentPause()) return false;
  asked = now;
  wanted = false;
  return true;
}

/** Let the next poll be due: there is news. */
export function want() {
  wanted = true;
}

/** Poll so seldom, in milliseconds, because a stream tells the news; 0 without one. */
export function pollSeldom(ms) {
  seldom = ms;
}

/** Note that something happened: news came, or the reader is there. */
function awake() {
  happened = performance.now();
}

for (const name of ["pointerdown", "keydown", "visibilitychange", "htmx:afterSwap"])
  document.addEventListener(name, awake);
window.addEventListener("online", awake);
