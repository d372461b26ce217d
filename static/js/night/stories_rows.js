// The list of both stories, hand by hand: different hands side by side, equal ones folded.
import { changeText, clock, coinsLine, handLine } from "./stories_lines.js";
import { text } from "./texts.js";
import { element } from "../dom.js";

/**
 * The rows: { number, mine, theirs, same } for hands, { mine | theirs: {sentence}, change: true } for seating changes,
 * in the order of the table. A pair is one row, under the number that is stored.
 */
export function rowsOf(stories) {
  const mine = ownRows(stories);
  const theirs = storedRows(stories);
  const rows = [];
  while (mine.length > 0 || theirs.length > 0) {
    const [own, stored] = [mine[0], theirs[0]];
    if (!own || !stored) rows.push(own ? mine.shift() : theirs.shift());
    else if (own.change) rows.push(mine.shift());
    else if (stored.change) rows.push(theirs.shift());
    else if (own.pair === stored.theirs) rows.push({ ...mine.shift(), ...theirs.shift(), same: true });
    else if (own.pair) rows.push(theirs.shift());
    else if (stored.paired) rows.push(mine.shift());
    else if (own.number === stored.number) rows.push({ ...mine.shift(), ...theirs.shift(), same: false });
    else rows.push(own.number < stored.number ? mine.shift() : theirs.shift());
  }
  return rows;
}

function ownRows({ steps, mine, theirs, paired, names, results }) {
  let place = -1;
  return steps.map((step) => {
    if (step.kind !== "hand")
      return { change: true, mine: { sentence: changeText(step.write, names), at: step.write.at } };
    const hand = mine[++place];
    return {
      number: hand.number,
      mine: { ...hand, result: results[place] },
      pair: paired.has(place) ? theirs[paired.get(place)] : null,
    };
  });
}

function storedRows({ data, theirs, paired, names }) {
  const pairs = new Set([...paired.values()].map((place) => theirs[place]));
  const undone = data.hands.filter((hand) => hand.voided);
  const changes = [
    ...data.happenings.map((happening) => ({ ...happening, before: happening.after + 1 })),
    ...undone.map(({ number, at: moment, by }) => ({
      before: number,
      at: moment,
      by,
      sentence: text("stories.undone", { number }),
    })),
  ];
  const shown = (change) => ({ change: true, theirs: change });
  const rows = [];
  for (const hand of theirs) {
    rows.push(
      ...changes
        .filter((change) => change.before <= hand.number && !change.done)
        .map((change) => {
          change.done = true;
          return shown(change);
        }),
    );
    rows.push({ number: hand.number, theirs: hand, paired: pairs.has(hand) });
  }
  rows.push(...changes.filter((change) => !change.done).map(shown));
  return rows.map((row) => (row.change ? row : { ...row, names }));
}

/**
 * The words about the two sides: `mine`, `theirs(hand)`, and where one of them has no such hand `missingThere(number)`
 * and `missingHere`.
 */
const words = () => ({
  mine: text("stories.here"),
  theirs: (hand) => (hand.revised ? `${by(hand)} · ${hand.revised}` : by(hand)),
  missingThere: (_number) => text("stories.missing-there"),
  missingHere: text("stories.missing-here"),
});

/** Fill the list with the rows; runs of hands that are the same are folded. `said`: other words about the two sides. */
export function showRows(list, stories, said = words()) {
  const entries = [];
  let run = [];
  const fold = () => {
    if (run.length > 0) entries.push(folded(run, stories, said));
    run = [];
  };
  for (const row of rowsOf(stories)) {
    if (row.same) {
      run.push(row);
      continue;
    }
    fold();
    entries.push(row.change ? changeEntry(row, said) : handEntry(row, stories, said));
  }
  fold();
  list.replaceChildren(...entries);
}

function folded(run, { names, data }, said) {
  const entry = element("li", "same");
  const lines = run.map((row) => {
    const was =
      row.mine.number === row.theirs.number
        ? []
        : [
            element(
              "span",
              "soft small",
              ` ${said.was?.(row.mine.number) ?? text("stories.was", { number: row.mine.number })}`,
            ),
          ];
    return element(
      "div",
      "pair-line",
      element("span", "no num", String(row.theirs.number)),
      element("div", "", handLine(row.theirs, names, data.snapshot.evening.game), ...was),
    );
  });
  if (run.length === 1) {
    lines[0].append(element("span", "tag quiet", text("stories.same")));
    entry.append(lines[0]);
    return entry;
  }
  const more = element("details", "", element("summary", "", text("stories.same-more", { n: run.length })), ...lines);
  entry.append(more);
  return entry;
}

const by = ({ by: name, at: moment }) =>
  name ? text("stories.by", { name, time: clock(moment) }) : text("stories.stored-at", { time: clock(moment) });

function side(css, label, ...content) {
  return element("div", `side ${css}`, element("h3", "", label), ...content);
}

function changeEntry({ mine, theirs }, said) {
  const shown = mine
    ? side("mine", said.mine, element("p", "line", mine.sentence))
    : side("theirs", said.theirs(theirs), element("p", "line", theirs.sentence));
  return element("li", "change", shown);
}

function handEntry({ number, mine, theirs }, { names, data }, said) {
  const { game } = data.snapshot.evening;
  const parts = (hand) => [handLine(hand, names, game), coinsLine(hand, names)];
  const sides = [
    ...(mine ? [side("mine", said.mine, ...parts(mine))] : []),
    ...(theirs ? [side("theirs", said.theirs(theirs), ...parts(theirs))] : []),
  ];
  const missing =
    mine && theirs ? [] : [element("span", "soft", ` · ${mine ? said.missingThere(number) : said.missingHere}`)];
  return element(
    "li",
    "differs",
    element("h2", "num", text("stories.hand", { number }), ...missing),
    element("div", "sides", ...sides),
  );
}
