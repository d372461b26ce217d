// What a recorder has tapped so far, as plain data: every function takes a state and gives a new one. Knows no page.
//
// State: { seats, dealer, blinds ("none" | "blind" | "both"), declarer (seat | null), joiners (seats, in the order tapped),
//   marks ({seat: bool}: made or failed as tapped), counts ([[seat, tricks]], oldest first: tricks as tapped),
//   counting (bool), blind (null | "blind" | "double"), passed (bool: nobody declared) }

export const TRICKS = 4;

export function empty({ seats, dealer, blinds = "none", counting = false }) {
  return { seats, dealer, blinds, counting, declarer: null, joiners: [], marks: {}, counts: [], blind: null, passed: false };
}

/** Take everything back but the way of counting. */
export function clear(state) {
  return empty(state);
}

export function active(state) {
  if (state.declarer === null) return [];
  return [state.declarer, ...state.joiners].sort((a, b) => a - b);
}

export function role(state, seat) {
  if (seat === state.declarer) return "declarer";
  return state.joiners.includes(seat) ? "joiner" : "out";
}

function forget(state, seat) {
  const marks = { ...state.marks };
  delete marks[seat];
  return { ...state, marks, counts: state.counts.filter(([other]) => other !== seat) };
}

/** First tap declares, the next join; a second tap takes it back, the declarer's takes back all. */
export function tap(state, seat) {
  if (seat < 0 || seat >= state.seats) return state;
  if (state.declarer === null) return { ...state, declarer: seat, passed: false };
  if (seat === state.declarer) return clear(state);
  if (state.joiners.includes(seat)) {
    return { ...forget(state, seat), joiners: state.joiners.filter((other) => other !== seat) };
  }
  return { ...state, joiners: [...state.joiners, seat] };
}

/** Nobody declared; again: taken back. */
export function pass(state) {
  return { ...clear(state), passed: !state.passed };
}

export function mark(state, seat, made) {
  if (role(state, seat) === "out") return state;
  return { ...state, marks: { ...state.marks, [seat]: made } };
}

export function toggleMade(state, seat) {
  return mark(state, seat, !madeOf(state)[seat]);
}

/**
 * Who made it, {seat: bool} for the active seats. What was tapped stands; the rest made it as far as four tricks reach: a
 * declarer with two leaves two joiners one each, a declarer who failed leaves up to four.
 */
export function madeOf(state) {
  const made = {};
  if (state.declarer === null) return made;
  const tapped = state.joiners.filter((seat) => state.marks[seat] === true).length;
  const declarerMade = state.marks[state.declarer] ?? tapped <= 2;
  made[state.declarer] = declarerMade;
  let left = (declarerMade ? 2 : TRICKS) - tapped;
  for (const seat of state.joiners) {
    if (seat in state.marks) made[seat] = state.marks[seat];
    else made[seat] = left-- > 0;
  }
  return made;
}

/** Whether four tricks can give what `madeOf` says (rulebook R5). */
export function madePossible(state) {
  const made = madeOf(state);
  const joiners = state.joiners.filter((seat) => made[seat]).length;
  if (state.joiners.length === 0) return true;
  return made[state.declarer] ? joiners <= 2 : joiners >= 1 && joiners <= TRICKS;
}

/**
 * Tricks of the active seats, {seat: count | null}. Once all but one are known, or four are given out, the rest follows.
 */
export function tricksOf(state) {
  const tapped = new Map(state.counts);
  const seats = active(state);
  const sum = [...tapped.values()].reduce((a, b) => a + b, 0);
  const open = seats.filter((seat) => !tapped.has(seat));
  const tricks = {};
  for (const seat of seats) {
    if (tapped.has(seat)) tricks[seat] = tapped.get(seat);
    else if (sum === TRICKS) tricks[seat] = 0;
    else tricks[seat] = open.length === 1 ? TRICKS - sum : null;
  }
  return tricks;
}

export function tricksLeft(state) {
  return TRICKS - state.counts.reduce((sum, [, n]) => sum + n, 0);
}

/**
 * Say how many tricks a seat took. The newest word stands; where it no longer fits, the oldest gives way, so that there is
 * always a way on and never more than four.
 */
export function count(state, seat, tricks) {
  if (role(state, seat) === "out" || tricks < 0 || tricks > TRICKS) return state;
  let counts = [...state.counts.filter(([other]) => other !== seat), [seat, tricks]];
  const sum = () => counts.reduce((total, [, n]) => total + n, 0);
  while (counts.length > 1 && (sum() > TRICKS || (counts.length === active(state).length && sum() !== TRICKS))) {
    counts = counts.slice(1);
  }
  return { ...state, counts };
}

/** One more or one less than is shown; from nothing, 'more' is one and 'less' is none. */
export function step(state, seat, by) {
  const shown = tricksOf(state)[seat];
  return count(state, seat, Math.min(TRICKS, Math.max(0, (shown ?? 0) + by)));
}

export function setCounting(state, counting) {
  return { ...state, counting };
}

/** The ways in which the declarer may have declared: blind ones are the dealer's alone (C3.4, C3.5). */
export function blindChoices(state) {
  if (state.declarer === null || state.declarer !== state.dealer || state.blinds === "none") return [];
  return state.blinds === "both" ? [null, "blind", "double"] : [null, "blind"];
}

export function setBlind(state, blind) {
  return blindChoices(state).includes(blind) ? { ...state, blind } : state;
}

/** What is still to be said before the hand can be shown and saved: null | "declarer" | "tricks". */
export function missing(state) {
  if (state.passed) return null;
  if (state.declarer === null) return "declarer";
  if (state.counting && state.joiners.length > 0) {
    const tricks = Object.values(tricksOf(state));
    if (tricks.includes(null)) return "tricks";
  }
  return null;
}

/** The form's values: {passed, mode, blind, seats: [{role, made, tricks}]}, all as strings. */
export function fields(state) {
  const made = madeOf(state);
  const tricks = tricksOf(state);
  const seats = [];
  for (let seat = 0; seat < state.seats; seat++) {
    const taken = tricks[seat];
    seats.push({
      role: role(state, seat),
      made: made[seat] === false ? "no" : "yes",
      tricks: taken === undefined || taken === null ? "" : String(taken),
    });
  }
  return { passed: state.passed, mode: state.counting ? "tricks" : "made", blind: state.blind ?? "", seats };
}

/** The state that a form shows: the other way round, for a page that comes back refused. */
export function fromFields(start, values) {
  let state = { ...start, passed: values.passed, counting: values.mode === "tricks" };
  const declarer = values.seats.findIndex((seat) => seat.role === "declarer");
  if (declarer < 0) return state;
  state = { ...state, declarer, passed: false };
  values.seats.forEach((seat, number) => {
    if (seat.role === "joiner") state = { ...state, joiners: [...state.joiners, number] };
  });
  state = setBlind(state, values.blind || null);
  if (state.counting) {
    const counts = active(state).filter((seat) => values.seats[seat].tricks !== "").map((seat) => [seat, Number(values.seats[seat].tricks)]);
    return { ...state, counts };
  }
  const usual = madeOf(state);
  for (const seat of active(state)) {
    const made = values.seats[seat].made !== "no";
    if (made !== usual[seat]) state = mark(state, seat, made);
  }
  return state;
}
