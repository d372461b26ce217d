// The games of which it is known what a hand is worth, as the engine's packages have them.
//
// By game: the ranks of trumps and of plain suits, rising; the most players at a table; and if each trick is paid, so
// that a declarer with one trick loses less.

/** @type {Record<string, { ranks: [trumps: string, plain: string], mostPlayers: number, paysTricks: boolean }>} */
export const PACKS = {
  chratze: { ranks: ["6789TJQKA", "6789TJQKA"], mostPlayers: 7, paysTricks: false },
  kratzen: { ranks: ["789TJQKWA", "789TJQKA"], mostPlayers: 6, paysTricks: true },
};
