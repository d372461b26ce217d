"""Writing the audit log: one entry for each action, for the club's owners, without names and addresses."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from enum import StrEnum

from ..models import AuditEntry, Club, Membership, User

Data = Mapping[str, str | int | bool | list[str] | None]

acting_key: ContextVar[str] = ContextVar("acting_key", default="")
"""The name of the API key of this request; every entry that the request writes contains it."""


class What(StrEnum):
    """The actions that are logged; the room that writes one registers its sentence."""

    SIGNED_IN = "signed_in"
    SIGN_IN_FAILED = "sign_in_failed"
    SIGNED_OUT = "signed_out"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 - a code, no password
    FACTOR_ADDED = "factor_added"
    FACTOR_REMOVED = "factor_removed"
    SESSIONS_ENDED = "sessions_ended"
    INVITED = "invited"
    INVITATION_USED = "invitation_used"
    INVITATION_REVOKED = "invitation_revoked"
    ROLE_GIVEN = "role_given"
    ROLE_TAKEN = "role_taken"
    PLAYER_ADDED = "player_added"
    PLAYER_CHANGED = "player_changed"
    PLAYER_CLAIMED = "player_claimed"
    PLAYERS_MERGED = "players_merged"
    PLAYERS_PARTED = "players_parted"
    PLAYER_FORGOTTEN = "player_forgotten"
    PERSON_FORGOTTEN = "person_forgotten"
    CLUB_CHANGED = "club_changed"
    SEASON_CHANGED = "season_changed"
    RULES_CHANGED = "rules_changed"
    HAND_CORRECTED = "hand_corrected"
    HAND_LEFT_OUT = "hand_left_out"
    HAND_VOIDED = "hand_voided"
    HAND_DISPUTED = "hand_disputed"
    EVENING_BEGUN = "evening_begun"
    EVENING_CLOSED = "evening_closed"
    EVENING_REOPENED = "evening_reopened"
    PAYMENTS_MARKED = "payments_marked"
    KITTY_BOOKED = "kitty_booked"
    BILLS_SENT = "bills_sent"
    BANK_BOOKED = "bank_booked"
    EVENINGS_IMPORTED = "evenings_imported"
    EXPORTED = "exported"
    TOKEN_MADE = "token_made"  # noqa: S105
    TOKEN_REVOKED = "token_revoked"  # noqa: S105
    WEBHOOK_CHANGED = "webhook_changed"
    TOURNAMENT_CHANGED = "tournament_changed"
    ENTRANT_CHANGED = "entrant_changed"
    ROUND_CHANGED = "round_changed"
    CUP_CHANGED = "cup_changed"


def write(
    what: What, *, club: Club | None, actor: User | None, about: str = "", data: Data | None = None, token: str = ""
) -> AuditEntry:
    """Add an entry in the transaction of the action, so that both are stored or neither.

    `about` names the object as `kind:id`; `data` holds codes, numbers and ids, never a name, an address or an amount.
    """
    return AuditEntry.objects.create(
        club=club, actor=actor, what=what.value, about=about, data=dict(data or {}), token=token or acting_key.get()
    )


def write_for_person(
    what: What, *, person: User | None, actor: User | None, data: Data | None = None, about: str = ""
) -> None:
    """Add an entry about a user's account to the log of each of the user's clubs, or without a club if there is none.

    `about`: an object of the user's, if the entry is not about the account itself. Two queries, also for no user: the
    time that this takes must not reveal whether an account exists.
    """
    clubs = Membership.objects.filter(user_id=person.pk if person else 0).values_list("club_id", flat=True)
    about = about or (f"user:{person.pk}" if person else "")
    logs: list[int | None] = [*clubs] or [None]
    AuditEntry.objects.bulk_create(
        AuditEntry(
            club_id=club, actor=actor, what=what.value, about=about, data=dict(data or {}), token=acting_key.get()
        )
        for club in logs
    )
