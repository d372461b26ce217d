// The pace of a page that polls: as often as its fragment says while something happens, and less often the longer
// nothing does.

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

/** Return the present time between two polls, in milliseconds. */
export const presentPause = () => pause(performance.now() - happened);

/** Return true if a poll is due, which is then sent. */
export function due() {
  const now = performance.now();
  if (now - asked < pause(now - happened)) return false;
  asked = now;
  return true;
}

/** Note that something happened: news came, or the reader is there. */
function awake() {
  happened = performance.now();
}

for (const name of ["pointerdown", "keydown", "visibilitychange", "htmx:afterSwap"])
  document.addEventListener(name, awake);
window.addEventListener("online", awake);
