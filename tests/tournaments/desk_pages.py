"""A desk in the browser of one person, for tests of its pages."""

from __future__ import annotations

import uuid
from typing import Any

from django.test import Client
from django.urls import reverse

from league.models import Draw, Round
from tests.cast import Cast

NAMES = "Anna\nBeni\nCarlo\nDoris\nEmil\nFritz\nGritli\nHeidi"
FORMAT = {
    "rounds": 2,
    "hands": 12,
    "minutes": 0,
    "break_minutes": 10,
    "wished": 4,
    "least": 3,
    "most": 5,
    "mode": "random",
    "order": "repeats",
    "chips": 50,
    "result": "chips",
    "pot": "divided",
    "drop_worst": 0,
    "missed": "nothing",
    "final_places": 0,
    "final_hands": 12,
    "team_size": 0,
    "team_best": 0,
    "tie-best_round": 1,
    "tie-lot": 2,
}
"""The parts of a format of two rounds, as the set-up's form sends them."""


class Desk:
    """A desk in the browser of one person: sends forms, and returns the pages."""

    def __init__(self, people: Cast, who: str = "owner", tournament: str = "klausturnier") -> None:
        self.client = Client(headers={"Accept-Language": "en"})
        self.client.force_login(people.home.person(who))
        self.tournament = tournament

    def url(self, route: str, **more: Any) -> str:
        return reverse(route, kwargs={"club": "roessli", "tournament": self.tournament, **more})

    def get(self, route: str = "tournament-desk", tail: str = "", **more: Any) -> str:
        answer = self.client.get(self.url(route, **more) + tail)
        assert answer.status_code == 200, answer.status_code
        return str(answer.content.decode())

    def post(self, route: str, data: dict[str, Any], *, status: int = 303, **more: Any) -> str:
        answer = self.client.post(self.url(route, **more), {"key": str(uuid.uuid4())} | data)
        assert answer.status_code == status, (answer.status_code, answer.content.decode()[:3000])
        return str(answer.content.decode())

    def do(self, route: str, do: str, *, status: int = 303, **data: Any) -> str:
        return self.post(route, {"do": do, **data}, status=status)

    def create(self, **more: Any) -> None:
        sent = {"preset": "evening", "name": "Klausturnier", "starts_on": "2026-12-05", "key": str(uuid.uuid4())}
        answer = self.client.post(reverse("tournament-new", kwargs={"club": "roessli"}), sent | more)
        assert answer.status_code == 303, answer.content.decode()[:3000]
        assert answer.headers["Location"] == self.url("tournament-setup")

    def enter(self, names: str = NAMES, *, here: bool = True) -> None:
        self.do("tournament-setup", "open")
        self.post("tournament-entrants", {"names": names} | ({"here": "on"} if here else {}))

    def publish(self) -> None:
        self.do("tournament-draw", "draw")
        self.do("tournament-draw", "publish", draw=Draw.objects.latest("pk").pk)

    def play(self, number: int) -> None:
        self.do("tournament-round", "start", round=number)
        for table in Round.objects.get(number=number).draw.plan["tables"]:
            self.hand_in(number, table)

    def hand_in(self, number: int, table: dict[str, Any], chips: tuple[int, ...] = (), pot: int = 0) -> None:
        amounts = chips or (6, -6, *(0 for _seat in table["seats"][2:]))
        sent = {f"chips-{seat}": amount for seat, amount in zip(table["seats"], amounts, strict=True)}
        self.post("tournament-sheet", {**sent, "pot": pot}, number=number, table=table["number"])
