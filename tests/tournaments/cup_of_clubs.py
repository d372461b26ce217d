"""A cup of two clubs for tests, made by the services."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from league.cups import services
from league.cups.own_part import own_part
from league.cups.services import Basics
from league.models import (
    Club,
    Cup,
    CupClub,
    CupConsent,
    CupEvening,
    CupInvitation,
    CupPerson,
    CupPlayer,
    CupTournament,
    Evening,
    Player,
    Tournament,
    User,
)
from league.tournaments import entries
from league.tournaments import services as tournaments
from tests.factories import ClubFactory, PlayerFactory
from tests.tournaments.played_tournaments import made_tournament, play_round

NICKNAME = Player.Publicity.NICKNAME


def player_of(club: Club, nickname: str, publicity: str = NICKNAME, **more: Any) -> Player:
    """Make a player who is shown by the nickname, or otherwise."""
    return PlayerFactory(club=club, nickname=nickname, publicity=publicity, **more)


def finished(club: Club, players: Sequence[Player], *, seed: int = 1, name: str = "Cup", **parts: Any) -> Tournament:
    """Play a tournament of two rounds to its end."""
    made = made_tournament(club, None, rounds=2, pot="nobody", **parts)
    tournaments.tournament_change(tournament=made, author=None, changes={"name": name})
    people = [entries.Newcomer(player_id=player.pk, here=True) for player in players]
    entries.enter(tournament=made, author=None, people=people)
    for number in (1, 2):
        play_round(made, None, seed=seed + number)
    return tournaments.tournament_finish(tournament=made, author=None)


def cup_of(owner: Club, *others: Club, **basics: Any) -> Cup:
    """Make a cup in which these clubs take part."""
    cup = services.cup_create(club=owner, actor=None, basics=Basics(**({"name": "Napf-Cup"} | basics)))
    for club in others:
        invitation = services.club_invite(cup=cup, actor=None, short_name=club.slug)
        services.invitation_accept(invitation=invitation, club=club, actor=None, public=cup.public)
    return cup


def counted(cup: Cup, *tournaments: Tournament, listed: bool = True) -> None:
    """Count these tournaments, and put everybody who played on the list."""
    for club in {tournament.club for tournament in tournaments}:
        slugs = [tournament.slug for tournament in tournaments if tournament.club == club]
        services.tournaments_set(cup=cup, club=club, actor=None, slugs=slugs)
        if listed:
            listed_all(cup, club)


def listed_all(cup: Cup, club: Club) -> None:
    """Put everybody who played for a club on the list, each under a person of the own."""
    places = {player.pk: 0 for player in own_part(cup, club).players}
    services.players_set(cup=cup, club=club, actor=None, places=places)


def matched(cup: Cup, player: Player, other: Player) -> None:
    """Say that a player is the same person as one of another club."""
    number = cup.players.get(player=other).person.number
    services.players_set(cup=cup, club=player.club, actor=None, places={player.pk: number})


def cups_for(club: Club) -> None:
    """Make the cups of the routes: one that the club runs, one of another club in which it takes part, and one to which
    it is invited. The first one is public."""
    cup_of(club, public=True, qualifiers=2)
    another = ClubFactory(slug=f"{club.slug}-cups", name="Another club")
    cup_of(another, club)
    services.club_invite(cup=cup_of(another), actor=None, short_name=club.slug)


def cup_things(club: Club) -> dict[str, dict[str, Any]]:
    """Return the route arguments of these cups."""
    own = Cup.objects.filter(owner=club).first()
    joined = Cup.objects.filter(clubs__club=club).exclude(owner=club).first()
    invited = CupInvitation.objects.filter(short_name=club.slug, state="open").select_related("cup").first()
    if own is None or joined is None or invited is None:
        return {}
    return {"cup": {"cup": own.slug}, "joined-cup": {"cup": joined.slug}, "cup-invitation": {"cup": invited.cup.slug}}


def rows_of_a_cup(tournament: Tournament, evening: Evening, player: Player, user: User) -> None:
    """Create a row of each model of cups."""
    cup = Cup.objects.create(owner=tournament.club, slug=f"cup-{tournament.pk}", name="Napf-Cup")
    CupInvitation.objects.create(cup=cup, number=1, short_name="sternen")
    CupClub.objects.create(cup=cup, club=tournament.club, joined_at=timezone.now())
    CupTournament.objects.create(cup=cup, tournament=tournament)
    CupEvening.objects.create(cup=cup, evening=evening)
    CupPlayer.objects.create(cup=cup, person=CupPerson.objects.create(cup=cup, number=1), player=player)
    CupConsent.objects.get_or_create(user=user, defaults={"agreed_at": timezone.now()})
