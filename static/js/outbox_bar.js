// What waits to be sent, said on every page: a line that opens the list, and for each hand what can be done with it.
import * as outbox from "./outbox.js";

const root = document.querySelector("#outbox");

class Bar {
  constructor() {
    this.data = root.dataset;
    this.line = root.querySelector("[data-line]");
    this.list = root.querySelector("[data-list]");
    this.text = root.querySelector("[data-text]");
    this.pattern = root.querySelector("template").content;
    this.stored = null;
    root.addEventListener("click", (event) => this.clicked(event));
    // A page that came as an answer has replaced the form: look again once it is there.
    new MutationObserver(() => this.render()).observe(document.body, { childList: true });
    outbox.listen((outcome) => {
      if (outcome?.kind === outbox.STORED) this.stored = outcome;
      this.render();
    });
    this.render();
  }

  async render() {
    const items = await outbox.all();
    root.hidden = items.length === 0 && !this.stored;
    if (root.hidden) return;
    const last = items.length === 0;
    // What the form of this page is about says so itself.
    const form = document.querySelector("#hand")?.dataset;
    const compared = document.querySelector("[data-versus]")?.dataset.key;
    const here = items.length === 1 && (items[0].key === compared || (items[0].table === form?.table && items[0].number === Number(form?.number)));
    this.line.hidden = here;
    this.line.querySelector("[data-words]").textContent = last ? this.data.sayStored.replace("{n}", this.stored.item.number) : this.summary(items);
    this.line.querySelector("button").hidden = last;
    this.line.querySelector("a").hidden = !last;
    if (last) this.line.querySelector("a").href = this.stored.url;
    this.line.classList.toggle("bad", items.some((item) => item.status === outbox.REFUSED));
    // An answer that comes between the two taps on 'throw away' does not make the second one the first.
    const sure = [...this.list.querySelectorAll("[data-sure]")].map((button) => button.closest("[data-key]").dataset.key);
    this.list.replaceChildren(...items.map((item) => this.entry(item)));
    for (const entry of this.list.children) if (sure.includes(entry.dataset.key)) this.askSure(entry.querySelector("[data-discard]"));
    this.text.value = items.map((item) => this.asText(item)).join("\n\n");
    root.querySelector("[data-copy]").hidden = !navigator.clipboard;
    if (last && root.querySelector(".sheet").matches(":popover-open")) root.querySelector(".sheet").hidePopover();
  }

  summary(items) {
    const { data } = this;
    const refused = items.find((item) => item.status === outbox.REFUSED);
    const one = refused ?? items[0];
    if (items.length > 1) return data.sayMany.replace("{n}", items.length);
    const words = refused ? data.sayRefused : this.away(one) ? data.saySignIn : data.sayWaits;
    return words.replace("{n}", one.number);
  }

  /** Whether the one who entered it has to sign in first. */
  away(item) {
    return !this.data.user || (item.status === outbox.SIGN_IN && item.user === this.data.user);
  }

  why(item) {
    const { data } = this;
    if (item.status === outbox.REFUSED) return item.why;
    if (this.away(item)) return data.whySignIn;
    if (item.user !== data.user) return data.whyOther;
    return item.lasting === false ? data.whyNotKept : data.whyWaits;
  }

  entry(item) {
    const node = this.pattern.cloneNode(true).firstElementChild;
    node.dataset.key = item.key;
    node.querySelector("[data-title]").textContent = item.title;
    node.querySelector("[data-told]").textContent = item.told;
    node.querySelector("[data-why]").textContent = this.why(item);
    const other = item.user !== this.data.user;
    node.querySelector("[data-sign-in]").hidden = !this.away(item);
    node.querySelector("[data-sign-in]").href = `${this.data.signIn}?next=${encodeURIComponent(item.url)}`;
    node.querySelector("[data-look]").hidden = item.status !== outbox.REFUSED || other;
    node.querySelector("[data-look]").href = `${item.url}#waits-${item.key}`;
    node.querySelector("[data-send]").hidden = this.away(item) || item.status === outbox.REFUSED;
    return node;
  }

  asText(item) {
    return `${item.title}, ${new Date(item.at).toLocaleString(document.documentElement.lang)}\n${item.told}`;
  }

  async clicked(event) {
    const button = event.target.closest("button, a");
    const key = button?.closest("[data-key]")?.dataset.key;
    if (!button) return;
    if ("copy" in button.dataset) {
      await navigator.clipboard.writeText(this.text.value);
      button.textContent = this.data.sayCopied;
    } else if ("look" in button.dataset && new URL(button.href).pathname === window.location.pathname) {
      event.preventDefault();
      window.location.hash = new URL(button.href).hash;
      window.location.reload();
    } else if ("send" in button.dataset) await this.sendNow(key);
    else if ("discard" in button.dataset) {
      // The second tap means it.
      if (button.dataset.sure) await outbox.discard(key);
      else this.askSure(button);
    }
  }

  askSure(button) {
    button.dataset.sure = "1";
    button.textContent = this.data.saySure;
  }

  async sendNow(key) {
    const item = (await outbox.all()).find((one) => one.key === key);
    if (item) await outbox.send(item);
  }
}

if (root) {
  new Bar();
  outbox.start(root.dataset.user);
}
