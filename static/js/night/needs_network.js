// Show a notice for actions that need a network: a tap on [data-needs-network] then opens a sheet and no page.
//
// The value of the attribute is the name of the thing; empty: its label. On a page without a table of the server
// (data-needs-table on an ancestor) such a tap always shows the notice: the table that it leads to does not exist yet.
import { offline } from "./network.js";
import { tell } from "./no_effect.js";
import { text } from "./texts.js";
import { closest } from "../dom.js";

function labelOf(element) {
  const label = element.dataset.needsNetwork || element.getAttribute("aria-label") || element.textContent;
  return label.trim().replace(/\s+/g, " ");
}

/** Show that `what` waits for the network; `arrived` false: for the evening, which is not stored on the server yet. */
export function say(what, arrived = true) {
  tell(text(arrived ? "needs.network" : "needs.evening", { what }), text("needs.works"));
}

document.addEventListener(
  "click",
  (event) => {
    const element = closest(event, "[data-needs-network]");
    if (!element || element.tagName === "FORM") return;
    const arrived = !element.closest("[data-needs-table]");
    if (arrived && !offline()) return;
    event.preventDefault();
    event.stopPropagation();
    say(labelOf(element), arrived);
  },
  true,
);

document.addEventListener(
  "submit",
  (event) => {
    const form = closest(event, "form[data-needs-network]");
    if (!form || !offline()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    say(form.dataset.needsNetwork || event.submitter?.textContent.trim() || "");
  },
  true,
);
