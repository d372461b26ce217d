"""Set the formula of a season; give and undo penalties and bonuses. Each change is logged and recounted."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ... import audit
from ...audit import What
from ...errors import Refused, unknown_player
from ...ledger.season_mark import mark_for_recount
from ...models import Player, Season, SeasonAdjustment, SeasonFormula, User
from ..closed_seasons import locked
from .differences import differences
from .inputs import formula_of, stored_formula
from .own_settings import STORED, replace_own, restore_own
from .parts import MAX_POINTS, Formula, FormulaFault, read, write

MAX_REASON = 200

SENTENCES: dict[str, Promise] = {
    "unknown": gettext_lazy("A formula has no such part."),
    "choice": gettext_lazy("This is none of the choices."),
    "whole": gettext_lazy("This is no whole number."),
    "bounds": gettext_lazy("This is a whole number from %(least)d to %(most)d."),
    "switch": gettext_lazy("This is neither true nor false."),
    "list": gettext_lazy("This is no list."),
    "long": gettext_lazy("This is too long: at most %(most)d."),
    "falling": gettext_lazy("A lower place never gets more points than a higher one."),
    "twice": gettext_lazy("A tie-break is in the list once."),
    "after_lot": gettext_lazy("The lot decides everything: nothing comes after it."),
    "mapping": gettext_lazy("These are points by player."),
    "player": gettext_lazy("A player is named by a number."),
    "digits": gettext_lazy("The number from which lots are drawn has digits only."),
    "table": gettext_lazy("Points for places belong to a formula that counts the places of the night."),
    "without_best": gettext_lazy("A number of planned evenings belongs to a number of best ones: enter that as well."),
    "below_best": gettext_lazy("No more evenings can count than are planned."),
    "seed": gettext_lazy("A lot needs a number from which it is drawn. Everybody may see it."),
    "no_hands": gettext_lazy("A missed evening has no hands: it cannot count in an average per hand."),
    "amounts": gettext_lazy("Amounts are counted as they are: no points are added to them."),
}
"""The sentence of each `FormulaFault.code`."""


def formula_read(values: Mapping[str, Any]) -> Formula:
    """Return the formula of these values.

    Raises:
        Refused: 422, at the part that is wrong.
    """
    try:
        return read(values)
    except FormulaFault as fault:
        raise refusal(fault) from fault


def formula_for(season: Season, values: Mapping[str, Any]) -> Formula:
    """Return the formula of these values for a season; without `games` those of the season count.

    Raises:
        Refused: 422 for an impossible formula, or one that does not fit the season.
    """
    formula = formula_read({"games": season.games} | dict(values))
    check_fits(season, formula)
    return formula


def refusal(fault: FormulaFault) -> Refused:
    """Return the refusal of a fault: 422, at its part."""
    sentence = str(SENTENCES[fault.code]) % fault.details
    return Refused(status=422, code="formula", sentence=sentence, at=fault.field)


@transaction.atomic
def formula_set(
    *, season: Season, actor: User | None, values: Mapping[str, Any] | None, follows: int | None = None
) -> Season:
    """Store the next version of a season's formula; None lets the season rank by its own settings again, as they were
    before it had a formula. If nothing differs, nothing is stored. With `follows`, only from a page that showed this
    version (0: none).

    Raises:
        Refused: 422 for an impossible formula; 409 if the season is closed, or has another version meanwhile.
    """
    fresh = locked(season)
    if follows is not None and follows != (fresh.formula_version or 0):
        sentence = _("Somebody changed the formula meanwhile. Look at the newest one, then change it.")
        raise Refused(status=409, code="version", sentence=sentence)
    if values is None:
        return _remove(fresh, actor)
    formula = formula_for(fresh, values)
    if formula == stored_formula(fresh):
        return fresh
    changes = differences(formula_of(fresh), formula)
    newest = SeasonFormula.objects.filter(season=fresh).aggregate(last=Max("version"))["last"] or 0
    SeasonFormula.objects.create(season=fresh, version=newest + 1, values=write(formula), author=actor)
    fresh.formula_version = newest + 1
    fresh.formula_scale = formula.scale
    replace_own(fresh, formula)
    _store(fresh)
    log(fresh, actor, {"did": "formula", "version": newest + 1, "changes": changes})
    return _reloaded(fresh)


def _remove(season: Season, actor: User | None) -> Season:
    if not season.has_formula:
        return season
    before = formula_of(season)
    season.formula_version = season.formula_scale = None
    restore_own(season)
    _store(season)
    log(season, actor, {"did": "formula_removed", "changes": differences(before, formula_of(season))})
    return _reloaded(season)


def check_fits(season: Season, formula: Formula) -> None:
    """Check a formula against its season.

    Raises:
        Refused: 422 for amounts in a season in points only, or for a player of another club.
    """
    if formula.in_money and season.points_only:
        sentence = _("A season in points only is ranked by points.")
        raise Refused(status=422, code="formula", sentence=sentence, at="counts")
    if formula.counts == "places" and formula.places_by == "net" and season.points_only:
        sentence = _("A season in points only is ranked by points.")
        raise Refused(status=422, code="formula", sentence=sentence, at="places_by")
    players = [player for player, _points in formula.handicap]
    known = set(Player.objects.filter(club=season.club_id, pk__in=players).values_list("pk", flat=True))
    for player in players:
        if player not in known:
            raise unknown_player(player, "handicap", code="formula")


# --- Penalties and bonuses -------------------------------------------------------------------------------


@transaction.atomic
def adjustment_add(
    *, season: Season, player: Player, points: int, reason: str, actor: User | None, day: date | None = None
) -> SeasonAdjustment:
    """Give a player a bonus, or a penalty (below 0), in a season with a formula. It counts from its day on: without one
    from today, or from the last day of a season that is over.

    Raises:
        Refused: 409 without a formula, or if the season is closed; 422 for amounts, for points out of bounds, without a
            reason, or for a day outside the season or after today.
    """
    fresh = locked(season)
    day = adjustment_check(fresh, player=player, points=points, day=day)
    reason = reason.strip()
    if not reason or len(reason) > MAX_REASON or not reason.isprintable():
        sentence = _("Say why, in one line of at most %(most)d characters.") % {"most": MAX_REASON}
        raise Refused(status=422, code="adjustment", sentence=sentence, at="reason")
    added = SeasonAdjustment.objects.create(
        season=fresh, player=player, points=points, day=day, reason=reason, author=actor
    )
    log(fresh, actor, {"did": "adjusted", "player": player.pk, "points": points, "day": day.isoformat()})
    mark_for_recount(fresh.pk)
    return added


def adjustment_check(season: Season, *, player: Player, points: int, day: date | None) -> date:
    """Check a penalty or bonus before it is previewed or stored, and return its day.

    Raises:
        Refused: as `adjustment_add`, without the reason.
    """
    if not season.has_formula:
        sentence = _("Penalties and bonuses belong to a formula. Choose one for the season first.")
        raise Refused(status=409, code="no_formula", sentence=sentence)
    if formula_of(season).in_money:
        raise refusal(FormulaFault("points", "amounts"))
    if not points or abs(points) > MAX_POINTS:
        sentence = _("A penalty or bonus has from 1 to %(most)d points.") % {"most": MAX_POINTS}
        raise Refused(status=422, code="adjustment", sentence=sentence, at="points")
    if player.club_id != season.club_id:
        raise unknown_player(player.pk, "player")
    first, last = adjustment_days(season)
    day = day or last
    if not first <= day <= last:
        shown = {name: date_format(limit, "SHORT_DATE_FORMAT") for name, limit in (("first", first), ("last", last))}
        sentence = _("The day is in the season and not after today: from %(first)s to %(last)s.") % shown
        raise Refused(status=422, code="adjustment", sentence=sentence, at="day")
    return day


def adjustment_days(season: Season) -> tuple[date, date]:
    """Return the first and the last day that a penalty or bonus of the season can have. The last one is today, or the
    end of a season that is over; before a season begins, both are its first day."""
    today = timezone.localdate()
    last = min(today, season.ends_on) if season.ends_on else today
    return season.starts_on, max(season.starts_on, last)


@transaction.atomic
def adjustment_undo(*, adjustment: SeasonAdjustment, actor: User | None) -> SeasonAdjustment:
    """Undo a penalty or bonus; a second time changes nothing.

    Raises:
        Refused: 409 if the season is closed.
    """
    season = locked(adjustment.season)
    fresh = SeasonAdjustment.objects.select_for_update(of=("self",)).get(pk=adjustment.pk)
    if fresh.undone_at is not None:
        return fresh
    fresh.undone_at, fresh.undone_by = timezone.now(), actor
    fresh.save(update_fields=["undone_at", "undone_by"])
    log(
        season,
        actor,
        {
            "did": "adjustment_undone",
            "player": fresh.player_id,
            "points": fresh.points,
            "day": fresh.day.isoformat(),
        },
    )
    mark_for_recount(season.pk)
    return fresh


# --- Shared ----------------------------------------------------------------------------------------------


def guests_changed(club_id: int) -> None:
    """Recount the open seasons that leave guests out. The caller holds the transaction in which somebody
    became a guest, or a member again."""
    ranked = Season.objects.filter(club=club_id, formula_version__isnull=False, closed_at__isnull=True)
    for season in ranked.order_by("pk"):
        if not formula_of(season).guests:
            mark_for_recount(season.pk)


def _reloaded(season: Season) -> Season:
    """Return the season with its new mark."""
    return Season.objects.select_related("club", "count").get(pk=season.pk)


def _store(season: Season) -> None:
    season.save(update_fields=["formula_version", "formula_scale", *STORED])
    mark_for_recount(season.pk)


def log(season: Season, actor: User | None, data: audit.Data) -> None:
    """Log a change of a season. The caller holds the transaction."""
    audit.write(What.SEASON_CHANGED, club=season.club, actor=actor, about=f"season:{season.pk}", data=data)
