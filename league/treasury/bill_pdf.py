"""Statements as PDF, one page each: the debt with its parts, and below it the payment part of a Swiss QR-bill.

The payment part is the drawing of the package `qrbill` (a vector drawing in Helvetica, as the standard wants it). The
address is always structured (type S); combined addresses (type K) are no longer valid.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from qrbill import QRBill
from qrbill.bill import mm

from ..models import BillingDetails, Club
from ..money import format_money, format_price, plain_francs, unit
from ..web.pdf import Paper
from . import iban
from .billing_account import unprintable
from .statements import Period, Statement, outcome

PAYMENT_TOP = 191.0
"""Millimetres from the top of the page to the payment part."""
MOST_LINES = 18
EDGE, RIGHT, ROW = 20.0, 190.0, 6.0
LINE = 62
"""The characters of a line of the payment part. The library breaks lines after more, which leave the paper."""
LOGO = (40.0, 18.0)
"""The most width and height of the logo, in millimetres."""


class Bill(QRBill):  # type: ignore[misc]
    """A QR-bill whose frame for the payer on the receipt is 52 by 20 mm, as in the guidelines of the standard. The
    library's is 25 mm high: below a long name of the account it covers the currency."""

    def draw_blank_rect(self, dwg: Any, grp: Any, x: float, y: float, width: float, height: float) -> None:
        """Draw the corners of a frame."""
        super().draw_blank_rect(dwg, grp, x, y, width, mm(20) if width == mm(52) else height)


def bill_of(club: Club, details: BillingDetails, statement: Statement, period: Period) -> QRBill:
    """Return the QR-bill of a statement whose sum is above 0."""
    language = (translation.get_language() or "en")[:2]
    message = _message(club, details, statement, period)
    creditor = {
        "name": details.name,
        "street": details.street,
        "house_num": details.house_number,
        "pcode": details.postcode,
        "city": details.town,
        "country": details.country,
    }
    return Bill(
        account=details.iban,
        creditor=creditor,
        amount=plain_francs(statement.total_minor),
        currency=club.currency,
        reference_number=iban.reference(details.iban, club_id=club.pk, player_id=statement.player_id, last=period.last),
        additional_information="".join(character for character in message if not unprintable(character))[:LINE],
        language=language if language in ("de", "fr", "it") else "en",
    )


def _message(club: Club, details: BillingDetails, statement: Statement, period: Period) -> str:
    """Return what is paid, in one line of the payment part; with the club if the account has another name."""
    message = ", ".join((_("Kitty"), statement.name, date_format(period.last, "SHORT_DATE_FORMAT")))
    room = LINE - len(message) - 2
    if details.name == club.name or room < 1:
        return message
    return f"{textwrap.shorten(club.name, room, placeholder='…')}, {message}"


def pdf_of(
    club: Club,
    details: BillingDetails,
    statements: Sequence[Statement],
    period: Period,
    page_done: Callable[[], None] = lambda: None,
    *,
    logo: BinaryIO | None = None,
) -> bytes:
    """Return the statements as PDF; those with a sum that is billed have a payment part. A page calls `page_done`.
    Reads nothing of the database."""
    pdf = Paper("a4", f"{club.name}: " + _("Statement of the kitty"))
    for statement in statements:
        pdf.add_page()
        pdf.put_logo(logo, RIGHT, 16.0, LOGO, right=True)
        _write_statement(pdf, club, details, statement, period)
        if statement.is_billed(details.least_minor):
            drawing = io.StringIO()
            bill_of(club, details, statement, period).as_svg(drawing)
            pdf.image(io.BytesIO(drawing.getvalue().encode()), x=0, y=PAYMENT_TOP, w=210)
        page_done()
    return bytes(pdf.output())


def _write_statement(pdf: Paper, club: Club, details: BillingDetails, statement: Statement, period: Period) -> None:
    pdf.put(EDGE, 22, 170, club.name, 11)
    pdf.put(EDGE, 32, 170, _("Statement of the kitty"), 18, bold=True)
    pdf.put(EDGE, 41, 120, statement.name, 12, bold=True)
    pdf.put(EDGE, 47, 120, str(period), 10)
    pdf.put(150, 47, 40, unit(club.currency), 10, align="R")
    y = 54.0
    for text, amount in _rows(statement):
        pdf.rule(EDGE, y - ROW / 2, RIGHT, y - ROW / 2)
        pdf.put(EDGE, y, 135, text, 10)
        pdf.put(160, y, 30, format_money(amount), 10, align="R")
        y += ROW
    pdf.rule(EDGE, y - ROW / 2, RIGHT, y - ROW / 2, weight=0.4, grey=0)
    pdf.put(EDGE, y + 1, 135, _("In all"), 11, bold=True)
    pdf.put(150, y + 1, 40, format_price(statement.total_minor, club.currency), 11, bold=True, align="R")
    pdf.lines(EDGE, y + 7, 170, outcome(statement, details.least_minor, club.currency), 10)


def _rows(statement: Statement) -> list[tuple[str, int]]:
    """Return the lines of a statement; of many evenings the oldest ones are one line."""
    rows: list[tuple[str, int]] = []
    if statement.carried_minor:
        rows.append((_("Carried on from before"), statement.carried_minor))
    lines: list[Any] = sorted(statement.lines, key=lambda line: line.day)
    older, newer = lines[:-MOST_LINES], lines[-MOST_LINES:]
    if older:
        count = len(older)
        text = ngettext("%(count)d earlier evening", "%(count)d earlier evenings", count) % {"count": count}
        rows.append((text, sum(line.amount_minor for line in older)))
    return rows + [(f"{date_format(line.day, 'SHORT_DATE_FORMAT')}  {line.title}", line.amount_minor) for line in newer]
