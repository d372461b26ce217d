"""Files that are made to cost a server memory or time, by the reader that gets them."""

from __future__ import annotations

import gzip
import io
import json
import random
import string
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping

HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
FORMAT = "application/vnd.openxmlformats-officedocument.spreadsheetml"
KINDS = {
    "workbook": "sheet.main",
    "worksheets/sheet1": "worksheet",
    "sharedStrings": "sharedStrings",
    "styles": "styles",
}


def xlsx(sheet: str | bytes, names: int = 1, **more: str | bytes) -> bytes:
    """Return a spreadsheet with this part as its sheet, named by so many entries. `more`: other parts in `xl/`, by
    name."""
    entries = "".join(f'<sheet name="s{n}" sheetId="{n + 1}" r:id="r1"/>' for n in range(names))
    beside = "".join(f'<Relationship Id="x{name}" Type="{OFFICE}/{name}" Target="{name}.xml"/>' for name in more)
    overrides = "".join(
        f'<Override PartName="/xl/{name}.xml" ContentType="{FORMAT}.{KINDS[name]}+xml"/>'
        for name in ("workbook", "worksheets/sheet1", *more)
    )
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": f'{HEAD}<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>',
        "_rels/.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/_rels/workbook.xml.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>{beside}</Relationships>',
        "xl/workbook.xml": f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{entries}</sheets></workbook>',
        "xl/worksheets/sheet1.xml": sheet if isinstance(sheet, bytes) else f"{HEAD}{worksheet(sheet)}",
    }
    for name, part in more.items():
        parts[f"xl/{name}.xml"] = part
    return packed(parts)


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, part in parts.items():
            file.writestr(name, part)
    return out.getvalue()


def worksheet(rows: str) -> str:
    return f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'


def strings(items: str) -> str:
    return f'{HEAD}<sst xmlns="{MAIN}">{items}</sst>'


HEADING = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>'
SHARED = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>2</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>'


def thirty_sheets() -> bytes:
    """One part that thirty sheets name, with one row at the end of the rows."""
    far = '<row r="40099"><c r="DQ40099"><v>1</v></c></row>'
    return xlsx(HEADING + far, names=30)


def many_sheets() -> bytes:
    """Thirty parts, each with a row at the end of the rows."""
    far = HEAD + worksheet(HEADING + '<row r="40000"><c><v>1</v></c></row>')
    entries = "".join(f'<sheet name="s{n}" sheetId="{n + 1}" r:id="r{n}"/>' for n in range(30))
    relations = "".join(
        f'<Relationship Id="r{n}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n in range(30)
    )
    parts = {
        "_rels/.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/_rels/workbook.xml.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">'
        f"{relations}</Relationships>",
        "xl/workbook.xml": f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{entries}</sheets></workbook>',
    }
    return packed(parts | {f"xl/worksheets/sheet{n}.xml": far for n in range(30)})


def spaces() -> bytes:
    """60 MB of blanks in one cell."""
    return xlsx(HEADING + '<row r="2"><c r="A2" t="inlineStr"><is><t>' + " " * 60_000_000 + "</t></is></c></row>")


def hardly_repeats() -> bytes:
    """A text of 83 MB that is packed no denser than a usual spreadsheet, in one cell."""
    lot = random.Random(1)
    block = "".join(lot.choices(string.ascii_letters, k=400))
    text = "".join("".join(lot.choices(string.ascii_letters, k=16)) + block for _ in range(200_000))
    return xlsx(f'{HEADING}<row r="2"><c r="A2" t="inlineStr"><is><t>{text}</t></is></c></row>')


def long_tag() -> bytes:
    """An attribute without an end, of letters that do not repeat much."""
    piece = "".join(chr(97 + n * n % 26) + chr(97 + n % 25) for n in range(2_000))
    return xlsx(f'<row r="1"><c r="{piece * 1_500}"')


def shared_strings() -> bytes:
    """A million shared texts."""
    return xlsx(SHARED, sharedStrings=strings("".join(f"<si><t>{n}</t></si>" for n in range(1_300_000))))


def repeated_text() -> bytes:
    """A long shared text in each of a million cells."""
    text = "".join(chr(97 + n * n % 26) for n in range(200))
    row = '<c t="s"><v>0</v></c>' * 100
    rows = "".join(f'<row r="{n}">{row}</row>' for n in range(1, 10_001))
    return xlsx(rows, sharedStrings=strings(f"<si><t>{text}</t></si>"))


def cells() -> bytes:
    """Five million empty cells in the rows that are allowed."""
    return xlsx("".join(f'<row r="{n}">{"<c/>" * 120}</row>' for n in range(1, 40_000)))


def xlsx_rows() -> bytes:
    return xlsx("".join(f"<row><c><v>{n}</v></c><c><v>1</v></c></row>" for n in range(700_000)))


def entities() -> bytes:
    """Texts that grow tenfold eight times."""
    lines = ['<!ENTITY a0 "aaaaaaaaaa">', *(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 9))]
    sheet = worksheet('<row r="1"><c r="A1" t="str"><v>&a8;</v></c></row>')
    return xlsx(f"{HEAD}<!DOCTYPE x [{''.join(lines)}]>{sheet}".encode())


def deep_xml() -> bytes:
    return xlsx(f"{HEAD}{'<a>' * 1_000_000}".encode())


def entries() -> bytes:
    """A directory of 80,000 parts."""
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    many = 80_000
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, len(entry) * many, 4, 0)
    return b"PK\x03\x04" + entry * many + end


def picture(wide: int, high: int, kind: str = "png") -> bytes:
    """A picture of one colour with so many pixels."""
    if kind == "gif":
        return (
            b"GIF89a"
            + struct.pack("<HH", wide, high)
            + b"\x80\0\0\0\0\0\xff\xff\xff,"
            + bytes(4)
            + struct.pack("<HH", wide, high)
            + b"\0\x02\x02\x44\x01\0;"
        )
    packer = zlib.compressobj(9)
    row = bytes(1 + wide // 8 + 1)
    packed_rows = b"".join(packer.compress(row) for _ in range(high)) + packer.flush()
    parts = ((b"IHDR", struct.pack(">2L5B", wide, high, 1, 0, 0, 0, 0)), (b"IDAT", packed_rows), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">L", len(content)) + name + content + struct.pack(">L", zlib.crc32(name + content))


def text_bomb() -> bytes:
    """A PNG with texts that unpack to a gigabyte beside a small picture."""
    long = b"Comment\0\0" + zlib.compress(bytes(60_000_000), 9)
    good = picture(64, 64)
    return good[:33] + _chunk(b"zTXt", long) * 8 + good[33:]


def json_file(content: bytes) -> bytes:
    return b'{"kind":"chratzete-tournament","version":1,"content":{"x":' + content + b'},"sha256":"0"}'


HOSTILE: Mapping[str, Mapping[str, Callable[[], bytes]]] = {
    "tables": {
        "thirty sheets, one part": thirty_sheets,
        "thirty sheets with a far row": many_sheets,
        "700,000 rows": lambda: b"1;2\n" * 700_000 + b"1;2\r\n" * 100_000,
        "700,000 rows of a spreadsheet": xlsx_rows,
        "60 MB of spaces": spaces,
        "83 MB that hardly repeat": hardly_repeats,
        "empty lines": lambda: b"a;b\n" + b"\n" * 4_000_000,
        "one row of delimiters": lambda: b";" * 4_000_000,
        "quotes": lambda: b'a;b\n"' + b'""' * 2_000_000,
        "a tag without an end": long_tag,
        "a million texts": shared_strings,
        "one text in a million cells": repeated_text,
        "five million empty cells": cells,
        "entities": entities,
        "deep XML": deep_xml,
        "80,000 parts": entries,
    },
    "picture": {
        "900 million pixels": lambda: picture(30_000, 30_000),
        "900 million pixels, GIF": lambda: picture(30_000, 30_000, "gif"),
        "texts beside a picture": text_bomb,
    },
    "tournament": {
        "deep": lambda: json_file(b"[" * 4_000_000),
        "deep, packed": lambda: gzip.compress(json_file(b"[" * 15_000_000)),
        "lists": lambda: json_file(b"[" + b"[]," * 2_600_000 + b"[]]"),
        "lists, packed": lambda: gzip.compress(json_file(b"[" + b"[]," * 5_000_000 + b"[]]")),
        "objects": lambda: json_file(json.dumps([{"a": {}}] * 500_000).encode()),
        "a long number": lambda: json_file(b"9" * 8_000_000),
        "60 MB of spaces": lambda: gzip.compress(json_file(b" " * 60_000_000 + b"1")),
    },
}
"""Files by reader and what they have."""
