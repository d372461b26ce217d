"""The versions of a season's formula, each with its changes; the formulas of the club's other seasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F

from ...models import Player, Season, SeasonFormula
from .differences import difference_words, differences, players_in
from .parts import Formula, read
from .sentences import described


@dataclass(frozen=True)
class VersionLine:
    """A version of a formula, with its rules and its changes against the version before, in words; the first one
    has no changes. `valid`: the season ranks by it."""

    version: int
    at: datetime
    author: str
    author_id: int | None
    formula: Formula
    rules: Sequence[str]
    changes: Sequence[str]
    first: bool
    valid: bool


def version_lines(season: Season, rows: Iterable[SeasonFormula] | None = None) -> list[VersionLine]:
    """Return the versions of a season, the newest first. Two queries. With `rows` (with their authors) only these,
    which are in that order; then one query more finds the version before the last of them."""
    stored = SeasonFormula.objects.filter(season=season).select_related("author").order_by("-version")
    shown = list(stored if rows is None else rows)
    if not shown:
        return []
    older = stored.filter(version__lt=shown[-1].version).first() if rows is not None else None
    formulas = [read(version.values) for version in (*shown, *([older] if older else []))]
    pairs = list(zip(formulas[1:], formulas, strict=False))
    codes = [differences(before, after) for before, after in pairs] + ([] if older else [[]])
    wanted = {player for each in codes for player in players_in(each)}
    wanted |= {player for formula in formulas for player, _points in formula.handicap}
    names = dict(Player.objects.filter(pk__in=wanted).values_list("pk", "nickname")) if wanted else {}
    return [
        VersionLine(
            version=version.version,
            at=version.created_at,
            author=str(version.author) if version.author else "",
            author_id=version.author_id,
            formula=formula,
            rules=described(formula, names),
            changes=difference_words(changed, lambda player: names.get(player, "?")),
            first=older is None and version is shown[-1],
            valid=version.version == season.formula_version,
        )
        for version, formula, changed in zip(shown, formulas, codes, strict=False)
    ]


def formulas_of_others(season: Season) -> list[SeasonFormula]:
    """Return the formulas that the club's other seasons rank by, with their seasons, the newest season first, as far as
    they fit this season. One query."""
    stored = SeasonFormula.objects.filter(season__club=season.club_id, version=F("season__formula_version"))
    others = stored.exclude(season=season).select_related("season").order_by("-season__starts_on", "-season")
    return [other for other in others if not (season.points_only and read(other.values).by_amounts)]
