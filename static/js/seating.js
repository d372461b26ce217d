// The seating page: shows a notice when an arrow gets no answer; the order on the page stays as it was.
import { closest } from "./dom.js";

const notice = document.querySelector("[data-no-answer]");

for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.body.addEventListener(name, (event) => {
    if (!closest(event, "#pencil")) notice.hidden = false;
  });
}
document.body.addEventListener("htmx:afterSwap", (event) => {
  if (closest(event, "#pencil") !== event.target) notice.hidden = true;
});
