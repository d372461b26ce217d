"""A PDF is drawn in a process of its own, with limits of memory and time."""

from __future__ import annotations

import gc
import os
import resource
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection

from league import drawing_process, reading_process
from league.drawing_process import NotDrawn, drawn
from league.models import Club
from league.reading_process import Limits
from tests.cast import Cast
from tests.clients import reader
from tests.factories import MADE, create_table, enter
from tests.tournaments.played_tournaments import made_tournament, with_entrants

SMALL = Limits(seconds=1, memory_mib=64)
HUGE = 256 * 1024 * 1024


def drawn_small(draw: Callable[[], bytes]) -> bytes:
    return drawn(draw, club=1, limits=SMALL)


def test_the_pages_come_from_another_process():
    assert drawn_small(lambda: str(os.getppid()).encode()) == str(os.getpid()).encode()


def test_a_long_file_comes_whole():
    assert drawn_small(lambda: b"page" * 1_000_000) == b"page" * 1_000_000


def endless() -> bytes:
    while True:
        pass


@pytest.mark.parametrize(
    "draw",
    [lambda: bytes(HUGE), endless, lambda: os.kill(os.getpid(), 9), lambda: os._exit(0)],
    ids=["memory", "time", "killed", "ended"],
)
def test_pages_that_reach_a_limit_are_refused_and_this_process_does_not_grow(draw: Callable[[], bytes]) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(NotDrawn) as refused:
        drawn_small(draw)
    assert refused.value.status == 413
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 * 1024


def test_without_the_limit_the_same_memory_is_there():
    assert len(drawn(lambda: bytes(HUGE), club=1)) == HUGE


def test_a_fault_has_its_place_without_the_text_of_the_error():
    def fails() -> bytes:
        raise ValueError("Anna")

    with pytest.raises(RuntimeError, match="ValueError in fails") as broken:
        drawn_small(fails)
    assert "Anna" not in str(broken.value)


@pytest.mark.django_db
def test_the_pages_cannot_ask_the_database():
    # SQLite has read the table: it could answer without its file.
    assert Club.objects.count() == 0
    with pytest.raises(RuntimeError, match="RuntimeError in _no_query"):
        drawn_small(lambda: str(Club.objects.count()).encode())
    # The connection of this process is as it was.
    assert Club.objects.count() == 0
    assert connection.connection is not None


def test_sockets_of_other_requests_are_not_held_open(tmp_path: Path) -> None:
    """The browser of another request sees the end of its answer while a PDF is drawn."""
    browser, server = socket.socketpair()
    begun, goes_on = tmp_path / "begun", tmp_path / "goes_on"
    os.mkfifo(begun)
    os.mkfifo(goes_on)

    def draw() -> bytes:
        with begun.open("wb", buffering=0) as signal:
            signal.write(b"1")
        return goes_on.read_bytes()

    answers: list[bytes] = []
    drawing = threading.Thread(target=lambda: answers.append(drawn(draw, club=1)))
    drawing.start()
    begun.read_bytes()
    server.close()
    browser.settimeout(20)
    assert browser.recv(1) == b""
    goes_on.write_bytes(b"done")
    drawing.join()
    assert answers == [b"done"]


NUMBER = 9


class Garbage:
    """Garbage that only the collector frees. In a copy it closes its number, as a file of this process does."""

    def __init__(self) -> None:
        self.owner, self.itself = os.getpid(), self

    def __del__(self) -> None:
        if os.getpid() != self.owner:
            os.close(NUMBER)


def draw_from_a_file() -> bytes:
    """Read a file that got the number of the garbage, once the collector has run."""
    os.dup2(os.open(__file__, os.O_RDONLY), NUMBER)
    gc.collect()
    return os.read(NUMBER, 3)


@pytest.fixture
def garbage() -> Iterator[None]:
    gc.disable()
    Garbage()
    yield
    gc.enable()


def test_garbage_of_this_process_closes_no_file_of_the_copy(garbage: None) -> None:
    assert drawn_small(draw_from_a_file) == b'"""'


def test_without_the_freeze_it_closes_one(garbage: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing_process.gc, "freeze", lambda: None)
    with pytest.raises(RuntimeError, match="OSError in draw_from_a_file"):
        drawn_small(draw_from_a_file)


@pytest.fixture
def club_draws() -> Iterator[None]:
    """Another PDF of the club 1 is being drawn."""
    with reading_process.turn(1):
        yield


@pytest.mark.usefixtures("club_draws")
def test_a_club_has_one_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_process, "WAIT_SECONDS", 0.01)
    with pytest.raises(NotDrawn) as refused:
        drawn_small(lambda: b"")
    assert refused.value.status == 429
    assert drawn(lambda: b"page", club=2) == b"page"


# --- The addresses ----------------------------------------------------------------------------------------------


@pytest.fixture
def evening(people: Cast) -> str:
    """The id of an evening with a hand; the club has a tournament with five people."""
    home = people.home
    table = create_table(club=home.club, season=home.season)
    enter(table, MADE)
    with_entrants(made_tournament(home.club, home.owner), home.owner, 5)
    return str(table.evening_id)


PAGES = (
    "/c/roessli/s/2026/report/?for=pdf",
    "/c/roessli/e/{}/report/?for=pdf",
    "/c/roessli/e/{}/sheet.pdf",
    "/c/roessli/treasurer/?for=pdf",
    "/c/roessli/tournaments/cup/paper/badges.pdf",
    "/api/v1/clubs/roessli/evenings/{}/sheet.pdf",
)


@pytest.mark.django_db
@pytest.mark.parametrize("page", PAGES)
def test_each_address_draws_in_the_other_process(
    people: Cast, evening: str, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = people.home
    address = page.format(evening)
    assert reader(home.owner).get(address).content.startswith(b"%PDF")
    monkeypatch.setattr(drawing_process, "_draw", lambda *_args: os._exit(0))
    refused = reader(home.owner, "en").get(address)
    assert (refused.status_code, "too many to be drawn at once" in refused.content.decode()) == (413, True)
    monkeypatch.setattr(reading_process, "WAIT_SECONDS", 0.01)
    with reading_process.turn(home.club.pk):
        busy = reader(home.owner, "en").get(address)
    assert (busy.status_code, "Try again in a minute" in busy.content.decode()) == (429, True)
