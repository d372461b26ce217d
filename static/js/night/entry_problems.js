// The refusal of a hand for the page: the sentence of the clause, or a more exact one, and the rows to mark. The same
// as preview_problem and refused_seats in games/table/screens.py.
import { playersOf } from "./players.js";
import { has, text } from "./texts.js";

/** The problem for a fault by the rules on the phone: {sentence, code, rows (seats)}. */
export function problemOf({ clause, at: path }, record) {
  const sentence =
    exactSentence(clause, record) ?? text(has(`clause.${clause}`) ? `clause.${clause}` : "clause.unknown");
  return { sentence, code: clause, rows: refusedSeats(path, record) };
}

/** The same for a refusal of the server (docs/night.md), which has its sentence. */
export function refusalOf({ clause, sentence, at: path }, record) {
  return { sentence: exactSentence(clause, record) ?? sentence, code: clause, rows: refusedSeats(path, record) };
}

/** A more exact sentence than that of the clause, or null. */
function exactSentence(clause, record) {
  // An empty `made` counts as absent; then the tricks are missing.
  if (clause !== "R5" || !("made" in record)) return null;
  if (record.made.includes(record.declarer)) return text("entry.declarer-two-tricks");
  return text(record.made.length ? "entry.four-tricks" : "entry.nobody-made");
}

/** The seats that a refusal marks, by the place of the record that it names. */
export function refusedSeats(path, record) {
  const declarers = typeof record.declarer === "number" ? [record.declarer] : [];
  const active = playersOf(record, record.seats).sort((a, b) => a - b);
  if (/^(made|tricks|players)/.test(path)) return active;
  // The Susi: the last player to answer, who sits before the declarer.
  if (path.startsWith("joiners") && active.length === 1 && "susi" in record.rules)
    return [(record.declarer + record.seats - 1) % record.seats];
  if (path.startsWith("joiners")) return record.joiners ?? [];
  if (path === "seven_lost") return [record.seven_lost];
  return /^(declarer|blind|game_type|seven)/.test(path) ? declarers : [];
}

/**
 * The problem of an entry whose hand is not the next one any more, or null: another recorder stored or undid a hand
 * since the page was made. `due` is the number of the next hand by the last poll of the server, or by this phone.
 * `waits`: the hand was recorded on this phone, in another tab, and the server does not have it.
 */
export function outdated(number, due, waits = false) {
  if (number < due)
    return { sentence: text(waits ? "entry.waits" : "entry.stored", { number, due }), code: "stored", kind: "compare" };
  if (number > due) return { sentence: text("entry.moved-on", { due }), code: "number" };
  return null;
}
