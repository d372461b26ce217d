"""Disputes: a player reports a wrong record of a hand. The hand stays as it is until a recorder corrects it; the
dispute stays unsettled until the player withdraws it or a recorder settles it.

Rows are append-only; the newest row of a player and hand is valid.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, IntegerField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from league import news
from league.ledger.idempotency import submit_once
from league.models import Club, Evening, Submission, User

from .. import engine_bridge
from ..errors import Refused
from ..events import audit_log
from ..models import Dispute, Hand, Revision, Table

MAX_TEXT = 300


@dataclass(frozen=True)
class DisputeView:
    """A dispute with its end: `unsettled` until it was withdrawn or settled (`ended` is then the kind of that row)."""

    player_id: int
    name: str
    text: str
    at: datetime
    unsettled: bool
    ended: str
    answer: str
    answered_at: datetime | None
    by: str


# --- Writes ------------------------------------------------------------------------------------------------


def dispute_raise(
    *, table: Table, number: int, player_id: int, author: User | None, key: uuid.UUID, text: str
) -> Dispute:
    """Raise a dispute for a player who sat in the hand. The gate checks that the author is that player.

    Raises:
        Refused: 404 if there is no such hand; 409 if it is voided, if the player did not sit in it or already disputes
            it; 422 for an empty or too long text, or for a key that was used for another request.
    """
    stripped = text.strip()
    if not stripped or len(stripped) > MAX_TEXT:
        sentence = _("Say in 1 to %(max)d characters how it was.") % {"max": MAX_TEXT}
        raise Refused(status=422, code="text", sentence=sentence, at="text")
    return _write(table, number, player_id, Dispute.Kind.RAISED, author, key, stripped)


def dispute_withdraw(*, table: Table, number: int, player_id: int, author: User | None, key: uuid.UUID) -> Dispute:
    """Withdraw the dispute of a player.

    Raises:
        Refused: 404 if there is no such hand; 409 if the player does not dispute it; 422 for a key that was used for
            another request.
    """
    return _write(table, number, player_id, Dispute.Kind.WITHDRAWN, author, key, "")


def dispute_settle(
    *, table: Table, number: int, player_id: int, author: User | None, key: uuid.UUID, text: str = ""
) -> Dispute:
    """Settle the dispute of a player, for a recorder: the hand was corrected, or stays, with an answer.

    Raises:
        Refused: as `dispute_withdraw` does; also 422 for a text that is too long.
    """
    stripped = text.strip()
    if len(stripped) > MAX_TEXT:
        sentence = _("Say it in %(max)d characters at most.") % {"max": MAX_TEXT}
        raise Refused(status=422, code="text", sentence=sentence, at="text")
    return _write(table, number, player_id, Dispute.Kind.SETTLED, author, key, stripped)


def _write(
    table: Table, number: int, player_id: int, kind: str, author: User | None, key: uuid.UUID, text: str
) -> Dispute:
    return submit_once(
        club_id=table.evening.club_id,
        key=key,
        body_hash=engine_bridge.body_hash(["dispute", table.pk, number, player_id, kind, text]),
        author=author,
        write=lambda submission: _store(table, number, player_id, kind, author, submission, text),
        stored=lambda first: Dispute.objects.get(submission=first),
    )


def _store(
    table: Table, number: int, player_id: int, kind: str, author: User | None, submission: Submission, text: str
) -> Dispute:
    # The row of the hand is locked, so that the second of two at once sees the first.
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
        submission=submission,
        author=author,
    )
    audit_log.hand_disputed(dispute, table)
    news.tell(f"evening:{table.evening_id}")
    return dispute


def _check(hand: Hand, revision: Revision, player_id: int, kind: str) -> None:
    newest = Dispute.objects.filter(hand=hand, player_id=player_id).order_by("-created_at").first()
    is_unsettled = newest is not None and newest.kind == Dispute.Kind.RAISED
    if kind != Dispute.Kind.RAISED:
        if not is_unsettled:
            sentence = _("Nothing is disputed there any more.")
            raise Refused(status=409, code="settled", sentence=sentence)
        return
    if is_unsettled:
        sentence = _("You already dispute this hand. Withdraw that first to say something else.")
        raise Refused(status=409, code="disputed", sentence=sentence)
    if revision.kind == Revision.Kind.VOIDED:
        raise Refused(status=409, code="voided", sentence=_("This hand was undone: it counts for nobody."))
    if not revision.seats.filter(player_id=player_id).exists():
        sentence = _("Only those who sat in the hand can dispute it.")
        raise Refused(status=409, code="absent", sentence=sentence, at="player")


# --- Reads -------------------------------------------------------------------------------------------------


def unsettled_disputes() -> QuerySet[Dispute]:
    """All unsettled disputes, oldest first."""
    newer = Dispute.objects.filter(
        hand=OuterRef("hand"), player=OuterRef("player"), created_at__gt=OuterRef("created_at")
    )
    return Dispute.objects.filter(~Exists(newer), kind=Dispute.Kind.RAISED).order_by("created_at")


def unsettled_of_club(club: Club) -> QuerySet[Dispute]:
    """A club's unsettled disputes with hand, table, evening and player, oldest first. One query."""
    disputes = unsettled_disputes().filter(hand__table__evening__club=club)
    return disputes.select_related("hand__table__evening__season", "player")


def disputes_count() -> Coalesce:
    """For a query of evenings: the number of dispute rows of their hands, which is part of a page's ETag."""
    rows = Dispute.objects.filter(hand__table__evening=OuterRef("pk")).order_by()
    counted = rows.values("hand__table__evening").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), Value(0))


def unsettled_of_evening(evening: Evening) -> list[Dispute]:
    """An evening's unsettled disputes with hand and player, oldest first. One query."""
    disputes = unsettled_disputes().filter(hand__table__evening=evening)
    return list(disputes.select_related("hand", "player"))


def disputes_of(hand_id: uuid.UUID) -> list[DisputeView]:
    """The disputes of a hand, oldest first, each with its end. One query."""
    rows = Dispute.objects.filter(hand=hand_id).select_related("player", "author").order_by("created_at")
    by_player: dict[int, list[Dispute]] = {}
    for row in rows:
        by_player.setdefault(row.player_id, []).append(row)
    views = [view for of_player in by_player.values() for view in _paired(of_player)]
    return sorted(views, key=lambda view: view.at)


def _paired(rows: Sequence[Dispute]) -> list[DisputeView]:
    views = []
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        if row.kind != Dispute.Kind.RAISED:
            continue
        views.append(
            DisputeView(
                player_id=row.player_id,
                name=row.player.nickname,
                text=row.text,
                at=row.created_at,
                unsettled=after is None,
                ended=str(after.kind) if after else "",
                answer=after.text if after else "",
                answered_at=after.created_at if after else None,
                by=str(after.author) if after and after.author else "",
            )
        )
    return views


def own_in(player_ids: Collection[int], seated: Sequence[int]) -> int | None:
    """The one of a person's players (`player_ids`) who sat in a hand; None if none did. A person sits once."""
    return next((player for player in seated if player in player_ids), None)
