"""Who is one person: players who are taken for the same, and the one account that they have together."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from ..access import own_players
from ..models import Player, User


def person_of(player: Player) -> Q:
    """Filters players: those who are one person with this one."""
    root = player.main_id or player.pk
    return Q(pk=root) | Q(main=root)


def lock_person(player: Player) -> list[Player]:
    """The player with all who are taken for the same person; their rows are locked."""
    return lock_players(Player.objects.filter(person_of(player)))


def lock_players(players: QuerySet[Player]) -> list[Player]:
    """These players with their clubs; the rows are locked."""
    return list(players.select_for_update(of=("self",)).select_related("club").order_by("pk"))


def of_another(people: Iterable[Player], user: User | None) -> Player | None:
    """The first of these players who is tied to an account, and not to this one."""
    mine = (None, user.pk if user else None)
    return next((one for one in people if one.user_id not in mine), None)


def players_alone_of(user: User) -> QuerySet[Player]:
    """The players that this person is, without any that another account has. No person has two accounts; if one had,
    neither would take along or forget what is the other's."""
    return own_players(user).filter(Q(user=None) | Q(user=user))
