"""Tournaments made by the services, for tests: `made_tournament` creates, `play_round` draws and plays a round."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from league.models import Club, Entrant, Round, Tournament, User
from league.tournaments import draw_services, entries, rounds, services, sheets
from league.tournaments.formats import Format

FIRST_DAY = date(2026, 11, 21)

Chips = Callable[[tuple[int, ...]], tuple[dict[int, int], int]]


def made_tournament(club: Club, author: User | None, *, game: str = "chratze", **parts: Any) -> Tournament:
    """Return a tournament that is open for entries; `parts` of the format differ from the defaults."""
    basics = services.Basics(name="Cup", starts_on=FIRST_DAY, game=game)
    format = Format().changed(parts)
    tournament = services.tournament_create(club=club, author=author, basics=basics, format=format)
    return services.entries_open(tournament=tournament, author=author)


def with_entrants(tournament: Tournament, author: User | None, count: int, *, here: bool = True) -> list[Entrant]:
    """Enter guests G1, G2 and so on, checked in unless not `here`."""
    first = tournament.entrants.count() + 1
    people = [entries.Newcomer(nickname=f"G{number}", here=here) for number in range(first, first + count)]
    return entries.enter(tournament=tournament, author=author, people=people)


def drawn_round(tournament: Tournament, author: User | None, *, seed: int = 1, **choices: Any) -> Round:
    """Draw and publish the next round."""
    proposed = draw_services.draw_propose(tournament=tournament, author=author, seed=seed, **choices)
    despite_open = choices.get("despite_open", False)
    return draw_services.draw_publish(
        tournament=tournament, author=author, proposed=proposed, despite_open=despite_open
    )


def random_chips(seats: tuple[int, ...], lot: random.Random) -> tuple[dict[int, int], int]:
    """Return net chips by start number and the chips left in the pot; they add up to zero."""
    chips = {seat: lot.randint(-30, 30) for seat in seats[:-1]}
    pot = lot.randint(0, 5)
    chips[seats[-1]] = -sum(chips.values()) - pot
    return chips, pot


def play_round(
    tournament: Tournament, author: User | None, *, seed: int = 1, **choices: Any
) -> tuple[Round, Mapping[int, int]]:
    """Draw a round, hand in a sheet for each table, finish it. Return it and the net chips by start number, without
    shares of the pots."""
    current = drawn_round(tournament, author, seed=seed, **choices)
    rounds.round_start(tournament=tournament, author=author, number=current.number)
    lot = random.Random(seed)
    chips: dict[int, int] = {}
    for table in current.draw.plan["tables"]:
        at_table, pot = random_chips(tuple(table["seats"]), lot)
        chips |= at_table
        sheets.hand_in(
            tournament=tournament,
            author=author,
            number=current.number,
            table=table["number"],
            chips=at_table,
            pot=pot,
        )
    return rounds.round_finish(tournament=tournament, author=author, number=current.number), chips
