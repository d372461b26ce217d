"""Statements of the kitty and their QR-bills: account, references, payload, carried sums, the PDF."""

from __future__ import annotations

import io
from datetime import date, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.utils import translation
from pypdf import PdfReader
from qrbill.bill import mm
from stdnum import iso11649
from stdnum.ch import esr

from league.errors import Refused
from league.models import AuditEntry, BillingDetails, Club
from league.money import format_money
from league.treasury import billing_account, iban
from league.treasury.balances import main_names
from league.treasury.bill_pdf import LINE, bill_of, pdf_of
from league.treasury.statements import Period, Statement, StatementLine, statements
from tests.cast import House
from tests.factories import FAILED
from tests.league.test_treasury import closed, reader

DAY = date(2026, 11, 20)
PLAIN, QR = "CH93 0076 2011 6238 5295 7", "CH44 3199 9123 0008 8901 2"
VALUES = {
    "name": "Chratzclub Rössli",
    "street": "Dorfstrasse",
    "house_number": "3a",
    "postcode": "3555",
    "town": "Trubschachen",
    "country": "ch",
    "iban": PLAIN,
    "least_minor": 500,
}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        *((PLAIN, ""), (QR, ""), (PLAIN.lower(), ""), ("LI21 0881 0000 2324 013A A", "")),
        *(("DE89 3704 0044 0532 0130 00", "CH or LI"), ("", "CH or LI"), ("CH93 0076 2011", "12 characters")),
        *(("CH93 0076 2011 6238 5295 8", "check digits"), ("CH93 0076 2011 6238 5259 7", "check digits")),
        *(("CH93 0076 2011 6238 52-5 7", "digits and letters"), ("CHXX 0076 2011 6238 5295 7", "digits and letters")),
    ],
)
def test_an_iban_is_valid_or_its_fault_is_named(text: str, fault: str) -> None:
    with translation.override("en"):
        said = iban.fault_of(text)
    assert bool(said) == bool(fault)
    assert fault in said


@pytest.mark.parametrize(("club", "player"), [(1, 1), (77, 12345), (10**8 - 1, 10**9 + 7)])
def test_references_are_valid_by_another_program(club: int, player: int) -> None:
    of = {"club_id": club, "player_id": player, "last": DAY}
    by_qr_iban, by_iban = (iban.reference(iban.normalised(account), **of) for account in (QR, PLAIN))  # type: ignore[arg-type]
    assert len(by_qr_iban) == 27
    assert esr.is_valid(by_qr_iban)
    assert iso11649.is_valid(by_iban)
    assert by_iban != iban.reference(iban.normalised(PLAIN), **(of | {"player_id": player + 1}))  # type: ignore[arg-type]


def details(**more: Any) -> BillingDetails:
    values = VALUES | {"country": "CH", "iban": iban.normalised(PLAIN)} | more
    return BillingDetails(club=Club(pk=7, name="Rössli"), **values)


STATEMENT = Statement(3, "Anna 🃏", 250, [StatementLine(DAY, "Evening 4", 1000)])
PERIOD = Period(DAY - timedelta(days=30), DAY)


@pytest.mark.parametrize(("account", "kind"), [(PLAIN, "SCOR"), (QR, "QRR")])
def test_the_code_of_a_bill_has_the_printed_values(account: str, kind: str) -> None:
    billing = details(iban=iban.normalised(account))
    fields = bill_of(billing.club, billing, STATEMENT, PERIOD).qr_data().split("\r\n")
    assert fields[:4] == ["SPC", "0200", "1", iban.normalised(account)]
    # A structured address: combined ones (K) are dead.
    assert fields[4:11] == ["S", "Chratzclub Rössli", "Dorfstrasse", "3a", "3555", "Trubschachen", "CH"]
    assert fields[11:18] == [""] * 7
    assert fields[18:20] == ["12.50", "CHF"]
    assert fields[20:27] == [""] * 7
    assert fields[27] == kind
    assert "Rössli" in fields[29]
    assert "🃏" not in fields[29]
    assert fields[30] == "EPD"


@pytest.mark.parametrize("name", ["Rössli", "Chratz- und Kratzclub zur goldenen Krone", "Club " * 12])
def test_the_message_of_a_bill_is_one_line_of_the_payment_part(name: str) -> None:
    billing = details()
    billing.club.name = name
    with translation.override("de"):
        message = bill_of(billing.club, billing, STATEMENT, PERIOD).qr_data().split("\r\n")[29]
    assert len(message) <= LINE
    assert message.endswith("Kasse, Anna , 20.11.2026")


def test_the_frame_for_the_payer_ends_above_the_currency() -> None:
    """The longest name takes two lines of the receipt."""
    billing = details(name="Chratz- und Kratzclub zur goldenen Krone am oberen Dorfplatz")
    drawn = io.StringIO()
    with translation.override("de"):
        bill_of(billing.club, billing, STATEMENT, PERIOD).as_svg(drawn)
    nodes = list(ElementTree.fromstring(drawn.getvalue()).iter())
    currency = next(float(node.get("y", "")) for node in nodes if node.text == "Währung")
    # The corners of a frame; the lines between the parts are dashed.
    corners = [node for node in nodes if node.tag.endswith("}line") and not node.get("stroke-dasharray")]
    on_receipt = [node for node in corners if float(node.get("x2", "")) < mm(62)]
    assert len(on_receipt) == 8
    assert max(float(node.get("y2", "")) for node in on_receipt) < currency - mm(2)


def text_of(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]


def test_a_small_sum_is_carried_on_without_a_payment_part() -> None:
    billing = details(least_minor=1251)
    with translation.override("en"):
        small, large = (
            text_of(pdf_of(billing.club, details(least_minor=least), [STATEMENT], PERIOD))[0] for least in (1251, 1250)
        )
    assert "carried on to the next statement" in small
    assert "Payment part" not in small
    assert "Payment part" in large
    assert "12.50" in large
    assert "Carried on from before" in large


def test_a_long_statement_stays_above_the_payment_part() -> None:
    lines = [StatementLine(DAY - timedelta(days=nth), f"Evening {nth}", 100) for nth in range(30)]
    billing = details()
    with translation.override("en"):
        page = text_of(pdf_of(billing.club, billing, [Statement(3, "Anna", 0, lines)], PERIOD))[0]
    assert "12 earlier evenings" in page
    assert "30.00" in page


def refused(**more: Any) -> tuple[int, str]:
    club = Club.objects.get(slug="roessli")
    with pytest.raises(Refused) as caught:
        billing_account.billing_set(club=club, actor=None, values=VALUES | more)
    return caught.value.status, caught.value.at


@pytest.mark.django_db
def test_an_account_is_checked_before_it_is_stored(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("name", "postcode", "town", "country"):
        assert refused(**{name: " "}) == (422, name)
    assert refused(town="x" * 36) == (422, "town")
    assert refused(name="Klub 🃏") == (422, "name")
    assert refused(country="CHE") == (422, "country")
    assert refused(iban="CH00") == (422, "iban")
    assert refused(least_minor=-1) == (422, "least_minor")
    assert not BillingDetails.objects.exists()
    stored = billing_account.billing_set(club=home.club, actor=home.treasurer, values=VALUES)
    assert (stored.iban, stored.country) == (iban.normalised(PLAIN), "CH")
    assert AuditEntry.objects.get(what="club_changed").data == {"fields": ["billing"]}
    monkeypatch.setattr(iban, "fault_of", lambda _text: "")
    assert billing_account.billing_set(club=home.club, actor=None, values=VALUES | {"iban": "CH00"}).iban == "CH00"


@pytest.mark.django_db
def test_a_statement_equals_the_outstanding_payments_to_the_kitty(home: House) -> None:
    closed(home, FAILED, held_on=DAY - timedelta(days=40))
    closed(home, FAILED, held_on=DAY)
    closed(home, FAILED, held_on=DAY, pot="carry")
    bills = statements(home.club, PERIOD.first, PERIOD.last, main_names(home.club))
    page = reader(home.treasurer).get("/c/roessli/treasury/").context["holdings"]
    assert sum(statement.total_minor for statement in bills) == page.open_minor > 0
    assert any(statement.carried_minor for statement in bills)
    assert any(statement.period_minor for statement in bills)
    earlier = statements(home.club, PERIOD.first, PERIOD.first, main_names(home.club))
    assert sum(statement.total_minor for statement in earlier) == sum(statement.carried_minor for statement in bills)


ADDRESS = "/c/roessli/treasury/statements"


@pytest.mark.django_db
def test_the_pages_of_statements(home: House) -> None:
    client = reader(home.treasurer)
    assert client.get(f"{ADDRESS}.pdf").status_code == 422
    sent = VALUES | {"least_minor": "0.20"}
    assert client.post(f"{ADDRESS}/account/", sent | {"iban": "CH1"}).status_code == 422
    assert client.post(f"{ADDRESS}/account/", sent).status_code == 303
    assert client.get(f"{ADDRESS}.pdf").status_code == 404
    closed(home, FAILED, held_on=DAY)
    page = client.get(f"{ADDRESS}/?to=2026-11-30")
    rows = [statement for statement, billed, _said in page.context["rows"] if billed]
    pages = text_of(client.get(f"{ADDRESS}.pdf?to=2026-11-30").content)
    assert len(pages) == len(rows) > 0
    for statement, text in zip(rows, pages, strict=True):
        assert statement.name in text
        assert format_money(statement.total_minor) in text
    alone = client.get(f"{ADDRESS}.pdf?to=2026-11-30&player={rows[0].player_id}")
    assert (alone["Content-Type"], len(text_of(alone.content))) == ("application/pdf", 1)
    assert reader(home.member).get(f"{ADDRESS}/").status_code == 403
