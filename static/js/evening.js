// A new evening: a ticked player is added at the end of the order; the order is changed by dragging or with the arrows.
//
// Start records the beginning on this device and sends it (night/begin_evening.js). Without a network the evening
// begins, too.
import { elementOf } from "./dom.js";
import { begin, correctDate } from "./night/begin_evening.js";
import { OrderList } from "./order_list.js";
import { mayGoOn } from "./only_here.js";
import * as outbox from "./outbox.js";

const LONG_NAME = 10;
const form = document.querySelector("#evening");

class Evening {
  constructor() {
    this.order = form.querySelector("[data-order]");
    this.guest = form.querySelector("[data-guest]");
    this.message = form.querySelector("[data-said]");
    this.start = form.querySelector("[data-start]");
    // The plain controls would send the same a second time.
    const plain = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(".no-js :is(select, input)"));
    for (const field of plain) field.disabled = true;
    const sitting = [...this.order.querySelectorAll(":scope > li")].map((li) => [li.dataset.key, li.dataset.name]);
    this.order.replaceChildren();
    this.list = new OrderList(this.order, {
      changed: () => this.update(),
      moved: (li, place) => this.moved(li, place),
    });
    this.roster = form.querySelector("[data-roster]");
    for (const [key, name] of sitting) {
      if (key.startsWith("g")) this.chip(key, name);
      this.sit(key, name, key === this.order.dataset.dealer);
    }
    this.roster.addEventListener("change", (event) => this.ticked(event.target));
    form.querySelector("[data-add-guest]").addEventListener("click", () => this.addGuest());
    this.guest.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        this.addGuest();
      }
    });
    this.order.addEventListener("change", () => this.update());
    const seatings = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-last]"));
    for (const link of seatings) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.seatLike(link.dataset);
      });
    }
    for (const game of form.querySelectorAll("[name=game]")) game.addEventListener("change", () => this.update());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submitted();
    });
    correctDate(form.elements.held_on);
    this.forgetOtherDay();
    this.update();
  }

  /** A page that this phone kept may be of another day: who said yes to that day does not come today. */
  forgetOtherDay() {
    const said = form.querySelector("[data-coming]");
    if (!said || said.dataset.coming === form.elements.held_on.value) return;
    said.querySelector("a").click();
    said.remove();
  }

  sitters() {
    return this.list.lines();
  }

  sit(key, name, deals = false) {
    const li = elementOf("#sitter");
    li.dataset.key = key;
    li.dataset.name = name;
    li.classList.toggle("long", name.length > LONG_NAME);
    li.querySelector("[data-name]").textContent = name;
    li.querySelector("[name=seating]").value = key;
    const radio = li.querySelector("[name=first_dealer]");
    radio.value = key;
    radio.checked = deals;
    radio.setAttribute("aria-label", `${name}: ${form.dataset.sayDeals}`);
    for (const button of li.querySelectorAll("[data-move]"))
      button.setAttribute("aria-label", `${name}: ${button.getAttribute("aria-label")}`);
    this.order.append(li);
  }

  /** Add a guest to the roster, ticked; unticking removes the guest from the order. */
  chip(key, name) {
    const chip = elementOf("#chip");
    const box = chip.querySelector("input");
    box.dataset.key = key;
    box.dataset.name = name;
    chip.querySelector(".name").textContent = name;
    chip.classList.toggle("long", name.length > LONG_NAME - 2);
    this.roster.append(chip);
  }

  ticked(box) {
    if (!box.dataset.key) return;
    if (box.checked) this.sit(box.dataset.key, box.dataset.name);
    else
      this.sitters()
        .find((li) => li.dataset.key === box.dataset.key)
        ?.remove();
    this.update();
  }

  /**
   * Seat these people in their order, and nobody else: those of the last evening, or none.
   * @param {DOMStringMap} evening The people, who deals first, and the game.
   */
  seatLike({ last, dealer, game }) {
    const boxes = [...this.roster.querySelectorAll("input[data-key]")];
    this.order.replaceChildren();
    for (const box of boxes) box.checked = false;
    for (const key of last.split(",")) {
      const box = boxes.find((each) => each.dataset.key === key);
      if (!box) continue;
      box.checked = true;
      this.sit(key, box.dataset.name, key === dealer);
    }
    form.elements.game.value = game;
    this.update();
  }

  addGuest() {
    const name = this.guest.value.trim().replace(/\s+/g, " ");
    if (!name) return;
    const same = (other) => other.toLocaleLowerCase() === name.toLocaleLowerCase();
    const known = [...this.roster.querySelectorAll("input[data-key]")].find((box) => same(box.dataset.name));
    if (known && !known.checked) {
      // The typed name is in the roster: take that player.
      known.checked = true;
      this.ticked(known);
    } else if (known) {
      this.message.textContent = form.dataset.sayTwice.replace("{name}", name);
      return;
    } else {
      this.chip(`g${name}`, name);
      this.sit(`g${name}`, name);
    }
    this.message.textContent = "";
    this.guest.value = "";
    this.guest.focus();
    this.update();
  }

  problem() {
    const seated = this.sitters().length;
    const game = form.querySelector("[name=game]:checked").dataset;
    if (seated < Number(game.least)) return game.few;
    if (seated > Number(game.most)) return game.many;
    if (!this.order.querySelector("[name=first_dealer]:checked")) return form.dataset.sayDealer;
    return "";
  }

  moved(li, place) {
    form.querySelector("[data-moved]").textContent = form.dataset.sayMoved
      .replace("{name}", li.dataset.name)
      .replace("{n}", String(place));
  }

  update() {
    this.list.number();
    const problem = this.problem();
    form.querySelector("[data-ready]").textContent =
      problem || form.dataset.sayStartN.replace("{n}", String(this.sitters().length));
    this.start.setAttribute("aria-disabled", String(problem !== ""));
  }

  async submitted() {
    if (this.guest.value.trim()) this.addGuest();
    if (this.problem()) {
      this.update();
      return;
    }
    // A second tap sends an evening that waits on this screen, and begins no other one.
    if (this.held) {
      outbox.flush();
      return;
    }
    if (this.starting) return;
    this.starting = true;
    if (!(await mayGoOn())) {
      this.starting = false;
      return;
    }
    const label = this.start.textContent.trim();
    this.label = label;
    this.start.setAttribute("aria-disabled", "true");
    this.start.textContent = document.querySelector("#outbox").dataset.saySending;
    const names = this.sitters().map((li) => li.dataset.name);
    const outcome = await begin(this.evening(), names, label, form.elements.csrfmiddlewaretoken.value);
    if (outcome.url) {
      window.location.assign(outcome.url);
      return;
    }
    if (outcome.key) {
      this.hold(outcome);
      return;
    }
    this.starting = false;
    this.start.textContent = label;
    this.update();
    // Else a person discarded it before it was sent.
    if (outcome.kind === outbox.REFUSED) this.refuse(outcome.why);
  }

  /**
   * The evening is in the memory of this page only: the page stays, and opens the table once the evening is sent or
   * stored.
   */
  hold({ kind, key, page }) {
    const { sayShow, whyNotKept, whyNotKeptSignIn } = document.querySelector("#outbox").dataset;
    this.held = key;
    this.inert(true);
    this.refuse(kind === outbox.SIGN_IN ? whyNotKeptSignIn : whyNotKept);
    const more = document.createElement("button");
    more.type = "button";
    more.className = "btn quiet";
    more.textContent = sayShow;
    more.setAttribute("popovertarget", "outbox-list");
    document.querySelector("#problem").append(" ", more);
    this.start.textContent = form.dataset.saySend;
    this.start.setAttribute("aria-disabled", "false");
    const end = outbox.listen(async (outcome) => {
      const mine = outcome?.item?.key === key;
      const there = (await outbox.all()).some((item) => item.key === key);
      if (mine && outcome.kind === outbox.STORED) window.location.assign(outcome.url);
      else if (there && !outbox.holds(key)) window.location.assign(page);
      else if (!there || (mine && outcome.kind === outbox.REFUSED)) {
        end();
        this.release(mine ? (outcome.why ?? "") : "");
      }
    });
  }

  inert(held) {
    for (const part of form.querySelectorAll(":scope > *")) part.inert = held && !part.contains(this.start);
  }

  /** The evening was refused or discarded: the form can be changed, and begins another one. */
  async release(why) {
    const { held } = this;
    this.held = null;
    this.inert(false);
    this.starting = false;
    this.start.textContent = this.label;
    document.querySelector("#problem").remove();
    if (why) {
      await outbox.discard(held);
      this.refuse(why);
    }
    this.update();
  }

  /** The fields of the write (docs/night.md). */
  evening() {
    const keys = this.sitters().map((li) => li.dataset.key);
    const { season, game, held_on: heldOn, settling, carry } = form.elements;
    return {
      season: Number(season.value),
      game: game.value,
      held_on: heldOn.value,
      settling: settling.value || null,
      carry: carry?.checked ?? false,
      seating: keys.map((key) => (key.startsWith("p") ? { player: Number(key.slice(1)) } : { guest: key.slice(1) })),
      first_dealer: keys.indexOf(this.order.querySelector("[name=first_dealer]:checked").value),
    };
  }

  /** Show the reason of the server's refusal; the form stays as it is. */
  refuse(why) {
    const said = document.querySelector("#problem") ?? document.createElement("p");
    said.className = "errors";
    said.id = "problem";
    said.setAttribute("role", "alert");
    said.textContent = why;
    form.before(said);
    said.scrollIntoView({ block: "center" });
  }
}

if (form) new Evening();
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
