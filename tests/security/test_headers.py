"""The headers of every answer: pages, files, the API, the admin, refusals."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client

from tests.cast import cast

pytestmark = pytest.mark.django_db

ADDRESSES = [
    "/",
    "/login/",
    "/c/roessli/",
    "/c/nothing/",
    "/admin/",
    "/admin/login/",
    "/api/v1/clubs/",
    "/api/nothing/",
]
ADDRESSES += ["/healthz", "/calculator/", "/hand-worth/", "/static/css/base.css", "/c/roessli/s/2026/standings.csv"]


@pytest.fixture
def answers() -> dict[str, dict[str, str]]:
    cast()
    return {path: dict(Client().get(path).headers) for path in ADDRESSES}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", settings.PERMISSIONS_POLICY),
    ],
)
def test_every_answer_has_the_header(answers: dict[str, dict[str, str]], name: str, value: str) -> None:
    assert {path: answer.get(name) for path, answer in answers.items()} == dict.fromkeys(ADDRESSES, value)


def test_no_policy_allows_inline_scripts(answers: dict[str, dict[str, str]]) -> None:
    for path, answer in answers.items():
        if path.startswith("/static/"):
            continue
        policy = answer["Content-Security-Policy"]
        assert "unsafe" not in policy, path
        assert "default-src 'none'" in policy, path
        assert "frame-ancestors 'none'" in policy, path
        assert answer["X-Frame-Options"] == "DENY", path


def test_under_https_answers_have_hsts(settings: object) -> None:
    settings.SECURE_HSTS_SECONDS, settings.SECURE_SSL_REDIRECT = 2_592_000, True  # type: ignore[attr-defined]
    secure = Client().get("/", secure=True)
    assert secure.headers["Strict-Transport-Security"] == "max-age=2592000"
    plain = Client().get("/")
    assert (plain.status_code, plain.headers["Location"]) == (301, "https://testserver/")


@pytest.mark.parametrize("name", ["camera", "microphone", "geolocation", "payment"])
def test_no_page_may_use_features_of_the_device(name: str) -> None:
    assert f"{name}=()" in settings.PERMISSIONS_POLICY
