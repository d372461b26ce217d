"""Bank statements (camt.053): read within limits, matched with bills, booked once."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from games.closing import bank_booking
from games.closing.bank_booking import bank_book
from games.closing.services import debts_mark
from league.errors import Refused
from league.models import AuditEntry, BankEntry, PaymentDay, Season
from league.payments.services import outstanding_payments
from league.treasury.balances import main_names
from league.treasury.bank_matching import State, match
from league.treasury.camt053 import MAX_BYTES, BankPayment, UnreadableStatement, read_statement
from league.treasury.iban import Referred, reference, referred
from league.treasury.statements import Statement, statements
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED
from tests.league.test_treasury import closed
from tests.page_forms import form_with

IBAN = "CH4431999123000889012"
LAST = timezone.localdate()
HELD_ON = LAST - timedelta(days=10)
PAID_ON = LAST - timedelta(days=3)

DETAIL = """<TxDtls><Refs><AcctSvcrRef>{number}</AcctSvcrRef></Refs>{amount}<CdtDbtInd>CRDT</CdtDbtInd>
<RltdPties><Dbtr>{payer}</Dbtr></RltdPties>
<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Prtry>QRR</Prtry></CdOrPrtry></Tp><Ref>{reference}</Ref></CdtrRefInf></Strd>
</RmtInf></TxDtls>"""
ENTRY = """<Ntry><NtryRef>{iban}</NtryRef><Amt Ccy="{currency}">{sum}</Amt><CdtDbtInd>{way}</CdtDbtInd>
<RvslInd>{reversal}</RvslInd><Sts>{status}</Sts><BookgDt><Dt>{day}</Dt></BookgDt><ValDt><Dt>2020-01-01</Dt></ValDt>
<AcctSvcrRef>{number}</AcctSvcrRef><NtryDtls>{details}</NtryDtls></Ntry>"""
DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.{version}"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
<Stmt><Id>S1</Id><Acct><Id><IBAN>CH9300762011623852957</IBAN></Id></Acct>{entries}</Stmt></BkToCstmrStmt></Document>"""


def entry(amounts: dict[str, int], *, version: str = "08", number: str = "B1", **more: Any) -> str:
    """Return an entry with a payment for each reference (the amounts are Rappen)."""
    currency = more.get("currency", "CHF")

    def detail(nth: int, text: str, amount_minor: int) -> str:
        own = f'<Amt Ccy="{currency}">{amount_minor / 100:.2f}</Amt>'
        if version == "04":
            own = f"<AmtDtls><TxAmt>{own}</TxAmt></AmtDtls>"
        payer = "<Pty><Nm>A. Muster</Nm></Pty>" if version == "08" else "<Nm>A. Muster</Nm>"
        return DETAIL.format(number=f"{number}-{nth}", amount=own, payer=payer, reference=text)

    values = {
        "iban": IBAN,
        "currency": currency,
        "sum": f"{sum(amounts.values()) / 100:.2f}",
        "way": "CRDT",
        "reversal": "false",
        "status": "<Cd>BOOK</Cd>" if version == "08" else "BOOK",
        "day": PAID_ON.isoformat(),
        "number": number,
        "details": "".join(detail(nth, *item) for nth, item in enumerate(amounts.items())),
    }
    return ENTRY.format(**(values | more))


def file(*entries: str, version: str = "08") -> bytes:
    return DOCUMENT.format(version=version, entries="".join(entries)).encode()


@pytest.fixture
def home() -> House:
    """A club in which somebody owes the kitty the pot of an evening."""
    home = cast().home
    closed(home, FAILED, held_on=HELD_ON)
    return home


def bills(home: House) -> list[Statement]:
    """Return the statements of those who owe the kitty."""
    candidates = statements(home.club, HELD_ON, LAST, main_names(home.club))
    return [statement for statement in candidates if statement.total_minor > 0]


def of(home: House, bill: Statement) -> str:
    return reference(IBAN, club_id=home.club.pk, player_id=bill.player_id, last=LAST)


def test_both_versions_are_read_alike_and_a_collective_entry_has_its_payments() -> None:
    for version in ("04", "08"):
        text = entry({"1" * 27: 1240, "RF18 5390 0754 7034": 5}, version=version)
        first, second = read_statement(file(text, entry({}, number="B2", way="DBIT"), version=version))[:2]
        assert first == BankPayment(
            "CH9300762011623852957", "B1-0", PAID_ON.isoformat(), 1240, "CHF", True, False, True, "1" * 27, "A. Muster"
        )
        assert (second.number, second.amount_minor, second.reference) == ("B1-1", 5, "RF18539007547034")


def test_hostile_and_other_files_are_refused() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>'
    document = file(entry({"1": 1})).decode()
    other = document.replace("camt.053.001.08", "camt.054.001.08").encode()
    deep = file("<a>" * 500 + "</a>" * 500)
    many = file("<a/>" * 400_000)
    cases = [
        (b"", "xml"), (b"PK\x03\x04", "xml"), (b"<a>", "kind"), (other, "kind"), (deep, "large"), (many, "large"),
        (document.replace("?>", f"?>{bomb}").encode(), "xml"), (document[:-20].encode(), "xml"),
        (b" " * (MAX_BYTES + 1), "large"), (document.replace("UTF-8", "no-such").encode(), "xml"),
    ]  # fmt: skip
    for content, code in cases:
        with pytest.raises(UnreadableStatement) as caught:
            read_statement(content)
        assert caught.value.code == code, content[:80]
    amounts = {"1": "1", "2": "2.5", "3": "1.234", "4": "-1", "5": "1e3", "6": "9" * 14, "7": "0.10000"}
    texts = [entry({"1": 1}, details="", sum=amount) for amount in amounts.values()]
    assert [bank_payment.amount_minor for bank_payment in read_statement(file(*texts))] == [
        100,
        250,
        None,
        None,
        None,
        None,
        10,
    ]


def test_a_reference_is_read_back() -> None:
    for iban in (IBAN, "CH9300762011623852957"):
        text = reference(iban, club_id=12, player_id=345, last=date(2026, 11, 20))
        assert referred(text) == Referred(12, 345, date(2026, 11, 20))
        wrong = text[:-1] + str((int(text[-1]) + 1) % 10)
        assert referred(wrong) is None
    assert referred("") is referred("RF18539007547034") is None


@pytest.mark.django_db
@pytest.mark.both_databases
def test_payments_are_matched_and_booked_once(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    bill = bills(home)[0]
    text, due = of(home, bill), bill.total_minor
    bank_payments = read_statement(
        file(entry({text: due}), entry({text: due}, number="B2"), entry({text: due}, number="B1"))
    )
    assert [bank_line.state for bank_line in match(home.club, bank_payments)] == ["matched", "nothing_due", "known"]
    key = uuid.uuid4()
    booked = bank_book(club=home.club, author=home.treasurer, key=key, payments=bank_payments[:1])
    assert (booked.count, booked.amount_minor) == (1, due)
    assert bank_book(club=home.club, author=home.treasurer, key=key, payments=bank_payments[:1]) == booked
    assert bill.player_id not in [statement.player_id for statement in bills(home)]
    assert set(PaymentDay.objects.values_list("day", flat=True)) == {PAID_ON}
    assert AuditEntry.objects.get(what="bank_booked").data == {"count": 1}
    for sent in (bank_payments[:1], bank_payments[1:2]):
        with pytest.raises(Refused) as caught:
            bank_book(club=home.club, author=home.treasurer, key=uuid.uuid4(), payments=sent)
        assert (caught.value.status, caught.value.code) == (409, "bank")
    # Also after the marks were taken back, as with other payments.
    marked = list(PaymentDay.objects.values_list("posting__source", flat=True))
    debts_mark(club=home.club, author=home.treasurer, key=uuid.uuid4(), numbers=marked, paid=False)
    assert [bank_line.state for bank_line in match(home.club, bank_payments)] == ["known", "matched", "known"]
    # Another request booked it after this one had compared the payments.
    first = match(home.club, bank_payments)[0]
    monkeypatch.setattr(bank_booking, "match", lambda _club, _found: [replace(first, state=State.MATCHED)])
    with pytest.raises(Refused) as caught:
        bank_book(club=home.club, author=home.treasurer, key=uuid.uuid4(), payments=bank_payments[:1])
    assert (caught.value.status, caught.value.code) == (409, "bank")
    row = BankEntry.objects.get()
    row.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save()


@pytest.mark.django_db
@pytest.mark.usefixtures("en")
def test_all_others_say_why_they_are_not_booked(home: House) -> None:
    bill = bills(home)[0]
    text, due = of(home, bill), bill.total_minor
    other_club = reference(IBAN, club_id=home.club.pk + 1, player_id=bill.player_id, last=LAST)
    early = reference(IBAN, club_id=home.club.pk, player_id=bill.player_id, last=HELD_ON - timedelta(days=1))
    entries = {
        "other_amount": entry({text: due + 5}, number="1"),
        "currency": entry({text: due}, number="2", currency="EUR"),
        "reversal": entry({text: due}, number="3", reversal="true", way="DBIT", details=""),
        "not_booked": entry({text: due}, number="4", status="<Cd>PDNG</Cd>"),
        "day": entry({text: due}, number="5", day=(HELD_ON - timedelta(days=1)).isoformat()),
        "unknown": entry({other_club: due}, number="6"),
        "nothing_due": entry({early: due}, number="7"),
    }
    lines = match(home.club, read_statement(file(*entries.values(), entry({text: due}, way="DBIT", details=""))))
    assert [bank_line.state for bank_line in lines] == list(entries)
    assert all(bank_line.sentence.endswith(".") for bank_line in lines)
    tomorrow = (timezone.localdate() + timedelta(days=1)).isoformat()
    [line] = match(home.club, read_statement(file(entry({text: due}, day=tomorrow))))
    assert (line.state, "to come" in line.sentence) == ("day", True)
    Season.objects.filter(pk=home.season.pk).update(closed_at=timezone.now(), starts_on=HELD_ON, ends_on=None)
    [line] = match(home.club, read_statement(file(entry({text: due}))))
    assert line.state == "day"
    assert "closed season" in line.sentence


@pytest.mark.django_db
@pytest.mark.usefixtures("en")
def test_the_page_shows_the_payments_and_books_the_ticked_ones(home: House) -> None:
    client, url = reader(home.treasurer), reverse("treasury-bank", kwargs={"club": home.club.slug})
    entries = [entry({of(home, bill): bill.total_minor}, number=str(n)) for n, bill in enumerate(bills(home))]
    sent = SimpleUploadedFile("camt.xml", file(*entries, entry({"1": 5}, number="x")))
    page = client.post(url, {"file": sent})
    assert page.status_code == 200
    assert "No reference of a bill of this club." in page.content.decode()
    assert not BankEntry.objects.exists()
    form = form_with(page, "shown")
    form.control("payment", "0").sent = False
    assert "at least one payment" in form.submit(client, "Book the ticked ones").content.decode()
    form.tick("payment", 0)
    assert form.submit(client, "Book the ticked ones").status_code == 303
    assert BankEntry.objects.count() == len(entries)
    assert not outstanding_payments(home.club).filter(payee__kind="kitty").exists()
    # What was shown to one person is no request of another one.
    form.control("key").value = str(uuid.uuid4())
    for person, status in ((home.treasurer, 409), (home.owner, 422), (home.recorder, 403)):
        assert form.submit(reader(person), "Book the ticked ones").status_code == status
    # The body may be larger than that of other pages, and the file not larger than the reader takes.
    for content, status in ((b"<a/>", 422), (b" " * 200_000, 422), (b" " * (MAX_BYTES + 1), 413)):
        answer = client.post(url, {"file": SimpleUploadedFile("camt.xml", content)})
        assert answer.status_code == status
    assert client.post(url, {}).status_code == 422
