"""A tournament from its preparation to its ranking, driven as on the day: the desk's pages, phones at tables with the
codes of their cards, and a program, while people come late, leave and are replaced, and while the network fails."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from pypdf import PdfReader

from league.models import Entrant, Round, Tournament
from league.tournaments.table_cards import cards_of
from tests.factories import NAMES

from .plain_model import PlainHand
from .plain_tournament import PlainTournament
from .tournament_browser import Browser, Program

HANDS = 2
REPLACED = "Ersatz"
WAYS = ("hands on a phone", "sheet on a phone", "sheet at the desk")
PRINTED_TRIES = 6
"""Each waits up to five seconds for its turn."""


@dataclass
class Day:
    """A tournament of `entrants` people and `rounds` rounds. `late`, `gone` and `replaced` are the total numbers of
    people who come late, withdraw and are replaced. `mishap` is called before each table's result is entered."""

    desk: Browser
    phone: Callable[[], Browser]
    program: Program
    tournament: Tournament
    truth: PlainTournament
    entrants: int
    rounds: int
    late: int
    gone: int
    replaced: int
    mishap: Callable[[str], None]
    rng: random.Random = field(default_factory=lambda: random.Random(14))
    names: dict[int, str] = field(default_factory=dict)

    @property
    def pages(self) -> str:
        return f"/c/{self.tournament.club.slug}/tournaments/{self.tournament.slug}/desk/"

    @property
    def api(self) -> str:
        return f"clubs/{self.tournament.club.slug}/tournaments/{self.tournament.slug}"

    def play(self) -> None:
        """Play the whole day."""
        self._enter()
        for number in range(1, self.rounds + 1):
            self._between(number)
            current = self._draw(number)
            if number == 2 and self.replaced:
                self._replace(self._of_the_first(current.draw.plan["tables"][-1]["seats"])[0])
            self._post(self.pages + "round/", {"do": "start", "round": number})
            self._results(current)
            self._post(self.pages + "round/", {"do": "finish", "round": number})
        self._post(self.pages + "setup/", {"do": "finish"})

    def printed(self, kind: str) -> str:
        """Return the text of a PDF of the tournament, read by another program. On a busy machine there may be no turn
        to draw it: it is asked for again, as the page says."""
        path = self.pages.removesuffix("desk/") + f"paper/{kind}.pdf"
        answers = (self.desk.get(path) for _try in range(PRINTED_TRIES))
        answer = next(each for each in answers if each.status != 429)
        assert answer.status == 200, (kind, answer.status)
        return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.body)).pages)

    # --- People ---------------------------------------------------------------------------------------------------

    def _enter(self) -> None:
        """A part is entered by the program, the others as a pasted list; some check in with their number."""
        punctual = self.entrants - self.late
        by_program, pasted = punctual // 3, punctual - punctual // 3
        names = [self._name(number) for number in range(1, punctual + 1)]
        people = [{"guest": name, "here": True} for name in names[:by_program]]
        for start in range(0, by_program, 50):
            self.program("POST", f"{self.api}/entrants", {"people": people[start : start + 50]})
        for start in range(0, pasted, 100):
            some = names[by_program + start : by_program + start + 100]
            self._post(self.pages + "entrants/", {"names": "\n".join(some)})
        for number in range(by_program + 1, punctual + 1):
            self._post(self.pages + "entrants/here/", {"who": number})

    def _name(self, number: int) -> str:
        name = f"{NAMES[number % len(NAMES)]} {number:03d}"
        self.names[number] = name
        return name

    def _between(self, number: int) -> None:
        """Before each round but the first, some come late, some leave, some are replaced, each of them once."""
        if number == 1:
            return
        for _nth in range(self._share(self.late, number)):
            newcomer = len(self.names) + 1
            self._post(self.pages + "entrants/", {"names": self._name(newcomer), "here": "on"})
        for _nth in range(self._share(self.gone, number)):
            leaving = self.rng.choice(self._here())
            self._post(f"{self.pages}entrants/{leaving}/", {"do": "withdraw"})
            self.truth.gone[leaving] = number
        for _nth in range(self._share(max(0, self.replaced - 1), number)):
            self._replace(self.rng.choice(self._of_the_first(self._here())))

    def _of_the_first(self, numbers: Iterable[int]) -> list[int]:
        """Return those who have not been replaced: nobody is replaced twice."""
        return [number for number in numbers if not self.names[number].startswith(REPLACED)]

    def _share(self, count: int, number: int) -> int:
        """Return the number of `count` events that happen before this round, of rounds 2 to the last."""
        rounds = self.rounds - 1
        return count * (number - 1) // rounds - count * (number - 2) // rounds

    def _here(self) -> list[int]:
        rows = Entrant.objects.filter(tournament=self.tournament, checked_in_at__isnull=False)
        return list(rows.order_by("number").values_list("number", flat=True))

    def _replace(self, number: int) -> None:
        self.names[number] = f"{REPLACED} {number:03d}"
        self._post(f"{self.pages}entrants/{number}/", {"do": "substitute", "substitute": self.names[number]})

    # --- Rounds ---------------------------------------------------------------------------------------------------

    def _draw(self, number: int) -> Round:
        """Draw and publish, by the program and at the desk in turn."""
        self.mishap(f"draw of round {number}")
        if number % 2:
            self._post(self.pages + "draw/", {"do": "draw"})
            newest = self.tournament.draws.order_by("pk").last()
            assert newest is not None
            self.mishap(f"publication of round {number}")
            self._post(self.pages + "draw/", {"do": "publish", "draw": newest.pk})
        else:
            drawn = self.program("POST", f"{self.api}/draws", {})
            self.mishap(f"publication of round {number}")
            self.program("POST", f"{self.api}/draws/{drawn['id']}/publish")
        current = Round.objects.select_related("draw", "evening").get(tournament=self.tournament, number=number)
        if number == 2:
            # The server was killed before this draw was published; the paper has what was stored.
            self._check_paper(current)
        self.truth.sat_out(number, current.draw.plan["out"])
        return current

    def _check_paper(self, current: Round) -> None:
        text = self.printed("seating-by-table")
        seated = [seat for table in current.draw.plan["tables"] for seat in table["seats"]]
        assert [seat for seat in seated if self.names[seat] not in text] == []

    def _results(self, current: Round) -> None:
        for table in current.draw.plan["tables"]:
            way = WAYS[table["number"] % len(WAYS)]
            self.mishap(f"{way} at table {table['number']} of round {current.number}")
            seats: list[int] = table["seats"]
            if way == WAYS[0]:
                self._hands(current, table["number"], seats)
            else:
                self._sheet(current, table["number"], seats, at_table=way == WAYS[1])

    def _sheet(self, current: Round, table: int, seats: Sequence[int], *, at_table: bool) -> None:
        net = {seat: self.rng.randint(-400, 400) for seat in seats[:-1]}
        pot = self.rng.randint(0, 90)
        net[seats[-1]] = -pot - sum(net.values())
        fields: dict[str, object] = {f"chips-{seat}": amount for seat, amount in net.items()} | {"pot": pot}
        if at_table:
            phone, card, _table = self._opened(table)
            self._sent(phone.post(card, fields | {"round": current.number}), card)
        else:
            self._post(f"{self.pages}round/{current.number}/table/{table}/", fields)
        self.truth.table(current.number, seats, net, pot)

    def _hands(self, current: Round, table: int, seats: Sequence[int]) -> None:
        """Two hands on a phone that opened the table's code; their results follow from the rules a second time."""
        phone, _card, address = self._opened(table)
        players = {seat: Entrant.objects.get(tournament=self.tournament, number=seat).player_id for seat in seats}
        net, pot = dict.fromkeys(seats, 0), 0
        for number in range(1, HANDS + 1):
            declarer = self.rng.randrange(len(seats))
            joiner = (declarer + self.rng.randrange(1, len(seats))) % len(seats)
            made = frozenset({declarer, joiner} if self.rng.random() < 0.5 else {joiner})
            form: dict[str, object] = {
                "number": number,
                "players": ",".join(str(players[seat]) for seat in seats),
                f"role-{declarer}": "declarer",
                f"role-{joiner}": "joiner",
                f"made-{declarer}": "yes" if declarer in made else "no",
                f"made-{joiner}": "yes",
            }
            self._sent(phone.post(address, form), address)
            hand = PlainHand(0, tuple(map(str, seats)), declarer, (joiner,), made, pot, "", number)
            for seat, change in zip(seats, hand.changes(), strict=True):
                net[seat] += change
            pot = -sum(net.values())
        self.truth.table(current.number, seats, net, pot, hands=HANDS)

    def _opened(self, table: int) -> tuple[Browser, str, str]:
        """A phone without an account opens the code of a table's card; return it, the addresses of card and table."""
        card = f"/t/{cards_of(self.tournament, [table])[table].code}/"
        phone = self.phone()
        page = phone.get(card)
        match = re.search(rf"/c/{self.tournament.club.slug}/t/\d+/", page.text)
        assert page.status == 200, (page.status, page.text[:400])
        assert match, page.text
        return phone, card, match.group()

    # --- Sending --------------------------------------------------------------------------------------------------

    def _post(self, path: str, fields: dict[str, object]) -> None:
        self._sent(self.desk.post(path, fields), path)

    @staticmethod
    def _sent(answer: object, path: str) -> None:
        status, text = answer.status, answer.text  # type: ignore[attr-defined]
        assert status in (302, 303), (path, status, text[-1500:])
