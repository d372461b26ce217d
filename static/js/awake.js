// The screen stays awake as long as the page has something to write or to follow; silently without where that cannot be had.
let lock = null;

function wanted() {
  return document.visibilityState === "visible" && document.querySelector("[data-awake]") !== null;
}

/** Ask for it, or let go of it: whatever the page shows now. */
export async function stay() {
  if (!wanted()) {
    await lock?.release().catch(() => null);
    lock = null;
    return;
  }
  if (lock || !navigator.wakeLock) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    // The browser lets go by itself when the page is hidden.
    lock.addEventListener("release", () => { lock = null; });
  } catch { /* battery saver, or not allowed */ }
}

document.addEventListener("visibilitychange", stay);
stay();
