// The seating page: shows a notice when an arrow gets no answer; the order on the page stays as it was.

const notice = document.querySelector("[data-no-answer]");

for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.body.addEventListener(name, () => { notice.hidden = false; });
}
document.body.addEventListener("htmx:afterSwap", () => { notice.hidden = true; });
