"""People and programs that save at the same moment over HTTP, each on its own connection."""

from __future__ import annotations

import http.client
import threading
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol, TypeVar
from urllib.parse import urlencode, urlsplit

from django.test import Client

from games.models import Table
from league.models import User

SentT = TypeVar("SentT", contravariant=True)
AnswerT = TypeVar("AnswerT", covariant=True)

HEADERS = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True)
class Reply:
    """The answer to a recorder: its status, and the address after a saved hand."""

    status: int
    place: str
    page: str = field(default="", compare=False, repr=False)


class Recorder:
    """A signed-in browser that can post hands."""

    def __init__(self, url: str, user: User, table: Table) -> None:
        self.host = urlsplit(url).netloc
        self.path = f"/c/{table.evening.club.slug}/t/{table.pk}/"
        self.token = "0" * 32
        client = Client()
        client.force_login(user)
        cookies = {"sessionid": client.cookies["sessionid"].value, "csrftoken": self.token}
        self.cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        self.players = ",".join(str(p) for p in table.places.order_by("seat").values_list("player_id", flat=True))
        self.connection = http.client.HTTPConnection(self.host, timeout=60)

    def form(self, number: int, key: uuid.UUID, **roles: str) -> bytes:
        """Return the form of a hand; by default seat 0 declares, seat 1 joins, and both make it."""
        fields = {"role-0": "declarer", "role-1": "joiner", "made-0": "yes", "made-1": "yes"} | roles
        sent = {"csrfmiddlewaretoken": self.token, "key": str(key), "number": number, "players": self.players}
        return urlencode(sent | fields).encode()

    def post(self, body: bytes, /, path: str = "") -> Reply:
        """Send the form on the open connection and read the answer."""
        self.send(body, path)
        answer = self.connection.getresponse()
        page = answer.read().decode()
        return Reply(answer.status, answer.headers.get("Location", ""), page)

    def send(self, body: bytes, path: str = "") -> None:
        """Send the form and do not wait for the answer."""
        self.connection.request("POST", path or self.path, body, HEADERS | {"Cookie": self.cookie})

    def hang_up(self) -> None:
        """Close the connection, so that the answer is lost."""
        self.connection.close()


class Sender(Protocol[SentT, AnswerT]):
    """Somebody with an own connection: posts one thing and waits for its answer."""

    def post(self, sent: SentT, /) -> AnswerT: ...

    def hang_up(self) -> None: ...


def together(crowd: Sequence[Sender[SentT, AnswerT]], rounds: list[list[SentT]]) -> list[list[AnswerT]]:
    """In each round let all senders post `rounds[round][sender]` at once; return the answers in the same order."""
    barrier = threading.Barrier(len(crowd))

    def play(nth: int) -> list[AnswerT]:
        answers = []
        try:
            for now in rounds:
                barrier.wait(timeout=120)
                answers.append(crowd[nth].post(now[nth]))
                # The server closes a connection that waits: the round of the others may take longer.
                crowd[nth].hang_up()
        except BaseException:
            barrier.abort()
            raise
        return answers

    with ThreadPoolExecutor(len(crowd)) as pool:
        playing = [pool.submit(play, nth) for nth in range(len(crowd))]
    faults = [fault for each in playing if (fault := each.exception())]
    # The fault of the failed sender, not of those who waited for it.
    for fault in sorted(faults, key=lambda each: isinstance(each, threading.BrokenBarrierError)):
        raise fault
    return [list(now) for now in zip(*(each.result() for each in playing), strict=True)]
