// The changes by taps on buttons of the entry, the same on the table screen and on the correction page.
import * as hand from "./hand_state.js";

/**
 * The state after a tap on this button; null if the button changes nothing of the entry. `seat`: that of its row, or
 * null.
 */
export function tapped(state, { dataset }, seat) {
  if ("tap" in dataset) return hand.tap(state, seat);
  if ("mark" in dataset) return hand.mark(state, seat, dataset.mark === "yes");
  if ("step" in dataset) return hand.step(state, seat, Number(dataset.step));
  if ("blind" in dataset) return hand.setBlind(state, dataset.blind || null);
  if ("cut" in dataset) return hand.cut(state, dataset.cut);
  if ("cutBack" in dataset) return hand.uncut(state);
  if ("call" in dataset) return hand.setCall(state, dataset.call);
  if ("seven" in dataset) return hand.toggleSeven(state);
  if ("lost" in dataset) return hand.setLost(state, dataset.lost === "" ? null : Number(dataset.lost));
  if ("pass" in dataset) return hand.pass(state);
  return null;
}

/** The seat of the row of a button, or null. */
export function seatOf(button) {
  const row = button.closest("[data-seat]");
  return row ? Number(row.dataset.seat) : null;
}
