"""What the tables keep of people, said to the league, which knows no tables: where words stand that somebody wrote, and
what belongs to all that is kept of a person."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from league.models import User
from league.privacy import taking, words
from league.roster.person import players_alone_of

from .models import Correction, Dispute, Happening, Pencil, Place, Revision, Seat


def tell_the_league() -> None:
    """Once, when the programs start."""
    known = {one.model for one in words.KNOWN}
    for one in (
        words.Words(Revision, "reason", "hand__table__evening__club", "author"),
        words.Words(Correction, "reason", "table__evening__club", "author"),
        words.Words(Dispute, "text", "hand__table__evening__club", "author", own=True),
    ):
        if one.model not in known:
            words.KNOWN.append(one)
    names = {part.name for part in taking.PARTS}
    taking.PARTS.extend(part for part in PARTS if part.name not in names)


def _hands(user: User) -> QuerySet[Any]:
    return Seat.objects.filter(player__in=players_alone_of(user)).order_by("pk")


PARTS = (
    taking.part(
        "hands",
        _hands,
        club="revision__hand__table__evening__club__slug",
        evening_id="revision__hand__table__evening_id",
        table="revision__hand__table__number",
        hand="revision__hand__number",
        hand_id="revision__hand_id",
        revision="revision__number",
        state="revision__kind",
        written_at="revision__created_at",
        seat="number",
        player_id="player_id",
    ),
    taking.part(
        "written",
        lambda user: Revision.objects.filter(Q(author=user) | Q(recorder=user)).order_by("pk"),
        club="hand__table__evening__club__slug",
        hand_id="hand_id",
        revision="number",
        state="kind",
        at="created_at",
        reason="reason",
    ),
    taking.part(
        "corrections",
        lambda user: Correction.objects.filter(author=user).order_by("created_at"),
        club="table__evening__club__slug",
        id="pk",
        kind="kind",
        hand="number",
        at="created_at",
        reason="reason",
    ),
    taking.part(
        "happenings",
        lambda user: Happening.objects.filter(author=user).order_by("created_at"),
        club="table__evening__club__slug",
        kind="kind",
        at="created_at",
        data="data",
    ),
    taking.part(
        "places",
        lambda user: Place.objects.filter(player__in=players_alone_of(user)).order_by("pk"),
        club="table__evening__club__slug",
        table_id="table_id",
        seat="seat",
        player_id="player_id",
    ),
    taking.part(
        "pencils",
        lambda user: Pencil.objects.filter(holder=user).order_by("pk"),
        club="table__evening__club__slug",
        table_id="table_id",
        device="device",
        at="taken_at",
        seen_at="seen_at",
    ),
    taking.part(
        "pencils_asked",
        lambda user: Pencil.objects.filter(asked_by=user).order_by("pk"),
        club="table__evening__club__slug",
        table_id="table_id",
        device="asked_device",
        at="asked_at",
    ),
    taking.part(
        "disputes",
        lambda user: Dispute.objects.filter(Q(author=user) | Q(player__in=players_alone_of(user))).order_by(
            "created_at"
        ),
        club="hand__table__evening__club__slug",
        hand_id="hand_id",
        player_id="player_id",
        kind="kind",
        at="created_at",
        text="text",
    ),
)
