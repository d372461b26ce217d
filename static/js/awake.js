// Keep the screen awake while the page records or follows a table; without an error where the browser cannot.
let lock = null;

function wanted() {
  return document.visibilityState === "visible" && document.querySelector("[data-awake]") !== null;
}

/** Request the wake lock or release it, by the present state of the page. */
export async function stay() {
  if (!wanted()) {
    await lock?.release().catch(() => null);
    lock = null;
    return;
  }
  if (lock || !navigator.wakeLock) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    // The browser releases the lock when the page is hidden.
    lock.addEventListener("release", () => {
      lock = null;
    });
  } catch {
    /* battery saver, or not allowed */
  }
}

document.addEventListener("visibilitychange", stay);
stay();
