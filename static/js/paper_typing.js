// Type a sheet back in: Enter stores the lines and clears the field for the next one. The server reads and checks them.

import { kept } from "./browser_storage.js";
import { fieldsOf } from "./dom.js";
import { askBeforeLeaving } from "./leaving.js";
import { mayGoOn } from "./only_here.js";
import * as outbox from "./outbox.js";

const DIM_MS = 250;
const AGAIN_MS = 2000;
const PARTS = ["#state", "#preview", "#stored"];
const STATE = ["key", "number", "players"];

class Typing {
  constructor(form) {
    this.form = form;
    this.data = form.dataset;
    this.field = form.querySelector("#lines");
    this.preview = form.querySelector("#preview");
    this.draftKey = `chratzete.typing.${this.data.table}`;
    this.first = this.preview.querySelector("[data-first]")?.cloneNode(true) ?? null;
    this.fresh = this.state();
    this.typed = [];
    this.back = 0;
    // The item in the outbox that has no answer yet, and its lines.
    this.item = null;
    this.sent = null;
    this.again = false;
    // The lines whose refusal the page shows: a preview that is still to come must not replace the reason.
    this.explained = null;
    window.htmx?.process(form);
    this.listen();
    this.restore();
    this.recallSent();
    this.field.focus();
    this.toEnd();
  }

  state() {
    return Object.fromEntries(STATE.map((name) => [name, this.form.elements[name].value]));
  }

  setState(state) {
    for (const name of STATE) this.form.elements[name].value = state[name];
  }

  /** After a reload, restore the lines for the hand that they were typed for. */
  restore() {
    const draft = kept.read(localStorage, this.draftKey);
    if (!draft?.lines || this.field.value) return;
    if (draft.number) this.setState(draft);
    this.field.value = draft.lines;
    this.ask();
  }

  /** After a reload, find the lines that were sent and have no answer yet. */
  async recallSent() {
    const items = await outbox.all();
    const item = items.find(
      (candidate) =>
        candidate.lines && candidate.url === new URL(this.form.action).pathname && candidate.user === this.data.user,
    );
    if (!item || item.status === outbox.REFUSED || this.sent !== null) return;
    this.item = item;
    this.sent = item.lines;
    this.waits(item.status);
  }

  keep() {
    const lines = this.field.value;
    // Lines typed while others are under way are for the hands after them.
    const state = this.sent === null ? this.state() : {};
    const stays = kept.write(localStorage, this.draftKey, lines.trim() ? { ...state, lines } : null);
    askBeforeLeaving("lines", lines.trim() !== "" && !stays);
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
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.field.addEventListener("input", () => {
      this.back = 0;
      this.changed();
    });
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    const on = (name, act) => this.form.addEventListener(name, act);
    on("htmx:beforeRequest", (event) => {
      if (this.sent !== null || !this.field.value.trim() || this.field.value === this.explained) {
        event.preventDefault();
        return;
      }
      clearTimeout(this.dimming);
      this.dimming = setTimeout(() => this.preview.setAttribute("aria-busy", "true"), DIM_MS);
    });
    on("htmx:beforeSwap", (event) => {
      if (event.detail.xhr.responseURL.endsWith(this.form.getAttribute("hx-post")) && this.sent === null) return;
      event.detail.shouldSwap = false;
      if (this.sent === null) this.say(this.data.saySignedOut);
    });
    for (const name of ["htmx:afterRequest", "htmx:sendError", "htmx:timeout"]) on(name, () => this.quiet());
    window.addEventListener("online", () => {
      this.explained = null;
      this.ask();
    });
    // The preview shows the result again once the lines can be stored.
    document.addEventListener("pencil-changed", () => this.changed());
    outbox.listen((outcome) => this.onOutcome(outcome));
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
    this.explained = null;
    if (this.sent === null && !this.field.value.trim()) {
      // The restored lines are deleted: the page is about the next hand again.
      this.setState(this.fresh);
      this.quiet();
      if (this.first) this.preview.replaceChildren(this.first.cloneNode(true));
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
    this.preview.removeAttribute("aria-busy");
  }

  say(sentence, kind = "fault") {
    const box = document.createElement("div");
    box.className = kind;
    box.textContent = sentence;
    this.preview.replaceChildren(box);
  }

  /**
   * Store the lines of the field. Lines typed meanwhile stay; Enter meanwhile stores them too, once there is an answer.
   */
  async send() {
    if (this.sent !== null) {
      this.again = true;
      await mayGoOn();
      return;
    }
    const lines = this.field.value;
    if (!lines.trim() || !(await mayGoOn()) || this.sent !== null) return;
    window.htmx?.trigger(this.form, "htmx:abort");
    if (document.querySelector("#pencil[data-lost]")) {
      this.quiet();
      this.explained = lines;
      this.say(this.data.sayLost);
      return;
    }
    const body = fieldsOf(this.form);
    body.delete("csrfmiddlewaretoken");
    this.sent = lines;
    this.item = {
      key: this.form.elements.key.value,
      url: new URL(this.form.action).pathname,
      page: window.location.pathname,
      table: this.data.table,
      body: body.toString(),
      lines,
      what: this.data.sayLines,
      title: document.title,
      summary: lines.trim(),
      user: this.data.user,
      at: Date.now(),
    };
    this.field.value = "";
    this.dimming = setTimeout(() => this.say(this.data.saySending, "soft"), DIM_MS);
    await outbox.put(this.item);
    this.keep();
    await outbox.send(this.item, this.form.elements.csrfmiddlewaretoken.value);
  }

  async onOutcome(outcome) {
    if (!this.item) return;
    if (!outcome) {
      const gone = !(await outbox.all()).some((item) => item.key === this.item?.key);
      if (gone && !outbox.sending() && this.item) this.giveBack();
      else if (this.item) this.explain(this.status);
    } else if (outcome.item.key !== this.item.key) return;
    else if (outcome.kind === outbox.STORED) await this.stored();
    else if (outcome.kind === outbox.REFUSED && outcome.page) {
      const { key } = this.item;
      this.received(outcome.page, this.sent, false);
      await outbox.discard(key);
    } else if (outcome.kind === outbox.REFUSED) window.location.reload();
    else this.waits(outcome.kind);
  }

  /** No answer yet: the lines are in the outbox; lines typed now come after them. */
  waits(status) {
    this.quiet();
    this.say(" ", "lines-wait");
    const lines = document.createElement("code");
    lines.textContent = this.sent.trim();
    this.preview.firstElementChild.prepend(lines);
    this.explain(status);
    // The page says it, so that the line of the outbox need not; after the session has ended that line links to the
    // sign-in.
    if (status !== outbox.SIGN_IN) this.form.dataset.waits = this.item.key;
  }

  /** The reason why the lines wait; in red while they are in the memory of this page only. */
  explain(status) {
    this.status = status;
    const here = outbox.holds(this.item.key);
    const away = status === outbox.SIGN_IN;
    const { whyNotKept, whyNotKeptSignIn } = document.querySelector("#outbox").dataset;
    const box = this.preview.querySelector(".lines-wait");
    box?.classList.toggle("bad", here);
    if (box)
      box.lastChild.textContent = here
        ? away
          ? whyNotKeptSignIn
          : whyNotKept
        : away
          ? this.data.saySignedOut
          : this.data.sayOffline;
  }

  /**
   * Discarded before there was an answer: the lines return to the field. If they were stored all the same, the server
   * refuses them.
   */
  giveBack() {
    this.quiet();
    delete this.form.dataset.waits;
    this.field.value = [this.sent.trimEnd(), this.field.value].filter(Boolean).join("\n");
    this.form.elements.key.value = outbox.newKey();
    this.sent = this.item = null;
    this.again = false;
    this.toEnd();
    this.keep();
    this.ask();
  }

  /** The lines are stored: load the state for the next hand. */
  async stored() {
    const lines = this.sent;
    try {
      const answer = await fetch(this.form.action, { cache: "no-store" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!answer.ok || !page.querySelector("#stored")) throw new Error("not this page");
      if (this.sent === lines) this.received(page, lines, true);
    } catch {
      setTimeout(() => this.stored(), AGAIN_MS);
    }
  }

  received(page, lines, stored) {
    this.quiet();
    delete this.form.dataset.waits;
    const rest = page.querySelector("#lines")?.value ?? "";
    if (!page.querySelector("#typing")) {
      // The evening was closed meanwhile: the page has no form any more.
      kept.write(localStorage, this.draftKey, null);
      document.querySelector("#main").replaceWith(page.querySelector("#main"));
      return;
    }
    for (const part of PARTS) {
      const to = document.querySelector(part);
      const from = page.querySelector(part);
      if (part === "#preview") to.replaceChildren(...from.childNodes);
      else to.replaceWith(from);
    }
    this.fresh = this.state();
    if (stored)
      this.typed.unshift(
        ...lines
          .split("\n")
          .map((line) => line.trim())
          .filter(Boolean)
          .reverse(),
      );
    this.sent = this.item = null;
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

// A page restored from the browser's cache may be about a hand that was stored long ago.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
