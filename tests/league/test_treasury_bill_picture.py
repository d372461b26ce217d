"""The QR code of a bill as a bank's scanner sees it: the page of the PDF is drawn by one program and read by another,
and the text is divided here as the standard says: Swiss Implementation Guidelines for the QR-bill, version 2.3,
sections 4.2 (data) and 5 (picture)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import pypdfium2
import pytest
import zxingcpp
from django.utils import translation
from PIL import Image, ImageDraw
from stdnum import iban as any_iban
from stdnum import iso11649
from stdnum.ch import esr

from league.treasury import iban
from league.treasury.bill_pdf import pdf_of
from tests.league.test_treasury_bills import PERIOD, PLAIN, QR, STATEMENT, details

DPI = 300
MM = DPI / 25.4
"""The pixels of a millimetre."""
ADDRESS = ("type", "name", "street", "number", "postcode", "town", "country")
ELEMENTS = (
    *("QRType", "Version", "Coding", "IBAN"),
    *(f"creditor {part}" for part in ADDRESS),
    *(f"ultimate creditor {part}" for part in ADDRESS),
    *("amount", "currency"),
    *(f"debtor {part}" for part in ADDRESS),
    *("reference type", "reference", "message", "trailer"),
)
"""The elements of the text, each on a line of its own. Those after the trailer may be left out."""


PAYMENT_TOP = 297 - 105
"""Millimetres from the top of the page to the payment part, which is as high as A6."""
CROSS = {
    "white middle": (0, 0),
    "white arm": (1.4, 0),
    "white arm below": (0, 1.4),
    "black corner": (1.8, 1.8),
    "black edge": (0, -2.6),
}
"""Places in the middle of the code, in millimetres from its centre."""


@dataclass(frozen=True)
class Read:
    """What the scanner found: the elements, and the corners of the code in millimetres from the upper left corner."""

    elements: dict[str, str]
    corners: list[tuple[float, float]]
    level: str


def page_of(account: str) -> Image.Image:
    """Return the page of the statement whose bill is paid to this account."""
    billing = details(iban=iban.normalised(account))
    with translation.override("de"):
        pdf = pdf_of(billing.club, billing, [STATEMENT], PERIOD)
    return pypdfium2.PdfDocument(pdf)[0].render(scale=DPI / 72).to_pil().convert("L")


def scanned(page: Image.Image) -> list[Read]:
    """Return every QR code that another program reads on the page."""
    return [_read(barcode) for barcode in zxingcpp.read_barcodes(page, formats=zxingcpp.BarcodeFormat.QRCode)]


def _read(barcode: zxingcpp.Barcode) -> Read:
    position = barcode.position
    corners = [position.top_left, position.top_right, position.bottom_right, position.bottom_left]
    lines = barcode.bytes.decode("utf-8").split("\r\n")
    assert len(lines) >= len(ELEMENTS)
    assert not any(lines[len(ELEMENTS) :])
    elements = dict(zip(ELEMENTS, lines, strict=False))
    return Read(elements, [(corner.x / MM, corner.y / MM) for corner in corners], barcode.ec_level)


@pytest.mark.parametrize(("account", "kind"), [(PLAIN, "SCOR"), (QR, "QRR")])
def test_the_picture_of_a_bill_says_what_the_standard_wants(account: str, kind: str) -> None:
    page = page_of(account)
    (read,) = scanned(page)
    reference, message = (read.elements[name] for name in ("reference", "message"))
    assert read.elements == {
        **dict.fromkeys(ELEMENTS, ""),
        "QRType": "SPC",
        "Version": "0200",
        "Coding": "1",
        "IBAN": any_iban.compact(account),
        "creditor type": "S",
        "creditor name": "Chratzclub Rössli",
        "creditor street": "Dorfstrasse",
        "creditor number": "3a",
        "creditor postcode": "3555",
        "creditor town": "Trubschachen",
        "creditor country": "CH",
        # 2.50 from before and 10.00 of an evening.
        "amount": "12.50",
        "currency": "CHF",
        "reference type": kind,
        "reference": reference,
        "message": message,
        "trailer": "EPD",
    }
    assert any_iban.is_valid(read.elements["IBAN"])
    assert (len(reference), esr.is_valid(reference)) == (27, True) if kind == "QRR" else iso11649.is_valid(reference)
    assert len(message) <= 140
    # A square of 46 mm in the payment part, with level M of error correction.
    assert read.level == "M"
    sides = [math.dist(corner, other) for corner, other in pairwise(read.corners)]
    assert sides == pytest.approx([46] * 3, abs=0.5)
    assert read.corners[0] == pytest.approx((67, PAYMENT_TOP + 17), abs=1)
    # 5 mm around it are empty, and in its middle is a white cross on a black square.
    (left, top), (right, bottom) = read.corners[0], read.corners[2]
    around = [(left - 4.5, top - 4.5, right + 4.5, top - 0.5), (left - 4.5, bottom + 0.5, right + 4.5, bottom + 4.5)]
    assert [page.crop([round(edge * MM) for edge in box]).getextrema()[0] for box in around] == [255, 255]
    middle = ((left + right) / 2, (top + bottom) / 2)
    places = {name: (round((middle[0] + x) * MM), round((middle[1] + y) * MM)) for name, (x, y) in CROSS.items()}
    assert {name: page.getpixel(place) for name, place in places.items()} == {
        name: 255 if name.startswith("white") else 0 for name in CROSS
    }


def test_a_picture_that_is_half_covered_is_not_read() -> None:
    page = page_of(PLAIN)
    corner = scanned(page)[0].corners[0]
    ImageDraw.Draw(page).rectangle([round(corner[0] * MM), 0, page.width, round((corner[1] + 23) * MM)], fill=255)
    assert scanned(page) == []
