// The values that house rules allow. Each game lists its own house rules with them.

/** The largest amount allowed in a record or a house rule. */
export const HIGHEST_AMOUNT = 10 ** 12;

/**
 * Return true for a whole number. The server reads numbers from 10^21 on as fractions, because JSON.stringify writes
 * them so.
 * @param {any} value
 */
export function isWhole(value) {
  return Number.isInteger(value) && Math.abs(value) < 1e21;
}

/** @param {any} value */
export const amount = (value) => isWhole(value) && value > 0 && value <= HIGHEST_AMOUNT;
/** @param {any} value */
export const limit = (value) => value === null || amount(value);
/** @param {unknown} value */
export const yesOrNo = (value) => value === true || value === false;
export const oneOf =
  (/** @type {any[]} */ ...words) =>
  (/** @type {any} */ value) =>
    words.includes(value);
