"""Add, change, close and open seasons. A change of counted data marks the season to be recounted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..ledger.season_mark import mark_for_recount
from ..models import Club, Player, Season, SeasonReopening, Transfer, User
from .closed_seasons import check_no_evening_runs, check_open
from .formula.inputs import formula_of
from .formula.own_settings import BY_FORMULA, PLANNED, fields_set_by

POINTS = ("points_declared", "points_joined", "points_walkover", "points_declared_failed", "points_joined_failed")
COUNTED = ("ranking", "games", "best_evenings", *POINTS)
"""The fields that the standings depend on."""
CHANGEABLE = ("name", "starts_on", "ends_on", "planned_evenings", "points_only", *COUNTED)
MAX_POINTS = 100
MAX_REASON = 200
DIGEST = 32


def season_add(*, club: Club, actor: User | None, values: Mapping[str, Any]) -> Season:
    """Add a season; `values` are `CHANGEABLE` fields and `slug`, which is made from the name if it is missing.

    Raises:
        Refused: 422 for an unknown field, an invalid value, or a short name that is taken.
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
    """Change some of `CHANGEABLE`, and mark the season to be recounted.

    Raises:
        Refused: 422 for a field that cannot be changed or an invalid value; 409 to switch a season that has evenings
            or entries of the kitty between amounts and points only, to change counted data in a closed season, or a
            setting that the formula replaces.
    """
    _check_fields(changes, CHANGEABLE)
    fresh = Season.objects.select_for_update(of=("self",)).select_related("club").get(pk=season.pk)
    changed = [field for field, value in changes.items() if getattr(fresh, field) != value]
    if not changed:
        return fresh
    _check_countable(fresh, changed)
    if "points_only" in changed and fresh.evenings.exists():
        # Else amounts would appear that nobody should see, or outstanding payments would disappear.
        sentence = _("The season already has evenings: it can no longer switch between amounts and points only.")
        raise Refused(status=409, code="points_only", sentence=sentence, at="points_only")
    if "points_only" in changed and Transfer.objects.filter(season=fresh).exists():
        # Else the books of the kitty would have no line for money that it holds.
        sentence = _("The kitty has entries in this season: it can no longer switch between amounts and points only.")
        raise Refused(status=409, code="points_only", sentence=sentence, at="points_only")
    values = [f"{field} {getattr(fresh, field)} {changes[field]}" for field in sorted(changed) if field in POINTS]
    for field in changed:
        setattr(fresh, field, changes[field])
    _check(fresh)
    fresh.save(update_fields=changed)
    data: audit.Data = {"fields": sorted(changed), "new": False, "values": values}
    audit.write(What.SEASON_CHANGED, club=fresh.club, actor=actor, about=f"season:{fresh.pk}", data=data)
    # Even if nothing is counted differently: the mark is a part of the ETags of pages.
    mark_for_recount(fresh.pk)
    return Season.objects.select_related("club").get(pk=fresh.pk)


@transaction.atomic
def season_close(*, season: Season, actor: User | None) -> Season:
    """Close a season: while it is closed, its final standings stay as they are.

    Raises:
        Refused: 409 if an evening of the season is open.
    """
    fresh = _locked(season)
    if fresh.closed_at is not None:
        return fresh
    check_no_evening_runs(fresh)
    guests = Player.objects.filter(club=fresh.club_id, guest=True).order_by("pk")
    fresh.final_guests = list(guests.values_list("pk", flat=True))
    fresh.closed_at = timezone.now()
    return _stored(fresh, actor, {"did": "season_closed"})


@transaction.atomic
def season_reopen(*, season: Season, actor: User | None, reason: str) -> Season:
    """Open a closed season again. The log has the reason.

    Raises:
        Refused: 422 without a reason, or with one that is too long.
    """
    reason = reason.strip()
    if not reason:
        sentence = _("Give a reason: a closed season is opened again only with one, and the log has it.")
        raise Refused(status=422, code="reason", sentence=sentence, at="reason")
    if len(reason) > MAX_REASON:
        sentence = _("This text is too long: at most %(most)d characters.") % {"most": MAX_REASON}
        raise Refused(status=422, code="reason", sentence=sentence, at="reason")
    fresh = _locked(season)
    if fresh.closed_at is None:
        return fresh
    fresh.final_guests = fresh.closed_at = None
    stored = SeasonReopening.objects.create(season=fresh, reason=reason, author=actor)
    return _stored(fresh, actor, {"did": "season_opened", "reopening": stored.pk})


def _locked(season: Season) -> Season:
    return Season.objects.select_for_update(of=("self",)).select_related("club").get(pk=season.pk)


def _stored(fresh: Season, actor: User | None, data: audit.Data) -> Season:
    """Store that a season is closed or open again, and log it."""
    fresh.save(update_fields=["closed_at", "final_guests"])
    mark_for_recount(fresh.pk)
    audit.write(What.SEASON_CHANGED, club=fresh.club, actor=actor, about=f"season:{fresh.pk}", data=data)
    return Season.objects.select_related("club", "count").get(pk=fresh.pk)


def _check_countable(season: Season, changed: list[str]) -> None:
    """Check that these fields may change counted data."""
    if any(field in COUNTED for field in changed):
        check_open(season)
    said = formula_fields(season) if any(field in (*BY_FORMULA, PLANNED) for field in changed) else ()
    for field in changed:
        if field in said:
            sentence = _("The season has a formula: it says what counts. Change the formula.")
            raise Refused(status=409, code="formula", sentence=sentence, at=field)


def formula_fields(season: Season) -> tuple[str, ...]:
    """Return the fields that the season's formula says; none without a formula. One query at most."""
    return fields_set_by(formula_of(season)) if season.has_formula else ()


def needs_recount(season: Season, changes: Mapping[str, Any]) -> bool:
    """Return True if the standings depend on these changes."""
    return any(getattr(season, field) != changes[field] for field in COUNTED if field in changes)


def counted_digest(changes: Mapping[str, Any]) -> str:
    """Return a digest of the changes that the standings depend on: a page sends it back, so that only the shown changes
    are stored."""
    counted = {field: changes[field] for field in COUNTED if field in changes}
    return hashlib.sha256(json.dumps(counted, sort_keys=True).encode()).hexdigest()[:DIGEST]


def _check_fields(values: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for field in values:
        if field not in known:
            sentence = _("“%(name)s” cannot be changed.") % {"name": field}
            raise Refused(status=422, code="field", sentence=sentence, at=field)


def _check(season: Season) -> None:
    try:
        season.full_clean(validate_unique=False, validate_constraints=False)
    except ValidationError as fault:
        field, sentences = next(iter(fault.message_dict.items()))
        raise Refused(status=422, code="season", sentence=sentences[0], at=field) from fault
    if season.ends_on is not None and season.ends_on < season.starts_on:
        raise Refused(status=422, code="season", sentence=_("A season must end after it begins."), at="ends_on")
    if season.points_only and season.ranking != Season.Ranking.POINTS:
        sentence = _("A season in points only is ranked by points.")
        raise Refused(status=422, code="season", sentence=sentence, at="ranking")
    if season.best_evenings == 0:
        raise Refused(status=422, code="season", sentence=_("At least one evening counts."), at="best_evenings")
    for field in POINTS:
        if not -MAX_POINTS <= getattr(season, field) <= MAX_POINTS:
            sentence = _("Points go from −%(max)d to %(max)d.") % {"max": MAX_POINTS}
            raise Refused(status=422, code="season", sentence=sentence, at=field)
    if Season.every.filter(club=season.club_id, slug=season.slug).exclude(pk=season.pk).exists():
        raise _slug_taken()


def _free_slug(club: Club, name: str) -> str:
    base = slugify(name)[:34] or "season"
    taken = set(Season.every.filter(club=club, slug__startswith=base).values_list("slug", flat=True))
    return next(slug for n in range(1, len(taken) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in taken)


def _slug_taken() -> Refused:
    sentence = _("The club already has a season with this short name.")
    return Refused(status=422, code="season", sentence=sentence, at="slug")
