// The line about waiting items on every page, and the list that it opens, with the buttons of each item.
import { closest } from "./dom.js";
import * as outbox from "./outbox.js";
import { asText } from "./only_here.js";
import { lookAt } from "./outbox_form.js";

const root = document.querySelector("#outbox");

/** The kind of an item, in words; empty for a hand, which has a number. */
const whatOf = (item) => item.what ?? (item.number ? "" : item.title);

class Bar {
  constructor() {
    this.data = root.dataset;
    this.line = root.querySelector("[data-line]");
    this.list = root.querySelector("[data-list]");
    this.sheet = root.querySelector(".sheet");
    this.text = root.querySelector("[data-text]");
    this.pattern = /** @type {HTMLElement} */ (root.querySelector("template").content.firstElementChild);
    this.stored = null;
    // The sheet with the codes, once it was opened.
    this.codes = null;
    root.addEventListener("click", (event) => this.clicked(event));
    const more = root.querySelector("details");
    more.addEventListener("toggle", () => {
      if (more.open) more.scrollIntoView({ block: "end" });
    });
    // A page that came as an answer replaces the form: render again then.
    const changed = new MutationObserver(() => this.render());
    changed.observe(document.body, { childList: true });
    // A form says a moment later that its entry waits.
    changed.observe(document.documentElement, { subtree: true, attributeFilter: ["data-waits"] });
    outbox.listen((outcome) => {
      if (outcome?.kind === outbox.STORED) this.stored = outcome;
      this.render();
    });
    this.render();
  }

  async render() {
    const items = await outbox.all();
    this.items = items;
    const last = items.length === 0;
    if (last && this.sheet.matches(":popover-open")) this.sheet.hidePopover();
    this.fill(items);
    root.hidden = last && !this.stored;
    if (root.hidden) return;
    // If the only item belongs to the form of this page, the form shows that itself.
    const form = document.querySelector("#hand")?.dataset;
    const compared = document.querySelector("[data-versus]")?.dataset.key;
    const hand =
      items.length === 1 &&
      items[0].number &&
      items[0].table === form?.table &&
      items[0].number === Number(form?.number);
    const waits = items.length === 1 && document.querySelector(`form[data-waits="${items[0].key}"]`)?.checkVisibility();
    // The page of two stories shows the waiting items itself.
    const stories = document.querySelector("main.stories") !== null && !items.some(outbox.onlyHere);
    const here = stories || (items.length === 1 && (items[0].key === compared || hand || waits));
    this.line.hidden = here;
    this.line.querySelector("[data-sentence]").textContent = last
      ? this.sentence("Stored", this.stored.item)
      : this.summary(items);
    this.line.querySelector("button").hidden = last;
    this.line.querySelector("a").hidden = !last;
    if (last) {
      this.line.querySelector("a").href = this.stored.url;
      this.line.querySelector("a").textContent = whatOf(this.stored.item) ? this.data.sayLook : this.data.sayCoins;
    }
    this.line.classList.toggle("good", last);
    this.line.classList.toggle(
      "bad",
      items.some((item) => item.status === outbox.REFUSED || outbox.onlyHere(item)),
    );
  }

  /**
   * Update the list in place, so that an answer that comes between two taps on a button does not lose the first tap.
   */
  fill(items) {
    const there = new Map([...this.list.querySelectorAll(":scope > li")].map((entry) => [entry.dataset.key, entry]));
    const entries = items.map((item) => this.entry(item, there.get(item.key)));
    for (const entry of there.values()) if (!entries.includes(entry)) entry.remove();
    entries.forEach((entry, index) => {
      if (this.list.children[index] !== entry) this.list.insertBefore(entry, this.list.children[index] ?? null);
    });
    root.querySelector("h2").textContent = outbox.holds()
      ? this.data.sayOnScreen
      : this.halts(items)
        ? this.data.sayHalt
        : this.data.sayWaiting;
    this.text.value = items.map(asText).join("\n\n");
    root.querySelector("[data-copy]").hidden = !navigator.clipboard;
    const shares = items.some((item) => item.write);
    for (const button of root.querySelectorAll("[data-file], [data-codes]")) button.hidden = !shares;
    root.querySelector("[data-may-go]").hidden = outbox.lasts() || outbox.holds();
  }

  /** The sentence about an item: a hand has its number in it, any other form the label of its button. */
  sentence(name, item) {
    const what = whatOf(item);
    return what
      ? this.data[`say${name}What`].replace("{what}", what)
      : this.data[`say${name}`].replace("{n}", item.number);
  }

  summary(items) {
    const refused = items.find((item) => item.status === outbox.REFUSED);
    const first = refused ?? items[0];
    const here = items.filter(outbox.onlyHere);
    if (here.length > 1) return this.data.sayManyOnlyHere.replace("{n}", here.length);
    if (here.length === 1) return this.sentence("OnlyHere", here[0]);
    if (items.length > 1) return this.data[this.halts(items) ? "sayManyHalt" : "sayMany"].replace("{n}", items.length);
    if (refused) return this.sentence("Refused", first);
    if (this.away(first)) return this.sentence("SignIn", first);
    return this.sentence(first.kept ? "Refused" : first.status === outbox.HELD ? "Held" : "Waits", first);
  }

  /** Return true if one of the items is not sent automatically. */
  halts(items) {
    return items.some((item) => item.status === outbox.REFUSED || item.status === outbox.HELD);
  }

  /** Return true if the author of the item has to sign in first. */
  away(item) {
    return !this.data.user || (item.status === outbox.SIGN_IN && item.user === this.data.user);
  }

  why(item) {
    const { data } = this;
    const why = this.state(item);
    // What is lost with the page comes first; the state of the item follows, where it is another one than that it
    // waits.
    if (!outbox.onlyHere(item)) return why;
    if (item.user === data.user && this.away(item)) return data.whyNotKeptSignIn;
    return why === data.whyWaits ? data.whyNotKept : `${data.whyNotKept} ${why}`;
  }

  state(item) {
    const { data } = this;
    if (item.status === outbox.REFUSED) return item.why;
    if (!data.user && item.who) return data.whySignInName.replace("{name}", item.who);
    if (this.away(item)) return data.whySignIn;
    if (item.user !== data.user) return item.who ? data.whyOtherName.replace("{name}", item.who) : data.whyOther;
    if (item.kept) return item.why;
    if (item.status === outbox.HELD) return data.whyPencil;
    const blocker = outbox.blockerOf(item, this.items.slice(0, this.items.indexOf(item)));
    if (blocker) return blocker.write ? data.whyNeeds.replace("{what}", blocker.title) : data.whyHeld;
    return data.whyWaits;
  }

  entry(item, there) {
    const node = there ?? this.pattern.cloneNode(true);
    node.dataset.key = item.key;
    node.classList.toggle("bad", item.status === outbox.REFUSED || outbox.onlyHere(item));
    node.querySelector("[data-title]").textContent = item.title;
    node.querySelector("[data-summary]").textContent = item.summary;
    node.querySelector("[data-why]").textContent = this.why(item);
    const other = item.user !== this.data.user;
    node.querySelector("[data-sign-in]").hidden = !this.away(item);
    node.querySelector("[data-sign-in]").href = `${this.data.signIn}?next=${encodeURIComponent(item.page ?? item.url)}`;
    // A held hand is already shown on the page of its table.
    const onPage = item.status === outbox.HELD && item.url === window.location.pathname;
    // This page has to stay open.
    node.querySelector("[data-sign-in]").target = outbox.onlyHere(item) ? "_blank" : "";
    node.querySelector("[data-look]").hidden = other || onPage || !this.halts([item]);
    node.querySelector("[data-look]").href = item.page ?? item.url;
    node.querySelector("[data-send]").hidden = this.away(item) || item.status === outbox.REFUSED;
    return node;
  }

  async clicked(event) {
    const button = closest(event, "button, a");
    const key = button?.closest("[data-key]")?.dataset.key;
    if (!button) return;
    if ("copy" in button.dataset) {
      await navigator.clipboard.writeText(this.text.value);
      button.textContent = this.data.sayCopied;
    } else if ("file" in button.dataset) await (await import("./night/share_bundle.js")).saveFile();
    else if ("codes" in button.dataset) await this.showCodes();
    else if ("look" in button.dataset) {
      event.preventDefault();
      const item = (await outbox.all()).find((candidate) => candidate.key === key);
      if (item) await lookAt(item);
    } else if ("send" in button.dataset) await this.sendNow(key);
    else if ("discard" in button.dataset) {
      // Only the second tap discards.
      if (button.dataset.sure) await outbox.discard(key);
      else this.askSure(button);
    }
  }

  /** The codes are drawn by a module that no page needs before. */
  async showCodes() {
    const { Codes } = await import("./night/share_bundle.js");
    const sheet = root.querySelector("#outbox-codes");
    this.codes ??= new Codes(sheet, (club) => sheet.dataset.page.replace("CLUB", club));
    this.sheet.hidePopover();
    await this.codes.open();
  }

  askSure(button) {
    button.dataset.sure = "1";
    button.textContent = this.data.saySure;
  }

  async sendNow(key) {
    const item = (await outbox.all()).find((candidate) => candidate.key === key);
    // Sent under the account of the person who taps, even if another one entered it.
    if (item) await outbox.send(item, null, this.data.user);
  }
}

if (root) {
  new Bar();
  outbox.start(root.dataset.user);
}
