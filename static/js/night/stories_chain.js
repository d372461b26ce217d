// Hands of a table one after another, as the server replays them after a correction (games/corrections/replay.py,
// services.py).
//
// Pure. A state: { pot, dealer (player), deal_number, players (of the hand before) }. An entry: { players, record,
// moved (Rappen that came into the pot before it), named (the dealer who was named, or null), dealt (its dealer) and
// keeps (that player deals it in any case) }.
import { GAMES, replay } from "../rules/index.js";

/** The dealer once `players` sit: `dealer`, or else the next one in the order of `before` who is still there
    (games/hands/chain.py). */
export function nextDealer(dealer, before, players) {
  if (players.includes(dealer)) return dealer;
  const turn = before.indexOf(dealer);
  if (turn < 0) return players[0];
  const order = [...before.slice(turn + 1), ...before.slice(0, turn)];
  return order.find((player) => players.includes(player)) ?? players[0];
}

/**
 * One entry after a state: { number, entry, record (complete), result, dealer, named, state (after it) }; `result.ok`
 * is false if it is impossible.
 */
export function playOne({ game, rules }, entry, state, number) {
  const turn = nextDealer(state.dealer, state.players, entry.players);
  const kept =
    entry.keeps && entry.named === null && entry.players.includes(entry.dealt) && entry.dealt !== turn
      ? entry.dealt
      : entry.named;
  const dealer = kept ?? turn;
  const pot = state.pot + (entry.moved ?? 0);
  const record = {
    ...entry.record,
    game,
    rules,
    seats: entry.players.length,
    dealer: entry.players.indexOf(dealer),
    pot_before: pot,
  };
  if (GAMES[game].countsDeals) record.deal_number = kept === null && dealer === state.dealer ? state.deal_number : 1;
  const result = pot < 0 ? { ok: false, error: { clause: "", at: "pot" } } : replay(record);
  const hand = { number, entry, record, result, dealer, named: kept !== null };
  return result.ok ? { ...hand, state: after(entry.players, result) } : hand;
}

/** The state after a hand of these players. */
export function after(players, result) {
  return { pot: result.pot_after, dealer: players[result.next.dealer], deal_number: result.next.deal_number, players };
}

/** Entries from hand `first` on. It ends with the first impossible one: { played, failed (the impossible one, or null),
    state }. */
export function play(table, entries, state, first) {
  const played = [];
  for (const [index, entry] of entries.entries()) {
    const hand = playOne(table, entry, state, first + index);
    if (!hand.result.ok) return { played, failed: hand, state };
    played.push(hand);
    state = hand.state;
  }
  return { played, failed: null, state };
}
