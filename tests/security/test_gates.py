"""Closed unless said otherwise: a page or an operation that nobody thought about lets nobody in."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import include, path
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.access import Right
from league.config.door import OPEN
from tests.cast import cast
from tests.permissions import ROUTES, Anyone, Club, Linked, Own
from tests.security.walking import every_way

pytestmark = pytest.mark.django_db


def forgotten(request: HttpRequest) -> HttpResponse:
    return HttpResponse("everything")


class ForgottenApi(APIView):
    def get(self, request: Request) -> Response:
        return Response("everything")


urlpatterns = [
    path("forgotten/", forgotten, name="forgotten"),
    path("api/forgotten/", ForgottenApi.as_view(), name="api-forgotten"),
    path("", include("league.config.urls")),
]


@override_settings(ROOT_URLCONF=__name__)
def test_a_page_without_a_gate_is_closed_to_visitors(client: Client) -> None:
    answer = client.get("/forgotten/")
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/login/?next=/forgotten/"


@override_settings(
    ROOT_URLCONF=__name__,
    MIDDLEWARE=[name for name in settings.MIDDLEWARE if not name.endswith("DoorMiddleware")],
)
def test_without_the_door_it_would_be_open(client: Client) -> None:
    """The twin."""
    assert client.get("/forgotten/").content == b"everything"


@override_settings(ROOT_URLCONF=__name__)
def test_an_operation_without_a_gate_is_closed_to_everybody(client: Client) -> None:
    assert client.get("/api/forgotten/").status_code in (401, 403)
    client.force_login(cast().home.owner)
    assert client.get("/api/forgotten/").status_code in (401, 403)


def test_an_operation_that_is_open_to_all_would_be_open(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin."""
    monkeypatch.setattr(ForgottenApi, "permission_classes", [AllowAny])
    with override_settings(ROOT_URLCONF=__name__):
        assert client.get("/api/forgotten/").status_code == 200


def opens(route: Any) -> bool:
    """Whether the table of routes lets a visitor in."""
    return isinstance(route, (Anyone, Linked)) or (isinstance(route, Club) and route.rights.get("GET") is Right.READ)


def asks_for_itself(view: Any) -> bool:
    """Whether a view lets nobody in by default, or says where to sign in."""
    return hasattr(view, "login_url") or not getattr(view, "login_required", True)


def test_the_door_is_open_where_the_table_of_routes_says_so_and_nowhere_else() -> None:
    views = {way.name: way.view for way in every_way()}
    wanted = {name for name, route in ROUTES.items() if opens(route) and not asks_for_itself(views[name])}
    assert wanted <= OPEN, sorted(wanted - OPEN)
    assert {name for name in OPEN if not opens(ROUTES[name])} == set()


def test_every_other_view_asks_for_itself() -> None:
    """So that the door is a second lock, never the only one."""
    others = [way for way in every_way() if way.name not in OPEN and not way.name.startswith("admin:")]
    quiet = {way.name for way in others if not asks_for_itself(way.view)}
    # Pages of one's own account, whose decorators do not show: what a visitor gets there is tested one by one.
    assert {name for name in quiet if not isinstance(ROUTES.get(name), Own)} == set()


def test_no_operation_is_open_by_its_permissions() -> None:
    for way in every_way():
        found = getattr(way.view, "cls", None)
        if found is not None and issubclass(found, APIView):
            assert found.permission_classes, way.name
            assert AllowAny not in found.permission_classes or way.name == "api-openapi", way.name
