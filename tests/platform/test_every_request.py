"""For every request: the size limit, headers, health checks, and error pages as HTML or JSON."""

from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

LARGE = b"x" * 10_000_000


@pytest.mark.django_db
def test_ten_megabytes_are_refused_unread(client: Client) -> None:
    answer = client.post("/api/v1/anything/", LARGE, content_type="application/json")
    assert answer.status_code == 413
    assert answer.json()["code"] == "too_large"


@pytest.mark.django_db
def test_a_form_of_ten_megabytes_gets_an_error_page(client: Client) -> None:
    answer = client.post("/login/", LARGE, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 413
    assert "<" in answer.content.decode()
    assert "Traceback" not in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(("size", "refused"), [(settings.MAX_BODY_BYTES, False), (settings.MAX_BODY_BYTES + 1, True)])
def test_the_size_limit_is_exact(client: Client, size: int, refused: bool) -> None:
    answer = client.post("/api/v1/anything/", b"x" * size, content_type="application/json")
    assert (answer.status_code == 413) is refused


@pytest.mark.django_db
def test_every_answer_has_the_strict_content_security_policy(client: Client) -> None:
    answer = client.get("/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"


def test_healthz_sends_no_query(client: Client, django_assert_num_queries: Any) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_readyz_is_200_when_the_database_is_migrated(client: Client) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"ready": True})


@pytest.mark.django_db
def test_readyz_is_503_before_the_newest_migration(client: Client) -> None:
    newest = MigrationRecorder.Migration.objects.filter(app="league").order_by("name").last()
    newest.delete()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"ready": False, "database": "not migrated"})


def test_readyz_is_503_without_a_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*args: object) -> None:
        raise OperationalError("no route")

    monkeypatch.setattr("league.config.health.MigrationRecorder", unreachable)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "unreachable")


@pytest.mark.django_db
def test_a_404_is_json_for_programs_and_a_page_for_people(client: Client) -> None:
    program, person = client.get("/api/nothing/"), client.get("/nothing/")
    assert program.status_code == person.status_code == 404
    assert program.json()["code"] == "not_found"
    assert person.headers["Content-Type"].startswith("text/html")


@pytest.mark.django_db
def test_an_error_page_that_fails_becomes_plain_text(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> str:
        raise ValueError("no such file")

    monkeypatch.setattr("league.web.error_pages.loader.render_to_string", broken)
    answer = client.get("/nothing/")
    assert answer.status_code == 404
    assert "<title>404</title>" in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.parametrize("host", ["127.0.0.1:8000", "10.0.0.7", "localhost"])
def test_health_checks_answer_under_every_host_name(client: Client, settings: Any, path: str, host: str) -> None:
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["club.example"], True
    assert client.get(path, headers={"host": host}).status_code == 200
    assert client.post(path, headers={"host": host}).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_after_the_check_of_the_host_name_they_would_not(client: Client, settings: Any, path: str) -> None:
    settings.ALLOWED_HOSTS = ["club.example"]
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "HealthMiddleware" not in each]
    assert client.get(path, headers={"host": "127.0.0.1:8000"}).status_code == 400


@pytest.mark.django_db
def test_readyz_is_503_on_a_full_disk(client: Client, settings: Any) -> None:
    assert client.get("/readyz").status_code == 200
    settings.FREE_DISK_MB = 10**12
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"ready": False, "disk": "full"})


@pytest.mark.django_db
@pytest.mark.needs_postgres
def test_readyz_is_503_if_the_database_takes_no_writes(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["database"]) == (503, "read-only")
