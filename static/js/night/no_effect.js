// A sheet that says why a tap has no effect.
import { text } from "./texts.js";
import { button, element } from "../dom.js";

const SHEET = "needs-network";

function sheet() {
  const existing = document.getElementById(SHEET);
  if (existing) return existing;
  const sentence = element("p");
  sentence.id = "needs-network-sentence";
  const close = button("btn quiet", text("needs.close"));
  close.setAttribute("popovertarget", SHEET);
  close.setAttribute("popovertargetaction", "hide");
  const made = element("div", "sheet", sentence, element("p", "soft small"), element("p", "actions", close));
  made.id = SHEET;
  made.popover = "auto";
  made.setAttribute("role", "alertdialog");
  made.setAttribute("aria-labelledby", "needs-network-sentence");
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
