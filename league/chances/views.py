"""The public page with the chances of a season, and with the result that a player needs tonight.

The page never waits for the simulation: it shows the stored chances, wakes a worker if they are outdated, and polls. So
it is not kept for visitors: every request must be able to wake a worker.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ..standings.formula.explanation import rules_of
from ..standings.formula.inputs import formula_of
from ..standings.formula.parts import Formula
from ..standings.imported import players_with_imported
from ..standings.standing_lines import StandingLine, season_standings
from ..standings.versions import chances_topics
from ..standings.views import season_for
from ..web.polling import answer_unless_known, poll_headers
from ..web.streamed import streamed
from . import selectors
from .forecast_json import unpacked
from .sentences import Said, amount, said, when_over
from .simulation import GROUPS, LEAST_EVENINGS, LEAST_OWN, RUNS, Chance, Forecast, Prospect
from .state import ChancesState, read_state


@dataclass(frozen=True)
class Row:
    """A player's line; the chances are None with too few evenings of the player."""

    player_id: int
    name: str
    mine: bool
    chosen: bool
    first: Said | None
    top: Said | None
    is_imported: bool


@dataclass(frozen=True)
class Need:
    """The result that a player needs for one aim: the aim, the answer, and a further sentence."""

    aim: str
    answer: str
    more: str = ""


@dataclass(frozen=True)
class Person:
    """The results that one player needs tonight. `so_far`: the result of the evening that is played now."""

    name: str
    mine: bool
    few: bool
    needs: Sequence[Need]
    chances: Sequence[tuple[str, Said]]
    so_far: str


@require_safe
def season_chances(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show the chances of a season. The parameter `player` chooses whose needs are shown; else the reader's own."""
    return render(request, "league/chances/season.html", _context(request, _state_of(request, club, season)))


@streamed(chances_topics)
@require_safe
def season_chances_live(request: HttpRequest, club: str, season: str) -> HttpResponseBase:
    """Render the part of the page that looks again: 304 until something new was computed."""
    state = _state_of(request, club, season)
    return answer_unless_known(
        request, state.etag, lambda: render(request, "league/chances/_live.html", _context(request, state))
    )


def _state_of(request: HttpRequest, club: str, season: str) -> ChancesState:
    """The gate of both pages. Wakes a worker if a computation is due."""
    access, chosen_season = season_for(request, club, season)
    wanted = request.GET.get("player", "")
    return read_state(access, chosen_season, int(wanted) if wanted.isdecimal() and len(wanted) < 16 else None)


def _context(request: HttpRequest, state: ChancesState) -> dict[str, Any]:
    stored, season = state.stored, state.season
    forecast = unpacked(stored.values if stored else {})
    formula = formula_of(season)
    lines = {line.player_id: line for line in season_standings(season)}
    known = sorted(
        forecast.prospects, key=lambda prospect: lines[prospect.player].rank if prospect.player in lines else len(lines)
    )
    known = [prospect for prospect in known if prospect.player in lines]
    left = stored.values.get("left") if stored else None
    imported = players_with_imported(season) if known else frozenset()
    return {
        "club": state.access.club,
        "season": season,
        "stored": stored,
        "waits": not state.fresh,
        "held": stored.values.get("held", 0) if stored else 0,
        "least": LEAST_EVENINGS,
        "least_own": LEAST_OWN,
        "runs": GROUPS * RUNS,
        "left": left,
        "when_over": when_over(season, left, in_plan=bool(stored and stored.values.get("in_plan"))),
        "running": state.running,
        "next_rows": [
            _row(state, lines[prospect.player], prospect, (prospect.next_first, prospect.next_top), imported)
            for prospect in known
        ],
        "end_rows": [
            _row(state, lines[prospect.player], prospect, (prospect.end_first, prospect.end_top), imported)
            for prospect in known
            if (left or 0) > 1
        ],
        "people": _people(state, formula, forecast, known, lines),
        "with_imported": bool(imported),
        "rules": rules_of(state.access, formula),
        "poll_headers": poll_headers(request, state.etag),
        "chosen": state.chosen if state.chosen in lines else None,
    }


def _row(
    state: ChancesState,
    line: StandingLine,
    prospect: Prospect,
    chances: tuple[Chance | None, Chance | None],
    imported: Collection[int],
) -> Row:
    first, top = chances
    few = prospect.evenings < LEAST_OWN
    return Row(
        player_id=prospect.player,
        name=state.access.names.show(prospect.player, line.nickname),
        mine=prospect.player in state.access.player_ids,
        chosen=prospect.player == state.chosen,
        first=None if few or first is None else said(first),
        top=None if few or top is None else said(top),
        is_imported=prospect.player in imported,
    )


# --- The results that a player needs ---------------------------------------------------------------------


def _people(
    state: ChancesState, formula: Formula, forecast: Forecast, known: Sequence[Prospect], lines: dict[int, StandingLine]
) -> list[Person]:
    """Return the chosen player, or the reader's own ones."""
    wanted = {state.chosen} if state.chosen in lines else state.access.player_ids
    prospects = [prospect for prospect in known if prospect.player in wanted]
    so_far = (
        selectors.points_so_far(state.running, [prospect.player for prospect in prospects])
        if state.running and prospects
        else {}
    )
    return [
        _person(state, formula, forecast, prospect, lines[prospect.player], so_far.get(prospect.player))
        for prospect in prospects
    ]


def _person(
    state: ChancesState,
    formula: Formula,
    forecast: Forecast,
    prospect: Prospect,
    line: StandingLine,
    so_far: tuple[int, int] | None,
) -> Person:
    by_net = formula.by_amounts
    sees = state.sees_needs(formula, prospect.player)
    currency = state.access.club.currency if by_net else ""
    chances = [(_("First after it"), prospect.next_first), (_("Among the first three after it"), prospect.next_top)]
    if (
        prospect.end_first is not None
        and prospect.end_top is not None
        and (state.stored and state.stored.values["left"] != 1)
    ):
        chances += [
            (_("First in the end"), prospect.end_first),
            (_("Among the first three in the end"), prospect.end_top),
        ]
    return Person(
        name=state.access.names.show(prospect.player, line.nickname),
        mine=prospect.player in state.access.player_ids,
        few=prospect.needs is None,
        needs=_needs(forecast, prospect, currency) if sees else [],
        chances=[(what, said(chance)) for what, chance in chances],
        so_far=amount(so_far[1] if by_net else so_far[0], currency) if so_far and sees else "",
    )


def _needs(forecast: Forecast, prospect: Prospect, currency: str) -> list[Need]:
    if prospect.needs is None:
        return []
    first, top = prospect.needs.first, prospect.needs.top
    half = _half(forecast, prospect.needs.first_half, currency) if prospect.needs.first_half != first else ""
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
    """Return the result that suffices in half of the evenings, where that is less."""
    if half is None:
        return ""
    if half <= forecast.least:
        return _("In 5 of 10 simulated evenings anything is enough.")
    return _("In 5 of 10 simulated evenings %(points)s are enough.") % {"points": amount(half, currency)}
