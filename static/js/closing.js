// Receipts: a tap copies a link, or opens the share sheet of the phone.

const list = document.querySelector("[data-say-copied]");

async function share(button) {
  const url = button.dataset.copy;
  if (matchMedia("(pointer: coarse)").matches && navigator.share) {
    await navigator.share({ url });
    return;
  }
  await navigator.clipboard.writeText(url);
  const label = button.firstChild;
  const before = label.textContent;
  label.textContent = list.dataset.sayCopied;
  setTimeout(() => { label.textContent = before; }, 1500);
}

list?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  // Closing the share sheet of the phone rejects the promise; that is no error.
  if (button) share(button).catch(() => {});
});
