"""The versions of a club's house rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _

from league.models import Club, Evening, HouseRules, User

from .. import engine_bridge
from ..errors import Refused
from ..offered import game_of


def last_game(club: Club) -> str:
    """The game of the club's newest evening; the first one where there is none."""
    newest = Evening.nights.filter(club=club).order_by("-held_on", "-pk").values_list("game", flat=True).first()
    return newest or engine_bridge.GAME


def house_rules_of(club: Club, game: str, version: int | None = None) -> HouseRules:
    """The newest version of the club's house rules, or this `version`. A club that never set any gets the game's
    defaults as version 1.

    Raises:
        Refused: 409 (`rules`) if the club has no such version.
    """
    newest = HouseRules.objects.filter(club=club, game=game).order_by("-version").first()
    if version is None or (newest is None and version in (0, 1)):
        return newest or HouseRules.objects.create(club=club, game=game, version=1)
    house_rules = HouseRules.objects.filter(club=club, game=game, version=version).first()
    if house_rules is None:
        sentence = _("This club has no version %(version)d of the house rules of %(game)s. Load the page again.")
        values = {"version": version, "game": game_of(game).title}
        raise Refused(status=409, code="rules", sentence=sentence % values, at="rules_version")
    return house_rules


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
