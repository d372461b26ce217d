"""Creating a club, and changing its settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from .. import audit
from ..access.roles import role_set
from ..audit import What
from ..errors import Refused
from ..locks import lock_club
from ..models import Club, Role, User

CHANGEABLE = (
    *("name", "place", "visibility", "publishes_money", "faces", "counts_tricks", "settling", "publishes_rules"),
    *("correction_hours", "forget_after_months"),
)
"""The fields of a club that an owner may change. Links and receipts contain its short name, amounts its currency."""
CURRENCIES = ("CHF", "EUR")
MAX_CORRECTION_HOURS = 60 * 24
MAX_FORGET_MONTHS = 50 * 12


def club_create(
    *, name: str, slug: str, owner: User, actor: User | None, place: str = "", currency: str = "CHF"
) -> Club:
    """Create a club with its first owner. The caller's gate admits superusers of the server only.

    Raises:
        Refused: 422 for a name that is empty or too long, a short name that is invalid or taken, an unknown currency.
    """
    club = Club(name=name.strip(), slug=slug.strip().lower(), place=place.strip(), currency=currency)
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


def _check(club: Club) -> None:
    try:
        club.full_clean(validate_unique=False, validate_constraints=False)
    except ValidationError as fault:
        field, sentences = next(iter(fault.message_dict.items()))
        raise Refused(status=422, code="club", sentence=sentences[0], at=field) from fault
    if not 0 <= club.correction_hours <= MAX_CORRECTION_HOURS:
        raise _out_of_bounds("correction_hours", 0, MAX_CORRECTION_HOURS)
    if club.forget_after_months is not None and not 1 <= club.forget_after_months <= MAX_FORGET_MONTHS:
        raise _out_of_bounds("forget_after_months", 1, MAX_FORGET_MONTHS)
    if Club.objects.filter(slug=club.slug).exclude(pk=club.pk).exists():
        raise _slug_taken(club.slug)


def _out_of_bounds(field: str, least: int, most: int) -> Refused:
    sentence = _("This is a whole number from %(least)d to %(most)d.") % {"least": least, "most": most}
    return Refused(status=422, code="club", sentence=sentence, at=field)


def _slug_taken(slug: str) -> Refused:
    sentence = _("There is already a club with the short name “%(slug)s”.") % {"slug": slug}
    return Refused(status=422, code="club", sentence=sentence, at="slug")
