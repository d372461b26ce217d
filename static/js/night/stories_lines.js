// The parts of the page of two stories: a hand as a line with its coins, a seating change, lists of names.
import { element } from "../dom.js";
import { gain } from "../money.js";
import { active } from "./stories_hands.js";
import { say, text } from "./texts.js";

export const clock = (ms) => {
  const moment = new Date(ms);
  return `${String(moment.getHours()).padStart(2, "0")}:${String(moment.getMinutes()).padStart(2, "0")}`;
};

export const gainClass = (minor) => (minor > 0 ? "gain" : minor < 0 ? "loss" : "");

/** Names of references, separated by commas. */
export const listed = (players, names) =>
  players.map((player) => names.get(player) ?? text("stories.somebody")).join(", ");

/** The numbers of hands; three and more in a row as a range. */
export function ranges(numbers) {
  const runs = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && run.at(-1) === number - 1) run.push(number);
    else runs.push([number]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run.join(", "))).join(", ");
}

function declares({ record, result }, game) {
  if (record.blind) return text(`stories.declares-${record.blind}`);
  if (record.seven) return text("stories.declares-siebenermuss");
  if (result?.muss) return text("stories.declares-muss");
  return ["oder", "weiter-oder"].includes(record.game_type)
    ? text(`stories.declares-${record.game_type}`)
    : say(game, "declares");
}

/** The seats that missed their goal. */
function failedOf(hand) {
  const { record, result } = hand;
  const penalties = (result?.lines ?? []).filter((line) => line.kind === "penalty").map((line) => line.seat);
  const missed =
    record.made && (record.joiners ?? []).length > 0 ? active(hand).filter((seat) => !record.made.includes(seat)) : [];
  return new Set([...penalties, ...missed]);
}

function cross() {
  const mark = element("span", "loss", " ✕");
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", text("stories.failed"));
  return mark;
}

/** A hand as one line: who plays, failures, the tricks where they were counted. */
export function handLine(hand, names, game) {
  const line = element("p", "line");
  const { record, players } = hand;
  const seats = active(hand);
  if (seats.length === 0) {
    line.append(element("span", "soft", say(game, "passed-story")));
    return line;
  }
  const failed = failedOf(hand);
  const called = (seat) => {
    const count = record.tricks && seats.length > 1 ? ` ${record.tricks[seat] ?? 0}` : "";
    return element(
      "span",
      "one",
      `${names.get(players[seat]) ?? text("stories.somebody")}${count}`,
      ...(failed.has(seat) ? [cross()] : []),
    );
  };
  const declared = seats[0] === record.declarer;
  const joiners = declared ? seats.slice(1) : seats;
  if (declared) line.append(element("b", "", called(record.declarer)), ` ${declares(hand, game)}`);
  if (joiners.length === 0) line.append(element("span", "soft", ` · ${text("stories.nobody-joins")}`));
  else if (declared) line.append(element("span", "soft", ` · ${hand.result?.muss ? "" : say(game, "joins")} `));
  else line.append(element("span", "soft", `${say(game, record.players ? "joins" : "all-play")}: `));
  for (const [index, seat] of joiners.entries()) line.append(...(index > 0 ? [", "] : []), called(seat));
  return line;
}

/** The coins of a hand by player, without antes; where the hand was not played again, its changes with them. */
export function coinsLine({ players, result, expected }, names) {
  const coins = new Map();
  if (result?.lines)
    for (const { seat, kind, amount } of result.lines)
      if (kind !== "ante") coins.set(seat, (coins.get(seat) ?? 0) + amount);
  if (!result)
    for (const [seat, amount] of (expected?.deltas ?? []).entries()) if (amount !== 0) coins.set(seat, amount);
  const line = element("p", "coins-line num");
  for (const [seat, amount] of coins)
    line.append(
      element("span", "nowrap", `${names.get(players[seat]) ?? ""} `, element("b", gainClass(amount), gain(amount))),
      " ",
    );
  if (coins.size === 0) line.append(text("stories.no-coins"));
  return line;
}

/** The text of a hand, for the outbox. */
export const handText = (hand, names, game) => handLine(hand, names, game).textContent.replace(/\s+/g, " ").trim();

/** A seating change of this phone in words. */
export function changeText(write, names) {
  const players =
    write.players ?? (write.player !== undefined ? [write.player] : write.guest !== undefined ? [write.key] : []);
  const shown = write.guest !== undefined ? write.guest : listed(players, names);
  return text(`stories.${write.kind}`, { names: shown });
}
