// A new evening begins as a write of the outbox: with a network its table opens as usual, without one the table of the
// phone (night-table).
import * as outbox from "../outbox.js";
import { beginWrite } from "./writes.js";

const PATIENCE_MS = 2500;

/** Club data of the page (games/evening/night_club.py), or null. */
function clubOfPage() {
  const block = document.getElementById("night-club");
  return block && JSON.parse(block.textContent);
}

/** The address of the table screen of an evening that waits on this phone. */
const shellOf = (night, write) => `${night.urls.night}${write.game}/#${write.key}`;

/**
 * Record the beginning of an evening and send it. `evening`: the fields of its write without the version of the rules;
 * `names`: the nicknames by place; `what`: the label for the list of waiting writes. Returns {kind: STORED | SIGN_IN,
 * url}, {kind: REFUSED, why}, {kind: WAITING, url} or {kind: GONE}; an evening that was refused at once does not wait.
 * One that is in the memory of this page only has no `url` while it waits, but its { key, page }.
 */
export async function begin(evening, names, what, token) {
  const night = clubOfPage();
  const write = beginWrite(night.club.slug, { ...evening, rules_version: night.games[evening.game].rules_version });
  const page = shellOf(night, write);
  const item = outbox.itemOf(write, {
    url: night.urls.night,
    page,
    what,
    title: night.club.name,
    summary: names.join(", "),
    night: keptOf(night, write, names),
  });
  await outbox.put(item);
  const late = new Promise((resolve) => {
    setTimeout(() => resolve({ kind: outbox.WAITING }), PATIENCE_MS);
  });
  const outcome = await Promise.race([outbox.send(item, token), late]);
  if (outcome.kind === outbox.REFUSED) await outbox.discard(item.key);
  // Another page would be without it.
  const held = [outbox.WAITING, outbox.SIGN_IN].includes(outcome.kind) && outbox.holds(item.key);
  if (held) return { kind: outcome.kind, key: item.key, page };
  return outcome.kind === outbox.WAITING ? { kind: outcome.kind, url: page } : outcome;
}

/**
 * The club data for the table screen, from the beginning of this evening: a later page may have other rules, or another
 * roster.
 */
function keptOf(night, write, names) {
  const known = new Set(night.roster.map((member) => member.player));
  const seated = write.seating
    .map((seat, place) => ({ player: seat.player, name: names[place] }))
    .filter((seat) => seat.player && !known.has(seat.player));
  const season = night.seasons.find((candidate) => candidate.id === write.season);
  const pointsOnly = season?.points_only ?? false;
  const box = pointsOnly ? {} : night.box;
  return {
    ...night,
    games: { [write.game]: night.games[write.game] },
    box,
    points_only: pointsOnly,
    roster: [...night.roster, ...seated],
    seasons: [],
  };
}

/** Today on this phone, as 2026-11-23. */
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/**
 * A page that was kept on the phone shows the date of the day on which it was loaded: set today, unless a person chose
 * the date.
 */
export function correctDate(field) {
  const made = clubOfPage()?.made_at ?? 0;
  const isOld = Date.now() - made > 60 * 60 * 1000;
  if (isOld && field && field.value === field.defaultValue) field.value = today();
}
