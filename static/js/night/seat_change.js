// The effect of a seating change, before it is stored: title, sentences, button. The same words as
// games/seating/preview.py on the server.
import { entryOfGame } from "../entry/games.js";
import { present, seatsOf } from "./present.js";
import { gainPrice, price, text } from "./texts.js";

const LONGEST_NICKNAME = 40;

const nameIn = (now, player) => now.seats.find((seat) => seat.player === player)?.name ?? "";

/** The player of the table or the roster with this nickname: { player, name, sits }; null if there is none. */
export function called(now, nickname) {
  const same = ({ name }) => name.toLocaleLowerCase() === nickname.toLocaleLowerCase();
  const sits = now.seats.find(same);
  if (sits) return { ...sits, sits: true };
  const known = now.roster.find(same);
  return known ? { ...known, sits: false } : null;
}

/** The reason why a typed nickname cannot come, in one sentence; empty if it can. */
export function nicknameProblem(now, nickname) {
  const known = called(now, nickname);
  if (known?.sits) return text("seats.refused-here", { name: known.name });
  const printable = !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(nickname);
  return nickname && nickname.length <= LONGEST_NICKNAME && printable
    ? ""
    : text("seats.refused-name", { max: LONGEST_NICKNAME });
}

/**
 * The effect of a seating write at the table of `now` (present.js). With `refused`, the sentence of the refusal, the
 * texts are empty.
 * @returns {{ after: any, refused: string, title: string, button: string, back: string,
 *   lines: {label: string, sentence: string, news: boolean}[] }}
 */
export function seatChange(now, write) {
  const after = present(now.snapshot, [...now.done.map((doneWrite) => doneWrite.write), write]);
  const why = after.stuck?.why ?? (after.done.at(-1).same ? "same" : "");
  if (why) return { after: now, refused: refusal(now, write, why), title: "", button: "", back: "", lines: [] };
  return {
    after,
    refused: "",
    ...head(now, after, write),
    lines: [...people(now, after, write), ...table(now, after, write)],
  };
}

function refusal(now, write, why) {
  if (why === "seats") {
    const [least, most] = seatsOf(now.game);
    const count = now.seats.length + (write.kind === "come" ? 1 : -1);
    const game = now.game[0].toUpperCase() + now.game.slice(1);
    return text(count > most ? "seats.refused-many" : "seats.refused-few", {
      count,
      number: now.snapshot.table.number,
      game,
      least,
      most,
    });
  }
  if (why === "same") return text(write.kind === "dealer" ? "seats.refused-same-dealer" : "seats.refused-same-order");
  if (why === "seating" && write.kind === "come")
    return text("seats.refused-here", { name: write.guest ?? nameIn(now, write.player) });
  return text(["closed", "dissolved", "round"].includes(why) ? `seats.refused-${why}` : "seats.refused-seating");
}

/** The player who comes, as the table after it has them. */
const newcomer = (now, after) => after.seats.find((seat) => !now.seats.some((sitter) => sitter.player === seat.player));

function head(now, after, write) {
  const before = now.seats[now.dealer].name;
  const of = (name, values) => ({
    title: text(`seats.${name}`, values),
    button: text(`seats.${name}-do`, values),
    back: text(`seats.${name}-back`, values),
  });
  if (write.kind === "come") return of("come", { name: newcomer(now, after).name, after: nameIn(now, write.after) });
  if (write.kind === "dealer") return of("dealer", { name: nameIn(now, write.player), before });
  if (write.kind === "leave") {
    const name = nameIn(now, write.player);
    const texts = of("leave", { name });
    return now.seats[now.dealer].player === write.player
      ? { ...texts, back: text("seats.leave-back-dealer", { name }) }
      : texts;
  }
  if (write.kind === "order") {
    const moved = now.seats.filter((seat, place) => seat.player !== write.players[place]).map((seat) => seat.name);
    const title =
      moved.length === 2
        ? text("seats.order-pair", { one: moved[0], other: moved[1] })
        : text("seats.order", { order: after.seats.map((seat) => seat.name).join(", ") });
    return { ...of("order", {}), title };
  }
  return of(write.kind, {});
}

/** Sentences about a player who comes or leaves. */
function people(now, after, write) {
  if (write.kind === "come") {
    const who = newcomer(now, after);
    const ante = after.due.antes[after.seats.indexOf(who)];
    const isNew = write.guest !== undefined && !called(now, write.guest);
    const sentence = ante ? text("seats.pays-ante", { amount: price(ante) }) : text("seats.pays-no-ante");
    return [{ label: who.name, sentence: isNew ? `${text("seats.new-guest")} ${sentence}` : sentence, news: isNew }];
  }
  if (write.kind !== "leave") return [];
  const place = now.seats.findIndex((seat) => seat.player === write.player);
  const ante = now.ended ? 0 : now.due.antes[place];
  const sum = text("seats.sum-stands", { amount: gainPrice(now.seats[place].sum) });
  return [
    {
      label: now.seats[place].name,
      sentence: ante ? `${sum} ${text("seats.ante-back", { amount: price(ante) })}` : sum,
      news: false,
    },
  ];
}

/** Sentences about pot, dealer and next hand. */
function table(now, after, write) {
  const hand = nextHand(after);
  return [
    {
      label: text("seats.label-pot"),
      sentence: text("seats.pot-as-before", { amount: price(after.potBefore) }),
      news: false,
    },
    dealer(now, after, write),
    { label: text("seats.label-next"), sentence: hand, news: hand !== nextHand(now) },
  ];
}

const forehand = (state) => state.seats[(state.dealer + 1) % state.seats.length];

function dealer(now, after, write) {
  const name = after.seats[after.dealer].name;
  const before = now.seats[now.dealer];
  const values = { name, before: before.name, number: after.number };
  const speaks = entryOfGame(after.game).cuts ? "" : ` ${text("seats.speaks-first", { name: forehand(after).name })}`;
  const label = text("seats.label-dealer");
  if (before.player === after.seats[after.dealer].player) {
    const still = after.dealNumber > 1 ? ` ${text("seats.still-deal", { n: after.dealNumber })}` : "";
    const sentence = text("seats.dealer-as-before", values) + still + speaks;
    return { label, sentence, news: forehand(now).player !== forehand(after).player };
  }
  const again = now.dealNumber > 1 ? ` ${text("seats.first-deal-again")}` : "";
  return {
    label,
    sentence:
      text(write.kind === "dealer" ? "seats.dealer-named" : "seats.dealer-after-leave", values) + again + speaks,
    news: true,
  };
}

/** The sentence about the next hand of a table: antes and pot. */
export function nextHand(state) {
  const pot = price(state.due.pot);
  const paid = state.due.antes.map((ante, place) => [state.seats[place].name, ante]).filter(([, ante]) => ante);
  let sentence;
  if (paid.length === 0) sentence = text("seats.no-ante", { pot });
  else if (paid.length === state.seats.length && new Set(paid.map(([, ante]) => ante)).size === 1) {
    sentence = text("seats.each-ante", { n: paid.length, amount: price(paid[0][1]), pot });
  } else
    sentence = text("seats.other-antes", {
      each: paid.map(([name, ante]) => `${name} ${price(ante)}`).join(", "),
      pot,
    });
  if (state.muss === null || state.muss === undefined) return sentence;
  return `${text(state.muss ? "seats.muss" : "seats.no-muss")} ${sentence}`;
}

/** The dealer of the next hand, and its pot. */
export function nowSentence(now) {
  const deals = text("seats.deals-hand", { dealer: now.seats[now.dealer].name, number: now.number });
  const deal = now.dealNumber > 1 ? ` ${text("seats.deal", { n: now.dealNumber })}` : "";
  return `${deals}${deal} ${nextHand(now)}`;
}
