"""Refusals of the services at the tables that no other test checks: the sentence of each, and no stored row."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client

from games import engine_bridge
from games.closing.last_hands import last_hand
from games.closing.services import debts_mark, evening_close, payments_mark
from games.corrections.edits import Reseat, TakeOut
from games.corrections.services import plan
from games.disputes import services as disputes
from games.errors import Refused
from games.evening.services import evening_start
from games.hands.services import hand_enter
from games.integrity import verify
from games.models import Happening, Table
from games.paper import typing_back
from games.paper.line_notation import Misread, read_line
from games.rules import services as rules
from games.seating import services as night
from games.seating.changes import Arrive, EveningTables, Merge, Pause, Split, TableState
from games.seating.services import Guest, carry_out
from league import ledger
from league.models import Evening, HouseRules, Payment, Player, ResultRow, Role
from league.roster.merging import players_merge
from tests.cast import House
from tests.factories import FAILED, MADE, MembershipFactory, PlayerFactory, create_table, enter

pytestmark = [pytest.mark.rest, pytest.mark.django_db]


@pytest.fixture
def table() -> Table:
    """A table of seven with one hand, which left coins in the pot."""
    opened = create_table(seats=7)
    enter(opened, FAILED)
    return Table.objects.select_related("evening__club", "evening__season").get(pk=opened.pk)


def refused(call: Callable[[], object]) -> tuple[int, str]:
    with pytest.raises(Refused) as caught:
        call()
    return caught.value.status, caught.value.code


def seats(table: Table) -> tuple[int, ...]:
    return tuple(table.places.order_by("seat").values_list("player_id", flat=True))


# --- One key, one write -----------------------------------------------------------------------------------------


def test_a_repeated_mark_does_not_restore_a_removed_mark(table: Table) -> None:
    evening = table.evening
    evening_close(evening=evening, author=None, key=uuid.uuid4())
    key, numbers = uuid.uuid4(), list(Payment.objects.values_list("pk", flat=True))

    def mark(some: list[uuid.UUID]) -> int:
        return debts_mark(club=evening.club, author=None, key=key, numbers=some).count

    assert mark(numbers) == len(numbers) > 1
    payments_mark(evening=evening, author=None, key=uuid.uuid4(), paid=False)
    assert mark(numbers) == 0
    assert refused(lambda: mark(numbers[:1])) == (422, "key_reused")


def test_a_repeated_announcement_does_not_restore_a_withdrawn_one(table: Table) -> None:
    key = uuid.uuid4()
    for again, on in ((key, True), (uuid.uuid4(), False), (key, True)):
        last_hand(evening=table.evening, author=None, key=again, on=on)
    assert not Table.objects.get().last_hand
    assert refused(lambda: last_hand(evening=table.evening, author=None, key=key, on=False)) == (422, "key_reused")


def test_the_page_says_that_a_closed_evening_has_no_last_hand(table: Table) -> None:
    club = table.evening.club
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    recorder = Client(headers={"accept-language": "en"})
    recorder.force_login(MembershipFactory(club=club, role=Role.RECORDER).user)
    answer = recorder.post(f"/c/{club.slug}/e/{table.evening_id}/last/", {"key": str(uuid.uuid4())})
    assert answer.status_code == 409
    assert "This evening is closed." in answer.content.decode()


# --- Taking a seat ----------------------------------------------------------------------------------------------


def test_a_person_with_two_names_is_seated_once_when_an_evening_begins(table: Table) -> None:
    club = table.evening.club
    main, other, third = (PlayerFactory(club=club) for _ in range(3))
    players_merge(club=club, player=other, main=main, reason="one person", actor=None)
    seating = [f"p{player.pk}" for player in (main, other, third)]

    def begin() -> Table:
        return evening_start(
            club=club,
            season=table.evening.season,
            author=None,
            seating=seating,
            first_dealer=seating[0],
            held_on=table.evening.held_on,
        )

    assert refused(begin) == (422, "seating")
    assert Evening.objects.count() == 1


def test_a_person_who_sits_there_under_another_name_does_not_sit_down_again(table: Table) -> None:
    club, sits = table.evening.club, Player.objects.get(pk=seats(table)[6])
    carry_out(table=table, change=Split(seats(table)[4:], sits.pk, by_heads=True), author=None, key=uuid.uuid4())
    main = PlayerFactory(club=club)
    players_merge(club=club, player=sits, main=main, reason="one person", actor=None)
    arrives = Arrive(main.pk, seats(table)[0])
    assert refused(lambda: carry_out(table=table, change=arrives, author=None, key=uuid.uuid4())) == (409, "player")


def test_a_guest_who_gets_a_nickname_at_the_same_moment_as_another_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def overtaken(player: Player, author: object) -> Player:
        raise IntegrityError("player_nickname_once_a_club")

    monkeypatch.setattr(night, "player_store", overtaken)
    table = create_table()
    arrives = Arrive(0, seats(table)[0])
    comes = Guest("Zoé")
    assert refused(lambda: carry_out(table=table, change=arrives, author=None, key=uuid.uuid4(), guest=comes)) == (
        409,
        "player",
    )


def test_tables_are_not_joined_beyond_the_seats_of_one_nor_behind_somebody_who_is_not_there(table: Table) -> None:
    club, people = table.evening.club, seats(table)
    carry_out(table=table, change=Split(people[:3], people[0], by_heads=True), author=None, key=uuid.uuid4())
    new = Table.objects.get(number=2)

    def join(after: int) -> Happening:
        return carry_out(table=new, change=Merge(table.pk, after), author=None, key=uuid.uuid4())

    assert refused(lambda: join(people[0])) == (409, "seating")
    carry_out(table=new, change=Arrive(PlayerFactory(club=club).pk, people[0]), author=None, key=uuid.uuid4())
    assert refused(lambda: join(people[3])) == (422, "seats")


def test_an_operation_that_creates_coins_is_not_stored(table: Table) -> None:
    @dataclass(frozen=True)
    class Conjure(Pause):
        def apply(self, tables: EveningTables) -> tuple[TableState, ...]:
            return (replace(tables.here, pot_minor=tables.here.pot_minor + 20),)

    with pytest.raises(ledger.LedgerFault):
        carry_out(table=table, change=Conjure(), author=None, key=uuid.uuid4())
    assert not Happening.objects.exists()


def test_the_page_asks_for_the_leaving_player_if_none_was_chosen(home: House, recorder: Client) -> None:
    table = create_table(club=home.club, season=home.season)
    answer = recorder.post(f"/c/roessli/t/{table.pk}/seating/", {"do": "leave"})
    assert answer.status_code == 422
    assert "Choose somebody." in answer.content.decode()


# --- Corrections and disputes -----------------------------------------------------------------------------------


def test_seats_are_not_corrected_in_hands_that_are_not_there(table: Table) -> None:
    pair = (seats(table)[0], PlayerFactory(club=table.evening.club).pk)
    for first, last in ((2, 2), (1, 2), (2, 1)):
        edit = Reseat(first, last, (pair,))
        assert refused(partial(plan, table=table, edit=edit)) == (404, "number")


def test_a_hand_is_not_taken_out_from_before_coins_that_left_the_pot(table: Table) -> None:
    people = seats(table)
    carry_out(table=table, change=Split(people[:3], people[0], by_heads=True), author=None, key=uuid.uuid4())
    enter(table, MADE)
    assert refused(lambda: plan(table=table, edit=TakeOut(1))) == (409, "later")


def test_the_answer_to_a_dispute_has_a_maximum_length(table: Table) -> None:
    def settle(text: str) -> object:
        return disputes.dispute_settle(
            table=table, number=1, player_id=seats(table)[0], author=None, key=uuid.uuid4(), text=text
        )

    assert refused(lambda: settle("x" * (disputes.MAX_TEXT + 1))) == (422, "text")


# --- Lines on paper ---------------------------------------------------------------------------------------------


def test_a_line_of_a_hand_after_the_next_one_is_refused(table: Table) -> None:
    assert refused(lambda: typing_back.start_of(table, 3))[0] == 409


@pytest.mark.parametrize("line", ["b:4", "b!"])
@pytest.mark.parametrize("game", ["kratzen", "zwicken"])
def test_nobody_takes_tricks_alone(line: str, game: str) -> None:
    start = engine_bridge.Start(7, game, {}, 4, 3, 1, 100)
    with pytest.raises(Misread):
        read_line(line, start, ("Anna", "Beni", "Carlo", "Doris"))


# --- House rules, and faults of the program ---------------------------------------------------------------------


def test_rules_that_were_written_by_somebody_else_at_that_moment_are_refused(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = HouseRules.objects.get()

    def change() -> HouseRules:
        HouseRules.objects.create(club=newest.club, game=newest.game, version=newest.version + 1)
        raise IntegrityError("house_rules_version_once")

    monkeypatch.setattr(rules, "house_rules_set", lambda **given: change())
    asked = {"club": newest.club, "game": newest.game, "values": {"coin": 10}, "author": None}
    assert refused(lambda: rules.rules_change(**asked, key=uuid.uuid4(), follows=newest.version)) == (409, "version")


def test_a_table_that_counts_a_hand_too_many_is_a_fault() -> None:
    table = create_table()
    sent = {"number": 1, "players": list(seats(table)), "record": MADE}
    Table.objects.update(hands=1)
    with pytest.raises(ledger.LedgerFault):
        hand_enter(table=table, author=None, key=uuid.uuid4(), body=sent)


def test_a_rebuild_stops_at_a_record_that_no_longer_replays_and_changes_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = table.evening.season
    fault = {"ok": False, "error": {"code": "C6.1", "message": "no", "at": "", "data": {}}}
    monkeypatch.setattr(engine_bridge, "replay", lambda record: fault)
    before = set(ResultRow.objects.values_list("pk", flat=True))
    with pytest.raises(LookupError, match=f"table {table.pk}, hand 1: no"):
        verify.rebuild(season)
    with pytest.raises(CommandError):
        call_command("rebuild")
    assert set(ResultRow.objects.values_list("pk", flat=True)) == before != set()


# --- Pages of missing objects -----------------------------------------------------------------------------------


@pytest.fixture
def empty(home: House) -> Table:
    """A table of the home club without a hand."""
    return create_table(club=home.club, season=home.season)


@pytest.mark.parametrize("page", ["h/1/", "h/1/dispute/", "seats/"])
def test_a_page_of_a_hand_that_is_not_there_is_not_found(page: str, recorder: Client, empty: Table) -> None:
    assert recorder.get(f"/c/roessli/t/{empty.pk}/{page}").status_code == 404


def test_a_member_does_not_learn_which_hands_exist(home: House, empty: Table) -> None:
    member = Client()
    member.force_login(home.member)
    statuses = [member.get(f"/c/roessli/t/{empty.pk}/h/1/dispute/").status_code]
    enter(empty, MADE)
    assert [*statuses, member.get(f"/c/roessli/t/{empty.pk}/h/1/dispute/").status_code] == [403, 403]


def test_an_evening_without_a_table_is_not_recorded(home: House, recorder: Client, empty: Table) -> None:
    bare = Evening.objects.create(
        club=home.club,
        season=home.season,
        number=2,
        held_on=empty.evening.held_on,
        game="chratze",
        house_rules=empty.evening.house_rules,
    )
    assert recorder.get(f"/c/roessli/e/{bare.pk}/record/").status_code == 404
