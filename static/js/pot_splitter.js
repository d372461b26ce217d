// The pot splitter: the entry of the table screen, with the evening in the address. The browser remembers the last evening.
import { Entry } from "./table.js";

const KEPT = "chratzete.calculator";

/** The address of the last evening, if the browser can store it. */
const kept = {
  read() {
    try { return localStorage.getItem(KEPT); } catch { return null; }
  },
  write(address) {
    try { localStorage.setItem(KEPT, address); } catch { /* storage is full or forbidden: the address still has the evening */ }
  },
};

/** An entered hand leads to the next address: nothing is posted, and nothing is stored beside the address. */
class Splitter extends Entry {
  keep() {}

  forget() {}

  /** Without the preview of the server there are no amounts to pay, so the hand cannot be entered. */
  unseen(sentence, kind) {
    this.quiet();
    this.say(sentence, kind);
    this.settled(false);
  }

  async send() {
    if (!this.ready()) return;
    if (!this.known) {
      // Tapped before the preview came: goes on as soon as the preview is there, if it is accepted.
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

/** Close the menu. */
function closeMenu() {
  document.querySelector("#more").hidePopover?.();
}

function start() {
  const evening = document.querySelector("[data-evening]")?.dataset.evening;
  const last = kept.read();
  if (evening) kept.write(evening);
  const goOn = document.querySelector("[data-continue]");
  if (goOn && last?.includes("?")) {
    // Only the query is used, so that the link stays on this page whatever was stored.
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
