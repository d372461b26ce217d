// A write in words: its title and one line, for lists of waiting writes and of writes from another phone.
import { gameOfTally } from "../entry/games.js";
import { playersOf } from "./players.js";
import { say, text } from "./texts.js";

/** { title, summary }; `nameOf(reference)` is the nickname of a player. */
export function described(write, nameOf) {
  const named = { name: nameOf(write.player), after: nameOf(write.after) };
  if (write.kind === "hand") return { title: text("read.hand", write), summary: hand(write, nameOf) };
  if (write.kind === "correct")
    return { title: text("read.correct"), summary: write.hands.map((entry) => numbered(entry, nameOf)).join("\n") };
  if (write.kind === "begin")
    return {
      title: text("read.begin"),
      summary: write.seating.map((seat) => seat.guest ?? nameOf(seat.player)).join(", "),
    };
  if (write.kind === "order")
    return { title: text("read.seats"), summary: text("seats.order", { order: write.players.map(nameOf).join(", ") }) };
  if (write.kind === "come")
    return { title: text("read.seats"), summary: text("seats.come", { ...named, name: write.guest ?? named.name }) };
  if (write.kind === "leave-out")
    return { title: text("read.leave-out"), summary: write.hands.map((entry) => numbered(entry, nameOf)).join("\n") };
  if (write.kind === "dealer") return { title: text("read.seats"), summary: text("read.dealer", named) };
  return { title: text("read.seats"), summary: text(`seats.${write.kind}`, named) };
}

const numbered = (entry, nameOf) => `${text("read.hand", entry)}: ${hand(entry, nameOf)}`;

function hand({ record, players }, nameOf) {
  const game = gameOfTally(record);
  const seats = playersOf(record, players.length);
  if (seats.length === 0) return say(game, "passed-line");
  const called = record.game_type ? text(`read.${record.game_type}`) : say(game, "declares");
  const ended = (seat) => {
    if (seats.length < 2) return "";
    return record.made ? (record.made.includes(seat) ? "✓" : "✕") : String(record.tricks?.[seat] ?? 0);
  };
  const word = (seat) => (seat === record.declarer ? called : say(game, "joins"));
  return seats.map((seat) => [nameOf(players[seat]), word(seat), ended(seat)].filter(Boolean).join(" ")).join(", ");
}
