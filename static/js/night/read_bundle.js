// The page that reads writes of another phone: from a file, from pasted text, or from the links of QR codes. The read
// writes are shown first; a tap takes it into this phone's outbox. All of it is untrusted.
import { element } from "../dom.js";
import { gain } from "../money.js";
import { mayGoOn } from "../only_here.js";
import * as outbox from "../outbox.js";
import { MOST_LETTERS, readBundle } from "./bundle.js";
import { CodeParts, dropOldParts, isPart, missingOf, unpacked } from "./code_parts.js";
import { choose, differing, found, handedHere, isTaken, itemOf } from "./read_found.js";
import { keep } from "./snapshots.js";
import { showRows } from "./stories_rows.js";
import { text } from "./texts.js";

class ReadPage {
  constructor(root) {
    this.root = root;
    this.data = root.dataset;
    this.find = (what) => root.querySelector(what);
    this.pattern = this.find("template").content.firstElementChild;
    this.codes = new CodeParts(this.data.club);
    // The parts that are shown, and the content of a complete bundle.
    this.parts = [];
    this.found = null;
    this.find("[type=file]").addEventListener("change", (event) => this.file(event.target.files[0]));
    this.find("[data-read]").addEventListener("click", () => this.typed(this.find("textarea").value));
    this.find("[data-take]").addEventListener("click", () => this.take());
    this.find("[data-forget]").addEventListener("click", () => this.forget());
    this.find("[data-choice]").addEventListener("click", (event) => this.chosen(event.target.closest("[data-holds]")));
    root.addEventListener("dragover", (event) => event.preventDefault());
    root.addEventListener("drop", (event) => {
      event.preventDefault();
      this.file(event.dataTransfer.files[0]);
    });
    window.addEventListener("hashchange", () => this.link(window.location.hash));
    this.begin();
  }

  async begin() {
    await dropOldParts();
    if (window.location.hash) await this.link(window.location.hash);
    else {
      const parts = await this.codes.newest();
      await this.showParts(parts);
      if (parts.length === 0) await this.showChoice();
    }
  }

  problem(name, values = {}) {
    this.find("[data-problem]").textContent = name ? text(`read.${name}`, values) : "";
    this.find("[data-problem]").hidden = !name;
    if (name) for (const part of ["[data-found]", "[data-done]"]) this.find(part).hidden = true;
  }

  async file(file) {
    if (!file) return;
    if (file.size > MOST_LETTERS) this.problem("many");
    else await this.typed(await file.text());
    this.find("[type=file]").value = "";
  }

  /** Read the text of a file, or a link. */
  async typed(typed) {
    const hash = typed.trim().startsWith("{") ? "" : typed.trim().replace(/^[^#]*/, "");
    if (isPart(hash)) {
      await this.link(hash);
      return;
    }
    let value = null;
    try {
      value = typed.length > MOST_LETTERS ? null : JSON.parse(typed);
    } catch {
      /* no JSON: `readBundle` says so */
    }
    await this.show(value);
  }

  /** Read a part of a set of QR codes; a set of one is complete at once. */
  async link(hash) {
    // A reload must not read it again.
    window.history.replaceState(null, "", window.location.pathname);
    const parts = await this.codes.add(hash);
    if (parts) await this.showParts(parts);
    else this.problem("kind");
  }

  /** Show the missing parts of a set, or the content of the complete set. */
  async showParts(parts) {
    this.parts = parts;
    const total = parts[0]?.parts ?? 0;
    const missing = missingOf(parts);
    const said = this.find("[data-parts]");
    said.hidden = missing.length === 0;
    if (missing.length > 0) {
      this.problem("");
      this.find("[data-found]").hidden = true;
      said.querySelector("p").textContent = text(missing.length === 1 ? "read.missing" : "read.missing-several", {
        read: total - missing.length,
        parts: total,
        missing: missing.join(", "),
      });
    } else if (total > 0) await this.show(await unpacked(parts));
  }

  async show(value) {
    const read = readBundle(value, this.data.club);
    if (read.fault) {
      this.problem(read.fault, { club: read.club });
      return;
    }
    this.problem("");
    this.find("[data-parts]").hidden = true;
    this.find("[data-done]").hidden = true;
    this.find("textarea").value = "";
    this.found = await found(read);
    this.showFound();
  }

  showFound() {
    const { read, lines, stories, sums, complete, choice } = this.found;
    const when = read.savedAt === null ? "" : new Date(read.savedAt).toLocaleString(document.documentElement.lang);
    this.find("[data-from]").textContent = text(read.by.length > 0 ? "read.from" : "read.from-nobody", {
      names: read.by.join(", "),
      when,
    });
    this.find("[data-lines]").replaceChildren(...lines.map((line) => this.line(line)));
    this.find("[data-sums-title]").textContent = text(complete ? "read.sums" : "read.sums-these");
    this.find("[data-sums]").replaceChildren(
      ...sums.flatMap(([name, sum]) => [
        element("dt", "", name),
        element("dd", sum < 0 ? "num loss" : "num", gain(sum)),
      ]),
    );
    this.find("[data-sums-card]").hidden = sums.length === 0 || stories.length > 0;
    const count = lines.filter(isTaken).length;
    const button = this.find("[data-take]");
    const two = this.showStories();
    button.textContent = two ? text("read.take-both") : text(count === 1 ? "read.take-one" : "read.take", { n: count });
    button.hidden = count === 0 || Boolean(choice);
    for (const part of ["[data-contains]", "[data-whose]"]) this.find(part).hidden = Boolean(choice);
    this.find("[data-choice]").hidden = !choice;
    this.find("[data-nothing]").hidden = count > 0;
    this.find("[data-found]").hidden = false;
  }

  /** Show both stories of each table of which there are two. Returns true if there are. */
  showStories() {
    const card = this.find("[data-two]");
    const { stories } = this.found;
    card.querySelector("[data-numbers]").replaceChildren();
    for (const conflict of stories) {
      const list = element("ol");
      showRows(list, conflict.stories, {
        mine: text("read.theirs"),
        theirs: (hand) => text(hand.key ? "read.mine-waits" : "read.mine-stored"),
        missingThere: (number) =>
          text(conflict.unknown.includes(number) ? "read.missing-unknown" : "read.missing-mine"),
        missingHere: text("read.missing-theirs"),
        was: (number) => text("read.was", { number }),
      });
      card.querySelector("[data-numbers]").append(...list.children);
    }
    card.hidden = stories.length === 0;
    return stories.length > 0;
  }

  /** Both stories that wait here, and the choice between them, where no server is needed for it. Returns true if so. */
  async showChoice() {
    const here = await handedHere();
    if (!here?.choice) return false;
    this.found = here;
    this.showFound();
    const [{ stories }] = here.stories;
    for (const button of this.find("[data-choice]").querySelectorAll("[data-holds]")) {
      const { holds } = button.dataset;
      delete button.dataset.sure;
      button.textContent = text(`read.${holds}-holds`);
      const goes = differing(stories, holds === "own" ? here.choice.handed : here.choice.own);
      button.previousElementSibling.textContent = text(`read.${holds}-goes`, { n: goes.length });
    }
    return true;
  }

  /** The second tap on a button decides. */
  async chosen(button) {
    if (!button || this.choosing) return;
    if (!button.dataset.sure) {
      button.dataset.sure = "1";
      button.textContent = text(`read.${button.dataset.holds}-sure`);
      return;
    }
    this.choosing = true;
    try {
      if (!(await mayGoOn())) return;
      // Another tab may have recorded, or sent something since.
      const before = this.found;
      if (!(await this.showChoice()) || keysOf(before) !== keysOf(this.found)) return;
      const lasting = await choose(button.dataset.holds, this.found, this.data);
      this.say(text(lasting ? "read.chosen" : "read.not-kept"), lasting, this.found.choice.handed[0].write.table);
    } finally {
      this.choosing = false;
    }
  }

  /** What was done, in place of what was found. */
  say(sentence, lasting, table) {
    this.find("[data-found]").hidden = true;
    const done = this.find("[data-done]");
    done.querySelector("p").textContent = sentence;
    done.querySelector("p").classList.toggle("loss", !lasting);
    const link = done.querySelector("[data-to-table]");
    // Another page would be without what this browser does not keep.
    link.hidden = typeof table !== "number" || !lasting;
    if (typeof table === "number") link.href = this.data.table.replace("/0/", `/${table}/`);
    done.querySelector("[data-choose]").hidden = true;
    done.hidden = false;
    done.focus();
  }

  line({ title, summary, state, why }) {
    const node = this.pattern.cloneNode(true);
    node.dataset.state = state;
    node.querySelector("[data-title]").textContent = title;
    node.querySelector("[data-summary]").textContent = summary;
    const said = state === "new" ? why : text(`read.${state}`);
    node.querySelector("[data-why]").textContent = said;
    node.querySelector("[data-why]").hidden = !said;
    return node;
  }

  /** Take new writes into the outbox, under this account. */
  async take() {
    if (!(await mayGoOn())) return;
    // Another tab may have recorded since.
    const now = await found(this.found.read);
    const isAsShown =
      String(now.lines.map((line) => line.state)) === String(this.found.lines.map((line) => line.state));
    this.found = now;
    if (!isAsShown) {
      this.showFound();
      return;
    }
    const lines = now.lines.filter(isTaken);
    const items = lines.map((line) => itemOf(line, this.data));
    for (const snapshot of this.found.usable) await keep(snapshot, { handed: true });
    const lasting = await outbox.take(items);
    await this.forgetParts();
    const both = items.some((item) => item.handed);
    const here = both && (await handedHere())?.choice;
    const name = both ? (here ? "taken-choose" : "taken-both") : items.length === 1 ? "taken-one" : "taken";
    const table = lines.map(({ write }) => write.table).find((reference) => typeof reference === "number");
    this.say(text(`read.${lasting ? name : "not-kept"}`, { n: items.length }), lasting, table);
    const asks = this.find("[data-choose]");
    const choice = items.find((item) => item.answer);
    asks.hidden = !choice || Boolean(here);
    if (choice) asks.href = choice.answer.stories;
    if (here) await this.showChoice();
  }

  async forgetParts() {
    await this.codes.forget(this.parts);
    this.parts = [];
  }

  async forget() {
    await this.forgetParts();
    this.find("[data-parts]").hidden = true;
  }
}

const keysOf = ({ choice: { handed, own } }) => String([...handed, ...own].map(({ key }) => key));

const root = document.querySelector("[data-night-read]");
if (root) new ReadPage(root);
