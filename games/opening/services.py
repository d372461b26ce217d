"""Open a club: the club, its first season, house rules and players, and the first evening in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.club_admin.services import club_create, first_season
from league.counters import count
from league.models import Club, Player, Season, User
from league.roster.services import player_add

from .. import engine_bridge
from ..errors import Refused
from ..evening.house_rules import house_rules_set
from ..evening.services import evening_start
from ..models import Table
from ..offered import game_of

DAY = 24 * 3600
CLUBS_A_DAY = {"person": 3, "address": 6, "server": 100}
"""How many clubs a person, a network address and all together may open, or ask for, a day."""
REPEATED = timedelta(minutes=10)
"""So long after its opening a second request for a club of the same name is a repeated one."""


class Opening(NamedTuple):
    """What the three forms ask."""

    name: str
    game: str
    currency: str
    visibility: str
    players_shown: str
    names: Sequence[str]
    stake: int


def usual_stake(game: str) -> int:
    """Return the stake of a club that has not chosen one, in Rappen or cents."""
    return int(engine_bridge.house_rules(game, {})[game_of(game).ante_rule])


@transaction.atomic
def club_open(*, opening: Opening, owner: User, address: str) -> tuple[Club, Table | None]:
    """Open a club and its first evening; there is none if the names are not as many as a table of the game seats. A
    repeated request gets the same club. `address` is the network address that is counted.

    Raises:
        Refused: 422 for a name, a nickname or a stake that cannot be; 429 for too many clubs a day.
    """
    # A second tap on the button waits here.
    User.objects.select_for_update().get(pk=owner.pk)
    just_opened = Club.objects.filter(
        name=opening.name, memberships__user=owner, created_at__gt=timezone.now() - REPEATED
    ).first()
    if just_opened is not None:
        return just_opened, first_table(just_opened)
    made = club_make(opening, owner)
    check_limits(owner, address)
    return made


@transaction.atomic
def club_make(opening: Opening, owner: User, *, with_evening: bool = True) -> tuple[Club, Table | None]:
    """Store a club with its first evening, as `club_open` does, without counting it. Raises Refused: 422."""
    club = club_create(
        name=opening.name,
        owner=owner,
        actor=owner,
        currency=opening.currency,
        visibility=opening.visibility,
        players_shown=opening.players_shown,
    )
    season = first_season(club=club, actor=owner)
    if opening.stake != usual_stake(opening.game):
        house_rules_set(club=club, game=opening.game, values=_rules_of(opening), author=owner)
    players = [player_add(club=club, nickname=name, actor=owner) for name in opening.names]
    return club, _first_evening(season, players, owner, opening.game) if with_evening else None


def _rules_of(opening: Opening) -> dict[str, int]:
    """Return the house rules of the stake. Raises Refused: 422 if the game cannot have it with its smallest coin."""
    game = game_of(opening.game)
    values = {game.ante_rule: opening.stake}
    try:
        engine_bridge.house_rules(opening.game, values)
    except engine_bridge.Fault as fault:
        known = {**engine_bridge.house_rules(opening.game, {}), **values}
        sentence = game.texts.contract.form.refusal(fault.at.removeprefix("rules."), known, opening.currency)
        raise Refused(status=422, code=fault.clause, sentence=sentence, at="stake") from fault
    return values


def first_table(club: Club) -> Table | None:
    """Return the table of the club's first evening."""
    return Table.objects.filter(evening__club=club).order_by("pk").first()


def _first_evening(season: Season, players: Sequence[Player], owner: User, game: str) -> Table | None:
    least, most = engine_bridge.SEATS[game]
    if not least <= len(players) <= most:
        return None
    seating = [f"p{player.pk}" for player in players]
    return evening_start(
        club=season.club,
        season=season,
        author=owner,
        seating=seating,
        first_dealer=seating[0],
        held_on=timezone.localdate(),
        game=game,
    )


def check_limits(user: User, address: str) -> None:
    """Count one more club. Raises Refused: 429 for more clubs a day than `CLUBS_A_DAY`."""
    keys = {"person": user.pk, "address": address, "server": ""}
    counted = count([f"clubs-opened:{kind}:{value}" for kind, value in keys.items()], DAY)
    if any(number > CLUBS_A_DAY[kind] for kind, number in zip(keys, counted, strict=True)):
        raise Refused(
            status=429,
            code="clubs",
            sentence=_("Many clubs were opened today. Try again tomorrow, or ask whoever runs this server."),
        )
