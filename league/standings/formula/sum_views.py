"""The pages of a sum: the evenings that a player or a team has it from, those that do not count, penalties and bonuses.
The parameters of the standings choose a part of the season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.web import error_pages
from league.web.page_versions import State, versioned

from ...access import ClubAccess
from ...errors import Refused
from ...models import Player, Season, Team
from ...money import unit
from ..live_part import part_notes, shown_part
from ..reader_choice import FILTERS, Choice, read_choice
from ..season_part import PlayedPart, lines_of_teams, played_part
from ..selectors import freshness_as_read
from ..versions import season_state
from ..views import season_for
from .explanation import rules_of
from .inputs import formula_of, stays_of
from .lots import draw_of
from .parts import Formula
from .ranking import RaceLine
from .sentences import TIES, beyond_plan, show_value, team_sentence, why_unranked
from .sums import Sum, Sums, Wanted
from .team_table import team_title, teams_of
from .teams import Share, Stay, TeamLine, team_on


def sum_state(*, club: str, season: str, **_more: object) -> State | None:
    """The state of the page is that of its season."""
    return season_state(club=club, season=season)


@versioned(sum_state, query=FILTERS)
@require_safe
def season_sum(request: HttpRequest, club: str, season: str, player: int) -> HttpResponse:
    """Show the parts of a player's sum in a season, or in a part of it. At most seventeen queries."""
    access, chosen_season = season_for(request, club, season)
    person = Player.objects.filter(club=access.club, pk=player).first()
    if person is None or access.names.hides(person):
        raise Http404("no such player")
    try:
        choice = read_choice(request.GET)
    except Refused as fault:
        return error_pages.answer(request, HTTPStatus(fault.status), fault.code, fault.sentence)
    if person.main_id is not None:
        where = {"club": club, "season": season, "player": person.main_id}
        return redirect(reverse("season-sum", kwargs=where) + choice.part_query())
    sums, context = _played(access, chosen_season, choice)
    line = sums.lines.get(person.pk)
    context |= {
        "player": person,
        "name": access.names.show(person.pk, person.nickname),
        "line": line,
        "rules": rules_of(access, sums.played.formula),
    }
    if line is not None:
        (made,) = sums.sums_of([Wanted(person.pk, line.nights, line.value)])
        context |= {
            "sum": made,
            "unranked": why_unranked(sums.played.formula, line),
            "tie": TIES[line.tie] if line.tie else "",
            "draw": draw_of(access, sums.played.race, person.pk, sums.names) if line.tie == "lot" else None,
        }
    return render(request, "league/standings/sum.html", context)


@dataclass(frozen=True)
class Member:
    """A member of a team: the member's contribution, and if it is in the sum of the team."""

    player: int
    name: str
    counts: bool
    sum: Sum


@versioned(sum_state, query=FILTERS)
@require_safe
def season_team(request: HttpRequest, club: str, season: str, number: int) -> HttpResponse:
    """Show the parts of the sum of a team: its members, each with the evenings for the team. At most eighteen
    queries."""
    access, chosen_season = season_for(request, club, season)
    teams = teams_of(chosen_season)
    team = next((candidate for candidate in teams if candidate.number == number), None)
    if team is None:
        raise Http404("no such team")
    try:
        choice = read_choice(request.GET)
    except Refused as fault:
        return error_pages.answer(request, HTTPStatus(fault.status), fault.code, fault.sentence)
    sums, context = _played(access, chosen_season, choice)
    stays = stays_of(chosen_season, sums.played.circumstances.mains)
    line = next(team_line for team_line in lines_of_teams(sums.played, teams, stays) if team_line.team == team.pk)
    # The sum of a team is of all members: it is for those who see the amounts of everybody.
    sees = not sums.played.formula.in_money or access.sees_money()
    context |= {
        "team": team,
        "name": team_title(team, access),
        "line": line,
        "rank": line.rank if sums.lines else None,
        "total": show_value(sums.played.formula, line.value) if sees else "",
        "members": _members(sums, team, line, stays),
        "rules": [*rules_of(access, sums.played.formula), *_all_members(sums.played.formula)],
    }
    return render(request, "league/standings/team_sum.html", context)


def _played(access: ClubAccess, season: Season, choice: Choice) -> tuple[Sums, dict[str, Any]]:
    """Return the sums of the chosen part of a season, and the data that both pages show."""
    formula = formula_of(season)
    sums = Sums(access, season, choice, played_part(season, choice, formula))
    context = {
        "club": access.club,
        "season": season,
        "part": shown_part(choice),
        "part_notes": part_notes(season, formula, choice),
        "beyond": "" if choice.partial else beyond_plan(formula, sums.held),
        "part_query": choice.part_query(),
        "unit": unit(access.club.currency) if sums.played.formula.in_money else "",
        "freshness": freshness_as_read(season),
    }
    return sums, context


def _members(sums: Sums, team: Team, line: TeamLine, stays: dict[int, list[Stay]]) -> list[Member]:
    """Return the members with a share, the largest first. At most three queries."""
    wanted = [_wanted(sums.played, sums.lines[share.player], share, team, stays[share.player]) for share in line.shares]
    return [
        Member(share.player, sums.access.names.show(share.player, sums.names[share.player]), share.counts, made)
        for share, made in zip(line.shares, sums.sums_of(wanted), strict=True)
    ]


def _wanted(played: PlayedPart, line: RaceLine, share: Share, team: Team, stays: Sequence[Stay]) -> Wanted:
    """Return the share of a member: the evenings, penalties and bonuses of the days in the team."""
    days = played.days
    nights = [night for night in line.nights if team_on(stays, days[night.evening]) == team.pk]
    return Wanted(line.player, nights, share.value, lambda day: team_on(stays, day) == team.pk)


def _all_members(formula: Formula) -> list[str]:
    """Return the sentence about members that a formula without a number of them leaves out."""
    return [] if formula.team_best is not None else [team_sentence(formula)]
