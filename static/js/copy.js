// Buttons with `data-copies` copy the whole text of a field, which may show only its beginning.
const COPIED_MS = 1500;

for (const button of document.querySelectorAll("[data-copies]")) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copies));
  field.addEventListener("focus", () => field.select());
  // Browsers have a clipboard on HTTPS pages only; elsewhere the text is selected and copied by hand.
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    const label = button.textContent;
    button.textContent = button.dataset.sayCopied;
    setTimeout(() => {
      button.textContent = label;
    }, COPIED_MS);
  });
}
