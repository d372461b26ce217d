"""Imports of hands: a file is replayed as if its hands had been entered, compared, stored, counted and undone."""

from __future__ import annotations

import csv
import io
import random
import uuid
from typing import Any

import pytest
from django.utils import timezone

from games import engine_bridge
from games.closing.services import evening_close, evening_reopen, payments_mark
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.evening.exports import hand_rows
from games.evening.house_rules import house_rules_set
from games.integrity import verify
from games.models import Hand, Revision, Table
from league.access import club_for
from league.errors import Refused
from league.imports import hand_preview, preview, services
from league.models import (
    Balance,
    Closing,
    Delivery,
    Evening,
    EveningScore,
    Import,
    Payment,
    Player,
    Receipt,
    ResultRow,
    Season,
    Standing,
    Upload,
)
from league.payments.services import outstanding_payments
from league.roster.merging import players_merge
from league.standings.counting import count_season
from league.standings.selectors import player_balances
from tests.cast import House, house
from tests.clients import reader
from tests.factories import PlayerFactory, create_table, enter
from tests.imported import HANDS, club_of, imported, uploaded

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def home() -> House:
    return club_of("Anna", "Beni", "Carlo")


def hands_of(season: Season, owner: Any, text: str = HANDS, **more: Any) -> Import:
    return imported(season, owner, text, kind="hands", **more)


def problems(house: House, text: str, **more: Any) -> list[tuple[int, str]]:
    checked = preview.preview(uploaded(house.season, house.owner, text, kind="hands", **more))
    return [(problem.row, problem.column) for problem in checked.problems]


def standings(season: Season) -> dict[str, tuple[int, int, int, int, int]]:
    """Count, and return points, Rappen, evenings, hands and declared hands by nickname."""
    count_season(season.pk)
    rows = Standing.objects.filter(season=season).values_list(
        "player__nickname", "points", "balance_minor", "evenings", "hands", "declared"
    )
    return {name: tuple(rest) for name, *rest in rows}  # type: ignore[misc]


# --- Stored rows -------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_hands_are_stored_as_if_they_had_been_entered_and_are_undone_in_one_step(home):
    stored = hands_of(home.season, home.owner)
    evening = Evening.nights.get()
    assert (stored.kind, stored.rows, evening.imported_id, evening.stage().value) == ("hands", 9, stored.pk, "final")
    table = Table.objects.get()
    assert (table.hands, table.pot_minor, Revision.objects.count(), Receipt.objects.count()) == (3, 0, 3, 1)
    # By hand: hand 1 +40 -20 -80, pot 60; hand 2 nobody declares: -20 each, pot 120; hand 3: Beni fails, Anna alone
    # makes it and takes 180, Beni pays 360: the pot of 360 is shared, 120 each.
    assert standings(home.season) == {
        "Anna": (3, 40 - 20 + 160 + 120, 1, 3, 1),
        "Beni": (-2, -20 - 20 - 380 + 120, 1, 3, 1),
        "Carlo": (-1, -80 - 20 - 20 + 120, 1, 3, 0),
    }
    assert not outstanding_payments(home.club).exists()
    assert set(player_balances(home.club).values_list("total_minor", flat=True)) == {0}
    assert list(verify.differences([home.season])) == []
    verify.rebuild(Season.objects.get(pk=home.season.pk))
    assert list(verify.differences([home.season])) == []

    services.import_undo(stored=stored, actor=home.owner)
    assert standings(home.season) == {}
    assert not EveningScore.objects.filter(season=home.season).exists()
    assert not ResultRow.objects.exists()
    assert not Balance.objects.filter(season=home.season).exclude(balance_minor=0).exists()
    assert not Evening.nights.filter(club=home.club).exists()
    assert list(verify.differences([home.season])) == []
    with pytest.raises(Refused) as refused:
        services.import_undo(stored=stored, actor=home.owner)
    assert refused.value.status == 409
    assert problems(home, HANDS) == []
    hands_of(home.season, home.owner)
    assert Evening.nights.get().number == 2


def exported(table: Table) -> str:
    """Return the hands of a table's evening as the service writes them."""
    evening = Evening.objects.select_related("club", "season").get(pk=table.evening_id)
    owner = evening.club.memberships.get(role="owner").user
    rows = list(hand_rows(club_for(owner, evening.club.slug), evening))
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys() | {"muss", "game_type", "siebenermuss", "cuts"}, restval="")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: int(value) if isinstance(value, bool) else value for name, value in row.items()})
    return out.getvalue()


def play(table: Table, rng: random.Random, hands: int) -> None:
    """Enter hands played card by card."""
    for _ in range(hands):
        fresh = Table.objects.select_related("evening__house_rules").get(pk=table.pk)
        seats = list(fresh.places.order_by("seat").values_list("player_id", flat=True))
        temper = engine_bridge.Temper(rng.random(), rng.random())
        record = engine_bridge.play_hand(
            rng,
            game=fresh.evening.game,
            rules=fresh.evening.house_rules.values,
            seats=len(seats),
            dealer=seats.index(fresh.dealer_id),
            pot_before=fresh.pot_minor,
            deal_number=fresh.deal_number,
            players=[temper] * len(seats),
        )
        enter(table, {name: record[name] for name in record if name not in ("rules", "seats")})


RULES = {
    "chratze": ({}, {"no_taker": "redeal", "stake": 50, "pot_limit": 400}),
    "kratzen": ({}, {"seven_muss": "any", "split_over": 200, "remainder": "declarer"}),
    "zwicken": ({}, {"cut_moves": False, "bete": "stake", "nobody": "stays", "pot_limit": 200}),
}


@pytest.mark.parametrize("rules", [0, 1], ids=["defaults", "other rules"])
@pytest.mark.parametrize("game", engine_bridge.GAMES)
def test_the_hands_of_an_evening_as_the_service_writes_them_give_the_same_amounts(game, rules):
    home, away = house("roessli"), house("sternen")
    values = RULES[game][rules]
    table = create_table(season=home.season, seats=4, game=game, rules=values)
    play(table, random.Random(f"{game} {rules}"), 60)
    if values:
        house_rules_set(club=away.club, game=game, values=values, author=None)
    # The file has the amounts as the service writes them, and each is compared.
    stored = hands_of(away.season, away.owner, exported(table), game=game)

    def results(season: Season) -> list[tuple[Any, ...]]:
        rows = ResultRow.objects.filter(season=season).exclude(role="share").order_by("evening", "pk")
        columns = (
            "player__nickname",
            "role",
            "made",
            "tricks",
            "change_minor",
            "pot_won_minor",
            "blind",
            "susi",
            "muss",
        )
        return sorted(rows.values_list("seat", *columns), key=str)

    assert results(away.season) == results(home.season)
    assert stored.rows == 240
    assert list(verify.differences([away.season])) == []


def test_the_evenings_of_a_file_come_in_the_order_of_their_days_with_the_house_rules_of_today(home):
    house_rules_set(club=home.club, game="chratze", values={"stake": 50}, author=None)
    text = "Datum;Spiel;Name;Ansage;Gemacht\n"
    for day in ("14.8.2026", "7.8.2026"):
        text += f"{day};1;Anna;c;1\n{day};1;Beni;m;1\n"
    hands_of(home.season, home.owner, text)
    evenings = Evening.nights.order_by("number")
    assert [(str(evening.held_on), evening.house_rules.version) for evening in evenings] == [
        ("2026-08-07", 1),
        ("2026-08-14", 1),
    ]
    assert set(ResultRow.objects.filter(role="joiner").values_list("change_minor", flat=True)) == {-50}


def test_two_tables_changing_seats_and_a_named_dealer(home):
    text = """Datum;Tisch;Spiel;Name;Ansage;Stiche;Geber
7.8.2026;1;1;Anna;chratzt;2;
7.8.2026;1;1;Beni;metcho;2;1
7.8.2026;2;1;Carlo;chratzt;4;
7.8.2026;2;1;Doris;metcho;0;
7.8.2026;1;2;Anna;chratzt;2;
7.8.2026;1;2;Beni;metcho;1;
7.8.2026;1;2;Emil;metcho;1;1
"""
    made = uploaded(home.season, home.owner, text, kind="hands")
    checked = preview.preview(made)
    assert [(warning.row, warning.column) for warning in checked.warnings] == [(5, "Name"), (8, "Geber")]
    assert checked.new_names == ["doris", "emil"]
    services.import_store(upload=made, author=home.owner, key=uuid.uuid4())
    assert list(Table.objects.order_by("number").values_list("number", "hands")) == [(1, 2), (2, 1)]
    second = Revision.objects.get(hand__table__number=1, hand__number=2)
    assert (second.dealer_set, second.record["dealer"], second.seats.count()) == (True, 2, 3)
    assert list(verify.differences([home.season])) == []


def test_the_order_of_play_is_that_of_the_seats_where_the_file_has_them(home):
    text = """held_on,hand,seat,player,role,made,state
2026-08-07,1,1,Beni,joiner,1,entered
2026-08-07,1,0,Anna,declarer,1,entered
2026-08-07,2,0,Anna,declarer,1,voided
2026-08-07,2,1,Beni,out,,voided
"""
    hands_of(home.season, home.owner, text)
    (revision,) = Revision.objects.all()
    assert list(revision.seats.values_list("player__nickname", flat=True)) == ["Anna", "Beni"]
    assert (revision.record["declarer"], revision.record["dealer"]) == (0, 1)


def test_a_season_of_points_only_settles_nothing(home):
    Season.objects.filter(pk=home.season.pk).update(points_only=True)
    season = Season.objects.get(pk=home.season.pk)
    stored = hands_of(season, home.owner)
    assert not Payment.objects.exists()
    assert {name: points for name, (points, *_rest) in standings(season).items()} == {
        "Anna": 3,
        "Beni": -2,
        "Carlo": -1,
    }
    assert list(verify.differences([season])) == []
    services.import_undo(stored=stored, actor=home.owner)
    assert standings(season) == {}
    assert list(verify.differences([season])) == []


def test_no_webhook_is_sent_for_evenings_of_earlier_years(home, django_capture_on_commit_callbacks):
    from tests.api.path_arguments import webhook

    hook = webhook(home)
    hook.events = ["hand.stored", "evening.closed"]
    hook.save()
    services.import_undo(stored=hands_of(home.season, home.owner), actor=home.owner)
    assert not Delivery.objects.exists()


# --- Faults of cells ---------------------------------------------------------------------------------------

LINES = HANDS.splitlines()


def with_cells(*cells: tuple[int, int, str]) -> str:
    """Return the file with other cells: row (from 1), column (from 0), text."""
    rows = [line.split(";") for line in LINES]
    for row, column, text in cells:
        rows[row - 1][column] = text
    return "\n".join(";".join(row) for row in rows)


@pytest.mark.parametrize(
    ("cells", "wrong"),
    [
        ([(2, 1, "x")], [(2, "Spiel")]),
        ([(2, 1, "")], [(2, "Spiel")]),
        ([(3, 2, "")], [(3, "Name")]),
        ([(3, 2, "Anna")], [(3, "Name")]),
        ([(3, 3, "trumpft")], [(3, "Ansage")]),
        ([(3, 3, "chratzt")], [(3, "Ansage")]),
        ([(2, 4, "vielleicht")], [(2, "Gemacht")]),
        ([(2, 5, "0.60")], [(2, "Betrag")]),
        ([(2, 5, "viel")], [(2, "Betrag")]),
        ([(2, 6, "0.40")], [(2, "Topf")]),
        ([(3, 4, "1")], [(3, "Gemacht")]),
        ([(2, 4, ""), (4, 4, "")], [(2, "Gemacht")]),
        ([(8, 1, "4"), (9, 1, "4"), (10, 1, "4")], [(8, "Spiel")]),
        ([(2, 0, "31.2.2026"), (6, 4, "?")], [(2, "Datum")]),
        ([(5, 3, "metcho")], [(5, "Ansage")]),
        # Amounts after a wrong hand are not compared, clauses are.
        ([(2, 5, "9"), (5, 5, "9"), (8, 3, "weg"), (9, 3, "metcho")], [(2, "Betrag"), (9, "Ansage")]),
    ],
)
def test_each_fault_is_at_its_cell(home, cells, wrong):
    faults = problems(home, with_cells(*cells))
    assert faults[: len(wrong)] == wrong
    assert not Evening.objects.exists()


def test_the_right_file_has_no_fault_and_a_remark_about_the_pot(home):
    checked = preview.preview(uploaded(home.season, home.owner, HANDS, kind="hands"))
    assert (checked.problems, checked.hands, checked.rows) == ((), 3, 9)
    (warning,) = checked.warnings
    assert (warning.row, warning.column) == (10, "Topf")
    assert "3.60" in warning.sentence
    (evening,) = checked.evenings
    assert {total.name: total.change_minor for total in evening.totals} == {"Anna": 300, "Beni": -300, "Carlo": 0}


KRATZEN = """Datum;Spiel;Name;Ansage;Stiche;Cuts
7.8.2026;1;Anna;;1;{cuts}
7.8.2026;1;Beni;;1;
7.8.2026;1;Carlo;muss;2;
7.8.2026;2;Anna;{call};3;
7.8.2026;2;Beni;ohne;;
7.8.2026;2;Carlo;mit;1;
"""


@pytest.mark.parametrize(
    ("cuts", "call", "wrong"),
    [
        ("x", "schlagen", []),
        ("Ax x", "oder", []),
        ("AsKd 9h", "weiter-oder", []),
        ("x", "metcho", [(5, "Ansage")]),
        ("zz", "s", [(2, "Cuts")]),
        ("A", "s", [(2, "Cuts")]),
        ("x", "mit", [(5, "Ansage")]),
    ],
)
def test_a_muss_needs_tricks_only_and_a_free_hand_its_call(home, cuts, call, wrong):
    text = KRATZEN.format(cuts=cuts, call=call)
    assert problems(home, text, game="kratzen") == wrong
    if not wrong:
        hands_of(home.season, home.owner, text, game="kratzen")
        first, second = Revision.objects.order_by("hand__number")
        assert first.result["muss"] is True
        assert second.record["game_type"] in ("schlagen", "oder", "weiter-oder")
        assert list(verify.differences([home.season])) == []


def test_too_many_hands_are_refused(home, monkeypatch):
    monkeypatch.setattr(hand_preview, "MAX_HANDS", 2)
    assert problems(home, HANDS) == [(2, "Spiel")]


def test_too_many_people_at_a_table_are_refused(home):
    rows = [f"7.8.2026;1;P{n};weg;" for n in range(8)]
    assert problems(home, "\n".join(["Datum;Spiel;Name;Ansage;Gemacht", *rows])) == [(2, "Spiel")]


# --- The same file twice, other imports of the day ----------------------------------------------------------


def test_the_same_hands_twice_are_stored_once_also_under_new_house_rules(home):
    hands_of(home.season, home.owner)
    house_rules_set(club=home.club, game="chratze", values={"stake": 100}, author=None)
    again = uploaded(home.season, home.owner, HANDS, kind="hands")
    checked = preview.preview(again)
    assert [evening.known for evening in checked.evenings] == [True]
    assert (checked.problems, checked.warnings) == ((), ())
    with pytest.raises(Refused) as refused:
        services.import_store(upload=again, author=home.owner, key=uuid.uuid4())
    assert (refused.value.status, Hand.objects.count(), Evening.objects.count()) == (409, 3, 1)


def test_other_hands_of_a_day_that_was_imported_are_refused_until_that_is_undone(home):
    first = hands_of(home.season, home.owner)
    other = "\n".join(LINES[:7])
    assert problems(home, other) == [(2, "Datum")]
    totals = "Datum;Name;Betrag;Punkte\n7.8.2026;Anna;1;1\n7.8.2026;Beni;-1;0\n"
    made = uploaded(home.season, home.owner, totals)
    assert [problem.column for problem in preview.preview(made).problems] == ["Datum"]
    services.import_undo(stored=first, actor=home.owner)
    assert problems(home, other) == []
    services.import_store(upload=made, author=home.owner, key=uuid.uuid4())
    assert problems(home, other) == [(2, "Datum")]


def test_merged_players_are_the_same_people(home):
    stored = hands_of(home.season, home.owner)
    other = PlayerFactory(club=home.club, nickname="Annemarie")
    players_merge(club=home.club, player=Player.objects.get(nickname="Anna"), main=other, reason="one", actor=None)
    checked = preview.preview(uploaded(home.season, home.owner, HANDS, kind="hands"))
    assert [evening.known for evening in checked.evenings] == [True]
    assert "Annemarie" in standings(home.season)
    services.import_undo(stored=stored, actor=home.owner)
    assert list(verify.differences([home.season])) == []


# --- Refused changes of imported evenings ------------------------------------------------------------------


def test_imported_hands_are_not_corrected_and_their_evening_is_not_reopened(home):
    hands_of(home.season, home.owner)
    table = Table.objects.select_related("evening__season", "evening__club", "evening__house_rules").get()
    for write in (
        lambda: correct(table=table, edit=TakeOut(2), author=home.owner, key=uuid.uuid4()),
        lambda: evening_reopen(evening=table.evening, author=None, key=uuid.uuid4(), owner=True, reason="x"),
        lambda: evening_close(evening=table.evening, author=None, key=uuid.uuid4()),
        lambda: enter(table, {"declarer": None}),
    ):
        with pytest.raises(Refused) as refused:
            write()
        assert refused.value.status == 409
    assert Closing.objects.count() == 1


def test_an_import_is_undone_also_where_a_payment_was_unmarked(home):
    stored = hands_of(home.season, home.owner)
    evening = Evening.nights.get()
    payments_mark(evening=evening, author=home.treasurer, key=uuid.uuid4(), paid=False)
    services.import_undo(stored=stored, actor=home.owner)
    assert not outstanding_payments(home.club).exists()
    assert list(verify.differences([home.season])) == []


def test_verify_finds_hands_that_still_count_after_an_undo(home):
    hands_of(home.season, home.owner)
    Evening.objects.update(undone_at=timezone.now())
    (sentence,) = [difference for difference in verify.differences([home.season]) if "undone" in difference]
    assert "still count" in sentence


def test_the_pages_take_a_file_of_hands_and_mark_the_evening_as_imported(home):
    client = reader(home.owner)
    file = io.BytesIO(HANDS.encode())
    file.name = "spiele.csv"
    sent = {"season": "2026", "game": "chratze", "kind": "hands", "file": file}
    assert client.post("/c/roessli/imports/", sent).status_code == 303
    made = Upload.objects.get()
    step = f"/c/roessli/imports/new/{made.pk}/"
    chosen = {"date": 0, "hand": 1, "name": 2, "role": 3, "made": 4, "amount": 5, "pot_after": 6}
    assert client.post(f"{step}columns/", {**chosen, "made": ""}).status_code == 422
    assert client.post(f"{step}columns/", chosen)["Location"] == f"{step}names/"
    people = [Player.objects.get(nickname=name).pk for name in ("Anna", "Beni", "Carlo")]
    client.post(f"{step}names/", {f"name-{place}": player for place, player in enumerate(people)})
    page = client.get(f"{step}preview/")
    assert "3.60" in page.content.decode()
    done = client.post(f"{step}preview/", {"key": page.context["key"]})["Location"]
    evening = Evening.nights.get()
    address = f"/c/roessli/e/{evening.pk}/"
    assert "hand by hand" in client.get(address).content.decode()
    assert "imported" in client.get(f"{address}report/").content.decode()
    count_season(home.season.pk)
    assert "Imported" in client.get("/c/roessli/s/2026/report/").content.decode()
    for part in ("close/", "corrections/", "live/", "hands.csv", "sheet/", "record/", "receipts/"):
        assert client.get(f"{address}{part}").status_code < 500, part
    answer = client.get(f"/api/v1/clubs/roessli/evenings/{evening.pk}").json()
    assert (answer["imported"], answer["stage"]) == (True, "final")
    ledger = "/c/roessli/treasury/ledger/?from=&to="
    for path in (f"{address}hands.csv", "/c/roessli/s/2026/ledger.csv", f"{ledger}&for=csv"):
        rows = csv.DictReader(io.StringIO(client.get(path).getvalue().decode()))
        assert {row["imported"] for row in rows} == {"1"}, path
    lines = client.get(ledger).content.decode()
    assert lines.count("hand 1, imported") >= 3
    assert client.post(done).status_code == 303
    assert client.get(address).status_code == 200


def test_a_closed_season_takes_no_hands_and_loses_none(home):
    stored = hands_of(home.season, home.owner)
    waiting = uploaded(home.season, home.owner, HANDS.replace("7.8.2026", "8.8.2026"), kind="hands")
    Season.objects.filter(pk=home.season.pk).update(closed_at=timezone.now())
    for write in (
        lambda: services.import_undo(stored=stored, actor=home.owner),
        lambda: services.import_store(upload=waiting, author=home.owner, key=uuid.uuid4()),
    ):
        with pytest.raises(Refused) as refused:
            write()
        assert refused.value.status == 409
    assert Upload.objects.exists()
    assert ResultRow.objects.exists()
