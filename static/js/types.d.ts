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

type Game = "chratze" | "kratzen";

/** Effective house rules; their names and values are in rules/houserules.js. */
// biome-ignore lint/suspicious/noExplicitAny: numbers, words and flags
type HouseRules = Record<string, any>;

/** A tally with all its fields. `tricks` by seat; the last three of each game are missing in the other one. */
interface Tally {
  game: Game;
  rules: HouseRules;
  seats: number;
  dealer: number;
  pot_before: number;
  declarer: number | null;
  joiners: number[];
  tricks: Record<string, number>;
  claimed: number[];
  deal_number: number;
  blind: "blind" | "double" | null;
  made: number[];
  cuts: string[][];
  seven: boolean;
  game_type: string | null;
}

type Roles = { declarer: number | null; joiners: number[] };
/** The tricks by seat, null if only the goals were marked; the joiners who made their goal. */
type Played = { tricks: number[] | null; declarerMade: boolean; winners: number[] };
type Choice = Roles & { muss: boolean; seven: boolean };
/** Throws a Fault unless the value at this place is allowed. */
// biome-ignore lint/suspicious/noExplicitAny: the value is from outside
type Check = (value: any, at: string) => void;
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
