// What the type checker must know besides the modules. Browsers do not load this file.

// --- Selectors: the pages are HTML, so a selector finds no other elements -------------------------------------------

/** Elements by the last part of a selector, where it does not name the element. */
interface ElementsBySelector {
  "#all-steps": HTMLDetailsElement;
  "#chip": HTMLTemplateElement;
  "#enter": HTMLDetailsElement;
  "#evening": HTMLFormElement;
  "#hand": HTMLFormElement;
  "#names": HTMLTextAreaElement;
  "#pot": HTMLInputElement;
  "#saved-screen": HTMLTemplateElement;
  "#seat-row": HTMLTemplateElement;
  "#sitter": HTMLTemplateElement;
  "#steps": HTMLFormElement;
  "#waits-for": HTMLTemplateElement;
  "#word-note": HTMLTemplateElement;
  "#who": HTMLInputElement;
  "[data-chips]": HTMLInputElement;
  "[data-drop]": HTMLAnchorElement;
  "[data-guest]": HTMLInputElement;
  "[data-move]": HTMLButtonElement;
  "[data-paid-day]": HTMLFormElement;
  "[data-swap-form]": HTMLFormElement;
  "[data-text]": HTMLTextAreaElement;
  "[name=csrfmiddlewaretoken]": HTMLInputElement;
  "[name=first_dealer]": HTMLInputElement;
  "[name=seating]": HTMLInputElement;
  "[name=first_dealer]:checked": HTMLInputElement;
}

/** The last part of a selector, behind all spaces. */
type LastPart<S extends string> = S extends `${string} ${infer Rest}` ? LastPart<Rest> : S;

/** The name of the element that a part begins with. */
type Name<S extends string> = S extends `${infer Head}${"[" | "." | ":" | "#"}${string}` ? Name<Head> : S;

type Part<S extends string> = S extends keyof ElementsBySelector
  ? ElementsBySelector[S]
  : Name<S> extends keyof HTMLElementTagNameMap
    ? HTMLElementTagNameMap[Name<S>]
    : HTMLElement;

type Found<S extends string> = S extends `${string},${string}` ? HTMLElement : Part<LastPart<S>>;

interface ParentNode {
  querySelector<S extends string>(selectors: S): Found<S> | null;
  querySelectorAll<S extends string>(selectors: S): NodeListOf<Found<S>>;
}

interface Document {
  getElementById<S extends string>(id: S): Part<`#${S}`> | null;
}

interface Element {
  closest<S extends string>(selectors: S): Found<S> | null;
}

// --- Forms: their fields by name ------------------------------------------------------------------------------------

interface HTMLFormControlsCollection {
  // biome-ignore lint/suspicious/noExplicitAny: a field, or several with one name
  [name: string]: any;
}

// --- htmx -----------------------------------------------------------------------------------------------------------

interface Window {
  htmx?: {
    process(element: Element): void;
    trigger(element: Element | null, event: string): void;
    ajax(verb: string, path: string, context: object): Promise<void>;
  };
}

type HtmxEvent = CustomEvent<{
  xhr: XMLHttpRequest;
  shouldSwap: boolean;
  requestConfig: { verb: string };
}> & { target: HTMLElement };

interface DocumentEventMap {
  "stream-changed": CustomEvent<{ open: boolean }>;
  "htmx:afterRequest": HtmxEvent;
  "htmx:afterSettle": HtmxEvent;
  "htmx:afterSwap": HtmxEvent;
  "htmx:beforeOnLoad": HtmxEvent;
  "htmx:beforeRequest": HtmxEvent;
  "htmx:beforeSwap": HtmxEvent;
  "htmx:confirm": HtmxEvent;
}

// --- The rules on the phone: docs/rulebook/hand-record.md -----------------------------------------------------------

type Game = keyof typeof import("./rules/games.js").GAMES;

/** The rules of a game on the phone: rules/games.js lists all of them. */
interface RulesOfGame {
  /** The least and the most players. */
  seats: [least: number, most: number];
  /** A record says how often the dealer has dealt in a row. */
  countsDeals: boolean;
  /** The house rules by name, in the order of the engine: the default, and the test of a value. */
  // biome-ignore lint/suspicious/noExplicitAny: numbers, words and flags
  values: Record<string, [value: any, test: (value: any) => boolean]>;
  /** Throw R4 if the effective rules do not fit together; `given` are the names of those that were given. */
  checkRules: (rules: HouseRules, given: string[]) => void;
  /** The fields of a tally and their checks, and those that a tally must have. */
  fields: Record<string, Check>;
  needed: string[];
  /** The fields that only this game has, with their defaults. Throws R1. */
  // biome-ignore lint/suspicious/noExplicitAny: the fields were checked before
  read: (record: any) => Partial<Tally>;
  /** Throw R1 for what depends on the house rules. */
  checkTable: (rules: HouseRules, hand: Tally) => void;
  replay: (hand: Tally) => HandResult;
  due: (
    rules: HouseRules,
    table: { seats: number; dealer: number; pot_before: number; deal_number: number },
  ) => { antes: number[]; muss: boolean | null };
  afterCuts:
    | null
    // biome-ignore lint/suspicious/noExplicitAny: cards by cut, or one card a cut
    | ((rules: HouseRules, table: { seats: number; dealer: number; cuts: any[] }) => Cuts);
  /** The house rules that changed the amounts, without the limit of the pot. */
  effects: (rules: HouseRules, record: Tally, result: HandResult) => HandEffect[];
}

/** How a hand of a game is entered: entry/games.js lists all of them. A state is one of hand_state.js. */
// biome-ignore lint/suspicious/noExplicitAny: a state has fields of its game
type EntryState = any;
interface EntryOfGame {
  tricks: number;
  /** One of those who play declares. */
  hasDeclarer: boolean;
  /** Tricks are counted in every hand: the goals alone do not decide the amounts. */
  alwaysCounts: boolean;
  /** A trick more than everybody needs is given to somebody without a question. */
  sparesTrick: boolean;
  /** The house rule that decides what becomes of an amount that cannot be divided. */
  dividedRule: string;
  /** The calls of the declarer, if there are several. */
  calls: string[];
  /** The cuts before the deal: the letters of the cards shown (state.cuts) and what they mean. */
  cuts: null | {
    /** The seat that has the pack after a card, and those that pay for it, each once. */
    after: (state: EntryState, pack: number, card: string) => { pack: number; paid: number[] };
    canShow: (state: EntryState, card: string) => boolean;
    /** The last cut needs another card. */
    isOpen: (state: EntryState) => boolean;
    /** The letters of the cuts of a record. */
    // biome-ignore lint/suspicious/noExplicitAny: cards by cut, or one card a cut
    shownOf: (cuts: any[]) => string;
  };
  /** The fields that only this game has in an empty state. */
  state: (given: EntryState) => EntryState;
  /** The same from the data of a form, and from the present of a table. */
  ofForm: (data: DOMStringMap) => EntryState;
  ofTable: (now: Shown) => EntryState;
  /** Those that stay when the seats change; `seatOf` is the new seat, below 0 for a player who left. */
  kept: (state: EntryState, start: EntryState, seatOf: (seat: number) => number) => EntryState;
  /** Those of the form and back. `lost`: the seat that lost the card for whose loss a player pays. */
  fields: (state: EntryState, also: { lost: number | null }) => EntryState;
  // biome-ignore lint/suspicious/noExplicitAny: the values of a form
  fromFields: (values: any) => EntryState;
  /** Those of the tally. `called`: the call of the declarer counts. */
  tally: (state: EntryState, also: { called: boolean; lost: number | null }) => object;
  /** The game of this tally without the fields of the table can only be this one. */
  // biome-ignore lint/suspicious/noExplicitAny: a tally, as it was sent
  owns: (record: any) => boolean;
}

type Cuts = { dealer: number; payments: number[] };
type HandEffect = { kind: string; amount: number; seat: number | null };

/** Effective house rules; their names and values are in the folder of each game, in rules.js. */
// biome-ignore lint/suspicious/noExplicitAny: numbers, words and flags
type HouseRules = Record<string, any>;

/** A tally with all its fields. `tricks` by seat; the fields after `claimed` are missing in some games. */
interface Tally {
  game: Game;
  rules: HouseRules;
  seats: number;
  dealer: number;
  pot_before: number;
  tricks: Record<string, number>;
  claimed: number[];
  declarer: number | null;
  joiners: number[];
  deal_number: number;
  blind: "blind" | "double" | null;
  made: number[];
  // biome-ignore lint/suspicious/noExplicitAny: cards by cut, or one card a cut
  cuts: any[] | null;
  seven: boolean;
  game_type: string | null;
  players: number[];
  seven_lost: number | null;
}

type Roles = { declarer: number | null; joiners: number[] };
/** The tricks by seat, null if only the goals were marked; the joiners who made their goal. */
type Played = { tricks: number[] | null; declarerMade: boolean; winners: number[] };
type Choice = Roles & { muss: boolean; seven: boolean };
/** Throws a Fault unless the value at this place is allowed. */
// biome-ignore lint/suspicious/noExplicitAny: the value is from outside
type Check = (value: any, path: string) => void;
type Movement = [kind: string, amounts: number[]];

interface HandResult {
  ok: true;
  error?: undefined;
  outcome: string;
  declarer: number | null;
  joiners: number[];
  muss: boolean | null;
  pot: number;
  tricks: number[] | null;
  lines: { seat: number; kind: string; amount: number }[];
  deltas: number[];
  pot_after: number;
  next: { dealer: number; deal_number: number; muss: boolean | null };
  susi: number | null;
  blind: string | null;
}

interface Refusal {
  ok: false;
  error: { clause: string; at: string; reason?: string };
}

// --- A night on the phone: docs/night.md ----------------------------------------------------------------------------

/** An id of the server, or the key of the write that makes the player or the table. */
type Reference = number | string;

interface Seat {
  player: Reference;
  name: string;
  sum: number;
}

/** A write; its other fields are those of its kind. */
interface Write {
  format: number;
  key: string;
  kind: string;
  club: string;
  table?: Reference;
  at: number;
  // biome-ignore lint/suspicious/noExplicitAny: the fields of each kind are checked in night/writes.js
  [field: string]: any;
}

interface StoredHand {
  number: number;
  keys: string[];
  voided: boolean;
  players: Reference[];
  // biome-ignore lint/suspicious/noExplicitAny: a tally, as it was stored
  record: any;
  deltas?: number[];
}

/** The state of a table on the server. Fields that older versions lack may be missing. */
interface Snapshot {
  format: number;
  made_at: number;
  club: { slug: string; name: string };
  in_chips: boolean;
  points_only?: boolean;
  evening: {
    id: number | null;
    number: number | null;
    game: Game;
    rules: HouseRules;
    rules_version: number | null;
    open: boolean;
    held_on: string;
  };
  table: {
    id: Reference;
    number: number;
    hands: number;
    position: number;
    pot_before: number;
    dealer: number;
    deal_number: number;
    paused: boolean;
    dissolved: boolean;
    last_hand: boolean;
    ended: boolean;
    hands_left?: number | null;
    others: number;
  };
  seats: Seat[];
  roster?: { player: Reference; name: string; sum?: number }[];
  stored?: StoredHand[];
  keys?: string[];
  refs?: Record<string, Reference>;
  urls: Record<string, string>;
}

/** The state of a table while writes are carried out on it; `dealer` is a player. */
interface TableState {
  hands: number;
  pot: number;
  dealer: Reference;
  dealNumber: number;
  paused: boolean;
  ended: boolean;
  handsLeft: number | null;
  seats: Seat[];
  roster: Seat[];
}

/** What a page shows of such a state; `dealer` is a seat. */
interface Shown {
  snapshot: Snapshot;
  table: Reference;
  game: Game;
  rules: HouseRules;
  number: number;
  potBefore: number;
  due: { antes: number[]; muss: boolean | null; pot: number };
  pot: number;
  muss: boolean | null;
  dealer: number;
  dealNumber: number;
  paused: boolean;
  ended: boolean;
  over: boolean;
  lastHand: boolean;
  handsLeft: number | null;
  seats: Seat[];
  roster: Seat[];
}

interface DoneWrite {
  write: Write;
  start: Shown;
  result: HandResult | null;
  seats: Seat[];
  same?: boolean;
}

type StuckWrite = { write: Write; why: string; error: { clause: string; at: string } | null };
type Present = Shown & { done: DoneWrite[]; stuck: StuckWrite | null };
// biome-ignore lint/suspicious/noExplicitAny: a value from outside
type Test = (value: any) => boolean;
