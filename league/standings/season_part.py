"""The standings of a part of a season: as of a day, of a period, a game or a table; of players and teams.

They are not stored: the same formula is applied to the counted evenings of the part, or for a table to the hands that
were played there. Penalties and bonuses count by their dates; they belong to no game or table, so they do not count
there. Minimums apply only to the season up to a day. A share of
a player belongs to the team of its day, as in the whole season.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from ..models import Evening, EveningScore, Player, Season, Team
from . import counting_sql as sql
from .counting import points_of
from .formula.inputs import Circumstances, circumstances_of, race_of, stays_of
from .formula.parts import Formula
from .formula.ranking import CountedEvening, NightScore, Race, stored
from .formula.team_table import TeamRanking, ranking_of, teams_of
from .formula.teams import Stay, TeamLine, team_lines
from .reader_choice import Choice
from .recorded_hands import recorded
from .selectors import Course, CourseRow, course_of
from .standing_lines import StandingLine


class Score(NamedTuple):
    """A player's score of an evening, or of a table of an evening."""

    evening_id: int
    number: int
    held_on: date
    game: str
    player_id: int
    nickname: str
    hands: int
    declared: int
    declared_made: int
    joined: int
    joined_made: int
    out: int
    blinds: int
    blinds_made: int
    walkovers: int
    susi: int
    biggest_pot_minor: int
    musses: int
    musses_made: int
    points: int
    change_minor: int
    import_id: Any = None
    """The import that the evening came with."""

    @property
    def empty(self) -> bool:
        """Return True for an absent player without points."""
        return not (self.hands or self.points or self.change_minor)


NOT_ADDED = ("biggest_pot_minor", "points", "change_minor", "import_id")
COUNTED = tuple(name for name in Score._fields[6:] if name not in NOT_ADDED)
"""The fields that are added up."""


@dataclass(frozen=True)
class Part:
    """The standings of a part of a season, the first one first, their course, and the ranking of the teams."""

    lines: Sequence[StandingLine]
    course: Course
    teams: TeamRanking = field(default_factory=TeamRanking)


@dataclass(frozen=True)
class _After:
    """Sums of the players after an evening."""

    ranks: Mapping[int, int]
    values: Mapping[int, int]
    points: Mapping[int, int]
    balances: Mapping[int, int]
    unranked: Mapping[int, str]


def part_of(season: Season, choice: Choice, formula: Formula) -> Part:
    """Return the standings of the chosen part of a season with this formula. Five queries, with teams
    seven.

    Reads a row for each player and evening of the season or, for a table, the result rows of its hands.
    """
    start = _start(season, choice, formula)
    course = list(_played(start))
    with_amount = season.has_formula and formula.in_money
    lines = _lines(start.scores, course, with_amount=with_amount) if course else []
    rows = _course_rows(start.nights, course)
    teams = _teams(season, choice, start) if course else TeamRanking()
    return Part(lines, course_of(rows, [line.player_id for line in lines]), teams)


@dataclass(frozen=True)
class PlayedPart:
    """A part of a season under its formula, played to the end. `scores` are in the order of the
    evenings."""

    formula: Formula
    circumstances: Circumstances
    scores: Sequence[Score]
    nights: Sequence[Sequence[Score]]
    race: Race

    @property
    def days(self) -> dict[int, date]:
        """The date of each evening."""
        return {night[0].evening_id: night[0].held_on for night in self.nights}


def played_part(season: Season, choice: Choice, formula: Formula) -> PlayedPart:
    """Play a part of a season, or all of it, to explain its sums. Four queries."""
    start = _start(season, choice, formula)
    for number, night in enumerate(start.nights, 1):
        start.race.play(_evening(night), last=number == len(start.nights))
    return start


def _start(season: Season, choice: Choice, formula: Formula) -> PlayedPart:
    """Return a part of a season before its first evening."""
    circumstances = _circumstances(season, choice)
    scores = [score for score in _scores(season, choice) if choice.includes(score.held_on, score.game)]
    known = {score.player_id for score in scores if not score.empty}
    scores = [score for score in scores if score.player_id in known]
    nights = [list(night) for _evening, night in groupby(scores, key=lambda score: score.evening_id)]
    return PlayedPart(
        formula, circumstances, scores, nights, race_of(formula, circumstances, minimums=not choice.partial)
    )


def _evening(night: Sequence[Score]) -> CountedEvening:
    scores = {score.player_id: NightScore(score.hands, score.points, score.change_minor) for score in night}
    return CountedEvening(night[0].evening_id, night[0].held_on, scores)


def _circumstances(season: Season, choice: Choice) -> Circumstances:
    circumstances = circumstances_of(season)
    if choice.game or choice.table:
        return replace(circumstances, adjustments=())
    kept = tuple(adjustment for adjustment in circumstances.adjustments if choice.includes(adjustment.on, ""))
    return replace(circumstances, adjustments=kept)


def _scores(season: Season, choice: Choice) -> list[Score]:
    """Return the scores in the order of the evenings; those of merged players are one. One or two queries."""
    if choice.table:
        return _table_scores(season, choice.table)
    columns = ("evening_id", "evening__number", "evening__held_on", "evening__game", "player_id", "player__nickname")
    rows = EveningScore.objects.filter(season=season).order_by("evening__held_on", "evening__number", "player_id")
    if choice.on:
        rows = rows.filter(evening__held_on__lte=choice.on)
    return [Score(*row) for row in rows.values_list(*columns, *Score._fields[6:-1], "evening__imported_id")]


def _table_scores(season: Season, table: int) -> list[Score]:
    merged = Player.objects.filter(club=season.club_id, main__isnull=False).exists()
    query = sql.TABLE_SCORES.format(hands=recorded().AT_TABLE, persons=sql.MERGED if merged else sql.EACH_ALONE)
    with connection.cursor() as cursor:
        cursor.execute(query, {**points_of(season), "season": season.pk, "games": season.games, "table": table})
        rows = cursor.fetchall()
    return [Score(*row) for row in rows]


def _played(start: PlayedPart) -> Iterable[_After]:
    """Play the evenings; yield what everybody has after each one."""
    formula, race = start.formula, start.race
    points: dict[int, int] = {}
    balances: dict[int, int] = {}
    for number, night in enumerate(start.nights, 1):
        race.play(_evening(night), last=number == len(start.nights))
        for score in night:
            points[score.player_id] = points.get(score.player_id, 0) + score.points
            balances[score.player_id] = balances.get(score.player_id, 0) + score.change_minor
        ranks = race.ranks()
        values = {player: stored(formula, value) for player, (_rank, value, *_why) in ranks.items()}
        yield _After(
            ranks={player: rank for player, (rank, *_more) in ranks.items()},
            values=values,
            # Amounts never become points, which everybody may see.
            points=dict(points) if formula.in_money else values,
            balances=dict(balances),
            unranked={player: unranked for player, (_rank, _value, unranked, _tie) in ranks.items()},
        )


def _lines(scores: Sequence[Score], course: Sequence[_After], *, with_amount: bool) -> list[StandingLine]:
    now = course[-1]
    before = course[-2].ranks if len(course) > 1 else {}
    by_player: dict[int, list[Score]] = {}
    for score in scores:
        by_player.setdefault(score.player_id, []).append(score)
    lines = [
        _line(player, own, now, before.get(player), with_amount=with_amount)
        for player, own in by_player.items()
        if _counts(own)
    ]
    return sorted(lines, key=lambda line: (line.rank, line.nickname))


def _counts(own: Sequence[Score]) -> bool:
    """Return True if a player has a line: a share of a pot alone makes none."""
    return any(score.hands or score.points for score in own)


def _line(player: int, own: Sequence[Score], now: _After, before: int | None, *, with_amount: bool) -> StandingLine:
    played = [score for score in own if score.hands]
    changes = [score.change_minor for score in played] or [0]
    points = [score.points for score in played] or [0]
    return StandingLine(
        player_id=player,
        rank=now.ranks[player],
        rank_before=before,
        points=now.points[player],
        balance_minor=now.balances[player],
        evenings=len(played),
        **{name: sum(getattr(score, name) for score in own) for name in COUNTED},
        biggest_pot_minor=max((score.biggest_pot_minor for score in played), default=0),
        best_night_minor=max(changes),
        worst_night_minor=min(changes),
        best_night_points=max(points),
        worst_night_points=min(points),
        counted_minor=now.values[player] if with_amount else None,
        unranked=now.unranked[player],
        nickname=own[0].nickname,
    )


def _teams(season: Season, choice: Choice, played: PlayedPart) -> TeamRanking:
    """Return the ranking of the teams after the race. One query, two with teams."""
    teams = teams_of(season)
    if not teams:
        return TeamRanking()
    stays = stays_of(season, played.circumstances.mains)
    lines = lines_of_teams(played, teams, stays)
    names = {score.player_id: score.nickname for score in played.scores}
    day = choice.on or timezone.localdate()
    imported: dict[int, set[date]] = {}
    for score in played.scores:
        if score.import_id is not None and score.hands:
            imported.setdefault(score.player_id, set()).add(score.held_on)
    return ranking_of(played.formula, teams, lines, stays=stays, nicknames=names, day=day, imported=imported)


def evenings_of_part(
    season: Season, choice: Choice, made_of: Collection[int], evenings: Iterable[Evening]
) -> list[Evening]:
    """Return those of these evenings of which the standings of a part are made, in the same order, each with the hands
    that count there as its `hands_count`. A query for a table, else none."""
    counted = [evening for evening in evenings if evening.pk in made_of]
    if choice.table:
        hands = _hands_at_table(season, choice.table)
        for evening in counted:
            evening.hands_count = hands.get(evening.pk, 0)  # type: ignore[attr-defined]
    return counted


def _hands_at_table(season: Season, table: int) -> dict[int, int]:
    """Return the number of hands at a table by evening."""
    with connection.cursor() as cursor:
        cursor.execute(sql.TABLE_HANDS.format(hands=recorded().AT_TABLE), {"season": season.pk, "table": table})
        return dict(cursor.fetchall())


def lines_of_teams(
    played: PlayedPart, teams: Iterable[Team], stays: Mapping[int, Sequence[Stay]]
) -> Sequence[TeamLine]:
    """Return the lines of teams after a part that was played. No query."""
    return team_lines(
        played.formula,
        played.race.lines(),
        teams=[team.pk for team in teams],
        stays=stays,
        days=played.days,
        adjustments=played.circumstances.adjustments,
    )


def _course_rows(nights: Sequence[Sequence[Score]], course: Sequence[_After]) -> Iterable[CourseRow]:
    names = {score.player_id: score.nickname for night in nights for score in night}
    for night, after in zip(nights, course, strict=True):
        own = {score.player_id: score for score in night}
        first = night[0]
        for player, rank in after.ranks.items():
            score = own.get(player)
            yield CourseRow(
                player,
                names[player],
                first.evening_id,
                first.number,
                first.held_on,
                first.game,
                score.hands if score else 0,
                score.points if score else 0,
                score.change_minor if score else 0,
                after.points[player],
                after.balances[player],
                rank,
                first.import_id,
            )
