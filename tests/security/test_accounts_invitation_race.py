"""A leaked invitation: thirty-two people accept it at once, and one of them becomes a member."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from league.accounts import invitations
from league.accounts.invitations import InvitationGone, invitation_create
from league.models import AuditEntry, Invitation, Membership, Player, Role, User
from tests.cast import House, house
from tests.factories import PlayerFactory, UserFactory

pytestmark = pytest.mark.both_databases

AT_ONCE = 32


@pytest.fixture
def home(transactional_db: None) -> House:
    return house("roessli")


def all_at_once(token: str, strangers: list[User]) -> Counter[int]:
    """Let each person accept in their own browser; return the counts of the answers."""
    clients = [Client() for _ in strangers]
    for client, stranger in zip(clients, strangers, strict=True):
        client.force_login(stranger)
    return together([lambda client=client: client.post(f"/join/{token}/").status_code for client in clients])


def together(calls: Sequence[Callable[[], Any]]) -> Counter[Any]:
    """Run each call in its own thread, all at once; return the counts of their results."""
    line, answers = threading.Barrier(len(calls)), []

    def press(call: Callable[[], Any]) -> None:
        try:
            line.wait(60)
            answers.append(call())
        finally:
            connection.close()

    threads = [threading.Thread(target=press, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return Counter(answers)


def test_one_of_thirty_two_joins(home: House) -> None:
    player = PlayerFactory(club=home.club)
    link = invitation_create(club=home.club, author=home.owner, role=Role.RECORDER, player=player)
    strangers = UserFactory.create_batch(AT_ONCE)
    answers = all_at_once(link.token, strangers)
    assert answers == {302: 1, 410: AT_ONCE - 1}
    joined = Membership.objects.get(user__in=strangers)
    assert Player.objects.get(pk=player.pk).user == joined.user
    assert Invitation.objects.get().used_by == joined.user
    assert AuditEntry.objects.filter(what="invitation_used").count() == 1


def test_without_the_conditional_update_several_join(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Barrier(2)

    def look_and_then_write(invitation: Invitation, user: User) -> bool:
        if Invitation.objects.get(pk=invitation.pk).used_at is not None:
            return False
        # Both have read before either writes.
        gate.wait(30)
        Invitation.objects.filter(pk=invitation.pk).update(used_by=user)
        return True

    monkeypatch.setattr(invitations, "_mark_as_used", look_and_then_write)
    # The lock would make one wait for the other.
    monkeypatch.setattr(invitations, "lock_club", lambda club_id: None)
    # SQLite runs one transaction at a time, so that no other could read in between; the transaction is removed, too.
    take_up = invitations.invitation_accept.__wrapped__  # type: ignore[attr-defined]
    link = invitation_create(club=home.club, author=home.owner)
    strangers = UserFactory.create_batch(2)
    done = []

    def press(stranger: User) -> None:
        try:
            take_up(digest=link.invitation.digest, user=stranger)
            done.append(stranger)
        finally:
            connection.close()

    threads = [threading.Thread(target=press, args=(each,)) for each in strangers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(done) == 2
    assert Membership.objects.filter(user__in=strangers).count() == 2


def test_one_of_eight_browsers_makes_an_account(home: House) -> None:
    link = invitation_create(club=home.club, author=home.owner)
    before = User.objects.count()
    clients = [Client() for _ in range(8)]
    for client in clients:
        client.get(f"/join/{link.token}/")

    def sign_up(number: int) -> int:
        sent = {"first_name": "Gian", "email": f"gian{number}@example.org", "password1": "fahrrad lampe regen"}
        return clients[number].post("/signup/", sent).status_code

    assert together([lambda number=number: sign_up(number) for number in range(8)]) == {302: 1, 410: 7}
    assert User.objects.count() == before + 1
    assert Invitation.objects.get().taken_by == User.objects.latest("pk")


def test_a_page_opened_before_another_sign_up_makes_no_second_account(home: House) -> None:
    link = invitation_create(club=home.club, author=home.owner)
    first, other = UserFactory.create_batch(2)
    assert not invitations.no_sign_up_because(link.invitation)
    invitations.invitation_reserve(invitation=link.invitation, user=first)
    with pytest.raises(InvitationGone):
        invitations.invitation_reserve(invitation=link.invitation, user=other)
    assert Invitation.objects.get().taken_by == first
