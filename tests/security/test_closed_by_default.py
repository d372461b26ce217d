"""Closed by default: a page or an operation without a gate refuses everybody."""

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
from league.config.sign_in_required import PUBLIC_ROUTES
from tests.cast import cast
from tests.permissions import ROUTES, Anyone, Club, Linked, Own
from tests.security.addresses import every_address

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
    MIDDLEWARE=[name for name in settings.MIDDLEWARE if not name.endswith("SignInRequiredMiddleware")],
)
def test_without_the_middleware_the_page_is_open(client: Client) -> None:
    """The same request with the guard removed."""
    assert client.get("/forgotten/").content == b"everything"


@override_settings(ROOT_URLCONF=__name__)
def test_an_operation_without_a_gate_is_closed_to_everybody(client: Client) -> None:
    assert client.get("/api/forgotten/").status_code in (401, 403)
    client.force_login(cast().home.owner)
    assert client.get("/api/forgotten/").status_code in (401, 403)


def test_an_operation_for_everybody_is_open(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same request with the guard removed."""
    monkeypatch.setattr(ForgottenApi, "permission_classes", [AllowAny])
    with override_settings(ROOT_URLCONF=__name__):
        assert client.get("/api/forgotten/").status_code == 200


def opens(route: Any) -> bool:
    """Return True if the table of routes admits visitors."""
    return isinstance(route, (Anyone, Linked)) or (isinstance(route, Club) and route.rights.get("GET") is Right.READ)


def refuses_visitors(view: Any) -> bool:
    """Return True if a view refuses visitors itself or sends them to the sign-in."""
    return hasattr(view, "login_url") or not getattr(view, "login_required", True)


def test_visitors_are_admitted_exactly_where_the_table_of_routes_says_so() -> None:
    views = {address.name: address.view for address in every_address()}
    wanted = {name for name, route in ROUTES.items() if opens(route) and not refuses_visitors(views[name])}
    assert wanted <= PUBLIC_ROUTES, sorted(wanted - PUBLIC_ROUTES)
    assert {name for name in PUBLIC_ROUTES if not opens(ROUTES[name])} == set()


def test_every_other_view_refuses_visitors_itself() -> None:
    """So the middleware is a second guard, never the only one."""
    others = [
        address
        for address in every_address()
        if address.name not in PUBLIC_ROUTES and not address.name.startswith("admin:")
    ]
    quiet = {address.name for address in others if not refuses_visitors(address.view)}
    # The decorators of the account's own pages cannot be seen from here; other tests call each as a visitor.
    assert {name for name in quiet if not isinstance(ROUTES.get(name), Own)} == set()


def test_no_operation_is_open_by_its_permissions() -> None:
    for address in every_address():
        view_class = getattr(address.view, "cls", None)
        if view_class is not None and issubclass(view_class, APIView):
            assert view_class.permission_classes, address.name
            assert AllowAny not in view_class.permission_classes or address.name == "api-openapi", address.name
