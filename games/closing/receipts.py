"""The receipts of evenings and their hash chain.

A receipt is the content of an evening when it was closed, as canonical JSON, and a digest over this content and the
digest of the club's receipt before it. A player can compare a receipt with the stored data later.

`content` has: club, evening, closing, players (by id), tables (hands and happenings), pot, sums, paid, payments; of a
tournament's round also the sheets that counted (`round_result.stored`). Ledger accounts are named `p12` (a player's),
`box`, `kitty`; amounts are Rappen, of a round chips. The parts in `COMPARED` must stay equal; names may change.
In place of a name the content has the SHA-256 of a salt and the name; both are stored beside it
(`ReceiptName`), so that a player can be forgotten without breaking the chain.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from django.core import signing

from league.models import Account, Closing, Evening, Payment, Player, Receipt, ReceiptName
from league.payments import services as payments

from .. import engine_bridge
from ..hands import selectors
from ..models import Happening, Table
from . import round_result
from .round_result import TableSheet

VERSION = 2
SALT = "chratzete.receipt"
COMPARED = ("evening", "tables", "pot", "sums", "paid", "payments", "sheets")

Content = dict[str, Any]


def canonical(content: Mapping[str, Any]) -> str:
    """The JSON text of a content, independent of the order of its keys."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest_of(content: Mapping[str, Any], before: str) -> str:
    """SHA-256, in hex, of the digest before it (empty for a club's first receipt) and the content."""
    return hashlib.sha256((before + canonical(content)).encode()).hexdigest()


def before(receipt: Receipt) -> str:
    """The digest of the club's receipt before this one; empty for the first."""
    earlier = Receipt.objects.filter(club_id=receipt.club_id, number=receipt.number - 1)
    return earlier.values_list("digest", flat=True).first() or ""


def seal(closing: Closing, *, evening: Evening, present: Sequence[int], sheets: Sequence[TableSheet] = ()) -> Receipt:
    """Store the receipt of a new closing. The caller has locked the club's row, so that the chain has no fork."""
    newest = Receipt.objects.filter(club_id=evening.club_id).order_by("-number").only("number", "digest").first()
    content = content_of(closing, evening=evening, present=present, sheets=sheets)
    salted = {player: (secrets.token_hex(16), name) for player, name in content["players"].items()}
    content["players"] = {player: committed(salt, name) for player, (salt, name) in salted.items()}
    receipt = Receipt.objects.create(
        closing=closing,
        club_id=evening.club_id,
        number=newest.number + 1 if newest else 1,
        content=content,
        digest=digest_of(content, newest.digest if newest else ""),
    )
    ReceiptName.objects.bulk_create(
        ReceiptName(receipt=receipt, player_id=int(player), name=name, salt=salt)
        for player, (salt, name) in salted.items()
    )
    return receipt


def committed(salt: str, name: str) -> str:
    """The SHA-256, in hex, of a random salt (hex) and a name: the receipt has it in place of the name."""
    return hashlib.sha256((salt + name).encode()).hexdigest()


def readable(receipt: Receipt) -> Content:
    """The content with the names of its day in `players`; a player forgotten since has a number. Two queries."""
    names = {str(row.player_id): row.name for row in receipt.names.all()}
    lost = [int(player) for player in receipt.content["players"] if player not in names]
    now = Player.objects.filter(pk__in=lost).values_list("pk", "nickname") if lost else ()
    content: Content = receipt.content
    return content | {"players": names | {str(player): name for player, name in now}}


def names_agree(receipt: Receipt) -> bool:
    """Return True if the stored names are those that were sealed."""
    sealed = receipt.content["players"]
    return all(committed(row.salt, row.name) == sealed.get(str(row.player_id)) for row in receipt.names.all())


def present_at(closing: Closing) -> list[int]:
    """Ids of the players among whom the pot of a closing was shared."""
    content: Content = Receipt.objects.values_list("content", flat=True).get(closing=closing)
    return list(content["pot"]["present"])


def sheets_of(closing: Closing) -> list[TableSheet]:
    """The sheets that counted when a round was closed."""
    content: Content = Receipt.objects.values_list("content", flat=True).get(closing=closing)
    return round_result.read(content)


def content_now(closing: Closing, *, evening: Evening, sealed: Content) -> Content:
    """The content of this closing's receipt from the data stored now. The players who shared the pot and the sheets
    that
    counted are taken from the `sealed` content."""
    present = sealed["pot"]["present"]
    return content_of(closing, evening=evening, present=present, sheets=round_result.read(sealed))


def content_of(
    closing: Closing, *, evening: Evening, present: Sequence[int], sheets: Sequence[TableSheet] = ()
) -> Content:
    """Build the content of this closing's receipt from the data stored now, with plain names."""
    tables = selectors.evening_hands(evening)
    accounts = payments.sums(evening)
    earlier = Payment.objects.filter(closing__evening=evening, closing__number__lt=closing.number)
    paid = payments.only_paid(earlier).order_by("closing__number", "number")
    due = closing.payments.select_related("payer", "payee").order_by("number")
    names = {
        account_sum.account.player_id: str(account_sum.account.player)
        for account_sum in accounts
        if account_sum.account.player_id
    }
    names |= {p: n for _, hands in tables for hand in hands for p, n in zip(hand.player_ids, hand.names, strict=True)}
    return {
        "version": VERSION,
        "club": {"slug": evening.club.slug, "name": evening.club.name},
        "evening": _evening(evening),
        "closing": {
            "id": str(closing.pk),
            "number": closing.number,
            "kind": str(closing.kind),
            "at": closing.created_at.astimezone(UTC).isoformat(),
        },
        "players": {str(player): name for player, name in sorted(names.items())},
        "tables": [_table(table, hands) for table, hands in tables],
        "pot": _round_pot(closing, sheets) if evening.season.in_chips else _pot(closing, present),
        "sums": {label(account_sum.account): account_sum.won_minor for account_sum in accounts},
        "paid": [_payment(payment) for payment in paid],
        "payments": [_payment(payment) for payment in due],
        **({"sheets": round_result.stored(sheets)} if evening.season.in_chips else {}),
    }


def label(account: Account) -> str:
    """The name of a ledger account in a receipt."""
    return f"p{account.player_id}" if account.player_id else str(account.kind)


def account_named(content: Mapping[str, Any], label: str) -> Account:
    """The ledger account with this `label` in a content with names, for a sentence; it is not read from the
    database."""
    if label[0] == "p" and label[1:].isdecimal():
        player = Player(pk=int(label[1:]), nickname=content["players"][label[1:]])
        return Account(kind=Account.Kind.PLAYER, player=player)
    return Account(kind=label)


def _evening(evening: Evening) -> Content:
    return {
        "id": evening.pk,
        "season": evening.season_id,
        "number": evening.number,
        "held_on": evening.held_on.isoformat(),
        "game": evening.game,
        "rules": {"version": evening.house_rules.version, "values": dict(evening.house_rules.values)},
    }


def _table(table: Table, hands: Sequence[selectors.HandView]) -> Content:
    happenings = Happening.objects.filter(table=table).order_by("created_at", "pk")
    return {
        "number": table.number,
        "hands": [_hand(hand) for hand in reversed(hands) if not hand.voided],
        "happenings": [
            {"after": happening.after, "kind": str(happening.kind), "data": happening.data} for happening in happenings
        ],
    }


def _hand(hand: selectors.HandView) -> Content:
    return {
        "number": hand.number,
        "players": list(hand.player_ids),
        "dealer": hand.record["dealer"],
        "outcome": hand.outcome,
        "declarer": hand.declarer,
        "joiners": list(hand.joiners),
        "failed": list(hand.failed),
        "deltas": list(hand.deltas),
        "pot": hand.pot,
        "pot_after": hand.pot_after,
        # A digest of the whole record, cards and cuts included.
        "record": engine_bridge.body_hash(hand.record),
    }


def _pot(closing: Closing, present: Sequence[int]) -> Content:
    posting = closing.posting
    moved = list(posting.transfers.select_related("to_account").order_by("pk")) if posting else []
    shares: dict[str, int] = {}
    for transfer in moved:
        to = label(transfer.to_account)
        shares[to] = shares.get(to, 0) + transfer.amount_minor
    return {"way": str(closing.pot), "present": sorted(present), "amount": sum(shares.values()), "to": shares}


def _round_pot(closing: Closing, sheets: Sequence[TableSheet]) -> Content:
    shares = round_result.shares(closing, sheets)
    to = {f"p{player}": chips for player, chips in shares.items()}
    return {"way": str(closing.pot), "present": [], "amount": sum(shares.values()), "to": to}


def _payment(payment: Payment) -> list[Any]:
    return [label(payment.payer), label(payment.payee), payment.amount_minor]


# --- Compare a receipt with the stored data ---------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """A difference between a receipt and the stored data: the `part` of the content, and the hand where it is one.

    `was` and `now` are the two contents, None where there is none.
    """

    part: str
    table: int = 0
    number: int = 0
    was: Any = None
    now: Any = None


@dataclass(frozen=True)
class Check:
    """A receipt compared with the stored data. `before` is the digest of the club's receipt before it; `sealed`:
    digest,
    content and both neighbours in the chain agree.

    `newer` is the receipt that replaced it; `opened`: the evening was opened again and has no valid receipt.
    """

    before: str
    sealed: bool
    opened: bool
    newer: Receipt | None
    differences: tuple[Difference, ...]

    @property
    def agrees(self) -> bool:
        """Return True if the receipt agrees with the data stored now."""
        return self.sealed and not self.opened and not self.differences


def check(receipt: Receipt, evening: Evening) -> Check:
    """Check the seal of a receipt, and compare its content with the data stored now."""
    earlier = before(receipt)
    ends = Closing.objects.filter(evening=evening).exclude(kind=Closing.Kind.CASHED)
    newest = ends.select_related("posting", "receipt").order_by("-number").first()
    if newest is None or newest.kind == Closing.Kind.REOPENED:
        return Check(earlier, is_sealed(receipt, earlier), True, None, ())
    newer = newest.receipt if newest.pk != receipt.closing_id else None
    now = content_now(newest, evening=evening, sealed=newest.receipt.content)
    return Check(earlier, is_sealed(receipt, earlier), False, newer, tuple(differences(receipt.content, now)))


def is_sealed(receipt: Receipt, earlier: str | None = None) -> bool:
    """Return True if the digest fits the content and the `earlier` one (None: it is read), and the club's next receipt
    continues the chain from this one."""
    if digest_of(receipt.content, before(receipt) if earlier is None else earlier) != receipt.digest or not names_agree(
        receipt
    ):
        return False
    after = Receipt.objects.filter(club_id=receipt.club_id, number=receipt.number + 1).first()
    return after is None or digest_of(after.content, receipt.digest) == after.digest


def differences(was: Content, now: Content) -> Iterator[Difference]:
    """Yield the differences between two contents of an evening."""
    for part in COMPARED:
        if was.get(part) == now.get(part):
            continue
        if part == "tables":
            yield from _table_differences(was[part], now[part])
        else:
            yield Difference(part, was=was.get(part), now=now.get(part))


def _table_differences(was: Sequence[Content], now: Sequence[Content]) -> Iterator[Difference]:
    before_, after = ({row["number"]: row for row in tables} for tables in (was, now))
    for table in sorted(before_.keys() | after.keys()):
        empty: Content = {"hands": [], "happenings": []}
        earlier, other = before_.get(table, empty), after.get(table, empty)
        old, new = ({hand["number"]: hand for hand in side["hands"]} for side in (earlier, other))
        for number in sorted(old.keys() | new.keys()):
            if old.get(number) != new.get(number):
                yield Difference("hand", table, number, old.get(number), new.get(number))
        if earlier["happenings"] != other["happenings"]:
            yield Difference("happenings", table)


# --- Links for participants --------------------------------------------------------------------------------


def token_for(closing_id: uuid.UUID, player_id: int) -> str:
    """The last part of the address of a participant's receipt: signed, valid for ever."""
    return signing.Signer(salt=SALT, sep=".").sign(f"{closing_id.hex}{player_id}")


def read_token(token: str) -> tuple[uuid.UUID, int]:
    """Closing and player of a link. Raises `signing.BadSignature` where this server did not sign it."""
    value = signing.Signer(salt=SALT, sep=".").unsign(token)
    return uuid.UUID(value[:32]), int(value[32:])


def receipt_of_link(token: str) -> tuple[Receipt, int] | None:
    """The receipt of a link, with its evening and club, and the player of the link; None where there is none."""
    try:
        closing, player = read_token(token)
    except (signing.BadSignature, ValueError):
        return None
    receipts = Receipt.objects.select_related(
        "closing__evening__house_rules", "closing__evening__season", "closing__evening__club", "club"
    ).prefetch_related("names")
    receipt = receipts.filter(pk=closing).first()
    return (receipt, player) if receipt is not None and str(player) in receipt.content["players"] else None
