// What a person says about a chance: the sentences of games/hand_worth/sentences.py. The server sends their texts.
import { shareToBreakEven } from "./table.js";

/** How often in a hundred. */
export const timesOf = (chance) => Math.floor((chance + 50) / 100);

/** @param {number} times */
function kindOf(times) {
  if (times === 0) return "never";
  if (times === 100) return "always";
  return times === 1 ? "once" : "times";
}

/**
 * The sentences of an answer, the one about the goal first, then that of the break-even.
 * @param {Record<string, string>} texts
 * @param {[number, number]} chances
 */
export function sentences(texts, game, chances, declares) {
  const [oneTrick, twoTricks] = chances.map((chance, index) => {
    const times = timesOf(chance);
    return texts[`${index === 0 ? "one" : "two"}-${kindOf(times)}`].replace("{n}", String(times));
  });
  const share = shareToBreakEven(game, chances, declares);
  const kind = share === null ? "none" : share === 0 ? "any" : "some";
  const word = texts[`word-${game}-${declares ? "declares" : "joins"}`];
  const even = texts[`share-${kind}`].replace("{word}", word).replace("{n}", String(share));
  return [...(declares ? [twoTricks, oneTrick] : [oneTrick, twoTricks]), even];
}
