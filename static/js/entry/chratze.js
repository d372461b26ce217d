// How a hand of Chratze is entered: roles, then who made it, or the tricks.

/** @type {EntryOfGame} */
export const CHRATZE = {
  tricks: 4,
  hasDeclarer: true,
  alwaysCounts: false,
  sparesTrick: true,
  dividedRule: "rounding",
  calls: [],
  cuts: null,
  state: () => ({}),
  ofForm: ({ blinds }) => ({ blinds }),
  ofTable: ({ rules }) => ({ blinds: rules.blind ?? "none" }),
  kept: () => ({}),
  fields: () => ({}),
  fromFields: () => ({}),
  tally: () => ({}),
  owns: () => false,
};
