"""Stored evenings on the days of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from ..models import Evening, ImportedTotal, ImportKind
from . import hands
from .hands import Person, Played

Totals = Mapping[Person, tuple[int, int, int]]
"""Hands, points and amount (Rappen) of each person of an evening."""


def totals(club_id: int, days: Iterable[date]) -> dict[date, list[Totals]]:
    """Return the totals of the evenings of these days that were imported before. One query."""
    rows = ImportedTotal.objects.filter(evening__club=club_id, evening__held_on__in=list(days), undone=False)
    by_day: dict[date, dict[int, dict[Person, tuple[int, int, int]]]] = {}
    columns = ("evening__held_on", "evening_id", "player_id", "player__main_id", "hands", "points", "change_minor")
    for day, evening, player, main, *total in rows.values_list(*columns):
        count, points, change = total
        by_day.setdefault(day, {}).setdefault(evening, {})[main or player] = (count, points, change)
    return {day: list(evenings.values()) for day, evenings in by_day.items()}


def played(club_id: int, days: Iterable[date], mains: Mapping[int, int]) -> dict[date, list[tuple[Evening, Played]]]:
    """Return the evenings of these days whose hands were imported before, with these hands: main players by seat. One
    query, five where there are such evenings."""
    imported = Evening.nights.filter(club=club_id, held_on__in=list(days), imported__kind=ImportKind.HANDS)
    evenings = list(imported.select_related("house_rules").order_by("pk"))
    by_evening = hands.of_games().played(evenings) if evenings else {}
    by_day: dict[date, list[tuple[Evening, Played]]] = {}
    for evening in evenings:
        tables = {
            number: [(tuple(mains.get(int(player), int(player)) for player in players), said) for players, said in each]
            for number, each in by_evening.get(evening.pk, {}).items()
        }
        by_day.setdefault(evening.held_on, []).append((evening, tables))
    return by_day


def people(tables: Played) -> set[Person]:
    """Return the players of these tables."""
    return {player for each in tables.values() for players, _said in each for player in players}


def recorded(club_id: int, days: Iterable[date]) -> set[date]:
    """Return the days of these on which the club has an evening that was not imported. One query."""
    others = Evening.nights.filter(club=club_id, held_on__in=list(days), imported__isnull=True)
    return set(others.values_list("held_on", flat=True))
