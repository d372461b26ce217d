"""The list of reserves of a club: the players who are asked in turn when somebody is missing."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused, form_outdated, unknown_player
from ..locks import lock_club
from ..models import Club, Player, Reserve, User
from .selectors import players_asked, reserves_of

MOST = 30


@transaction.atomic
def reserves_set(*, club: Club, players: Sequence[int], actor: User | None) -> list[Player]:
    """Store the reserves of a club in this order, by their keys; the same list again changes nothing.

    Raises:
        Refused: 422 for a player who is not in the roster, is named twice, or for too many.
    """
    lock_club(club.pk)
    if len(players) > MOST:
        sentence = _("A club has at most %(most)d reserves.") % {"most": MOST}
        raise Refused(status=422, code="reserves", sentence=sentence, at="players")
    known = {player.pk: player for player in players_asked(club).filter(pk__in=players)}
    for number, pk in enumerate(players):
        if pk not in known:
            raise unknown_player(pk, f"players.{number}")
    if len(known) < len(players):
        raise Refused(status=422, code="reserves", sentence=_("A player is named twice."), at="players")
    if [player.pk for player in reserves_of([club.pk])] == list(players):
        return [known[pk] for pk in players]
    Reserve.objects.filter(player__club=club).delete()
    Reserve.objects.bulk_create(Reserve(player_id=pk, place=place) for place, pk in enumerate(players, start=1))
    audit.write(What.CLUB_CHANGED, club=club, actor=actor, about=f"club:{club.pk}", data={"did": "reserves"})
    return [known[pk] for pk in players]


@transaction.atomic
def reserve_do(*, club: Club, player: Player, do: str, actor: User | None) -> None:
    """Add a player at the end of the list (`add`), ask the player one place earlier (`up`), or take the player out
    (`remove`). What is done already changes nothing.

    Raises:
        Refused: as `reserves_set`; 422 for anything else.
    """
    lock_club(club.pk)
    listed = [reserve.pk for reserve in reserves_of([club.pk])]
    position = listed.index(player.pk) if player.pk in listed else None
    if do not in ("add", "up", "remove"):
        raise form_outdated()
    if do == "add" and position is None:
        listed.append(player.pk)
    elif do == "remove" and position is not None:
        del listed[position]
    elif do == "up" and position:
        listed[position - 1 : position + 1] = [listed[position], listed[position - 1]]
    reserves_set(club=club, players=listed, actor=actor)


def reserve_move(*, player: Player, main: Player) -> None:
    """Give the place of a merged player to the main one, unless that one has a place. The caller holds the
    transaction."""
    mine = Reserve.objects.filter(player=player)
    if Reserve.objects.filter(player=main).exists():
        mine.delete()
    else:
        mine.update(player=main)
