// A new evening: a ticked player is added at the end of the order; the order is changed by dragging or with the arrows.

const LONG_NAME = 10;
const form = document.querySelector("#evening");

class Evening {
  constructor() {
    this.order = form.querySelector("[data-order]");
    this.template = document.querySelector("#sitter");
    this.guest = form.querySelector("[data-guest]");
    this.message = form.querySelector("[data-said]");
    this.start = form.querySelector("[data-start]");
    // The plain controls would send the same a second time.
    form.querySelectorAll(".no-js select, .no-js input").forEach((field) => { field.disabled = true; });
    const sitting = [...this.order.children].map((li) => [li.dataset.key, li.dataset.name]);
    this.order.replaceChildren();
    this.roster = form.querySelector("[data-roster]");
    for (const [key, name] of sitting) {
      if (key.startsWith("g")) this.chip(key, name);
      this.sit(key, name, key === this.order.dataset.dealer);
    }
    this.roster.addEventListener("change", (event) => this.ticked(event.target));
    form.querySelector("[data-add-guest]").addEventListener("click", () => this.addGuest());
    this.guest.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); this.addGuest(); } });
    this.order.addEventListener("click", (event) => this.clicked(event));
    this.order.addEventListener("change", () => this.update());
    this.order.addEventListener("pointerdown", (event) => this.lift(event));
    for (const game of form.querySelectorAll("[name=game]")) game.addEventListener("change", () => this.update());
    form.addEventListener("submit", (event) => this.submitted(event));
    this.update();
  }

  sitters() {
    return [...this.order.children];
  }

  sit(key, name, deals = false) {
    const li = this.template.content.firstElementChild.cloneNode(true);
    li.dataset.key = key;
    li.dataset.name = name;
    li.classList.toggle("long", name.length > LONG_NAME);
    li.querySelector("[data-name]").textContent = name;
    li.querySelector("[name=seating]").value = key;
    const radio = li.querySelector("[name=first_dealer]");
    radio.value = key;
    radio.checked = deals;
    radio.setAttribute("aria-label", `${name}: ${form.dataset.sayDeals}`);
    for (const button of li.querySelectorAll("[data-move]")) button.setAttribute("aria-label", `${name}: ${button.getAttribute("aria-label")}`);
    this.order.append(li);
  }

  /** Add a guest to the roster, ticked; unticking removes the guest from the order. */
  chip(key, name) {
    const one = document.querySelector("#chip").content.firstElementChild.cloneNode(true);
    const box = one.querySelector("input");
    box.dataset.key = key;
    box.dataset.name = name;
    one.querySelector(".name").textContent = name;
    one.classList.toggle("long", name.length > LONG_NAME - 2);
    this.roster.append(one);
  }

  ticked(box) {
    if (!box.dataset.key) return;
    if (box.checked) this.sit(box.dataset.key, box.dataset.name);
    else this.sitters().find((li) => li.dataset.key === box.dataset.key)?.remove();
    this.update();
  }

  addGuest() {
    const name = this.guest.value.trim().replace(/\s+/g, " ");
    if (!name) return;
    const same = (other) => other.toLocaleLowerCase() === name.toLocaleLowerCase();
    const known = [...this.roster.querySelectorAll("[data-key]")].find((box) => same(box.dataset.name));
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

  clicked(event) {
    const button = event.target.closest("[data-move]");
    if (!button) return;
    const li = button.closest("li");
    const by = Number(button.dataset.move);
    const other = by < 0 ? li.previousElementSibling : li.nextElementSibling;
    if (!other) return;
    if (by < 0) other.before(li);
    else other.after(li);
    this.update();
    button.disabled ? li.querySelector(`[data-move="${-by}"]`).focus() : button.focus();
    this.moved(li);
  }

  moved(li) {
    const place = String(this.sitters().indexOf(li) + 1);
    form.querySelector("[data-moved]").textContent = form.dataset.sayMoved.replace("{name}", li.dataset.name).replace("{n}", place);
  }

  lift(event) {
    if (!event.target.closest("[data-grip]") || event.button !== 0) return;
    event.preventDefault();
    const li = event.target.closest("li");
    let from = event.clientY;
    li.classList.add("lifted");
    const drag = (move) => {
      const next = li.nextElementSibling;
      const before = li.previousElementSibling;
      const by = move.clientY - from;
      const step = (other) => Math.abs(other.offsetTop - li.offsetTop);
      if (next && by > step(next) / 2) { const gap = step(next); next.after(li); from += gap; }
      else if (before && -by > step(before) / 2) { const gap = step(before); before.before(li); from -= gap; }
      this.number();
      li.style.transform = `translateY(${move.clientY - from}px)`;
    };
    const drop = () => {
      window.removeEventListener("pointermove", drag);
      li.classList.remove("lifted");
      li.style.removeProperty("transform");
      this.update();
      this.moved(li);
    };
    window.addEventListener("pointermove", drag);
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, drop, { once: true });
  }

  problem() {
    const seated = this.sitters().length;
    const game = form.querySelector("[name=game]:checked").dataset;
    if (seated < Number(game.least)) return game.few;
    if (seated > Number(game.most)) return game.many;
    if (!this.order.querySelector("[name=first_dealer]:checked")) return form.dataset.sayDealer;
    return "";
  }

  number() {
    const sitters = this.sitters();
    sitters.forEach((li, place) => {
      li.querySelector("[data-place]").textContent = String(place + 1);
      li.querySelector('[data-move="-1"]').disabled = place === 0;
      li.querySelector('[data-move="1"]').disabled = place === sitters.length - 1;
    });
  }

  update() {
    this.number();
    const problem = this.problem();
    form.querySelector("[data-ready]").textContent = problem || form.dataset.sayStartN.replace("{n}", String(this.sitters().length));
    this.start.setAttribute("aria-disabled", String(problem !== ""));
  }

  submitted(event) {
    if (this.guest.value.trim()) this.addGuest();
    if (!this.problem()) return;
    event.preventDefault();
    this.update();
  }
}

if (form) new Evening();
window.addEventListener("pageshow", (event) => { if (event.persisted) window.location.reload(); });
