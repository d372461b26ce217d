// The one line about waiting writes, the list behind it, and the waiting hands among the hands of tonight.
import { closest, element } from "../dom.js";
import * as outbox from "../outbox.js";
import { money } from "../money.js";
import { coinsLine, potAfter } from "./saved_screen.js";
import { differencesOf, seen } from "./differences.js";
import * as network from "./network.js";
import { TAKEN } from "./present.js";
import { text } from "./texts.js";

export class WaitingLine {
  /** `night`: followed_table.js; `acts`: { change(key), undo(), drop(key), cancel() } of the table (table_night.js). */
  constructor(night, acts) {
    this.night = night;
    this.acts = acts;
    this.root = document.querySelector("#waiting");
    this.line = this.root.querySelector("[data-waiting-line]");
    this.sheet = document.querySelector("#waiting-list");
    this.list = this.sheet.querySelector("[data-waiting-items]");
    this.pattern = this.sheet.querySelector("template").content.firstElementChild;
    // The hand that is being changed: its number, or null.
    this.changing = null;
    // Stored hands that the server counts otherwise (differences.js).
    this.differences = [];
    // Whether the browser stores something; null until it was tried.
    this.storage = null;
    outbox.works().then((does) => {
      this.storage = does;
      if (!does && !this.root.hidden) this.say(this.night.items);
    });
    // With many seats on a small phone it stands beside the pot, else above it.
    this.beside(document.querySelector("#hand"));
    this.root.addEventListener("click", () => this.tapped());
    this.sheet.addEventListener("click", (event) => this.clicked(event));
  }

  /** Put the line into the form or the saved screen. */
  beside(part) {
    part.querySelector(".potline").prepend(this.root);
  }

  tapped() {
    if (this.changing !== null) this.acts.cancel();
    else if (this.night.items.length > 0 || this.differences.length > 0) {
      this.sheet.showPopover();
      this.sheet.querySelector("h2").focus();
    }
  }

  /**
   * Show the line. While an entry is under way it neither appears nor disappears, so that no row moves under a finger.
   */
  show({ entered = false } = {}) {
    const { items } = this.night;
    this.differences = differencesOf(this.night.table);
    const wanted = this.changing !== null || items.length > 0 || this.differences.length > 0 || network.offline();
    // What is in the memory of this page only is shown at once.
    if (!entered || items.some(outbox.onlyHere)) this.root.hidden = !wanted;
    document.querySelector("#main").classList.toggle("has-waiting", !this.root.hidden);
    // The bar of every page shows the items of other tables and pages.
    this.root.toggleAttribute("data-alone", !this.night.elsewhere);
    if (!this.root.hidden) this.say(items);
    this.fill(items);
    this.fillTonight();
  }

  say(items) {
    const isHeld = (item) => item.status === outbox.REFUSED || item.status === outbox.HELD;
    // Those of another phone hold up nothing: its own come first.
    const halted = items.find((item) => isHeld(item) && !item.handed) ?? this.stuck() ?? items.find(isHeld);
    const away = items.some((item) => item.status === outbox.SIGN_IN);
    const [strong, rest] = this.words(items, halted, away);
    this.line.replaceChildren(element("b", "", strong), rest ? ` · ${rest}` : "");
    const nothingKept = items.length === 0 && network.offline() && this.storage === false;
    const bad = Boolean(halted) || this.differences.length > 0 || items.some(outbox.onlyHere) || nothingKept;
    this.root.classList.toggle("bad", bad && this.changing === null);
    this.root.classList.toggle("good", !bad && items.length === 0 && !network.offline() && this.changing === null);
  }

  words(items, halted, away) {
    if (this.changing !== null) return [text("waiting.changing", { number: this.changing }), text("waiting.cancel")];
    const many = counted(items);
    const here = items.filter(outbox.onlyHere);
    if (here.length) return [counted(here, "only-"), text("waiting.do-not-close")];
    if (halted?.handed) return [text("waiting.two", { number: halted.from }), text("waiting.look")];
    if (halted) return [text("waiting.halted", { what: nameOf(halted) }), text("waiting.look")];
    if (this.differences.length)
      return [text("waiting.differs", { number: this.differences[0].number }), text("waiting.look")];
    if (away) return [text("waiting.signed-out"), many];
    if (network.offline())
      return [
        text("waiting.no-network"),
        items.length ? many : text(this.storage === false ? "waiting.keeps-nothing" : "waiting.kept-here"),
      ];
    if (items.length) return [text("waiting.being-sent"), many];
    return [text("waiting.all-sent"), ""];
  }

  /** The item of a write that cannot be carried out on the present state. */
  stuck() {
    const { stuck } = this.night.now;
    return stuck ? this.night.item(stuck.write.key) : undefined;
  }

  fill(items) {
    const away = items.some((item) => item.status === outbox.SIGN_IN);
    const here = items.some(outbox.onlyHere);
    const why = this.sheet.querySelector("[data-waiting-why]");
    why.textContent = text(
      here
        ? "waiting.why-only-here"
        : away
          ? "waiting.why-sign-in"
          : network.offline()
            ? "waiting.why-offline"
            : "waiting.why-online",
    );
    why.classList.toggle("loss", here);
    this.sheet.querySelector("h2").textContent = text(here ? "waiting.title-only-here" : "waiting.title");
    if (items.length === 0 && this.differences.length === 0 && this.sheet.matches(":popover-open"))
      this.sheet.hidePopover();
    const there = new Map([...this.list.querySelectorAll(":scope > li")].map((li) => [li.dataset.key, li]));
    const shown = [
      ...items.map((item) => this.entry(item, there.get(item.key))),
      ...this.differences.map((difference) => this.difference(difference, there.get(difference.key))),
    ].reverse();
    for (const li of there.values()) if (!shown.includes(li)) li.remove();
    shown.forEach((li, index) => {
      if (this.list.children[index] !== li) this.list.insertBefore(li, this.list.children[index] ?? null);
    });
  }

  entry(item, there) {
    const li = there ?? this.pattern.cloneNode(true);
    const done = this.night.done(item.key);
    const refused = item.status === outbox.REFUSED || item.status === outbox.HELD;
    const stuck = this.night.now.stuck?.write.key === item.key;
    const why = refused
      ? item.why
      : stuck
        ? text(this.night.now.stuck.why === TAKEN ? "waiting.taken" : "waiting.stuck")
        : "";
    li.dataset.key = item.key;
    li.classList.toggle("bad", Boolean(why));
    li.querySelector("[data-title]").textContent = nameOf(item);
    li.querySelector("[data-summary]").textContent = item.summary ?? "";
    li.querySelector("[data-coins]").replaceChildren(
      ...(done?.result
        ? [...coinsLine(done), " ", element("span", "nowrap soft", text("waiting.pot", { pot: potAfter(done) }))]
        : []),
    );
    this.state(li.querySelector("[data-state]"), item, refused);
    li.querySelector("[data-why]").textContent = why;
    li.querySelector("[data-why]").hidden = !why;
    const show = (what, on) => {
      li.querySelector(what).hidden = !on;
    };
    show("[data-change-hand]", this.night.startOf(item.key) !== null && !outbox.isUnderWay(item.key));
    show("[data-undo-write]", this.night.last?.key === item.key && !stuck && !outbox.isUnderWay(item.key));
    show("[data-drop-write]", (refused || stuck) && !item.answer?.stories && !outbox.isUnderWay(item.key));
    show("[data-sign-in]", item.status === outbox.SIGN_IN);
    const both = network.offline() && item.choose ? item.choose : item.answer?.stories;
    show("[data-stories]", Boolean(both));
    if (both) li.querySelector("[data-stories]").href = both;
    // This page has to stay open.
    li.querySelector("[data-sign-in]").target = outbox.onlyHere(item) ? "_blank" : "";
    li.querySelector("[data-sign-in]").href =
      `${document.querySelector("#outbox").dataset.signIn}?next=${encodeURIComponent(window.location.pathname)}`;
    return li;
  }

  /** A stored hand that the server counts otherwise, until the recorder has seen it. */
  difference({ key, number, sentence, title }, there) {
    const li = there?.classList.contains("differs") ? there : this.pattern.cloneNode(true);
    li.dataset.key = key;
    li.classList.add("differs", "bad");
    li.querySelector("[data-title]").textContent = number ? text("screen.hand", { number }) : title;
    li.querySelector("[data-state]").textContent = text("waiting.state-differs");
    li.querySelector("[data-state]").className = "tag bad";
    li.querySelector("[data-why]").textContent = sentence;
    li.querySelector("[data-why]").hidden = false;
    li.querySelector("[data-seen-difference]").hidden = false;
    return li;
  }

  state(tag, item, refused) {
    const away = item.status === outbox.SIGN_IN;
    const name = refused ? "refused" : outbox.isUnderWay(item.key) ? "sending" : away ? "sign-in" : "waits";
    tag.textContent = text(`waiting.state-${name}`);
    tag.className = `tag ${refused ? "bad" : "gold"}`;
    if (outbox.onlyHere(item)) onlyHere(tag);
  }

  async clicked(event) {
    const button = closest(event, "button");
    const key = button?.closest("[data-key]")?.dataset.key;
    if (!key) return;
    if ("seenDifference" in button.dataset) {
      seen(key);
      this.show();
      return;
    }
    if ("dropWrite" in button.dataset && !button.dataset.sure) {
      // Only the second tap discards.
      button.dataset.sure = "1";
      button.textContent = text("waiting.sure");
      return;
    }
    this.sheet.hidePopover();
    if ("changeHand" in button.dataset) await this.acts.change(key);
    if ("undoWrite" in button.dataset) await this.acts.undo();
    if ("dropWrite" in button.dataset) await this.acts.drop(key);
  }

  /** The waiting hands and changes on top of the hands of tonight, newest first. */
  fillTonight() {
    const tonight = document.querySelector("#tonight");
    if (!tonight) return;
    tonight.querySelector("[data-waiting-hands]")?.remove();
    const { done } = this.night.now;
    const empty = tonight.querySelector(".empty");
    if (empty) empty.hidden = done.length > 0;
    if (done.length === 0) return;
    const list = element("ol", "past", ...done.map((doneWrite) => this.tonightLine(doneWrite)).reverse());
    list.dataset.waitingHands = "";
    tonight.querySelector("h2").after(list);
  }

  tonightLine(done) {
    const { result, write } = done;
    const item = this.night.item(write.key);
    const tag = element("span", "tag gold", text("waiting.state-waits"));
    if (outbox.onlyHere(item)) onlyHere(tag);
    const coins = element("p", "coins-line num", tag, " ", ...(result ? coinsLine(done) : []));
    return element(
      "li",
      "",
      element("span", "no num", result ? String(write.number) : ""),
      element("div", "what", element("p", "line", item?.summary || nameOf(item)), coins),
      element("div", "then", result ? element("span", "num soft small pot-then", money(result.pot)) : null),
    );
  }
}

/** The state of an item that is in the memory of this page only. */
function onlyHere(tag) {
  tag.textContent = text("waiting.state-only-here");
  tag.className = "tag bad";
}

/** The name of an item for people: a hand by its number, anything else by its title. */
export const nameOf = (item) =>
  item.write?.kind === "hand" ? text("screen.hand", { number: item.write.number }) : item.title;

/**
 * The number of waiting hands, or of entries if there are others. `state`: "only-" for those in the memory of this page
 * only.
 */
function counted(items, state = "") {
  const kind = items.every((item) => item.write.kind === "hand") ? "hand" : "entry";
  return text(`waiting.${state}${kind}${items.length === 1 ? "" : "-many"}`, { n: items.length });
}
