"""Self-promotion in every possible way, and former organisers with a session or an API key."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.access import roles
from league.accounts import invitations
from league.models import Membership, Player, Role
from tests.api.api_client import ApiClient, key_for
from tests.factories import PlayerFactory, create_table

pytestmark = pytest.mark.django_db

BELOW = [Role.TREASURER, Role.RECORDER, Role.MEMBER]


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def role_of(people, user):
    return Membership.objects.filter(club=people.home.club, user=user).values_list("role", flat=True).first()


def at(name, people, **names):
    return reverse(name, kwargs={"club": people.home.club.slug, **names})


# --- Self-promotion ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", BELOW)
def test_nobody_but_an_owner_gives_roles_on_the_page(people, role):
    person = people.home.person(role)
    client = signed_in(person)
    for sent in (
        {"do": "role", "user": person.pk, "role": "owner"},
        {"do": "out", "user": people.home.owner.pk},
        {"invite": "yes", "role": "owner"},
    ):
        assert client.post(at("club-people", people), sent).status_code == 403
    assert role_of(people, person) == role
    assert role_of(people, people.home.owner) == "owner"
    assert not people.home.club.invitations.exists()


@pytest.mark.parametrize("role", BELOW)
def test_no_other_form_takes_a_role(people, role):
    person = people.home.person(role)
    mine = PlayerFactory(club=people.home.club, user=person)
    more = {"role": "owner", "is_staff": "on", "is_superuser": "on", "memberships": "1", "club": people.away.club.pk}
    client = signed_in(person)
    sent = {"nickname": "Anna", "active": "on", "publicity": "initials"} | more
    assert client.post(at("player-edit", people, player=mine.pk), sent).status_code == 303
    client.get(reverse("language"), {"to": "de"} | more)
    for route in ("club-settings", "club-at-table", "club-visibility"):
        client.post(at(route, people), {"name": "Mine", "visibility": "listed", "settling": "end"} | more)
    person.refresh_from_db()
    assert role_of(people, person) == role
    assert (person.is_staff, person.is_superuser) == (False, False)
    assert not Membership.objects.filter(user=person, club=people.away.club).exists()


@pytest.mark.parametrize("role", BELOW)
@pytest.mark.parametrize("keyed", [True, False], ids=["by key", "signed in"])
def test_nobody_but_an_owner_gives_roles_through_the_api(people, role, keyed):
    person = people.home.person(role)
    asking = ApiClient(key=key_for(person)) if keyed else ApiClient(person=person)
    url = f"/api/v1/clubs/{people.home.club.slug}/people/{person.pk}"
    assert asking("PATCH", url, {"role": "owner"}).status_code == 403
    invited = asking.post(f"/api/v1/clubs/{people.home.club.slug}/invitations", {"role": "owner"})
    assert invited.status_code == 403
    assert role_of(people, person) == role


def test_an_owners_api_key_without_the_scope_gives_no_roles(people):
    asking = ApiClient(key=key_for(people.home.owner, "read", "record", "money"))
    url = f"/api/v1/clubs/{people.home.club.slug}/people/{people.home.member.pk}"
    assert asking("PATCH", url, {"role": "owner"}).status_code == 403
    assert role_of(people, people.home.member) == "member"


def test_an_owner_of_another_club_promotes_nobody_here(people):
    client = signed_in(people.away.owner)
    sent = {"do": "role", "user": people.away.owner.pk, "role": "owner"}
    assert client.post(at("club-people", people), sent).status_code == 403
    # Nor by naming a person of this club on the page of their own club.
    away = reverse("club-people", kwargs={"club": people.away.club.slug})
    assert client.post(away, {"do": "role", "user": people.home.member.pk, "role": "owner"}).status_code == 404
    player = PlayerFactory(club=people.home.club)
    sent = {"do": "tie", "user": people.away.owner.pk, "player": player.pk}
    assert client.post(away, sent).status_code == 404
    assert role_of(people, people.home.member) == "member"
    assert Player.objects.get(pk=player.pk).user is None


# --- The ex-organiser --------------------------------------------------------------------------------------


def test_a_former_organiser_can_do_nothing_with_session_or_key(people):
    home = people.home
    table = create_table(club=home.club, season=home.season)
    roles.role_give(club=home.club, user=home.recorder, role=Role.OWNER, actor=home.owner)
    former = home.recorder
    browser, program = signed_in(former), ApiClient(key=key_for(former))
    bound = ApiClient(key=key_for(former, club=home.club))
    reads = [at("club-people", people), at("club-log", people), at("table", people, table=table.pk)]
    assert [browser.get(url).status_code for url in reads] == [200, 200, 200]
    api = f"/api/v1/clubs/{home.club.slug}"
    assert [client.get(f"{api}/people").status_code for client in (program, bound)] == [200, 200]
    made = invitations.invitation_create(club=home.club, author=former, role=Role.OWNER)

    roles.role_take(club=home.club, user=former, actor=home.owner)

    assert [browser.get(url).status_code for url in reads] == [403, 403, 403]
    assert browser.post(at("club-people", people), {"do": "out", "user": home.owner.pk}).status_code == 403
    assert program.get(f"{api}/people").status_code == 403
    # An API key for this club alone is no longer valid.
    assert bound.get(f"{api}/people").status_code == 401
    # Nor are invitations of that time valid.
    with pytest.raises(invitations.InvitationGone):
        invitations.invitation_accept(digest=invitations.digest_of(made.token), user=former)
    assert role_of(people, former) is None


def test_a_private_club_is_a_404_for_former_members(people):
    home = people.home
    browser = signed_in(home.member)
    home.club.visibility = "private"
    home.club.save()
    assert browser.get(home.club.get_absolute_url()).status_code == 200
    roles.role_take(club=home.club, user=home.member, actor=home.owner)
    assert browser.get(home.club.get_absolute_url()).status_code == 404
