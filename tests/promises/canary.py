"""A member whose every private field contains a unique word, and a search for that word."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import timezone

from games import engine_bridge
from games.closing.services import evening_close, evening_reopen
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.hands.services import hand_void_last
from games.models import Dispute, Hand, Table
from league import audit
from league.audit import What
from league.models import (
    ApiToken,
    AuditEntry,
    Club,
    Entrant,
    Invitation,
    Membership,
    MessageChoice,
    Player,
    PlayerMessage,
    PushDelivery,
    PushDevice,
    Season,
    SeasonAdjustment,
    Sheet,
    Submission,
    Team,
    TeamStay,
    Tournament,
    User,
)
from league.standings import counting
from tests.cast import House
from tests.factories import FAILED, MADE, PlayerFactory, UserFactory, create_table, enter
from tests.tournaments.rounds import create_round, create_tournament, entrants_of

MARK = "zqxjvk"
"""A part of every canary and of no other text: too long to occur in a random token by chance."""


@dataclass(frozen=True)
class Canary:
    """The member, the player, their table, and every unique word that a search may find."""

    user: User
    player: Player
    table: Table
    club: Club
    season: Season


def create_canary(home: House) -> Canary:
    """Create a member of the club whose name is in every place where the product can store one."""
    user = UserFactory(email=f"{MARK}mail@example.org", first_name=f"Kana{MARK}", last_name=f"Rien{MARK}")
    Membership.objects.create(club=home.club, user=user, role="member")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    player = PlayerFactory(
        club=home.club,
        nickname=f"Huhn{MARK}",
        user=user,
        publicity=Player.Publicity.PSEUDONYM,
        pseudonym=f"Spatz{MARK}",
    )
    player.nickname = f"Vogel{MARK}"
    player.save(update_fields=["nickname"])
    others = [PlayerFactory(club=home.club, nickname=name) for name in ("Anna", "Beni", "Carlo", "Doris")]
    table = create_table(club=home.club, season=home.season, players=[player, *others], author=home.recorder)
    for record in (MADE, FAILED, MADE, FAILED, MADE):
        enter(table, record, author=home.recorder)
    named = f"It was vogel{MARK}, not Anna"
    correct(table=table, edit=TakeOut(number=2), author=home.recorder, key=engine_bridge.new_key(), reason=named)
    last = Table.objects.get(pk=table.pk).hands
    hand_void_last(table=table, author=home.recorder, key=uuid.uuid4(), number=last)
    hand = Hand.objects.filter(table=table).order_by("number")[0]
    submission = Submission.objects.create(club=home.club, key=uuid.uuid4(), body_hash="0" * 64, author=user)
    Dispute.objects.create(
        hand=hand, revision=1, player=player, kind="raised", text=f"No {MARK}text", submission=submission, author=user
    )
    evening = Table.objects.select_related("evening").get(pk=table.pk).evening
    evening_close(evening=evening, author=home.recorder, key=uuid.uuid4())
    evening.refresh_from_db()
    evening_reopen(evening=evening, author=home.owner, key=uuid.uuid4(), owner=True, reason=f"{user.email} asked")
    evening.refresh_from_db()
    evening_close(evening=evening, author=home.recorder, key=uuid.uuid4())
    _about_the_account(home, user, player)
    _in_a_tournament(home, player)
    address = f"{MARK}post@example.org"
    MessageChoice.objects.create(player=player, number=1, language="de", email=address, results_since=timezone.now())
    message = PlayerMessage.objects.create(player=player, kind="result", evening=evening, day=evening.held_on, points=3)
    device = PushDevice.objects.create(player=player, endpoint=f"https://push.example/{MARK}1", label=f"Firefox {MARK}")
    PushDelivery.objects.create(message=message, device=device)
    PushDevice.objects.create(user=user, endpoint=f"https://push.example/{MARK}2", auth=f"{MARK}auth", label="Safari")
    late = {"points": -2, "reason": f"Vogel{MARK} came late"}
    SeasonAdjustment.objects.create(
        season=home.season, player=player, author=home.owner, day=home.season.starts_on, **late
    )
    team = Team.objects.create(season=home.season, number=1, name=f"Vogel{MARK}s Team", author=home.owner)
    TeamStay.objects.create(season=home.season, team=team, player=player, since=home.season.starts_on)
    while counting.count_season(home.season.pk):
        pass
    return Canary(user, player, table, home.club, home.season)


def _about_the_account(home: House, user: User, player: Player) -> None:
    ApiToken.objects.create(user=user, name=f"Handy {MARK}key", scopes=["read"])
    soon = timezone.now() + timedelta(days=7)
    Invitation.objects.create(
        club=home.club, player=player, note="x", digest="a" * 64, author=home.owner, expires_at=soon
    )
    Invitation.objects.create(
        club=home.club, note=f"for Kana{MARK}", digest="b" * 64, author=home.owner, expires_at=soon, used_by=user
    )
    AuditEntry.objects.create(club=home.club, actor=user, what="exported", token=f"Handy {MARK}key")
    audit.write(What.PLAYER_CHANGED, club=home.club, actor=user, about=f"player:{player.pk}")
    for thing in (user, player):
        LogEntry.objects.create(
            user=home.owner,
            content_type=ContentType.objects.get_for_model(thing),
            object_id=str(thing.pk),
            object_repr=str(thing),
            action_flag=CHANGE,
        )
    Client(HTTP_USER_AGENT=f"Firefox {MARK}agent").force_login(user)


def _in_a_tournament(home: House, player: Player) -> None:
    tournament = create_tournament(home.club)
    texts = {"prizes": f"A ham of Vogel{MARK}", "reopen_reason": f"Vogel{MARK}s hand"}
    Tournament.objects.filter(pk=tournament.pk).update(**texts)
    entrants_of(tournament, 7)
    entrant, other = tournament.entrants.filter(number__in=[1, 2])
    entrant.delete()
    fields = {"labels": [f"Familie {MARK}"], "team": f"Vogel{MARK}s", "fixed_table": 2}
    Entrant.objects.create(tournament=tournament, number=1, player=player, **fields)
    Entrant.objects.filter(pk=other.pk).update(labels=["Bern", f"Freund von Vogel{MARK}"], team=f"Vogel{MARK}s")
    current = create_round(tournament, {1: [1, 2, 3], 2: [4, 5, 6]})
    reason = f"Vogel{MARK} had read it wrong"
    Sheet.objects.create(round=current, table_number=1, number=1, chips={"1": 0, "2": 0, "3": 0}, reason=reason)


def places_with(word: str = MARK) -> list[str]:
    """Return the places with this word: columns of all rows of all tables, and keys of the cache."""
    places = []
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f'SELECT * FROM "{table}"')
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                places += [
                    f"{table}.{name}" for name, value in zip(names, row, strict=True) if word in _text(value).casefold()
                ]
    return places + [f"cache:{key}" for key, value in _cached() if word in f"{key} {value}".casefold()]


def _text(value: Any) -> str:
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("latin-1")
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)


def _cached() -> list[tuple[str, str]]:
    if settings.REDIS_URL:
        import redis

        store = redis.Redis.from_url(settings.REDIS_URL)
        prefix = settings.REDIS_PREFIX.encode()
        keys = [key for key in store.scan_iter() if key.startswith(prefix)]
        return [(key.decode("latin-1"), repr(store.dump(key))) for key in keys]
    return [(str(key), repr(value)) for key, value in cache._cache.items()]  # type: ignore[attr-defined]
