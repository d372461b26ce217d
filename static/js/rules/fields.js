// Checks of the fields of a tally (R1), before any clause. Each game lists its own fields with them.

import { Fault, printableName } from "./faults.js";
import { HIGHEST_AMOUNT, isWhole } from "./values.js";

/** @param {unknown} value */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const SEAT_WORD = /^(?:0|-?[1-9]\d*)$/;

/**
 * Make a check out of a test: it throws R1 at the place of the value.
 * @param {(value: any) => boolean} test
 * @returns {Check}
 */
export const must = (test) => (value, path) => {
  if (!test(value)) throw new Fault("R1", path);
};

/**
 * Make a check of a list out of the check of its items.
 * @param {Check} check
 * @returns {Check}
 */
export const each = (check) => (value, path) => {
  if (!Array.isArray(value)) throw new Fault("R1", path);
  for (let place = 0; place < value.length; place += 1) check(value[place], `${path}[${place}]`);
};

/** @param {number} least */
export const wholeFrom = (least) =>
  must((/** @type {any} */ value) => isWhole(value) && value >= least && value <= HIGHEST_AMOUNT);
export const whole = must(isWhole);
export const wholes = each(whole);
export const word = must((value) => typeof value === "string");
export const yesOrNo = must((value) => typeof value === "boolean");
export const seatOrNull = must((value) => value === null || isWhole(value));

/**
 * @param {any} value
 * @param {string} path
 */
export function tricks(value, path) {
  if (!isObject(value)) throw new Fault("R1", path);
  for (const [seat, count] of Object.entries(value)) {
    if (count === undefined) continue;
    const isSeat = seat.length <= 12 && SEAT_WORD.test(seat);
    if (!isSeat || !isWhole(count)) throw new Fault("R1", `${path}.${printableName(seat)}`);
  }
}

/**
 * The fields of every record. The game was checked first, because it decides which other fields a record has.
 * @type {Record<string, Check>}
 */
export const COMMON = {
  game: () => {},
  rules: must(isObject),
  seats: whole,
  dealer: whole,
  pot_before: wholeFrom(0),
  claimed: wholes,
};
export const COMMON_NEEDED = ["seats", "dealer", "pot_before"];

/**
 * Return true if a parsed object has a field. A field that is undefined counts as missing: JSON.stringify leaves it
 * out.
 * @param {any} record
 * @param {string} name
 */
export const has = (record, name) => Object.hasOwn(record, name) && record[name] !== undefined;

/**
 * Return the value of a field, or `otherwise` if it is missing.
 * @param {any} record
 * @param {string} name
 * @param {any} otherwise
 */
export const field = (record, name, otherwise) => (has(record, name) ? record[name] : otherwise);

/**
 * Return the seats of a list, or of null; + 0: no seat is -0.
 * @param {number | null} seat
 */
export const plainSeat = (seat) => (seat === null ? null : seat + 0);

/**
 * Return the declarer and the joiners of a record.
 * @param {any} record
 */
export const rolesOf = (record) => ({
  declarer: plainSeat(record.declarer),
  joiners: field(record, "joiners", []).map(plainSeat),
});

/**
 * Return the number of seats that a tally's tricks name.
 * @param {Record<string, number>} counts
 */
export const countOf = (counts) => Object.keys(counts).filter((seat) => counts[seat] !== undefined).length;
