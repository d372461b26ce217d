// How a hand of Kratzen is entered: cuts, the call, roles, tricks. A state has beside the common fields muss (bool:
// everybody has to play), sevens ("off" | "deal" | "any": the house rule), cuts (cards shown at the cuts, a letter
// each: A, 7, W for the Weli, x; two a cut), call ("schlagen" | "oder" | "weiter-oder"), seven (bool: a seven decided
// the trump); `dealer` is the player with the pack before the cuts.

/** The cuts of a record, two cards each. A card without effect ends them and needs no tap. */
function cutsOf(shown) {
  const cards = shown.length % 2 ? shown.slice(0, -1) : shown;
  return [...(cards.match(/../g) ?? []).map((/** @type {string} */ pair) => [...pair]), ["x"]];
}

/** @type {EntryOfGame} */
export const KRATZEN = {
  tricks: 4,
  hasDeclarer: true,
  alwaysCounts: true,
  sparesTrick: false,
  dividedRule: "remainder",
  calls: ["schlagen", "oder", "weiter-oder"],
  cuts: {
    // An ace passes the pack to the left, a seven to the right; who gets it pays, and all for the Weli (K3.2).
    after({ seats }, pack, card) {
      if (card === "W") return { pack, paid: Array.from({ length: seats }, (_, seat) => seat) };
      const step = card === "A" ? 1 : card === "7" ? -1 : 0;
      const next = (pack + step + seats) % seats;
      return { pack: next, paid: step ? [next] : [] };
    },
    // The card without effect that ends the cuts needs no tap; there is one Weli.
    canShow({ cuts }, card) {
      const first = cuts.length % 2 === 0;
      return card === "x" ? !first : card !== "W" || first || !cuts.endsWith("W");
    },
    isOpen: ({ cuts }) => cuts.length % 2 === 1,
    shownOf(cuts) {
      const shown = cuts.flat().join("");
      return shown.length % 2 ? shown.slice(0, -1) : shown;
    },
  },
  state: ({ muss = false, sevens = "off", cuts = "" }) => ({
    muss,
    sevens,
    cuts,
    call: "schlagen",
    seven: false,
    counting: true,
  }),
  ofForm: (data) => ({ blinds: data.blinds, sevens: data.sevens, muss: "muss" in data }),
  ofTable: ({ muss, rules }) => ({ muss: muss === true, sevens: rules.seven_muss }),
  kept: (state, start) => ({
    cuts: state.cuts,
    call: state.call,
    seven: state.seven && start.sevens !== "off",
  }),
  fields: ({ cuts, call, seven }) => ({ cuts, game_type: call, seven }),
  fromFields: ({ cuts, game_type, seven }) => ({ counting: true, cuts, call: game_type || "schlagen", seven }),
  tally(state, { called }) {
    const call = called ? { game_type: state.call } : {};
    return { cuts: cutsOf(state.cuts), ...(state.passed ? {} : state.seven ? { seven: true, ...call } : call) };
  },
  owns: (record) => Array.isArray(record.cuts?.[0]) || "game_type" in record || "seven" in record,
};
