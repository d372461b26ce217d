"""Imports of totals: readable files, faults of cells, stored rows, counts and undoing."""

from __future__ import annotations

import io
import uuid
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from openpyxl import Workbook

from games.closing.services import evening_reopen
from games.integrity import verify
from league.errors import Refused
from league.imports import columns, integrity, matching, preview, reading, services, values
from league.models import (
    AuditEntry,
    Balance,
    Evening,
    EveningScore,
    Import,
    ImportColumns,
    ImportedTotal,
    Player,
    Posting,
    Season,
    Standing,
    Upload,
)
from league.privacy.retention import tidy
from league.roster.merging import players_merge
from league.standings.counting import count_season
from league.standings.selectors import player_balances
from readers import tables
from tests import hostile_files
from tests.cast import House
from tests.clients import reader
from tests.factories import PlayerFactory
from tests.imported import NIGHTS, club_of, imported, uploaded

pytestmark = [pytest.mark.django_db, pytest.mark.services, pytest.mark.usefixtures("read_here")]


@pytest.fixture
def home() -> House:
    return club_of("Anna", "Beni")


def standings(season: Season) -> dict[str, tuple[int, int, int, int]]:
    """Count, and return points, Rappen, evenings and hands by nickname."""
    count_season(season.pk)
    rows = Standing.objects.filter(season=season).values_list(
        "player__nickname", "points", "balance_minor", "evenings", "hands"
    )
    return {name: tuple(rest) for name, *rest in rows}  # type: ignore[misc]


def problems(upload: Upload) -> list[tuple[int, str, str]]:
    return [(problem.row, problem.column, problem.value) for problem in preview.preview(upload).problems]


# --- Files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"Name;Ort\nZo\xeb;Z\xfcrich\n",
        "\ufeffName,Ort\r\nZoë,Zürich\r\n".encode(),
        "Name\tOrt\n\nZoë\tZürich\n".encode("utf-16"),
        'Name|"Ort"\nZoë|"Zürich"\n'.encode(),
    ],
    ids=["cp1252", "utf-8 with a mark", "utf-16", "bars"],
)
def test_a_csv_file_is_read_from_any_program(content):
    assert [row for row in reading.tables_of(content)[0].rows if row] == [["Name", "Ort"], ["Zoë", "Zürich"]]


def book(*rows: tuple[Any, ...]) -> bytes:
    made, out = Workbook(), io.BytesIO()
    for row in rows:
        made.active.append(row)
    made.save(out)
    return out.getvalue()


def test_the_cells_of_a_spreadsheet_are_read_as_in_csv():
    day = datetime(2026, 8, 7)  # noqa: DTZ001 - a spreadsheet knows no time zones
    content = book(("Datum", "Name", "Betrag"), (day, "Anna", 0.1 + 0.2), (day.date(), "Beni", -3))
    assert reading.tables_of(content)[0].rows[1:] == [["2026-08-07", "Anna", "0.3"], ["2026-08-07", "Beni", "-3"]]


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 422),
        (b"Datum;Name\n", 422),
        (b"PK\x03\x04 no zip", 422),
        (b"%PDF-1.7", 422),
        (b"a\0b\nc\0d", 422),
        (b";".join([b"x"] * (reading.MAX_COLUMNS + 1)) + b"\ny\n", 422),
        (b"x\n" * (reading.MAX_ROWS + 2), 422),
        (b"x" * (reading.MAX_BYTES + 1), 413),
    ],
    ids=["nothing", "no row", "no zip", "pdf", "binary", "columns", "rows", "bytes"],
)
def test_a_file_that_is_no_table_or_too_large_is_refused(content, status):
    with pytest.raises(Refused) as refused:
        reading.tables_of(content)
    assert refused.value.status == status


def test_a_part_that_several_sheets_name_is_one_sheet():
    content = hostile_files.xlsx(hostile_files.HEADING + '<row r="2"><c r="A2"><v>3</v></c></row>', names=3)
    assert [table.rows for table in reading.tables_of(content)] == [[["1", "2"], ["3", ""]]]


def test_a_spreadsheet_is_read_as_another_program_reads_it():
    """Styles of dates, texts in pieces, missing references of cells, values of formulas: as openpyxl has them."""
    made = Workbook()
    sheet = made.active
    for row in (
        ("a", "b", "c", "d", "e"),
        (datetime(2026, 8, 7, 19, 30), time(12, 30), True, 2.50, "ä & <b>"),  # noqa: DTZ001
        (None, timedelta(hours=30), False, 1e-9, "  blank  "),
        (),
        (date(1900, 1, 5), 2**60, -0.5, 1e21, "#N/A"),
    ):
        sheet.append(row)
    sheet["A6"], sheet["A6"].number_format = 45000.25, '[Red]"am" d. mmmm yyyy;@'
    sheet["B6"], sheet["B6"].number_format = 45000.25, '0.00 "Tage"'
    sheet["C6"], sheet["C6"].number_format = -1, "yyyy-mm-dd"
    hidden = made.create_sheet("hidden")
    hidden.append(("x", "y"))
    hidden.append((1, 2))
    hidden.sheet_state = "hidden"
    out = io.BytesIO()
    made.save(out)
    sheets = tables.read(out.getvalue(), 100)
    assert [item["name"] for item in sheets] == ["Sheet"]
    assert sheets[0]["rows"][1:] == [
        ["2026-08-07 19:30:00", "12:30:00", "1", "2.5", "ä & <b>"],
        ["", "1 day, 6:00:00", "0", "0", "blank"],
        [],
        ["1900-01-05", str(2**60), "-0.5", "1" + "0" * 21, "#N/A"],
        ["2023-03-15 06:00:00", "45000.25", "1899-12-29", "", ""],
    ]


def test_cells_are_read_as_people_write_them():
    amounts = {
        "12.5": 1250, "-12,50": -1250, "Fr. 1'250.–": 125000, "(3.20)": -320, "–": 0, "": 0, "1.250,50": 125050,
        "1,250.50": 125050, "−3.20": -320, "CHF -3": -300, "1’250": 125000,
        "1.250": None, "1,250": None, "abc": None, "1e5": None, "12.345": None,
    }  # fmt: skip
    assert {text: values.amount(text) for text in amounts} == amounts
    days = {"20.11.2026": date(2026, 11, 20), "1.2.26": date(2026, 2, 1), "2026-11-20 00:00:00": date(2026, 11, 20)}
    assert {text: values.day(text) for text in days} == days
    assert values.day("31.2.2026") is None
    assert [values.whole(text) for text in ("1'200", "4.0", "-3", "4.5", "x")] == [1200, 4, -3, None, None]


# --- Columns and names -------------------------------------------------------------------------------------


def test_columns_are_proposed_and_the_choice_is_remembered_for_the_same_heading(home):
    text = "Abend;Wer;Summe\n7.8.2026;Anna;1\n"
    made = services.upload_create(
        club=home.club, author=home.owner, season=home.season, kind="totals", game="chratze",
        tables=reading.tables_of(text.encode()),
    )  # fmt: skip
    heading = made.rows[0]
    assert columns.proposed(home.club, "totals", home.season, heading) == {"date": 0, "name": 1}
    services.columns_choose(upload=made, chosen={"date": 0, "name": 1, "points": 2})
    again = [" ABEND", "wer", "summe"]
    assert columns.proposed(home.club, "totals", home.season, again) == {"date": 0, "name": 1, "points": 2}
    assert ImportColumns.objects.count() == 1


@pytest.mark.parametrize(
    ("chosen", "path"),
    [
        ({"name": 1, "points": 2}, "date"),
        ({"date": 0, "name": 1}, "points"),
        ({"date": 0, "name": 0, "points": 2}, "date"),
        ({"date": 0, "name": 1, "points": 9}, ""),
        ({"date": 0, "name": 1, "points": 2, "amount": 3, "amount_minor": 4}, "amount_minor"),
    ],
    ids=["no date", "nothing to count", "twice", "no such column", "two amounts"],
)
def test_columns_of_which_no_import_can_be_made_are_refused(home, chosen, path):
    with pytest.raises(Refused) as refused:
        columns.check("totals", home.season, chosen, 5)
    assert (refused.value.status, refused.value.at) == (422, path)


def test_names_are_matched_by_nickname_former_name_look_and_spelling(home):
    anna = Player.objects.get(nickname="Anna")
    anna.nickname = "Änni"
    anna.save()
    PlayerFactory(club=home.club, nickname="Franziska")
    proposals = matching.proposals(home.club, dict.fromkeys(("anna", "Benl", "Fränziska", "Xaver"), 1), {})
    named = {
        proposal.name: (proposal.player_id and Player.objects.get(pk=proposal.player_id).nickname, proposal.sure)
        for proposal in proposals
    }
    assert named["anna"] == ("Änni", True)
    assert named["Benl"] == ("Beni", False)
    assert named["Fränziska"] == ("Franziska", False)
    assert named["Xaver"] == (None, True)


def test_a_name_of_another_club_or_a_new_one_that_looks_like_a_player_is_refused(home):
    away = PlayerFactory()
    for meant in ({"Xaver": away.pk}, {"ANNA": None}, {"x" * 41: None}, {}):
        with pytest.raises(Refused) as refused:
            matching.check(home.club, meant or ["Xaver"], meant)
        assert refused.value.status == 422


# --- Preview -----------------------------------------------------------------------------------------------


def test_every_wrong_cell_is_named(home):
    text = """Datum;Name;Betrag;Punkte;Spiele
31.2.2026;Anna;1;1;1
7.8.2026;;x;1.5;0
1.7.2026;Anna;1;1;1
7.8.2999;Anna;1;1;1
7.8.2026;Beni;1;1;1
7.8.2026;beni;1;1;1
"""
    assert problems(uploaded(home.season, home.owner, text)) == [
        (2, "Datum", "31.2.2026"),
        (3, "Name", ""), (3, "Betrag", "x"), (3, "Punkte", "1.5"), (3, "Spiele", "0"),
        (4, "Datum", "1.7.2026"),
        (5, "Datum", "7.8.2999"),
        (7, "Name", "beni"),
    ]  # fmt: skip


def test_amounts_that_do_not_add_up_are_refused_with_the_difference(home):
    made = uploaded(home.season, home.owner, NIGHTS.replace("-4.20", "-4.00"))
    (problem,) = preview.preview(made).problems
    assert (problem.row, problem.column) == (6, "Betrag")
    assert "0.20" in problem.sentence
    with pytest.raises(Refused):
        services.import_store(upload=made, author=home.owner, key=uuid.uuid4())
    assert not Import.objects.exists()
    assert not Evening.objects.exists()


# --- Import ------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_an_import_is_counted_settled_and_undone_in_one_step(home):
    stored = imported(home.season, home.owner)
    assert not Upload.objects.exists()
    assert list(stored.evenings.order_by("number").values_list("number", "held_on", "state")) == [
        (1, date(2026, 8, 7), "closed"),
        (2, date(2026, 8, 14), "closed"),
    ]
    assert standings(home.season) == {
        "Anna": (7, 830, 2, 55),
        "Beni": (9, -580, 2, 55),
        "Carlo": (0, -250, 1, 18),
    }
    assert set(player_balances(home.club).values_list("total_minor", flat=True)) == {0}
    assert list(verify.differences([home.season])) == []
    verify.rebuild(Season.objects.get(pk=home.season.pk))
    assert list(verify.differences([home.season])) == []

    services.import_undo(stored=stored, actor=home.owner)
    assert standings(home.season) == {}
    assert not EveningScore.objects.filter(season=home.season).exists()
    assert not Balance.objects.filter(season=home.season).exclude(balance_minor=0).exists()
    assert not Evening.nights.filter(club=home.club).exists()
    assert list(verify.differences([home.season])) == []
    assert AuditEntry.objects.filter(what="evenings_imported").count() == 2
    with pytest.raises(Refused) as refused:
        services.import_undo(stored=stored, actor=home.owner)
    assert refused.value.status == 409


def test_the_same_file_twice_stores_nothing_twice(home):
    imported(home.season, home.owner)
    postings = Posting.objects.count()
    again = uploaded(home.season, home.owner)
    assert [evening.known for evening in preview.preview(again).evenings] == [True, True]
    with pytest.raises(Refused) as refused:
        services.import_store(upload=again, author=home.owner, key=uuid.uuid4())
    assert (refused.value.status, Posting.objects.count()) == (409, postings)
    more = uploaded(home.season, home.owner, NIGHTS + "21.8.2026;Anna;0;5;20\n")
    services.import_store(upload=more, author=home.owner, key=uuid.uuid4())
    assert list(Evening.nights.filter(club=home.club).order_by("number").values_list("number", flat=True)) == [1, 2, 3]


def test_a_day_that_was_imported_with_other_values_is_refused_until_that_is_undone(home):
    first = imported(home.season, home.owner)
    other = uploaded(home.season, home.owner, NIGHTS.replace(";8;", ";9;"))
    assert [(row, column) for row, column, _value in problems(other)] == [(4, "Datum")]
    services.import_undo(stored=first, actor=home.owner)
    assert problems(other) == []
    services.import_store(upload=other, author=home.owner, key=uuid.uuid4())
    assert standings(home.season)["Anna"][0] == 8


def test_the_same_request_twice_is_one_import(home):
    made, key = uploaded(home.season, home.owner), uuid.uuid4()
    first = services.import_store(upload=made, author=home.owner, key=key)
    again = Upload(pk=made.pk, club=home.club, season=home.season)
    assert services.import_store(upload=again, author=home.owner, key=key) == first


@pytest.mark.parametrize("step", ["store", "columns", "names", "layout"])
def test_an_upload_that_was_imported_meanwhile_is_refused(home, step):
    made = uploaded(home.season, home.owner)
    waiting = Upload.objects.select_related("season", "club").get(pk=made.pk)
    services.import_store(upload=made, author=home.owner, key=uuid.uuid4())
    players = Player.objects.filter(club=home.club)
    with pytest.raises(Refused) as refused:
        {
            "store": lambda: services.import_store(upload=waiting, author=home.owner, key=uuid.uuid4()),
            "columns": lambda: services.columns_choose(upload=waiting, chosen=waiting.chosen),
            "names": lambda: services.names_choose(upload=waiting, meant=dict(players.values_list("nickname", "pk"))),
            "layout": lambda: services.upload_change(upload=waiting, kind="", sheet=""),
        }[step]()
    assert (refused.value.status, refused.value.code) == (409, "import")
    assert Import.objects.count() == 1


def test_the_second_of_two_pages_with_one_upload_leads_to_the_imports(home, monkeypatch):
    """Its request has found the upload when the first one deletes it."""
    made = uploaded(home.season, home.owner)
    real = services.import_store

    def second(**given):
        real(**{**given, "key": uuid.uuid4()})
        return real(**given)

    monkeypatch.setattr(services, "import_store", second)
    url = reverse("import-preview", kwargs={"club": home.club.slug, "upload": made.pk})
    page = reader(home.owner).post(url, {"key": str(uuid.uuid4())}, follow=True)
    assert page.redirect_chain == [(reverse("imports", kwargs={"club": home.club.slug}), 303)]
    assert "imported or removed meanwhile" in page.content.decode()


def test_a_key_imports_no_other_upload(home):
    key = uuid.uuid4()
    services.import_store(upload=uploaded(home.season, home.owner), author=home.owner, key=key)
    other = uploaded(home.season, home.owner, NIGHTS.replace("8.2026", "9.2026"))
    with pytest.raises(Refused) as refused:
        services.import_store(upload=other, author=home.owner, key=key)
    assert (refused.value.status, refused.value.code) == (422, "key_reused")
    assert Import.objects.count() == 1


def test_a_club_keeps_so_many_uploads_and_a_column_so_many_names(home, monkeypatch):
    monkeypatch.setattr(services, "MAX_UPLOADS", 2)
    newest = [uploaded(home.season, home.owner) for _ in range(3)][1:]
    assert set(Upload.objects.all()) == set(newest)
    monkeypatch.setattr(matching, "MAX_NAMES", 2)
    with pytest.raises(Refused) as refused:
        uploaded(home.season, home.owner)
    assert (refused.value.status, refused.value.at) == (422, "name")


def test_a_season_of_one_game_takes_no_file_of_the_other(home):
    Season.objects.filter(pk=home.season.pk).update(games="kratzen")
    home.season.refresh_from_db()
    with pytest.raises(Refused) as refused:
        uploaded(home.season, home.owner)
    assert (refused.value.status, refused.value.at) == (422, "game")
    assert not Upload.objects.exists()


def test_merged_players_are_one_line_of_an_imported_evening(home):
    stored = imported(home.season, home.owner)
    anna, carlo = (Player.objects.get(nickname=name) for name in ("Anna", "Carlo"))
    players_merge(club=home.club, player=carlo, main=anna, reason="the same", actor=None)
    assert standings(home.season)["Anna"] == (7, 580, 2, 73)
    assert [evening.known for evening in preview.preview(uploaded(home.season, home.owner)).evenings][1] is True
    services.import_undo(stored=stored, actor=home.owner)
    assert list(verify.differences([home.season])) == []


def test_a_season_of_points_only_takes_no_amounts(home):
    Season.objects.filter(pk=home.season.pk).update(points_only=True)
    season = Season.objects.get(pk=home.season.pk)
    imported(season, home.owner)
    assert standings(season)["Anna"] == (7, 0, 2, 55)
    assert not ImportedTotal.objects.exclude(change_minor=0).exists()


def test_a_closed_season_takes_no_import_and_loses_none(home):
    stored, waiting = (
        imported(home.season, home.owner),
        uploaded(home.season, home.owner, NIGHTS.replace("8.2026", "9.2026")),
    )
    Season.objects.filter(pk=home.season.pk).update(closed_at=timezone.now())
    for write in (
        lambda: services.import_undo(stored=stored, actor=home.owner),
        lambda: services.import_store(upload=waiting, author=home.owner, key=uuid.uuid4()),
    ):
        with pytest.raises(Refused) as refused:
            write()
        assert refused.value.status == 409


def test_an_imported_evening_is_not_reopened(home):
    evening = imported(home.season, home.owner).evenings.select_related("club", "season", "house_rules")[0]
    with pytest.raises(Refused) as refused:
        evening_reopen(evening=evening, author=home.owner, key=uuid.uuid4(), owner=True, reason="x")
    assert refused.value.status == 409


def test_verify_finds_a_total_that_was_changed_by_hand(home):
    evening = imported(home.season, home.owner).evenings.earliest("number")
    ImportedTotal.objects.filter(evening=evening, change_minor=1250).update(change_minor=1240)
    assert len(list(integrity.differences(evening))) >= 2


def test_an_upload_is_deleted_after_a_day(home):
    made = uploaded(home.season, home.owner)
    assert tidy()["uploads"] == 0
    assert tidy(made.created_at + services.KEPT * 2)["uploads"] == 1


# --- Pages -------------------------------------------------------------------------------------------------


def test_an_owner_imports_a_file_through_the_pages_and_undoes_it(home):
    client = reader(home.owner)
    file = io.BytesIO(NIGHTS.encode())
    file.name = "abende.csv"
    answer = client.post("/c/roessli/imports/", {"season": "2026", "game": "chratze", "kind": "totals", "file": file})
    assert answer.status_code == 303
    made = Upload.objects.get()
    step = f"/c/roessli/imports/new/{made.pk}/"
    chosen = {"date": 0, "name": 1, "amount": 2, "points": 3, "hands": 4}
    assert "Betrag" in client.get(f"{step}columns/").content.decode()
    assert client.post(f"{step}columns/", {"date": 0, "name": 1}).status_code == 422
    assert client.post(f"{step}columns/", chosen)["Location"] == f"{step}names/"
    anna, beni = (Player.objects.get(nickname=name).pk for name in ("Anna", "Beni"))
    assert client.post(f"{step}names/", {"name-0": "new", "name-1": beni, "name-2": "new"}).status_code == 422
    answer = client.post(f"{step}names/", {"name-0": anna, "name-1": beni, "name-2": "new"})
    assert answer["Location"] == f"{step}preview/"
    page = client.get(f"{step}preview/")
    assert "12.50" in page.content.decode()
    key = {"key": page.context["key"]}
    done = client.post(f"{step}preview/", key)["Location"]
    assert client.post(f"{step}preview/", key)["Location"] == done
    evening = Evening.nights.get(held_on="2026-08-07")
    assert "imported" in client.get(f"/c/roessli/e/{evening.pk}/").content.decode()
    assert "imported" in client.get("/c/roessli/s/2026/").content.decode()
    for page in ("close/", "corrections/", "report/", "live/", "hands.csv", "sheet/", "record/", "receipts/"):
        assert client.get(f"/c/roessli/e/{evening.pk}/{page}").status_code < 500, page
    answer = client.get(f"/api/v1/clubs/roessli/evenings/{evening.pk}").json()
    assert (answer["imported"], answer["stage"], answer["totals"][0]["hands"]) == (True, "final", 30)
    assert client.post(done).status_code == 303
    assert client.post(done).status_code == 409
    assert f"/c/roessli/e/{evening.pk}/" not in client.get("/c/roessli/s/2026/").content.decode()
    assert client.get(f"/c/roessli/e/{evening.pk}/").status_code == 200


def test_a_file_that_cannot_be_read_is_a_sentence_on_the_page(home):
    client = reader(home.owner)
    file = io.BytesIO(b"%PDF-1.7")
    file.name = "abende.pdf"
    answer = client.post("/c/roessli/imports/", {"season": "2026", "game": "chratze", "kind": "totals", "file": file})
    assert answer.status_code == 422
    assert "XLSX or CSV" in answer.content.decode()
