"""A tournament that is half played: its last round so far is under way."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, time

from league.models import Club, Tournament, User
from league.tournaments import draw_services, entries, rounds, services, sheets
from league.tournaments.presets import PRESETS

SEED = 1291
GUESTS = (
    *("Hansruedi", "Vreni", "Silvia", "Regula", "Elsbeth", "Reto", "Brigitte", "Fredi", "Sandra", "Peter", "Esther"),
    *("Käthi", "Margrit", "Bruno", "Toni", "Lisbeth", "Werner", "Sepp", "Walti"),
)
AWARDS = (10, 8, 6, 5, 4, 3, 2, 1)


def load(club: Club, owner: User, *, today: date, guests: Sequence[str] = GUESTS, begun: int = 3) -> Tournament:
    """Create the tournament of a club whose players take part, with guests; the last of the `begun` rounds is not
    finished. The caller holds the transaction."""
    rng = random.Random(SEED)  # noqa: S311  Repeatable, not secret.
    preset = PRESETS["evening"]
    basics = services.Basics(
        name="Klausturnier",
        starts_on=today,
        begins_at=time(19, 30),
        game=preset.game,
        fee="10 Franken an der Tür",
        prizes="1. ein Schinken, 2. ein Käse, für den letzten ein Trostpreis",
    )
    tournament = services.tournament_create(club=club, author=owner, basics=basics, format=preset.format)
    season = club.seasons.order_by("starts_on").last()
    services.award_set(tournament=tournament, author=owner, season=season, points=AWARDS)
    services.entries_open(tournament=tournament, author=owner)
    roster = [entries.Newcomer(player_id=player.pk, here=True, paid=True) for player in club.players.order_by("pk")]
    invited = [entries.Newcomer(nickname=name, here=name != guests[-1]) for name in guests]
    entries.enter(tournament=tournament, author=owner, people=[*roster, *invited])
    for number in range(1, begun + 1):
        proposed = draw_services.draw_propose(tournament=tournament, author=owner, seed=SEED + number)
        current = draw_services.draw_publish(tournament=tournament, author=owner, proposed=proposed)
        rounds.round_start(tournament=tournament, author=owner, number=number)
        tables = current.draw.plan["tables"]
        for table in tables if number < begun else tables[:2]:
            _sheet(rng, tournament, owner, number, table["number"], table["seats"])
        if number < begun:
            rounds.round_finish(tournament=tournament, author=owner, number=number)
    return tournament


def _sheet(
    rng: random.Random, tournament: Tournament, owner: User, number: int, table: int, seats: Sequence[int]
) -> None:
    """Hand in a sheet as a table of Chratze could: chips in steps of a coin."""
    chips = {seat: 5 * rng.randint(-60, 60) for seat in seats[:-1]}
    pot = 5 * rng.randint(0, 12)
    chips[seats[-1]] = -pot - sum(chips.values())
    sheets.hand_in(tournament=tournament, author=owner, number=number, table=table, chips=chips, pot=pot)
