// The table screen shows once the number of an evening that was begun on this phone (begun_evening.js).
import { kept } from "../browser_storage.js";
import { ARRIVED } from "./page_snapshot.js";

const said = kept.read(sessionStorage, ARRIVED);
const top = document.querySelector("#main > .top");

if (said && top) {
  kept.write(sessionStorage, ARRIVED, null);
  const notice = document.createElement("div");
  notice.className = "notice changed";
  notice.setAttribute("role", "status");
  const sentence = document.createElement("p");
  sentence.textContent = said;
  const seen = document.createElement("button");
  seen.className = "btn quiet";
  seen.type = "button";
  seen.textContent = document.querySelector("#changed [data-seen]")?.textContent ?? "✓";
  seen.addEventListener("click", () => notice.remove());
  notice.append(sentence, seen);
  top.after(notice);
}
