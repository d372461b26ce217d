"""House rules in short sentences, and the games that a club can choose for an evening."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from league.models import HouseRules
from league.played_games import in_words

from .. import engine_bridge
from ..game.amounts import Antes, Unit
from ..game.rule_cases import Sentence
from ..offered import GAMES, game_of

RULE_KEYS = {name: game.texts.contract.keys for name, game in GAMES.items()}
"""The names of the sentences of each game, in their order; pages link to a rule by its name."""


@dataclass(frozen=True)
class GameOffered:
    """A game that can be chosen for an evening: its number of players, and the club's house rules as sentences."""

    name: str
    title: str
    chosen: bool
    least: int
    most: int
    too_few: str
    too_many: str
    version: int
    rules: list[tuple[str, str]]


def antes_of(rules: Mapping[str, Any], game: str) -> Antes:
    """Return the antes of these house rules."""
    return Antes(rules[game_of(game).ante_rule])


def games_offered(versions: Iterable[HouseRules], chosen: str, currency: str) -> list[GameOffered]:
    """All games, each with the newest of these versions of its house rules."""
    newest: dict[str, HouseRules] = {}
    for house_rules in sorted(versions, key=lambda house_rules: house_rules.version):
        newest[house_rules.game] = house_rules
    offered = []
    for game, known in GAMES.items():
        rules = newest.get(game)
        least, most = engine_bridge.SEATS[game]
        offered.append(
            GameOffered(
                name=game,
                title=known.title,
                chosen=game == chosen,
                least=least,
                most=most,
                too_few=str(known.texts.too_few),
                too_many=str(known.texts.too_many),
                version=rules.version if rules else 1,
                rules=rule_sentences(engine_bridge.house_rules(game, rules.values if rules else {}), game, currency),
            )
        )
    return offered


def rule_sentences(rules: Mapping[str, Any], game: str, unit: Unit) -> list[Sentence]:
    """The effective house rules of a game as pairs of heading and sentence."""
    return game_of(game).texts.contract.sentences(rules, unit)


def order_of_play() -> str:
    """Return which games are played in which direction, as a sentence has it."""
    directions = {
        _("%(games)s counter-clockwise"): [game.title for game in GAMES.values() if not game.texts.clockwise],
        _("%(games)s clockwise"): [game.title for game in GAMES.values() if game.texts.clockwise],
    }
    return ", ".join(said % {"games": in_words(titles)} for said, titles in directions.items() if titles)
