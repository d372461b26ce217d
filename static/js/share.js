// Sharing: a tap opens the share sheet of the phone, or copies.
import { closest } from "./dom.js";

const SAID_MS = 4000;

/**
 * Share, or copy where the device shares nothing: return true if it was copied. Rejected if the reader closes the share
 * sheet, and where the browser does neither, as without HTTPS.
 * @param {{ text?: string, url?: string }} what
 */
export async function share(what) {
  if (matchMedia("(pointer: coarse)").matches && navigator.share) {
    await navigator.share(what);
    return false;
  }
  await navigator.clipboard.writeText(what.text ?? what.url);
  return true;
}

// templates/_share.html: without a script, or where nothing can be shared, it unfolds the text to select.
document.addEventListener("click", async (event) => {
  const summary = closest(event, "[data-share] summary");
  if (!summary || !(navigator.share || navigator.clipboard)) return;
  event.preventDefault();
  const root = summary.closest("[data-share]");
  try {
    if (!(await share({ text: root.querySelector("textarea").value }))) return;
  } catch (fault) {
    if (!(fault instanceof DOMException && fault.name === "AbortError")) root.querySelector("details").open = true;
    return;
  }
  const said = root.querySelector("[role=status]");
  said.textContent = root.dataset.sayCopied;
  setTimeout(() => {
    said.textContent = "";
  }, SAID_MS);
});
