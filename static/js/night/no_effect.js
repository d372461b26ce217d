// A sheet that says why a tap has no effect.
import { text } from "./texts.js";

const SHEET = "needs-network";

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
