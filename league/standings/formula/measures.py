"""The value of single evenings under the formulas of their seasons, and the evenings that count."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from ...models import Player, Season
from .explanation import formulas_of
from .inputs import Circumstances, race_of
from .parts import Formula
from .ranking import NightScore, Race


class EveningResult(NamedTuple):
    """A player's result of one evening. `rank`: None if the evening does not count for the player. `measure`: points
    with the handicap, or Rappen in a race by amounts (`Race.by_net`). `wins`: first, and not alone at the table."""

    player_id: int
    rank: int | None
    measure: int
    wins: bool


def results_of(race: Race, scores: Mapping[int, NightScore]) -> list[EveningResult]:
    """Return the results of an evening by player: those for whom it counts in the order of their ranks, then the
    others. `scores` are those of players with a hand."""
    measures = {player: race.measure(player, score) for player, score in scores.items()}
    counted = sorted(
        (person for person in scores if race.counts(person, scores[person])), key=lambda player: -measures[player]
    )
    results = []
    for player in counted:
        rank = 1 + sum(measures[other] > measures[player] for other in counted)
        results.append(EveningResult(player, rank, measures[player], rank == 1 and len(scores) > 1))
    return results + [
        EveningResult(person, None, measures[person], False) for person in scores if person not in counted
    ]


def measures_of(seasons: Iterable[Season]) -> dict[int, Race]:
    """Return for each season a race before its first evening: it measures the evenings of players one by one. No query
    for seasons without a formula, else three at most."""
    known = {season.pk: season for season in seasons}
    formulas = formulas_of(known.values())
    clubs = {season.club_id for season in known.values()}
    without_guests = [pk for pk, formula in formulas.items() if not formula.guests]
    guests = _guests(clubs) if any(known[pk].final_guests is None for pk in without_guests) else frozenset()
    mains = _mains(clubs) if any(formula.handicap for formula in formulas.values()) else {}
    return {
        pk: race_of(formula, Circumstances(guests if known[pk].final_guests is None else _final(known[pk]), mains, ()))
        for pk, formula in formulas.items()
    }


def measure_of(season: Season, formula: Formula, guests: Collection[int]) -> Race:
    """Return the same of one season whose formula is known, with the `guests` that it does not rank. One query with a
    handicap, else none."""
    mains = _mains([season.club_id]) if formula.handicap else {}
    return race_of(formula, Circumstances(frozenset(guests), mains, ()))


def _final(season: Season) -> frozenset[int]:
    return frozenset(season.final_guests or ())


def _guests(clubs: Collection[int]) -> frozenset[int]:
    return frozenset(Player.objects.filter(club__in=clubs, guest=True).values_list("pk", flat=True))


def _mains(clubs: Collection[int]) -> dict[int, int]:
    return dict(Player.objects.filter(club__in=clubs, main__isnull=False).values_list("pk", "main_id"))
