"""Invitations: acceptance of a link, its role, its player, and its single use."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.accounts.invitations import (
    InvitationError,
    NewInvitation,
    digest_of,
    invitation_create,
    invitation_revoke,
    usable_invitations,
)
from league.models import AuditEntry, Invitation, Membership, Player, Role, User
from tests.cast import Cast, House
from tests.clients import reader
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db


def made(home: House, **more: Any) -> NewInvitation:
    return invitation_create(club=home.club, author=home.owner, **more)


def join(user: User, token: str) -> Any:
    return reader(user).post(f"/join/{token}/")


def test_the_link_gives_the_role_and_the_player(home: House, people: Cast) -> None:
    player = PlayerFactory(club=home.club, nickname="Gian")
    link = made(home, role=Role.RECORDER, player=player, note="for Gian")
    page = reader(people.stranger).get(f"/join/{link.token}/").content.decode()
    assert "Gian" in page
    assert str(home.club) in page
    assert not Membership.objects.filter(user=people.stranger).exists()
    assert join(people.stranger, link.token).url == "/c/roessli/"
    assert Membership.objects.get(user=people.stranger).role == Role.RECORDER
    assert Player.objects.get(pk=player.pk).user == people.stranger
    logged = AuditEntry.objects.filter(club=home.club).values_list("what", flat=True)
    assert {"invited", "invitation_used", "role_given", "player_claimed"} <= set(logged)


def test_the_token_is_not_stored(home: House) -> None:
    link = made(home)
    assert link.token not in str(list(Invitation.objects.values()))
    assert link.token not in str(list(AuditEntry.objects.values()))
    assert Invitation.objects.get().digest == digest_of(link.token)


def test_a_second_person_cannot_use_the_invitation(home: House, people: Cast) -> None:
    link = made(home)
    join(people.stranger, link.token)
    late = reader(people.away.member)
    assert late.get(f"/join/{link.token}/").status_code == 410
    answer = late.post(f"/join/{link.token}/")
    assert answer.status_code == 410
    assert "has been accepted" in answer.content.decode()
    assert not Membership.objects.filter(club=home.club, user=people.away.member).exists()


def test_the_same_person_may_accept_twice(home: House, people: Cast) -> None:
    link = made(home)
    assert join(people.stranger, link.token).status_code == 302
    assert join(people.stranger, link.token).url == "/c/roessli/"
    assert reader(people.stranger).get(f"/join/{link.token}/").url == "/c/roessli/"
    assert Membership.objects.filter(user=people.stranger).count() == 1


def test_a_removed_person_cannot_return_by_the_old_link(home: House, people: Cast) -> None:
    link = made(home)
    join(people.stranger, link.token)
    Membership.objects.filter(user=people.stranger).delete()
    assert join(people.stranger, link.token).status_code == 410
    assert not Membership.objects.filter(user=people.stranger).exists()


def test_an_invitation_is_valid_for_seven_days(home: House, people: Cast) -> None:
    link = made(home)
    assert link.invitation.expires_at - timezone.now() <= timedelta(days=7)
    Invitation.objects.update(expires_at=timezone.now())
    answer = join(people.stranger, link.token)
    assert answer.status_code == 410
    assert "seven days" in answer.content.decode()
    assert list(usable_invitations(home.club)) == []
    # An expired invitation cannot be withdrawn.
    assert not invitation_revoke(invitation=link.invitation, author=home.owner)


def test_a_withdrawn_invitation_lets_nobody_in(home: House, people: Cast) -> None:
    link = made(home)
    assert invitation_revoke(invitation=link.invitation, author=home.owner)
    assert not invitation_revoke(invitation=link.invitation, author=home.owner)
    assert join(people.stranger, link.token).status_code == 410
    assert AuditEntry.objects.filter(what="invitation_revoked").count() == 1


def test_an_invitation_of_a_former_owner_lets_nobody_in(home: House, people: Cast) -> None:
    link = made(home, role=Role.OWNER)
    home.owner.memberships.update(role=Role.MEMBER)
    assert join(people.stranger, link.token).status_code == 410
    assert reader(people.stranger).get(f"/join/{link.token}/").status_code == 410
    assert list(usable_invitations(home.club)) == []


def test_a_person_of_the_club_keeps_the_higher_role(home: House) -> None:
    join(home.treasurer, made(home, role=Role.RECORDER).token)
    assert Membership.objects.get(user=home.treasurer).role == Role.TREASURER
    join(home.member, made(home, role=Role.RECORDER).token)
    assert Membership.objects.get(user=home.member).role == Role.RECORDER


def test_a_player_who_got_an_account_is_not_taken_and_the_link_stays_usable(home: House, people: Cast) -> None:
    player = PlayerFactory(club=home.club)
    link = made(home, player=player)
    Player.objects.filter(pk=player.pk).update(user=home.member)
    answer = join(people.stranger, link.token)
    assert answer.status_code == 409
    assert Player.objects.get(pk=player.pk).user == home.member
    assert not Membership.objects.filter(user=people.stranger).exists()
    assert link.invitation in usable_invitations(home.club)


def test_a_player_whose_person_got_another_account_is_not_taken(home: House, people: Cast) -> None:
    player = PlayerFactory(club=home.club, nickname="Max")
    link = made(home, player=player)
    PlayerFactory(club=home.club, nickname="Maxli", main=player, user=home.member)
    answer = join(people.stranger, link.token)
    assert answer.status_code == 409
    assert "Maxli" in answer.content.decode()
    assert Player.objects.get(pk=player.pk).user is None
    assert link.invitation in usable_invitations(home.club)
    assert join(home.member, link.token).status_code == 302
    assert Player.objects.get(pk=player.pk).user == home.member


def test_a_new_invitation_for_a_player_ends_the_old_one(home: House, people: Cast) -> None:
    player = PlayerFactory(club=home.club)
    old, new = made(home, player=player), made(home, player=player)
    assert join(people.stranger, old.token).status_code == 410
    assert join(people.stranger, new.token).status_code == 302


@pytest.mark.parametrize("wrong", ["of another club", "somebody's", "forgotten"])
def test_only_an_untied_player_of_the_club_can_be_invited(home: House, people: Cast, wrong: str) -> None:
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
def test_an_unknown_link_is_not_found(token: str) -> None:
    answer = reader().get(f"/join/{token}/")
    assert answer.status_code == 404
    assert "does not exist" in answer.content.decode()
    assert reader().get("/join/").status_code == 404


def test_a_visitor_returns_to_the_invitation_after_the_sign_in(home: House, people: Cast) -> None:
    link = made(home)
    client = reader()
    page = client.get(f"/join/{link.token}/").content.decode()
    assert "/login/?next=%2Fjoin%2F" in page
    assert client.post(f"/join/{link.token}/").url == "/login/?next=/join/"
    sent = {"username": people.stranger.email, "password": "kreuz-sieben", "next": "/join/"}
    assert client.post("/login/", sent).url == "/join/"
    assert str(home.club) in client.get("/join/").content.decode()
    assert client.post("/join/").url == "/c/roessli/"
    assert Membership.objects.filter(user=people.stranger, club=home.club).exists()


def test_a_visitor_creates_an_account_with_the_invitation(home: House, mailoutbox: list[Any]) -> None:
    link = made(home)
    client = reader()
    client.get(f"/join/{link.token}/")
    sent = {"first_name": "Gian", "email": "gian@example.org", "password1": "fahrrad lampe regen", "next": "/join/"}
    answer = client.post("/signup/", sent)
    code = re.search(r": (\S+)\s", mailoutbox[0].body)
    assert code
    assert client.post(answer.url, {"code": code[1]}).url == "/join/"
    assert client.post("/join/").url == "/c/roessli/"
    assert Membership.objects.get(user__email="gian@example.org").club == home.club


def signing_up(token: str, email: str) -> tuple[Client, Any]:
    """Sign up in a new browser, and return the answer."""
    client = reader()
    client.get(f"/join/{token}/")
    sent = {"first_name": "Gian", "last_name": "von Arx", "email": email, "password1": "fahrrad lampe regen"}
    return client, client.post("/signup/", sent | {"next": "/join/"})


def test_one_invitation_creates_one_account(home: House, people: Cast, mailoutbox: list[Any]) -> None:
    link = made(home)
    first, answer = signing_up(link.token, "gian@example.org")
    assert answer.status_code == 302
    before = User.objects.count()
    second, refused = signing_up(link.token, "other@example.org")
    assert refused.status_code == 410
    page = refused.content.decode()
    assert "belongs to the account" in page
    assert 'value="von Arx"' in page
    assert "By invitation" in second.get("/signup/").content.decode()
    assert User.objects.count() == before
    assert "An account was created with this invitation" in second.get("/join/").content.decode()
    assert join(people.stranger, link.token).status_code == 410
    assert reader(people.stranger).get(f"/join/{link.token}/").status_code == 410
    code = re.search(r": (\S+)\s", mailoutbox[0].body)
    assert code
    assert first.post(answer.url, {"code": code[1]}).url == "/join/"
    assert first.post("/join/").url == "/c/roessli/"


def test_an_address_with_an_account_reserves_the_invitation_too(home: House, people: Cast) -> None:
    """Otherwise the invitation would reveal addresses with an account."""
    link = made(home)
    _client, answer = signing_up(link.token, people.stranger.email)
    assert answer.url == "/signup/mail/"
    assert Invitation.objects.get().taken_by == people.stranger
    assert "An account was created with this invitation" in reader().get(f"/join/{link.token}/").content.decode()
    assert join(people.stranger, link.token).status_code == 302


def test_on_an_open_server_signing_up_reserves_no_invitation(home: House, settings: Any) -> None:
    settings.SIGNUP_OPEN = True
    link = made(home)
    for email in ("gian@example.org", "other@example.org"):
        assert signing_up(link.token, email)[1].status_code == 302
    assert Invitation.objects.get().taken_by is None


def test_a_used_invitation_allows_no_sign_up(home: House, people: Cast) -> None:
    link = made(home)
    client = reader()
    client.get(f"/join/{link.token}/")
    join(people.stranger, link.token)
    assert "By invitation" in client.get("/signup/").content.decode()


def test_listing_the_usable_invitations_is_one_query(home: House, django_assert_num_queries: Any) -> None:
    for _ in range(3):
        made(home, player=PlayerFactory(club=home.club))
    with django_assert_num_queries(1):
        assert [each.player.nickname for each in usable_invitations(home.club) if each.player and each.author]
