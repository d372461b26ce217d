// The entry (hand_state.js) of a hand that was recorded: to change it, or to enter it again after it was undone.
import { entryOfGame } from "../entry/games.js";
import * as hand from "../hand_state.js";
import { playersOf } from "./players.js";

/** The empty entry of the next hand of a present (present.js). */
export function emptyEntry(now) {
  const { game, dealer, seats } = now;
  return hand.empty({ seats: seats.length, dealer, game, ...entryOfGame(game).ofTable(now) });
}

/** The entry of a tally record; `start`: the present before the hand. */
export function entryOf(start, record) {
  const { made, tricks } = record;
  const { alwaysCounts, cuts } = entryOfGame(start.game);
  const playing = playersOf(record, start.seats.length);
  const role = (seat) => (seat === record.declarer ? "declarer" : playing.includes(seat) ? "joiner" : "out");
  return hand.fromFields(emptyEntry(start), {
    passed: playing.length === 0,
    mode: made ? "made" : tricks || alwaysCounts ? "tricks" : "made",
    blind: record.blind ?? "",
    cuts: cuts ? cuts.shownOf(record.cuts ?? []) : "",
    game_type: record.game_type ?? "",
    seven: record.seven ?? false,
    seven_lost: String(record.seven_lost ?? ""),
    seats: start.seats.map((_, seat) => ({
      role: role(seat),
      made: made && !made.includes(seat) ? "no" : "yes",
      tricks: tricks ? String(tricks[seat] ?? (role(seat) === "out" ? "" : 0)) : "",
    })),
  });
}
