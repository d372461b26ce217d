// Who sits at a table: an arrow that got no answer says so; the order on the page stays as it was.

const said = document.querySelector("[data-no-answer]");

for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.body.addEventListener(name, () => { said.hidden = false; });
}
document.body.addEventListener("htmx:afterSwap", () => { said.hidden = true; });
