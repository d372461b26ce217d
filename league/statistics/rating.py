"""The ratings of a season's players as bands: the mean as a dot, its uncertainty as the band around it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..access import ClubAccess
from ..money import format_count
from ..standings.facts.rating_model import BEGINNER, LEAST, Skill
from ..standings.standing_lines import StandingLine
from .bands import WIDTH, Band


@dataclass(frozen=True)
class RatingLine:
    """A player's rating; `band.known` is False with too few evenings."""

    player_id: int
    name: str
    mine: bool
    skill: Skill
    band: Band
    is_imported: bool = False
    """True if the rating follows from an imported evening as well."""
    places: str = ""
    """The places among the rated players that this one may have: `2–5`, `1`; empty if each may have any of them."""

    @property
    def counts(self) -> str:
        """The number of evenings, and the places."""
        if not self.places:
            return self.band.counts
        return f"{self.band.counts} · " + _("place %(range)s") % {"range": self.places}


@dataclass(frozen=True)
class Ratings:
    """The players in the order of their means, those with too few evenings last; a sentence about their differences;
    the bounds of the scale in points, the beginner's points and the least number of evenings."""

    lines: Sequence[RatingLine]
    says: str
    low: int
    high: int
    begin: int = BEGINNER.points
    least: int = LEAST

    @property
    def known(self) -> list[RatingLine]:
        """The players with enough evenings for a rating."""
        return [line for line in self.lines if line.band.known]

    @property
    def few(self) -> str:
        """A sentence that counts and names the others; empty without."""
        names = [f"{line.name} ({line.counts})" for line in self.lines if not line.band.known]
        if not names:
            return ""
        text = _("%(n)s with too few evenings (fewer than %(least)s): %(names)s.")
        return text % {"n": len(names), "least": self.least, "names": ", ".join(names)}

    @property
    def with_imported(self) -> bool:
        """True if one of them follows from an imported evening."""
        return any(line.is_imported for line in self.lines)


def ratings(
    access: ClubAccess,
    lines: Sequence[StandingLine],
    skills: Mapping[int, Skill],
    imported: Collection[int] = frozenset(),
) -> Ratings | None:
    """Return the ratings of the players of a season; None before the first evening of two. `imported`: the players
    whose rating follows from an imported evening as well."""
    rated = [(line, skills[line.player_id]) for line in lines if line.player_id in skills]
    rated = [(line, skill) for line, skill in rated if skill.evenings]
    if not rated:
        return None
    rated.sort(key=lambda pair: (not pair[1].known, -pair[1].points, pair[0].nickname.casefold()))
    known = [skill for _line, skill in rated if skill.known]
    low = min((skill.low for skill in known), default=0)
    high = max((skill.high for skill in known), default=1)
    rating_lines = [
        RatingLine(
            line.player_id,
            access.names.show(line.player_id, line.nickname),
            line.player_id in access.player_ids,
            skill,
            rating_band(skill, low, high),
            line.player_id in imported,
            place,
        )
        for (line, skill), place in zip(rated, [*places(known), *[""] * (len(rated) - len(known))], strict=True)
    ]
    return Ratings(
        rating_lines, _says([rating_line for rating_line in rating_lines if rating_line.skill.known]), low, high
    )


def rating_band(skill: Skill, low: int, high: int) -> Band:
    """Return the band of a rating on a scale from `low` to `high`, with a mark at the rating of a beginner."""
    count = ngettext("%(n)s evening", "%(n)s evenings", skill.evenings) % {"n": format_count(skill.evenings)}
    if not skill.known:
        return Band(False, _("too few evenings"), count, _("shown from %(least)s on") % {"least": LEAST})

    def x(points: int) -> float:
        return round((points - low) * WIDTH / max(1, high - low), 1)

    begin = BEGINNER.points
    return Band(
        known=True,
        percent=with_spread(skill),
        counts=count,
        bounds=_("%(low)s to %(high)s") % {"low": format_count(skill.low), "high": format_count(skill.high)},
        left=x(skill.low),
        width=round(x(skill.high) - x(skill.low), 1),
        dot=x(skill.points),
        mark=x(begin) if low <= begin <= high else None,
    )


def with_spread(skill: Skill) -> str:
    """Return a rating as text: `1’219 ± 310`."""
    return f"{format_count(skill.points)}\xa0±\xa0{format_count(skill.spread)}"


def places(known: Sequence[Skill]) -> list[str]:
    """Return for each rating the places that it may have among all: `2–5`, or `1`. Another one is before or behind it
    only if their bands do not touch. All are empty if each may have any place."""
    most = len(known)
    bounds = [
        (1 + sum(other.low > skill.high for other in known), most - sum(other.high < skill.low for other in known))
        for skill in known
    ]
    if all(bound == (1, most) for bound in bounds):
        return [""] * most
    return [str(best) if best == worst else f"{best}–{worst}" for best, worst in bounds]


def _says(known: Sequence[RatingLine]) -> str:
    """Return a sentence with those whose bands lie below that of the first one."""
    if not known:
        return _("Too few evenings to say who is stronger.")
    if len(known) < 2:
        return ""
    first = known[0]
    behind = [rating_line for rating_line in known[1:] if apart(first.skill, rating_line.skill)]
    if not behind:
        return _("The differences are too small to say who is stronger.")
    names = ", ".join(rating_line.name for rating_line in behind)
    return _("Surely stronger: %(one)s than %(others)s.") % {"one": first.name, "others": names}


def apart(skill: Skill, other: Skill) -> bool:
    """Return True if two ratings differ by more than chance explains: their bands do not touch."""
    return skill.low > other.high or other.low > skill.high
