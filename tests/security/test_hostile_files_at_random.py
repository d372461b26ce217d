"""Files at random, each near to a good one: a reader finds something or names a fault, and nothing else."""

from __future__ import annotations

import gzip
import io
import json
import os
import zipfile
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from openpyxl import Workbook

from readers import pictures, tables, tournaments
from readers.faults import Unreadable
from tests import hostile_files

pytestmark = pytest.mark.rest
EXAMPLES = int(os.environ.get("FILE_EXAMPLES", "200"))
many = settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def book() -> bytes:
    made, out = Workbook(), io.BytesIO()
    for row in (("Datum", "Anna", "Beni"), ("7.8.2026", 8, 2.5), (None, True, "x"), ("", "=1+1", "ä")):
        made.active.append(row)
    made.create_sheet("zwei").append(("a", "b"))
    made.save(out)
    return out.getvalue()


BOOK = book()
PICTURE = hostile_files.picture(64, 64)
CUP = json.dumps({"kind": tournaments.KIND, "version": 1, "content": {"a": [1, None, "ä"]}, "sha256": "0"}).encode()


@some.composite
def changed(draw: Any, good: bytes) -> bytes:
    """Return the good file with pieces replaced, taken out, or doubled."""
    data = bytearray(good)
    for _ in range(draw(some.integers(1, 8))):
        start = draw(some.integers(0, len(data)))
        length = draw(some.integers(0, 40))
        data[start : start + length] = draw(
            some.one_of(some.binary(max_size=40), some.just(bytes(data[start : start + length]) * 2), some.just(b""))
        )
    return bytes(data)


ELEMENTS = "c v t r is row si sheetData worksheet rPh f sst x:c xf numFmt sheet Relationship".split()
VALUES = "0 1 -1 A1 DQ1048576 ZZZZ9 s str b n d e inlineStr 1e999 nan 99999999999999999999 2026-08-07 true ä".split()


def element(content: some.SearchStrategy[str]) -> some.SearchStrategy[str]:
    names = some.sampled_from(["r", "t", "s", "x:id", "numFmtId", "Target", "Id", "state"])
    attributes = some.dictionaries(names, some.sampled_from(VALUES), max_size=3)
    return some.builds(
        lambda name, more, inside: (
            f"<{name}{''.join(f' {key}={json.dumps(value)}' for key, value in more.items())}>{''.join(inside)}</{name}>"
        ),
        some.sampled_from(ELEMENTS),
        attributes,
        some.lists(content, max_size=4),
    )


XML = some.recursive(some.sampled_from([*VALUES, " ", "&#10;", "&amp;", "<![CDATA[<]]>", "<!--x-->"]), element)


def tried(read: Any, data: bytes, **options: Any) -> Any:
    """Read: what was found can be sent."""
    try:
        content = read(data, **options)
    except Unreadable:
        return None
    json.dumps(content, ensure_ascii=False).encode()
    return content


def check_tables(data: bytes) -> None:
    for table in tried(tables.read, data, most=200) or ():
        heading, *rows = table["rows"]
        assert 0 < len(heading) <= tables.MAX_COLUMNS
        assert len(rows) <= 200
        assert all(len(row) in (0, len(heading)) for row in rows)
        assert all(len(cell) <= tables.MAX_CELL for row in table["rows"] for cell in row)


@many
@given(some.one_of(changed(BOOK), changed(b"Datum;Anna;Beni\n7.8.2026;8;3\n" * 5), some.binary(max_size=300)))
def test_a_table(data: bytes) -> None:
    check_tables(data)


@many
@given(XML, XML, XML)
def test_the_parts_of_a_spreadsheet(sheet: str, texts: str, styles: str) -> None:
    head = hostile_files.HEAD
    content = hostile_files.xlsx(
        hostile_files.SHARED + sheet,
        sharedStrings=f"{head}<sst><si><t>a</t></si>{texts}</sst>",
        styles=f"{head}<styleSheet><cellXfs><xf/></cellXfs>{styles}</styleSheet>",
    )
    check_tables(content)


@many
@given(some.data())
def test_each_part_of_a_spreadsheet_changed(data: some.DataObject) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(BOOK)) as good, zipfile.ZipFile(out, "w") as packed:
        broken = data.draw(some.sampled_from(good.namelist()))
        for name in good.namelist():
            part = good.read(name)
            packed.writestr(name, data.draw(changed(part)) if name == broken else part)
    check_tables(out.getvalue())


@many
@given(changed(PICTURE))
def test_a_picture(data: bytes) -> None:
    picture = tried(pictures.read, data)
    assert picture is None or max(picture["width"], picture["height"]) <= pictures.SIDE


@many
@given(some.one_of(changed(CUP), changed(gzip.compress(CUP)), some.binary(max_size=200)))
def test_the_file_of_a_tournament(data: bytes) -> None:
    tried(tournaments.read, data)


JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(),
    lambda inside: some.lists(inside, max_size=4) | some.dictionaries(some.text(max_size=4), inside, max_size=4),
)


@many
@given(JSON, some.sampled_from(["kind", "version", "content", "sha256"]))
def test_a_tournament_with_any_value(value: Any, name: str) -> None:
    tried(tournaments.read, json.dumps(json.loads(CUP) | {name: value}).encode())
