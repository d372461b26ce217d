// A button with `data-print` prints the page.
document.querySelector("[data-print]").addEventListener("click", () => window.print());
