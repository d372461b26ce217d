"""The winnings of each person on any day, added up from all result rows: the plain way of `league.payments.on_day`."""

from __future__ import annotations

from datetime import date

from league.models import Club, Evening, ResultRow
from league.payments import on_day


def of_rows(club: Club, day: date, state: str) -> dict[int, int]:
    """Return each person's sum of all result rows of the evenings of a state up to a day; no person with 0."""
    sums: dict[int, int] = {}
    rows = ResultRow.objects.filter(evening__club=club, evening__held_on__lte=day, evening__state=state)
    for player, main, change in rows.values_list("player", "player__main", "change_minor"):
        sums[main or player] = sums.get(main or player, 0) + change
    return {person: won for person, won in sums.items() if won}


def differences(club: Club) -> list[str]:
    """Return the days and states on which the winnings are not the sums of all result rows."""
    days = set(Evening.objects.filter(club=club).values_list("held_on", flat=True))
    problems = []
    for day in sorted(days):
        for state in Evening.State.values:
            won, plain = on_day.winnings(club, day, state), of_rows(club, day, state)
            if won != plain:
                problems.append(f"{day} {state}: {won} instead of {plain}")
    return problems
