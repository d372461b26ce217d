"""A player says that a hand was not so. What was written stays until somebody who records puts it right; the words of
the player stand beside it until the player takes them back, or whoever records settles the matter.

Rows are append-only; the newest of a player and hand holds.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Exists, IntegerField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from league.models import Club, Evening, User
from league.submissions import Repeated, submit

from . import logged, recording
from .errors import Refused, key_reused
from .models import Dispute, Hand, Revision, Table

MAX_TEXT = 300


@dataclass(frozen=True)
class Said:
    """What a player says of a hand, and what became of it; `open` while nobody has ended it."""

    player_id: int
    name: str
    text: str
    at: datetime
    open: bool
    ended: str
    answer: str
    answered_at: datetime | None
    by: str


# --- What is done ------------------------------------------------------------------------------------------


def dispute_raise(
    *, table: Table, number: int, player_id: int, author: User | None, key: uuid.UUID, text: str
) -> Dispute:
    """Say that a hand was not so, for a player who sat in it. Whether the author is that player is for the gate.

    Raises:
        Refused: 404 for a hand that is not there; 409 where it was taken back, where the player did not sit in it or
            disputes it already; 422 without words, or for a key that was used for something else.
    """
    said = text.strip()
    if not said or len(said) > MAX_TEXT:
        sentence = _("Say in 1 to %(max)d characters what it was like.") % {"max": MAX_TEXT}
        raise Refused(status=422, code="text", sentence=sentence, at="text")
    return _write(table, number, player_id, Dispute.Kind.RAISED, author, key, said)


def dispute_withdraw(*, table: Table, number: int, player_id: int, author: User | None, key: uuid.UUID) -> Dispute:
    """The player says that it was so after all.

    Raises:
        Refused: 404 for a hand that is not there; 409 where the player disputes nothing; 422 for a key that was used
            for something else.
    """
    return _write(table, number, player_id, Dispute.Kind.WITHDRAWN, author, key, "")


def dispute_settle(
    *, table: Table, number: int, player_id: int, author: User | None, key: uuid.UUID, text: str = ""
) -> Dispute:
    """Whoever records says that the matter is settled: the hand was put right, or stays, with a word why.

    Raises:
        Refused: as `dispute_withdraw` does; also 422 for a text that is too long.
    """
    said = text.strip()
    if len(said) > MAX_TEXT:
        sentence = _("Say it in %(max)d characters at most.") % {"max": MAX_TEXT}
        raise Refused(status=422, code="text", sentence=sentence, at="text")
    return _write(table, number, player_id, Dispute.Kind.SETTLED, author, key, said)


def _write(
    table: Table, number: int, player_id: int, kind: str, author: User | None, key: uuid.UUID, text: str
) -> Dispute:
    digest = recording.body_hash(["dispute", table.pk, number, player_id, kind, text])
    try:
        with transaction.atomic():
            claimed = submit(club_id=table.evening.club_id, key=key, body_hash=digest, author=author)
            # One at a time for a hand, so that of two at once the second sees the first.
            hand = Hand.objects.select_for_update().filter(table=table, number=number).first()
            revision = hand.revisions.order_by("-number").first() if hand else None
            if hand is None or revision is None:
                raise Refused(status=404, code="hand", sentence=_("There is no such hand here."), at="number")
            _check(hand, revision, player_id, kind)
            dispute = Dispute.objects.create(
                hand=hand,
                revision=revision.number,
                player_id=player_id,
                kind=kind,
                text=text,
                submission=claimed,
                author=author,
            )
            logged.hand_disputed(dispute, table)
    except Repeated as repeated:
        found = Dispute.objects.filter(submission=repeated.submission).first()
        if found is None or repeated.submission.body_hash != digest:
            raise key_reused() from None
        return found
    return dispute


def _check(hand: Hand, revision: Revision, player_id: int, kind: str) -> None:
    newest = Dispute.objects.filter(hand=hand, player_id=player_id).order_by("-created_at").first()
    stands = newest is not None and newest.kind == Dispute.Kind.RAISED
    if kind != Dispute.Kind.RAISED:
        if not stands:
            sentence = _("Nothing is disputed there any more.")
            raise Refused(status=409, code="settled", sentence=sentence)
        return
    if stands:
        sentence = _("You dispute this hand already. Take that back first to say something else.")
        raise Refused(status=409, code="disputed", sentence=sentence)
    if revision.kind == Revision.Kind.VOIDED:
        raise Refused(status=409, code="voided", sentence=_("This hand was taken back: it counts for nobody."))
    if not revision.seats.filter(player_id=player_id).exists():
        sentence = _("Only who sat in the hand can say that it was not so.")
        raise Refused(status=409, code="absent", sentence=sentence, at="player")


# --- What is read ------------------------------------------------------------------------------------------


def open_disputes() -> QuerySet[Dispute]:
    """Those that nobody has ended, oldest first."""
    newer = Dispute.objects.filter(
        hand=OuterRef("hand"), player=OuterRef("player"), created_at__gt=OuterRef("created_at")
    )
    return Dispute.objects.filter(~Exists(newer), kind=Dispute.Kind.RAISED).order_by("created_at")


def open_of_club(club: Club) -> QuerySet[Dispute]:
    """A club's open disputes with hand, table, evening and player, oldest first. One query."""
    found = open_disputes().filter(hand__table__evening__club=club)
    return found.select_related("hand__table__evening__season", "player")


def said_count() -> Coalesce:
    """For a query of evenings: how often something was said of their hands."""
    rows = Dispute.objects.filter(hand__table__evening=OuterRef("pk")).order_by()
    counted = rows.values("hand__table__evening").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), Value(0))


def open_of_evening(evening: Evening) -> list[Dispute]:
    """An evening's open disputes with hand and player, oldest first. One query."""
    found = open_disputes().filter(hand__table__evening=evening)
    return list(found.select_related("hand", "player"))


def said_of(hand_id: uuid.UUID) -> list[Said]:
    """What was said of a hand, oldest first, each with what became of it. One query."""
    rows = Dispute.objects.filter(hand=hand_id).select_related("player", "author").order_by("created_at")
    found: dict[int, list[Dispute]] = {}
    for row in rows:
        found.setdefault(row.player_id, []).append(row)
    told = [one for of_player in found.values() for one in _paired(of_player)]
    return sorted(told, key=lambda one: one.at)


def _paired(rows: Sequence[Dispute]) -> list[Said]:
    told = []
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        if row.kind != Dispute.Kind.RAISED:
            continue
        told.append(
            Said(
                player_id=row.player_id,
                name=row.player.nickname,
                text=row.text,
                at=row.created_at,
                open=after is None,
                ended=str(after.kind) if after else "",
                answer=after.text if after else "",
                answered_at=after.created_at if after else None,
                by=str(after.author) if after and after.author else "",
            )
        )
    return told


def own_in(player_ids: Collection[int], seated: Sequence[int]) -> int | None:
    """Which of one's own players sat in a hand, if any: a person sits once."""
    return next((player for player in seated if player in player_ids), None)
