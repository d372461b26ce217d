"""An evening of Kratzen: services, forms and pages."""

from __future__ import annotations

import csv
import io
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from games import engine_bridge
from games.errors import Refused
from games.evening.house_rules import last_game
from games.evening.services import evening_start
from games.hands.selectors import chain_of, table_of, table_view
from games.integrity import verify
from games.kratzen.hand_form import KratzenForm, cuts_of, shown_of
from games.models import Hand, Revision, Table
from league.models import ResultRow, Season, Standing, Transfer
from league.standings.counting import count_season
from tests.cast import House
from tests.clients import shown
from tests.factories import FREE, MADE, MUSS, NO_CUT, SeasonFactory, create_table, enter, void

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def table(home: House) -> Table:
    """Anna, Beni, Carlo, Doris; Doris has the pack."""
    return create_table(club=home.club, season=home.season, author=home.recorder, seats=4, game="kratzen")


def now(table: Table) -> Table:
    return Table.objects.get(pk=table.pk)


def url(table: Table, tail: str = "") -> str:
    return f"/c/{table.evening.club.slug}/t/{table.pk}/{tail}"


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def entry(table: Table, roles: str = "", tricks: str = "", **more: Any) -> dict[str, Any]:
    """The form's fields: roles (d plays, j says mit, - does not) and tricks, a sign a seat."""
    fresh = now(table)
    players = fresh.places.order_by("seat").values_list("player_id", flat=True)
    data: dict[str, Any] = {
        "key": str(uuid.uuid4()),
        "number": fresh.hands + 1,
        "players": ",".join(str(player) for player in players),
        "pack": list(players).index(fresh.dealer_id),
        **({"muss": "1"} if fresh.pot_minor < 20 else {}),
    }
    for seat, letter in enumerate(roles):
        data[f"role-{seat}"] = {"d": "declarer", "j": "joiner"}.get(letter, "out")
    for seat, count in enumerate(tricks):
        data[f"tricks-{seat}"] = "" if count == "-" else count
    return data | more


# --- The chain and the ledger ----------------------------------------------------------------------------


@pytest.mark.both_databases
def test_the_first_hand_is_a_muss_and_its_pot_stays(table: Table) -> None:
    answer = enter(table, MUSS)
    assert answer.result["muss"] is True
    assert "deal_number" not in Revision.objects.get().record
    fresh = now(table)
    # K2.2: three units and two for the dealer; Carlo failed and pays P (K8.4).
    assert fresh.pot_minor == 50 + 50
    assert fresh.dealer.nickname == "Anna"
    assert (fresh.hands, fresh.deal_number) == (1, 1)


def test_a_free_hand_pays_quarters_and_empties_the_pot(table: Table) -> None:
    enter(table, MUSS)
    enter(table, FREE)
    assert now(table).pot_minor == 10  # 100 + 10 are four quarters of 25 and a remainder of 10
    assert table_view(table_of(club=table.evening.club, table_id=table.pk)).muss


@pytest.mark.both_databases
def test_cuts_move_the_pack_and_cost_a_unit(table: Table) -> None:
    # Doris has the pack; an ace and another card: Anna deals and declares.
    dealt = {"cuts": [["A", "x"], ["x"]], "declarer": 0, "joiners": [1, 2, 3], "tricks": {"0": 2, "1": 1, "2": 1}}
    enter(table, dealt)
    assert Transfer.objects.filter(kind="cut").values_list("amount_minor", "from_account__player__nickname").get() == (
        10,
        "Anna",
    )
    assert now(table).dealer.nickname == "Beni"
    void(table)
    assert now(table).dealer.nickname == "Doris"
    assert now(table).pot_minor == 0


@pytest.mark.both_databases
def test_an_undone_hand_restores_the_table(table: Table) -> None:
    enter(table, MUSS)
    before = (now(table).pot_minor, now(table).dealer_id, now(table).hands)
    enter(table, FREE)
    void(table)
    assert (now(table).pot_minor, now(table).dealer_id, now(table).hands) == before


@pytest.mark.parametrize(
    ("record", "clause"),
    [
        (MUSS | {"declarer": 0, "joiners": [1, 2, 3]}, "K5.1"),
        (MUSS | {"cuts": [["A", "x"]]}, "K3.4"),
        (MUSS | {"tricks": {"3": 2}}, "R5"),
        (MUSS | {"deal_number": 1}, "R1"),
        ({**MUSS, "made": [3]}, "R1"),
    ],
)
def test_a_hand_that_the_rulebook_refuses_is_not_stored(table: Table, record: dict[str, Any], clause: str) -> None:
    with pytest.raises(Refused) as refused:
        enter(table, record)
    assert refused.value.code == clause
    assert refused.value.sentence
    assert not Hand.objects.exists()


@pytest.mark.both_databases
def test_verify_agrees_and_rebuild_changes_nothing(table: Table) -> None:
    for record in (MUSS, FREE, FREE | {"declarer": 2, "joiners": [0, 1, 3]}):
        try:
            enter(table, record)
        except Refused:
            enter(table, {"cuts": NO_CUT, "declarer": 1, "joiners": [0, 2, 3], "tricks": {"1": 1, "0": 3}})
    void(table)
    count_season(table.evening.season_id)
    assert list(verify.differences()) == []
    rows = list(ResultRow.objects.order_by("player", "source").values_list("player", "muss", "made", "change_minor"))
    verify.rebuild(Season.objects.get(pk=table.evening.season_id))
    assert list(verify.differences()) == []
    again = ResultRow.objects.order_by("player", "source").values_list("player", "muss", "made", "change_minor")
    assert list(again) == rows


# --- Counts and points -----------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_muss_is_counted_apart_and_is_worth_as_much_as_joining(table: Table) -> None:
    enter(table, MUSS)
    enter(table, FREE)
    count_season(table.evening.season_id)
    lines = {line.player.nickname: line for line in Standing.objects.select_related("player")}
    counted = ("declared", "declared_made", "joined", "joined_made", "musses", "musses_made", "points")
    content = {name: tuple(getattr(line, counter) for counter in counted) for name, line in lines.items()}
    assert content == {
        "Anna": (0, 0, 0, 0, 1, 1, 1),
        "Beni": (1, 1, 0, 0, 1, 1, 3),
        "Carlo": (0, 0, 0, 0, 1, 0, -1),
        "Doris": (0, 0, 1, 1, 1, 1, 2),
    }


@pytest.mark.both_databases
@pytest.mark.parametrize(("games", "hands"), [("", 2), ("kratzen", 1), ("chratze", 1)])
def test_a_season_counts_only_its_games(home: House, games: str, hands: int) -> None:
    season = SeasonFactory(club=home.club, games=games)
    kratzen = create_table(season=season, seats=4, game="kratzen")
    enter(kratzen, MUSS)
    enter(create_table(season=season, seats=4), MADE)
    count_season(season.pk)
    anna = Standing.objects.get(season=season, player__nickname="Anna")
    assert (anna.hands, anna.evenings) == (hands, hands)
    assert anna.musses == (games != "chratze")
    assert list(verify.differences([season])) == []


def test_in_a_siebenermuss_one_trick_is_enough_for_the_declarer(table: Table) -> None:
    record = MUSS | {"seven": True, "tricks": {"3": 1, "0": 1, "1": 1, "2": 1}}
    enter(table, record)
    assert list(ResultRow.objects.values_list("muss", "made").distinct()) == [(True, True)]


def test_in_a_muss_the_declarer_needs_two(table: Table) -> None:
    enter(table, MUSS | {"tricks": {"3": 1, "0": 1, "1": 1, "2": 1}})
    assert ResultRow.objects.get(made=False).player.nickname == "Doris"


# --- The evening -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "taken"), [(2, False), (3, True), (6, True), (7, False)])
def test_three_to_six_sit_down(home: House, seats: int, taken: bool) -> None:
    if taken:
        assert create_table(club=home.club, seats=seats, game="kratzen").evening.game == "kratzen"
        return
    with pytest.raises(Refused, match="three to six"):
        create_table(club=home.club, seats=seats, game="kratzen")


def test_there_is_no_third_game(home: House) -> None:
    with pytest.raises(Refused) as refused:
        evening_start(
            club=home.club, season=home.season, author=None, seating=["gA", "gB", "gC"], first_dealer="gA",
            held_on=home.season.starts_on, game="jass",
        )  # fmt: skip
    assert refused.value.code == "game"


def test_the_game_played_last_is_chosen_already(home: House, recorder: Client, table: Table) -> None:
    assert last_game(home.club) == "kratzen"
    page = text(recorder.get("/c/roessli/e/new/"))
    assert 'name="game" value="kratzen" checked' in page
    assert "Siebenermuss" in page


@pytest.mark.both_databases
def test_an_evening_of_kratzen_is_begun_from_the_page(home: House, recorder: Client) -> None:
    sent = {
        "game": "kratzen",
        "season": home.season.pk,
        "held_on": "2026-11-20",
        "seating": ["gAnna", "gBeni", "gCarlo"],
        "first_dealer": "gBeni",
        "key": str(uuid.uuid4()),
    }
    assert recorder.post("/c/roessli/e/new/", sent).status_code == 303
    table = Table.objects.get()
    assert (table.evening.game, table.evening.house_rules.game, table.dealer.nickname) == ("kratzen", "kratzen", "Beni")
    assert recorder.post("/c/roessli/e/new/", sent | {"game": "poker"}).status_code == 422


# --- The form --------------------------------------------------------------------------------------------

CUTS = {
    "": [["x"]],
    "x": [["x"]],
    "A": [["A"]],
    "Ax": [["A", "x"], ["x"]],
    "A7": [["A", "7"], ["x"]],
    "A7Wx": [["A", "7"], ["W", "x"], ["x"]],
    "A7W": [["A", "7"], ["W"]],
    "Axx": [["A", "x"], ["x"]],
}


@pytest.mark.parametrize("shown", CUTS)
def test_letters_of_the_cuts(shown: str) -> None:
    assert cuts_of(shown) == CUTS[shown]
    if len(CUTS[shown][-1]) == 1 and CUTS[shown][-1] == ["x"]:
        assert cuts_of(shown_of(CUTS[shown])) == CUTS[shown]


def test_cards_of_the_cuts_become_letters() -> None:
    assert shown_of([["Ah", "6d"], ["7s", "Kc"], ["9d"]]) == "AW7x"


def form(table: Table, data: dict[str, Any]) -> KratzenForm:
    fresh = table_of(club=table.evening.club, table_id=table.pk)
    assert fresh
    return KratzenForm(data, start=chain_of(fresh)[0].start)


def test_a_muss_is_tricks_alone(table: Table) -> None:
    sent = form(table, entry(table, tricks="11-2"))
    assert sent.problem() is None
    assert sent.record() == {
        "cuts": [["x"]],
        "declarer": 3,
        "joiners": [0, 1, 2],
        "tricks": {"0": 1, "1": 1, "2": 0, "3": 2},
    }


def test_in_a_muss_the_dealer_after_the_cuts_declares(table: Table) -> None:
    sent = form(table, entry(table, tricks="211-", cuts="7x"))
    assert sent.problem() is None
    assert sent.record()["declarer"] == 2


def test_a_cut_that_is_not_finished_is_asked_for(table: Table) -> None:
    problem = form(table, entry(table, tricks="211-", cuts="A")).problem()
    assert problem
    assert "bottom of the pack" in problem.sentence


@pytest.mark.parametrize("cuts", ["Q", "AAAA" * 11, "<b>"])
def test_a_cut_of_other_signs_is_refused(table: Table, recorder: Client, cuts: str) -> None:
    answer = recorder.post(url(table), entry(table, tricks="211-", cuts=cuts))
    assert answer.status_code == 422
    assert not Hand.objects.exists()


def test_a_free_hand_has_the_call_and_the_joiners(table: Table) -> None:
    enter(table, MUSS)
    sent = form(table, entry(table, "-d-j", "-3-1", game_type="oder"))
    assert sent.problem() is None
    assert sent.record() == {
        "cuts": [["x"]],
        "game_type": "oder",
        "declarer": 1,
        "joiners": [3],
        "tricks": {"1": 3, "3": 1},
    }
    for roles, clause in (("----", "form"), ("dd--", "K5.2")):
        problem = form(table, entry(table, roles, "-3-1")).problem()
        assert problem
        assert problem.code == clause


@pytest.mark.parametrize(
    ("rule", "call", "declarer", "game_type"),
    [("any", "oder", 1, "oder"), ("any", "schlagen", 0, None), ("deal", "oder", 0, None)],
)
def test_a_siebenermuss_is_the_callers_where_the_call_turned_the_seven(
    home: House, rule: str, call: str, declarer: int, game_type: str | None
) -> None:
    table = create_table(club=home.club, seats=4, game="kratzen", rules={"seven_muss": rule})
    enter(table, MUSS)
    sent = form(table, entry(table, "-d--", "1111", game_type=call, seven="1"))
    assert sent.problem() is None
    record = sent.record()
    assert (record["declarer"], record.get("game_type")) == (declarer, game_type)
    assert sorted([declarer, *record["joiners"]]) == [0, 1, 2, 3]
    enter(table, record)


def test_the_page_gives_its_script_the_rule_of_the_seven(recorder: Client, home: House) -> None:
    table = create_table(club=home.club, seats=4, game="kratzen", rules={"seven_muss": "any"})
    assert 'data-sevens="any"' in text(recorder.get(url(table)))


def test_the_page_gives_its_script_the_sentence_about_the_dealer(recorder: Client, table: Table) -> None:
    for record, said, deals in (
        (MUSS, "Muss: {name} deals, all play.", "Muss: Anna deals, all play."),
        (FREE, "{name} deals and speaks first.", "Beni deals and speaks first."),
    ):
        assert f'data-say-deals="{said}"' in text(recorder.get(url(table)))
        shown = text(recorder.post(url(table, "preview/"), entry(table, cuts="Ax")))
        assert f"<span data-turn-now>{deals}" in shown
        enter(table, record)


# --- The pages -------------------------------------------------------------------------------------------


def test_a_muss_from_the_screen_to_the_coins(recorder: Client, table: Table) -> None:
    page = text(recorder.get(url(table)))
    seen = re.sub(r"<script.*?</script>|<[^>]+>", "", page, flags=re.DOTALL)
    assert (seen.count("Muss:"), seen.count("Tap + for"), seen.count("all play"), seen.count("a trick")) == (1, 1, 1, 0)
    assert '<button type="button" data-pass aria-pressed="false" hidden>' in page
    assert 'value="declarer" selected' in page
    answer = recorder.post(url(table), entry(table, tricks="11-2", cuts="Wx"))
    assert answer.status_code == 303, text(answer)
    page = text(recorder.get(answer.url))
    assert "<b>Anna</b> pays in for the cut" in page
    assert "<b>Carlo</b> pays in<" in page
    assert "The next hand is free; <b>Anna</b> has the pack." in page
    assert "<b>Anna</b> pays in for the pack" in page


def test_a_free_hand_that_empties_the_pot_leads_to_a_muss(recorder: Client, table: Table) -> None:
    enter(table, MUSS)
    page = text(recorder.get(url(table)))
    assert "All weiter" in page
    preview = recorder.post(url(table, "preview/"), entry(table, "-d-j", "-3-1"), headers={"hx-request": "true"})
    assert "Next a Muss, Beni deals" in text(preview)
    answer = recorder.post(url(table), entry(table, "-d-j", "-3-1"))
    page = text(recorder.get(answer.url))
    assert "The next hand is a <b>Muss</b>; <b>Beni</b> has the pack." in page
    assert "Each puts in the ante, <b>Beni</b> twice" in page


def test_all_weiter_hands_the_pack_on(recorder: Client, table: Table) -> None:
    enter(table, MUSS)
    answer = recorder.post(url(table), entry(table, passed="1"))
    assert answer.status_code == 303
    assert now(table).dealer.nickname == "Beni"
    assert now(table).pot_minor == 110


@pytest.mark.both_databases
def test_the_same_form_sent_twice_is_one_hand(recorder: Client, table: Table) -> None:
    """The table has moved on to a free hand by then, with another dealer: the form still has its old meaning."""
    first = entry(table, tricks="112-", cuts="Ax")
    answers = [recorder.post(url(table), first) for _ in range(3)]
    assert {(answer.status_code, answer.url) for answer in answers} == {(303, url(table, "h/1/"))}
    assert Revision.objects.count() == 1


@pytest.mark.parametrize("pack", ["9", "-1", "x", "12", "", "٣"])
def test_an_invalid_pack_counts_as_none(recorder: Client, table: Table, pack: str) -> None:
    answer = recorder.post(url(table), entry(table, tricks="11-2", pack=pack))
    assert answer.status_code == 303
    assert Revision.objects.get().record["declarer"] == 3


def test_a_free_hand_that_says_it_is_a_muss_is_refused(recorder: Client, table: Table) -> None:
    enter(table, MUSS)
    answer = recorder.post(url(table), entry(table, tricks="11-2", muss="1"))
    assert answer.status_code == 422
    assert Hand.objects.count() == 1


def test_of_two_recorders_the_second_sees_both_hands(recorder: Client, table: Table) -> None:
    first = entry(table, tricks="112-")
    assert recorder.post(url(table), first).status_code == 303
    late = first | {"key": str(uuid.uuid4()), "tricks-2": "", "tricks-3": "2"}
    answer = recorder.post(url(table), late)
    assert answer.status_code == 409
    page = text(answer)
    assert "Doris" in page.split("<h2>Your entry</h2>")[0]
    assert "Muss, Doris dealt; failed: Carlo" in page.split("<h2>Your entry</h2>")[1]


def test_a_muss_cannot_be_passed_out(recorder: Client, table: Table) -> None:
    answer = recorder.post(url(table), entry(table, passed="1"))
    assert answer.status_code == 422
    assert "In a Muss the dealer declares" in text(answer)


def test_an_undone_hand_fills_the_form_again(recorder: Client, table: Table) -> None:
    recorder.post(url(table), entry(table, tricks="112-", cuts="A7"))
    answer = recorder.post(url(table, "void/"), {"key": str(uuid.uuid4()), "number": 1})
    page = text(recorder.get(answer.url))
    assert 'name="cuts" value="A7"' in page
    assert 'value="2" selected' in page


def test_the_evening_page_and_the_file_name_the_game(recorder: Client, table: Table) -> None:
    enter(table, MUSS)
    enter(table, FREE | {"game_type": "weiter-oder"})
    page = shown(text(recorder.get(f"/c/roessli/e/{table.evening_id}/")))
    assert "deals, Muss" in page
    assert "plays weiter-oder" in page
    assert "chratzt" not in page
    assert "metcho" not in page
    file = b"".join(recorder.get(f"/c/roessli/e/{table.evening_id}/hands.csv")).decode()
    rows = list(csv.DictReader(io.StringIO(file)))
    assert {(row["hand"], row["game"], row["muss"], row["game_type"], row["cuts"]) for row in rows} == {
        ("1", "kratzen", "1", "", "x"),
        ("2", "kratzen", "0", "weiter-oder", "x"),
    }


@pytest.mark.parametrize("hands", [0, 6])
def test_the_screen_has_as_many_queries_with_many_hands(
    recorder: Client, table: Table, hands: int, django_assert_num_queries: Any
) -> None:
    for _ in range(hands):
        muss = engine_bridge.due(chain_of(table_of(club=table.evening.club, table_id=table.pk))[0].start).muss
        dealer = chain_of(now(table))[0].start.dealer
        others = [seat for seat in range(4) if seat != dealer]
        tricks = {str(dealer): 2, str(others[0]): 2}
        record = {"cuts": NO_CUT, "declarer": dealer, "joiners": others, "tricks": tricks}
        enter(table, record if muss else record | {"game_type": "schlagen"})
    recorder.get(url(table))
    with django_assert_num_queries(SCREEN_QUERIES):
        recorder.get(url(table))


SCREEN_QUERIES = 18
