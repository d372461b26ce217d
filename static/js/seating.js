// The seating page: shows a notice when an arrow gets no answer; the order on the page stays as it was.

const notice = document.querySelector("[data-no-answer]");

for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.body.addEventListener(name, (event) => { if (!event.target.closest("#pencil")) notice.hidden = false; });
}
document.body.addEventListener("htmx:afterSwap", (event) => { if (event.target.id !== "pencil") notice.hidden = true; });
