"""Recorders who save at the same moment over HTTP, each on its own connection."""

from __future__ import annotations

import http.client
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from django.test import Client

from games.models import Table
from league.models import User

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

    def post(self, body: bytes, path: str = "") -> Reply:
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


def together(recorders: list[Recorder], bodies: list[list[bytes]]) -> list[list[Reply]]:
    """In each round let all recorders post `bodies[round][recorder]` at once; return the replies in the same order."""
    barrier = threading.Barrier(len(recorders))

    def play(nth: int) -> list[Reply]:
        replies = []
        try:
            for bodies_now in bodies:
                barrier.wait(timeout=120)
                replies.append(recorders[nth].post(bodies_now[nth]))
                # The server closes a connection that waits: the round of the others may take longer.
                recorders[nth].hang_up()
        except BaseException:
            barrier.abort()
            raise
        return replies

    with ThreadPoolExecutor(len(recorders)) as pool:
        playing = [pool.submit(play, nth) for nth in range(len(recorders))]
    faults = [fault for each in playing if (fault := each.exception())]
    # Of a recorder who failed, not of those who waited for that one.
    for fault in sorted(faults, key=lambda each: isinstance(each, threading.BrokenBarrierError)):
        raise fault
    return [list(now) for now in zip(*(each.result() for each in playing), strict=True)]
