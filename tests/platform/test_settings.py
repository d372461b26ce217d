"""Settings: the defaults are safe, and the environment changes them."""

import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.template import Context, Template
from django.utils import translation

from league.config import environment
from tests.processes import PROJECT

ASKED = (
    "DEBUG SECRET_KEY ALLOWED_HOSTS EMBEDDED CELERY_BROKER_URL SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE "
    "SESSION_COOKIE_HTTPONLY CSRF_COOKIE_HTTPONLY SECURE_SSL_REDIRECT SECURE_HSTS_SECONDS CONTENT_SECURITY_POLICY "
    "CLUBS_OPEN SIGNUP_OPEN"
).split()
OWN_VARIABLES = (
    "DEBUG SECRET_KEY ALLOWED_HOSTS DATABASE_URL REDIS_URL HTTPS DATA_DIR DJANGO_SETTINGS_MODULE LOG_LEVEL "
    "CLUBS_OPEN SIGNUP_OPEN"
).split()


def bare(data: Path, **more: str) -> dict[str, str]:
    """Return an environment with no setting of the product but the data folder."""
    # Browser tests in the same process set the last one.
    other = {*OWN_VARIABLES, "DJANGO_ALLOW_ASYNC_UNSAFE"}
    kept = {key: value for key, value in os.environ.items() if key not in other}
    return {**kept, "DATA_DIR": str(data), **more}


def settings_under(data: Path, **more: str) -> dict[str, object]:
    """Return the settings in a new process."""
    code = (
        "import json; from django.conf import settings as s; "
        f"print(json.dumps({{name: getattr(s, name) for name in {ASKED!r}}}, default=str))"
    )
    env = bare(data, DJANGO_SETTINGS_MODULE="league.config.settings", **more)
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    values: dict[str, object] = json.loads(done.stdout)
    return values


def test_the_defaults_are_safe(tmp_path: Path) -> None:
    values = settings_under(tmp_path)
    assert values["DEBUG"] is False
    assert values["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]
    assert values["SESSION_COOKIE_HTTPONLY"] is True
    assert values["CSRF_COOKIE_HTTPONLY"] is True
    assert values["EMBEDDED"] is True
    assert values["CELERY_BROKER_URL"] == "memory://localhost/"


def test_scripts_and_styles_come_from_the_own_server_only(tmp_path: Path) -> None:
    policy = settings_under(tmp_path)["CONTENT_SECURITY_POLICY"]
    assert isinstance(policy, dict)
    directives = policy["DIRECTIVES"]
    assert directives["default-src"] == ["'none'"]
    assert directives["script-src"] == directives["style-src"] == ["'self'"]
    assert "unsafe" not in json.dumps(policy)


def test_https_secures_cookies_and_redirects(tmp_path: Path) -> None:
    values = settings_under(tmp_path, HTTPS="1")
    assert values["SESSION_COOKIE_SECURE"] is True
    assert values["CSRF_COOKIE_SECURE"] is True
    assert values["SECURE_SSL_REDIRECT"] is True
    assert values["SECURE_HSTS_SECONDS"] == 30 * 24 * 3600


@pytest.mark.parametrize(
    ("text", "https", "says"),
    [
        *(("", False, "yes"), ("", True, "ask"), ("1", True, "yes"), ("0", False, "no"), ("true", True, "yes")),
        *(("false", False, "no"), (" Ask ", False, "ask"), ("yes", True, "yes"), ("no", False, "no")),
    ],
)
def test_who_opens_clubs_is_said_by_a_word_or_as_before(text: str, https: bool, says: str) -> None:
    assert environment.clubs_open(text, https=https) == says


def test_an_unknown_word_about_clubs_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured, match="yes, ask or no, not 'perhaps'"):
        environment.clubs_open("perhaps", https=False)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["yes", True]),
        ({"HTTPS": "1"}, ["ask", True]),
        ({"CLUBS_OPEN": "0"}, ["no", False]),
        ({"HTTPS": "1", "SIGNUP_OPEN": "0"}, ["ask", False]),
    ],
)
def test_an_account_is_for_everybody_where_clubs_are(
    tmp_path: Path, given: dict[str, str], expected: list[object]
) -> None:
    asked = settings_under(tmp_path, **given)
    assert [asked["CLUBS_OPEN"], asked["SIGNUP_OPEN"]] == expected


def test_redis_moves_the_worker_out_of_the_web_process(tmp_path: Path) -> None:
    values = settings_under(tmp_path, REDIS_URL="redis://example.invalid:6379/0")
    assert values["EMBEDDED"] is False
    assert values["CELERY_BROKER_URL"] == "redis://example.invalid:6379/0"


def test_deployment_check_is_clean_under_https(tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=PROJECT, env=bare(tmp_path, HTTPS="1"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_secret_key_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    first = settings_under(tmp_path)["SECRET_KEY"]
    assert isinstance(first, str)
    assert len(first) >= 50
    assert settings_under(tmp_path)["SECRET_KEY"] == first
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_a_secret_key_from_the_environment_is_not_stored(tmp_path: Path) -> None:
    assert settings_under(tmp_path, SECRET_KEY="given")["SECRET_KEY"] == "given"
    assert not (tmp_path / "secret_key").exists()


def test_processes_that_start_together_use_one_secret_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: environment.stored_secret(tmp_path / "key"), range(64)))
    assert len(keys) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_an_unwritable_folder_gives_an_error_of_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    data = tmp_path / "file" / "data"
    command = [sys.executable, "manage.py", "serve"]
    done = subprocess.run(command, cwd=PROJECT, env=bare(data), capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.strip() == (
        f"The data folder {data} cannot be written (Not a directory): set DATA_DIR to one that can."
    )


def test_a_database_other_than_sqlite_and_postgresql_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured, match="SQLite or a PostgreSQL"):
        environment.database({"ENGINE": "django.db.backends.mysql", "NAME": "x"})


@pytest.mark.parametrize(
    ("version", "journal"), [((3, 40, 1), "PERSIST"), ((3, 51, 2), "PERSIST"), ((3, 51, 3), "WAL"), ((3, 52), "WAL")]
)
def test_wal_is_used_only_with_safe_versions_of_sqlite(version: tuple[int, ...], journal: str) -> None:
    assert f"journal_mode={journal};" in environment.sqlite_options(version)["init_command"]


@pytest.mark.needs_sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("synchronous", 3),
        ("recursive_triggers", 1),
        ("foreign_keys", 1),
        ("busy_timeout", 20000),
        ("journal_size_limit", 4194304),
    ],
)
def test_sqlite_runs_with_durable_options(pragma: str, value: int) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {pragma}")
        assert cursor.fetchone()[0] == value


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_long_number_in_an_address_or_a_form_is_not_grouped(language: str) -> None:
    page = Template('<a href="{% url "table" club="roessli" table=n %}" data-table="{{ n }}">')
    with translation.override(language):
        assert page.render(Context({"n": 1281})) == '<a href="/c/roessli/t/1281/" data-table="1281">'
