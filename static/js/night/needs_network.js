// Show a notice for actions that need a network: a tap on [data-needs-network] then opens a sheet and no page.
//
// The value of the attribute is the name of the thing; empty: its label. On a page without a table of the server
// (data-needs-table on an ancestor) such a tap always shows the notice: the table that it leads to does not exist yet.
import { offline } from "./network.js";
import { text } from "./texts.js";

const SHEET = "needs-network";

function labelOf(element) {
  const label = element.dataset.needsNetwork || element.getAttribute("aria-label") || element.textContent;
  return label.trim().replace(/\s+/g, " ");
}

function sheet() {
  const found = document.getElementById(SHEET);
  if (found) return found;
  const made = document.createElement("div");
  made.className = "sheet";
  made.id = SHEET;
  made.popover = "auto";
  made.setAttribute("role", "alertdialog");
  made.setAttribute("aria-labelledby", "needs-network-sentence");
  const sentence = document.createElement("p");
  sentence.id = "needs-network-sentence";
  const hint = document.createElement("p");
  hint.className = "soft small";
  const close = document.createElement("button");
  close.className = "btn quiet";
  close.type = "button";
  close.textContent = text("needs.close");
  close.setAttribute("popovertarget", SHEET);
  close.setAttribute("popovertargetaction", "hide");
  const actions = document.createElement("p");
  actions.className = "actions";
  actions.append(close);
  made.append(sentence, hint, actions);
  document.body.append(made);
  return made;
}

/** Show that `what` waits for the network; `arrived` false: for the evening, which is not stored on the server yet. */
export function say(what, arrived = true) {
  tell(text(arrived ? "needs.network" : "needs.evening", { what }), text("needs.works"));
}

/** Show why a tap has no effect: a sentence in a sheet. */
export function tell(why, more = "") {
  const shown = sheet();
  const [sentence, hint] = shown.querySelectorAll("p");
  sentence.textContent = why;
  hint.textContent = more;
  hint.hidden = !more;
  shown.showPopover();
  shown.querySelector("button").focus();
}

document.addEventListener("click", (event) => {
  const element = event.target.closest("[data-needs-network]");
  if (!element || element.tagName === "FORM") return;
  const arrived = !element.closest("[data-needs-table]");
  if (arrived && !offline()) return;
  event.preventDefault();
  event.stopPropagation();
  say(labelOf(element), arrived);
}, true);

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-needs-network]");
  if (!form || !offline()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  say(form.dataset.needsNetwork || event.submitter?.textContent.trim() || "");
}, true);
