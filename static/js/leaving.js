// The question of the browser before the page is left, while something would be lost with it.
const reasons = new Set();

const ask = (event) => {
  event.preventDefault();
  // Some browsers ask only for this.
  event.returnValue = "";
};

/** Let the browser ask before the page is left, as long as `reason` holds. */
export function askBeforeLeaving(reason, holds) {
  if (holds) reasons.add(reason);
  else reasons.delete(reason);
  // Only while it is needed: with this listener some browsers do not keep the page for the way back.
  if (reasons.size > 0) window.addEventListener("beforeunload", ask);
  else window.removeEventListener("beforeunload", ask);
}
