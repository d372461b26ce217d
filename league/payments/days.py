"""The day on which a payment was made: which days a mark may have, and which are closed.

A payment counts from its day on, in the annual account, in the books, and in lists as of a day. A day of a closed
season takes no payment, and keeps those that it has: what was outstanding at the end of the season stays. Only today
is never closed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import CharField, DateField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ..errors import Refused
from ..models import Club, Payment, PaymentDay, Season

COUNTED_DAY = ("posting__payment_day__day", "posting__evening__held_on")
"""From a transfer, the day on which a mark counts: the first that is known."""


@dataclass(frozen=True)
class SeasonDays:
    """A season with amounts, and its days until today: up to its last day, else up to the next season."""

    season: Season
    first: date
    last: date

    @property
    def closed_until(self) -> date | None:
        """The last day that its closing closed; None if it is open."""
        closed = self.season.closed_at
        return None if closed is None else min(self.last, timezone.localdate(closed))


def season_days(club: Club | int, today: date) -> list[SeasonDays]:
    """Return the seasons of a club that have amounts and have begun, the newest first. One query."""
    known = Season.objects.filter(club=club, points_only=False, starts_on__lte=today).order_by("-starts_on")
    spans: list[SeasonDays] = []
    following = before = None
    for season in known:
        if before is not None and before > season.starts_on:
            following = before
        before = season.starts_on
        last = season.ends_on or (following - timedelta(days=1) if following else today)
        spans.append(SeasonDays(season, season.starts_on, max(min(last, today), season.starts_on)))
    return spans


def with_paid_on(payments: QuerySet[Payment]) -> QuerySet[Payment]:
    """Add `paid_on` to each payment: the day of its newest mark, else that of its evening; and `paid_way`, a value of
    `PaymentDay.Way`. They say something only of a payment that is paid."""
    marks = PaymentDay.objects.filter(posting__source=OuterRef("pk")).order_by("-posting__revision")
    day = Coalesce(Subquery(marks.values("day")[:1]), "closing__evening__held_on", output_field=DateField())
    way = Coalesce(Subquery(marks.values("way")[:1]), Value(PaymentDay.Way.CASH), output_field=CharField())
    return payments.annotate(paid_on=day, paid_way=way)


def way_in_words(way: str) -> str:
    """Return the way of paying in words, "" for cash."""
    return "" if way == PaymentDay.Way.CASH else str(PaymentDay.Way(way).label)


def default_day(owed_on: date) -> date:
    """Return the day of a payment for which no other one is given: today, but not before the day from which it is owed,
    that of its evening or of its member fee."""
    return max(timezone.localdate(), owed_on)


def check_day(day: date, owed_on: date, *, fee: bool = False) -> None:
    """Check that a payment that is owed from `owed_on` on can have been made on that day; `fee`: it is a member fee.

    Raises:
        Refused: 422 for a day to come, or one before it was owed.
    """
    if day > default_day(owed_on):
        raise Refused(status=422, code="day", sentence=_("This day is still to come."), at="day")
    if day < owed_on:
        values = {"date": date_format(owed_on, "SHORT_DATE_FORMAT")}
        sentence = (
            _("This member fee is owed since %(date)s: it cannot be paid before.")
            if fee
            else _("This payment is of the evening of %(date)s: it cannot be paid before.")
        )
        raise Refused(status=422, code="day", sentence=sentence % values, at="day")


def closed_season_on(spans: Sequence[SeasonDays], day: date) -> Season | None:
    """Return the closed season that keeps the payments of a day; None for today, and for a day that is not closed.
    `spans`: see `season_days`."""
    if day >= timezone.localdate():
        return None
    closed = (span.season for span in spans if (until := span.closed_until) and span.first <= day <= until)
    return next(closed, None)


def lock_days(club_id: int, days: Iterable[date], *, fee: bool = False) -> None:
    """Check that no day is one of a closed season, and lock the seasons of these days, so that nobody closes them
    before the transaction ends. A writer locks evenings, tables and club before. `fee`: the days are those of a member
    fee, not of its payment.

    Raises:
        Refused: 409 if a day is one of a closed season.
    """
    today = timezone.localdate()
    past = {day for day in days if day < today}
    if not past:
        return
    about = [span for span in season_days(club_id, today) if any(span.first <= day <= span.last for day in past)]
    keys = sorted(span.season.pk for span in about)
    fresh = {locked.pk: locked for locked in Season.objects.select_for_update().filter(pk__in=keys).order_by("pk")}
    about = [SeasonDays(fresh[span.season.pk], span.first, span.last) for span in about]
    for day in sorted(past):
        season = closed_season_on(about, day)
        if season is not None:
            values = {"name": season.name, "date": date_format(day, "SHORT_DATE_FORMAT")}
            sentence = (
                _(
                    "The season %(name)s is closed: a member fee of %(date)s is neither booked nor undone any more. An"
                    " owner of the club can open the season again."
                )
                if fee
                else _(
                    "The season %(name)s is closed: payments of %(date)s stay as they are. Give a later day, or an"
                    " owner of the club opens the season again."
                )
            )
            raise Refused(status=409, code="season_closed", sentence=sentence % values, at="day")
