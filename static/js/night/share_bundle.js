// The waiting writes of this phone, as a file and as QR codes: for another phone, or for a day on which this one cannot
// send.
import { closest } from "../dom.js";
import * as outbox from "../outbox.js";
import { generate, mode } from "../../vendor/lean-qr/lean-qr.js";
import { bundleOf } from "./bundle.js";
import { bytesText, pack } from "./pack.js";
import { ownSnapshots } from "./snapshots.js";

// Version 25 at level L: 117 modules a side, which a phone's camera reads from another phone's screen.
const MOST_LINK = 1273;
const QUIET = 4;
const SVG = "http://www.w3.org/2000/svg";

/** The items that can be handed over: writes, not the forms of pages. */
export const shareable = (items) => items.filter((item) => item.write);

const clubsOf = (items) => [...new Set(shareable(items).map((item) => item.write.club))];

/** Save the waiting writes as files, one for each club: `chratzete-<club>-<date>.json`. */
export async function saveFile() {
  const items = await outbox.all();
  const kept = await ownSnapshots();
  for (const club of clubsOf(items)) {
    const bundle = bundleOf(club, items, kept);
    const file = new Blob([JSON.stringify(bundle, null, 1)], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = `chratzete-${club}-${today()}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
}

function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/**
 * The links of the QR codes for the waiting writes, in the order in which they are shown. `pageOf(club)`: the page that
 * reads them.
 */
export async function links(pageOf) {
  const items = await outbox.all();
  const kept = await ownSnapshots();
  const all = [];
  for (const club of clubsOf(items)) {
    const page = new URL(pageOf(club), window.location.href).href;
    all.push(...linksOf(page, await pack(bundleOf(club, items, kept))));
  }
  return all;
}

/**
 * The links to `page` that carry these bytes: `#1.<part>.<parts>.<name of the set>.<base64url>`. The parts are of equal
 * length.
 */
export function linksOf(page, bytes) {
  const text = bytesText(bytes);
  const head = (part, parts) => `${page}#1.${part}.${parts}.${nameOf(bytes)}.`;
  const room = MOST_LINK - head(99, 99).length;
  const parts = Math.max(1, Math.ceil(text.length / room));
  const length = Math.ceil(text.length / parts);
  return Array.from(
    { length: parts },
    (_, index) => head(index + 1, parts) + text.slice(index * length, (index + 1) * length),
  );
}

/** Eight letters that are the same for the same bytes (FNV-1a), so that parts of two sets are never mixed. */
export function nameOf(bytes) {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  return sum.toString(16).padStart(8, "0");
}

/** A QR code as SVG; the style sheet gives the colours. */
export function drawn(link) {
  // Plain bytes: not every camera reads the mark of a character set (ECI).
  const code = generate(link, { modes: [mode.ascii] });
  const side = code.size + 2 * QUIET;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${side} ${side}`);
  svg.setAttribute("shape-rendering", "crispEdges");
  const path = document.createElementNS(SVG, "path");
  let lines = "";
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      let wide = 0;
      while (code.get(x + wide, y)) wide++;
      if (wide > 0) lines += `M${x + QUIET} ${y + QUIET}h${wide}v1h-${wide}z`;
      x += wide;
    }
  }
  path.setAttribute("d", lines);
  svg.append(path);
  return svg;
}

/** The sheet with the codes: one at a time, by buttons, keys or a swipe. */
export class Codes {
  constructor(sheet, pageOf) {
    this.sheet = sheet;
    this.pageOf = pageOf;
    this.at = 0;
    this.links = [];
    this.box = sheet.querySelector("[data-code]");
    sheet.addEventListener("click", (event) => {
      const button = closest(event, "[data-flip]");
      if (button) this.turn(Number(button.dataset.flip));
    });
    sheet.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (by) this.turn(by);
    });
    this.listenToSwipes();
  }

  listenToSwipes() {
    let from = null;
    this.box.addEventListener("pointerdown", (event) => {
      from = event.clientX;
    });
    this.box.addEventListener("pointerup", (event) => {
      const moved = from === null ? 0 : event.clientX - from;
      if (Math.abs(moved) > 40) this.turn(moved < 0 ? 1 : -1);
      from = null;
    });
  }

  async open() {
    this.links = await links(this.pageOf);
    if (this.links.length === 0) return;
    this.at = 0;
    this.show();
    this.sheet.showPopover();
    this.sheet.querySelector("h2").focus();
  }

  turn(by) {
    this.at = (this.at + by + this.links.length) % this.links.length;
    this.show();
  }

  show() {
    const { sheet, at: index, links: all } = this;
    const said = sheet.dataset.sayPart.replace("{part}", index + 1).replace("{parts}", all.length);
    this.box.replaceChildren(drawn(all[index]));
    this.box.setAttribute("aria-label", said);
    this.box.dataset.link = all[index];
    sheet.querySelector("[data-part]").textContent = said;
    sheet.querySelector("[data-several]").hidden = all.length === 1;
  }
}
