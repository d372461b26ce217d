// The keys of the table screen; the page lists them at its end. `entry` is an Entry of table_entry.js.
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
  const kratzen = state.game === "kratzen" ? ofKratzen(entry) : {};
  if (key in kratzen) return kratzen[key];
  const steps = { "+": 1, "-": -1, "−": -1 };
  if (key in steps && touched !== null && state.counting)
    return () => entry.change(hand.step(state, touched, steps[key]));
  const blinds = hand.blindChoices(state);
  return {
    m: touched !== null && !state.counting ? () => entry.change(hand.toggleMade(state, touched)) : null,
    b: blinds.length
      ? () => entry.change(hand.setBlind(state, blinds[(blinds.indexOf(state.blind) + 1) % blinds.length]))
      : null,
    n: () => entry.change(hand.pass(state)),
    t: () => entry.toggleCounting(),
    Escape: () => entry.change(hand.clear(state)),
    Enter: () => entry.saving.send(),
  }[key];
}

function ofKratzen(entry) {
  const { state } = entry;
  const calls = ["schlagen", "oder", "weiter-oder"];
  return {
    b: hand.allPlay(state)
      ? null
      : () => entry.change(hand.setCall(state, calls[(calls.indexOf(state.call) + 1) % calls.length])),
    s: () => entry.change(hand.toggleSeven(state)),
    m: null,
    t: null,
    Escape: () => entry.change({ ...hand.clear(state), cuts: "" }),
  };
}
