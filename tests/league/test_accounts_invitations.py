"""Invitations: who comes in by a link, as whom, and how often."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.accounts.invitations import (
    InvitationError,
    Made,
    digest_of,
    invitation_create,
    invitation_revoke,
    invitations_open,
)
from league.models import AuditEntry, Invitation, Membership, Player, Role, User
from tests.cast import Cast, House, cast
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> Cast:
    return cast()


@pytest.fixture
def home(people: Cast) -> House:
    return people.home


def made(home: House, **more: Any) -> Made:
    return invitation_create(club=home.club, author=home.owner, **more)


def client_of(user: User | None = None) -> Client:
    client = Client(headers={"accept-language": "en"})
    if user:
        client.force_login(user)
    return client


def join(user: User, token: str) -> Any:
    return client_of(user).post(f"/join/{token}/")


def test_who_has_the_link_comes_in_as_what_it_says_and_is_the_player(home: House, people: Cast) -> None:
    player = PlayerFactory(club=home.club, nickname="Gian")
    link = made(home, role=Role.RECORDER, player=player, note="for Gian")
    page = client_of(people.stranger).get(f"/join/{link.token}/").content.decode()
    assert "Gian" in page
    assert str(home.club) in page
    assert not Membership.objects.filter(user=people.stranger).exists()
    assert join(people.stranger, link.token).url == "/c/roessli/"
    assert Membership.objects.get(user=people.stranger).role == Role.RECORDER
    assert Player.objects.get(pk=player.pk).user == people.stranger
    told = AuditEntry.objects.filter(club=home.club).values_list("what", flat=True)
    assert {"invited", "invitation_used", "role_given", "player_claimed"} <= set(told)


def test_the_token_is_nowhere_kept(home: House) -> None:
    link = made(home)
    assert link.token not in str(list(Invitation.objects.values()))
    assert link.token not in str(list(AuditEntry.objects.values()))
    assert Invitation.objects.get().digest == digest_of(link.token)


def test_the_second_who_comes_is_told_that_it_is_over(home: House, people: Cast) -> None:
    link = made(home)
    join(people.stranger, link.token)
    late = client_of(people.away.member)
    assert late.get(f"/join/{link.token}/").status_code == 410
    answer = late.post(f"/join/{link.token}/")
    assert answer.status_code == 410
    assert "has been taken up" in answer.content.decode()
    assert not Membership.objects.filter(club=home.club, user=people.away.member).exists()


def test_the_same_person_may_come_twice(home: House, people: Cast) -> None:
    link = made(home)
    assert join(people.stranger, link.token).status_code == 302
    assert join(people.stranger, link.token).url == "/c/roessli/"
    assert client_of(people.stranger).get(f"/join/{link.token}/").url == "/c/roessli/"
    assert Membership.objects.filter(user=people.stranger).count() == 1


def test_who_was_put_out_does_not_come_back_by_the_old_link(home: House, people: Cast) -> None:
    link = made(home)
    join(people.stranger, link.token)
    Membership.objects.filter(user=people.stranger).delete()
    assert join(people.stranger, link.token).status_code == 410
    assert not Membership.objects.filter(user=people.stranger).exists()


def test_it_holds_for_seven_days(home: House, people: Cast) -> None:
    link = made(home)
    assert link.invitation.expires_at - timezone.now() <= timedelta(days=7)
    Invitation.objects.update(expires_at=timezone.now())
    answer = join(people.stranger, link.token)
    assert answer.status_code == 410
    assert "seven days" in answer.content.decode()
    assert list(invitations_open(home.club)) == []
    # There is nothing to take back any more.
    assert not invitation_revoke(invitation=link.invitation, author=home.owner)


def test_one_taken_back_lets_nobody_in(home: House, people: Cast) -> None:
    link = made(home)
    assert invitation_revoke(invitation=link.invitation, author=home.owner)
    assert not invitation_revoke(invitation=link.invitation, author=home.owner)
    assert join(people.stranger, link.token).status_code == 410
    assert AuditEntry.objects.filter(what="invitation_revoked").count() == 1


def test_one_by_an_owner_who_is_none_any_more_lets_nobody_in(home: House, people: Cast) -> None:
    link = made(home, role=Role.OWNER)
    home.owner.memberships.update(role=Role.MEMBER)
    assert join(people.stranger, link.token).status_code == 410
    assert client_of(people.stranger).get(f"/join/{link.token}/").status_code == 410
    assert list(invitations_open(home.club)) == []


def test_who_is_of_the_club_keeps_the_higher_role(home: House) -> None:
    join(home.treasurer, made(home, role=Role.RECORDER).token)
    assert Membership.objects.get(user=home.treasurer).role == Role.TREASURER
    join(home.member, made(home, role=Role.RECORDER).token)
    assert Membership.objects.get(user=home.member).role == Role.RECORDER


def test_a_player_who_got_an_account_meanwhile_is_not_taken_and_the_link_stays(home: House, people: Cast) -> None:
    player = PlayerFactory(club=home.club)
    link = made(home, player=player)
    Player.objects.filter(pk=player.pk).update(user=home.member)
    answer = join(people.stranger, link.token)
    assert answer.status_code == 409
    assert Player.objects.get(pk=player.pk).user == home.member
    assert not Membership.objects.filter(user=people.stranger).exists()
    assert link.invitation in invitations_open(home.club)


def test_a_player_for_whom_somebody_elses_counts_since_is_not_taken(home: House, people: Cast) -> None:
    player = PlayerFactory(club=home.club, nickname="Max")
    link = made(home, player=player)
    PlayerFactory(club=home.club, nickname="Maxli", main=player, user=home.member)
    answer = join(people.stranger, link.token)
    assert answer.status_code == 409
    assert "Maxli" in answer.content.decode()
    assert Player.objects.get(pk=player.pk).user is None
    assert link.invitation in invitations_open(home.club)
    assert join(home.member, link.token).status_code == 302
    assert Player.objects.get(pk=player.pk).user == home.member


def test_a_newer_link_for_a_player_ends_the_older(home: House, people: Cast) -> None:
    player = PlayerFactory(club=home.club)
    old, new = made(home, player=player), made(home, player=player)
    assert join(people.stranger, old.token).status_code == 410
    assert join(people.stranger, new.token).status_code == 302


@pytest.mark.parametrize("wrong", ["of another club", "somebody's", "forgotten"])
def test_only_a_free_player_of_the_club_can_be_given(home: House, people: Cast, wrong: str) -> None:
    player = PlayerFactory(
        club=people.away.club if wrong == "of another club" else home.club,
        user=home.member if wrong == "somebody's" else None,
        anonymised_at=timezone.now() if wrong == "forgotten" else None,
    )
    with pytest.raises(InvitationError):
        made(home, player=player)
    with pytest.raises(InvitationError):
        made(home, role="king")
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("token", ["never", "a" * 43, "%00", "ä"])
def test_a_link_that_never_was_says_so(token: str) -> None:
    answer = client_of().get(f"/join/{token}/")
    assert answer.status_code == 404
    assert "does not exist" in answer.content.decode()
    assert client_of().get("/join/").status_code == 404


def test_a_visitor_comes_back_to_the_invitation_after_the_sign_in(home: House, people: Cast) -> None:
    link = made(home)
    client = client_of()
    page = client.get(f"/join/{link.token}/").content.decode()
    assert "/login/?next=%2Fjoin%2F" in page
    assert client.post(f"/join/{link.token}/").url == "/login/?next=/join/"
    sent = {"username": people.stranger.email, "password": "kreuz-sieben", "next": "/join/"}
    assert client.post("/login/", sent).url == "/join/"
    assert str(home.club) in client.get("/join/").content.decode()
    assert client.post("/join/").url == "/c/roessli/"
    assert Membership.objects.filter(user=people.stranger, club=home.club).exists()


def test_a_new_person_makes_an_account_by_the_invitation(home: House, mailoutbox: list[Any]) -> None:
    link = made(home)
    client = client_of()
    client.get(f"/join/{link.token}/")
    sent = {"first_name": "Gian", "email": "gian@example.org", "password1": "fahrrad lampe regen", "next": "/join/"}
    answer = client.post("/signup/", sent)
    code = re.search(r": (\S+)\s", mailoutbox[0].body)
    assert code
    assert client.post(answer.url, {"code": code[1]}).url == "/join/"
    assert client.post("/join/").url == "/c/roessli/"
    assert Membership.objects.get(user__email="gian@example.org").club == home.club


def signing_up(token: str, email: str) -> tuple[Client, Any]:
    """In a browser of its own; what it was answered."""
    client = client_of()
    client.get(f"/join/{token}/")
    sent = {"first_name": "Gian", "last_name": "von Arx", "email": email, "password1": "fahrrad lampe regen"}
    return client, client.post("/signup/", sent | {"next": "/join/"})


def test_one_invitation_makes_one_account(home: House, people: Cast, mailoutbox: list[Any]) -> None:
    link = made(home)
    first, answer = signing_up(link.token, "gian@example.org")
    assert answer.status_code == 302
    before = User.objects.count()
    second, refused = signing_up(link.token, "other@example.org")
    assert refused.status_code == 410
    page = refused.content.decode()
    assert "is kept for the account" in page
    assert 'value="von Arx"' in page
    assert "By invitation" in second.get("/signup/").content.decode()
    assert User.objects.count() == before
    assert "An account was made with this invitation" in second.get("/join/").content.decode()
    assert join(people.stranger, link.token).status_code == 410
    assert client_of(people.stranger).get(f"/join/{link.token}/").status_code == 410
    code = re.search(r": (\S+)\s", mailoutbox[0].body)
    assert code
    assert first.post(answer.url, {"code": code[1]}).url == "/join/"
    assert first.post("/join/").url == "/c/roessli/"


def test_an_address_that_has_an_account_takes_the_invitation_too(home: House, people: Cast) -> None:
    """Else one could see by the invitation which address has one."""
    link = made(home)
    _client, answer = signing_up(link.token, people.stranger.email)
    assert answer.url == "/signup/mail/"
    assert Invitation.objects.get().taken_by == people.stranger
    assert "An account was made with this invitation" in client_of().get(f"/join/{link.token}/").content.decode()
    assert join(people.stranger, link.token).status_code == 302


def test_where_anybody_may_sign_up_an_invitation_stays_free(home: House, settings: Any) -> None:
    settings.SIGNUP_OPEN = True
    link = made(home)
    for email in ("gian@example.org", "other@example.org"):
        assert signing_up(link.token, email)[1].status_code == 302
    assert Invitation.objects.get().taken_by is None


def test_a_used_invitation_opens_no_sign_up(home: House, people: Cast) -> None:
    link = made(home)
    client = client_of()
    client.get(f"/join/{link.token}/")
    join(people.stranger, link.token)
    assert "By invitation" in client.get("/signup/").content.decode()


def test_looking_at_the_open_ones_costs_one_query(home: House, django_assert_num_queries: Any) -> None:
    for _ in range(3):
        made(home, player=PlayerFactory(club=home.club))
    with django_assert_num_queries(1):
        assert [each.player.nickname for each in invitations_open(home.club) if each.player and each.author]
