// A list in the order of play: each line moves by one place with its arrows ([data-move]), or is dragged by its grip
// ([data-grip]).
import { closest } from "./dom.js";

export class OrderList {
  /** `list` is the <ol>; `changed()` is called after each change, `moved(li, place)` after one line was moved (`place`
      from 1). */
  constructor(list, { changed, moved }) {
    this.list = list;
    this.changed = changed;
    this.moved = moved;
    list.addEventListener("click", (event) => this.clicked(event));
    list.addEventListener("pointerdown", (event) => this.lift(event));
  }

  lines() {
    return [...this.list.children];
  }

  /** Write the place of each line, and turn off the arrows at the ends. */
  number() {
    const lines = this.lines();
    lines.forEach((li, place) => {
      li.querySelector("[data-place]").textContent = String(place + 1);
      li.querySelector('[data-move="-1"]').disabled = place === 0;
      li.querySelector('[data-move="1"]').disabled = place === lines.length - 1;
    });
  }

  done(li) {
    this.number();
    const place = this.lines().indexOf(li) + 1;
    this.changed();
    this.moved(li, place);
  }

  clicked(event) {
    const button = closest(event, "[data-move]");
    if (!button) return;
    const li = button.closest("li");
    const by = Number(button.dataset.move);
    const other = by < 0 ? li.previousElementSibling : li.nextElementSibling;
    if (!other) return;
    if (by < 0) other.before(li);
    else other.after(li);
    this.number();
    button.disabled ? li.querySelector(`[data-move="${-by}"]`).focus() : button.focus();
    this.done(li);
  }

  lift(event) {
    if (!closest(event, "[data-grip]") || event.button !== 0) return;
    event.preventDefault();
    const li = closest(event, "li");
    let from = event.clientY;
    li.classList.add("lifted");
    const drag = (move) => {
      const next = li.nextElementSibling;
      const before = li.previousElementSibling;
      const by = move.clientY - from;
      const step = (other) => Math.abs(other.offsetTop - li.offsetTop);
      if (next && by > step(next) / 2) {
        const gap = step(next);
        next.after(li);
        from += gap;
      } else if (before && -by > step(before) / 2) {
        const gap = step(before);
        before.before(li);
        from -= gap;
      }
      this.number();
      li.style.transform = `translateY(${move.clientY - from}px)`;
    };
    const drop = () => {
      window.removeEventListener("pointermove", drag);
      li.classList.remove("lifted");
      li.style.removeProperty("transform");
      this.done(li);
    };
    window.addEventListener("pointermove", drag);
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, drop, { once: true });
  }
}
