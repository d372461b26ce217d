"""The versions of a club's house rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Max

from league.models import Club, Evening, HouseRules, User

from .. import engine_bridge
from ..errors import Refused


def last_game(club: Club) -> str:
    """The game of the club's newest evening; Chratze where there is none."""
    newest = Evening.nights.filter(club=club).order_by("-held_on", "-pk").values_list("game", flat=True).first()
    return newest or engine_bridge.GAME


def house_rules_of(club: Club, game: str) -> HouseRules:
    """The newest version of the club's house rules. A club that never set any gets the game's defaults as version 1."""
    newest = HouseRules.objects.filter(club=club, game=game).order_by("-version").first()
    return newest or HouseRules.objects.create(club=club, game=game, version=1)


def house_rules_set(*, club: Club, game: str, values: Mapping[str, Any], author: User | None) -> HouseRules:
    """Store the next version of a club's house rules; it takes effect with the next evening.

    Raises:
        Refused: 422 (R4) for an unknown rule or an impossible value.
    """
    try:
        engine_bridge.house_rules(game, values)
    except engine_bridge.Fault as fault:
        raise Refused(status=422, code=fault.clause, sentence=str(fault), at=fault.at) from fault
    newest = HouseRules.objects.filter(club=club, game=game).aggregate(last=Max("version"))["last"] or 0
    return HouseRules.objects.create(club=club, game=game, version=newest + 1, values=dict(values), author=author)
