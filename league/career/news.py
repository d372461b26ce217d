"""The news for a person since the last look at the own page: evenings, rank, rating, records, payments, disputes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..access import ClubAccess
from ..features import uses
from ..models import Payment, Role, Season
from ..money import format_count, format_price, gain_class
from ..payments import services as payments
from ..records.lines import records_of
from ..records.shown import Record, Scope
from ..standings.nights import Night
from .last_look import Seen, evening_key

HIDDEN_RECORDS = frozenset({"best_money"})
"""Not compared: only some readers see it."""


@dataclass(frozen=True)
class NewsItem:
    """Something new: a sentence with a link, empty for none, and a number before it."""

    text: str
    href: str = ""
    number: str = ""
    css: str = ""


@dataclass(frozen=True)
class News:
    """The news: the evenings since then with their points, the ranks, the points that corrections changed,
    and everything else. `rank` and `rank_before` are None while the person was not ranked."""

    since: datetime
    evenings: Sequence[Night] = ()
    points: int = 0
    corrected: int = 0
    moved: bool = False
    rank: int | None = None
    rank_before: int | None = None
    items: Sequence[NewsItem] = ()

    @property
    def any(self) -> bool:
        """True if there is news."""
        return bool(self.evenings or self.corrected or self.moved or self.items)


FindItems = Callable[[ClubAccess, Collection[int], datetime], Sequence[NewsItem]]
"""Returns what is new for a person's players in a club since then."""

_registered: list[FindItems] = []


def register(find: FindItems) -> None:
    """Let `find` add news from outside the league: those of hands."""
    if find not in _registered:
        _registered.append(find)


def club_records(access: ClubAccess, seasons: Sequence[Season]) -> list[Record]:
    """Return the records of a club as any member sees them, so that no role changes which ones there are. At most
    eleven queries."""
    member = replace(access, role=Role.MEMBER.value, player_ids=frozenset(), scopes=None)
    return [record for record in records_of(Scope(member, seasons)) if record.kind not in HIDDEN_RECORDS]


def held_by(records: Sequence[Record], player_id: int) -> tuple[str, ...]:
    """Return the kinds of the records that a player holds."""
    return tuple(
        sorted(record.kind for record in records if player_id in [holder.player_id for holder in record.holders])
    )


def news_since(before: Seen, now: Seen, nights: Sequence[Night], items: Sequence[NewsItem] = ()) -> News:
    """Return the changes between two looks. `nights` are those in which the player was present."""
    new = [night for night in nights if evening_key(night) > before.newest]
    points = sum(night.points for night in new)
    return News(
        since=before.at,
        evenings=new,
        points=points,
        corrected=now.points - before.points - points,
        moved=before.season_id == now.season_id and before.rank != now.rank,
        rank=now.rank,
        rank_before=before.rank,
        items=items,
    )


def items_since(
    access: ClubAccess, player_ids: Collection[int], before: Seen, now: Seen, records: Sequence[Record]
) -> list[NewsItem]:
    """Return the news beside evenings and rank, for the person whose players these are. Two queries, and those of the
    rooms that registered."""
    facts = uses(access.club, "season-statistics")
    return [
        *(_rating(before, now) if facts else ()),
        *(_records(player_ids, before, now, records) if facts else ()),
        *_payments(access, player_ids, before.at),
        *(item for find in _registered for item in find(access, player_ids, before.at)),
    ]


def _rating(before: Seen, now: Seen) -> Iterator[NewsItem]:
    if now.rating is None or now.rating == before.rating:
        return
    if before.rating is None:
        yield NewsItem(_("Rating: %(now)s, for the first time") % {"now": format_count(now.rating)}, "#rating")
        return
    change = now.rating - before.rating
    text = _("in the rating, which is %(now)s now") % {"now": format_count(now.rating)}
    yield NewsItem(text, "#rating", format_count(change, plus="+"), gain_class(change))


def _records(player_ids: Collection[int], before: Seen, now: Seen, records: Sequence[Record]) -> Iterator[NewsItem]:
    for record in records:
        if record.kind in now.records and record.kind not in before.records:
            yield NewsItem(
                _("Your record in the club: %(what)s") % {"what": record.label},
                record.link_of(player_ids).href,
                record.value,
            )
        elif record.kind in before.records and record.kind not in now.records:
            text = _("No longer your record: %(what)s, now %(who)s") % {"what": record.label, "who": record.who}
            yield NewsItem(text, record.link.href, record.value)


def _payments(access: ClubAccess, player_ids: Collection[int], since: datetime) -> Iterator[NewsItem]:
    """Yield the payments of evenings that were closed since then, and the member fees that were booked since then, and
    are open; and those that were marked."""
    href = reverse("debts", kwargs={"club": access.club.slug})
    new = Q(closing__created_at__gt=since) | Q(fee_share__fee__created_at__gt=since)
    still = payments.outstanding_payments(access.club, player_ids).filter(new)
    opened, paid = list(still), payments.lately_paid(access.club, since, player_ids)
    if opened:
        text = ngettext("%(n)s new payment is open", "%(n)s new payments are open", len(opened)) % {"n": len(opened)}
        yield _payment(access, player_ids, opened, text, href)
    if paid:
        text = ngettext("%(n)s payment was marked as paid", "%(n)s payments were marked as paid", len(paid))
        yield _payment(access, player_ids, paid, text % {"n": len(paid)}, href)


def _payment(
    access: ClubAccess, player_ids: Collection[int], own_payments: Sequence[Payment], text: str, href: str
) -> NewsItem:
    net = sum(
        -payment.amount_minor if payment.payer.player_id in player_ids else payment.amount_minor
        for payment in own_payments
    )
    return NewsItem(text, href, format_price(net, access.club.currency, plus="+"), gain_class(net))
