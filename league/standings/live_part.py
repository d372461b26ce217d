"""The part of a season's page that polls: the standings, the changes since the last evening, and the chart."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.web.polling import etag_of, poll_headers

from ..access import ClubAccess
from ..features import uses
from ..models import Season, SeasonFormula
from ..money import NONE, format_money, format_points, unit
from ..web.game_terms import season_terms
from . import charts, selectors, standing_lines
from .chance_band import chance_bounds
from .columns import headings, sorted_rows
from .formula.explanation import unranked_notes
from .formula.inputs import formula_of
from .formula.measures import measure_of
from .formula.parts import Formula
from .formula.sentences import beyond_plan, dropping, team_sentence
from .formula.team_table import TeamRanking, counted_ranking, team_rows
from .reader_choice import Choice, title_of_game
from .season_part import part_of
from .selectors import Course
from .standing_lines import StandingLine
from .standing_row import Row
from .trends import counting, gaps, trends


def rows_for(
    access: ClubAccess,
    standings: Sequence[StandingLine],
    notes: Mapping[int, str] | None = None,
    *,
    imported: Collection[int] = (),
) -> list[Row]:
    """Return the standings as the reader sees them. `notes`: the reasons why players are not ranked; `imported`: the
    players with imported evenings."""
    return [
        Row(
            standing=standing,
            name=access.names.show(standing.player_id, standing.nickname),
            mine=standing.player_id in access.player_ids,
            sees=access.sees_money(standing.player_id),
            note=(notes or {}).get(standing.player_id, ""),
            is_imported=standing.player_id in imported,
        )
        for standing in standings
    ]


def season_etag(access: ClubAccess, season: Season, choice: Choice | None = None) -> str:
    """Return an ETag that changes when hands were counted or stored, and when the season was changed. Each choice has
    another one."""
    fresh = selectors.freshness_as_read(season)
    setup = (season.name, season.ranking, season.planned_evenings, season.best_evenings, season.points_only)
    shown = (choice or Choice()).query()
    return etag_of(access, season.pk, season.ledger_mark, fresh.mark, fresh.counted_at, setup, shown)


def live_context(request: HttpRequest, access: ClubAccess, season: Season, choice: Choice) -> dict[str, Any]:
    """Return the standings and the chart of a season, or of the chosen part of it. At most six queries for the whole
    season, ten for a part, four more with teams, and one with a handicap, for any number of players and evenings."""
    formula = formula_of(season)
    lines, course, ranking = _ranked(season, choice, formula)
    terms = season_terms(season, [evening.game for evening in course.evenings])
    ranked = rows_for(access, lines, unranked_notes(formula, lines))
    rows = _trending(access, season, formula, ranked, course, minimums=not choice.partial)
    teams = team_rows(access, ranking)
    by_points = season.ranking == Season.Ranking.POINTS
    with_money = access.sees_money() or (not by_points and any(row.sees for row in rows))
    columns = headings(
        choice,
        terms,
        by_points=by_points,
        with_money=with_money,
        sees_all=access.sees_money(),
        currency=access.club.currency,
    )
    if choice.sort not in [column.name for column in columns if column.href]:
        choice = replace(choice, sort="", backwards=choice.backwards and not choice.sort)
    return {
        "access": access,
        "club": access.club,
        "season": season,
        "title": standings_title(season, course.held, choice),
        "choice": choice,
        "part": shown_part(choice),
        "evening_ids": {evening.evening_id for evening in course.evenings},
        "part_query": choice.part_query(),
        "part_notes": part_notes(season, formula, choice),
        "dropping": " ".join(dropping(formula)) if season.has_formula else "",
        "beyond": "" if choice.partial else beyond_plan(formula, course.held),
        "columns": columns,
        "sorted_by": next((column.title for column in columns if column.sorted and column.name != "rank"), ""),
        "by_rank": choice.query(sort="") or "?",
        "rows": sorted_rows(rows, choice),
        "with_imported": any(row.is_imported for row in rows),
        "teams_imported": any(member.is_imported for team in teams for member in team.members),
        "teams": teams,
        "team_rules": team_sentence(formula) if teams else "",
        "team_amounts": any(team.counted_minor is not None for team in teams),
        "by_points": by_points,
        "with_money": with_money,
        "freshness": selectors.freshness_as_read(season),
        "poll_headers": poll_headers(request, season_etag(access, season, choice)),
        "terms": terms,
        **_course(access, season, course, choice),
    }


def _ranked(season: Season, choice: Choice, formula: Formula) -> tuple[Sequence[StandingLine], Course, TeamRanking]:
    """Return the lines of the standings, their course, and the teams: as last counted, or of the chosen part."""
    if choice.filtered:
        part = part_of(season, choice, formula)
        return part.lines, part.course, part.teams
    lines = standing_lines.season_standings(season)
    return lines, selectors.season_course(season, [line.player_id for line in lines]), counted_ranking(season)


def _trending(
    access: ClubAccess,
    season: Season,
    formula: Formula,
    rows: Sequence[Row],
    course: Course,
    *,
    minimums: bool,
) -> list[Row]:
    """Return the rows with the changes since the last evening. The gap in an amount is for readers who see all
    amounts."""
    by_points = season.ranking == Season.Ranking.POINTS
    lines = [row.standing for row in rows]
    measure = measure_of(season, formula, {line.player_id for line in lines if line.unranked == "guest"})
    moved = trends(measure, course, minimums=minimums)
    counted = counting(measure, course)
    behind = gaps(lines, by_points=by_points) if by_points or access.sees_money() else {}
    show = partial(format_points, scale=season.points_scale) if by_points else format_money
    imported = course.with_imported
    return [
        replace(
            row,
            trend=moved.get(player),
            gap=show(-behind[player]) if behind.get(player) else "",
            is_imported=player in imported,
            counting=_left_out(row.standing, counted),
        )
        for row in rows
        for player in [row.standing.player_id]
    ]


def _left_out(line: StandingLine, counted: Mapping[int, int]) -> int | None:
    """Return the number of evenings that count, if it is not that of all."""
    counts = counted.get(line.player_id, line.evenings)
    return counts if counts < line.evenings and line.unranked != "guest" else None


def shown_part(choice: Choice) -> list[str]:
    """Return the chosen part of the season in words; empty for all of it."""
    since, on = (day and date_format(day, "SHORT_DATE_FORMAT") for day in (choice.since, choice.on))
    phrases = []
    if since and on:
        phrases.append(_("%(first)s to %(last)s") % {"first": since, "last": on})
    elif since:
        phrases.append(_("from %(first)s on") % {"first": since})
    elif on:
        phrases.append(_("as it stood on %(day)s") % {"day": on})
    if choice.game:
        phrases.append(title_of_game(choice.game))
    if choice.table:
        phrases.append(_("Table %(number)s") % {"number": choice.table})
    return phrases


def part_notes(season: Season, formula: Formula, choice: Choice) -> list[str]:
    """Return how the counting of this part of the season differs from that of the whole season, and that of a day from
    the counting on that day. One query at most."""
    notes = list(_since_that_day(season, choice))
    if not season.has_formula or not choice.partial:
        return notes
    if formula.attendance_minimum or formula.hands_minimum:
        notes.append(_("Everybody is ranked, also with few evenings or hands."))
    if (choice.game or choice.table) and not formula.in_money:
        notes.append(_("Penalties and bonuses do not count here."))
    return notes


def _since_that_day(season: Season, choice: Choice) -> Iterator[str]:
    """Yield what makes the standings of an earlier day differ from those that were shown on it. One query with a
    formula. A correction of that day's hands would be found only among all postings since."""
    if choice.on is None or choice.since or choice.on >= timezone.localdate():
        return
    yield _("Counted by today's rules, with all corrections made since.")
    if season.formula_version is None:
        return
    changed_at = SeasonFormula.objects.get(season=season, version=season.formula_version).created_at
    changed_on = timezone.localdate(changed_at)
    if changed_on > choice.on:
        yield _("The formula was last changed on %(day)s.") % {"day": date_format(changed_on, "SHORT_DATE_FORMAT")}


def standings_title(season: Season, held: int, choice: Choice | None = None) -> str:
    """Return the heading of a season's standings after so many evenings; of a part of the season without those that
    are planned."""
    if not held:
        return _("Standings")
    if choice and choice.partial:
        return ngettext("Standings of %(held)s evening", "Standings of %(held)s evenings", held) % {"held": held}
    if season.planned_evenings and season.planned_evenings >= held:
        planned = season.planned_evenings
        return ngettext(
            "Standings after %(held)s of %(planned)s evening",
            "Standings after %(held)s of %(planned)s evenings",
            planned,
        ) % {"held": held, "planned": planned}
    return ngettext("Standings after %(held)s evening", "Standings after %(held)s evenings", held) % {"held": held}


def _course(access: ClubAccess, season: Season, course: Course, choice: Choice) -> dict[str, Any]:
    """Return the chart with its table. The chart draws the leaders, the reader and the chosen player; `others` are the
    other players with a line, and the table has all.

    It shows points; in a season by balance the balances if the reader sees all of them, else the ranks.
    """
    by, title, short, long = charted(access, season)
    sign = -1 if by == "rank" else 1
    name = access.names.show
    lines = [
        (name(line.player_id, line.nickname), [None if v is None else sign * v for v in line.values(by)])
        for line in course.lines
    ]
    numbers = [evening.number for evening in course.evenings]
    cells = [[NONE if v is None else long(v) for v in values] for _name, values in lines]
    players = [line.player_id for line in course.lines]
    own = [n for n, player in enumerate(players) if str(player) == choice.chosen or player in access.player_ids]
    drawn = charts.drawn_places(len(lines), own)
    chart = charts.course_chart(
        numbers,
        [lines[place] for place in drawn],
        short,
        from_zero=by != "rank",
        own=[drawn.index(place) for place in own],
        chance=_chance(access, season, course, choice) if by == "balance" else (),
    )
    names = [name for name, _values in lines]
    return {
        "chart": chart,
        "course_names": names,
        "others": [
            (choice.query(**{"with": str(players[n])}), lines[n][0]) for n in range(len(lines)) if n not in drawn
        ],
        "chosen": next((player for player in players if str(player) == choice.chosen), None),
        "only_leaders": choice.query(**{"with": ""}) or "?",
        "course_title": title,
        "course_unit": unit(access.club.currency) if by == "balance" else "",
        "course_rows": [
            (evening, list(zip(names, values, strict=True)))
            for evening, values in zip(course.evenings, zip(*cells, strict=True), strict=False)
        ],
    }


def _chance(access: ClubAccess, season: Season, course: Course, choice: Choice) -> Sequence[tuple[int, int]]:
    """Return the bounds of chance of the whole season, where the club wants to see them."""
    if choice.filtered or season.in_chips or not uses(access.club, "season-luck"):
        return ()
    return chance_bounds(season, [evening.evening_id for evening in course.evenings])


def charted(access: ClubAccess, season: Season) -> tuple[str, str, charts.Format, charts.Format]:
    """Return what the chart shows, its title, and how its values are written short and long."""
    if season.ranking == Season.Ranking.POINTS:
        show = partial(format_points, scale=season.points_scale)
        return "points", _("Chart"), show, show
    if access.sees_money():
        return "balance", _("Balances over the season"), charts.show_money, format_money
    return "rank", _("Ranks over the season"), charts.show_rank, charts.show_rank
