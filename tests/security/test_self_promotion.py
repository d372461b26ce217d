"""Self-promotion: no request of any other person gives a role, only an owner's; and no request gives the rights of
the server's administrator."""

from __future__ import annotations

from typing import Any

import pytest
from django.template.backends.django import Template
from django.test import Client
from django.urls import reverse

from games.models import Table
from league.models import Invitation, Membership, Role, User
from tests.api.api_client import ApiClient, key_for
from tests.cast import Cast, cast
from tests.factories import MADE, create_table, enter
from tests.permissions import ROUTES
from tests.security.addresses import every_address

pytestmark = [pytest.mark.django_db]

OTHERS = ("treasurer", "recorder", "member")
OWN_THINGS = ("logout", "account_logout", "club-leave", "account-forget", "player-forget")


@pytest.fixture
def people() -> Cast:
    everybody = cast()
    enter(create_table(club=everybody.home.club, season=everybody.home.season), MADE)
    return everybody


def rights() -> Any:
    """Return all roles, flags and invitations."""
    return (
        sorted(Membership.objects.values_list("club", "user", "role")),
        sorted(User.objects.values_list("pk", "is_staff", "is_superuser", "is_active")),
        sorted(Invitation.objects.values_list("pk", "role")),
    )


def wishes(person: User) -> list[dict[str, Any]]:
    """Return the fields that an attacker would send to get more rights."""
    flags = {"is_staff": "on", "is_superuser": "on", "groups": "1", "user_permissions": "1", "scopes": "manage"}
    who = {"user": person.pk, "person": person.pk, "role": "owner", "membership": "owner"}
    return [flags | who | {"do": do} for do in ("role", "tie", "invite", "")]


def known(people: Cast) -> dict[str, Any]:
    """Return the parameters of a club's addresses."""
    evening = people.home.season.evenings.get()
    table = Table.objects.get(evening=evening)
    places = {"club": people.home.club.slug, "season": people.home.season.slug, "evening": evening.pk}
    return {**places, "table": table.pk, "number": 1, "player": table.dealer_id, "person": people.home.member.pk}


def addresses(people: Cast) -> list[tuple[str, str]]:
    """Return every address for which all parameters are known, with its name."""
    places = known(people)
    addresses = [address for address in every_address() if address.name in ROUTES and address.name not in OWN_THINGS]
    fitting = [address for address in addresses if address.parameters <= places.keys()]
    return [
        (address.name, reverse(address.name, kwargs={name: places[name] for name in address.parameters}))
        for address in fitting
    ]


@pytest.mark.parametrize("role", [OTHERS[0], *(pytest.param(role, marks=pytest.mark.rest) for role in OTHERS[1:])])
def test_no_form_and_no_body_gives_more_rights(people: Cast, role: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Nobody reads the answers, only what is stored: their pages are not rendered.
    monkeypatch.setattr(Template, "render", lambda self, context=None, request=None: "")
    person = people.home.person(role)
    before = rights()
    page, program = Client(), ApiClient(key=key_for(person))
    page.force_login(person)
    routes = addresses(people)
    assert len(routes) > 80
    for name, url in routes:
        for wish in wishes(person)[: 1 if name.startswith("api-") else 4]:
            if not name.startswith("api-"):
                page.post(url, wish)
                continue
            for method in ("POST", "PATCH", "PUT"):
                program(method, url, {"role": "owner", "user": person.pk, "is_superuser": True}, match="*")
                program(method, url, {"role": "owner"}, match="*")
    assert rights() == before


def test_an_owner_gives_a_role_by_the_same_request(people: Cast) -> None:
    """The same request works for an owner."""
    client, member = Client(), people.home.member
    client.force_login(people.home.owner)
    url = reverse("club-people", kwargs={"club": people.home.club.slug})
    client.post(url, {"do": "role", "user": member.pk, "role": Role.OWNER})
    assert Membership.objects.get(user=member).role == Role.OWNER


def test_an_api_key_gives_no_more_rights_than_its_user_has(people: Cast) -> None:
    program = ApiClient(key=key_for(people.home.member, "read", "record", "money", "manage"))
    url = reverse("api-person", kwargs={"club": people.home.club.slug, "person": people.home.member.pk})
    assert program("PATCH", url, {"role": "owner"}, match="*").status_code == 403


def test_no_page_and_no_operation_gives_administrator_rights(people: Cast) -> None:
    client = Client()
    client.force_login(people.home.owner)
    for wish in wishes(people.home.owner):
        client.post(reverse("account"), wish)
        client.post(reverse("club-people", kwargs={"club": people.home.club.slug}), wish)
    fresh = User.objects.get(pk=people.home.owner.pk)
    assert (fresh.is_staff, fresh.is_superuser) == (False, False)
