// The table of what a hand is worth, as `engine/hand_worth.py` reads it: its file has a head and pieces, and a hand
// needs the head and one piece.

import { PACKS } from "./games.js";

const WHOLE = 10_000;
const MAGIC = "HND1";
const SHIFT = 6;
const FIXED = 12;

/**
 * The head of a file.
 * @param {Uint8Array} bytes
 */
export function readHead(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== MAGIC) throw new Error("no table");
  const rows = view.getUint8(4);
  const [classes, values, perPiece] = [6, 8, 10].map((offset) => view.getUint16(offset, true));
  const means = Array.from({ length: values }, (_, index) => view.getUint16(FIXED + 2 * index, true));
  const shared = Array.from({ length: rows * values }, (_, index) => view.getInt16(FIXED + 2 * (values + index), true));
  return { rows, classes, values, perPiece, means, shared };
}

/** @typedef {ReturnType<typeof readHead>} Head */

/**
 * The bytes of a piece, unpacked.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export async function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * All chances of a class, cell by cell, in ten-thousandths.
 * @param {Head} head
 * @param {number} number
 * @param {Uint8Array} piece
 */
export function valuesOf(head, number, piece) {
  const within = number % head.perPiece;
  const count = Math.min(head.perPiece, head.classes - (number - within));
  const numbers = Array.from({ length: head.rows }, (_, row) => {
    const offset = 2 * count * row + within;
    return piece[offset] + 256 * piece[offset + count] - (piece[offset + count] > 127 ? 65536 : 0);
  });
  return head.means.map((mean, value) => {
    const total = numbers.reduce((sum, each, row) => sum + each * head.shared[row * head.values + value], 0);
    return Math.max(0, Math.min(WHOLE, mean + ((total + (1 << (SHIFT - 1))) >> SHIFT)));
  });
}

/**
 * The chances of at least one trick and of two. `place` is that in the order of play, 0 leads; `stage` is 0 before the
 * exchange, 1 after it.
 * @param {number[]} values
 * @returns {[number, number]}
 */
export function chancesOf(values, players, place, stage) {
  const offset = 4 * ((players * (players - 1) - 2) / 2 + place) + 2 * stage;
  return [values[offset], Math.min(values[offset], values[offset + 1])];
}

/**
 * The share of the pot, in hundredths, that a player must take where he makes his goal, to break even; null if even the
 * whole pot is too little.
 */
export function shareToBreakEven(game, [oneTrick, twoTricks], declares) {
  const made = declares ? twoTricks : oneTrick;
  let lost = (declares ? 2 : 1) * 4 * (WHOLE - made);
  if (PACKS[game].paysTricks && declares) lost -= oneTrick - twoTricks;
  if (lost > 4 * made) return null;
  return Math.floor((200 * lost + 4 * made) / (8 * made));
}
