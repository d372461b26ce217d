"""Book a member fee for some people, and undo it. Each call is one transaction.

A share of a fee is a kitty entry whose other account is that of the person, and a payment to the kitty that is
outstanding until it is marked as paid. So the books, the ledger and the balance of the kitty have it as any entry, and
balances, statements, bills and bank statements as any outstanding payment. Undoing posts the reversal of the entry.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .. import audit, ledger
from ..audit import What
from ..errors import Refused, unknown_player
from ..ledger import ClubEvent, Move
from ..ledger.club_accounts import account_of
from ..ledger.idempotency import new_claims, submit_once
from ..locks import lock_club
from ..models import (
    Account,
    Club,
    KittyEntry,
    MemberFee,
    MemberFeeShare,
    Payment,
    Player,
    Submission,
    Transfer,
    User,
)
from ..models.treasury import fee_title
from ..payments import services as payments
from ..payments.days import lock_days
from ..treasury.services import MAX_ENTRY_MINOR, MAX_REASON, body_hash, check_enough, season_of

MAX_NAME = 60
MOST = 500
"""The most people of one booking."""
MOST_NAMES = 5
"""So many people are named in a refusal."""


@dataclass(frozen=True)
class NewFee:
    """A member fee to book: `players` are those who pay, by main player; each pays `amount_minor` Rappen, or the own
    amount in `amounts`."""

    year: int
    name: str
    amount_minor: int
    day: date
    players: Sequence[int]
    amounts: Mapping[int, int] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The name with the year, as it will be on bills."""
        return fee_title(self.name, self.year)

    def amount_of(self, player_id: int) -> int:
        """Return what a player pays, in Rappen."""
        return self.amounts.get(player_id, self.amount_minor)


def fee_book(*, club: Club, author: User | None, key: uuid.UUID, fee: NewFee, everybody: bool = False) -> MemberFee:
    """Book a member fee: each person owes it to the kitty from its day on. `everybody`: the request named nobody, and
    `fee.players` are those who pay at this moment; a repeated request is the same whoever they are then.

    Raises:
        Refused: 422 for an amount out of range, no name or one that is too long, a day to come, a year that is far
            from the day, nobody or too many people, a player who is not of this club or not in the roster, or a key
            that was used for another request; 409 where somebody has a fee of this year, where the day is one of a
            closed season, or where no season of the club has amounts.
    """
    named = fee.amounts if everybody else set(fee.players)
    amounts = sorted((player, fee.amount_of(player)) for player in named)
    parts = ["fee", club.pk, fee.year, fee.name, fee.amount_minor, fee.day.isoformat(), everybody, amounts]
    return submit_once(
        club_id=club.pk,
        key=key,
        body_hash=body_hash(parts),
        author=author,
        write=lambda submission: _book(club, author, submission, fee),
        stored=lambda first: MemberFee.objects.get(submission=first),
    )


def _book(club: Club, author: User | None, submission: Submission, fee: NewFee) -> MemberFee:
    name = check_fee(fee)
    lock_club(club.pk)
    players = _who(club, fee)
    known = names_with_fee(club, fee.year, players)
    if known:
        values = {"names": listed(known), "year": fee.year, "n": len(known)}
        sentence = ngettext(
            "%(names)s already has a member fee of %(year)s. Look at the list again.",
            "%(names)s already have a member fee of %(year)s. Look at the list again.",
            len(known),
        )
        raise Refused(status=409, code="fee", sentence=sentence % values, at="players")
    lock_days(club.pk, [fee.day], fee=True)
    stored = MemberFee.objects.create(
        club=club,
        year=fee.year,
        name=name,
        amount_minor=fee.amount_minor,
        day=fee.day,
        author=author,
        submission=submission,
    )
    _store_shares(stored, author, {player: fee.amount_of(player) for player in players})
    data: audit.Data = {"did": "fee", "year": fee.year, "count": len(players)}
    audit.write(What.KITTY_BOOKED, club=club, actor=author, about=f"club:{club.pk}", data=data)
    return stored


def _store_shares(fee: MemberFee, author: User | None, amounts: Mapping[int, int]) -> None:
    """Post each share, and store its entry and its payment. A constant number of statements."""
    club = fee.club
    season = season_of(club, fee.day)
    kitty = account_of(club.pk, Account.Kind.KITTY)
    accounts = ledger.ensure_player_accounts(club.pk, list(amounts))
    claims = new_claims(club.pk, author, [body_hash(["fee-share", str(fee.pk), player]) for player in amounts])
    postings = ledger.post_all(
        [
            ledger.Draft(
                ClubEvent(season=season, source=uuid.uuid4(), revision=1, author=author, reason=fee.title),
                [Move(accounts[player], kitty.pk, amount, Transfer.Kind.FEE)],
            )
            for player, amount in amounts.items()
        ]
    )
    entries = [
        KittyEntry(id=posting.source, club=club, day=fee.day, player_id=player, posting=posting, submission=claim)
        for posting, claim, player in zip(postings, claims, amounts, strict=True)
    ]
    KittyEntry.objects.bulk_create(entries)
    shares = MemberFeeShare.objects.bulk_create(
        MemberFeeShare(fee=fee, player_id=player, year=fee.year, amount_minor=amount, entry=entry)
        for entry, (player, amount) in zip(entries, amounts.items(), strict=True)
    )
    Payment.objects.bulk_create(
        Payment(
            fee_share=share,
            number=1,
            payer_id=accounts[share.player_id],
            payee=kitty,
            amount_minor=share.amount_minor,
        )
        for share in shares
    )


def fee_undo(
    *,
    club: Club,
    author: User | None,
    key: uuid.UUID,
    fee_id: uuid.UUID,
    players: Sequence[int] | None = None,
    reason: str = "",
) -> MemberFee:
    """Undo a member fee, or the shares of these players: their reversals are posted.

    Raises:
        Refused: 404 for a fee that is not of this club, or a player who has no share of it; 409 for one that was undone
            before or that is paid, where the day is one of a closed season, or where the balance of the kitty would be
            negative; 422 for a key that was used for another request.
    """
    wanted = None if players is None else sorted(set(players))
    return submit_once(
        club_id=club.pk,
        key=key,
        body_hash=body_hash(["fee-undo", club.pk, str(fee_id), wanted, reason]),
        author=author,
        write=lambda _submission: _undo(club, author, fee_id, wanted, reason.strip()[:MAX_REASON]),
        stored=lambda _first: MemberFee.objects.get(pk=fee_id),
    )


def _undo(club: Club, author: User | None, fee_id: uuid.UUID, players: Sequence[int] | None, reason: str) -> MemberFee:
    lock_club(club.pk)
    fee = MemberFee.objects.filter(club=club, pk=fee_id).first()
    if fee is None:
        raise Refused(status=404, code="fee", sentence=_("There is no such member fee here."))
    shares = _shares_to_undo(fee, players)
    paid = payments.only_paid(Payment.objects.filter(fee_share__in=shares))
    names = sorted(paid.values_list("fee_share__player__nickname", flat=True), key=str.casefold)
    if names:
        sentence = _("Paid already: %(names)s. Take back the mark of the payment first, then undo the member fee.")
        raise Refused(status=409, code="paid", sentence=sentence % {"names": listed(names)}, at="players")
    check_enough(club, sum(fee_share.amount_minor for fee_share in shares))
    lock_days(club.pk, [fee.day], fee=True)
    ledger.post_all([_reversal(share, author, reason) for share in shares])
    MemberFeeShare.objects.filter(pk__in=[fee_share.pk for fee_share in shares]).update(undone_at=timezone.now())
    data: audit.Data = {"did": "fee_undone", "year": fee.year, "count": len(shares)}
    audit.write(What.KITTY_BOOKED, club=club, actor=author, about=f"club:{club.pk}", data=data)
    return fee


def _reversal(share: MemberFeeShare, author: User | None, reason: str) -> ledger.Draft:
    posting = share.entry.posting
    event = ClubEvent(season=posting.season, source=share.entry_id, revision=2, author=author, reason=reason)
    return ledger.reversal_of(event, posting)


def _shares_to_undo(fee: MemberFee, players: Sequence[int] | None) -> list[MemberFeeShare]:
    """Return the shares that were not undone. Raises Refused (404, 409)."""
    shares = list(
        fee.shares.select_related("player", "entry__posting__season").prefetch_related("entry__posting__transfers")
    )
    if players is not None and set(players) - {share.player_id for share in shares}:
        sentence = _("One of these people has no share of this member fee.")
        raise Refused(status=404, code="share", sentence=sentence, at="players")
    chosen = [share for share in shares if players is None or share.player_id in players]
    valid_shares = [share for share in chosen if share.undone_at is None]
    if not valid_shares or (players is not None and len(valid_shares) < len(chosen)):
        raise Refused(status=409, code="undone", sentence=_("This member fee was already undone."))
    return valid_shares


# --- Checks -----------------------------------------------------------------------------------------------


def check_fee(fee: NewFee) -> str:
    """Check a fee without its people, and return its name as it is stored.

    Raises:
        Refused: 422 as `fee_book` does.
    """
    name = fee.name.strip()
    if not name:
        raise _wrong("name", _("Give the member fee a name: it is on each bill."))
    if len(name) > MAX_NAME:
        raise _wrong("name", _("This text is too long: at most %(most)d characters.") % {"most": MAX_NAME})
    for amount in (fee.amount_minor, *fee.amounts.values()):
        if not 0 < amount <= MAX_ENTRY_MINOR:
            raise _wrong("amount_minor", _("An amount is above 0 and at most a million francs."))
    if fee.day > timezone.localdate():
        raise _wrong("day", _("This day is still to come."))
    if abs(fee.year - fee.day.year) > 1:
        raise _wrong("year", _("The year is that of the date, or the one before or after it."))
    if not fee.players:
        raise _wrong("players", _("Choose at least one person who pays."))
    if set(fee.amounts) - set(fee.players):
        raise _wrong("amounts", _("An own amount is that of somebody who does not pay."))
    if len(set(fee.players)) > MOST:
        raise _wrong("players", _("Book it for at most %(most)d people at once.") % {"most": MOST})
    return name


def _who(club: Club, fee: NewFee) -> list[int]:
    """Return the players who pay, by name. Raises Refused (422). The club's row is locked."""
    people = {person.pk: person for person in Player.objects.filter(club=club, pk__in=fee.players)}
    for player in fee.players:
        person = people.get(player)
        if person is None:
            raise unknown_player(player, "players")
        if not person.active or person.main_id is not None:
            raise _wrong("players", _("%(name)s is not in the roster.") % {"name": person.nickname})
    return sorted(people, key=lambda pk: (people[pk].nickname.casefold(), pk))


def names_with_fee(club: Club, year: int, players: Sequence[int]) -> list[str]:
    """Return the names of those of these main players who have a fee of the year that was not undone, also under the
    name of a merged player. One query."""
    shares = MemberFeeShare.objects.filter(fee__club=club, year=year, undone_at__isnull=True)
    of_person = shares.filter(Q(player__in=players) | Q(player__main__in=players)).select_related("player__main")
    return sorted({(share.player.main or share.player).nickname for share in of_person}, key=str.casefold)


def listed(names: Sequence[str]) -> str:
    """Return names as a list; of many the first ones and a number."""
    more = len(names) - MOST_NAMES
    shown = ", ".join(names[:MOST_NAMES])
    return shown if more <= 0 else _("%(names)s and %(n)d more") % {"names": shown, "n": more}


def _wrong(path: str, sentence: str) -> Refused:
    return Refused(status=422, code="fee", sentence=sentence, at=path)
