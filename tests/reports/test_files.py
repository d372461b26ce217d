"""The forms of a table: cells as people read them, two dialects of CSV, XLSX by an independent reader. No database."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from django.utils import translation
from django.utils.formats import date_format
from openpyxl import load_workbook
from pypdf import PdfReader

from league.models import Club
from league.reports import files
from league.reports.pdf_pages import _Sheets, pdf_of
from league.reports.report import Figure, Report
from league.web import xlsx
from league.web.report_table import Column, Kind, Table, without_empty

COLUMNS = [
    Column("held_on", "Date", Kind.DATE),
    Column("player", "Player"),
    Column("points", "Points", Kind.POINTS, signed=True, summed=True),
    Column("balance", "Balance", Kind.AMOUNT, signed=True, summed=True),
]
DAY = date(2026, 11, 20)
FORMULA = '=HYPERLINK("https://evil.example";"Anna")'
ROWS = [
    {"held_on": DAY, "player": "Anna", "points": 12, "balance": 123450},
    {"held_on": DAY, "player": FORMULA, "points": -3, "balance": -5},
    {"held_on": None, "player": "Zoë – 3/4", "points": 0, "balance": None},
]
TABLE = Table("standings", "Standings", COLUMNS, ROWS, note="Only your own.")


def report(*tables: Table) -> Report:
    figures = [Figure("Players", "3"), Figure("First", "Anna", "12 points")]
    return Report("Season report", "2026", "25 evenings", "roessli-2026-report", "/", figures, tables or (TABLE,))


def written(*sheets: xlsx.Sheet) -> bytes:
    file = io.BytesIO()
    xlsx.write(file, sheets, title="Standings", author="Rössli", currency="CHF")
    return file.getvalue()


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


def test_cells_sums_and_empty_columns_as_people_read_them():
    shown = date_format(DAY, "SHORT_DATE_FORMAT")
    assert list(TABLE.shown_rows())[:2] == [
        [shown, "Anna", "+12", "+1’234.50"],
        [shown, FORMULA, "−3", "−0.05"],
    ]
    assert list(TABLE.shown_rows())[2] == ["", "Zoë – 3/4", "0", "–"]
    assert TABLE.sum_cells() == ["", "Sum", "+9", "+1’234.45"]
    assert Table("none", "None", COLUMNS, []).sum_cells() == []
    hidden = [{**row, "balance": None} for row in ROWS]
    assert [column.name for column in without_empty(COLUMNS, hidden, "balance")] == ["held_on", "player", "points"]


def test_csv_for_programs_has_rappen_and_no_sums():
    lines = list(files.program_lines(TABLE))
    assert lines[0] == "held_on,player,points,balance_minor\r\n"
    assert lines[1] == '2026-11-20,"Anna",12,123450\r\n'
    assert len(lines) == 4


def test_csv_for_excel_has_semicolons_francs_headings_and_sums():
    lines = list(files.excel_lines(TABLE, "CHF"))
    assert lines[0] == '\ufeff"Date";"Player";"Points";"Balance (CHF)"\r\n'
    assert lines[1] == '2026-11-20;"Anna";12;1234.50\r\n'
    assert lines[2].endswith(";-3;-0.05\r\n")
    assert lines[2].split(";")[1].startswith("\"'=")
    assert lines[-1] == ';"Sum";9;1234.45\r\n'


def test_an_independent_reader_finds_numbers_dates_filters_and_a_header_that_stays():
    book = load_workbook(io.BytesIO(written(xlsx.Sheet("Standings: 2026/27", COLUMNS, ROWS, sums=True))))
    sheet = book["Standings  2026 27"]
    assert [cell.value for cell in sheet[1]] == ["Date", "Player", "Points", "Balance (CHF)"]
    assert [cell.value for cell in sheet[2]] == [datetime(2026, 11, 20), "Anna", 12, 1234.5]  # noqa: DTZ001
    assert sheet["D2"].number_format == "+#,##0.00;-#,##0.00;0.00"
    assert sheet["D4"].value is None
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", "A1:D4")
    assert sheet["D5"].value == "=SUBTOTAL(109,D2:D4)"
    assert book.properties.creator == "Rössli"


def test_the_sums_of_a_spreadsheet_are_there_before_it_is_counted():
    values = load_workbook(io.BytesIO(written(xlsx.Sheet("S", COLUMNS, ROWS, sums=True))), data_only=True)["S"]
    assert [cell.value for cell in values[5]] == [None, "Sum", 9, 1234.45]


@pytest.mark.parametrize("text", [FORMULA, "+1+1", "-1", "@SUM(A1)", "https://example.org", "1e5"])
def test_no_text_becomes_a_formula_a_link_or_a_number(text):
    rows = [{"player": text}]
    cell = load_workbook(io.BytesIO(written(xlsx.Sheet("S", COLUMNS, rows))))["S"]["B2"]
    assert (cell.value, cell.data_type, cell.hyperlink) == (text, "s", None)


def test_a_time_loses_its_zone_and_more_rows_than_a_sheet_takes_go_into_the_next_one(monkeypatch):
    monkeypatch.setattr(xlsx, "MOST_ROWS", 2)
    moment = datetime(2026, 7, 1, 20, 4, 10, tzinfo=UTC)
    rows = [{"held_on": moment, "player": str(number)} for number in range(5)]
    book = load_workbook(io.BytesIO(written(xlsx.Sheet("S", COLUMNS, iter(rows), sums=True))))
    assert book.sheetnames == ["S", "S 2", "S 3"]
    assert book["S 3"]["B2"].value == "4"
    assert book["S"]["A2"].value == datetime(2026, 7, 1, 22, 4, 10)  # noqa: DTZ001


@pytest.mark.parametrize(
    ("name", "taken"), [("a/b?", "a b"), ("'quoted'", "quoted"), ("x" * 40, "x" * 31), ("", "1"), ("::", "1")]
)
def test_a_sheet_has_a_name_that_excel_takes(name, taken):
    assert xlsx.sheet_name(name) == taken


def test_a_long_report_has_numbered_pages_with_the_head_of_the_table_on_each():
    rows = [{**ROWS[0], "player": f"Player {number}"} for number in range(90)]
    club = Club(name="Chratzclub Rössli", currency="CHF")
    pdf = pdf_of(club, report(TABLE, Table("e", "Evenings", COLUMNS, rows)))
    pages = PdfReader(io.BytesIO(pdf)).pages
    texts = [page.extract_text() for page in pages]
    assert len(texts) == 3
    for number, text in enumerate(texts, start=1):
        assert f"Page {number} of 3" in text
        assert "Chratzclub Rössli" in text
        assert "Balance" in text
    assert "Player 89" in texts[-1]
    assert "Only your own." in texts[0]
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in pages} == {(595, 842)}


def signed_pages(rows: int) -> list[str]:
    """Return the texts of the pages of a signed report: a table of so many rows, then one of four rows with a note."""
    many = Table("many", "Evenings", COLUMNS, [{**ROWS[0], "player": f"Player {number}"} for number in range(rows)])
    last = Table("last", "Control", COLUMNS, [ROWS[0]] * 4, note="Each sum is computed twice.", results={3})
    signed = replace(report(many, last), signed=("Treasurer", "First auditor", "Second auditor"))
    pages = PdfReader(io.BytesIO(pdf_of(Club(name="Rössli", currency="CHF"), signed))).pages
    return [page.extract_text() for page in pages]


@pytest.mark.parametrize("rows", [1, 17, 21, 22, 23, 24, 25, 27, 29, 31, 33, 36])
def test_signatures_are_on_one_page_with_the_last_table_and_its_note(rows):
    texts = signed_pages(rows)
    for words in ("Control", "Each sum is computed twice.", "Treasurer", "First auditor", "Second auditor"):
        assert [words in text for text in texts] == [False] * (len(texts) - 1) + [True], words


def test_tables_that_know_nothing_of_what_is_below_leave_signatures_alone(monkeypatch):
    write = _Sheets.write_table
    monkeypatch.setattr(_Sheets, "write_table", lambda sheets, table, below=0.0: write(sheets, table))
    assert any("Control" not in signed_pages(rows)[-1] for rows in range(17, 37))
