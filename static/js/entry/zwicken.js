// How a hand of Zwicken is entered: cuts, who plays, tricks; who lost the seven of Schellen. Nobody declares. A state
// has beside the common fields muss (bool: a forced hand, which all play), cuts (cards shown at the cuts, a letter
// each: A, 7, B for the seven of Schellen), moves (bool: the cut moves the deal), jumps (bool: the seven of Schellen
// moves it by two), pays (bool: who loses the seven of Schellen pays), lost (the seat that lost it | null); `dealer` is
// the player with the pack before the cuts. The card without effect that ends the cuts needs no tap.

/** @type {EntryOfGame} */
export const ZWICKEN = {
  tricks: 3,
  hasDeclarer: false,
  alwaysCounts: true,
  sparesTrick: false,
  dividedRule: "stake",
  calls: [],
  cuts: {
    // A hop moves the deal by one seat to the left, a jump by two; each of these seats pays (Z2.3).
    after({ seats, jumps }, pack, card) {
      const steps = card === "x" ? 0 : card === "B" && jumps ? 2 : 1;
      const paid = Array.from({ length: steps }, (_, step) => (pack + step + 1) % seats);
      return { pack: (pack + steps) % seats, paid };
    },
    canShow: ({ moves }, card) => moves && card !== "x",
    isOpen: () => false,
    shownOf: (cuts) => cuts.join("").replace(/x$/, ""),
  },
  state: ({ muss = false, cuts = "", moves = true, jumps = true, pays = true }) => ({
    muss,
    cuts,
    moves,
    jumps,
    pays,
    lost: null,
    counting: true,
  }),
  ofForm: (data) => ({
    muss: "muss" in data,
    moves: "moves" in data,
    jumps: "jumps" in data,
    pays: "pays" in data,
  }),
  ofTable: ({ muss, rules }) => ({
    muss: muss === true,
    moves: rules.cut_moves,
    jumps: rules.seven,
    pays: rules.seven && rules.seven_lost === "stake",
  }),
  kept: (state, _start, seatOf) => ({
    cuts: state.cuts,
    lost: state.lost === null || seatOf(state.lost) < 0 ? null : seatOf(state.lost),
  }),
  fields: ({ cuts }, { lost }) => ({ cuts, seven_lost: lost === null ? "" : String(lost) }),
  fromFields: ({ cuts, seven_lost }) => ({
    counting: true,
    cuts,
    lost: seven_lost === "" || seven_lost === undefined ? null : Number(seven_lost),
  }),
  tally(state, { lost }) {
    const cuts = state.moves ? { cuts: [...state.cuts, "x"] } : {};
    return lost === null ? cuts : { ...cuts, seven_lost: lost };
  },
  owns: (record) => !("declarer" in record),
};
