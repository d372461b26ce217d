// The fault of a record: the broken clause and its place. The sentence for people comes from the server or the page's
// texts.

/**
 * A record breaks a clause: one of R1 to R6 or of a rulebook. `at` is the place, such as "joiners[1]"; "" is the whole
 * record.
 */
export class Fault extends Error {
  /**

 */
  /** @param {string} clause @param {string} path */
  constructor(clause, path) {
    super(`${clause} at ${path}`);
    this.clause = clause;
    this.at = path;
  }
}

/**
 * These rules have no answer for a record that the engine can replay: `reason` is "full" or "amounts" (see replay.js).
 */
export class Unanswered extends Error {
  /** @param {string} reason @param {string} path */
  constructor(reason, path) {
    super(reason);
    this.reason = reason;
    this.at = path;
  }
}

const LONGEST_SHOWN = 40;
const PLAIN = /^(?: |[^\p{C}\p{Z}])*$/u;
/** @type {Record<string, string>} */
const SHORT_ESCAPES = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

/**
 * Return a field's name as a part of a place, as engine/errors.py does: unprintable or long names are escaped and
 * shortened.
 * @param {string} name
 */
export function printableName(name) {
  const characters = [...name.slice(0, 2 * LONGEST_SHOWN + 2)];
  if (characters.length <= LONGEST_SHOWN && PLAIN.test(name)) return name;
  const shown = characters.slice(0, LONGEST_SHOWN);
  const quote = shown.includes("'") && !shown.includes('"') ? '"' : "'";
  return quote + shown.map((character) => escaped(character, quote)).join("") + quote;
}

/**
 * @param {string} character
 * @param {string} quote
 */
function escaped(character, quote) {
  if (character === quote) return `\\${quote}`;
  if (SHORT_ESCAPES[character]) return SHORT_ESCAPES[character];
  const code = character.codePointAt(0) ?? 0;
  if (code >= 32 && code < 127) return character;
  const [letter, digits] = code < 256 ? ["x", 2] : code < 65536 ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).padStart(digits, "0")}`;
}
