// Receipts: a tap copies a link, or hands it to whatever the phone shares with.

const list = document.querySelector("[data-say-copied]");

async function give(button) {
  const url = button.dataset.copy;
  if (matchMedia("(pointer: coarse)").matches && navigator.share) {
    await navigator.share({ url });
    return;
  }
  await navigator.clipboard.writeText(url);
  const label = button.firstChild;
  const said = label.textContent;
  label.textContent = list.dataset.sayCopied;
  setTimeout(() => { label.textContent = said; }, 1500);
}

list?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  // Who closes the phone's sheet again wanted nothing.
  if (button) give(button).catch(() => {});
});
