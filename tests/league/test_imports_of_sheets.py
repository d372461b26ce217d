"""Imports of sheets: a row for each evening and a column for each person, or the other way round."""

from __future__ import annotations

import io
import uuid
from datetime import date

import pytest
from openpyxl import Workbook

from league.errors import Refused
from league.imports import columns, layout, matching, preview, reading, samples, services, sheets, values
from league.models import Import, ImportColumns, ImportedTotal, Player, Season, Upload
from tests.cast import House, house
from tests.clients import reader
from tests.factories import PlayerFactory
from tests.imported import imported, uploaded

pytestmark = [pytest.mark.django_db, pytest.mark.services, pytest.mark.usefixtures("read_here")]

SHEET = """Saison 2026;;;;
;;;;
Abend;Anna;Beni;Carlo;Total;Bemerkung
7.8.2026;8;3;–;11;bei Anna
14.8.2026;-1;6;0;5;
21.8.2026;;;;;abgesagt
Total;7;9;0;16;
"""
RESULTS = {(7, "Anna", 8), (7, "Beni", 3), (14, "Anna", -1), (14, "Beni", 6), (14, "Carlo", 0)}


@pytest.fixture
def home() -> House:
    made = house("roessli")
    for name in ("Anna", "Beni"):
        PlayerFactory(club=made.club, nickname=name)
    return made


def turned(text: str) -> str:
    """Return the same sheet with a row for each person."""
    rows = [line.split(";") for line in text.splitlines()[2:]]
    return "\n".join(";".join(line) for line in zip(*rows, strict=True))


def stored() -> set[tuple[int, str, int]]:
    rows = ImportedTotal.objects.filter(undone=False)
    return {
        (total.evening.held_on.day, total.player.nickname, total.points)
        for total in rows.select_related("evening", "player")
    }


def cells(upload: Upload) -> list[tuple[str, str]]:
    return [(problem.cell, problem.fault) for problem in preview.preview(upload).problems]


@pytest.mark.parametrize("kind", ["sheet", "turned"])
def test_a_sheet_is_recognised_and_each_cell_is_the_evening_of_a_person(home, kind):
    text = SHEET if kind == "sheet" else turned(SHEET)
    made = uploaded(home.season, home.owner, text, kind="")
    assert made.kind == kind
    assert [warning.value for warning in preview.preview(made).warnings] == ["Total"]
    services.import_store(upload=made, author=home.owner, key=uuid.uuid4())
    assert stored() == RESULTS
    again = uploaded(home.season, home.owner, text, kind="")
    with pytest.raises(Refused) as refused:
        services.import_store(upload=again, author=home.owner, key=uuid.uuid4())
    assert refused.value.status == 409
    assert ImportedTotal.objects.count() == len(RESULTS)


def test_the_same_evenings_in_another_form_are_stored_once(home):
    imported(home.season, home.owner, SHEET, kind="")
    lines = [f"{day}.8.2026;{name};{points}" for day, name, points in sorted(RESULTS)]
    long = uploaded(home.season, home.owner, "\n".join(["Datum;Name;Punkte", *lines]), kind="")
    assert long.kind == "totals"
    assert [evening.known for evening in preview.preview(long).evenings] == [True, True]


def test_faults_of_a_sheet_are_at_their_cells(home):
    text = "Datum;Anna;Beni\n7.8.2026;8;x\n31.4.2026;1;2\n;3;\n7.8.2026;4;1\n1.1.2020;1;1\n"
    faults = [("C2", "no_number"), ("A3", "no_date"), ("A4", "no_date"), ("B5", "twice"), ("A6", "outside_season")]
    assert cells(uploaded(home.season, home.owner, text, kind="sheet")) == faults
    flipped = "\n".join(";".join(line) for line in zip(*(row.split(";") for row in text.splitlines()), strict=True))
    made = uploaded(home.season, home.owner, flipped, kind="turned")
    faults = [("C1", "no_date"), ("D1", "no_date"), ("F1", "outside_season"), ("E2", "twice"), ("B3", "no_number")]
    assert cells(made) == faults


def test_amounts_of_a_sheet_add_up_evening_by_evening(home):
    season = Season.objects.create(club=home.club, slug="b", name="B", starts_on=date(2025, 1, 1), ranking="balance")
    made = uploaded(season, home.owner, "Datum;Anna;Beni\n7.8.2025;8.50;-8.50\n14.8.2025;1.00;-0.50\n", kind="sheet")
    assert cells(made) == [("A3", "sum")]
    made = uploaded(season, home.owner, "Datum;Anna;Beni\n7.8.2025;8.50;-8.50\n", kind="sheet")
    services.import_store(upload=made, author=home.owner, key=uuid.uuid4())
    assert sorted(ImportedTotal.objects.values_list("change_minor", flat=True)) == [-850, 850]


@pytest.mark.usefixtures("en")
def test_a_day_that_stands_twice_is_a_sheet_and_each_cell_is_named(home):
    text = "Datum;Anna;Beni\n7.8.2026;8;3\n14.8.2026;1;2\n7.8.2026;4;1\n"
    made = uploaded(home.season, home.owner, text, kind="")
    assert made.kind == "sheet"
    assert cells(made) == [("B4", "twice"), ("C4", "twice")]
    said = [problem.sentence for problem in preview.preview(made).problems]
    assert said[0] == "Anna has a result of this day already, in cell B2."


def test_sums_are_checked_beside_other_faults(home):
    season = Season.objects.create(club=home.club, slug="b", name="B", starts_on=date(2025, 1, 1), ranking="balance")
    text = "Datum;Anna;Beni\n7.8.2025;8.50;x\n14.8.2025;1.00;-0.50\n1.1.2020;1;1\n"
    # The sum of an evening with a wrong cell is not known.
    faults = [("C2", "no_number"), ("A3", "sum"), ("A4", "outside_season")]
    assert cells(uploaded(season, home.owner, text, kind="sheet")) == faults
    rows = "Datum;Name;Betrag\n7.8.2025;Anna;1\n14.8.2025;Anna;x\n7.8.2025;Beni;1\n"
    faults = [("C3", "no_number"), ("C4", "sum")]
    assert cells(uploaded(season, home.owner, rows)) == faults
    # A row without a day may be the one that is missing.
    assert cells(uploaded(season, home.owner, rows.replace("14.8.2025", "soon"))) == [
        ("A3", "no_date"),
        ("C3", "no_number"),
    ]


@pytest.mark.usefixtures("en")
def test_somebody_who_was_new_is_in_the_club_after_an_import_was_undone(home):
    text = "Datum;J\u00fcrg K\u00e4ser;Beni\n7.8.2026;8;3\n"
    undone = imported(home.season, home.owner, text, kind="")
    services.import_undo(stored=undone, actor=home.owner)
    player = Player.objects.get(nickname="Jürg Käser")
    # The name of the same file is his, also where he was new before.
    for name in ("Jürg Käser", "jürg käser"):
        [proposal] = matching.proposals(home.club, {name: 1}, {name: None})
        assert (proposal.player_id, proposal.sure) == (player.pk, True)
    with pytest.raises(Refused) as refused:
        matching.check(home.club, ["Ju\u0308rg Ka\u0308ser"], {"Ju\u0308rg Ka\u0308ser": None})
    assert refused.value.sentence.startswith("Jürg Käser is in the club already.")
    with pytest.raises(Refused, match="looks like"):
        matching.check(home.club, ["Jürg Käsеr"], {"Jürg Käsеr": None})


def test_the_meaning_of_a_title_is_stored_and_no_name_is_kept(home):
    text = "Datum;Anna;Gast;Pot\n7.8.2026;1;2;3\n"
    made = uploaded(home.season, home.owner, text, kind="sheet")
    assert [line.title for line in sheets.lines(made, 0) if not line.reason] == ["Anna", "Gast"]
    services.columns_choose(upload=made, chosen=sheets.SheetColumns(0, (1, 3), "points"))
    later = uploaded(home.season, home.owner, "Datum;Beni;Gast;Pot;Neu\n14.8.2026;1;2;3;4\n", kind="sheet")
    assert [line.title for line in sheets.lines(later, 0) if not line.reason] == ["Beni", "Pot", "Neu"]
    assert "gast" not in str(ImportColumns.objects.values()).casefold()


@pytest.mark.parametrize(
    ("chosen", "path"),
    [
        (sheets.SheetColumns(9, (1,), "points"), "first"),
        (sheets.SheetColumns(0, (0, 1), "points"), "people"),
        (sheets.SheetColumns(0, (9,), "points"), "people"),
        (sheets.SheetColumns(0, (), "points"), "people"),
        (sheets.SheetColumns(0, (1,), "amount"), "values"),
    ],
    ids=["no such column", "the dates", "no such person", "nobody", "amounts where points rank"],
)
def test_a_choice_of_which_no_import_can_be_made_is_refused(home, chosen, path):
    made = uploaded(home.season, home.owner, SHEET, kind="sheet")
    with pytest.raises(Refused) as refused:
        services.columns_choose(upload=made, chosen=chosen)
    assert (refused.value.status, refused.value.at) == (422, path)


def test_a_sheet_with_too_many_results_is_refused(home, monkeypatch):
    monkeypatch.setattr(sheets, "MAX_RESULTS", 4)
    with pytest.raises(Refused):
        uploaded(home.season, home.owner, SHEET, kind="sheet")


# --- Sheets of a file --------------------------------------------------------------------------------------


def book() -> bytes:
    made, out = Workbook(), io.BytesIO()
    made.active.title = "Notizen"
    for title, day in (("2025", "7.8.2025"), ("2026", "7.8.2026")):
        sheet = made.create_sheet(title)
        sheet.append(("Datum", "Anna", "Beni"))
        sheet.append((day, 1, 2))
    hidden = made.create_sheet("Versteckt")
    hidden.append(("a", "b"))
    hidden.append((1, 2))
    hidden.sheet_state = "hidden"
    made.save(out)
    return out.getvalue()


def test_the_first_sheet_with_data_is_read_and_another_one_can_be_chosen_and_is_remembered(home):
    made = uploaded(home.season, home.owner, book(), kind="")
    assert (made.sheet, [sheet["name"] for sheet in made.sheets]) == ("2025", ["2025", "2026"])
    services.upload_change(upload=made, kind="", sheet="2026")
    assert (made.rows[1][0], made.columns, made.names) == ("7.8.2026", None, None)
    services.columns_choose(upload=made, chosen=sheets.proposed(made))
    assert uploaded(home.season, home.owner, book(), kind="").sheet == "2026"
    with pytest.raises(Refused) as refused:
        services.upload_change(upload=made, kind="", sheet="Versteckt")
    assert refused.value.at == "sheet"


def test_rows_keep_their_numbers_below_a_title(home):
    table = reading.tables_of(SHEET.encode())[0]
    assert (table.first_row, table.rows[0][1]) == (3, "Anna")


# --- A corrected file --------------------------------------------------------------------------------------


def test_a_corrected_file_keeps_columns_and_names(home):
    made = uploaded(home.season, home.owner, "Datum;Anna;Beni\n7.8.2026;8;x\n", kind="sheet")
    services.upload_replace(upload=made, tables=reading.tables_of(b"Datum;Anna;Beni\n7.8.2026;8;3\n"))
    assert services.names_fit(made)
    assert not preview.preview(made).problems
    other = reading.tables_of(b"Datum;Anna;Beni;Neu\n7.8.2026;8;3;1\n")
    services.upload_replace(upload=made, tables=other)
    assert made.columns is None
    assert not services.names_fit(made)
    services.columns_choose(upload=made, chosen=sheets.proposed(made))
    # The new name has no chosen person: nothing is stored.
    with pytest.raises(Refused) as refused:
        services.import_store(upload=made, author=home.owner, key=uuid.uuid4())
    assert (refused.value.status, refused.value.at) == (422, "Neu")
    assert not Import.objects.exists()


# --- Forms and days ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["totals", "sheet", "turned", "hands"])
@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_each_sample_is_recognised_and_can_be_imported(home, kind, form):
    rows = samples.rows(kind, home.season, "chratze")
    made = uploaded(home.season, home.owner, samples.FORMS[form](rows), kind="")
    outcome = preview.preview(made)
    assert (made.kind, outcome.problems) == (kind, ())
    assert outcome.fresh
    assert reader(home.owner).get(f"/c/roessli/imports/samples/{kind}.{form}").status_code == 200


def test_days_are_read_with_weekdays_and_names_of_months_and_without_a_year():
    texts = ("Fr, 7.8.2026", "7. August 2026", "7 août 26", "vendredi 7 agosto 2026")
    assert {values.day(text) for text in texts} == {date(2026, 8, 7)}
    first, last = date(2025, 9, 1), date(2026, 8, 31)
    assert [values.day_without_year(text, first, last) for text in ("7.8.", "1. Okt", "31.2.")] == [
        date(2026, 8, 7), date(2025, 10, 1), None,
    ]  # fmt: skip
    # Two such days: the year must be written.
    assert values.day_without_year("7.8.", date(2025, 1, 1), last) is None


def test_a_nickname_that_looks_like_a_remark_is_a_person(home):
    PlayerFactory(club=home.club, nickname="Max")
    made = uploaded(home.season, home.owner, "Datum;Max;Min\n7.8.2026;1;2\n", kind="sheet")
    assert [line.title for line in sheets.lines(made, 0) if not line.reason] == ["Max"]
    assert layout.is_total("Max")
    Player.objects.filter(nickname="Max").delete()


def test_the_pages_lead_from_a_sheet_to_the_import(home):
    client = reader(home.owner)
    answer = client.post(
        "/c/roessli/imports/",
        {"season": home.season.slug, "game": "chratze", "file": io.BytesIO(SHEET.encode())},
    )
    columns_page = answer.url
    page = client.get(columns_page).content.decode()
    assert page.count('type="checkbox"') == 5
    assert "Bemerkung" in page
    answer = client.post(columns_page, {"kind": "totals"})
    assert (answer.status_code, Upload.objects.get().kind) == (303, "totals")
    client.post(columns_page, {"kind": "sheet"})
    answer = client.post(columns_page, {"first": "0", "values": "points", "people": ["1", "2", "3"]})
    names_page = answer.url
    assert "2 evenings" in client.get(names_page).content.decode()
    answer = client.post(names_page, {f"name-{n}": "new" if n == 2 else Player.objects.get(nickname=name).pk
                                      for n, name in enumerate(("Anna", "Beni", "Carlo"))})  # fmt: skip
    preview_page = answer.url
    wrong = client.post(
        "/c/roessli/imports/",
        {"replaces": Upload.objects.get().pk, "file": io.BytesIO(SHEET.replace(";6;", ";zwei;").encode())},
    )
    assert wrong.url == preview_page
    assert "C5" in client.get(preview_page).content.decode()
    client.post("/c/roessli/imports/", {"replaces": Upload.objects.get().pk, "file": io.BytesIO(SHEET.encode())})
    assert client.post(preview_page, {"key": str(uuid.uuid4())}).status_code == 303
    assert stored() == RESULTS


def test_the_mark_of_a_sheet_does_not_reveal_its_name():
    assert columns.mark_of_sheet("Anna") not in ("", "Anna")
