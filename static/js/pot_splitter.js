// The pot splitter: the entry of the table screen, with the evening in the address. The browser remembers the last
// evening.
import { fieldsOf } from "./dom.js";
import { hint } from "./night/hints.js";
import { present, recordOf } from "./night/present.js";
import { previewOf } from "./night/preview.js";
import { Saving } from "./night/save_hand.js";
import { tallyOf } from "./night/tally.js";
import { Entry } from "./table_entry.js";

const KEPT = "chratzete.calculator";

/** The address of the last evening, if the browser can store it. */
const kept = {
  read() {
    try {
      return localStorage.getItem(KEPT);
    } catch {
      return null;
    }
  },
  write(address) {
    try {
      localStorage.setItem(KEPT, address);
    } catch {
      /* storage is full or forbidden: the address still has the evening */
    }
  },
};

/** An entered hand leads to the next address: nothing is posted, and nothing is stored beside the address. */
class Payment extends Saving {
  /** @param {any} entry */
  constructor(entry) {
    super(entry, () => {});
  }

  async recall() {}

  async send() {
    const { form, save, data } = this.entry;
    if (!this.entry.ready()) return;
    this.sending = true;
    save.setAttribute("aria-disabled", "true");
    save.textContent = data.saySending;
    const fields = fieldsOf(form);
    fields.set("do", "enter");
    window.location.assign(`${form.action}?${fields}`);
  }
}

class Splitter extends Entry {
  keep() {}

  count() {
    this.counted = previewOf(recordOf(this.at, tallyOf(this.state)), this.view);
    this.preview.replaceChildren(this.counted.box);
    return this.counted.problem;
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
    // Only the query is used, so that the link stays on this page for any stored text.
    goOn.querySelector("a").search = last.slice(last.indexOf("?"));
    goOn.hidden = false;
  }
  const form = document.querySelector("#pot-hand");
  if (!form) return;
  const now = present(JSON.parse(document.querySelector("#pot-table").textContent));
  const entry = new Splitter(form, now, { saving: (made) => new Payment(made) });
  document.querySelector("[data-print]").addEventListener("click", () => {
    closeMenu();
    window.print();
  });
  const share = document.querySelector("[data-share]");
  share.hidden = !navigator.clipboard;
  share.addEventListener("click", async () => {
    closeMenu();
    await navigator.clipboard.writeText(new URL(evening, window.location.href).href);
    entry.preview.replaceChildren(hint(form.dataset.sayCopied));
  });
}

start();
