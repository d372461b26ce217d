// The pot splitter: the table screen's entry, with an evening that is the address of the page. This browser remembers the last one.
import { Entry } from "./table.js";

const KEPT = "chratzete.calculator";

/** The last evening's address, where the browser may keep one. */
const kept = {
  read() {
    try { return localStorage.getItem(KEPT); } catch { return null; }
  },
  write(address) {
    try { localStorage.setItem(KEPT, address); } catch { /* storage is full or forbidden: the address still holds it all */ }
  },
};

/** A hand that is paid is a step to the next address: nothing is posted, and nothing is kept beside the address. */
class Splitter extends Entry {
  keep() {}

  forget() {}

  /** What the server has not seen cannot be paid: it does the reckoning. */
  unseen(sentence, kind) {
    this.quiet();
    this.say(sentence, kind);
    this.settled(false);
  }

  async send() {
    if (!this.ready()) return;
    if (!this.known) {
      // Tapped before the bar has caught up: goes on as soon as it has, if it can.
      this.eager = true;
      return;
    }
    this.eager = false;
    this.sending = true;
    this.save.setAttribute("aria-disabled", "true");
    this.save.textContent = this.data.saySending;
    const fields = new URLSearchParams(new FormData(this.form));
    fields.set("do", "enter");
    window.location.assign(`${this.form.action}?${fields}`);
  }
}

/** Close the menu that was tapped in. */
function closeMenu() {
  document.querySelector("#more").hidePopover?.();
}

function start() {
  const evening = document.querySelector("[data-evening]")?.dataset.evening;
  const last = kept.read();
  if (evening) kept.write(evening);
  const goOn = document.querySelector("[data-continue]");
  if (goOn && last?.includes("?")) {
    // Only the query: wherever a stored text points, the link stays on this page.
    goOn.firstElementChild.search = last.slice(last.indexOf("?"));
    goOn.hidden = false;
  }
  const form = document.querySelector("#pot-hand");
  if (!form) return;
  const entry = new Splitter(form);
  document.querySelector("[data-print]").addEventListener("click", () => { closeMenu(); window.print(); });
  const share = document.querySelector("[data-share]");
  share.hidden = !navigator.clipboard;
  share.addEventListener("click", async () => {
    closeMenu();
    await navigator.clipboard.writeText(new URL(evening, window.location.href).href);
    entry.say(form.dataset.sayCopied);
  });
}

start();
