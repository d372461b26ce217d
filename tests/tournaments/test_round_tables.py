"""The tables of a tournament's round: seating, sheets, chips left in the pot, and corrections."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.closing import round_result
from games.closing.services import evening_close, evening_reopen, reclosing
from games.corrections.edits import PutIn, TakeOut
from games.corrections.services import correct
from games.errors import Refused
from games.hands import chain
from games.hands.services import hand_enter
from games.integrity import verify
from games.models import Happening, Place, Table
from league import ledger
from league.models import Account, Closing, Entrant, Payment, Posting, Receipt, ResultRow, Round, Season, Transfer
from league.tournaments.tables import TableBegun, of_games
from league.triggers import LEAGUE_APPEND_ONLY, LEAGUE_CHECKS, drop
from tests.factories import FAILED, FORCED, MADE, MUSS, PASSED_OUT, body, enter, void
from tests.tournaments.rounds import (
    close,
    create_round,
    create_tournament,
    entrants_of,
    hand_in,
    reopen,
    seatings,
    table_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.services]

TWO_TABLES = {1: (1, 2, 3, 4, 5), 2: (6, 7, 8, 9)}


@pytest.fixture
def played() -> Round:
    """A round with a table of five and a table of four."""
    tournament = create_tournament()
    entrants_of(tournament, 10)
    return create_round(tournament, TWO_TABLES)


def number_of(current: Round, player: int) -> int:
    return Entrant.objects.get(tournament=current.tournament, player=player).number


def chips(current: Round) -> dict[int, int]:
    """The net chips by start number, of those who have result rows."""
    sums: dict[int, int] = {}
    for player, change in ResultRow.objects.filter(evening=current.evening).values_list("player_id", "change_minor"):
        number = number_of(current, player)
        sums[number] = sums.get(number, 0) + change
    return dict(sorted(sums.items()))


def pots(current: Round) -> dict[int, int]:
    return dict(Table.objects.filter(evening=current.evening).values_list("number", "pot_minor"))


def seats(current: Round) -> dict[int, list[int]]:
    """The start numbers by table, in the order of the seats."""
    shown: dict[int, list[int]] = {}
    places = Place.objects.filter(table__evening=current.evening, table__dissolved=False)
    for table, player in places.order_by("table__number", "seat").values_list("table__number", "player_id"):
        shown.setdefault(table, []).append(number_of(current, player))
    return shown


def sound() -> bool:
    assert list(verify.differences()) == []
    return True


# --- Making the tables ------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_tables_are_as_drawn_with_fresh_pots_and_the_first_seat_deals(played):
    assert seats(played) == {1: [1, 2, 3, 4, 5], 2: [6, 7, 8, 9]}
    for number in (1, 2):
        table = table_of(played, number)
        first = table.places.order_by("seat")[0].player_id
        assert (table.dealer_id, table.first_dealer_id, table.pot_minor, table.hands) == (first, first, 0, 0)
    assert sound()


def test_opening_many_tables_takes_as_many_queries_as_few():
    counts = []
    for tables in (2, 40):
        tournament = create_tournament()
        entrants_of(tournament, tables * 4)
        drawn = {n: tuple(range(4 * n - 3, 4 * n + 1)) for n in range(1, tables + 1)}
        with CaptureQueriesContext(
            connection,
        ) as captured:
            current = create_round(tournament, drawn)
        counts.append(len(captured))
        with CaptureQueriesContext(connection) as captured:
            assert len(of_games().states(current.evening)) == tables
        counts.append(len(captured))
    assert counts[:2] == counts[2:]


def test_the_games_have_their_numbers_of_players(played):
    games = of_games()
    assert set(games.games()) == {"chratze", "kratzen", "zwicken"}
    assert (games.sizes("chratze"), games.sizes("kratzen")) == ((2, 7), (3, 6))
    assert games.ante(games.house_rules(played.tournament.club_id, "chratze")) == 20
    assert games.ante(games.house_rules(played.tournament.club_id, "kratzen")) == 10
    assert (games.sizes("zwicken"), games.ante(games.house_rules(played.tournament.club_id, "zwicken"))) == ((3, 6), 30)


@pytest.mark.both_databases
def test_a_redraw_changes_only_the_tables_that_differ(played):
    same = table_of(played, 1)
    of_games().reseat(played.evening, seatings(played.tournament, {1: (1, 2, 3, 4, 5), 2: (9, 7, 8), 3: (6, 10, 2)}))
    assert seats(played) == {1: [1, 2, 3, 4, 5], 2: [9, 7, 8], 3: [6, 10, 2]}
    assert table_of(played, 1).pk == same.pk
    dealer = number_of(played, table_of(played, 2).dealer_id)
    assert dealer == 9
    assert sound()


@pytest.mark.both_databases
def test_a_table_that_goes_leaves_nothing_behind(played):
    pot = table_of(played, 2).pot_account_id
    of_games().reseat(played.evening, seatings(played.tournament, {1: (1, 2, 3, 4, 5)}))
    assert seats(played) == {1: [1, 2, 3, 4, 5]}
    assert not Account.objects.filter(pk=pot).exists()
    assert sound()


def test_a_hand_for_a_table_that_is_gone_is_refused(played):
    table = table_of(played, 2)
    sent = body(table, {"declarer": 0, "joiners": [1], "made": [0, 1]})
    of_games().reseat(played.evening, seatings(played.tournament, {1: (1, 2, 3, 4, 5)}))
    with pytest.raises(Refused) as refused:
        hand_enter(table=table, author=None, key=uuid.uuid4(), body=sent)
    assert (refused.value.status, refused.value.code) == (409, "dissolved")


@pytest.mark.both_databases
def test_a_table_with_a_voided_hand_is_dissolved_and_used_again(played):
    table = table_of(played, 2)
    enter(table, {"declarer": 0, "joiners": [1], "made": [0, 1]})
    void(table)
    of_games().reseat(played.evening, seatings(played.tournament, {1: (1, 2, 3, 4, 5)}))
    assert (table_of(played, 2).dissolved, set(of_games().states(played.evening))) == (True, {1})
    assert sound()
    of_games().reseat(played.evening, seatings(played.tournament, {1: (1, 2, 3, 4, 5), 2: (10, 9, 8)}))
    assert (table_of(played, 2).pk, seats(played)[2]) == (table.pk, [10, 9, 8])
    enter(table_of(played, 2), {"declarer": 0, "joiners": [1], "made": [0, 1]})
    assert sound()


@pytest.mark.parametrize(
    "drawn", [{1: (1, 2, 3, 4, 5)}, {1: (1, 2, 3, 4, 5), 2: (9, 6, 7, 8)}], ids=["gone", "changed"]
)
def test_a_table_that_has_begun_is_not_reseated(played, drawn):
    enter(table_of(played, 2), {"declarer": 0, "joiners": [1], "made": [0, 1]})
    with pytest.raises(TableBegun) as refused, transaction.atomic():
        of_games().reseat(played.evening, seatings(played.tournament, drawn))
    assert refused.value.number == 2
    assert seats(played) == {1: [1, 2, 3, 4, 5], 2: [6, 7, 8, 9]}


def test_a_table_that_has_begun_may_stay_as_it_is(played):
    enter(table_of(played, 2), {"declarer": 0, "joiners": [1], "made": [0, 1]})
    of_games().reseat(played.evening, seatings(played.tournament, {1: (5, 4, 3, 2, 1), 2: (6, 7, 8, 9)}))
    assert seats(played)[1] == [5, 4, 3, 2, 1]
    assert sound()


@pytest.mark.both_databases
def test_a_substitute_takes_the_place(played):
    left, came = (played.tournament.entrants.get(number=number).player_id for number in (7, 10))
    of_games().substitute(played.evening, left, came)
    assert seats(played)[2] == [6, 10, 8, 9]
    enter(table_of(played, 2), MADE | {"joiners": [1]})
    with pytest.raises(TableBegun):
        of_games().substitute(played.evening, came, left)
    assert sound()


@pytest.mark.both_databases
def test_the_state_of_a_table_shows_its_hands_and_chips(played):
    enter(table_of(played, 1), MADE)
    state = of_games().states(played.evening)[1]
    assert (state.hands, state.recorder, state.last_hand) == (1, "", False)
    assert state.pot + sum(state.chips.values()) == 0
    assert list(state.chips) == list(state.players)
    assert state.address.endswith(f"/{state.table_id}/")


# --- The end of a round -----------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_rest_of_the_pot_is_divided_among_the_table_in_whole_chips(played):
    for record in (MADE, FAILED, PASSED_OUT):
        enter(table_of(played, 1), record)
    left = table_of(played, 1).pot_minor
    before = chips(played)
    close(played)
    got = {number: change - before[number] for number, change in chips(played).items()}
    each, over = divmod(left, 5)
    assert left > 0
    assert sorted(got.values()) == sorted([each + 1] * over + [each] * (5 - over))
    assert (sum(chips(played).values()), pots(played)) == (0, {1: 0, 2: 0})
    assert sound()


def test_the_chips_left_over_go_in_the_order_of_play_from_the_next_dealer_on(played):
    result = hand_in(played, 2, [-10, -5, 7, 6], pot=2)
    close(played, {2: result})
    # Seat 0 deals next, since no hand was played.
    assert chips(played) == {6: -9, 7: -4, 8: 7, 9: 6}
    assert sound()


@pytest.mark.both_databases
def test_a_pot_may_belong_to_nobody(played):
    enter(table_of(played, 1), PASSED_OUT)
    left = table_of(played, 1).pot_minor
    result = hand_in(played, 2, [-10, -5, 7, 6], pot=2)
    close(played, {2: result}, divided=False)
    assert pots(played) == {1: left, 2: 2}
    assert chips(played)[6] == -10
    assert sum(chips(played).values()) == -left - 2
    assert sound()


def test_each_player_of_a_sheet_has_a_result_even_of_zero(played):
    close(played, {2: hand_in(played, 2, [0, 0, 0, 0])})
    assert chips(played) == {6: 0, 7: 0, 8: 0, 9: 0}
    rows = ResultRow.objects.filter(evening=played.evening)
    assert set(rows.values_list("role", "made", "tricks")) == {("share", None, None)}
    assert sound()


def test_no_chip_becomes_money(played):
    enter(table_of(played, 1), PASSED_OUT)
    close(played, {2: hand_in(played, 2, [-10, -5, 7, 8])})
    assert not Payment.objects.exists()
    assert not Account.objects.filter(kind__in=["kitty", "box"]).exists()
    assert set(Transfer.objects.values_list("kind", flat=True)) == {"ante", "share"}


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("change", "pot"), [([-10, -5, 7, 7], 0), ([-10, -5, 7, 7], 2), ([10, -5, 0, 0], -5)], ids=["zero", "pot", "below"]
)
def test_a_sheet_that_does_not_add_up_is_a_fault(played, change, pot):
    result = hand_in(played, 2, change, abs(pot))
    with pytest.raises(ledger.LedgerFault), transaction.atomic():
        close(played, {2: round_sheet(result, pot)})
    assert not Closing.objects.exists()


def round_sheet(result: Any, pot: int) -> Any:
    return type(result)(result.source, result.revision, result.chips, pot)


def test_a_sheet_of_somebody_else_is_a_fault(played):
    result = hand_in(played, 2, [-10, -5, 7, 8])
    with pytest.raises(ledger.LedgerFault), transaction.atomic():
        close(played, {1: result})


def test_a_table_with_hands_takes_no_sheet(played):
    result = hand_in(played, 2, [-10, -5, 7, 8])
    enter(table_of(played, 2), {"declarer": 0, "joiners": [1], "made": [0, 1]})
    with pytest.raises(TableBegun), transaction.atomic():
        close(played, {2: result})
    assert played.evening.state == "open"


def test_the_pots_and_the_first_hand_of_kratzen_fit_the_same_end():
    tournament = create_tournament(game="kratzen")
    entrants_of(tournament, 4)
    current = create_round(tournament, {1: (4, 1, 2, 3)})
    table = table_of(current)
    enter(table, MUSS | {"declarer": 0, "joiners": [1, 2, 3], "tricks": {"0": 2, "1": 1, "2": 1}})
    left = table_of(current).pot_minor
    close(current)
    assert (left > 0, sum(chips(current).values()), pots(current)) == (True, 0, {1: 0})
    assert sound()


def test_a_round_of_zwicken_ends_with_an_empty_pot():
    tournament = create_tournament(game="zwicken")
    entrants_of(tournament, 4)
    current = create_round(tournament, {1: (4, 1, 2, 3)})
    enter(table_of(current), FORCED)
    left = table_of(current).pot_minor
    close(current)
    assert (left > 0, sum(chips(current).values()), pots(current)) == (True, 0, {1: 0})
    assert sound()


# --- Open it again, correct it ----------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_round_that_is_opened_again_is_as_it_was(played):
    for record in (MADE, PASSED_OUT):
        enter(table_of(played, 1), record)
    result = hand_in(played, 2, [-10, -5, 7, 6], pot=2)
    before = (chips(played), pots(played))
    close(played, {2: result})
    reopen(played)
    assert (chips(played), pots(played)) == before
    assert sound()
    corrected = hand_in(played, 2, [-10, -5, 8, 6], pot=1)
    close(played, {2: corrected})
    assert chips(played)[8] == 8
    assert sound()


@pytest.mark.both_databases
def test_a_correction_closes_the_round_again_with_its_sheets(played):
    for record in (MADE, PASSED_OUT):
        enter(table_of(played, 1), record)
    close(played, {2: hand_in(played, 2, [-10, -5, 7, 6], pot=2)})
    sheet = {number: change for number, change in chips(played).items() if number > 5}
    correct(table=table_of(played, 1), edit=TakeOut(1), author=None, key=uuid.uuid4())
    assert {number: change for number, change in chips(played).items() if number > 5} == sheet
    assert (sum(chips(played).values()), pots(played)) == (0, {1: 0, 2: 0})
    assert list(Closing.objects.order_by("number").values_list("kind", flat=True)) == ["closed", "mended"]
    assert Receipt.objects.count() == 2
    assert sound()


def test_a_table_with_a_sheet_takes_no_hand_by_correction(played):
    close(played, {2: hand_in(played, 2, [-10, -5, 7, 8])})
    table = table_of(played, 2)
    players = tuple(table.places.order_by("seat").values_list("player_id", flat=True))
    with pytest.raises(Refused) as refused:
        correct(table=table, edit=PutIn(1, players=players, sent=PASSED_OUT), author=None, key=uuid.uuid4())
    assert (refused.value.status, refused.value.code) == (409, "sheet")
    assert table_of(played, 2).hands == 0
    assert sound()


def test_only_the_desk_closes_and_opens_a_round(played):
    with pytest.raises(Refused) as refused:
        evening_close(evening=played.evening, author=None, key=uuid.uuid4())
    assert (refused.value.status, refused.value.code) == (409, "round")
    close(played)
    with pytest.raises(Refused) as refused:
        evening_reopen(evening=played.evening, author=None, key=uuid.uuid4(), owner=True, reason="So.")
    assert (refused.value.status, refused.value.code) == (409, "round")


def test_a_round_is_closed_once_and_opened_once(played):
    close(played)
    with pytest.raises(Refused) as refused, transaction.atomic():
        close(played)
    assert refused.value.status == 409
    reopen(played)
    with pytest.raises(Refused) as refused, transaction.atomic():
        reopen(played)
    assert refused.value.status == 409


# --- Verify and rebuild -----------------------------------------------------------------------------------


@pytest.fixture
def finished(played) -> Round:
    """A finished round with hands at one table and a sheet at the other."""
    for record in (MADE, PASSED_OUT):
        enter(table_of(played, 1), record)
    close(played, {2: hand_in(played, 2, [-10, -5, 7, 6], pot=2)})
    return played


def unguarded() -> None:
    drop(connection, LEAGUE_APPEND_ONLY, LEAGUE_CHECKS)


@pytest.mark.both_databases
def test_rebuilding_gives_the_same_rows(finished):
    rows = set(ResultRow.objects.values_list("source", "player_id", "seat", "role", "change_minor"))
    call_command("rebuild", verbosity=0)
    assert set(ResultRow.objects.values_list("source", "player_id", "seat", "role", "change_minor")) == rows
    assert sound()


@pytest.mark.both_databases
def test_verify_finds_a_wrong_result_row_of_a_sheet(finished):
    ResultRow.objects.filter(role="share", change_minor=7).update(change_minor=8)
    assert any("result rows are not what its pots and sheets give" in difference for difference in verify.differences())
    verify.rebuild(Season.every.get(pk=finished.evening.season_id))
    assert sound()


@pytest.mark.both_databases
def test_verify_finds_a_wrong_transfer_of_a_sheet(finished):
    unguarded()
    Transfer.objects.filter(kind="share", amount_minor=7).update(amount_minor=8)
    assert any("transfers are not what its pots and sheets give" in difference for difference in verify.differences())


@pytest.mark.both_databases
def test_verify_finds_a_sheet_that_was_changed(finished):
    with connection.cursor() as cursor:
        for statement in ("DROP TRIGGER league_sheet_no_update",):
            cursor.execute(statement if connection.vendor == "sqlite" else f"{statement} ON league_sheet")
        cursor.execute("UPDATE league_sheet SET pot = 3")
    assert any("is not the one that counted" in difference for difference in verify.differences())


def test_verify_finds_a_pot_that_was_not_divided(finished):
    Table.objects.filter(evening=finished.evening, number=2).update(pot_minor=5, moved_minor=5)
    assert any(str(finished.evening_id) in difference for difference in verify.differences())


def test_verify_finds_a_closing_that_was_reversed(finished):
    closing = Closing.objects.get()
    event = ledger.Event(finished.evening, closing.pk, 2, None)
    ledger.reverse(event=event, posting=closing.posting)
    assert any("its transfers were reversed" in difference for difference in verify.differences())


@pytest.mark.both_databases
def test_verify_finds_a_receipt_that_was_changed(finished):
    unguarded()
    receipt = Receipt.objects.get()
    receipt.content["pot"]["amount"] += 1
    receipt.save()
    differences = list(verify.differences())
    assert any("receipt says something else" in difference for difference in differences)
    assert any("seal of receipt" in difference for difference in differences)


@pytest.mark.both_databases
def test_an_end_that_is_not_zero_is_refused_by_the_database(finished, monkeypatch):
    reopen(finished)
    outcome = round_result._outcome
    monkeypatch.setattr(round_result, "_outcome", lambda player, seat, chips: outcome(player, seat, chips + 1))
    with pytest.raises(IntegrityError), transaction.atomic():
        close(finished)
    with transaction.atomic(), reclosing(chain.lock_evening(finished.evening_id), author=None):
        assert not Happening.objects.exists()
    assert Posting.objects.filter(closing__isnull=False).count() == 1
