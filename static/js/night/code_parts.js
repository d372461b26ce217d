// The parts of several QR codes, until all of them have been read: their links, and what the browser keeps of them.
import { PARTS, run } from "../database.js";
import { account } from "../signed_in.js";
import { textBytes, unpack } from "./pack.js";
import { nameOf as setName } from "./share_bundle.js";

const PART = /^#?1\.(\d{1,2})\.(\d{1,2})\.([0-9a-f]{8})\.([-\w]+)$/;
const PART_DAYS = 30;

/** Return true if a text is the part of a link behind its #. */
export const isPart = (hash) => PART.test(hash);

export class CodeParts {
  constructor(club) {
    this.club = club;
    // The parts that the browser did not store.
    this.memory = [];
  }

  /** Keep the part of a link. Returns the parts of its set that were read, or null for another link. */
  async add(hash) {
    const [, part, parts, set, letters] = PART.exec(hash) ?? [];
    if (!part || Number(part) < 1 || Number(part) > Number(parts)) return null;
    const entry = {
      key: `${this.club} ${set} ${part}`,
      club: this.club,
      set,
      part: Number(part),
      parts: Number(parts),
      letters,
      user: account(),
      at: Date.now(),
    };
    try {
      await run(PARTS, "readwrite", (store) => store.put(entry));
    } catch {
      this.memory.push(entry);
    }
    return this.ofSet(set);
  }

  async ofSet(set) {
    return [...(await stored()), ...this.memory]
      .filter((entry) => entry.club === this.club && entry.set === set)
      .sort((a, b) => a.part - b.part);
  }

  /** The parts of the set of which one was read last. */
  async newest() {
    const newest = (await stored()).filter((entry) => entry.club === this.club).sort((a, b) => b.at - a.at)[0];
    return newest ? this.ofSet(newest.set) : [];
  }

  async forget(parts) {
    for (const entry of parts) await run(PARTS, "readwrite", (store) => store.delete(entry.key)).catch(() => null);
    this.memory = [];
  }
}

async function stored() {
  return run(PARTS, "readonly", (store) => store.getAll()).catch(() => []);
}

/** Remove parts after 30 days, and those that another account of this phone has read. */
export async function dropOldParts() {
  const limit = Date.now() - PART_DAYS * 24 * 60 * 60 * 1000;
  for (const entry of await stored())
    if (entry.at < limit || entry.user !== account()) await run(PARTS, "readwrite", (store) => store.delete(entry.key));
}

/** The numbers of the missing parts. */
export function missingOf(parts) {
  const all = Array.from({ length: parts[0]?.parts ?? 0 }, (_, index) => index + 1);
  return all.filter((part) => !parts.some((entry) => entry.part === part));
}

/** The bundle of all parts, or null where they do not fit together. */
export async function unpacked(parts) {
  const bytes = textBytes(parts.map((entry) => entry.letters).join(""));
  if (!bytes || setName(bytes) !== parts[0].set) return null;
  try {
    return await unpack(bytes);
  } catch {
    return null;
  }
}
