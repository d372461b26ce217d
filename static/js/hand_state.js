// The entry of a hand as plain data: each function takes a state and returns a new one. It does not touch the page.
//
// State: { seats, dealer, blinds ("none" | "blind" | "both"), declarer (seat | null), joiners (seats, in the order tapped),
// marks ({seat: bool}: made or failed as tapped), counts ([[seat, tricks]], oldest first: tricks as tapped),
// counting (bool), blind (null | "blind" | "double"), passed (bool: nobody declared) }
// Kratzen has beside these: { game: "kratzen", muss (bool: everybody has to play), sevens ("off" | "deal" | "any": the house
// rule), cuts (cards shown at the cuts, a letter each: A, 7, W for the Weli, x; two a cut), call ("schlagen" | "oder" |
// "weiter-oder"), seven (bool: a seven decided the trump) }; `dealer` is then the player with the pack before the cuts.

export const TRICKS = 4;

export function empty({ seats, dealer, blinds = "none", counting = false, game = "chratze", muss = false, sevens = "off", cuts = "" }) {
  const state = { seats, dealer, blinds, counting, declarer: null, joiners: [], marks: {}, counts: [], blind: null, passed: false };
  return game === "kratzen" ? { ...state, game, muss, sevens, cuts, call: "schlagen", seven: false, counting: true } : state;
}

/** Return true if everybody plays without being asked: a Muss or a Siebenermuss. */
export function allPlay(state) {
  return state.game === "kratzen" && (state.muss || state.seven);
}

/** Return true if a call turned the seven that made the Siebenermuss (K5.3): then the caller is declarer. */
export function calledSeven(state) {
  return state.seven && !state.muss && state.sevens === "any" && state.declarer !== null && state.call !== "schlagen";
}

/** The seat that has the pack after a card shown at a cut: an ace passes it to the left, a seven to the right (K3.2). */
function packAfter(state, seat, card) {
  const step = card === "A" ? 1 : card === "7" ? -1 : 0;
  return (seat + step + state.seats) % state.seats;
}

/** The dealer: in Kratzen after the cuts. */
export function dealerOf(state) {
  return [...state.cuts ?? ""].reduce((seat, card) => packAfter(state, seat, card), state.dealer);
}

/** The units that each seat pays for the cuts: one who gets the pack, and all for the Weli (K3.2). */
export function cutUnits(state) {
  const units = Array.from({ length: state.seats }, () => 0);
  let seat = state.dealer;
  for (const card of state.cuts ?? "") {
    seat = packAfter(state, seat, card);
    if (card === "A" || card === "7") units[seat] += 1;
    if (card === "W") units.forEach((_, each) => { units[each] += 1; });
  }
  return units;
}

export function declarerOf(state) {
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
  if (declarer === null) return [];
  return [declarer, ...joinersOf(state)].sort((a, b) => a - b);
}

export function role(state, seat) {
  if (seat === declarerOf(state)) return "declarer";
  return joinersOf(state).includes(seat) ? "joiner" : "out";
}

function forget(state, seat) {
  const marks = { ...state.marks };
  delete marks[seat];
  return { ...state, marks, counts: state.counts.filter(([other]) => other !== seat) };
}

/** One trick more than was tapped. A count that only followed from the others is confirmed by this, not raised. */
function oneMore(state, seat) {
  const tapped = state.counts.find(([other]) => other === seat)?.[1] ?? 0;
  return count(state, seat, Math.min(TRICKS, tapped + 1));
}

/**
 * The first tap declares, the next ones join. A second tap on a joiner takes it back, on the declarer clears all. Where
 * everybody plays, a tap is a trick.
 */
export function tap(state, seat) {
  if (seat < 0 || seat >= state.seats) return state;
  if (allPlay(state)) return oneMore(state, seat);
  if (state.declarer === null) return { ...state, declarer: seat, passed: false };
  if (seat === state.declarer) return clear(state);
  if (state.joiners.includes(seat)) {
    return { ...forget(state, seat), joiners: state.joiners.filter((other) => other !== seat) };
  }
  return { ...state, joiners: [...state.joiners, seat] };
}

/** Nobody declared; a second tap takes that back. */
export function pass(state) {
  if (state.muss) return state;
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
 * The goals made, {seat: bool} for the active seats. Marks that were tapped count; the other seats made it as far as four tricks
 * suffice: beside a declarer with two tricks two joiners can have one each, beside a declarer who failed up to four.
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

/**
 * Tricks of the active seats, {seat: count | null}. Once all but one are known, or four are given out, the rest follows. Else
 * the rest is the likeliest one, if there is one.
 */
export function tricksOf(state) {
  const tapped = new Map(state.counts);
  const seats = active(state);
  const sum = [...tapped.values()].reduce((a, b) => a + b, 0);
  const open = seats.filter((seat) => !tapped.has(seat));
  const guessed = sum < TRICKS && open.length > 1 ? likely(state, open, TRICKS - sum) : {};
  const tricks = {};
  for (const seat of seats) {
    if (tapped.has(seat)) tricks[seat] = tapped.get(seat);
    else if (sum === TRICKS) tricks[seat] = 0;
    else tricks[seat] = open.length === 1 ? TRICKS - sum : guessed[seat] ?? null;
  }
  return tricks;
}

/**
 * The likeliest tricks of the seats without a count: the declarer two, a joiner one, a lone joiner two. Up to two joiners, a
 * count that was tapped changes the others: the declarer takes what is left, the joiner who joined last lacks it. With three
 * joiners or more there are too many ways, so the rest is filled in only where these tricks are exactly what is left. Where
 * everybody plays it never is.
 */
function likely(state, open, left) {
  if (allPlay(state)) return {};
  const joiners = state.joiners.filter((seat) => open.includes(seat));
  const tricks = Object.fromEntries(joiners.map((seat) => [seat, state.joiners.length === 1 ? 2 : 1]));
  if (open.includes(state.declarer)) tricks[state.declarer] = 2;
  let spare = left - Object.values(tricks).reduce((a, b) => a + b, 0);
  if (spare !== 0 && state.joiners.length > 2) return {};
  const gets = open.includes(state.declarer) ? [state.declarer] : joiners;
  for (let turn = 0; spare > 0; turn++, spare--) tricks[gets[turn % gets.length]] += 1;
  for (const seat of [...joiners].reverse()) {
    while (spare < 0 && tricks[seat] > 0) { tricks[seat] -= 1; spare += 1; }
  }
  if (spare < 0) tricks[state.declarer] += spare;
  return tricks;
}

export function tricksLeft(state) {
  return TRICKS - state.counts.reduce((sum, [, n]) => sum + n, 0);
}

/**
 * Set the tricks of a seat. The newest count stays; if the sum does not fit any more, the oldest count is dropped, so that
 * there are never more than four and the entry can always go on.
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

/** One more or one less than the shown count; without a count 'more' gives one and 'less' none. */
export function step(state, seat, by) {
  const shown = tricksOf(state)[seat];
  return count(state, seat, Math.min(TRICKS, Math.max(0, (shown ?? 0) + by)));
}

export function setCounting(state, counting) {
  return { ...state, counting };
}

/** Return true if a cut can show this card now. The card without effect that ends the cuts needs no tap; there is one Weli. */
export function canShow(state, card) {
  const first = state.cuts.length % 2 === 0;
  return card === "x" ? !first : card !== "W" || first || !state.cuts.endsWith("W");
}

/** Add a card shown at a cut. */
export function cut(state, card) {
  return state.game === "kratzen" && canShow(state, card) ? { ...state, cuts: state.cuts + card } : state;
}

export function uncut(state) {
  return state.cuts ? { ...state, cuts: state.cuts.slice(0, -1) } : state;
}

export function setCall(state, call) {
  return state.game === "kratzen" ? { ...state, call } : state;
}

/** A seven decided the trump: everybody plays. The caller stays declarer only if the call turned the seven. */
export function toggleSeven(state) {
  if (state.game !== "kratzen" || state.sevens === "off") return state;
  if (state.seven) return clear(state);
  const next = { ...state, seven: true, passed: false, counts: [], joiners: [] };
  return calledSeven(next) ? next : { ...next, declarer: null, call: "schlagen" };
}

/**
 * The same entry on the present seats: `before` and `now` are the players by seat, `start` is the state of an empty entry. A
 * player who left loses the role, and without a declarer nobody joins.
 */
export function carry(start, state, before, now) {
  const seatOf = (seat) => now.indexOf(before[seat]);
  const here = (seat) => seat !== null && seatOf(seat) >= 0;
  const cards = start.game === "kratzen" ? { cuts: state.cuts, call: state.call, seven: state.seven && start.sevens !== "off" } : {};
  const next = { ...start, ...cards, counting: state.counting, passed: state.passed && !start.muss };
  const declarer = !start.muss && here(state.declarer) ? seatOf(state.declarer) : null;
  const counts = state.counts.filter(([seat]) => here(seat)).map(([seat, tricks]) => [seatOf(seat), tricks]);
  if (allPlay(next)) return { ...next, declarer, counts };
  if (declarer === null) return next;
  const marks = Object.fromEntries(Object.entries(state.marks).filter(([seat]) => here(seat)).map(([seat, made]) => [seatOf(seat), made]));
  return setBlind({ ...next, declarer, joiners: state.joiners.filter(here).map(seatOf), marks, counts }, state.blind);
}

/** Return true if nothing was entered yet. */
export function untouched(state) {
  return state.declarer === null && !state.passed && !state.cuts && !state.seven && state.counts.length === 0;
}

/** The ways in which the declarer may have declared: blind ones are the dealer's alone (C3.4, C3.5). */
export function blindChoices(state) {
  if (state.declarer === null || state.declarer !== state.dealer || state.blinds === "none") return [];
  return state.blinds === "both" ? [null, "blind", "double"] : [null, "blind"];
}

export function setBlind(state, blind) {
  return blindChoices(state).includes(blind) ? { ...state, blind } : state;
}

/** The part of the entry that is still missing for a preview: null | "cut" | "declarer" | "tricks". */
export function missing(state) {
  if (state.cuts && state.cuts.length % 2 === 1) return "cut";
  if (state.passed) return null;
  if (declarerOf(state) === null) return "declarer";
  if (state.counting && joinersOf(state).length > 0) {
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
  const values = { passed: state.passed, mode: state.counting ? "tricks" : "made", blind: state.blind ?? "", seats };
  return state.game === "kratzen" ? { ...values, cuts: state.cuts, game_type: state.call, seven: state.seven } : values;
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
    seats: Array.from({ length: seats }, (_, seat) => (
      { role: fields[`role-${seat}`].value, made: fields[`made-${seat}`]?.value ?? "yes", tricks: fields[`tricks-${seat}`].value }
    )),
  };
}

/** The state of a form with values, for a page that comes back refused. */
export function fromFields(start, values) {
  let state = { ...start, passed: values.passed, counting: values.mode === "tricks" };
  if (state.game === "kratzen") {
    state = { ...state, counting: true, cuts: values.cuts, call: values.game_type || "schlagen", seven: values.seven };
    const called = calledSeven({ ...state, declarer: 0 });
    if (allPlay(state)) {
      if (called) state = { ...state, declarer: values.seats.findIndex((seat) => seat.role === "declarer") };
      return withCounts(state, values);
    }
  }
  const declarer = values.seats.findIndex((seat) => seat.role === "declarer");
  if (declarer < 0) return state;
  state = { ...state, declarer, passed: false };
  values.seats.forEach((seat, number) => {
    if (seat.role === "joiner") state = { ...state, joiners: [...state.joiners, number] };
  });
  state = setBlind(state, values.blind || null);
  if (state.counting) return withCounts(state, values);
  const usual = madeOf(state);
  for (const seat of active(state)) {
    const made = values.seats[seat].made !== "no";
    if (made !== usual[seat]) state = mark(state, seat, made);
  }
  return state;
}

function withCounts(state, values) {
  const counts = active(state).filter((seat) => values.seats[seat].tricks !== "").map((seat) => [seat, Number(values.seats[seat].tricks)]);
  return { ...state, counts };
}
