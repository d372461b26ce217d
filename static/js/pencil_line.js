// The pages beside the table screen: saving a hand is off while another recorder holds the pencil.
import { closest } from "./dom.js";

let lost = null;

function apply() {
  const now = document.querySelector("#pencil[data-lost]") !== null;
  for (const button of document.querySelectorAll("button[data-pencil]")) button.disabled = now;
  if (now === lost) return;
  lost = now;
  document.dispatchEvent(new Event("pencil-changed"));
}

document.addEventListener("htmx:afterSettle", apply);
for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, (event) => {
    // A poll is repeated by itself; a tap is not.
    if (closest(event, "#pencil form")) document.querySelector("[data-pencil-unsent]")?.removeAttribute("hidden");
  });
}
apply();
