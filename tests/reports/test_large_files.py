"""Large files: made by a worker, for the person who asked and for a day; made again if the worker is killed."""

from __future__ import annotations

import io
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook
from pypdf import PdfReader

from league.large_files import kinds, services, store, tasks
from league.large_files.link import link_to
from league.large_files.services import MOST_ATTEMPTS, MOST_FILES, ClaimLost, claim, file_ask, file_make
from league.models import AuditEntry, LargeFile, LargeFilePart, Membership, Player, Role, User
from league.privacy.forgetting import player_forget
from tests.cast import House
from tests.processes import wait_until

from .test_reports import counted_evening

pytestmark = pytest.mark.django_db
PARTS_OF = 400
"""Bytes of a part in these tests: each file has many."""


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(store, "PART", PARTS_OF)
    for form in kinds.LARGE:
        monkeypatch.setitem(kinds.LARGE, form, 3)
    return counted_evening()


def signed_in(person: User | None = None) -> Client:
    client = Client(headers={"Accept-Language": "en"})
    if person is not None:
        client.force_login(person)
    return client


def asked(home: House, person: User, kind: str = "results", form: str = "xlsx") -> LargeFile:
    about: dict[str, Any] = {"kind": kind, "subject": home.season.pk, "form": form, "options": {}, "language": "en"}
    return file_ask(club=home.club, asker=person, **about)


def made(home: House, person: User, kind: str = "results", form: str = "xlsx") -> LargeFile:
    asked(home, person, kind, form)
    file = claim()
    assert file is not None
    assert file_make(file)
    file.refresh_from_db()
    return file


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


def cells(content: bytes) -> list[list[Any]]:
    (sheet,) = load_workbook(io.BytesIO(content)).worksheets
    return [[cell.value for cell in row] for row in sheet.iter_rows()]


@pytest.mark.both_databases
def test_a_large_list_is_offered_made_and_equal_to_the_one_that_is_made_at_once(home, monkeypatch):
    client = signed_in(home.member)
    url = reverse("results-csv", kwargs={"club": "roessli", "season": "2026"}) + "?for=xlsx"
    offer = client.get(url).content.decode()
    assert 'name="kind" value="results"' in offer
    here = reverse("club-files", kwargs={"club": "roessli"})
    sent = {"kind": "results", "subject": home.season.pk, "form": "xlsx"}
    assert client.post(here, sent).status_code == 303
    assert client.post(here, sent).status_code == 303
    file = LargeFile.objects.get()
    waiting = client.get(here).content.decode()
    assert ("Waits for a worker" in waiting, "<noscript><meta http-equiv" in waiting) == (True, True)
    assert file_make(claim())
    page = client.get(here).content.decode()
    assert "hx-trigger" not in page
    link = link_to(LargeFile.objects.get())
    assert link.split("?")[0] in page
    answer = client.get(link)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="roessli-2026-results.xlsx"'
    content = body(answer)
    assert len(content) == int(answer.headers["Content-Length"]) == LargeFile.objects.get().size > 3 * PARTS_OF
    monkeypatch.setitem(kinds.LARGE, "xlsx", 1000)
    assert cells(content) == cells(body(client.get(url)))
    assert AuditEntry.objects.filter(what="exported", about=f"season:{home.season.pk}").count() == 2
    assert (file.rows, LargeFile.objects.get().rows_done) == (20, 20)


def test_csv_is_never_large_and_visitors_read_that(home):
    url = reverse("results-csv", kwargs={"club": "roessli", "season": "2026"})
    assert body(signed_in().get(url)).count(b"\r\n") == 21
    page = signed_in().get(url + "?for=xlsx").content.decode()
    assert ("people of the club only" in page, "<form" in page.split("<main")[1]) == (True, False)
    here = reverse("club-files", kwargs={"club": "roessli"})
    assert "/login/" in signed_in().post(here, {"kind": "results"}).headers["Location"]


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", ["season-report", "log", "ledger"])
def test_each_kind_is_made(home, kind):
    subject = home.club.pk if kind == "log" else home.season.pk
    form = "pdf" if kind == "season-report" else "xlsx"
    file_ask(club=home.club, asker=home.owner, kind=kind, subject=subject, form=form, options={}, language="de")
    assert file_make(claim())
    file = LargeFile.objects.get()
    content = b"".join(store.read(file))
    if form == "pdf":
        assert "Saisonbericht" in PdfReader(io.BytesIO(content)).pages[0].extract_text()
    else:
        # The heading, and the sums of a list of amounts.
        assert len(cells(content)) == file.rows + (2 if kind == "ledger" else 1)


@pytest.mark.both_databases
def test_the_link_is_for_one_person_for_a_day_and_only_while_the_right_lasts(home):
    file = made(home, home.treasurer, "ledger")
    link, client = link_to(file), signed_in(home.treasurer)
    assert client.get(link).status_code == 200
    assert signed_in(home.owner).get(link).status_code == 404
    assert client.get(link[:-1] + ("a" if link[-1] != "a" else "b")).status_code == 404
    assert client.get(link.split("?")[0]).status_code == 404
    Membership.objects.filter(user=home.treasurer).update(role=Role.MEMBER)
    assert client.get(link).status_code == 403
    assert "may no longer have" in client.get(reverse("club-files", kwargs={"club": "roessli"})).content.decode()
    Membership.objects.filter(user=home.treasurer).update(role=Role.TREASURER)
    LargeFile.objects.update(expires_at=timezone.now())
    assert client.get(link).status_code == 404
    assert tasks.tidy() == 1
    assert not LargeFilePart.objects.exists()


@pytest.mark.both_databases
def test_without_the_right_a_file_is_neither_asked_for_nor_made(home):
    here = reverse("club-files", kwargs={"club": "roessli"})
    sent = {"kind": "ledger", "subject": home.season.pk, "form": "xlsx"}
    client = signed_in(home.member)
    assert client.post(here, sent).status_code == 403
    wrong = ({"kind": "nothing"}, {"form": "exe"}, {"subject": "1'"}, {"subject": 10**12})
    assert [client.post(here, sent | change).status_code for change in wrong] == [404, 422, 422, 404]
    assert client.post(here, {"do": "remove", "file": "x"}).status_code == 422
    assert not LargeFile.objects.exists()
    asked(home, home.treasurer, "ledger")
    Membership.objects.filter(user=home.treasurer).update(role=Role.MEMBER)
    assert not file_make(claim())
    assert (LargeFile.objects.get().state, LargeFilePart.objects.count()) == ("failed", 0)


@pytest.mark.both_databases
def test_a_file_whose_worker_was_killed_is_made_again_and_after_three_attempts_given_up(home):
    asked(home, home.owner)
    killed = claim()
    assert killed is not None
    LargeFilePart.objects.create(file=killed, maker=killed.maker, number=0, content=b"half")
    assert claim() is None
    LargeFile.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    again = claim()
    assert again is not None
    # The first one was not dead, but slow: it must not overwrite the file of the second one.
    assert not file_make(killed)
    with pytest.raises(ClaimLost):
        services._Claim(killed).write(rows_done=1)
    assert file_make(again)
    again.refresh_from_db()
    assert cells(b"".join(store.read(again)))[0][0]
    assert set(LargeFilePart.objects.values_list("maker", flat=True)) <= {again.maker, killed.maker}

    LargeFile.objects.update(state="making", attempts=MOST_ATTEMPTS, lease_until=timezone.now() - timedelta(seconds=1))
    assert claim() is None
    assert LargeFile.objects.get().state == "failed"
    page = signed_in(home.owner).get(reverse("club-files", kwargs={"club": "roessli"})).content.decode()
    assert "could not be made" in page


@pytest.mark.both_databases
def test_a_person_has_five_files_and_forgetting_somebody_removes_all_of_the_club(home):
    for number in range(MOST_FILES + 2):
        LargeFile.objects.update(state="ready")
        asked(home, home.owner)
        assert LargeFile.objects.count() == min(number + 1, MOST_FILES)
    player_forget(player=Player.objects.filter(club=home.club).first(), actor=home.owner)
    assert not LargeFile.objects.exists()


@pytest.mark.needs_redis
@pytest.mark.django_db(transaction=True)
def test_a_worker_makes_the_files_of_a_killed_one(home, celery_worker):
    file = asked(home, home.owner)
    past = timezone.now() - timedelta(minutes=2)
    LargeFile.objects.update(state="making", attempts=1, maker=uuid.uuid4(), lease_until=past)
    celery_worker(beat=True)
    wait_until(lambda: LargeFile.objects.get(pk=file.pk).state == "ready", 30, "the file")
    assert len(cells(b"".join(store.read(LargeFile.objects.get())))) == 22
