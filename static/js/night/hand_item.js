// A hand of the table screen as an item of the outbox, and in words.
import { tag } from "../entry_rows.js";
import * as hand from "../hand_state.js";
import * as outbox from "../outbox.js";
import { handWrite } from "./writes.js";

/** The hand as an item of the outbox: its write, the entry, and texts. `entry` is an Entry of table_entry.js. */
export function handItem(entry) {
  const { at: now, data, draft, form, state } = entry;
  const { record, result } = entry.counted;
  // The key belongs to the entry: a save that was cut off is sent again as the same request.
  /** @type {Write} */
  const write = { ...handWrite(now, record, result), key: form.elements.key.value, number: draft.number };
  // A lost draft may break a rule at the hand that is next now; the server then shows both.
  if (!result.ok) write.expected = null;
  const { night, table } = now.snapshot.urls;
  const fields = { url: night, page: table, title: document.title, number: draft.number, summary: summary(entry) };
  return { ...outbox.itemOf(write, fields), user: data.user, state, players: form.elements.players.value };
}

/** The entry in one line: declarer, joiners and results. */
export function summary(entry) {
  const { form, rows, state } = entry;
  if (state.passed) return form.querySelector("[data-pass]").textContent.trim();
  const made = hand.madeOf(state);
  const tricks = hand.tricksOf(state);
  const alone = hand.active(state).length < 2;
  const active = [hand.declarerOf(state), ...hand.joinersOf(state)].filter((seat) => seat !== null);
  const parts = active.map((seat) => {
    const ended = alone ? "" : state.counting ? String(tricks[seat] ?? "") : made[seat] ? "✓" : "✕";
    return [rows[seat].querySelector(".name").textContent, tag(entry, hand.role(state, seat)), ended]
      .filter(Boolean)
      .join(" ");
  });
  const blind = state.blind ? form.querySelector(`[data-blind="${state.blind}"]`).textContent : "";
  return [...parts, blind, state.cuts ?? ""].filter(Boolean).join(", ");
}
