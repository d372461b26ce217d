// The missing parts of an entry, in the place of the preview.
import { element } from "../dom.js";
import * as hand from "../hand_state.js";

/** A sentence in the place of the preview. */
export function hint(sentence, kind = "first") {
  return element("div", kind, element("p", "say", sentence));
}

/**
 * The hint about the missing part of the entry (hand.missing). `data` has the texts of the form; `first` is the hint
 * with which the page came, or null.
 */
export function lackingHint(state, lacking, data, first) {
  const begun = state.counts.length > 0;
  const fresh = first?.matches(".first") ? first.cloneNode(true) : null;
  if (lacking === "cut") return hint(data.sayCutOpen);
  if (lacking === "declarer") return fresh ?? hint(data.sayDeclarer);
  if (lacking === "joiners") return hint(data.sayJoiners);
  if (lacking === "made") return hint(data.sayMade);
  if (!begun && hand.allPlay(state)) return (state.muss ? fresh : null) ?? hint(data.sayEach);
  const left = hand.tricksLeft(state);
  if (left < 0) return hint(data.sayTooMany);
  return hint(left === 1 ? data.sayTrick : data.sayTricks.replace("{n}", String(left)));
}
