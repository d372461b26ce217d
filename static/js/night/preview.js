// The preview of a hand as the phone counts it: the same HTML and sentences as templates/games/table/_preview.html.
import { element } from "../dom.js";
import { entryOfGame } from "../entry/games.js";
import { gain, money } from "../money.js";
import { due, effects, replay } from "../rules/index.js";
import { problemOf } from "./entry_problems.js";
import { price, say, text } from "./texts.js";

/**
 * The preview of a complete record (static/js/rules/index.js). `view`: { names (by seat), last (bool: the last hand for
 * all), rules (address of the page of the house rules, or "") }. Returns { box (element), record, result, problem (null
 * | {sentence, code, rows}) }.
 */
export function previewOf(record, view) {
  const result = replay(record);
  if (result.ok) return { box: outcome(record, result, view), record, result, problem: null };
  const problem = problemOf(result.error, record);
  return { box: refusal(problem), record, result, problem };
}

/**
 * A problem: its sentence, its clause, and the rows that it is about. `kind`: "compare" or "seats" where Save shows
 * more.
 */
export function refusal({ sentence, code, rows = [], kind = "" }) {
  const clause = /^[A-Z]\d/.test(code) ? element("p", "soft small", text("preview.clause", { clause: code })) : null;
  const box = element("div", "why", element("p", "", sentence), clause);
  box.dataset.refused = kind;
  box.dataset.rows = rows.join(",");
  return box;
}

/** The coins without antes, in the order in which they move: the lines of the saved screen. */
export const coinsOf = (result) => result.lines.filter((line) => line.kind !== "ante");

/** The lines of the house rules that changed the amounts, or null. */
export function effectLines(record, result, view) {
  const changes = effects(record, result);
  if (!changes.length) return null;
  const divided = entryOfGame(record.game).dividedRule;
  const parts = changes.flatMap((effect, index) => {
    const sentence = effectSentence(effect, view.names);
    const rule = ["half", "limit"].includes(effect.kind) ? "pot" : divided;
    return [index ? " · " : null, view.rules ? link(`${view.rules}#rule-${rule}`, sentence) : sentence];
  });
  return { count: changes.length, line: element("p", "effects soft", ...parts) };
}

function effectSentence({ kind, amount, seat }, names) {
  const stays = kind === "remainder" && seat === null;
  return text(`effect.${stays ? "stays" : kind}`, { amount: money(amount), name: seat === null ? "" : names[seat] });
}

function outcome(record, result, view) {
  const next = nextHand(record, result, view.names);
  const coins = coinsOf(result);
  const rules = effectLines(record, result, view);
  const box = element("div", "");
  box.dataset.accepted = "";
  if (result.outcome === "passed_out") box.append(...passedOut(record, isTaken(result, coins), next, view));
  if (coins.length) box.append(sums(coins, view.names, rules?.count ?? 0, isTaken(result, coins)));
  else if (result.muss) box.append(element("p", "say", text("preview.all-made")));
  if (result.outcome === "walkover") box.append(element("p", "soft aside", nobodyJoins(record, result, view.names)));
  if (rules) box.append(rules.line);
  box.append(nextLine(record, result, next, view));
  return box;
}

/** The antes before the next hand: {dealer (name), ante, dealerAnte, muss, pot}. */
export function nextHand(record, result, names) {
  const { dealer, deal_number } = result.next;
  const { game, rules, seats } = record;
  const { antes, muss, pot } = due({ game, rules, seats, dealer, pot_before: result.pot_after, deal_number });
  return { dealer: names[dealer], ante: antes[(dealer + 1) % seats], dealerAnte: antes[dealer], muss, pot };
}

function passedOut({ game }, taken, next, view) {
  const name = taken ? "passed-paid" : "passed";
  const lines = [element("p", "say", say(game, name, { dealer: next.dealer }))];
  if (next.ante && !view.last)
    lines.push(element("p", "soft", text("preview.antes-again", { amount: price(next.ante) })));
  return lines;
}

/** Return true if nobody played and somebody takes the pot. */
const isTaken = ({ outcome }, coins) => outcome === "passed_out" && coins.some(({ kind }) => kind === "payout");

function sums(coins, names, rules, taken) {
  const many =
    (taken && coins.length > 2) || coins.length > 4 || (rules && coins.length > 3) || (rules > 1 && coins.length > 2);
  const does = {
    payout: "preview.takes",
    penalty: "preview.pays",
    cut: "preview.pays-cut",
    seven: "preview.pays-seven",
  };
  const lines = coins.map(({ seat, kind, amount }) =>
    element(
      "li",
      "",
      element("span", "name", names[seat]),
      " ",
      element("span", "does", text(does[kind])),
      " ",
      element("b", `num ${amount > 0 ? "gain" : amount < 0 ? "loss" : ""}`, gain(amount)),
    ),
  );
  return element("ul", many ? "sum many" : "sum", ...lines);
}

function nobodyJoins({ game }, result, names) {
  return result.susi === null ? say(game, "alone") : text("preview.susi", { susi: names[result.susi] });
}

function nextLine({ game }, result, next, view) {
  const { dealer } = next;
  const sentence = view.last
    ? text("preview.next-last")
    : next.muss || next.dealerAnte
      ? say(game, next.muss ? "next-muss" : "next-antes", { dealer })
      : text("preview.next", { dealer });
  const pot = element("b", "num pot-ink", price(view.last ? result.pot_after : next.pot));
  return element("p", "next", element("span", "soft", sentence), " ", pot);
}

function link(href, words) {
  const made = element("a", "", words);
  made.setAttribute("href", href);
  return made;
}
