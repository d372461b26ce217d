// The table screen shows once the number of an evening that was begun on this phone (begun_evening.js).
import { kept } from "../browser_storage.js";
import { ARRIVED } from "./page_snapshot.js";
import { button, element } from "../dom.js";

const said = kept.read(sessionStorage, ARRIVED);
const top = document.querySelector("#main > .top");

if (said && top) {
  kept.write(sessionStorage, ARRIVED, null);
  const seen = button("btn quiet", document.querySelector("#changed [data-seen]")?.textContent ?? "✓");
  const notice = element("div", "notice changed", element("p", "", said), seen);
  notice.setAttribute("role", "status");
  seen.addEventListener("click", () => notice.remove());
  top.after(notice);
}
