"""Self-promotion: whatever somebody sends anywhere, nobody but an owner gives rights, and a server's rights are given
nowhere."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Table
from league.models import Invitation, Membership, Role, User
from tests.api.asking import Asker, key_for
from tests.cast import Cast, cast
from tests.factories import MADE, enter, open_table
from tests.permissions import ROUTES
from tests.security.walking import every_way

pytestmark = [pytest.mark.once, pytest.mark.django_db]

OTHERS = ("treasurer", "recorder", "member")
OWN_THINGS = ("logout", "account_logout", "club-leave", "account-forget", "player-forget")


@pytest.fixture
def people() -> Cast:
    found = cast()
    enter(open_table(club=found.home.club, season=found.home.season), MADE)
    return found


def rights() -> Any:
    """Everybody's roles and flags, and who may be let in."""
    return (
        sorted(Membership.objects.values_list("club", "user", "role")),
        sorted(User.objects.values_list("pk", "is_staff", "is_superuser", "is_active")),
        sorted(Invitation.objects.values_list("pk", "role")),
    )


def wishes(person: User) -> list[dict[str, Any]]:
    """What somebody would send who wants more."""
    flags = {"is_staff": "on", "is_superuser": "on", "groups": "1", "user_permissions": "1", "scopes": "manage"}
    who = {"user": person.pk, "person": person.pk, "role": "owner", "membership": "owner"}
    return [flags | who | {"do": do} for do in ("role", "tie", "invite", "")]


def known(people: Cast) -> dict[str, Any]:
    """What the addresses of a club name."""
    evening = people.home.season.evenings.get()
    table = Table.objects.get(evening=evening)
    places = {"club": people.home.club.slug, "season": people.home.season.slug, "evening": evening.pk}
    return {**places, "table": table.pk, "number": 1, "player": table.dealer_id, "person": people.home.member.pk}


def addresses(people: Cast) -> list[tuple[str, str]]:
    """Every address that can be filled, with its name."""
    places = known(people)
    ways = [way for way in every_way() if way.name in ROUTES and way.name not in OWN_THINGS]
    fitting = [way for way in ways if way.wants <= places.keys()]
    return [(way.name, reverse(way.name, kwargs={name: places[name] for name in way.wants})) for way in fitting]


@pytest.mark.parametrize("role", OTHERS)
def test_no_form_and_no_body_makes_anybody_more(people: Cast, role: str) -> None:
    person = people.home.person(role)
    before = rights()
    page, program = Client(), Asker(key=key_for(person))
    page.force_login(person)
    found = addresses(people)
    assert len(found) > 80
    for name, url in found:
        for wish in wishes(person)[: 1 if name.startswith("api-") else 4]:
            if not name.startswith("api-"):
                page.post(url, wish)
                continue
            for method in ("POST", "PATCH", "PUT"):
                program(method, url, {"role": "owner", "user": person.pk, "is_superuser": True}, match="*")
                program(method, url, {"role": "owner"}, match="*")
    assert rights() == before


def test_an_owner_gives_a_role_by_the_same_request(people: Cast) -> None:
    """The twin: what is sent is what works for whom it is meant."""
    client, member = Client(), people.home.member
    client.force_login(people.home.owner)
    url = reverse("club-people", kwargs={"club": people.home.club.slug})
    client.post(url, {"do": "role", "user": member.pk, "role": Role.OWNER})
    assert Membership.objects.get(user=member).role == Role.OWNER


def test_a_key_gives_no_more_than_its_owner_has(people: Cast) -> None:
    program = Asker(key=key_for(people.home.member, "read", "record", "money", "manage"))
    url = reverse("api-person", kwargs={"club": people.home.club.slug, "person": people.home.member.pk})
    assert program("PATCH", url, {"role": "owner"}, match="*").status_code == 403


def test_a_servers_rights_are_given_by_no_page_and_no_operation(people: Cast) -> None:
    client = Client()
    client.force_login(people.home.owner)
    for wish in wishes(people.home.owner):
        client.post(reverse("account"), wish)
        client.post(reverse("club-people", kwargs={"club": people.home.club.slug}), wish)
    fresh = User.objects.get(pk=people.home.owner.pk)
    assert (fresh.is_staff, fresh.is_superuser) == (False, False)
