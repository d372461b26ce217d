// What is to be carried elsewhere: a tap copies the whole of it, though the field shows only its beginning.
const SAID_MS = 1500;

for (const button of document.querySelectorAll("[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  field.addEventListener("focus", () => field.select());
  // Browsers keep the clipboard for pages that came over TLS; elsewhere the field is marked, to be copied by hand.
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    const said = button.textContent;
    button.textContent = button.dataset.sayCopied;
    setTimeout(() => { button.textContent = said; }, SAID_MS);
  });
}
