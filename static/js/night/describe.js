// A write in words: its title and one line, for lists of waiting writes and of writes from another phone.
import { text } from "./texts.js";

const isKratzen = (record) => "cuts" in record || "game_type" in record || "seven" in record;

/** { title, summary }; `nameOf(reference)` is the nickname of a player. */
export function described(write, nameOf) {
  const named = { name: nameOf(write.player), after: nameOf(write.after) };
  if (write.kind === "hand") return { title: text("read.hand", write), summary: hand(write, nameOf) };
  if (write.kind === "correct")
    return { title: text("read.correct"), summary: write.hands.map((one) => numbered(one, nameOf)).join("\n") };
  if (write.kind === "begin")
    return {
      title: text("read.begin"),
      summary: write.seating.map((one) => one.guest ?? nameOf(one.player)).join(", "),
    };
  if (write.kind === "order")
    return { title: text("read.seats"), summary: text("seats.order", { order: write.players.map(nameOf).join(", ") }) };
  if (write.kind === "come")
    return { title: text("read.seats"), summary: text("seats.come", { ...named, name: write.guest ?? named.name }) };
  if (write.kind === "leave-out")
    return { title: text("read.leave-out"), summary: write.hands.map((one) => numbered(one, nameOf)).join("\n") };
  if (write.kind === "dealer") return { title: text("read.seats"), summary: text("read.dealer", named) };
  return { title: text("read.seats"), summary: text(`seats.${write.kind}`, named) };
}

const numbered = (one, nameOf) => `${text("read.hand", one)}: ${hand(one, nameOf)}`;

function hand({ record, players }, nameOf) {
  if (record.declarer === null || record.declarer === undefined)
    return text(isKratzen(record) ? "read.passed-kratzen" : "read.passed");
  const joiners = record.joiners ?? [];
  const game = isKratzen(record) ? "kratzen" : "chratze";
  const words = {
    declarer: text(`read.${game}-${record.game_type ?? "declarer"}`),
    joiner: text(`read.${game}-joiner`),
  };
  const ended = (seat) => {
    if (joiners.length === 0) return "";
    return record.made ? (record.made.includes(seat) ? "✓" : "✕") : String(record.tricks?.[seat] ?? 0);
  };
  const part = (seat, role) => [nameOf(players[seat]), words[role], ended(seat)].filter(Boolean).join(" ");
  return [part(record.declarer, "declarer"), ...joiners.map((seat) => part(seat, "joiner"))].join(", ");
}
