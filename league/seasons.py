"""Adding a season, and changing what one counts. The standings are counted anew wherever that can change them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from . import audit
from .audit import What
from .errors import Refused
from .marks import raise_mark
from .models import Club, Season, User

POINTS = ("points_declared", "points_joined", "points_walkover", "points_declared_failed", "points_joined_failed")
COUNTED = ("ranking", "games", "best_evenings", *POINTS)
"""What the standings are counted by: another value means that they are counted anew."""
CHANGEABLE = ("name", "starts_on", "ends_on", "planned_evenings", "points_only", *COUNTED)
MAX_POINTS = 100


def season_add(*, club: Club, actor: User | None, values: Mapping[str, Any]) -> Season:
    """A new season; `values` are `CHANGEABLE` fields, and `slug`, which else follows from the name.

    Raises:
        Refused: 422 for a field that a season has not, a value that it cannot have, or a short name that is taken.
    """
    _check_fields(values, (*CHANGEABLE, "slug"))
    season = Season(club=club, **{field: value for field, value in values.items() if field != "slug"})
    season.slug = str(values.get("slug") or "") or _free_slug(club, season.name)
    _check(season)
    try:
        with transaction.atomic():
            season.save()
            data: audit.Data = {"fields": [], "new": True}
            audit.write(What.SEASON_CHANGED, club=club, actor=actor, about=f"season:{season.pk}", data=data)
    except IntegrityError as fault:
        raise _slug_taken() from fault
    return season


@transaction.atomic
def season_change(*, season: Season, actor: User | None, changes: Mapping[str, Any]) -> Season:
    """Set some of `CHANGEABLE`. Where the standings depend on it they are marked to be counted anew.

    Raises:
        Refused: 422 for a field that cannot be changed or a value that it cannot have; 409 where a season that has
            evenings would be put on points only, or back.
    """
    _check_fields(changes, CHANGEABLE)
    fresh = Season.objects.select_for_update(of=("self",)).select_related("club").get(pk=season.pk)
    changed = [field for field, value in changes.items() if getattr(fresh, field) != value]
    if not changed:
        return fresh
    if "points_only" in changed and fresh.evenings.exists():
        # Amounts would appear that nobody was to see, or what is owed would vanish.
        said = _("The season has evenings already: it stays as it is, with amounts or in points only.")
        raise Refused(status=409, code="points_only", sentence=said, at="points_only")
    for field in changed:
        setattr(fresh, field, changes[field])
    _check(fresh)
    fresh.save(update_fields=changed)
    data: audit.Data = {"fields": sorted(changed), "new": False}
    audit.write(What.SEASON_CHANGED, club=fresh.club, actor=actor, about=f"season:{fresh.pk}", data=data)
    # Counted or not: pages that were read before are told by the mark that there is something new.
    raise_mark(fresh.pk)
    return Season.objects.select_related("club").get(pk=fresh.pk)


def counts_anew(season: Season, changes: Mapping[str, Any]) -> bool:
    """Whether these changes would make other standings of hands that were played."""
    return any(getattr(season, field) != changes[field] for field in COUNTED if field in changes)


def _check_fields(values: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for field in values:
        if field not in known:
            said = _("“%(name)s” cannot be changed.") % {"name": field}
            raise Refused(status=422, code="field", sentence=said, at=field)


def _check(season: Season) -> None:
    try:
        season.full_clean(validate_unique=False, validate_constraints=False)
    except ValidationError as fault:
        field, sentences = next(iter(fault.message_dict.items()))
        raise Refused(status=422, code="season", sentence=sentences[0], at=field) from fault
    if season.ends_on is not None and season.ends_on < season.starts_on:
        raise Refused(status=422, code="season", sentence=_("A season ends after it has begun."), at="ends_on")
    if season.points_only and season.ranking != Season.Ranking.POINTS:
        sentence = _("A season in points only is ranked by points.")
        raise Refused(status=422, code="season", sentence=sentence, at="ranking")
    if season.best_evenings == 0:
        raise Refused(status=422, code="season", sentence=_("At least one evening counts."), at="best_evenings")
    for field in POINTS:
        if not -MAX_POINTS <= getattr(season, field) <= MAX_POINTS:
            sentence = _("Points go from −%(max)d to %(max)d.") % {"max": MAX_POINTS}
            raise Refused(status=422, code="season", sentence=sentence, at=field)
    if Season.objects.filter(club=season.club_id, slug=season.slug).exclude(pk=season.pk).exists():
        raise _slug_taken()


def _free_slug(club: Club, name: str) -> str:
    base = slugify(name)[:34] or "season"
    taken = set(Season.objects.filter(club=club, slug__startswith=base).values_list("slug", flat=True))
    return next(slug for n in range(1, len(taken) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in taken)


def _slug_taken() -> Refused:
    sentence = _("The club has a season with this short name already.")
    return Refused(status=422, code="season", sentence=sentence, at="slug")
