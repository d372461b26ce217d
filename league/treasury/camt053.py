"""Read a bank statement (ISO 20022, camt.053.001.04 and .08): bytes to plain data. Uses neither Django nor a database.

Nothing of a file is trusted. Document types and entities are refused; size, depth, and the numbers of elements and
payments are limited. The time is proportional to the size.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from typing import Any

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 40
MAX_ELEMENTS = 300_000
MAX_PAYMENTS = 5_000
MAX_TEXT = 140
MOST_MINOR = 10**12
"""The largest amount that is read: ten thousand million francs."""
KNOWN = re.compile(r"\{urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(04|08)\}Document")
AMOUNT = re.compile(r"([0-9]{1,13})(?:\.([0-9]{1,5}))?")
DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T+Z].*)?")


class UnreadableStatement(Exception):
    """The file is no bank statement that can be read. `code` says why: `large`, `kind` (another kind of file) or `xml`
    (not well-formed, or with a document type)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class BankPayment:
    """One payment of a statement: an entry, or one of the payments that an entry adds up.

    `number` is the bank's number of the payment; where it has none, that of the statement with the place in it. `day`
    is the day of booking, else of the value, as `2026-11-20`; `amount_minor` is in hundredths of the currency, None if
    it cannot be read. `incoming`: the account got it. `reversal`: an earlier payment is taken back. `booked`: the bank
    has booked it, not only announced it. `reference` is the structured one without spaces, `payer` the name of who
    paid.
    """

    iban: str
    number: str
    day: str
    amount_minor: int | None
    currency: str
    incoming: bool
    reversal: bool
    booked: bool
    reference: str = ""
    payer: str = ""


def read_statement(content: bytes) -> list[BankPayment]:
    """Return the payments of all statements of a file, in their order.

    Raises:
        UnreadableStatement: a file that is too large, that is no camt.053 of these versions, or that is no valid XML.
    """
    if len(content) > MAX_BYTES:
        raise UnreadableStatement("large")
    bank_payments: list[BankPayment] = []
    for statement in _statements(content):
        iban = _text(statement, "Acct/Id/IBAN").replace(" ", "")
        named = _text(statement, "Id")
        for place, entry in enumerate(statement.entries):
            bank_payments += _payments(entry, iban, f"{named}/{place}")
            if len(bank_payments) > MAX_PAYMENTS:
                raise UnreadableStatement("large")
    return bank_payments


@dataclass
class _Node:
    """An element without its namespace. `entries` are the entries of a statement."""

    tag: str
    text: str = ""
    currency: str = ""
    nodes: list[_Node] = field(default_factory=list)
    entries: list[_Node] = field(default_factory=list)


def _statements(content: bytes) -> list[_Node]:
    """Return the statements of a file as trees, within the limits."""
    open_nodes: list[_Node] = []
    statements: list[_Node] = []
    count = 0
    try:
        reader: Any = ElementTree.iterparse(
            io.BytesIO(content), events=("start", "end"), forbid_dtd=True, forbid_entities=True, forbid_external=True
        )
        for event, element in reader:
            if event == "start":
                count += 1
                if not open_nodes and not KNOWN.fullmatch(element.tag):
                    raise UnreadableStatement("kind")
                if len(open_nodes) >= MAX_DEPTH or count > MAX_ELEMENTS:
                    raise UnreadableStatement("large")
                open_nodes.append(_Node(element.tag.rpartition("}")[2]))
                continue
            node = open_nodes.pop()
            node.text, node.currency = (element.text or "").strip()[:MAX_TEXT], element.get("Ccy", "")[:3]
            element.clear()
            if open_nodes:
                parent = open_nodes[-1]
                (parent.entries if node.tag == "Ntry" else parent.nodes).append(node)
            if node.tag == "Stmt":
                statements.append(node)
    except (ElementTree.ParseError, DefusedXmlException, ValueError, LookupError) as fault:
        raise UnreadableStatement("xml") from fault
    return statements


def _payments(entry: _Node, iban: str, place: str) -> list[BankPayment]:
    """Return the payments of an entry: its details, where it has them, else the entry itself."""
    details = [detail for group in _all(entry, "NtryDtls") for detail in _all(group, "TxDtls")]
    own = _text(entry, "AcctSvcrRef") or _text(entry, "NtryRef") or place
    if len(details) < 2:
        return [_payment(entry, details[0] if details else None, iban, own)]
    return [_payment(entry, detail, iban, f"{own}/{nth}", shared=True) for nth, detail in enumerate(details)]


def _payment(entry: _Node, detail: _Node | None, iban: str, number: str, *, shared: bool = False) -> BankPayment:
    """Return one payment. `shared`: the amount of the entry is the sum of several ones."""
    amount = None
    if detail is not None:
        number = _text(detail, "Refs/AcctSvcrRef") or number
        amount = _first(detail, "Amt") or _first(detail, "AmtDtls/TxAmt/Amt")
    if amount is None and not shared:
        amount = _first(entry, "Amt")
    ways = [node for node in (detail, entry) if node is not None]
    way = next((text for node in ways if (text := _text(node, "CdtDbtInd"))), "")
    status = _text(entry, "Sts/Cd") or _text(entry, "Sts")
    return BankPayment(
        iban=iban,
        number=number,
        day=_day(entry, "BookgDt") or _day(entry, "ValDt"),
        amount_minor=_minor(amount.text) if amount is not None else None,
        currency=amount.currency if amount is not None else "",
        incoming=way == "CRDT",
        reversal=_text(entry, "RvslInd").lower() in ("true", "1"),
        booked=status == "BOOK",
        reference=_reference(detail),
        payer=_payer(detail),
    )


def _reference(detail: _Node | None) -> str:
    if detail is None:
        return ""
    references = (_text(node, "CdtrRefInf/Ref") for node in _all(detail, "RmtInf/Strd"))
    return re.sub(r"\s", "", next(filter(None, references), "")).upper()


def _payer(detail: _Node | None) -> str:
    """Return the name of who paid: version 08 has a party within the debtor."""
    if detail is None:
        return ""
    return _text(detail, "RltdPties/Dbtr/Pty/Nm") or _text(detail, "RltdPties/Dbtr/Nm")


def _day(entry: _Node, name: str) -> str:
    match = DAY.fullmatch(_text(entry, f"{name}/Dt") or _text(entry, f"{name}/DtTm"))
    return match.group(1) if match else ""


def _minor(text: str) -> int | None:
    """Return an amount as hundredths; None if it is no number, or has smaller parts."""
    match = AMOUNT.fullmatch(text)
    if match is None:
        return None
    parts = (match.group(2) or "").ljust(2, "0")
    if parts[2:].strip("0"):
        return None
    amount = int(match.group(1)) * 100 + int(parts[:2])
    return amount if amount <= MOST_MINOR else None


def _all(node: _Node, path: str) -> list[_Node]:
    """Return all nodes at a path."""
    nodes = [node]
    for name in path.split("/"):
        nodes = [child for each in nodes for child in each.nodes if child.tag == name]
    return nodes


def _first(node: _Node, path: str) -> _Node | None:
    return next(iter(_all(node, path)), None)


def _text(node: _Node, path: str) -> str:
    child = _first(node, path)
    return child.text if child is not None else ""
