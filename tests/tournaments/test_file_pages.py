"""The pages of a tournament's file: download it at the desk, look at one, import it; long bodies for it alone."""

from __future__ import annotations

import hashlib
import html
import http.client
import json
import re
import uuid
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from league.models import AuditEntry, DeskMember, Player, Tournament
from league.tournaments.file import canonical
from tests.cast import House, house
from tests.clients import reader
from tests.processes import Process
from tests.tournaments.played_tournaments import made_tournament, play_round, with_entrants

pytestmark = pytest.mark.django_db

FILE, IMPORT = "/c/roessli/tournaments/cup/file.json", "/c/sternen/tournaments/import/"


@pytest.fixture
def home() -> House:
    home = house("roessli")
    tournament = made_tournament(home.club, home.owner)
    with_entrants(tournament, home.owner, 9)
    play_round(tournament, home.owner)
    return home


def downloaded(home: House) -> bytes:
    answer: Any = reader(home.owner).get(FILE)
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def sent(client: Client, data: bytes, do: str = "look", **more: str) -> tuple[int, str]:
    fields = {"file": SimpleUploadedFile("cup.json", data), "do": do, "key": str(uuid.uuid4()), **more}
    answer = client.post(IMPORT, fields)
    return answer.status_code, html.unescape(answer.content.decode())


def looked_hash(text: str) -> str:
    match = re.search(r'name="sha256" value="([0-9a-f]{64})"', text)
    assert match, text
    return match[1]


# --- Download ---------------------------------------------------------------------------------------------


def test_the_desk_downloads_the_file_which_is_canonical_and_has_its_hash(home):
    answer: Any = reader(home.owner).get(FILE)
    assert answer.streaming
    assert answer["Content-Disposition"] == 'attachment; filename="roessli-cup.json"'
    text = b"".join(answer.streaming_content).decode()
    parts = json.loads(text)
    assert text == canonical.canonical(parts)
    stated = parts.pop("sha256")
    assert stated == hashlib.sha256(canonical.canonical(parts).encode()).hexdigest()
    assert AuditEntry.objects.get(what="exported").data == {"file": "tournament"}


def test_only_the_desk_gets_the_file(home):
    assert reader(home.recorder).get(FILE).status_code == 403
    DeskMember.objects.create(tournament=Tournament.objects.get(), user=home.recorder)
    assert reader(home.recorder).get(FILE).status_code == 200
    for person in (home.member, house("krone").owner):
        assert reader(person).get(FILE).status_code == 403
    assert "/login/" in reader().get(FILE)["Location"]


# --- Look and import --------------------------------------------------------------------------------------


def test_an_owner_looks_at_a_file_and_imports_it(home):
    away = house("sternen")
    client = reader(away.owner)
    status, text = sent(client, downloaded(home))
    assert status == 200
    assert "Chratzclub Roessli" in text
    assert "9 new guests" in text
    assert not Tournament.objects.filter(club=away.club).exists()
    status, _text = sent(client, downloaded(home), "import", sha256="0" * 64)
    assert status == 409
    data = downloaded(home)
    sha256 = looked_hash(sent(client, data)[1])
    key = str(uuid.uuid4())
    for _twice in range(2):
        fields = {"file": SimpleUploadedFile("cup.json", data), "do": "import", "key": key, "sha256": sha256}
        answer = client.post(IMPORT, fields)
        assert (answer.status_code, answer["Location"]) == (303, "/c/sternen/tournaments/cup/desk/")
    assert Tournament.objects.filter(club=away.club).count() == 1
    assert "Cup is imported." in html.unescape(client.get(answer["Location"]).content.decode())
    assert Player.objects.filter(club=away.club, guest=True).count() == 9
    assert AuditEntry.objects.filter(club=away.club, what="tournament_changed", data__did="imported").count() == 1


def test_a_look_by_scripts_gets_the_part_of_the_page(home):
    client = Client(headers={"accept-language": "en", "hx-request": "true"})
    client.force_login(house("sternen").owner)
    status, text = sent(client, downloaded(home))
    assert status == 200
    assert "<html" not in text
    status, text = sent(client, downloaded(home).replace(b"G9", b"G8"))
    assert (status, "does not fit its content" in text) == (200, True)


def test_a_changed_file_is_refused_on_the_page(home):
    away = house("sternen")
    status, text = sent(reader(away.owner), downloaded(home).replace(b'"paid":false', b'"paid":true', 1))
    assert status == 422
    assert "it was changed after it was written, or damaged" in text
    assert "Nothing was imported." in text


def test_without_a_file_the_page_asks_for_one(home):
    away = house("sternen")
    answer = reader(away.owner).post(IMPORT, {"do": "look"})
    assert answer.status_code == 422
    assert "Choose the file of a tournament." in answer.content.decode()


def test_only_owners_import(home):
    away = house("sternen")
    for person in (away.recorder, away.treasurer, away.member, home.owner):
        assert reader(person).get(IMPORT).status_code == 403


def test_a_second_import_into_the_same_club_says_that_it_is_there(home):
    data = downloaded(home)
    answer = reader(home.owner).post(
        "/c/roessli/tournaments/import/", {"file": SimpleUploadedFile("cup.json", data), "do": "look"}
    )
    text = answer.content.decode()
    assert "is in this club already" in text
    assert "9 players of your roster" in text


# --- Long bodies ------------------------------------------------------------------------------------------


def test_a_file_may_be_longer_than_other_bodies(home):
    away = house("sternen")
    client = reader(away.owner)
    long = downloaded(home) + b" " * (settings.MAX_BODY_BYTES + 1)
    assert sent(client, long)[0] == 200
    assert client.post("/c/sternen/settings/", {"name": "x" * settings.MAX_BODY_BYTES}).status_code == 413
    assert sent(client, b" " * settings.MAX_FILE_BYTES)[0] == 413


def upload(server: Process, path: str, size: int) -> int:
    where = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=60)
    try:
        connection.request("POST", path, b"x" * size, {"Content-Type": "application/octet-stream"})
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_the_web_server_collects_a_long_file_for_this_page_alone(web_server: Callable[..., Process]) -> None:
    server = web_server(WEB_PROCESSES="1")
    # A visitor without a token: the body arrived.
    assert upload(server, IMPORT, 3 * 1024 * 1024) in (302, 403)
    assert upload(server, IMPORT, settings.MAX_FILE_BYTES + 1024) == 413
    assert upload(server, "/c/sternen/tournaments/", 3 * 1024 * 1024) == 413
    assert upload(server, IMPORT, 3 * 1024 * 1024) in (302, 403)
