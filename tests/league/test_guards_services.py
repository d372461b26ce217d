"""Refusals of clubs, people, seasons and keys that no other test looks for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from league.access import roles
from league.accounts.invitations import InvitationGone, invitation_create, invitation_reserve
from league.api_keys import services as keys
from league.club_admin import services
from league.errors import Refused
from league.models import ApiToken, AuditEntry, Invitation, Player, Season
from league.privacy.forgetting import person_forget
from league.roster import services as roster
from league.standings import seasons
from league.webhooks import services as webhooks
from tests.api.api_client import ApiClient, is_problem, key_for
from tests.cast import Cast
from tests.factories import PlayerFactory

from .webhook_receiver import webhook_at

pytestmark = [pytest.mark.rest, pytest.mark.django_db]


def refused(call: Callable[[], object]) -> tuple[int, str]:
    with pytest.raises(Refused) as caught:
        call()
    return caught.value.status, caught.value.code


# --- Keys -------------------------------------------------------------------------------------------------------


def test_keys_that_ran_out_do_not_count_against_the_limit(people: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "MAX_KEYS", 1)
    make = partial(keys.key_create, user=people.home.owner, name="a program")
    make()
    assert refused(make) == (409, "key")
    ApiToken.objects.update(expiry=timezone.now())
    make()


def test_a_key_for_one_club_opens_no_other_one(people: Cast) -> None:
    body = {"slug": "krone", "name": "Krone"}
    asks = ApiClient(key=key_for(people.server_admin, club=people.home.club))
    assert is_problem(asks.post("clubs", body), 403)


# --- People -----------------------------------------------------------------------------------------------------


def test_a_player_who_was_forgotten_is_tied_to_nobody(people: Cast) -> None:
    home = people.home
    player = PlayerFactory(club=home.club)
    Player.objects.filter(pk=player.pk).update(anonymised_at=timezone.now())
    tie = partial(roles.player_tie, club=home.club, player=player, actor=home.owner)
    assert refused(partial(tie, user=home.member)) == (409, "forgotten")
    tie(user=None)


def test_an_invitation_is_kept_for_one_new_account(people: Cast) -> None:
    home = people.home
    invitation = invitation_create(club=home.club, author=home.owner).invitation
    invitation_reserve(invitation=invitation, user=people.stranger)
    with pytest.raises(InvitationGone):
        invitation_reserve(invitation=invitation, user=people.away.member)
    assert Invitation.objects.get().taken_by == people.stranger


def test_an_account_is_not_deleted_twice(people: Cast) -> None:
    forget = partial(person_forget, user=people.home.member, actor=None)
    forget()
    assert refused(forget) == (409, "forgotten")


def test_unknown_roles_and_players_of_another_club_are_refused(people: Cast) -> None:
    home = people.home
    give = partial(roles.role_give, club=home.club, user=home.member, role="king", actor=home.owner)
    assert refused(give) == (422, "role")
    away = PlayerFactory(club=people.away.club)
    tie = partial(roles.player_tie, club=home.club, player=away, user=home.member, actor=home.owner)
    assert refused(tie) == (404, "player")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"user": None}, "user"),
        ({"nickname": ""}, "nickname"),
        ({"nickname": "x" * 41}, "nickname"),
        ({"nickname": "a\nb"}, "nickname"),
        ({"nickname": "beni"}, "nickname"),
        ({"publicity": "pseudonym"}, "pseudonym"),
        ({"publicity": "all"}, "publicity"),
        ({"pseudonym": "a\nb"}, "pseudonym"),
        ({"pseudonym": "BENI"}, "pseudonym"),
        ({"pseudonym": "the fox"}, "pseudonym"),
    ],
)
def test_invalid_fields_of_a_player_are_refused(changes: dict[str, Any], field: str, people: Cast) -> None:
    club = people.home.club
    PlayerFactory(club=club, nickname="Beni", pseudonym="The Fox")
    player = PlayerFactory(club=club)
    with pytest.raises(Refused) as caught:
        roster.player_change(player=player, actor=None, changes=changes)
    assert (caught.value.status, caught.value.at) == (422, field)


def test_a_player_who_was_forgotten_is_not_changed(people: Cast) -> None:
    player = PlayerFactory(club=people.home.club, anonymised_at=timezone.now())
    change = partial(roster.player_change, player=player, actor=None, changes={"nickname": "Köbi"})
    assert refused(change) == (409, "forgotten")


def test_a_nickname_that_somebody_takes_at_that_moment_is_refused(
    people: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look before the write finds nothing yet; the unique name decides."""
    monkeypatch.setattr(roster, "_check", lambda *args: None)
    club = people.home.club
    player, other = PlayerFactory(club=club, nickname="Beni"), PlayerFactory(club=club, nickname="Anna")
    assert player.nickname == "Beni"
    add = partial(roster.player_add, club=club, nickname="BENI", actor=None)
    change = partial(roster.player_change, player=other, actor=None, changes={"nickname": "beni"})
    assert refused(add) == refused(change) == (422, "player")


# --- Clubs and seasons ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"slug": "mine"}, "slug"),
        ({"currency": "EUR"}, "currency"),
        ({"name": ""}, "name"),
        ({"visibility": "x"}, "visibility"),
        ({"correction_hours": services.MAX_CORRECTION_HOURS + 1}, "correction_hours"),
        ({"forget_after_months": 0}, "forget_after_months"),
        ({"forget_after_months": services.MAX_FORGET_MONTHS + 1}, "forget_after_months"),
    ],
)
def test_invalid_fields_of_a_club_are_refused(changes: dict[str, Any], field: str, people: Cast) -> None:
    with pytest.raises(Refused) as caught:
        services.club_change(club=people.home.club, actor=None, changes=changes)
    assert (caught.value.status, caught.value.at) == (422, field)
    assert not AuditEntry.objects.exists()


def test_a_club_is_opened_with_a_known_currency_and_a_short_name_of_its_own(
    people: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = partial(services.club_create, name="Krone", slug="krone", owner=people.stranger, actor=None)
    assert refused(partial(begin, currency="USD")) == (422, "club")
    assert refused(partial(begin, slug="roessli")) == (422, "club")
    assert refused(partial(begin, slug="a b")) == (422, "club")
    # The look before the write finds nothing yet; the unique short name decides.
    monkeypatch.setattr(services, "_check", lambda club: None)
    assert refused(partial(begin, slug="roessli")) == (422, "club")


SEASON = {"name": "2027", "starts_on": date(2027, 1, 1)}


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"club": 1}, "club"),
        ({"name": ""}, "name"),
        ({"slug": "a b"}, "slug"),
        ({"slug": "2026"}, "slug"),
        ({"ends_on": date(2026, 12, 31)}, "ends_on"),
        ({"points_only": True, "ranking": "balance"}, "ranking"),
        ({"best_evenings": 0}, "best_evenings"),
        ({"points_joined": seasons.MAX_POINTS + 1}, "points_joined"),
        ({"points_joined": -seasons.MAX_POINTS - 1}, "points_joined"),
    ],
)
def test_invalid_fields_of_a_season_are_refused(values: dict[str, Any], field: str, people: Cast) -> None:
    with pytest.raises(Refused) as caught:
        seasons.season_add(club=people.home.club, actor=None, values=SEASON | values)
    assert (caught.value.status, caught.value.at) == (422, field)
    assert Season.objects.filter(club=people.home.club).count() == 1


def test_a_short_name_of_a_season_that_is_taken_at_that_moment_is_refused(
    people: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seasons, "_check", lambda season: None)
    add = partial(seasons.season_add, club=people.home.club, actor=None, values=SEASON | {"slug": "2026"})
    assert refused(add)[0] == 422


def test_the_short_name_of_a_season_is_not_changed(people: Cast) -> None:
    change = partial(seasons.season_change, season=people.home.season, actor=None, changes={"slug": "other"})
    assert refused(change) == (422, "field")


# --- Webhooks ---------------------------------------------------------------------------------------------------


def test_invalid_fields_of_a_webhook_are_refused(people: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    home = people.home
    webhook = webhook_at(home, "https://receiver.example/one")
    other = webhook_at(home, "https://receiver.example/two")
    change = partial(webhooks.webhook_change, actor=None)
    assert refused(partial(change, webhook=other, url=webhook.url)) == (409, "url")
    assert refused(partial(change, webhook=other, url="https://receiver.example/" + "x" * webhooks.MAX_URL)) == (
        422,
        "url",
    )
    assert refused(partial(change, webhook=other, events=[])) == (422, "events")
    assert refused(partial(change, webhook=other, events=["hand.eaten"])) == (422, "events")
    monkeypatch.setattr(webhooks, "MAX_WEBHOOKS", 2)
    assert refused(partial(webhook_at, home, "https://receiver.example/three")) == (409, "webhooks")
    webhooks.webhook_remove(webhook=webhook, actor=None)
    assert refused(partial(change, webhook=webhook, active=True)) == (404, "webhook")


def test_only_so_many_messages_sent_by_hand_wait(people: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "MAX_WAITING_BY_HAND", 1)
    webhook = webhook_at(people.home)
    webhooks.webhook_ping(webhook=webhook, actor=None)
    assert refused(partial(webhooks.webhook_ping, webhook=webhook, actor=None)) == (429, "webhooks")
