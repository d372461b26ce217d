// The table of a game, in as few bytes as an answer needs: its head, and the piece of the hand. After the first answer
// the whole file is kept on this device, so that the page works without a network.
import { readHead, unpacked, valuesOf } from "./table.js";

const KEPT = "chratzete-hand-worth";
const LATER_MS = 3000;

export class LoadedTable {
  /** @param {{ url: string, bounds: number[], perPiece: number }} file */
  constructor(file) {
    this.file = file;
    this.pieces = new Map();
  }

  /**
   * All chances of a class. Rejects if the table is neither kept nor reachable.
   * @param {number} number
   */
  async values(number) {
    const piece = Math.floor(number / this.file.perPiece);
    if (!this.pieces.has(piece)) {
      const [start, end] = this.file.bounds.slice(piece);
      this.pieces.set(piece, this.bytes(start, end).then(unpacked));
      this.pieces.get(piece).catch(() => this.pieces.delete(piece));
    }
    const [head, bytes] = await Promise.all([this.begin(), this.pieces.get(piece)]);
    const values = valuesOf(head, number, bytes);
    this.keepLater();
    return values;
  }

  /** Fetch the head, which can be done before the first hand is complete. */
  begin() {
    if (!this.head) {
      this.head = this.bytes(0, this.file.bounds[0]).then(readHead);
      this.head.catch(() => {
        this.head = null;
      });
    }
    return this.head;
  }

  /** Some bytes of the file: of the kept one, or from the server, which may send the whole file for a part. */
  async bytes(start, end) {
    const kept = this.whole ?? (await this.kept());
    if (kept) return kept.slice(start, end);
    const answer = await fetch(this.file.url, { headers: { Range: `bytes=${start}-${end - 1}` } });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 206) return bytes;
    this.whole = bytes;
    return bytes.slice(start, end);
  }

  async kept() {
    if (!("caches" in window)) return null;
    const cache = await caches.open(KEPT).catch(() => null);
    const answer = await cache?.match(this.file.url);
    if (answer) this.whole = new Uint8Array(await answer.arrayBuffer());
    return this.whole;
  }

  /** Keep the whole file, and remove those of former versions of it. */
  keepLater() {
    if (this.asked || !("caches" in window)) return;
    this.asked = setTimeout(() => this.keep().catch(() => null), LATER_MS);
  }

  async keep() {
    const cache = await caches.open(KEPT);
    if (await cache.match(this.file.url)) return;
    const answer = await fetch(this.file.url);
    if (!answer.ok || answer.status === 206) return;
    const game = /([a-z]+)\.[^/]*$/.exec(this.file.url)?.[1];
    for (const request of await cache.keys()) {
      if (new URL(request.url).pathname.split("/").pop().startsWith(`${game}.`)) await cache.delete(request);
    }
    await cache.put(this.file.url, answer);
  }
}
