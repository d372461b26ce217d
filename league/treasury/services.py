"""Book money that the kitty spends or gets, and undo an entry. Each call is one transaction.

A stored entry never changes: undoing it posts the reversal of its transfer.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _

from .. import audit, ledger
from ..audit import What
from ..errors import Refused, unknown_player
from ..ledger import ClubEvent, Move
from ..ledger.club_accounts import account_of, held
from ..ledger.idempotency import submit_once
from ..locks import lock_club
from ..models import Account, Club, KittyEntry, MemberFeeShare, Player, Posting, Season, Submission, Transfer, User
from ..money import format_price
from ..standings.selectors import current_of

MAX_REASON = 200
MAX_ENTRY_MINOR = 100_000_000
"""A million francs: more is a slip of the finger."""
KINDS = (Transfer.Kind.SPENT, Transfer.Kind.BROUGHT)


@dataclass(frozen=True)
class NewEntry:
    """A new kitty entry. `kind` is one of `KINDS`, `amount_minor` whole Rappen above 0; `player_id` is the person
    who got or gave the money, None for anybody else."""

    kind: str
    amount_minor: int
    reason: str
    day: date
    player_id: int | None = None


def kitty_book(*, club: Club, author: User | None, key: uuid.UUID, entry: NewEntry) -> KittyEntry:
    """Book money that the kitty spent or got.

    Raises:
        Refused: 422 for an unknown kind, an amount out of range, no reason or one that is too long, a day in the
            future, a player of another club, or a key that was used for another request; 409 where the kitty holds too
            little, or where no season of the club has amounts.
    """
    return submit_once(
        club_id=club.pk,
        key=key,
        body_hash=body_hash(
            ["kitty", club.pk, entry.kind, entry.amount_minor, entry.reason, entry.day.isoformat(), entry.player_id]
        ),
        author=author,
        write=lambda submission: _book(club, author, submission, entry),
        stored=lambda first: KittyEntry.objects.get(submission=first),
    )


def _book(club: Club, author: User | None, submission: Submission, entry: NewEntry) -> KittyEntry:
    reason = _checked(entry)
    _check_player(club, entry.player_id)
    lock_club(club.pk)
    check_enough(club, entry.amount_minor if entry.kind == Transfer.Kind.SPENT else 0)
    kitty, outside = (account_of(club.pk, kind) for kind in (Account.Kind.KITTY, Account.Kind.OUTSIDE))
    ends = (kitty.pk, outside.pk) if entry.kind == Transfer.Kind.SPENT else (outside.pk, kitty.pk)
    source = uuid.uuid4()
    event = ClubEvent(season=season_of(club, entry.day), source=source, revision=1, author=author, reason=reason)
    posting = ledger.post(event=event, moves=[Move(*ends, entry.amount_minor, entry.kind)])
    booked = KittyEntry.objects.create(
        id=source, club=club, day=entry.day, player_id=entry.player_id, posting=posting, submission=submission
    )
    data: audit.Data = {"did": entry.kind}
    audit.write(What.KITTY_BOOKED, club=club, actor=author, about=f"club:{club.pk}", data=data)
    return booked


def kitty_undo(*, club: Club, author: User | None, key: uuid.UUID, entry_id: uuid.UUID, reason: str = "") -> KittyEntry:
    """Undo an entry: the reversal of its transfer is posted.

    Raises:
        Refused: 404 for an entry that is not of this club; 409 for a member fee, for one that was undone before, or
            where the balance of the kitty would be negative; 422 for a key that was used for another request.
    """
    return submit_once(
        club_id=club.pk,
        key=key,
        body_hash=body_hash(["kitty-undo", club.pk, str(entry_id), reason]),
        author=author,
        write=lambda _submission: _undo(club, author, entry_id, reason),
        stored=lambda _first: KittyEntry.objects.get(pk=entry_id),
    )


def _undo(club: Club, author: User | None, entry_id: uuid.UUID, reason: str) -> KittyEntry:
    lock_club(club.pk)
    entry = KittyEntry.objects.filter(club=club, pk=entry_id).select_related("posting__season").first()
    if entry is None:
        raise Refused(status=404, code="entry", sentence=_("There is no such entry in this kitty."))
    if MemberFeeShare.objects.filter(entry=entry).exists():
        sentence = _("This is a member fee: undo it on the page of the member fees.")
        raise Refused(status=409, code="fee", sentence=sentence)
    if Posting.objects.filter(reverses=entry.posting).exists():
        raise Refused(status=409, code="undone", sentence=_("This entry was already undone."))
    moved = entry.posting.transfers.get()
    check_enough(club, moved.amount_minor if moved.kind == Transfer.Kind.BROUGHT else 0)
    event = ClubEvent(
        season=entry.posting.season, source=entry.pk, revision=2, author=author, reason=reason.strip()[:MAX_REASON]
    )
    ledger.reverse(event=event, posting=entry.posting)
    audit.write(What.KITTY_BOOKED, club=club, actor=author, about=f"club:{club.pk}", data={"did": "undone"})
    return entry


def _checked(entry: NewEntry) -> str:
    """Return the reason as it is stored. Raises Refused (422)."""
    reason = entry.reason.strip()
    if entry.kind not in KINDS:
        raise _wrong("kind", _("Choose whether the kitty spent the money or got it."))
    if not 0 < entry.amount_minor <= MAX_ENTRY_MINOR:
        raise _wrong("amount_minor", _("An amount is above 0 and at most a million francs."))
    if not reason:
        raise _wrong("reason", _("Say what the money was for."))
    if len(reason) > MAX_REASON:
        raise _wrong("reason", _("This text is too long: at most %(most)d characters.") % {"most": MAX_REASON})
    if entry.day > timezone.localdate():
        raise _wrong("day", _("This day is still to come."))
    return reason


def _check_player(club: Club, player_id: int | None) -> None:
    if player_id is not None and not Player.objects.filter(club=club, pk=player_id).exists():
        raise unknown_player(player_id, "player")


def check_enough(club: Club, taken_minor: int) -> None:
    """Check that the kitty holds the amount. The club's row is locked.

    Raises:
        Refused: 409 where it holds less.
    """
    if taken_minor == 0:
        return
    holds = held(club.pk, Account.Kind.KITTY)
    if holds < taken_minor:
        sentence = _("The kitty holds only %(amount)s.") % {"amount": format_price(max(holds, 0), club.currency)}
        raise Refused(status=409, code="kitty", sentence=sentence, at="amount_minor")


def season_of(club: Club, day: date) -> Season:
    """Return the season of that day, or the one nearest to it, of those with amounts. It is locked: nobody changes it
    to points only before the entry is stored.

    Raises:
        Refused: 409 if the club has none.
    """
    while season := current_of(club.seasons.filter(points_only=False), day):
        if not Season.objects.select_for_update(of=("self",)).get(pk=season.pk).points_only:
            return season
    sentence = _("The club has no season with amounts yet. An owner adds one first.")
    raise Refused(status=409, code="season", sentence=sentence)


def _wrong(field: str, sentence: str) -> Refused:
    return Refused(status=422, code="kitty", sentence=sentence, at=field)


def body_hash(parts: Sequence[object]) -> str:
    """Return the digest of a request, from values of JSON."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
