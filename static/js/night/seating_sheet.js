// Arrivals, departures, swaps, dealers and the pause, in a sheet on the table screen: without a network, and while
// writes of this table wait.
//
// Each change is shown with its consequences before it is stored (seat_change.js). The server's page is games/seating.
import { button, closest, element } from "../dom.js";
import { OrderList } from "../order_list.js";
import { offline } from "./network.js";
import { seatsOf } from "./present.js";
import { called, nicknameProblem, nowSentence, seatChange } from "./seat_change.js";
import { text } from "./texts.js";
import { comeWrite, dealerWrite, leaveWrite, orderWrite, pauseWrite, resumeWrite } from "./writes.js";

const MOST_CHIPS = 8;
const LONG_NAME = 9;

class SeatsSheet {
  /** `now()`: the present of the table; `put(write, title)`: store a write and fill the screen again. */
  constructor(root, { now, put, halted }) {
    this.root = root;
    this.now = now;
    this.put = put;
    this.halted = halted;
    this.find = (what) => root.querySelector(what);
    this.pattern = this.find("template[data-line]").content.firstElementChild;
    this.sentenceFull = this.find("[data-full]").textContent;
    this.write = null;
    // The player of a line or a chip.
    this.players = new WeakMap();
    this.list = new OrderList(this.find("[data-order]"), {
      changed: () => this.reordered(),
      moved: (li, place) => this.moved(li, place),
    });
    root.addEventListener("click", (event) => this.clicked(event));
    this.who = this.find("[data-who]");
    this.who.addEventListener("input", () => this.showRoster());
    this.who.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        this.typed();
      }
    });
  }

  open() {
    this.who.value = "";
    this.choose();
    this.root.showPopover();
    this.find("[data-title]").focus();
  }

  /** The table as it is, with all that can be changed. */
  choose(problem = "") {
    const now = this.now();
    const halted = now.stuck !== null || this.halted();
    this.write = null;
    this.find("[data-title]").textContent = this.find("[data-choices]").dataset.title;
    this.show(halted ? text("seats.refused-halted") : problem);
    this.fill(now, () => !halted);
    for (const part of this.root.querySelectorAll("[data-choices] > section, [data-order] [data-leaves]"))
      part.hidden = halted;
    this.find("[data-next-line]").textContent = nowSentence(now);
    this.find("[data-paused]").hidden = !now.paused;
    this.find('[data-do="pause"]').hidden = now.paused;
    this.find('[data-do="resume"]').hidden = !now.paused;
    const most = seatsOf(now.game)[1];
    this.find("[data-room]").hidden = now.seats.length >= most;
    this.find("[data-full]").hidden = now.seats.length < most;
    this.find("[data-full]").textContent = this.sentenceFull.replace("{n}", String(most));
    this.chips(
      "[data-dealers]",
      now.seats.filter((_, seat) => seat !== now.dealer),
      "deals",
    );
    this.showRoster();
  }

  show(problem) {
    const box = this.find("[data-problem]");
    box.textContent = problem;
    box.hidden = !problem;
    this.find("[data-choices]").hidden = this.write !== null;
    this.find("[data-preview]").hidden = this.write === null;
    for (const button of this.root.querySelectorAll("[data-order] [data-leaves]")) button.hidden = this.write !== null;
  }

  /** The seats; `movable(player)`: true for a player with arrows. */
  fill(now, movable) {
    const order = this.find("[data-order]");
    const lines = now.seats.map((seat, place) => {
      const li = this.pattern.cloneNode(true);
      this.players.set(li, seat.player);
      li.dataset.name = seat.name;
      li.classList.toggle("long", seat.name.length > LONG_NAME);
      li.querySelector("[data-name]").textContent = seat.name;
      for (const mark of li.querySelectorAll("[data-deals], [data-deals-said]")) mark.hidden = place !== now.dealer;
      li.querySelector('[data-move="-1"]').setAttribute("aria-label", text("seats.up", seat));
      li.querySelector('[data-move="1"]').setAttribute("aria-label", text("seats.down", seat));
      li.querySelector("[data-leaves]").setAttribute("aria-label", text("seats.leave", seat));
      li.querySelector("[data-leaves]").hidden = this.write !== null;
      for (const part of li.querySelectorAll("[data-move], [data-grip]")) part.hidden = !movable(seat.player);
      return li;
    });
    order.replaceChildren(...lines);
    this.list.number();
  }

  chips(where, players, does) {
    const made = players.map(({ player, name }) => {
      const chip = button("chip", name);
      this.players.set(chip, player);
      chip.dataset[does] = "";
      return chip;
    });
    this.find(where).replaceChildren(...made);
  }

  /** The players of the roster who can come, filtered by the typed text. */
  showRoster() {
    const typed = this.who.value.trim().toLocaleLowerCase();
    const players = this.now().roster.filter(({ name }) => name.toLocaleLowerCase().includes(typed));
    this.chips("[data-roster]", players.slice(0, MOST_CHIPS), "comes");
  }

  clicked(event) {
    const tapped = closest(event, "button");
    if (!tapped) return;
    const now = this.now();
    const { dataset } = tapped;
    if ("comes" in dataset) this.comes(now.roster.find((member) => member.player === this.players.get(tapped)));
    else if ("typed" in dataset) this.typed();
    else if ("leaves" in dataset) this.preview(leaveWrite(now, this.players.get(tapped.closest("li"))));
    else if ("deals" in dataset) this.preview(dealerWrite(now, this.players.get(tapped)));
    else if ("do" in dataset) this.preview(dataset.do === "pause" ? pauseWrite(now) : resumeWrite(now));
    else if ("cancel" in dataset) {
      this.choose();
      this.find("[data-title]").focus();
    } else if ("store" in dataset) this.store();
  }

  typed() {
    const nickname = this.who.value.trim().replace(/\s+/g, " ");
    if (!nickname) {
      this.who.focus();
      return;
    }
    const now = this.now();
    const problem = nicknameProblem(now, nickname);
    if (problem) {
      this.choose(problem);
      return;
    }
    // A nickname of the roster is that player.
    this.comes(called(now, nickname) ?? { name: nickname });
  }

  comes({ player, name }, after = this.now().seats.at(-1).player) {
    // A guest who left before being stored on the server comes again by nickname.
    const who = Number.isInteger(player) ? { player } : { guest: name };
    this.preview(comeWrite(this.now(), who, after));
  }

  /** Show the effect of a write; a refused one leaves the table as it is, with the reason. */
  preview(write) {
    const now = this.now();
    const change = seatChange(now, write);
    if (change.refused) {
      this.choose(change.refused);
      this.find("[data-problem]").scrollIntoView({ block: "nearest" });
      return;
    }
    const fresh = this.write === null;
    this.write = write;
    this.show("");
    const isNew = (player) => !now.seats.some((seat) => seat.player === player);
    // The lines of a new order are those that a finger is on.
    if (write.kind !== "order") this.fill(change.after, (player) => write.kind === "come" && isNew(player));
    for (const li of this.list.lines()) li.classList.toggle("fresh", isNew(this.players.get(li)));
    this.find("[data-title]").textContent = change.title;
    this.find("[data-back]").textContent = change.back;
    this.find("[data-store]").textContent = change.button;
    this.find("[data-lines]").replaceChildren(...change.lines.map(sentenceOf));
    if (fresh && write.kind !== "order") this.find("[data-title]").focus();
  }

  /** A line was moved: the whole order changes, or only the place of the player who comes. */
  reordered() {
    const now = this.now();
    const players = this.list.lines().map((li) => this.players.get(li));
    if (this.write?.kind === "come") {
      const { guest, player } = this.write;
      const seated = new Set(now.seats.map((seat) => seat.player));
      const place = players.findIndex((reference) => !seated.has(reference));
      // The places are a circle: before the first is after the last.
      this.comes({ player, name: guest }, players.at(place - 1));
      this.focusMoved();
      return;
    }
    if (players.every((player, place) => player === now.seats[place].player)) this.choose();
    else this.preview(orderWrite(now, players));
  }

  focusMoved() {
    this.find(".fresh [data-move]:not(:disabled)")?.focus();
  }

  moved(li, place) {
    this.find("[data-moved]").textContent = text("seats.place", { name: li.dataset.name, n: place });
  }

  async store() {
    const { write } = this;
    if (!write) return;
    this.write = null;
    const { title } = seatChange(this.now(), write);
    await this.put(write, title);
    this.root.hidePopover();
  }
}

function sentenceOf({ label, sentence, news }) {
  return element("div", news ? "news" : "", element("dt", "", label), element("dd", "", sentence));
}

/**
 * Let the links to the seating page ([data-seats]) open the sheet where the server's page is not available, or lacks
 * the waiting writes. `now()`: the present of the table (present.js); `put(write, title)`: store a write and fill the
 * screen again; `signal` ends it; `halted()`: true while a refused write holds up all later ones.
 */
export function seatsSheet({ now, put, signal, halted = () => false }) {
  const root = document.querySelector("#seats");
  if (!root) return null;
  const sheet = new SeatsSheet(root, { now, put, halted });
  document.addEventListener(
    "click",
    (event) => {
      const link = closest(event, "a[data-seats]");
      if (!link) return;
      const waits = now().done.length > 0 || now().stuck || halted();
      if (!offline() && !waits && !link.closest("[data-needs-table]")) return;
      event.preventDefault();
      sheet.open();
    },
    { signal },
  );
  return sheet;
}
