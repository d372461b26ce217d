// The entry (hand_state.js) of a hand that was recorded: to change it, or to enter it again after it was undone.
import * as hand from "../hand_state.js";

/** The empty entry of the next hand of a present (present.js). */
export function emptyEntry(now) {
  const { rules, game } = now;
  const start = { seats: now.seats.length, dealer: now.dealer, blinds: rules.blind ?? "none", game };
  return hand.empty(game === "kratzen" ? { ...start, muss: now.muss === true, sevens: rules.seven_muss } : start);
}

/** The entry of a tally record; `start`: the present before the hand. */
export function entryOf(start, record) {
  const { declarer, joiners = [], made, tricks } = record;
  const role = (seat) => (seat === declarer ? "declarer" : joiners.includes(seat) ? "joiner" : "out");
  return hand.fromFields(emptyEntry(start), {
    passed: declarer === null,
    mode: made ? "made" : tricks || start.game === "kratzen" ? "tricks" : "made",
    blind: record.blind ?? "",
    cuts: shownOf(record.cuts ?? []),
    game_type: record.game_type ?? "",
    seven: record.seven ?? false,
    seats: start.seats.map((_, seat) => ({
      role: role(seat),
      made: made && !made.includes(seat) ? "no" : "yes",
      tricks: tricks ? String(tricks[seat] ?? (role(seat) === "out" ? "" : 0)) : "",
    })),
  });
}

/** The cards of the cuts, a letter each. The card without effect that ends them is not tapped. */
function shownOf(cuts) {
  const shown = cuts.flat().join("");
  return shown.length % 2 ? shown.slice(0, -1) : shown;
}
