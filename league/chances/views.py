"""The public page with the chances of a season, and with what a player needs tonight.

It never waits for the simulation: it shows what is stored, wakes a worker if that is outdated, and looks again. So it
is not kept for visitors: who waits must be able to wake a worker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ..access import ClubAccess
from ..models import Evening, Season, SeasonChances
from ..standings.formula.explanation import effective_formula
from ..standings.formula.parts import Formula
from ..standings.formula.words import described
from ..standings.selectors import freshness_as_read
from ..standings.standing_lines import StandingLine, season_standings
from ..standings.views import season_for
from ..web.polling import answer_unless_known, etag_of, poll_headers
from . import selectors, services
from .packing import unpacked
from .simulation import GROUPS, LEAST_EVENINGS, LEAST_OWN, RUNS, Chance, Forecast, Prospect
from .words import Said, amount, said, when_over


@dataclass(frozen=True)
class Row:
    """A player's line; the chances are None with too few evenings of the player."""

    player_id: int
    name: str
    mine: bool
    chosen: bool
    first: Said | None
    top: Said | None


@dataclass(frozen=True)
class Need:
    """What a player needs for one aim: the aim, the answer, and a further sentence."""

    aim: str
    answer: str
    more: str = ""


@dataclass(frozen=True)
class Person:
    """What one player needs tonight. `so_far`: the result of the evening that is played now."""

    name: str
    mine: bool
    few: bool
    needs: Sequence[Need]
    chances: Sequence[tuple[str, Said]]
    so_far: str


@dataclass(frozen=True)
class Asked:
    """What a request is about: the reader, the season, the stored chances and the evening that is played now."""

    access: ClubAccess
    season: Season
    stored: SeasonChances | None
    running: Evening | None
    chosen: int | None

    @property
    def mark(self) -> int:
        """The counted mark of the season."""
        return freshness_as_read(self.season).mark

    @property
    def fresh(self) -> bool:
        """Return True if there is nothing to wait for."""
        if self.season.closed_at is not None or not self.mark:
            return True
        return selectors.is_fresh(self.stored, self.mark, self.running)

    @property
    def etag(self) -> str:
        """An ETag that changes with all that the page shows."""
        at = self.stored and (self.stored.computed_at, self.stored.counted_mark)
        running = self.running and self.running.pk
        return etag_of(self.access, self.season.pk, self.mark, at, running, self.season.closed_at, self.chosen)


@require_safe
def season_chances(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show the chances of a season. The parameter `player` chooses whose needs are shown; else the reader's own."""
    return render(request, "league/chances/season.html", _context(request, _asked(request, club, season)))


@require_safe
def season_chances_live(request: HttpRequest, club: str, season: str) -> HttpResponseBase:
    """Render the part of the page that looks again: 304 until something new was computed."""
    asked = _asked(request, club, season)
    return answer_unless_known(
        request, asked.etag, lambda: render(request, "league/chances/_live.html", _context(request, asked))
    )


def _asked(request: HttpRequest, club: str, season: str) -> Asked:
    """The gate of both pages. Wakes a worker if something is to be computed."""
    access, found = season_for(request, club, season)
    wanted = request.GET.get("player", "")
    asked = Asked(
        access=access,
        season=found,
        stored=selectors.stored_chances(found),
        running=selectors.running_evening(found),
        chosen=int(wanted) if wanted.isdecimal() and len(wanted) < 16 else None,
    )
    if not asked.fresh:
        services.wake(found.pk)
    return asked


def _context(request: HttpRequest, asked: Asked) -> dict[str, Any]:
    stored, season = asked.stored, asked.season
    forecast = unpacked(stored.values if stored else {})
    formula = effective_formula(season)
    lines = {line.player_id: line for line in season_standings(season)}
    known = sorted(forecast.prospects, key=lambda one: lines[one.player].rank if one.player in lines else len(lines))
    known = [one for one in known if one.player in lines]
    left = stored.values.get("left") if stored else None
    return {
        "club": asked.access.club,
        "season": season,
        "stored": stored,
        "waits": not asked.fresh,
        "held": stored.values.get("held", 0) if stored else 0,
        "least": LEAST_EVENINGS,
        "least_own": LEAST_OWN,
        "runs": GROUPS * RUNS,
        "left": left,
        "when_over": when_over(season, left),
        "running": asked.running,
        "next_rows": [_row(asked, lines[one.player], one, one.next_first, one.next_top) for one in known],
        "end_rows": [
            _row(asked, lines[one.player], one, one.end_first, one.end_top) for one in known if (left or 0) > 1
        ],
        "people": _people(asked, formula, forecast, known, lines),
        "rules": described(formula),
        "poll_headers": poll_headers(request, asked.etag),
        "chosen": asked.chosen if asked.chosen in lines else None,
    }


def _row(asked: Asked, line: StandingLine, one: Prospect, first: Chance | None, top: Chance | None) -> Row:
    few = one.evenings < LEAST_OWN
    return Row(
        player_id=one.player,
        name=asked.access.names.show(one.player, line.nickname),
        mine=one.player in asked.access.player_ids,
        chosen=one.player == asked.chosen,
        first=None if few or first is None else said(first),
        top=None if few or top is None else said(top),
    )


# --- What a player needs ---------------------------------------------------------------------------------


def _people(
    asked: Asked, formula: Formula, forecast: Forecast, known: Sequence[Prospect], lines: dict[int, StandingLine]
) -> list[Person]:
    """Return the chosen player, or the reader's own ones."""
    wanted = {asked.chosen} if asked.chosen in lines else asked.access.player_ids
    found = [one for one in known if one.player in wanted]
    so_far = selectors.points_so_far(asked.running, [one.player for one in found]) if asked.running and found else {}
    return [_person(asked, formula, forecast, one, lines[one.player], so_far.get(one.player)) for one in found]


def _person(
    asked: Asked,
    formula: Formula,
    forecast: Forecast,
    one: Prospect,
    line: StandingLine,
    so_far: tuple[int, int] | None,
) -> Person:
    by_net = formula.in_money or (formula.counts == "places" and formula.places_by == "net")
    sees = not by_net or asked.access.sees_money(one.player)
    currency = asked.access.club.currency if by_net else ""
    chances = [(_("First after it"), one.next_first), (_("Among the first three after it"), one.next_top)]
    if one.end_first is not None and one.end_top is not None and (asked.stored and asked.stored.values["left"] != 1):
        chances += [(_("First in the end"), one.end_first), (_("Among the first three in the end"), one.end_top)]
    return Person(
        name=asked.access.names.show(one.player, line.nickname),
        mine=one.player in asked.access.player_ids,
        few=one.needs is None,
        needs=_needs(forecast, one, currency) if sees else [],
        chances=[(what, said(chance)) for what, chance in chances],
        so_far=amount(so_far[1] if by_net else so_far[0], currency) if so_far and sees else "",
    )


def _needs(forecast: Forecast, one: Prospect, currency: str) -> list[Need]:
    if one.needs is None:
        return []
    first, top = one.needs.first, one.needs.top
    half = _half(forecast, one.needs.first_half, currency) if one.needs.first_half != first else ""
    return [
        Need(_("To be first"), _answer(forecast, first, currency), half or _why(forecast, first, currency)),
        Need(_("To be among the first three"), _answer(forecast, top, currency), _why(forecast, top, currency)),
    ]


def _answer(forecast: Forecast, need: int | None, currency: str) -> str:
    if need is None:
        return _("out of reach")
    if need <= forecast.least:
        return _("whatever you play")
    return _("at least %(points)s") % {"points": amount(need, currency)}


def _why(forecast: Forecast, need: int | None, currency: str) -> str:
    if need is not None:
        return ""
    best = amount(forecast.most, currency)
    return _("Not even the best evening of the season (%(best)s) is enough.") % {"best": best}


def _half(forecast: Forecast, half: int | None, currency: str) -> str:
    """Return what is enough in half of the evenings, where that is less."""
    if half is None:
        return ""
    if half <= forecast.least:
        return _("In 5 of 10 simulated evenings anything is enough.")
    return _("In 5 of 10 simulated evenings %(points)s are enough.") % {"points": amount(half, currency)}
