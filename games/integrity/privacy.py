"""Personal data in the games: columns of free text, and parts of the personal data export, for the league."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from league.access.persons import players_of_account
from league.models import ClubRequest, User
from league.privacy import free_text, personal_data_export

from ..models import Correction, Dispute, FirstSeat, Happening, Pencil, Place, Revision, Seat


def register() -> None:
    """Register columns and parts. Called when the app is ready; a second call changes nothing."""
    known = {column.model for column in free_text.COLUMNS}
    for column in (
        free_text.FreeText(Revision, "reason", "hand__table__evening__club", "author"),
        free_text.FreeText(Correction, "reason", "table__evening__club", "author"),
        free_text.FreeText(Dispute, "text", "hand__table__evening__club", "author", own=True),
    ):
        if column.model not in known:
            free_text.COLUMNS.append(column)
    names = {part.name for part in personal_data_export.PARTS}
    personal_data_export.PARTS.extend(part for part in PARTS if part.name not in names)


def _hands(user: User) -> QuerySet[Any]:
    return Seat.objects.filter(player__in=players_of_account(user)).order_by("pk")


PARTS = (
    personal_data_export.part(
        "club_requests",
        lambda user: ClubRequest.objects.filter(user=user).order_by("pk"),
        "name game currency visibility names stake at=created_at state reason decided_at",
    ),
    personal_data_export.part(
        "hands",
        _hands,
        "club=revision__hand__table__evening__club__slug evening_id=revision__hand__table__evening_id "
        "table=revision__hand__table__number hand=revision__hand__number hand_id=revision__hand_id "
        "revision=revision__number state=revision__kind written_at=revision__created_at seat=number player_id",
    ),
    personal_data_export.part(
        "written",
        lambda user: Revision.objects.filter(Q(author=user) | Q(recorder=user)).order_by("pk"),
        "club=hand__table__evening__club__slug hand_id revision=number state=kind at=created_at reason",
    ),
    personal_data_export.part(
        "corrections",
        lambda user: Correction.objects.filter(author=user).order_by("created_at"),
        "club=table__evening__club__slug id=pk kind hand=number at=created_at reason",
    ),
    personal_data_export.part(
        "happenings",
        lambda user: Happening.objects.filter(author=user).order_by("created_at"),
        "club=table__evening__club__slug kind at=created_at data",
    ),
    personal_data_export.part(
        "places",
        lambda user: Place.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "club=table__evening__club__slug table_id seat player_id",
    ),
    personal_data_export.part(
        "first_seats",
        lambda user: FirstSeat.objects.filter(player__in=players_of_account(user)).order_by("pk"),
        "club=table__evening__club__slug table_id seat player_id",
    ),
    personal_data_export.part(
        "pencils",
        lambda user: Pencil.objects.filter(holder=user).order_by("pk"),
        "club=table__evening__club__slug table_id device at=taken_at seen_at",
    ),
    personal_data_export.part(
        "pencils_asked",
        lambda user: Pencil.objects.filter(asked_by=user).order_by("pk"),
        "club=table__evening__club__slug table_id device=asked_device at=asked_at",
    ),
    personal_data_export.part(
        "disputes",
        lambda user: Dispute.objects.filter(Q(author=user) | Q(player__in=players_of_account(user))).order_by(
            "created_at"
        ),
        "club=hand__table__evening__club__slug hand_id player_id kind at=created_at text",
    ),
)
