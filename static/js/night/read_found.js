// What a bundle of another phone (bundle.js) is to this phone: the state of each line, both stories, the sums; and the
// items that its lines become in the outbox.
import * as outbox from "../outbox.js";
import { described } from "./describe.js";
import { present, TAKEN } from "./present.js";
import { compared } from "./read_compare.js";
import { ownSnapshots } from "./snapshots.js";
import { leaveOut } from "./stories_plan.js";
import { text } from "./texts.js";
import { tableOf } from "./writes.js";

/** Return true for a line that is taken into the outbox. */
export const isTaken = (line) => line.state === "new" || line.state === "other";

/**
 * The content of a bundle compared with this phone: lines in words with a state, both stories where there are two, and
 * the sums. `items`: those of this phone.
 */
export async function found(read, items = null) {
  items ??= await outbox.all();
  const { states, snapshots, stories, usable } = compared(read, { items, kept: await ownSnapshots() });
  const name = (reference) =>
    read.players.get(String(reference)) ?? nameIn(snapshots, reference) ?? text("read.somebody");
  const lines = read.lines.map((write, index) => {
    if (!write) return { write, state: states[index], title: text("read.line", { n: index + 1 }), summary: "" };
    const from = stories.find((conflict) => conflict.table === tableOf(write))?.from;
    return { write, state: states[index], from, why: "", ...described(write, name) };
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
  return { read, lines, stories, complete, sums: [...sums], usable, name, choice: null };
}

/**
 * The same for the writes that another phone handed over and that wait here beside other ones; null without any.
 * `choice`: { handed, own }, the items of both stories, if this phone can choose without the server: all of them are
 * here, and none of them was refused.
 */
export async function handedHere() {
  const items = await outbox.all();
  const handed = items.filter((item) => item.handed);
  if (handed.length === 0) return null;
  const read = { lines: handed.map(({ write }) => write), snapshots: [], players: new Map(), by: [], savedAt: null };
  const shown = await found(
    read,
    items.filter((item) => !item.handed),
  );
  const [conflict, ...more] = shown.stories;
  const own = items.filter((item) => conflict?.gives?.includes(item.key));
  const decides =
    conflict?.gives &&
    more.length === 0 &&
    handed.every((item) => item.from === conflict.from) &&
    !own.some((item) => item.status === outbox.REFUSED);
  return { ...shown, choice: decides ? { handed, own } : null };
}

/** The hands of a story that the other one does not have. */
export function differing({ paired, mine, theirs }, items) {
  const same = new Set([...paired].flatMap(([myPlace, theirPlace]) => [mine[myPlace].key, theirs[theirPlace].key]));
  return items.filter(({ write, key }) => write.kind === "hand" && !same.has(key)).map(({ write }) => write);
}

/**
 * Let one of both stories hold: "handed" or "own". The other one leaves the outbox, and the log names its hands.
 * Returns true if that lasts.
 */
export async function choose(holds, { stories, choice, name }, urls) {
  const [conflict] = stories;
  const goes = holds === "own" ? choice.handed : choice.own;
  const stays = holds === "own" ? [] : choice.handed;
  const changes = goes.filter(({ write }) => write.kind !== "hand").map(({ write }) => write);
  const log = leaveOut(conflict.stories, differing(conflict.stories, goes), changes);
  const items = stays.map(({ kept: _kept, handed: _handed, from: _from, answer: _answer, ...item }) => ({
    ...item,
    status: outbox.WAITING,
    why: "",
  }));
  // A hand that is refused at the table must not delay the log.
  if (log)
    items.push({ ...itemOf({ write: log, state: "new", from: null, ...described(log, name) }, urls), table: "" });
  return outbox.replace(
    items,
    goes.map(({ key }) => key),
  );
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
    const person = [...seats, ...roster].find(({ player }) => player === reference);
    if (person) return person.name;
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
  return {
    ...item,
    status: outbox.HELD,
    kept: true,
    handed: true,
    from,
    why,
    choose: urls.choosing,
    ...(isId && { page: table, answer }),
  };
}
