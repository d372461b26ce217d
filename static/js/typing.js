// Typing a sheet back: Enter stores the lines and the field is free for the next one. The server reads, checks and decides.

const SEND_MS = 20000;
const DIM_MS = 250;
const PARTS = ["#state", "#told", "#stored"];
const STATE = ["key", "number", "players"];

/** Lines that were not answered yet, in this tab: with the key, so that sending them again is the same request. */
const kept = {
  read(key) {
    try { return JSON.parse(sessionStorage.getItem(key)); } catch { return null; }
  },
  write(key, value) {
    try { if (value === null) sessionStorage.removeItem(key); else sessionStorage.setItem(key, JSON.stringify(value)); } catch { /* storage is full or forbidden: works without */ }
  },
};

class Typing {
  constructor(form) {
    this.form = form;
    this.data = form.dataset;
    this.field = form.querySelector("#lines");
    this.told = form.querySelector("#told");
    this.draftKey = `chratzete.typing.${this.data.table}`;
    this.first = this.told.querySelector("[data-first]")?.cloneNode(true) ?? null;
    this.fresh = this.state();
    this.typed = [];
    this.back = 0;
    this.sent = null;
    this.again = false;
    this.given = null;
    window.htmx?.process(form);
    this.listen();
    this.restore();
    this.field.focus();
    this.toEnd();
  }

  state() {
    return Object.fromEntries(STATE.map((name) => [name, this.form.elements[name].value]));
  }

  setState(state) {
    for (const name of STATE) this.form.elements[name].value = state[name];
  }

  /** Lines of before a reload come back as the request that they were. */
  restore() {
    const draft = kept.read(this.draftKey);
    if (!draft?.lines || this.field.value) return;
    this.setState(draft);
    this.field.value = draft.lines;
    this.ask();
  }

  keep() {
    const lines = [this.sent, this.field.value].filter(Boolean).join("\n");
    kept.write(this.draftKey, lines.trim() ? { ...this.state(), lines } : null);
  }

  /** Lines as the list has them or as they were typed, newest first. */
  recalled() {
    const stored = [...document.querySelectorAll("#stored [data-line]")].map((line) => line.dataset.line);
    return [...this.typed, ...stored.slice(this.typed.length)];
  }

  toEnd() {
    this.field.setSelectionRange(this.field.value.length, this.field.value.length);
  }

  listen() {
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.send(); });
    this.field.addEventListener("input", () => { this.back = 0; this.changed(); });
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    const on = (name, act) => this.form.addEventListener(name, act);
    on("htmx:beforeRequest", (event) => {
      // Asked for before the lines were sent, a preview must not take the place of why they came back.
      if (this.sent !== null || !this.field.value.trim() || this.field.value === this.given) { event.preventDefault(); return; }
      clearTimeout(this.dimming);
      this.dimming = setTimeout(() => this.told.setAttribute("aria-busy", "true"), DIM_MS);
    });
    on("htmx:beforeSwap", (event) => {
      if (event.detail.xhr.responseURL.endsWith(this.form.getAttribute("hx-post")) && this.sent === null) return;
      event.detail.shouldSwap = false;
      if (this.sent === null) this.say(this.data.saySignedOut);
    });
    for (const name of ["htmx:afterRequest", "htmx:sendError", "htmx:timeout"]) on(name, () => this.quiet());
    window.addEventListener("online", () => { this.given = null; this.ask(); });
  }

  pressed(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.send();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.put("");
    } else if (event.key === "ArrowUp" && (this.back > 0 || !this.field.value)) {
      event.preventDefault();
      this.recall(this.back + 1);
    } else if (event.key === "ArrowDown" && this.back > 0) {
      event.preventDefault();
      this.recall(this.back - 1);
    }
  }

  recall(back) {
    const lines = this.recalled();
    if (back > lines.length) return;
    this.put(back === 0 ? "" : lines[back - 1]);
    this.back = back;
  }

  put(text) {
    this.field.value = text;
    this.back = 0;
    this.toEnd();
    this.changed();
  }

  changed() {
    this.given = null;
    if (this.sent === null && !this.field.value.trim()) {
      // Nothing is left of what was restored: the page is about the hand that is due.
      this.setState(this.fresh);
      this.quiet();
      if (this.first) this.told.replaceChildren(this.first.cloneNode(true));
    }
    this.keep();
    this.ask();
  }

  ask() {
    window.htmx?.trigger(this.form, "htmx:abort");
    if (this.sent === null && this.field.value.trim()) this.form.dispatchEvent(new Event("lines-changed"));
  }

  quiet() {
    clearTimeout(this.dimming);
    this.told.removeAttribute("aria-busy");
  }

  say(sentence, kind = "fault") {
    const box = document.createElement("div");
    box.className = kind;
    box.textContent = sentence;
    this.told.replaceChildren(box);
  }

  /** Store what stands in the field. What is typed meanwhile stays; Enter meanwhile stores that, too, once this is answered. */
  async send() {
    if (this.sent !== null) {
      this.again = true;
      return;
    }
    const lines = this.field.value;
    if (!lines.trim()) return;
    window.htmx?.trigger(this.form, "htmx:abort");
    const body = new FormData(this.form);
    this.sent = lines;
    this.field.value = "";
    this.keep();
    this.dimming = setTimeout(() => this.say(this.data.saySending, "soft"), DIM_MS);
    let answer;
    try {
      answer = await fetch(this.form.action, { method: "POST", body, signal: AbortSignal.timeout?.(SEND_MS) });
      if (answer.status >= 500) this.giveBack(this.data.sayBroken);
      else if (new URL(answer.url).pathname !== new URL(this.form.action).pathname) this.giveBack(this.data.saySignedOut);
      else this.received(new DOMParser().parseFromString(await answer.text(), "text/html"), lines, answer.status < 400);
    } catch {
      this.giveBack(this.data.sayOffline);
    }
  }

  /** Not answered: the lines come back with their key. */
  giveBack(sentence) {
    this.quiet();
    const lines = [this.sent.trimEnd(), this.field.value].filter(Boolean).join("\n");
    this.sent = null;
    this.again = false;
    this.field.value = this.given = lines;
    this.toEnd();
    this.keep();
    this.say(sentence);
  }

  received(page, lines, stored) {
    this.quiet();
    const rest = page.querySelector("#lines")?.value ?? "";
    if (!page.querySelector("#typing")) {
      // Closed meanwhile: there is nothing to type into any more.
      kept.write(this.draftKey, null);
      document.querySelector("#main").replaceWith(page.querySelector("#main"));
      return;
    }
    for (const part of PARTS) {
      const to = document.querySelector(part);
      const from = page.querySelector(part);
      if (part === "#told") to.replaceChildren(...from.childNodes);
      else to.replaceWith(from);
    }
    this.fresh = this.state();
    if (stored) this.typed.unshift(...lines.split("\n").map((line) => line.trim()).filter(Boolean).reverse());
    this.sent = null;
    const meanwhile = this.field.value;
    const again = this.again && stored;
    this.again = false;
    if (rest) {
      this.field.value = meanwhile ? `${rest}\n${meanwhile}` : rest;
      this.toEnd();
    }
    this.keep();
    if (again) this.send();
    else if (meanwhile && stored) this.ask();
  }
}

const form = document.querySelector("#typing");
if (form) new Typing(form);

// Shown again from the browser's memory, the page may be about a hand long stored.
window.addEventListener("pageshow", (event) => { if (event.persisted) window.location.reload(); });
