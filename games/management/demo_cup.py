"""A cup of two clubs of the demo with three tournaments that are finished, and one that is played."""

from __future__ import annotations

import random
from datetime import date, timedelta

from league.cups import services as cups
from league.cups.own_part import own_part
from league.models import Club, Cup, CupInvitation, Tournament, User
from league.tournaments import draw_services, entries, rounds, services, sheets
from league.tournaments.formats import Format

SEED = 1315
PLAYED = ((0, "Herbstturnier", 63), (1, "Sternen-Turnier", 42), (0, "Martiniturnier", 14))
"""The club, the name and the days since each tournament."""
GUESTS = ("Hansruedi", "Silvia", "Toni")


def load(first: tuple[Club, User], second: tuple[Club, User], *, today: date) -> Cup:
    """Make the cup; the first club runs it. The caller holds the transaction."""
    rng = random.Random(SEED)  # noqa: S311  Repeatable, not secret.
    club, owner = first
    basics = cups.Basics(name="Napf-Cup", best_of=2, qualifiers=4, public=True)
    cup = cups.cup_create(club=club, actor=owner, basics=basics)
    invitation = cups.club_invite(cup=cup, actor=owner, short_name=second[0].slug)
    _accept(invitation, second)
    for which, name, days in PLAYED:
        _tournament(rng, *(first, second)[which], name, today - timedelta(days=days))
    for each, person in (first, second):
        slugs = list(Tournament.objects.filter(club=each).values_list("slug", flat=True))
        cups.tournaments_set(cup=cup, club=each, actor=person, slugs=slugs)
        places = {player.pk: 0 for player in own_part(cup, each).players if player.nickname not in GUESTS}
        cups.players_set(cup=cup, club=each, actor=person, places=places)
    return cup


def _accept(invitation: CupInvitation, second: tuple[Club, User]) -> None:
    club, person = second
    cups.invitation_accept(invitation=invitation, club=club, actor=person, public=invitation.cup.public)


def _tournament(rng: random.Random, club: Club, owner: User, name: str, day: date) -> Tournament:
    """Play a tournament of two rounds to its end."""
    basics = services.Basics(name=name, starts_on=day, game="chratze")
    format = Format().changed({"rounds": 2, "pot": "nobody"})
    made = services.tournament_create(club=club, author=owner, basics=basics, format=format)
    services.entries_open(tournament=made, author=owner)
    roster = [
        entries.Newcomer(player_id=player.pk, here=True) for player in club.players.filter(guest=False).order_by("pk")
    ]
    guests = [entries.Newcomer(nickname=nickname, here=True) for nickname in GUESTS]
    entries.enter(tournament=made, author=owner, people=[*roster, *guests])
    for number in (1, 2):
        proposed = draw_services.draw_propose(tournament=made, author=owner, seed=SEED + number)
        current = draw_services.draw_publish(tournament=made, author=owner, proposed=proposed)
        rounds.round_start(tournament=made, author=owner, number=number)
        for table in current.draw.plan["tables"]:
            chips = {seat: 5 * rng.randint(-40, 40) for seat in table["seats"][:-1]}
            chips[table["seats"][-1]] = -sum(chips.values())
            sheets.hand_in(tournament=made, author=owner, number=number, table=table["number"], chips=chips, pot=0)
        rounds.round_finish(tournament=made, author=owner, number=number)
    return services.tournament_finish(tournament=made, author=owner)
