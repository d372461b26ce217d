// The keys of the table screen; the page lists them at its end. `entry` is an Entry of table_entry.js.
import { entryOfGame } from "./entry/games.js";
import * as hand from "./hand_state.js";

/** The function of a key in the present state, or undefined. */
export function actionOf(entry, key) {
  const { state, touched } = entry;
  if (/^[1-7]$/.test(key) && Number(key) <= state.seats) {
    return () => {
      entry.touched = Number(key) - 1;
      entry.change(hand.tap(state, entry.touched));
    };
  }
  const game = entryOfGame(state.game);
  const steps = { "+": 1, "-": -1, "−": -1 };
  if (key in steps && touched !== null && state.counting)
    return () => entry.change(hand.step(state, touched, steps[key]));
  return {
    m: touched !== null && !state.counting ? () => entry.change(hand.toggleMade(state, touched)) : null,
    b: game.calls.length ? nextCall(entry, game.calls) : nextBlind(entry),
    s: () => entry.change("pays" in state ? toggleLost(state, touched) : hand.toggleSeven(state)),
    n: () => entry.change(hand.pass(state)),
    t: game.alwaysCounts ? null : () => entry.toggleCounting(),
    Escape: () => entry.change(game.cuts ? { ...hand.clear(state), cuts: "" } : hand.clear(state)),
    Enter: () => entry.saving.send(),
  }[key];
}

function nextCall(entry, calls) {
  const { state } = entry;
  if (hand.allPlay(state)) return null;
  return () => entry.change(hand.setCall(state, calls[(calls.indexOf(state.call) + 1) % calls.length]));
}

function nextBlind(entry) {
  const { state } = entry;
  const blinds = hand.blindChoices(state);
  if (!blinds.length) return null;
  return () => entry.change(hand.setBlind(state, blinds[(blinds.indexOf(state.blind) + 1) % blinds.length]));
}

/** The seat tapped last lost the card for which the loser pays, or not. */
function toggleLost(state, touched) {
  return hand.setLost(state, hand.lostOf(state) === touched ? null : touched);
}
