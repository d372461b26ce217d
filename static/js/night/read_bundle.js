// The page that reads writes of another phone: from a file, from pasted text, or from the links of QR codes. The read writes are
// shown first; a tap takes it into this phone's outbox. All of it is untrusted.
import { gain } from "../money.js";
import * as outbox from "../outbox.js";
import { PARTS, run, SNAPSHOTS } from "../outbox_store.js";
import { MOST_LETTERS, readBundle } from "./bundle.js";
import { described } from "./describe.js";
import { textBytes, unpack } from "./pack.js";
import { isSettled, present } from "./present.js";
import { nameOf as setName } from "./share_bundle.js";
import { keep } from "./snapshots.js";
import { text } from "./texts.js";
import { tableOf } from "./writes.js";

const PART = /^#?1\.(\d{1,2})\.(\d{1,2})\.([0-9a-f]{8})\.([-\w]+)$/;
const PART_DAYS = 30;
const account = () => document.querySelector("#outbox").dataset.user;

class ReadPage {
  constructor(root) {
    this.root = root;
    this.data = root.dataset;
    this.find = (what) => root.querySelector(what);
    this.pattern = this.find("template").content.firstElementChild;
    this.found = null;
    this.find("[type=file]").addEventListener("change", (event) => this.file(event.target.files[0]));
    this.find("[data-read]").addEventListener("click", () => this.typed(this.find("textarea").value));
    this.find("[data-take]").addEventListener("click", () => this.take());
    this.find("[data-forget]").addEventListener("click", () => this.forget());
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
    else await this.showParts(await newestSet(this.data.club));
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
    if (PART.test(hash)) {
      await this.link(hash);
      return;
    }
    let value = null;
    try { value = typed.length > MOST_LETTERS ? null : JSON.parse(typed); } catch { /* no JSON: `readBundle` says so */ }
    await this.show(value);
  }

  /** Read a part of a set of QR codes; a set of one is complete at once. */
  async link(hash) {
    const found = PART.exec(hash);
    // A reload must not read it again.
    window.history.replaceState(null, "", window.location.pathname);
    const [, part, parts, set, letters] = found ?? [];
    if (!found || Number(part) < 1 || Number(part) > Number(parts)) {
      this.problem("kind");
      return;
    }
    const key = `${this.data.club} ${set} ${part}`;
    const one = { key, club: this.data.club, set, part: Number(part), parts: Number(parts), letters, user: account(), at: Date.now() };
    try { await run(PARTS, "readwrite", (store) => store.put(one)); } catch { this.memory = [...(this.memory ?? []), one]; }
    await this.showParts(await partsOf(this.data.club, set, this.memory));
  }

  /** Show the missing parts of a set, or the content of the complete set. */
  async showParts(parts) {
    this.parts = parts;
    const total = parts[0]?.parts ?? 0;
    const missing = Array.from({ length: total }, (_, at) => at + 1).filter((part) => !parts.some((one) => one.part === part));
    const said = this.find("[data-parts]");
    said.hidden = missing.length === 0;
    if (missing.length > 0) {
      this.problem("");
      this.find("[data-found]").hidden = true;
      said.querySelector("p").textContent = text(missing.length === 1 ? "read.missing" : "read.missing-several", {
        read: total - missing.length, parts: total, missing: missing.join(", "),
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
    this.found = await compared(read);
    this.showFound();
  }

  showFound() {
    const { read, lines, sums, complete } = this.found;
    const when = read.savedAt === null ? "" : new Date(read.savedAt).toLocaleString(document.documentElement.lang);
    this.find("[data-from]").textContent = text(read.by.length > 0 ? "read.from" : "read.from-nobody", { names: read.by.join(", "), when });
    this.find("[data-lines]").replaceChildren(...lines.map((line) => this.line(line)));
    this.find("[data-sums-title]").textContent = text(complete ? "read.sums" : "read.sums-these");
    this.find("[data-sums]").replaceChildren(...sums.flatMap(([name, sum]) => [element("dt", name), element("dd", gain(sum), sum < 0 ? "num loss" : "num")]));
    this.find("[data-sums-card]").hidden = sums.length === 0;
    const count = lines.filter((line) => line.state === "new").length;
    const button = this.find("[data-take]");
    button.textContent = text(count === 1 ? "read.take-one" : "read.take", { n: count });
    button.hidden = count === 0;
    this.find("[data-nothing]").hidden = count > 0;
    this.find("[data-found]").hidden = false;
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
    const lines = this.found.lines.filter((line) => line.state === "new");
    const items = lines.map(({ write, title, summary }) => outbox.itemOf(write, {
      url: typeof write.table === "number" ? this.data.tableNight.replace("/0/", `/${write.table}/`) : this.data.night,
      title: text("read.title", { what: title, club: this.data.clubName }), summary, ...(write.kind === "hand" && { number: write.number }),
    }));
    for (const snapshot of this.found.usable) await keep(snapshot, { handed: true });
    const lasting = await outbox.take(items);
    await this.forgetParts();
    this.find("[data-found]").hidden = true;
    const done = this.find("[data-done]");
    done.querySelector("p").textContent = text(lasting ? (items.length === 1 ? "read.taken-one" : "read.taken") : "read.not-kept", { n: items.length });
    const table = lines.map(({ write }) => write.table).find((one) => typeof one === "number");
    const link = done.querySelector("a");
    link.hidden = table === undefined;
    if (table !== undefined) link.href = this.data.table.replace("/0/", `/${table}/`);
    done.hidden = false;
    done.focus();
  }

  async forgetParts() {
    for (const one of this.parts ?? []) try { await run(PARTS, "readwrite", (store) => store.delete(one.key)); } catch { /* removed by time */ }
    this.parts = [];
    this.memory = [];
  }

  async forget() {
    await this.forgetParts();
    this.find("[data-parts]").hidden = true;
  }
}

function element(name, content, className = "") {
  const made = document.createElement(name);
  made.textContent = content;
  made.className = className;
  return made;
}

async function allParts() {
  try { return await run(PARTS, "readonly", (store) => store.getAll()); } catch { return []; }
}

/** Remove parts after 30 days, and those that another account of this phone has read. */
async function dropOldParts() {
  const limit = Date.now() - PART_DAYS * 24 * 60 * 60 * 1000;
  for (const one of await allParts()) if (one.at < limit || one.user !== account()) await run(PARTS, "readwrite", (store) => store.delete(one.key));
}

async function partsOf(club, set, memory = []) {
  return [...await allParts(), ...memory].filter((one) => one.club === club && one.set === set).sort((a, b) => a.part - b.part);
}

/** The parts of the set of which one was read last. */
async function newestSet(club) {
  const newest = (await allParts()).filter((one) => one.club === club).sort((a, b) => b.at - a.at)[0];
  return newest ? partsOf(club, newest.set) : [];
}

/** The bundle of all parts, or null where they do not fit together. */
async function unpacked(parts) {
  const bytes = textBytes(parts.map((one) => one.letters).join(""));
  if (!bytes || setName(bytes) !== parts[0].set) return null;
  try { return await unpack(bytes); } catch { return null; }
}

/** The content of a bundle compared with this phone: lines in words with a state, and the sums. */
async function compared(read) {
  const items = await outbox.all();
  const here = new Set(items.map((item) => item.key));
  const snapshots = await snapshotsFor(read);
  const name = (reference) => read.players.get(String(reference)) ?? nameIn(snapshots, reference) ?? text("read.somebody");
  const unread = read.lines.indexOf(null);
  const lines = read.lines.map((write, at) => {
    if (!write) return { write, state: "unreadable", title: text("read.line", { n: at + 1 }), summary: "" };
    const snapshot = snapshots.get(tableOf(write));
    const settled = snapshot && isSettled(snapshot, write);
    const state = here.has(write.key) ? "here" : settled ? "stored" : unread >= 0 && at > unread ? "after" : "new";
    return { write, state, why: "", ...described(write, name) };
  });
  const sums = new Map();
  let complete = true;
  for (const table of new Set(lines.filter((line) => line.write).map((line) => tableOf(line.write)))) {
    const own = items.filter((item) => item.write && item.table === table).map((item) => item.write);
    const added = lines.filter((line) => line.state === "new" && tableOf(line.write) === table);
    complete = addSums(sums, snapshots.get(table), own, added, name) && complete;
  }
  return { read, lines, complete, sums: [...sums], usable: read.snapshots.filter(isUsable) };
}

/** Add the sums of a table: all hands of tonight where this phone knows the table, else the hands read here. */
function addSums(sums, snapshot, own, added, name) {
  const add = (who, sum) => sums.set(who, (sums.get(who) ?? 0) + sum);
  try {
    const now = present(snapshot, [...own, ...added.map((line) => line.write)]);
    const stuck = added.find((line) => line.write === now.stuck?.write);
    if (stuck) stuck.why = text("read.stuck");
    for (const seat of now.seats) add(seat.name, seat.sum);
    return true;
  } catch {
    // No snapshot, or a damaged one in the file.
    for (const { write } of added) if (write.kind === "hand") write.players.forEach((player, seat) => add(name(player), write.expected?.deltas[seat] ?? 0));
    return false;
  }
}

/** The newest snapshot of each table: the phone's own, or that of the file. */
async function snapshotsFor(read) {
  let kept = [];
  try { kept = await run(SNAPSHOTS, "readonly", (store) => store.getAll()); } catch { /* those of the file */ }
  kept = kept.filter((one) => one.user === account()).map((one) => one.snapshot);
  const newest = new Map();
  for (const snapshot of [...read.snapshots, ...kept]) {
    const table = String(snapshot.table?.id);
    if (!(newest.get(table)?.table.position > snapshot.table?.position)) newest.set(table, snapshot);
  }
  return newest;
}

/** Return true if the table screen can go on with a snapshot of the file. */
function isUsable(snapshot) {
  try {
    present(snapshot, []);
    return Number.isInteger(snapshot.table.id) && Number.isInteger(snapshot.table.position);
  } catch { return false; }
}

function nameIn(snapshots, reference) {
  for (const { seats = [], roster = [] } of snapshots.values()) {
    const one = [...seats, ...roster].find(({ player }) => player === reference);
    if (one) return one.name;
  }
  return null;
}

const root = document.querySelector("[data-night-read]");
if (root) new ReadPage(root);
