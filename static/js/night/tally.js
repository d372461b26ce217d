// The record of an entry (hand_state.js): the fields of a tally that a person taps, as HandForm.record of games/table
// gives them.
import * as hand from "../hand_state.js";

/** The tally of a complete entry: hand.missing(state) is null. */
export function tallyOf(state) {
  const cuts = state.game === "kratzen" ? { cuts: cutsOf(state.cuts) } : {};
  if (state.passed) return { declarer: null, ...cuts };
  const record = { declarer: hand.declarerOf(state), joiners: [...hand.joinersOf(state)].sort((a, b) => a - b) };
  if (state.blind) record.blind = state.blind;
  if (record.joiners.length) Object.assign(record, played(state));
  return { ...record, ...cuts, ...called(state) };
}

function played(state) {
  if (!state.counting) {
    const made = hand.madeOf(state);
    return { made: hand.active(state).filter((seat) => made[seat]) };
  }
  return { tricks: hand.tricksOf(state) };
}

function called(state) {
  if (state.game !== "kratzen") return {};
  const call = !hand.allPlay(state) || hand.calledSeven(state) ? { game_type: state.call } : {};
  return state.seven ? { seven: true, ...call } : call;
}

/** The cards shown, a letter each, as cuts of two cards. A card without effect ends them and needs no tap. */
function cutsOf(shown) {
  const cards = shown.length % 2 ? shown.slice(0, -1) : shown;
  return [...(cards.match(/../g) ?? []).map((pair) => [...pair]), ["x"]];
}
