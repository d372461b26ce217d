"""Random evenings at one table: hands and seat changes by the server's services, and as writes of the phone."""

from __future__ import annotations

import random
import uuid
from dataclasses import dataclass, field
from typing import Any

import engine
from engine import sample
from games import engine_bridge
from games.errors import Refused
from games.hands.selectors import table_view
from games.models import Table
from games.seating import changes
from games.seating.services import Guest, carry_out
from games.table.snapshot import snapshot
from league.access import ClubAccess
from league.models import Player
from tests.factories import body, create_table, hand_enter

GUESTS = ("Fritz", "Gusti", "Hedi", "Ida", "Jost", "Kathrin", "Lux", "Margrit")


@dataclass
class Walk:
    """An evening of a game. `writes` are those that the server took, `states` the table before each of them and after
    the last; `refused` are those that it refused: the number of earlier ones, the write, and the code."""

    game: str
    seed: int
    writes: list[dict[str, Any]] = field(default_factory=list)
    states: list[dict[str, Any]] = field(default_factory=list)
    refused: list[tuple[int, dict[str, Any], str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        rules = dict(sample.random_rules(self.dice, game=self.game))
        self.table = create_table(game=self.game, rules=rules, seats=self.dice.randint(3, 6))
        self.refs: dict[int, Any] = {}
        self.guests = list(GUESTS)
        self.snapshot = snapshot_of(self.table)
        self.states.append(state_of(self.table))
        self.middle: tuple[int, dict[str, Any]] = (0, self.snapshot)

    def halfway(self) -> None:
        """Take another snapshot: `middle`, with the number of writes that it has."""
        self.middle = (len(self.writes), snapshot_of(self.table))

    def step(self) -> None:
        """Carry out a hand, more often, or a seat change."""
        if self.dice.random() < 0.6:
            self._hand()
        else:
            self._change()

    def _hand(self) -> None:
        start = table_view(fresh(self.table)).start
        record = sample.random_hand(
            self.dice,
            game=self.game,
            rules=start.rules,
            seats=start.seats,
            dealer=start.dealer,
            pot_before=start.pot_before,
            deal_number=start.deal_number,
        )
        result = engine.replay(record)
        assert result["ok"], result
        known = start.fields()
        tally = {name: value for name, value in sample.tally_of(record, result).items() if name not in known}
        sent, key = body(self.table, tally), uuid.uuid4()
        hand_enter(table=self.table, author=None, key=key, body=sent)
        expected = {"deltas": result["deltas"], "pot_after": result["pot_after"]}
        players = [self.ref(player) for player in sent["players"]]
        self._took("hand", key=key, number=sent["number"], players=players, record=tally, expected=expected)

    def _change(self) -> None:
        view = table_view(fresh(self.table))
        seats = [seat.player_id for seat in view.seats]
        absent = [member.pk for member in Player.objects.filter(club=self.table.evening.club) if member.pk not in seats]
        order = self.dice.sample(seats, len(seats))
        seated, other, after = self.dice.choice(seats), self.dice.choice(absent or seats), self.dice.choice(seats)
        guest = self.dice.choice(self.guests)
        gone = seats[view.dealer_seat] if self.dice.random() < 0.5 else seated
        made: list[tuple[changes.SeatingChange, Guest | None, dict[str, Any]]] = [
            (changes.Arrive(other, after), None, {"kind": "come", "player": self.ref(other), "after": self.ref(after)}),
            (changes.Arrive(0, after), Guest(guest), {"kind": "come", "guest": guest, "after": self.ref(after)}),
            (changes.Leave(gone), None, {"kind": "leave", "player": self.ref(gone)}),
            (changes.Order(tuple(order)), None, {"kind": "order", "players": [self.ref(player) for player in order]}),
            (changes.NameDealer(seated), None, {"kind": "dealer", "player": self.ref(seated)}),
            (changes.Pause(), None, {"kind": "pause"}),
        ]
        if view.table.paused_at or self.dice.random() < 0.5:
            made[-1] = (changes.Resume(), None, {"kind": "resume"})
        change, newcomer, write = made[-1] if view.table.paused_at else self.dice.choice(made)
        key = uuid.uuid4()
        fields = {name: value for name, value in write.items() if name != "kind"}
        try:
            carry_out(table=self.table, change=change, author=None, key=key, guest=newcomer)
        except Refused as fault:
            self.refused.append((len(self.writes), written(write["kind"], self.table, key, **fields), fault.code))
            return
        if newcomer:
            came = Player.objects.get(club=self.table.evening.club, nickname=newcomer.nickname)
            self.refs[came.pk] = str(key)
        self._took(write["kind"], key=key, **fields)

    def _took(self, kind: str, key: uuid.UUID | None = None, **fields: Any) -> None:
        self.writes.append(written(kind, self.table, key or uuid.uuid4(), **fields))
        self.states.append(state_of(self.table))

    def ref(self, player: int) -> Any:
        """The reference of a player in writes: the key of the write with which a guest came, else the id."""
        return self.refs.get(player, player)


def written(kind: str, table: Table, key: uuid.UUID, **fields: Any) -> dict[str, Any]:
    """A write of the phone."""
    return {"format": 1, "key": str(key), "kind": kind, "club": "roessli", "table": table.pk, "at": 0} | fields


def fresh(table: Table) -> Table:
    """The table as it is stored now."""
    return Table.objects.select_related("evening__season", "evening__house_rules", "evening__club").get(pk=table.pk)


def snapshot_of(table: Table) -> dict[str, Any]:
    """The snapshot of the table."""
    current = fresh(table)
    access = ClubAccess(current.evening.club, role="recorder", player_ids=frozenset())
    return snapshot(access, table_view(current))


def state_of(table: Table) -> dict[str, Any]:
    """The table before its next hand: seats with names and sums, dealer, deal number and pot (Rappen)."""
    view = table_view(fresh(table))
    due = engine_bridge.due(view.start)
    return {
        "number": view.number,
        "seats": [[seat.nickname, seat.balance_minor] for seat in view.seats],
        "dealer": view.dealer_seat,
        "dealNumber": view.deal_number,
        "potBefore": view.pot_before_minor,
        "pot": view.pot_minor,
        "antes": list(due.antes),
        "muss": view.muss,
        "paused": view.table.paused_at is not None,
    }
