"""Fill a practice club: a season with past evenings, an evening under way, a tournament half played."""

from __future__ import annotations

import random
from datetime import date, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.club_admin.practice import practice_club_of
from league.club_admin.services import club_create, feature_switch
from league.models import Closing, Club, Season, User
from league.roster.services import player_add
from league.standings.counting import count_season
from league.standings.seasons import season_add

from .. import engine_bridge
from ..opening.services import check_limits
from . import tournament
from .evenings import PEOPLE, evening_end, evening_play

SEATS = 5
FEATURES = ("tournaments", "statistics")
EVENINGS = 3
"""The evenings before tonight, one a week."""
HANDS = 8
"""The hands of each evening."""


@transaction.atomic
def practice_open(*, owner: User, address: str) -> Club:
    """Open and fill a practice club, or return the one that the person owns. `address` is the network address that is
    counted.

    Raises:
        Refused: 429 for too many clubs a day.
    """
    # A second tap on the button waits here.
    User.objects.select_for_update().get(pk=owner.pk)
    existing = practice_club_of(owner)
    if existing is not None:
        return existing
    check_limits(owner, address)
    today = timezone.localdate()
    club = club_create(
        # Translators: the name of a club with invented people, in which somebody tries everything out.
        name=_("Practice club"),
        owner=owner,
        actor=owner,
        visibility=Club.Visibility.PRIVATE,
        players_shown=Club.PlayersShown.NICKNAME,
        practice_until=today + timedelta(days=settings.PRACTICE_CLUB_DAYS),
    )
    for key in FEATURES:
        club = feature_switch(club=club, actor=owner, key=key, on=True)
    season = _season_play(club, owner, today)
    count_season(season.pk)
    tournament.load(club, owner, today=today, guests=tournament.GUESTS[:7], begun=2)
    return club


def _season_play(club: Club, owner: User, today: date) -> Season:
    """Play a season: the pot of an evening is carried to the next one, its payments are made there."""
    rng = random.Random()  # noqa: S311  Not secret.
    days = [today - timedelta(weeks=weeks) for weeks in range(EVENINGS, -1, -1)]
    season = season_add(club=club, actor=owner, values={"name": str(today.year), "starts_on": days[0]})
    players = {name: player_add(club=club, nickname=name, actor=owner) for name in PEOPLE}
    for day, next_day in zip(days, [*days[1:], None], strict=True):
        table = evening_play(
            rng,
            season=season,
            people=[(players[name], PEOPLE[name]) for name in rng.sample(list(PEOPLE), k=SEATS)],
            recorder=owner,
            held_on=day,
            game=engine_bridge.GAME,
            hands=HANDS,
        )
        if next_day is not None:
            evening_end(rng, Closing.Pot.CARRY, table, owner, paid_on=next_day if next_day < today else None)
    return season
