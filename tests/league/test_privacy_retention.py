"""Retention: idle players are forgotten; expired invitations, API keys and sessions are deleted."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from league.models import ApiToken, Invitation, Player, Standing
from league.privacy import retention
from league.privacy.tasks import tidy
from league.standings import counting
from tests.cast import House, house
from tests.factories import MADE, PlayerFactory, create_table, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> House:
    made = house("roessli")
    made.club.forget_after_months = 12
    made.club.save()
    return made


def long_ago(days: int):
    return timezone.now() - timedelta(days=days)


def played(home: House, days: int, *names: str) -> list[Player]:
    """Return the players of an evening that many days ago."""
    people = [PlayerFactory(club=home.club, nickname=name) for name in names]
    held_on: date = timezone.localdate() - timedelta(days=days)
    enter(create_table(club=home.club, season=home.season, players=people, held_on=held_on), MADE)
    Player.objects.filter(club=home.club).update(created_at=long_ago(2000))
    return people


@pytest.mark.both_databases
def test_idle_players_out_of_the_roster_are_forgotten(home):
    gone, stayed, _third = played(home, 400, "Anna", "Beni", "Carlo")
    new, _fourth, _fifth = played(home, 300, "Doris", "Emil", "Franz")
    never = PlayerFactory(club=home.club, nickname="Gian", active=False)
    fresh = PlayerFactory(club=home.club, nickname="Hans", active=False)
    Player.objects.filter(pk=never.pk).update(created_at=long_ago(400))
    for player in (gone, new):
        Player.objects.filter(pk=player.pk).update(active=False)
    counting.count_season(home.season.pk)
    before = list(Standing.objects.order_by("player").values_list("player", "points", "balance_minor"))
    assert {player.pk for player in retention.due_to_be_forgotten(home.club)} == {gone.pk, never.pk}
    assert retention.forget_players() == 2
    left = Player.objects.filter(anonymised_at=None).values_list("nickname", flat=True)
    assert "Anna" not in left
    assert {"Beni", "Doris", "Hans"} <= set(left)
    assert list(Standing.objects.order_by("player").values_list("player", "points", "balance_minor")) == before
    assert retention.forget_players() == 0
    assert fresh.anonymised_at is stayed.anonymised_at is None


def test_a_club_without_a_number_of_months_forgets_nobody(home):
    gone, *_others = played(home, 4000, "Anna", "Beni", "Carlo")
    Player.objects.filter(pk=gone.pk).update(active=False)
    home.club.forget_after_months = None
    home.club.save()
    assert retention.forget_players() == 0


@pytest.mark.both_databases
def test_a_merged_player_stays_while_the_main_player_plays(home):
    old, *_others = played(home, 400, "Anna", "Beni", "Carlo")
    new, *_more = played(home, 10, "Doris", "Emil", "Franz")
    Player.objects.filter(pk=old.pk).update(active=False, main=new)
    assert retention.forget_players() == 0
    Player.objects.filter(pk=new.pk).update(active=False)
    assert retention.forget_players() == 0, "the other one played ten days ago"


@pytest.mark.both_databases
def test_expired_rows_are_deleted_and_the_others_stay(home, settings):
    def invitation(digest: str, **more: object) -> Invitation:
        return Invitation.objects.create(
            club=home.club, digest=digest * 64, author=home.owner, **({"expires_at": long_ago(-7)} | more)
        )

    kept = [invitation("a"), invitation("b", expires_at=long_ago(10)), invitation("c", used_at=long_ago(10))]
    for digest, more in (("d", "expires_at"), ("e", "used_at"), ("f", "revoked_at")):
        invitation(digest, **{more: long_ago(settings.KEEP_INVITATIONS_DAYS + 1)})
    token = ApiToken.objects.create(user=home.owner, name="old")[0]
    ApiToken.objects.filter(pk=token.pk).update(expiry=long_ago(settings.KEEP_KEYS_DAYS + 1))
    ApiToken.objects.create(user=home.owner, name="new")
    Session.objects.create(session_key="x" * 32, session_data="", expire_date=long_ago(1))
    assert tidy() == 5
    assert set(Invitation.objects.all()) == set(kept)
    assert [key.name for key in ApiToken.objects.all()] == ["new"]
    assert not Session.objects.exists()
