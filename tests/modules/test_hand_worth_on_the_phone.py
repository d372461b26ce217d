"""The lookup of a hand's worth in the browser gives what the server gives."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from engine.cards import BIT, SUITS
from engine.hand_worth import FEWEST_PLAYERS, PACKS, Table, classes, ranks_of
from engine.kratzen.players import DECK as KRATZEN_DECK
from games.hand_worth.sentences import sentences, texts
from tests.node import Evaluate

FILES = Path(__file__).parents[2] / "static/hand_worth"
CARDS = {"chratze": list(BIT), "kratzen": list(KRATZEN_DECK.bit)}
LOOKED_UP = """async ({ file, bounds, game, hands, texts }) => {
  const { readFile } = await import("node:fs/promises");
  const { classOf, classes } = await import("/static/js/hand_worth/classes.js");
  const { chancesOf, readHead, unpacked, valuesOf } = await import("/static/js/hand_worth/table.js");
  const { sentences } = await import("/static/js/hand_worth/sentences.js");
  const bytes = new Uint8Array(await readFile(file));
  const head = readHead(bytes.subarray(0, bounds[0]));
  const found = [];
  for (const { cards, trump, players, place, stage } of hands) {
    const number = classOf(game, cards, trump);
    const [start, end] = bounds.slice(Math.floor(number / head.perPiece));
    const values = valuesOf(head, number, await unpacked(bytes.slice(start, end)));
    const chances = chancesOf(values, players, place, stage);
    found.push([number, ...chances, sentences(texts, game, chances, place === 0)]);
  }
  return { count: classes(game).size, found };
}"""


@pytest.mark.parametrize("game", ["chratze", "kratzen"])
def test_it_finds_the_class_the_chances_and_the_sentences_of_the_server(node: Evaluate, game: str) -> None:
    rng = random.Random(5)
    table = Table(game, (FILES / f"{game}.bin").read_bytes())
    hands: list[dict[str, Any]] = []
    for _ in range(600):
        players = rng.randint(FEWEST_PLAYERS, PACKS[game].most_players)
        place, stage = rng.randrange(players), rng.randrange(2)
        hand = {"cards": rng.sample(CARDS[game], 4), "trump": rng.choice(SUITS)}
        hands.append(hand | {"players": players, "place": place, "stage": stage})
    with translation.override("en"):
        known = texts()
    sent = [
        hand | {"cards": ["W" if game == "kratzen" and card == "6d" else card for card in hand["cards"]]}
        for hand in hands
    ]
    file = {"file": str(FILES / f"{game}.bin"), "bounds": table.bounds}
    given = file | {"game": game, "hands": sent, "texts": dict(known)}
    wanted = []
    for hand in hands:
        chances = table.chances(**hand)
        said = sentences(known, game, chances, declares=hand["place"] == 0)
        wanted.append([classes(game)[ranks_of(game, hand["cards"], hand["trump"])], *chances, said])
    assert node(LOOKED_UP, given) == {"count": len(classes(game)), "found": wanted}
