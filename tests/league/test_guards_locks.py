"""Locks of clubs, people, players and webhooks: of two at once one sees the change of the other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from league.access import roles
from league.api_keys import services as keys
from league.models import ApiToken, Club, Membership, Player, Role, Season, User, Webhook
from league.privacy import forgetting
from league.privacy.forgetting import person_forget
from league.webhooks import services as webhooks
from tests.api.api_client import ApiClient, key_for
from tests.cast import House
from tests.factories import MembershipFactory, PlayerFactory
from tests.races import Race, at_once

from .webhook_receiver import webhook_at

pytestmark = [pytest.mark.rest, pytest.mark.django_db(transaction=True), pytest.mark.needs_postgres]

Call = Callable[[], object]


# --- A club keeps an owner --------------------------------------------------------------------------------------


@pytest.fixture
def owners(home: House) -> list[User]:
    """The two owners of a club."""
    return [home.owner, MembershipFactory(club=home.club, role=Role.OWNER).user]


def leaving(home: House, user: User) -> Call:
    return lambda: roles.role_take(club=home.club, user=user, actor=user)


def deleting(home: House, user: User) -> Call:
    return lambda: person_forget(user=user, actor=user)


def stepping_down(home: House, user: User) -> Call:
    return lambda: roles.role_give(club=home.club, user=user, role=Role.MEMBER, actor=user)


WAYS_OUT = [leaving, stepping_down, deleting]


@pytest.mark.parametrize("way", WAYS_OUT)
def test_of_two_owners_who_go_at_once_one_stays(
    way: Callable[[House, User], Call], race: Race, home: House, owners: list[User]
) -> None:
    race.after_lock(Club)
    assert at_once([way(home, user) for user in owners]) == ["", "last-owner"]
    assert Membership.objects.filter(club=home.club, role=Role.OWNER).count() == 1


@pytest.mark.parametrize("way", WAYS_OUT)
def test_without_the_lock_of_the_club_none_would_stay(
    way: Callable[[House, User], Call], race: Race, home: House, owners: list[User]
) -> None:
    race.without_lock(Club)
    race.after(roles, "is_last_owner")
    race.after(forgetting, "is_last_owner")
    assert at_once([way(home, user) for user in owners]) == ["", ""]
    assert not Membership.objects.filter(club=home.club, role=Role.OWNER).exists()


def test_a_player_is_tied_to_one_of_two_people(race: Race, home: House) -> None:
    player = PlayerFactory(club=home.club)
    race.after_lock(Club)
    assert at_once([tying(home, player, user) for user in (home.member, home.recorder)]) == ["", "tied"]


def test_without_the_locks_both_get_the_player(race: Race, home: House) -> None:
    player = PlayerFactory(club=home.club)
    race.without_lock(Club)
    race.after_lock(Player, taken=False)
    assert at_once([tying(home, player, user) for user in (home.member, home.recorder)]) == ["", ""]


def tying(home: House, player: Player, user: User) -> Call:
    return lambda: roles.player_tie(club=home.club, player=player, user=user, actor=home.owner)


def test_an_account_is_deleted_once(race: Race, home: House) -> None:
    race.without_lock(Club)
    race.after_lock(User)
    assert at_once([deleting(home, home.member), deleting(home, home.member)]) == ["", "forgotten"]


# --- Limits that are counted ------------------------------------------------------------------------------------


def making(user: User) -> Call:
    return lambda: keys.key_create(user=user, name="a program")


def test_of_two_keys_made_at_once_none_passes_the_limit(
    race: Race, home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "MAX_KEYS", 1)
    race.after_lock(User)
    assert at_once([making(home.owner), making(home.owner)]) == ["", "key"]


def test_without_the_lock_of_the_person_one_key_too_many_is_made(
    race: Race, home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "MAX_KEYS", 1)
    race.after_lock(User, taken=False)
    assert at_once([making(home.owner), making(home.owner)]) == ["", ""]
    assert ApiToken.objects.count() == 2


def adding(home: House) -> Call:
    return lambda: webhook_at(home)


def test_a_club_has_an_address_of_a_webhook_once(race: Race, home: House) -> None:
    race.after_lock(Club)
    assert at_once([adding(home), adding(home)]) == ["", "url"]


def test_without_the_lock_of_the_club_it_has_it_twice(race: Race, home: House) -> None:
    race.after_lock(Club, taken=False)
    assert at_once([adding(home), adding(home)]) == ["", ""]
    assert Webhook.objects.count() == 2


def readdressing(webhook: Webhook) -> Call:
    return lambda: webhooks.webhook_change(webhook=webhook, actor=None, url="https://receiver.example/one")


def test_two_webhooks_are_not_given_the_same_address_at_once(race: Race, home: House) -> None:
    both = [webhook_at(home, f"https://receiver.example/{nth}") for nth in range(2)]
    race.after_lock(Webhook)
    assert at_once([readdressing(webhook) for webhook in both]) == ["", "url"]


def test_without_the_lock_of_the_club_both_would_have_it(race: Race, home: House) -> None:
    both = [webhook_at(home, f"https://receiver.example/{nth}") for nth in range(2)]
    race.without_lock(Club)
    race.after_lock(Webhook)
    assert at_once([readdressing(webhook) for webhook in both]) == ["", ""]


def pinging(webhook: Webhook) -> Call:
    return lambda: webhooks.webhook_ping(webhook=webhook, actor=None)


def test_of_two_test_messages_at_once_none_passes_the_limit(
    race: Race, home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "MAX_WAITING_BY_HAND", 1)
    webhook = webhook_at(home)
    race.after_lock(Webhook)
    assert at_once([pinging(webhook), pinging(webhook)]) == ["", "webhooks"]


def test_without_the_lock_of_the_webhook_one_too_many_waits(
    race: Race, home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "MAX_WAITING_BY_HAND", 1)
    webhook = webhook_at(home)
    race.after_lock(Webhook, taken=False)
    assert at_once([pinging(webhook), pinging(webhook)]) == ["", ""]


# --- A change by the API needs the state that was read ----------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "path", "change"),
    [
        (Club, "", {"place": "Andwil"}),
        (Season, "/seasons/2026", {"planned_evenings": 7}),
        (Player, "/players/{player}", {"nickname": "Köbi"}),
    ],
)
@pytest.mark.parametrize("locked", [True, False])
def test_of_two_changes_of_one_version_one_is_refused_because_of_the_lock(
    locked: bool, model: type[Club | Season | Player], path: str, change: dict[str, object], race: Race, home: House
) -> None:
    url = f"clubs/{home.club.slug}{path.format(player=PlayerFactory(club=home.club).pk)}"
    key = key_for(home.owner)
    seen = ApiClient(key=key).get(url)["ETag"]
    race.after_lock(model, taken=locked)
    if not locked and model is Player:
        # The lock of the club, which is taken before, would hold them apart as well.
        race.without_lock(Club)
    statuses = []
    changing = [change, change | {name: None if value is None else value * 2 for name, value in change.items()}]  # type: ignore[operator]
    at_once(
        [
            lambda sent=sent: statuses.append(ApiClient(key=key)("PATCH", url, sent, match=seen).status_code)  # type: ignore[misc]
            for sent in changing
        ]
    )
    assert sorted(statuses) == ([200, 412] if locked else [200, 200])
