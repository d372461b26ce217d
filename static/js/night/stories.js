// The page of two stories: another phone recorded at the table while this one had no network. The recorder chooses the
// hands that count.
//
// Each choice shows its result before it is stored (stories_plan.js). Its writes replace the old ones in the outbox in
// one transaction.
import { element } from "../dom.js";
import { gain } from "../money.js";
import { kept } from "../browser_storage.js";
import { mayGoOn } from "../only_here.js";
import * as outbox from "../outbox.js";
import { changeText, gainClass, handLine, handText, listed, ranges } from "./stories_lines.js";
import {
  AFTER,
  ALONE,
  CORRECTED,
  isAllSame,
  mineAfter,
  mineAsCorrections,
  storiesOf,
  theirsAlone,
} from "./stories_plan.js";
import { showRows } from "./stories_rows.js";
import { has, price, text } from "./texts.js";

const FRESH_MS = 3000;
const WAITS_MS = 2500;

class Stories {
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.main = root.closest("main");
    this.find = (what) => this.main.querySelector(what);
    this.server = document.querySelector("#outbox").dataset;
    this.without = new Set();
    this.way = null;
    this.slow = false;
    this.doneKey = `chratzete.stories.${data.snapshot.table.id}`;
    root.addEventListener("change", (event) => this.changed(event));
    this.find("[data-save]").addEventListener("click", () => this.save());
    this.find("[data-file-first] button").addEventListener("click", async () =>
      (await import("./share_bundle.js")).saveFile(),
    );
    outbox.listen((outcome) => this.answered(outcome));
    this.load();
  }

  /** Read the waiting writes of this phone, and show the stories, the choice under way, or its result. */
  async load() {
    const items = (await outbox.all()).filter(
      (item) =>
        item.write &&
        item.user === this.server.user &&
        String(item.write.table) === String(this.data.snapshot.table.id),
    );
    this.chosen = items.filter((item) => item.choice);
    this.items = await this.ofOneStory(items.filter((item) => item.write.kind !== "leave-out"));
    const refused = this.chosen.find((item) => item.status === outbox.REFUSED);
    const underWay = this.chosen.length > 0 && !refused;
    // Items that a choice left on the phone are chosen already.
    const open = this.items.filter((item) => !item.choice || refused);
    this.stories = storiesOf(this.data, open.length > 0 ? this.items : []);
    this.root.hidden = false;
    this.find("[data-bar]").hidden = false;
    if (
      underWay ||
      this.stories.steps.length === 0 ||
      this.stories.steps.every((step) => step.item.kept && !step.item.handed && this.isDone())
    )
      this.showState();
    else this.showChoice(refused);
  }

  /**
   * The items of this phone's own story while it needs a choice, else those that another phone handed over for one. Of
   * these the stored ones go: the server has their keys.
   */
  async ofOneStory(items) {
    const handed = items.filter((item) => item.handed);
    const own = items.filter((item) => !item.handed);
    if (handed.length === 0 || this.chosen.length > 0 || own.some((item) => item.status === outbox.REFUSED)) return own;
    const stored = handed.filter((item) => item.key in this.data.keys);
    for (const item of stored) await outbox.discard(item.key);
    return handed.filter((item) => !stored.includes(item));
  }

  isDone() {
    return kept.read(sessionStorage, this.doneKey) !== null;
  }

  // --- The choice ----------------------------------------------------------------------------------------------

  showChoice(refused) {
    const { stories } = this;
    this.same = isAllSame(stories);
    showRows(this.find("[data-numbers]"), stories);
    this.find("[data-lead]").textContent = text(this.same ? "stories.lead-same" : "stories.lead");
    if (refused) this.notice(refused.why);
    this.plan();
    this.way ??= this.first();
    const radio = this.find(`#way-${this.way}`);
    radio.checked = true;
    for (const part of ["[data-numbers]", "[data-save]"]) this.find(part).hidden = false;
    for (const part of ["[data-ways]", "[data-outcome]"]) this.find(part).hidden = this.same;
    for (const part of ["[data-on]", "[data-links]"]) this.find(part).hidden = true;
    this.root.dataset.state = "choice";
    this.render();
  }

  plan() {
    this.plans = {
      [AFTER]: mineAfter(this.stories, this.without),
      [ALONE]: theirsAlone(this.stories),
      [CORRECTED]: mineAsCorrections(this.stories),
    };
  }

  /**
   * The choice to begin with: mine after theirs, so that nothing goes; theirs where each phone has one hand, probably
   * the same one.
   */
  first() {
    const { mine, theirs } = this.stories;
    const single = mine.length === 1 && theirs.length === 1;
    return this.plans[AFTER].possible && !single ? AFTER : ALONE;
  }

  render() {
    for (const way of [AFTER, ALONE, CORRECTED]) this.showWay(way);
    const plan = this.plans[this.same ? ALONE : this.way];
    this.find("[data-save]").textContent = this.same
      ? text("stories.save-same", { number: plan.number })
      : text(`stories.save-${this.way}`);
    this.find("[data-save]").disabled = !plan.possible;
    this.showOutcome(plan);
  }

  showWay(way) {
    const plan = this.plans[way];
    const node = this.find(`[data-way="${way}"]`);
    node.querySelector("[data-title]").textContent = text(`stories.${way}`);
    node.querySelector("[data-more]").textContent = plan.possible ? this.more(way, plan) : this.reason(plan.why);
    node.querySelector("input").disabled = !plan.possible;
    node.classList.toggle("cannot", !plan.possible);
  }

  /** The effect of a choice, in one line. */
  more(way, plan) {
    const count = (name, numbers, n = numbers.length) =>
      text(`stories.${name}-${n === 0 ? "none" : n === 1 ? "one" : "more"}`, { n, numbers: ranges(numbers) });
    if (way === ALONE)
      return count(
        "alone",
        plan.left.map((hand) => hand.number),
      );
    const stored = this.data.snapshot.table.hands;
    const added = plan.hands.filter((hand) => hand.own && hand.number > stored).map((hand) => hand.number);
    if (way === AFTER) return count("after", added);
    const corrected = plan.hands.filter((hand) => hand.own && hand.number <= stored).map((hand) => hand.number);
    return [count("corrected", corrected), ...(added.length > 0 ? [count("after", added)] : [])].join(" ");
  }

  reason({ name, values }) {
    const clause = has(`clause.${values.clause}`)
      ? text(`clause.${values.clause}`)
      : values.clause
        ? text("clause.unknown")
        : "";
    const known = has(`stories.why-${name}`) ? `stories.why-${name}` : "stories.why-kept";
    return text(known, { ...values, clause, names: listed(values.players ?? [], this.stories.names) }).trim();
  }

  /** All names of a plan: a guest who comes with a choice has a new reference. */
  namesIn(plan) {
    return new Map([...this.stories.names, ...plan.seats.map(({ player, name }) => [player, name])]);
  }

  showOutcome(plan) {
    const names = this.namesIn(plan);
    const { game } = this.data.snapshot.evening;
    const remarks = [
      ...plan.kept.map(({ why }) => this.reason(why)),
      ...plan.notes.map(({ name, values }) =>
        text(`stories.note-${name}`, { ...values, numbers: ranges(values.numbers ?? []) }),
      ),
    ];
    this.find("[data-remarks]").replaceChildren(...remarks.map((sentence) => element("li", "", sentence)));
    this.find("[data-remarks]").hidden = remarks.length === 0;
    this.find("[data-hands]").replaceChildren(
      ...plan.hands.map((hand) => this.thenEntry(hand, names, game)),
      ...this.leftEntries(plan, names, game),
    );
    // Items that are going to be dropped can be saved as a file first.
    this.find("[data-file-first]").hidden = plan.drops.length === 0;
    const stored = new Map(Object.entries(this.data.sums).map(([player, sum]) => [Number(player), sum]));
    const players = [...new Set([...plan.seats.map((seat) => seat.player), ...plan.sums.keys()])];
    this.find("[data-sums]").replaceChildren(
      ...players.map((player) => this.sumRow(player, names, stored.get(player) ?? 0, plan.sums.get(player) ?? 0)),
    );
    const dealer = names.get(plan.dealer) ?? plan.seats.find((seat) => seat.player === plan.dealer)?.name ?? "";
    this.find("[data-next]").textContent = text("stories.pot", { pot: price(plan.pot), name: dealer });
  }

  sumRow(player, names, before, then) {
    const cell = (amount, bold) =>
      element("td", `num ${gainClass(amount)}`, bold ? element("b", "", gain(amount)) : gain(amount));
    const head = element("th", "text", names.get(player) ?? text("stories.somebody"));
    head.scope = "row";
    return element("tr", "", head, cell(before, false), cell(then, before !== then));
  }

  /** A hand as it would then be; after theirs each of mine can be left out. */
  thenEntry(hand, names, game) {
    const line = element("div", "", handLine(hand, names, game));
    if (hand.own)
      line.append(
        element(
          "p",
          "soft small",
          hand.was && hand.was !== hand.number
            ? text("stories.here-number", { number: hand.was })
            : text("stories.here"),
        ),
      );
    const entry = element("li", hand.own ? "own" : "", element("span", "no num", String(hand.number)), line);
    if (hand.own && this.way === AFTER) entry.append(this.tick(hand.was, true));
    return entry;
  }

  leftEntries({ left = [] }, names, game) {
    if (this.way !== AFTER) return [];
    return left.map((hand) =>
      element(
        "li",
        "out",
        element("span", "no num", "–"),
        element("div", "", handLine(hand, names, game), element("p", "soft small", text("stories.left"))),
        this.tick(hand.number, false),
      ),
    );
  }

  tick(number, checked) {
    const box = element("input");
    box.type = "checkbox";
    box.checked = checked;
    box.dataset.own = number;
    box.setAttribute("aria-label", text("stories.here-number", { number }));
    return element("label", "tick", box);
  }

  changed({ target }) {
    if (target.name === "way") this.way = target.value;
    if ("own" in target.dataset) {
      const { key } = this.stories.mine.find((hand) => hand.number === Number(target.dataset.own)).item;
      if (target.checked) this.without.delete(key);
      else this.without.add(key);
      this.plan();
    }
    this.render();
    if ("own" in target.dataset) this.find(`[data-own="${target.dataset.own}"]`)?.focus();
  }

  notice(sentence) {
    const line = this.find("[data-notice]");
    line.textContent = sentence;
    line.hidden = !sentence;
  }

  // --- Storing it --------------------------------------------------------------------------------------------------

  /**
   * Store the choice on this phone, and send it. A second tap does nothing; after a change of the table meanwhile, the
   * page shows the stories again.
   */
  async save() {
    if (this.saving) return;
    this.saving = true;
    const button = this.find("[data-save]");
    button.setAttribute("aria-disabled", "true");
    try {
      if (!(await mayGoOn()) || !(await this.isFresh())) return;
      const plan = this.plans[this.same ? ALONE : this.way];
      const items = this.itemsOf(plan);
      const what = this.happened(this.same ? ALONE : this.way, plan);
      kept.write(sessionStorage, this.doneKey, { what, logged: plan.logged, corrects: plan.corrects });
      const lasting = await outbox.replace(items, plan.removed);
      if (this.same && lasting) {
        window.location.assign(this.data.urls.table);
        return;
      }
      setTimeout(() => {
        this.slow = true;
        this.showState();
      }, WAITS_MS);
      await this.load();
    } finally {
      this.saving = false;
      button.removeAttribute("aria-disabled");
    }
  }

  /** The result of a choice, for the line after it. */
  happened(way, plan) {
    const stays =
      plan.kept.length > 0
        ? [text("stories.kept", { numbers: ranges(plan.kept.map(({ why }) => why.values.number)) })]
        : [];
    return [`${text(`stories.${way}`)}.`, this.more(way, plan), ...stays].join(" ").replace(/\.$/, "");
  }

  /**
   * Return false if the table has changed since this page was made, and show it as it is now. Without a network the
   * server finds that later.
   */
  async isFresh() {
    let data;
    try {
      const answer = await fetch(window.location.href, {
        headers: { Accept: "application/json" },
        cache: "no-store",
        signal: AbortSignal.timeout?.(FRESH_MS),
      });
      if (answer.status !== 200 || !answer.headers.get("Content-Type")?.startsWith("application/json")) return true;
      data = await answer.json();
    } catch {
      return true;
    }
    const items = await outbox.all();
    const here = this.stories.steps.every(({ item }) => items.some((other) => other.key === item.key));
    if (
      data.snapshot.table.position === this.data.snapshot.table.position &&
      data.snapshot.evening.open === this.data.snapshot.evening.open &&
      here
    )
      return true;
    this.data = data;
    await this.load();
    this.notice(text("stories.moved-on"));
    this.main.scrollIntoView();
    return false;
  }

  /** The items of a plan: the new writes, and the hands that stay on the phone. */
  itemsOf(plan) {
    const names = this.namesIn(plan);
    const { snapshot } = this.data;
    const base = Date.now();
    const titled = (what) => text("stories.title", { club: snapshot.club.name, table: snapshot.table.number, what });
    const made = plan.writes.map((write, place) => {
      const item = outbox.itemOf(write, {
        url: snapshot.urls.night,
        page: window.location.pathname,
        choice: this.way ?? ALONE,
        ...this.described(write, plan, names, titled),
      });
      // The order of items that take the same place.
      return { ...item, at: base + place };
    });
    const stay = plan.kept.map(({ step, why }) => ({
      ...step.item,
      status: outbox.HELD,
      kept: true,
      handed: undefined,
      choice: undefined,
      why: this.reason(why),
    }));
    return [...made, ...stay];
  }

  described(write, plan, names, titled) {
    const { game } = this.data.snapshot.evening;
    const { number } = write;
    if (write.kind === "hand")
      return { number, title: titled(text("stories.hand", { number })), summary: handText(write, names, game) };
    const lines = (write.hands ?? []).map((hand) => `${hand.number}: ${handText(hand, names, game)}`);
    if (write.kind === "correct") {
      const what = text("stories.item-correct", { numbers: ranges(write.hands.map((hand) => hand.number)) });
      return { what, title: titled(what), summary: lines.join("\n") };
    }
    if (write.kind === "leave-out") {
      const what = text("stories.item-leave-out", {
        what: text("stories.hand", { number: ranges(write.hands.map((hand) => hand.number)) }),
      });
      // A refused hand at the table must not delay it: the hands wait for it.
      return { what, title: titled(what), summary: lines.join("\n"), table: "", drops: plan.drops };
    }
    const what = text("stories.item-change", { what: changeText(write, names) });
    return { what, title: titled(what), summary: changeText(write, names) };
  }

  // --- The result --------------------------------------------------------------------------------------------------

  async answered(outcome) {
    if (this.saving || !this.stories) return;
    if (outcome?.kind === outbox.REFUSED && outcome.item.choice) {
      await this.refresh();
      return;
    }
    if (this.chosen.length > 0 || outcome === null) await this.load();
  }

  /** The choice was refused: the table has changed, or will not take it. Show both stories as they are now. */
  async refresh() {
    try {
      const answer = await fetch(window.location.href, { headers: { Accept: "application/json" }, cache: "no-store" });
      if (answer.status === 200) this.data = await answer.json();
    } catch {
      /* as it was known last */
    }
    kept.write(sessionStorage, this.doneKey, null);
    await this.load();
  }

  showState() {
    const done = kept.read(sessionStorage, this.doneKey);
    const waits = this.chosen.length > 0;
    const away = this.chosen.some((item) => item.status === outbox.SIGN_IN);
    for (const part of ["[data-ways]", "[data-outcome]", "[data-numbers]", "[data-save]", "[data-notice]"])
      this.find(part).hidden = true;
    const here = this.chosen.some(outbox.onlyHere);
    const name = !waits ? "done" : here ? "only-here" : away ? "sign-in" : this.slow ? "waits" : "sends";
    this.root.dataset.state = done || waits ? name : "nothing";
    const what = done?.what ?? text(`stories.${this.chosen[0]?.choice ?? ALONE}`);
    this.find("[data-lead]").textContent =
      done || waits ? text(`stories.${name}`, { what }) : text("stories.lead-nothing");
    this.find("[data-lead]").classList.toggle("loss", here);
    this.find("[data-on]").hidden = false;
    const links = { corrections: !waits && done?.corrects, log: !waits && done?.logged };
    for (const [link, shown] of Object.entries(links)) {
      const node = this.find(`[data-${link}]`);
      if (node) node.hidden = !shown;
    }
    this.find("[data-links]").hidden = !Object.values(links).some(Boolean);
  }
}

const root = document.querySelector("[data-stories]");
if (root) new Stories(root, JSON.parse(document.querySelector("#night-story").textContent));
