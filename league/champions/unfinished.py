"""The unfinished matters of a season before its owners close it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, Q, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..access import ClubAccess
from ..models import Evening, Season
from ..money import format_price
from ..payments.services import outstanding_payments
from ..standings.selectors import evenings_counted, freshness


@dataclass(frozen=True)
class Unfinished:
    """An unfinished matter: a sentence, and the page to settle it. `changes`: it may still change the champion.
    `blocks`: the season cannot be closed before."""

    sentence: str
    href: str
    changes: bool = True
    blocks: bool = False


def unfinished(access: ClubAccess, season: Season) -> list[Unfinished]:
    """Return the unfinished matters of a season; `access` is within the season. Four queries."""
    return [
        *_waiting(season),
        *_evenings(access, season),
        *_planned(season),
        *_payments(access, season),
    ]


def _waiting(season: Season) -> Iterator[Unfinished]:
    if freshness(season).waiting:
        yield Unfinished(_("The standings are not up to date yet."), season.get_absolute_url())


def _evenings(access: ClubAccess, season: Season) -> Iterator[Unfinished]:
    now = timezone.now()
    for evening in Evening.nights.filter(season=season).order_by("held_on", "number"):
        href = reverse("evening", kwargs={"club": access.club.slug, "evening": evening.pk})
        stage = evening.stage(now)
        values = {"number": evening.number, "day": date_format(evening.held_on, "SHORT_DATE_FORMAT")}
        if stage == Evening.Stage.OPEN:
            yield Unfinished(_("Evening %(number)s of %(day)s is still open.") % values, href, blocks=True)
        elif stage == Evening.Stage.PROVISIONAL:
            sentence = _("Evening %(number)s of %(day)s is provisional: its hands may still be corrected.") % values
            yield Unfinished(sentence, href)


def _planned(season: Season) -> Iterator[Unfinished]:
    held = evenings_counted(season)
    if season.planned_evenings and held < season.planned_evenings:
        values = {"held": held, "planned": season.planned_evenings}
        yield Unfinished(_("%(held)s of %(planned)s planned evenings were played.") % values, season.get_absolute_url())


def _payments(access: ClubAccess, season: Season) -> Iterator[Unfinished]:
    of_season = Q(closing__evening__season=season) | Q(fee_share__entry__posting__season=season)
    payments = outstanding_payments(access.club).filter(of_season).order_by()
    totals = payments.aggregate(n=Count("pk"), total=Sum("amount_minor"))
    if totals["n"]:
        values = {"n": totals["n"], "amount": format_price(totals["total"], access.club.currency)}
        sentence = ngettext(
            "%(n)s payment is outstanding: %(amount)s.", "%(n)s payments are outstanding: %(amount)s.", totals["n"]
        )
        href = reverse("debts", kwargs={"club": access.club.slug})
        yield Unfinished(sentence % values, href, changes=False)
