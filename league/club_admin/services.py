"""Creating a club, and changing its settings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from .. import audit
from ..access.roles import role_set
from ..audit import What
from ..errors import Refused
from ..features.table import BY_KEY
from ..locks import lock_club
from ..models import Club, Role, Season, User
from ..standings import luck_queue
from ..standings.seasons import season_add

CHANGEABLE = (
    *("name", "place", "visibility", "publishes_money", "faces", "counts_tricks", "settling", "publishes_rules"),
    *("correction_hours", "forget_after_months"),
)
"""The fields of a club that an owner may change. Links and receipts contain its short name, amounts its currency."""
CURRENCIES = ("CHF", "EUR")
MAX_CORRECTION_HOURS = 60 * 24
MAX_FORGET_MONTHS = 50 * 12
SEASON_BEGINS = 8
"""The month in which a season begins that is named after two years."""
SLUG_LENGTH = 40
"""The length of a short name that is made from a name; a number may follow."""


def club_create(
    *,
    name: str,
    slug: str | None = None,
    owner: User,
    actor: User | None,
    place: str = "",
    currency: str = "CHF",
    visibility: str = Club.Visibility.LISTED,
    players_shown: str = Club.PlayersShown.INITIALS,
    practice_until: date | None = None,
) -> Club:
    """Create a club with its first owner; without a short name it gets one from its name. The caller's gate decides who
    may open clubs. With `practice_until` it is a practice club, which is deleted on that day.

    Raises:
        Refused: 422 for a name that is empty or too long, a short name that is invalid or taken, an unknown currency.
    """
    slug = _free_slug(name) if slug is None else slug.strip().lower()
    club = Club(name=name.strip(), slug=slug, place=place.strip(), currency=currency, visibility=visibility)
    club.players_shown, club.practice_until = players_shown, practice_until
    _check(club)
    if currency not in CURRENCIES:
        raise Refused(status=422, code="club", sentence=_("There is no such currency here."), at="currency")
    try:
        with transaction.atomic():
            club.save()
            role_set(club=club, user=owner, role=Role.OWNER, actor=actor)
    except IntegrityError as fault:
        raise _slug_taken(club.slug) from fault
    return club


def first_season(*, club: Club, actor: User | None, name: str = "") -> Season:
    """Add a season from today on, so that an evening can be begun at once. Without a name it is named after its years.

    Raises:
        Refused: 422 for a name that is too long.
    """
    today = timezone.localdate()
    year = today.year if today.month >= SEASON_BEGINS else today.year - 1
    values = {"name": name or f"{year}/{(year + 1) % 100:02d}", "starts_on": today}
    if not name:
        values["slug"] = f"{year}-{(year + 1) % 100:02d}"
    return season_add(club=club, actor=actor, values=values)


@transaction.atomic
def club_change(*, club: Club, actor: User | None, changes: Mapping[str, Any]) -> Club:
    """Set some of the `CHANGEABLE` fields; without a difference nothing is stored or logged.

    Raises:
        Refused: 422 for a field that cannot be changed, or an invalid value.
    """
    for field in changes:
        if field not in CHANGEABLE:
            raise Refused(
                status=422, code="field", sentence=_("“%(name)s” cannot be changed.") % {"name": field}, at=field
            )
    lock_club(club.pk)
    fresh = Club.objects.get(pk=club.pk)
    changed = [field for field, value in changes.items() if getattr(fresh, field) != value]
    if not changed:
        return fresh
    for field in changed:
        setattr(fresh, field, changes[field])
    _check(fresh)
    fresh.save(update_fields=changed)
    audit.write(What.CLUB_CHANGED, club=fresh, actor=actor, about=f"club:{fresh.pk}", data={"fields": sorted(changed)})
    return fresh


@transaction.atomic
def feature_switch(*, club: Club, actor: User | None, key: str, on: bool) -> Club:
    """Switch a feature of a club on or off. Its data stays. Without a difference nothing is stored or logged.

    Raises:
        Refused: 422 for a feature that there is not.
    """
    if key not in BY_KEY:
        raise Refused(status=422, code="feature", sentence=_("There is no such feature."))
    lock_club(club.pk)
    fresh = Club.objects.get(pk=club.pk)
    if (key in fresh.features) == on:
        return fresh
    fresh.features = sorted({*fresh.features, key} if on else {*fresh.features} - {key})
    fresh.save(update_fields=["features"])
    data: audit.Data = {"did": "feature_on" if on else "feature_off", "feature": key}
    audit.write(What.CLUB_CHANGED, club=fresh, actor=actor, about=f"club:{fresh.pk}", data=data)
    # The evenings before count, too.
    luck_queue.ask(fresh)
    return fresh


def _check(club: Club) -> None:
    try:
        club.full_clean(validate_unique=False, validate_constraints=False)
    except ValidationError as fault:
        field, sentences = next(iter(fault.message_dict.items()))
        raise Refused(status=422, code="club", sentence=sentences[0], at=field) from fault
    if club.practice_until is not None and club.public:
        sentence = _("A practice club is private until it is deleted.")
        raise Refused(status=422, code="club", sentence=sentence, at="visibility")
    if not 0 <= club.correction_hours <= MAX_CORRECTION_HOURS:
        raise _out_of_bounds("correction_hours", 0, MAX_CORRECTION_HOURS)
    if club.forget_after_months is not None and not 1 <= club.forget_after_months <= MAX_FORGET_MONTHS:
        raise _out_of_bounds("forget_after_months", 1, MAX_FORGET_MONTHS)
    if Club.objects.filter(slug=club.slug).exclude(pk=club.pk).exists():
        raise _slug_taken(club.slug)


def _out_of_bounds(field: str, least: int, most: int) -> Refused:
    sentence = _("This is a whole number from %(least)d to %(most)d.") % {"least": least, "most": most}
    return Refused(status=422, code="club", sentence=sentence, at=field)


def _free_slug(name: str) -> str:
    """Return a short name that no club has."""
    base = slugify(name)[:SLUG_LENGTH] or "club"
    taken = set(Club.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for n in range(1, len(taken) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in taken)


def _slug_taken(slug: str) -> Refused:
    sentence = _("There is already a club with the short name “%(slug)s”.") % {"slug": slug}
    return Refused(status=422, code="club", sentence=sentence, at="slug")
