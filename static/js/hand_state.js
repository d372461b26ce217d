// The entry of a hand as plain data: each function takes a state and returns a new one. It does not touch the page.
//
// State: { seats, dealer, blinds ("none" | "blind" | "both"), declarer (seat | null), joiners (seats, in the order
// tapped), marks ({seat: bool}: made or failed as tapped), counts ([[seat, tricks]]: tricks as tapped), counting
// (bool), before ({ made: {seat: bool}, tricks: {seat: n} }: the stored result, in a correction), blind (null | "blind"
// | "double"), passed (bool: nobody declared) }. hand_result.js tells what follows from marks and counts. A game has
// fields of its own beside these (entry/games.js); in a game without a declarer the players who play are `joiners`.

import { FIRST_GAME, entryOfGame } from "./entry/games.js";
import { everybodyMadeIt, results, tricks as tricksBy } from "./hand_result.js";

const NOTHING = { made: {}, tricks: {} };

const gameOf = (state) => entryOfGame(state.game);

export function empty({ seats, dealer, blinds = "none", counting = false, game = FIRST_GAME, ...own }) {
  const state = {
    game,
    seats,
    dealer,
    blinds,
    counting,
    declarer: null,
    joiners: [],
    marks: {},
    counts: [],
    before: NOTHING,
    blind: null,
    passed: false,
  };
  return { ...state, ...entryOfGame(game).state(own) };
}

/**
 * The empty state of a form whose data attributes tell the dealer and the rules.
 * @param {DOMStringMap} data
 * @param {number} seats
 */
export function emptyFor(data, seats) {
  const game = /** @type {Game} */ (data.game);
  return empty({ seats, dealer: Number(data.dealer), game, ...entryOfGame(game).ofForm(data) });
}

/** Return true if everybody plays without being asked: everybody has to, or a seven decided it. */
export function allPlay(state) {
  return Boolean(state.muss || state.seven);
}

/** Return true if a call turned the seven that made the Siebenermuss (K5.3): then the caller is declarer. */
export function calledSeven(state) {
  return state.seven && !state.muss && state.sevens === "any" && state.declarer !== null && state.call !== "schlagen";
}

/** The dealer, in a game with cuts after them, and the units that each seat pays for these: { dealer, units }. */
export function cutOf(state) {
  const units = Array.from({ length: state.seats }, () => 0);
  let dealer = state.dealer;
  for (const card of state.cuts ?? "") {
    const { pack, paid } = gameOf(state).cuts.after(state, dealer, card);
    for (const seat of paid) units[seat] += 1;
    dealer = pack;
  }
  return { dealer, units };
}

/** The dealer: in a game with cuts after them. */
export const dealerOf = (state) => cutOf(state).dealer;

/** The units that each seat pays for the cuts. */
export const cutUnits = (state) => cutOf(state).units;

export function declarerOf(state) {
  if (!gameOf(state).hasDeclarer) return null;
  return allPlay(state) && !calledSeven(state) ? dealerOf(state) : state.declarer;
}

export function joinersOf(state) {
  if (!allPlay(state)) return state.joiners;
  return Array.from({ length: state.seats }, (_, seat) => seat).filter((seat) => seat !== declarerOf(state));
}

/** Clear the entry, except the way of counting and the cuts. */
export function clear(state) {
  return empty(state);
}

export function active(state) {
  const declarer = declarerOf(state);
  if (declarer === null && gameOf(state).hasDeclarer) return [];
  return [...(declarer === null ? [] : [declarer]), ...joinersOf(state)].sort((a, b) => a - b);
}

export function role(state, seat) {
  if (seat === declarerOf(state)) return "declarer";
  return joinersOf(state).includes(seat) ? "joiner" : "out";
}

function forget(state, seat) {
  const without = (values) => Object.fromEntries(Object.entries(values).filter(([other]) => Number(other) !== seat));
  const { made, tricks } = beforeOf(state);
  const before = { made: without(made), tricks: without(tricks) };
  return { ...state, marks: without(state.marks), counts: state.counts.filter(([other]) => other !== seat), before };
}

/** The stored result of a correction; a draft of an older version of the page has none. */
function beforeOf(state) {
  return state.before ?? NOTHING;
}

/**
 * The first tap declares, the next ones join. A second tap on a joiner takes it back, on the declarer clears all. In a
 * game without a declarer each tap joins. Where everybody plays there is nothing to choose.
 */
export function tap(state, seat) {
  if (seat < 0 || seat >= state.seats || allPlay(state)) return state;
  if (state.declarer === null && gameOf(state).hasDeclarer) return { ...state, declarer: seat, passed: false };
  if (seat === state.declarer) return clear(state);
  if (state.joiners.includes(seat)) {
    return { ...forget(state, seat), joiners: state.joiners.filter((other) => other !== seat) };
  }
  return { ...state, joiners: [...state.joiners, seat], passed: false };
}

/**
 * The state in which the seat plays: a result that is tapped for a player who is out lets this player declare or join.
 */
function playing(state, seat) {
  return role(state, seat) === "out" ? tap(state, seat) : state;
}

/** Nobody declared; a second tap takes that back. */
export function pass(state) {
  if (state.muss) return state;
  return { ...clear(state), passed: !state.passed };
}

/** The state after what was said on the screen before: `said` is the declaring seat, or "nobody". */
export const begin = (state, said) => (said === "nobody" ? pass(state) : tap(state, Number(said)));

export function mark(state, seat, made) {
  const next = playing(state, seat);
  return { ...next, marks: { ...next.marks, [seat]: made } };
}

/** Change the result of a seat that plays. An undecided one becomes a failure: that is the question. */
export function toggleMade(state, seat) {
  return role(state, seat) === "out" ? state : mark(state, seat, madeOf(state)[seat] === false);
}

function resultsOf(state) {
  if (state.declarer === null) return { made: {}, ruled: [], possible: true };
  return results({
    declarer: state.declarer,
    joiners: state.joiners,
    all: gameOf(state).tricks,
    marks: state.marks,
    before: beforeOf(state).made,
  });
}

/** The goals made, {seat: bool | null} for the active seats; null is undecided (hand_result.js). */
export function madeOf(state) {
  return resultsOf(state).made;
}

/** The seats whose result the rules alone decide. */
export function ruledOf(state) {
  return resultsOf(state).ruled;
}

/** Tricks of the active seats, {seat: count | null}; null is undecided (hand_result.js). */
export function tricksOf(state) {
  const usual = (open, left) =>
    allPlay(state) || open.some((seat) => failed(state, seat))
      ? {}
      : everybodyMadeIt(
          { declarer: state.declarer, joiners: state.joiners, spare: gameOf(state).sparesTrick },
          open,
          left,
        );
  return tricksBy({
    active: active(state),
    all: gameOf(state).tricks,
    counts: state.counts,
    before: beforeOf(state).tricks,
    usual,
  });
}

/** Return true if a seat was marked as failed, or failed in the stored hand. */
function failed(state, seat) {
  return (state.marks[seat] ?? beforeOf(state).made[seat]) === false;
}

/** The tricks that are still to be assigned; below 0 there are too many. */
export function tricksLeft(state) {
  return gameOf(state).tricks - Object.values(tricksOf(state)).reduce((sum, n) => sum + (n ?? 0), 0);
}

/** Set the tricks of a seat. No other count changes: a sum that is not right is refused until it is. */
export function count(state, seat, tricks) {
  if (tricks < 0 || tricks > gameOf(state).tricks) return state;
  const next = playing(state, seat);
  return { ...next, counts: [...next.counts.filter(([other]) => other !== seat), [seat, tricks]] };
}

/**
 * One more or one less than the shown count; without a count 'more' gives one and 'less' none. The tricks that the
 * counts of all others leave are confirmed by 'more', not raised.
 */
export function step(state, seat, by) {
  const shown = tricksOf(state)[seat] ?? 0;
  const others = active(state).filter((other) => other !== seat);
  const follows =
    others.length < active(state).length && others.every((other) => state.counts.some(([each]) => each === other));
  const confirms = by > 0 && shown > 0 && follows && !state.counts.some(([each]) => each === seat);
  return count(state, seat, Math.min(gameOf(state).tricks, Math.max(0, confirms ? shown : shown + by)));
}

/**
 * Count tricks or mark results. What was tapped stays known: a joiner who failed has no trick, and a count says who
 * made it.
 */
export function setCounting(state, counting) {
  const counted = new Map(state.counts);
  if (!counting) {
    const made = (counts) =>
      Object.fromEntries(counts.map(([seat, n]) => [seat, n >= (Number(seat) === state.declarer ? 2 : 1)]));
    const before = beforeOf(state);
    const stored = { ...before.made, ...made(Object.entries(before.tricks)) };
    return {
      ...state,
      counting,
      marks: { ...state.marks, ...made(state.counts) },
      before: { ...before, made: stored },
    };
  }
  const none = state.joiners
    .filter((seat) => state.marks[seat] === false && !counted.has(seat))
    .map((seat) => [seat, 0]);
  return { ...state, counting, counts: [...state.counts, ...none] };
}

/** Return true if a cut can show this card now. */
export function canShow(state, card) {
  return gameOf(state).cuts?.canShow(state, card) ?? false;
}

/** Add a card shown at a cut. */
export function cut(state, card) {
  return canShow(state, card) ? { ...state, cuts: state.cuts + card } : state;
}

export function uncut(state) {
  return state.cuts ? { ...state, cuts: state.cuts.slice(0, -1) } : state;
}

export function setCall(state, call) {
  return gameOf(state).calls.includes(call) ? { ...state, call } : state;
}

/** The seats that can have lost the card for whose loss a player pays: who plays and has not taken every trick. */
export function lostChoices(state) {
  const playing = active(state);
  if (!state.pays || playing.length < 2) return [];
  const tricks = tricksOf(state);
  return playing.filter((seat) => tricks[seat] !== gameOf(state).tricks);
}

/** The seat that lost that card, or null. */
export const lostOf = (state) => (lostChoices(state).includes(state.lost) ? state.lost : null);

export function setLost(state, seat) {
  return seat === null || lostChoices(state).includes(seat) ? { ...state, lost: seat } : state;
}

/** A seven decided the trump: everybody plays. The caller stays declarer only if the call turned the seven. */
export function toggleSeven(state) {
  if ((state.sevens ?? "off") === "off") return state;
  if (state.seven) return clear(state);
  const next = { ...state, seven: true, passed: false, counts: [], joiners: [] };
  return calledSeven(next) ? next : { ...next, declarer: null, call: "schlagen" };
}

/**
 * The same entry on the present seats: `before` and `now` are the players by seat, `start` is the state of an empty
 * entry. A player who left loses the role, and without a declarer nobody joins.
 */
export function carry(start, state, before, now) {
  const seatOf = (seat) => now.indexOf(before[seat]);
  const here = (seat) => seat !== null && seatOf(seat) >= 0;
  const next = {
    ...start,
    ...gameOf(start).kept(state, start, seatOf),
    counting: state.counting,
    passed: state.passed && !start.muss,
  };
  const declarer = !start.muss && here(state.declarer) ? seatOf(state.declarer) : null;
  const moved = (entries) => entries.filter(([seat]) => here(seat)).map(([seat, value]) => [seatOf(seat), value]);
  const movedBy = (values) => Object.fromEntries(moved(Object.entries(values)));
  const counts = moved(state.counts);
  const stored = { made: movedBy(beforeOf(state).made), tricks: movedBy(beforeOf(state).tricks) };
  if (allPlay(next)) return { ...next, declarer, counts, before: stored };
  if (declarer === null && gameOf(next).hasDeclarer) return next;
  const marks = movedBy(state.marks);
  return setBlind(
    { ...next, declarer, joiners: state.joiners.filter(here).map(seatOf), marks, counts, before: stored },
    state.blind,
  );
}

/** Return true if nothing was entered yet. */
export function untouched(state) {
  return (
    state.declarer === null &&
    state.joiners.length === 0 &&
    !state.passed &&
    !state.cuts &&
    !state.seven &&
    state.counts.length === 0 &&
    Object.keys(beforeOf(state).tricks).length === 0
  );
}

/** The ways in which the declarer may have declared: blind ones are the dealer's alone (C3.4, C3.5). */
export function blindChoices(state) {
  if (state.declarer === null || state.declarer !== state.dealer || state.blinds === "none") return [];
  return state.blinds === "both" ? [null, "blind", "double"] : [null, "blind"];
}

export function setBlind(state, blind) {
  return blindChoices(state).includes(blind) ? { ...state, blind } : state;
}

/**
 * The part of the entry that is still missing for a preview: null | "cut" | "declarer" | "joiners" | "tricks" | "made".
 */
export function missing(state) {
  if (gameOf(state).cuts?.isOpen(state)) return "cut";
  if (state.passed) return null;
  const playing = active(state).length;
  if (playing === 0) return "declarer";
  const alone = playing === 1;
  if (state.counting) {
    if (alone && state.counts.length === 0) return null;
    return Object.values(tricksOf(state)).includes(null) || tricksLeft(state) !== 0 ? "tricks" : null;
  }
  // Beside a declarer who failed somebody made it; a declarer whom nobody joins has not played.
  if (alone) return state.marks[state.declarer] === false ? "joiners" : null;
  const { made, possible } = resultsOf(state);
  return possible && Object.values(made).includes(null) ? "made" : null;
}

/** The form's values: {passed, mode, blind, seats: [{role, made, tricks}]}, all as strings. */
export function fields(state) {
  const alone = active(state).length < 2;
  const made = state.counting ? {} : alone ? state.marks : madeOf(state);
  const tricks = state.counting ? tricksOf(state) : {};
  const seats = [];
  for (let seat = 0; seat < state.seats; seat++) {
    const taken = tricks[seat];
    seats.push({
      role: role(state, seat),
      made: made[seat] === undefined || made[seat] === null ? "" : made[seat] ? "yes" : "no",
      tricks: taken === undefined || taken === null ? "" : String(taken),
    });
  }
  const values = { passed: state.passed, mode: state.counting ? "tricks" : "made", blind: state.blind ?? "", seats };
  return { ...values, ...gameOf(state).fields(state, { lost: lostOf(state) }) };
}

/** Read the fields of a form with this number of seats. */
export function fieldsOf(form, seats) {
  const fields = form.elements;
  return {
    passed: fields.passed?.checked ?? false,
    mode: fields.mode?.value ?? "tricks",
    blind: fields.blind?.value ?? "",
    cuts: fields.cuts?.value ?? "",
    game_type: fields.game_type?.value ?? "",
    seven: fields.seven?.checked ?? false,
    seven_lost: fields.seven_lost?.value ?? "",
    seats: Array.from({ length: seats }, (_, seat) => ({
      role: fields[`role-${seat}`].value,
      made: fields[`made-${seat}`]?.value ?? "",
      tricks: fields[`tricks-${seat}`].value,
    })),
  };
}

/** The state of a form with values, for a page that comes back refused. */
export function fromFields(start, values) {
  let state = {
    ...start,
    passed: values.passed,
    counting: values.mode === "tricks",
    ...gameOf(start).fromFields(values),
  };
  const declarer = values.seats.findIndex((seat) => seat.role === "declarer");
  if (allPlay(state))
    return withCounts(calledSeven({ ...state, declarer: 0 }) ? { ...state, declarer } : state, values);
  if (gameOf(state).hasDeclarer) {
    if (declarer < 0) return state;
    state = { ...state, declarer, passed: false };
  }
  values.seats.forEach((seat, number) => {
    if (seat.role === "joiner") state = { ...state, joiners: [...state.joiners, number], passed: false };
  });
  state = setBlind(state, values.blind || null);
  return state.counting ? withCounts(state, values) : withResults(state, values);
}

/** A complete result is that of the stored hand; of an undecided one, what the form has was marked. */
function withResults(state, values) {
  const chosen = active(state).filter((seat) => values.seats[seat].made);
  const made = Object.fromEntries(chosen.map((seat) => [seat, values.seats[seat].made === "yes"]));
  if (chosen.length < active(state).length || state.joiners.length === 0) return { ...state, marks: made };
  return { ...state, before: { ...NOTHING, made } };
}

function withCounts(state, values) {
  const chosen = active(state).filter((seat) => values.seats[seat].tricks !== "");
  const counts = chosen.map((seat) => [seat, Number(values.seats[seat].tricks)]);
  const whole =
    counts.length === active(state).length && counts.reduce((sum, [, n]) => sum + n, 0) === gameOf(state).tricks;
  return whole ? { ...state, before: { ...NOTHING, tricks: Object.fromEntries(counts) } } : { ...state, counts };
}
