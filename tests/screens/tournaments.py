"""Tournaments of the screens, one for each state that the desk shows.

By short name: `spring` is in preparation, `door` takes entries, `drawn` waits for its first round after somebody left,
`proposed` has a second round that only the desk sees, `playing` plays its second round, `over` is finished.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, time
from typing import Any

from games.models import Table
from league.models import Club, DeskMember, Round, Tournament, User
from league.tournaments import draw_services, entries, own_entries, rounds, services, sheets
from league.tournaments.formats import Format
from tests.factories import MADE, PASSED_OUT, enter

DAY = date(2026, 12, 5)
PEOPLE = (
    *("Annemarie", "Hansruedi", "Vreni", "Silvia", "Regula", "Doris", "Elsbeth", "Reto", "Brigitte", "Fredi"),
    *("Sandra", "Peter", "Esther", "Käthi", "Margrit", "Yvonne", "Bruno", "Toni", "Lisbeth", "Housi", "Werner"),
    *("Maximiliana-Theresia von Arx-Oberdorf", "Sepp", "Beni", "Walti", "Trudi", "Godi", "Heidi", "Claudia", "Res"),
)

OWN_ENTRIES = {"Ambros": "Männer", "Trudi": "Frauen", "Bartholomäus Christoph von Arx-Oberdorf": "Männer"}


def build(club: Club, owner: User) -> None:
    """Create the tournaments of a club."""
    _made(club, owner, "Spring", opened=False)
    door = _made(club, owner, "Door", fee="CHF 10 für Speck und Züpfe", prizes="1. Ein Fleischkörbli")
    _enter(door, owner, PEOPLE[:9], here=True)
    _enter(door, owner, PEOPLE[9:22], here=False)
    entries.describe(tournament=door, author=owner, number=3, labels=["Familie Gerber"], team="Eck", fixed_table=1)
    entries.mark_paid(tournament=door, author=owner, number=3)
    own_entries.own_entries_offer(tournament=door, author=owner, places=24, labels=["Frauen", "Männer"])
    for name, label in OWN_ENTRIES.items():
        own_entries.own_entry_ask(tournament=door, name=name, label=label)
    drawn = _made(club, owner, "Drawn", minutes=30)
    _enter(drawn, owner, PEOPLE[:13])
    _publish(drawn, owner)
    entries.withdraw(tournament=drawn, author=owner, number=5)
    proposed = _made(club, owner, "Proposed", mode="balanced", two_sheets=False)
    _enter(proposed, owner, PEOPLE[:13])
    _play(proposed, owner)
    entries.enter(tournament=proposed, author=owner, people=[entries.Newcomer(nickname="Godi", here=True)])
    second = draw_services.draw_propose(tournament=proposed, author=owner, seed=7)
    a, b = second.plan["tables"][0]["seats"][1], second.plan["tables"][1]["seats"][1]
    draw_services.draw_swap(tournament=proposed, author=owner, proposed=second, a=a, b=b)
    _playing(club, owner)
    over = _made(club, owner, "Over", rounds=2)
    _enter(over, owner, PEOPLE[:8])
    _play(over, owner)
    _play(over, owner)
    services.tournament_finish(tournament=over, author=owner)


def _playing(club: Club, owner: User) -> None:
    playing = _made(club, owner, "Playing", minutes=30, begins_at=time(19, 30), rounds=6)
    _enter(playing, owner, PEOPLE[:23])
    _play(playing, owner)
    _enter(playing, owner, ["Kurt", "Rosa"], here=False)
    current = _publish(playing, owner)
    rounds.round_start(tournament=playing, author=owner, number=2)
    seats = {table["number"]: table["seats"] for table in current.draw.plan["tables"]}
    numbers = sorted(seats)
    for number, hands in zip(numbers[:2], (11, 4), strict=True):
        table = Table.objects.get(evening=current.evening_id, number=number)
        for hand in range(hands):
            enter(table, PASSED_OUT if hand % 3 else MADE, author=owner)
    _sheet(playing, owner, 2, numbers[2], seats[numbers[2]], 24)
    _sheet(playing, owner, 2, numbers[2], seats[numbers[2]], 27)
    _sheet(playing, owner, 2, numbers[3], seats[numbers[3]], 39)
    # Its address stays `playing`; the picture of its help page has this name.
    Tournament.objects.filter(pk=playing.pk).update(name="Chlausturnier")


def _made(
    club: Club, owner: User, name: str, *, opened: bool = True, begins_at: time | None = None, **more: Any
) -> Tournament:
    words = {key: more.pop(key) for key in ("fee", "prizes") if key in more}
    basics = services.Basics(name=name, starts_on=DAY, game="chratze", begins_at=begins_at, **words)
    made = services.tournament_create(club=club, author=owner, basics=basics, format=Format().changed(more))
    recorder = club.memberships.exclude(user=owner).first()
    if recorder is not None:
        DeskMember.objects.create(tournament=made, user_id=recorder.user_id)
    return services.entries_open(tournament=made, author=owner) if opened else made


def _enter(tournament: Tournament, owner: User, names: Sequence[str], *, here: bool = True) -> None:
    people = [entries.Newcomer(nickname=name, here=here) for name in names]
    entries.enter(tournament=tournament, author=owner, people=people)


def _publish(tournament: Tournament, owner: User) -> Round:
    proposed = draw_services.draw_propose(tournament=tournament, author=owner, seed=3)
    return draw_services.draw_publish(tournament=tournament, author=owner, proposed=proposed)


def _play(tournament: Tournament, owner: User) -> None:
    current = _publish(tournament, owner)
    rounds.round_start(tournament=tournament, author=owner, number=current.number)
    lot = random.Random(current.number)
    for table in current.draw.plan["tables"]:
        _sheet(tournament, owner, current.number, table["number"], table["seats"], lot.randint(3, 40))
    rounds.round_finish(tournament=tournament, author=owner, number=current.number)


def _sheet(
    tournament: Tournament, owner: User, number: int, table: int, seats: Sequence[int], won: int, pot: int = 2
) -> None:
    chips = dict.fromkeys(seats, -1) | {seats[0]: won}
    chips[seats[1]] = -(won + pot - (len(seats) - 2))
    sheets.hand_in(tournament=tournament, author=owner, number=number, table=table, chips=chips, pot=pot)
