"""The guards of large files that no other test checks: their owners, their making and their links."""

from __future__ import annotations

import io
import time
import uuid
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import Http404
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook

from league import locks
from league.access import access_to
from league.access.gate import acting_card
from league.large_files import services, store, tasks, views
from league.large_files.link import is_valid, link_to
from league.large_files.services import KEPT, MOST_FILES, ClaimLost, claim, file_ask, file_make
from league.models import Club, LargeFile, LargeFilePart, Membership, Player, Role, User
from league.privacy.forgetting import player_forget
from tests.cast import House, house
from tests.factories import MADE, PlayerFactory, SeasonFactory, UserFactory, create_table, enter

from .test_large_files import PARTS_OF, asked, body, cells, made, signed_in
from .test_large_files import home as home  # a fixture

pytestmark = [pytest.mark.rest, pytest.mark.django_db]


@pytest.fixture
def away(home: House) -> House:
    """A second club, of which the owner of the first one is an owner, too."""
    sternen = house("sternen")
    Membership.objects.create(club=sternen.club, user=home.owner, role=Role.OWNER)
    enter(create_table(season=sternen.season, club=sternen.club), MADE)
    return sternen


def files_page(house: House) -> str:
    return reverse("club-files", kwargs={"club": house.club.slug})


def log_of(where: House, person: User) -> LargeFile:
    about: dict[str, Any] = {"kind": "log", "subject": where.club.pk, "form": "xlsx", "options": {}, "language": "en"}
    return file_ask(club=where.club, asker=person, **about)


# --- The owner of a file -------------------------------------------------------------------------------------------


def test_each_person_has_own_files_in_each_club(home: House, away: House) -> None:
    files = {asked(home, home.owner), asked(home, home.treasurer), asked(away, home.owner)}
    assert len(files) == 3
    for where, person in ((home, home.owner), (home, home.treasurer), (away, home.owner)):
        (line,) = signed_in(person).get(files_page(where)).context["lines"]
        assert (line["file"].club, line["file"].asker) == (where.club, person)


def test_a_sixth_file_takes_no_place_of_another_person_or_club(home: House, away: House) -> None:
    kept = [asked(home, home.treasurer), asked(away, home.owner)]
    for _number in range(MOST_FILES + 1):
        LargeFile.objects.update(state="ready")
        asked(home, home.owner)
    assert LargeFile.objects.count() == MOST_FILES + 2
    assert LargeFile.objects.filter(pk__in=[file.pk for file in kept]).count() == 2


def test_only_the_own_file_is_removed(home: House, away: House) -> None:
    file, other = asked(home, home.owner), log_of(home, home.owner)
    sent = {"do": "remove", "file": str(file.pk)}
    for person, where in ((home.treasurer, home), (home.owner, away)):
        assert signed_in(person).post(files_page(where), sent).status_code == 303
        assert LargeFile.objects.count() == 2
    client = signed_in(home.owner)
    assert "Removed." in client.post(files_page(home), sent, follow=True).content.decode()
    assert LargeFile.objects.get() == other
    assert "Removed." not in client.post(files_page(home), sent, follow=True).content.decode()


def test_a_link_is_for_its_file_in_its_club_once_it_is_ready(home: House, away: House) -> None:
    newer = log_of(home, home.owner)
    LargeFile.objects.filter(pk=newer.pk).update(state="failed")
    file = made(home, home.owner)
    LargeFile.objects.filter(pk=newer.pk).update(state="ready", maker=uuid.uuid4())
    link, client = link_to(file), signed_in(home.owner)
    assert cells(body(client.get(link)))[0][0]
    assert body(client.head(link)) == b""
    assert client.get(link.replace(str(file.pk), str(newer.pk))).status_code == 404
    assert client.get(link.replace("/roessli/", "/sternen/")).status_code == 404
    LargeFile.objects.update(state="making")
    assert client.get(link).status_code == 404


def test_a_key_is_for_one_file_and_one_person_for_a_day(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    file, other = asked(home, home.owner), asked(home, home.treasurer)
    (key,) = parse_qs(urlsplit(link_to(file)).query)["key"]
    assert is_valid(file, home.owner, key)
    assert not is_valid(other, home.owner, key)
    assert not is_valid(file, home.treasurer, key)
    later = time.time() + KEPT.total_seconds() + 1
    monkeypatch.setattr(time, "time", lambda: later)
    assert not is_valid(file, home.owner, key)


def test_a_person_without_an_account_gets_no_file(home: House) -> None:
    file = asked(home, home.owner)
    User.objects.filter(pk=home.owner.pk).update(is_active=False)
    assert not file_make(claim())
    file.refresh_from_db()
    assert (file.state, file.fault) == ("failed", "not_allowed")


def test_a_stranger_has_no_page_of_files_and_a_table_card_asks_for_none(home: House, rf: RequestFactory) -> None:
    here = files_page(home)
    assert signed_in(UserFactory()).get(here).status_code == 403
    request = rf.post(here)
    request.user = home.recorder
    sent = {"kind": "results", "subject": home.season.pk, "form": "xlsx", **dict.fromkeys(views.OPTIONS, "")}
    given = acting_card.set((home.recorder.pk, home.club.pk))
    try:
        with pytest.raises(PermissionDenied):
            views._ask(request, access_to(home.recorder, home.club), sent)
    finally:
        acting_card.reset(given)
    assert not LargeFile.objects.exists()


def test_forgetting_a_person_removes_no_file_of_another_club(home: House, away: House) -> None:
    kept = asked(away, home.owner)
    asked(home, home.owner)
    player_forget(player=Player.objects.filter(club=home.club).first(), actor=home.owner)
    assert LargeFile.objects.get() == kept


def test_no_file_is_asked_for_beyond_the_size_of_the_club(home: House, away: House) -> None:
    Club.objects.update(most_file_mb=3)
    LargeFile.objects.filter(pk=asked(home, home.treasurer).pk).update(state="ready", size=3_000_000)
    sent = {"kind": "log", "subject": str(home.club.pk), "form": "xlsx"}
    refused = signed_in(home.owner).post(files_page(home), sent, headers={"accept-language": "en"})
    assert (refused.status_code, LargeFile.objects.count()) == (409, 1)
    assert "room for 3 MB" in refused.content.decode()
    # The file of another club takes no room here, nor does one that is removed.
    asked(away, home.owner)
    LargeFile.objects.filter(club=home.club).update(size=2_999_999)
    assert signed_in(home.owner).post(files_page(home), sent).status_code == 303


# --- The right to a file -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["log", "ledger", "treasury-book"])
def test_a_member_asks_for_no_file_of_owners_and_treasurers(home: House, kind: str) -> None:
    subject = home.season.pk if kind == "ledger" else home.club.pk
    about: dict[str, Any] = {"kind": kind, "subject": subject, "form": "xlsx", "options": {}, "language": "en"}
    with pytest.raises(PermissionDenied):
        file_ask(club=home.club, asker=home.member, **about)
    with pytest.raises(Http404):
        file_ask(club=home.club, asker=home.owner, **about | {"form": "odt"})


@pytest.mark.parametrize(("kind", "form"), [("log", "pdf"), ("treasury-ledger", "pdf"), ("treasury-bills", "xlsx")])
def test_a_file_is_made_in_its_forms_alone(home: House, kind: str, form: str) -> None:
    about: dict[str, Any] = {"kind": kind, "subject": home.club.pk, "options": {}, "language": "en"}
    with pytest.raises(Http404, match="form"):
        file_ask(club=home.club, asker=home.owner, form=form, **about)


def test_a_file_is_of_its_own_club(home: House, away: House) -> None:
    evening = away.season.evenings.get()
    player = Player.objects.filter(club=away.club).first()
    assert player is not None
    subjects = {"results": away.season.pk, "season-report": away.season.pk, "player-statement": player.pk}
    for kind, subject in (subjects | {"evening-report": evening.pk}).items():
        about: dict[str, Any] = {"kind": kind, "subject": subject, "form": "xlsx", "options": {}, "language": "en"}
        with pytest.raises(Http404):
            file_ask(club=home.club, asker=home.owner, **about)
        assert file_ask(club=away.club, asker=home.owner, **about)


def test_a_statement_is_of_a_main_player_and_a_season_of_the_club(home: House, away: House) -> None:
    anna = Player.objects.get(club=home.club, nickname="Anna")
    merged = PlayerFactory(club=home.club, main=anna)
    SeasonFactory(club=away.club, slug="elsewhere")
    SeasonFactory(club=home.club, slug="0000")

    def ask(player: Player, **options: str) -> LargeFile:
        about: dict[str, Any] = {"kind": "player-statement", "form": "xlsx", "options": options, "language": "en"}
        return file_ask(club=home.club, asker=home.owner, subject=player.pk, **about)

    for player, options in ((merged, {}), (anna, {"season": "elsewhere"}), (anna, {"season": "nothing"})):
        with pytest.raises(Http404):
            ask(player, **options)
    assert ask(anna).rows > ask(anna, season="0000").rows
    LargeFile.objects.update(asker=home.member)
    Membership.objects.filter(user=home.member).delete()
    stranger = services.open_file(LargeFile.objects.select_related("club", "asker").first())  # type: ignore[arg-type]
    assert "Anna" not in stranger.title


def test_a_list_counts_the_rows_of_its_season(home: House) -> None:
    before = asked(home, home.owner).rows
    other = SeasonFactory(club=home.club)
    enter(create_table(season=other, club=home.club), MADE)
    LargeFile.objects.all().delete()
    assert asked(home, home.owner).rows == before


# --- Made by a worker ----------------------------------------------------------------------------------------------


def test_each_file_has_its_own_content(home: House) -> None:
    first = made(home, home.owner)
    second = made(home, home.owner, "ledger")
    assert first.maker != second.maker
    # Parts that an earlier maker left over are no part of the file.
    LargeFilePart.objects.create(file=first, maker=uuid.uuid4(), number=0, content=b"left over")
    LargeFilePart.objects.create(file=second, maker=first.maker or uuid.uuid4(), number=0, content=b"of another")
    lengths = [len(load(file)) for file in (first, second)]
    # The heading and the sums come to the rows.
    assert lengths == [first.rows + 2, second.rows + 2]
    store.drop(first, left_over=True)
    assert len(load(first)) == first.rows + 2
    store.drop(first)
    assert set(LargeFilePart.objects.values_list("file", flat=True)) == {second.pk}
    assert len(load(second)) == second.rows + 2
    assert second.size > PARTS_OF


def load(file: LargeFile) -> list[Any]:
    (sheet,) = load_workbook(io.BytesIO(b"".join(store.read(file)))).worksheets
    return list(sheet.iter_rows())


@pytest.mark.both_databases
def test_many_parts_are_deleted_a_few_at_a_time(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "AT_ONCE", 1)
    file, kept = made(home, home.owner), made(home, home.treasurer)
    count = LargeFilePart.objects.filter(file=kept).count()
    store.drop(file)
    assert LargeFilePart.objects.count() == count > 1


@pytest.mark.both_databases
def test_a_worker_takes_one_file_that_is_due_and_none_that_expired(home: House) -> None:
    first, second = asked(home, home.owner), asked(home, home.treasurer)
    assert claim() == first
    assert LargeFile.objects.get(pk=second.pk).state == "waiting"
    assert claim() == second
    assert claim() is None
    LargeFile.objects.update(state="waiting", expires_at=timezone.now() - timedelta(seconds=1))
    assert claim() is None


@pytest.mark.both_databases
@pytest.mark.parametrize(("due", "second"), [(services.due, False), (LargeFile.objects.all, True)], ids=["due", "any"])
def test_a_file_that_another_worker_has_just_taken_is_not_taken(home: House, due: Any, second: bool) -> None:
    """The twin: a claim that does not ask again whether the file is due takes it, too."""
    asked(home, home.owner)
    makers: list[Any] = []

    def taken_meanwhile(execute: Any, sql: str, *args: Any) -> Any:
        if sql.startswith("UPDATE") and not makers:
            makers.append("another")
            makers.append(claim())
        return execute(sql, *args)

    with connection.execute_wrapper(taken_meanwhile):
        taken = locks.claim(due(), "lease_until", services.LEASE, maker=uuid.uuid4())
    assert makers[1] is not None
    assert (taken is not None) == second


@pytest.mark.both_databases
def test_a_file_that_is_ready_is_not_written_again_by_its_maker(home: House) -> None:
    file = made(home, home.owner)
    with pytest.raises(ClaimLost):
        services._Claim(file).write(rows_done=1)
    # A maker writes its own file alone.
    other = asked(home, home.treasurer)
    LargeFile.objects.update(state="making", maker=file.maker)
    services._Claim(file).write(rows_done=99)
    assert LargeFile.objects.get(pk=other.pk).rows_done == 0


def test_only_expired_files_are_tidied_away(home: House) -> None:
    file, kept = asked(home, home.owner), asked(home, home.treasurer)
    LargeFile.objects.filter(pk=file.pk).update(expires_at=timezone.now())
    assert services.tidy() == 1
    assert LargeFile.objects.get() == kept


@pytest.mark.both_databases
def test_a_process_makes_one_file_at_a_time_and_begins_only_if_one_is_due(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    class Thread:
        def __init__(self, **given: Any) -> None:
            begun.append(given["name"])
            (self.holder,) = given["args"]

        def start(self) -> None:
            tasks._place.leave(self.holder)

    monkeypatch.setattr(tasks.threading, "Thread", Thread)
    assert (tasks.make(), begun) == (False, [])
    asked(home, home.owner)
    other = object()
    assert tasks._place.take(other)
    assert (tasks.make(), begun) == (False, [])
    tasks._place.leave(other)
    assert (tasks.make(), begun) == (True, ["large-files"])


# --- Files that take too long --------------------------------------------------------------------------------------


def test_a_file_that_takes_too_long_is_an_attempt_that_failed(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(home, home.owner)
    file = claim()
    assert file is not None
    monkeypatch.setattr(services, "MAKING_SECONDS", -1.0)
    with pytest.raises(services.TookTooLong):
        file_make(file)
    # Its claim runs out, then it is made again.
    file.refresh_from_db()
    assert (file.state, file.attempts) == (LargeFile.State.MAKING, 1)
    monkeypatch.setattr(services, "MAKING_SECONDS", 900.0)
    LargeFile.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    again = claim()
    assert again is not None
    assert file_make(again)


def test_a_thread_that_is_stuck_loses_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    place, stuck, second = tasks._Place(), object(), object()
    monkeypatch.setattr(services, "MAKING_SECONDS", -1000.0)
    assert place.take(stuck)
    monkeypatch.setattr(services, "MAKING_SECONDS", 900.0)
    assert place.take(second)
    # It neither makes another file nor gives away the place of the second one.
    assert not place.take(stuck)
    place.leave(stuck)
    assert not place.take(stuck)
    place.leave(second)
    assert place.take(stuck)
