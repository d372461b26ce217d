// Receipts: a tap copies a link, or opens the share sheet of the phone.
import { closest } from "./dom.js";
import { share } from "./share.js";

const list = document.querySelector("[data-say-copied]");

async function shareLink(button) {
  if (!(await share({ url: button.dataset.copy }))) return;
  const label = button.firstChild;
  const before = label.textContent;
  label.textContent = list.dataset.sayCopied;
  setTimeout(() => {
    label.textContent = before;
  }, 1500);
}

list?.addEventListener("click", (event) => {
  const button = closest(event, "[data-copy]");
  // Closing the share sheet of the phone rejects the promise; that is no error.
  if (button) shareLink(button).catch(() => {});
});
