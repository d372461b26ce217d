"""P1 and P9: after random operations in random order, ledger and standings equal a plain model."""

from __future__ import annotations

import os
import uuid
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from games import engine_bridge
from games.corrections import replay
from games.corrections.edits import Change, Edit, Move, PutIn, TakeOut
from games.corrections.services import correct
from games.errors import Refused
from games.hands.services import hand_enter, hand_void_last
from games.integrity import verify
from games.models import Hand, Revision, Table
from league.ledger import transfers
from league.models import Player, Posting, ResultRow, Season, Submission, Transfer
from league.roster import merging
from league.roster.merging import players_merge, players_unmerge
from league.standings import counting, counting_sql
from league.triggers import LEAGUE_CHECKS, drop
from tests.factories import PlayerFactory, SeasonFactory, create_table
from tests.sizes import sized

from . import plain_model
from .plain_model_kratzen import PlainKratzenTable

pytestmark = pytest.mark.django_db

# The small runs on both databases make 2,000 steps, the full ones the others of 20,000 or more: 20,000 less those of
# examples that end early. MACHINE_STEPS changes that.
STEPS_AN_EXAMPLE = 50
STEPS = int(
    os.environ.get("MACHINE_STEPS", sized("1600", "18800") if "sqlite" in connection.vendor else sized("400", "1200"))
)

FACTS_EACH = 25
"""Statistics and records are counted each time after so many steps."""

# In shares, so that two processes end at the same time.
SHARES = 4

SEATS = (2, 4, 5)
GUESTS = ("Hugo", "Ida")
KRATZEN = len(SEATS)
"""The number of the last table, with four seats of Kratzen."""


# After each step the tables are read by plain SQL: the ORM would take longer to write these queries than to run them.
COUNTED = (Hand, Revision, Posting, Transfer, ResultRow, Submission)
COUNTS = "SELECT " + ", ".join(f"(SELECT COUNT(*) FROM {each._meta.db_table})" for each in COUNTED)
MOVED = """SELECT account, SUM(amount) FROM (
  SELECT to_account_id AS account, amount_minor AS amount FROM league_transfer
  UNION ALL SELECT from_account_id, -amount_minor FROM league_transfer) AS ends GROUP BY account"""
PLAYERS = """SELECT account.id, nickname FROM league_account AS account
  JOIN league_player AS player ON player.id = account.player_id WHERE account.kind = 'player'"""
STANDINGS = """SELECT nickname, rank, points, balance_minor, evenings, hands, declared, declared_made, joined,
  joined_made, walkovers, musses, musses_made
  FROM league_standing AS standing JOIN league_player AS player ON player.id = standing.player_id"""
STATES = """SELECT hands, pot_minor, nickname, deal_number FROM games_table AS seats
  LEFT JOIN league_player AS player ON player.id = seats.dealer_id ORDER BY seats.id"""


def rows(sql: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


class LeagueMachine(RuleBasedStateMachine):
    """Four tables of one season, one of them of Kratzen; all operations of recorders, retries and mistakes included."""

    best: int | None = None

    def __init__(self) -> None:
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.season: Season = SeasonFactory(best_evenings=self.best)
        self.tables: list[Table] = []
        self.players: list[tuple[int, ...]] = []
        self.model: list[Any] = []
        for nth, seats in enumerate(SEATS):
            table = create_table(season=self.season, seats=seats)
            names = self._add(table)
            self.model.append(plain_model.PlainTable(evening=nth, players=names, dealer=names[-1]))
        # These two players may later be merged with players of the other tables.
        both = [PlayerFactory(club=self.season.club, nickname=name) for name in GUESTS]
        known = Player.objects.filter(club=self.season.club, nickname__in=("Anna", "Beni"))
        table = create_table(season=self.season, players=[*known, *both], game="kratzen")
        self.mains: dict[str, str] = {}
        names = self._add(table)
        self.model.append(PlainKratzenTable(evening=KRATZEN, players=names, dealer=names[-1]))
        self.sent: list[tuple[Table, uuid.UUID, dict[str, Any]]] = []
        self.steps = 0

    def _add(self, table: Table) -> tuple[str, ...]:
        """Add a table; return its players' nicknames in the order of their seats."""
        seated = list(table.places.order_by("seat").values_list("player_id", "player__nickname"))
        self.tables.append(table)
        self.players.append(tuple(player for player, _name in seated))
        return tuple(name for _player, name in seated)

    def teardown(self) -> None:
        try:
            self.the_counts_equal_those_from_scratch()
        finally:
            transaction.set_rollback(True)
            self.atomic.__exit__(None, None, None)

    def the_counts_equal_those_from_scratch(self) -> None:
        """Compare all rows that were counted step by step. Once in a run: an error would stay in the sums."""
        if not connection.needs_rollback:
            counting.count_season(self.season.pk)
            (part,) = (part for part in verify.parts([self.season]) if part.kind == verify.SEASON)
            assert verify.check(part) == []

    def stored(self) -> tuple[int, ...]:
        """Return the number of rows of each kind."""
        return rows(COUNTS)[0]

    def refused(self, table: Table, key: uuid.UUID, sent: dict[str, Any], status: int) -> None:
        before = self.stored()
        with pytest.raises(Refused) as caught:
            hand_enter(table=table, author=None, key=key, body=sent)
        assert caught.value.status == status
        assert self.stored() == before

    @rule(which=st.integers(0, 2), data=st.data())
    def enter(self, which: int, data: st.DataObject) -> None:
        model = self.model[which]
        seats = range(len(model.players))
        declarer = data.draw(st.sampled_from(seats))
        joiners = tuple(sorted(data.draw(st.sets(st.sampled_from([s for s in seats if s != declarer])))))
        made = frozenset(data.draw(goals(declarer, joiners)) if joiners else ())
        record: dict[str, Any] = {"declarer": declarer, "joiners": list(joiners)}
        if joiners:
            record["made"] = sorted(made)
        self._store(which, record)
        model.enter(declarer, joiners, made)

    @rule(which=st.integers(0, 2))
    def pass_out(self, which: int) -> None:
        self._store(which, {"declarer": None})
        self.model[which].enter(None, (), frozenset())

    @precondition(lambda self: self.model[KRATZEN].pot < 10**9)  # Penalties may multiply the pot by five in one hand.
    @rule(
        shown=st.sampled_from(["", "", "", "Ax", "7x", "Wx", "A7", "77Ax", "WA7x"]),
        seven=st.sampled_from([False, False, False, True]),
        data=st.data(),
    )
    def play_kratzen(self, shown: str, seven: bool, data: st.DataObject) -> None:
        model = self.model[KRATZEN]
        hand = model.next(shown, seven)
        cuts = [list(shown[place : place + 2]) for place in range(0, len(shown), 2)] + [["x"]]
        record: dict[str, Any] = {"cuts": cuts}
        dealer = hand.office()[0]
        if hand.muss:
            declarer, joiners = dealer, tuple(seat for seat in range(4) if seat != dealer)
        else:
            declarer = data.draw(st.sampled_from([None, *range(4)]))
            others = [seat for seat in range(4) if seat != declarer]
            joiners = () if declarer is None else tuple(sorted(data.draw(st.sets(st.sampled_from(others)))))
            record |= {} if declarer is None else {"game_type": data.draw(st.sampled_from(["schlagen", "weiter-oder"]))}
        takers = [] if declarer is None or not joiners else [declarer, *joiners]
        taken = [data.draw(st.sampled_from(takers)) for _ in range(4 if takers else 0)]
        tricks = tuple(taken.count(seat) for seat in range(4))
        record |= {"declarer": declarer, "joiners": list(joiners)} | ({"seven": True} if seven else {})
        if takers:
            record["tricks"] = {str(seat): tricks[seat] for seat in takers}
        self._store(KRATZEN, record)
        model.enter(replace(hand, declarer=declarer, joiners=joiners, tricks=tricks))

    def _body(self, which: int, record: dict[str, Any], number: int | None = None) -> dict[str, Any]:
        """Return the body that a client sends for the next hand of a table."""
        number = len(self.model[which].hands) + 1 if number is None else number
        return {"number": number, "players": list(self.players[which]), "record": record}

    def _store(self, which: int, record: dict[str, Any]) -> None:
        table, key, sent = self.tables[which], uuid.uuid4(), self._body(which, record)
        hand_enter(table=table, author=None, key=key, body=sent)
        self.sent.append((table, key, sent))

    @rule(which=st.integers(0, KRATZEN))
    def void(self, which: int) -> None:
        table, model = self.tables[which], self.model[which]
        if not model.hands:
            with pytest.raises(Refused):
                hand_void_last(table=table, author=None, key=uuid.uuid4(), number=1)
            return
        hand_void_last(table=table, author=None, key=uuid.uuid4(), number=len(model.hands))
        model.void()

    @rule(which=st.integers(0, 2), kind=st.sampled_from(["change", "take out", "put in", "move"]), data=st.data())
    def correct_a_hand(self, which: int, kind: str, data: st.DataObject) -> None:
        table, model = self.tables[which], self.model[which]
        if not model.hands:
            return
        hands = list(model.hands)
        # Most mistakes are noticed late in the evening: a correction plays all later hands again.
        place = len(hands) - data.draw(st.integers(0, min(2, len(hands) - 1)))
        players = self.players[which]
        new = self._another(model, data) if kind in ("change", "put in") else None
        edit: Edit
        if kind == "change" and new:
            edit, hands[place - 1] = Change(place, players, record_of(new)), new
        elif new:
            edit = PutIn(place, players, record_of(new))
            hands.insert(place - 1, new)
        elif kind == "take out":
            edit = TakeOut(place)
            del hands[place - 1]
        else:
            edit = Move(place, len(hands))
            hands.append(hands.pop(place - 1))
        why = self._correct(table, edit)
        assert why in ("", "same")
        written = [hand.changes() for hand in model.hands]
        model.replay(hands)
        assert why == "" or [hand.changes() for hand in model.hands] == written

    def _correct(self, table: Table, edit: Edit) -> str:
        """Apply a correction; return the code of its refusal, or ''."""
        before = self.stored()
        try:
            correct(table=table, edit=edit, author=None, key=uuid.uuid4())
        except Refused as refused:
            why = refused.code
        else:
            return ""
        assert self.stored() == before
        return why

    def _another(self, model: plain_model.PlainTable, data: st.DataObject) -> plain_model.PlainHand:
        seats = range(len(model.players))
        declarer = data.draw(st.sampled_from([None, *seats]))
        others = [seat for seat in seats if seat != declarer]
        joiners = () if declarer is None else tuple(sorted(data.draw(st.sets(st.sampled_from(others)))))
        made = frozenset(data.draw(goals(declarer, joiners)) if joiners else ())
        return replace(model.hands[0], declarer=declarer, joiners=joiners, made=made)

    @precondition(lambda self: self.model[KRATZEN].hands)
    @rule(data=st.data())
    def change_the_tricks(self, data: st.DataObject) -> None:
        table, model = self.tables[KRATZEN], self.model[KRATZEN]
        place = len(model.hands) - data.draw(st.integers(0, min(2, len(model.hands) - 1)))
        hand = model.hands[place - 1]
        takers = [hand.declarer, *hand.joiners]
        if not hand.joiners:
            return
        taken = [data.draw(st.sampled_from(takers)) for _ in range(4)]
        changed = replace(hand, tricks=tuple(taken.count(seat) for seat in range(4)))
        entry = replay.read(table)[place - 1]
        tricks = {str(seat): changed.tricks[seat] for seat in takers}
        edit = Change(place, entry.players, {**entry.sent, "tricks": tricks})
        why = self._correct(table, edit)
        possible = model.replay([*model.hands[: place - 1], changed, *model.hands[place:]])
        assert why == ("same" if changed == hand else "" if possible else "later")

    @rule(guest=st.sampled_from(GUESTS), main=st.sampled_from(["Carlo", "Doris", "Emil"]))
    def merge_two_players(self, guest: str, main: str) -> None:
        player, stays = (Player.objects.get(club=self.season.club, nickname=name) for name in (guest, main))
        other = self.mains.get(next(name for name in GUESTS if name != guest))
        # The two guests sit at the same table: they cannot be one person.
        possible = other != main and self.mains.get(guest, main) == main
        try:
            players_merge(club=self.season.club, player=player, main=stays, reason="record_of so", actor=None)
        except Refused:
            assert not possible
        else:
            assert possible
            self.mains[guest] = main

    @precondition(lambda self: self.mains)
    @rule(data=st.data())
    def unmerge_two_players(self, data: st.DataObject) -> None:
        guest = data.draw(st.sampled_from(sorted(self.mains)))
        player = Player.objects.get(club=self.season.club, nickname=guest)
        players_unmerge(club=self.season.club, player=player, reason="not so", actor=None)
        del self.mains[guest]

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def repeat_a_request(self, data: st.DataObject) -> None:
        table, key, sent = data.draw(st.sampled_from(self.sent))
        before = self.stored()
        assert hand_enter(table=table, author=None, key=key, body=sent).repeated
        assert self.stored() == before

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def send_another_hand_under_a_used_key(self, data: st.DataObject) -> None:
        table, key, sent = data.draw(st.sampled_from(self.sent))
        self.refused(table, key, sent | {"number": sent["number"] + 1}, 422)

    @rule(which=st.integers(0, 2), late=st.booleans())
    def send_a_wrong_number(self, which: int, late: bool) -> None:
        table = self.tables[which]
        due = len(self.model[which].hands) + 1
        number = max(1, due - 1) if late and due > 1 else due + 1
        self.refused(table, uuid.uuid4(), self._body(which, {"declarer": 0}, number), 409)

    @rule(which=st.integers(0, 2), record=st.sampled_from([{}, {"declarer": 9}, {"declarer": 0, "joiners": [0]}]))
    def send_nonsense(self, which: int, record: dict[str, Any]) -> None:
        table = self.tables[which]
        self.refused(table, uuid.uuid4(), self._body(which, record), 422)

    @invariant()
    def the_ledger_equals_the_model(self) -> None:
        moved = {account: int(amount) for account, amount in rows(MOVED)}
        due = plain_model.balances(self.model)
        assert {name: moved.get(account, 0) for account, name in rows(PLAYERS) if name in due} == due
        for table, model in zip(self.tables, self.model, strict=True):
            assert moved.get(table.pot_account_id, 0) == model.pot
        assert sum(moved.values()) == 0
        assert rows(STATES) == [(len(m.hands), m.pot, m.dealer, m.deal_number) for m in self.model]

    @invariant()
    def the_standings_equal_the_model(self) -> None:
        self.steps += 1
        # Statistics and records take as long to count as standings, and are compared at the end of a run.
        (counting.count_standings if self.steps % FACTS_EACH else counting.count_season)(self.season.pk)
        assert {row[0]: row[1:] for row in rows(STANDINGS)} == plain_model.standings(self.model, self.best, self.mains)


class BestEveningsMachine(LeagueMachine):
    """The same machine in a season that counts a player's two best evenings."""

    best = 2


def record_of(hand: plain_model.PlainHand) -> dict[str, Any]:
    """Return the record of a hand as a client sends it."""
    record: dict[str, Any] = {"declarer": hand.declarer}
    if hand.declarer is not None:
        record["joiners"] = list(hand.joiners)
    return record | {"made": sorted(hand.made)} if hand.joiners else record


def goals(declarer: int, joiners: tuple[int, ...]) -> st.SearchStrategy[set[int]]:
    """Return possible sets of seats that made it: the declarer and two joiners at most, or at least one joiner."""
    with_declarer = st.sets(st.sampled_from(joiners), max_size=2).map(lambda made: made | {declarer})
    return with_declarer | st.sets(st.sampled_from(joiners), min_size=1)


def run(machine: type[LeagueMachine], steps: int, *, phases: Collection[Phase] = tuple(Phase)) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=max(1, steps // STEPS_AN_EXAMPLE),
            stateful_step_count=STEPS_AN_EXAMPLE,
            database=None,
            print_blob=False,
            phases=phases,
            suppress_health_check=list(HealthCheck),
        ),
    )


def run_share(machine: type[LeagueMachine], share: int) -> None:
    """Make one share of the steps; by its name each share begins with another example, also where nothing is random."""
    run(type(f"{machine.__name__}{share}", (machine,), {}), STEPS // 2 // SHARES)


@pytest.mark.both_databases
@pytest.mark.sized
@pytest.mark.long
@pytest.mark.parametrize("share", range(SHARES))
def test_ledger_and_standings_equal_a_plain_model(share):
    run_share(LeagueMachine, share)


@pytest.mark.both_databases
@pytest.mark.sized
@pytest.mark.long
@pytest.mark.parametrize("share", range(SHARES))
def test_ledger_and_standings_equal_a_plain_model_with_best_evenings(share):
    run_share(BestEveningsMachine, share)


# --- Without its guard each run must fail: on one database, but for a guard that is the database's own ----


def run_until_the_first_failure(
    error: type[Exception] | tuple[type[Exception], ...], machine: type[LeagueMachine] = LeagueMachine
) -> None:
    """Run until the first step that fails, without looking for a shorter example."""
    with pytest.raises(error):
        run(machine, 5000, phases=(Phase.generate,))


@pytest.mark.rest
def test_without_the_counted_mark_the_standings_differ(monkeypatch):
    monkeypatch.setattr(transfers, "mark_uncounted", lambda postings: None)
    monkeypatch.setattr(merging, "mark_for_recount", lambda *season_ids: None)
    run_until_the_first_failure(AssertionError)


class MergingMachine(LeagueMachine):
    """Hands are only entered: guests soon have some, and are then merged."""

    void = correct_a_hand = change_the_tricks = unmerge_two_players = None  # type: ignore[assignment]
    repeat_a_request = send_another_hand_under_a_used_key = None  # type: ignore[assignment]
    send_a_wrong_number = send_nonsense = None  # type: ignore[assignment]


@pytest.mark.rest
def test_if_merged_players_count_separately_the_standings_differ(monkeypatch):
    monkeypatch.setattr(counting_sql, "MERGED", counting_sql.EACH_ALONE)
    run_until_the_first_failure(AssertionError, MergingMachine)


@pytest.mark.rest
def test_without_later_evenings_the_counts_differ(monkeypatch):
    monkeypatch.setattr(counting_sql, "LATER", "")
    # A standing of a player who has no row of the newest evening has no rank.
    run_until_the_first_failure((AssertionError, IntegrityError))


@pytest.mark.both_databases
def test_a_lost_transfer_is_refused_by_the_database(monkeypatch):
    monkeypatch.setattr("games.engine_bridge.moves", lose_the_last_transfer())
    run_until_the_first_failure(IntegrityError)


@pytest.mark.both_databases
def test_without_the_check_of_the_database_a_lost_transfer_breaks_the_ledger(monkeypatch):
    monkeypatch.setattr("games.engine_bridge.moves", lose_the_last_transfer())
    drop(connection, (), LEAGUE_CHECKS)
    run_until_the_first_failure(AssertionError)


def lose_the_last_transfer() -> Any:
    real = engine_bridge.moves
    return lambda *args: real(*args)[:-1]
