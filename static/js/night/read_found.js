// What a bundle of another phone (bundle.js) is to this phone: the state of each line, both stories, the sums; and the
// items that its lines become in the outbox.
import * as outbox from "../outbox.js";
import { described } from "./describe.js";
import { present, TAKEN } from "./present.js";
import { compared } from "./read_compare.js";
import { ownSnapshots } from "./snapshots.js";
import { text } from "./texts.js";
import { tableOf } from "./writes.js";

/** Return true for a line that is taken into the outbox. */
export const isTaken = (line) => line.state === "new" || line.state === "other";

/**
 * The content of a bundle compared with this phone: lines in words with a state, both stories where there are two, and
 * the sums.
 */
export async function found(read) {
  const items = await outbox.all();
  const { states, snapshots, stories, usable } = compared(read, { items, kept: await ownSnapshots() });
  const name = (reference) =>
    read.players.get(String(reference)) ?? nameIn(snapshots, reference) ?? text("read.somebody");
  const lines = read.lines.map((write, at) => {
    if (!write) return { write, state: states[at], title: text("read.line", { n: at + 1 }), summary: "" };
    const from = stories.find((one) => one.table === tableOf(write))?.from;
    return { write, state: states[at], from, why: "", ...described(write, name) };
  });
  for (const { stories: both } of stories) {
    for (const { players } of [...both.mine, ...both.theirs])
      for (const player of players) if (!both.names.has(player)) both.names.set(player, name(player));
  }
  const sums = new Map();
  let complete = true;
  for (const table of new Set(lines.filter((line) => line.write).map((line) => tableOf(line.write)))) {
    const own = items.filter((item) => item.write && item.table === table && !item.kept).map((item) => item.write);
    const added = lines.filter((line) => line.state === "new" && tableOf(line.write) === table);
    complete = addSums(sums, snapshots.get(table), own, added, name) && complete;
  }
  return { read, lines, stories, complete, sums: [...sums], usable };
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
    for (const { write } of added)
      if (write.kind === "hand")
        for (const [seat, player] of write.players.entries()) add(name(player), write.expected?.deltas[seat] ?? 0);
    return false;
  }
}

function nameIn(snapshots, reference) {
  for (const { seats = [], roster = [] } of snapshots.values()) {
    const one = [...seats, ...roster].find(({ player }) => player === reference);
    if (one) return one.name;
  }
  return null;
}

/**
 * The item of a line; `urls`: the addresses of the page. One of another story than this phone's waits beside it until a
 * person has chosen: it is not sent by itself, and holds up nothing.
 */
export function itemOf({ write, title, summary, state, from }, urls) {
  const isId = typeof write.table === "number";
  const item = outbox.itemOf(write, {
    url: isId ? urls.tableNight.replace("/0/", `/${write.table}/`) : urls.night,
    title: text("read.title", { what: title, club: urls.clubName }),
    summary,
    ...(write.kind === "hand" && { number: write.number }),
  });
  if (state !== "other") return item;
  const table = urls.table.replace("/0/", `/${write.table}/`);
  const why = text("read.other-waits");
  const answer = { refused: { code: TAKEN, sentence: why }, stories: `${table}stories/?from=${from}`, final_on: null };
  return { ...item, status: outbox.HELD, kept: true, handed: true, from, why, ...(isId && { page: table, answer }) };
}
