"""Preview of another formula, or of other settings, in a season: changed ranks of players and teams, with reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...models import Player, Season, Team
from ..counting import evening_scores
from ..seasons import POINTS
from .differences import difference_words, differences, players_in
from .inputs import (
    Circumstances,
    circumstances_of,
    evenings_of,
    formula_of,
    own_formula,
    race_of,
    run,
    stays_of,
    stored_formula,
)
from .moves import Ranked, reasons
from .own_settings import replace_own, restore_own
from .parts import Formula
from .ranking import CountedEvening, NightScore, RaceLine, Value, points_and_amount
from .sentences import show_value
from .team_table import numbered, teams_of
from .teams import Stay, TeamLine, team_lines


@dataclass(frozen=True)
class Move:
    """A player's place and value now and then, with the reasons. `rank_now` and `rank_then` are None for a player
    for a player, or not in the standings. The stored points and the amounts are for programs."""

    player_id: int
    nickname: str
    rank_now: int | None
    rank_then: int | None
    value_now: str
    value_then: str
    unranked: bool
    why: str
    stored_now: tuple[int, int | None] | None = None
    stored_then: tuple[int, int | None] | None = None

    @property
    def moves(self) -> bool:
        """Return True if the rank changes."""
        return self.rank_now != self.rank_then


@dataclass(frozen=True)
class MemberMove:
    """A member's contribution to a team under another formula, and if it would count; `newly`: it does not count now.
    `before`: the contribution now, empty if it is the same or in another unit."""

    nickname: str
    value: str
    before: str
    counts: bool
    newly: bool


@dataclass(frozen=True)
class TeamMove:
    """A team's place and value now and then; `members` are the reasons, and those who are `gone`, with what they
    contribute now. `rank_now` is None for a new team, and in a season that ranks no teams yet."""

    title: str
    rank_now: int | None
    rank_then: int
    value_now: str
    value_then: str
    members: Sequence[MemberMove]
    number: int = 0
    gone: Sequence[tuple[str, str]] = ()

    @property
    def moves(self) -> bool:
        """Return True if the rank changes."""
        return self.rank_now is not None and self.rank_now != self.rank_then


@dataclass(frozen=True)
class Preview:
    """The changes, by the places then. `changes`: the parts of the formula that differ, in words. `teams_end`:
    the season has teams, which would not be ranked any more."""

    formula: Formula
    changes: Sequence[str]
    moves: Sequence[Move]
    teams: Sequence[TeamMove] = ()
    teams_end: bool = False
    scales: tuple[int, int] = (1, 1)

    @property
    def summary(self) -> str:
        """Return the number of players and of teams with another rank, in sentences."""
        moved, teams = sum(move.moves for move in self.moves), sum(team.moves for team in self.teams)
        said = []
        if moved:
            said.append(ngettext("%(n)s player moves.", "%(n)s players move.", moved) % {"n": moved})
        if teams:
            said.append(ngettext("%(n)s team moves.", "%(n)s teams move.", teams) % {"n": teams})
        return " ".join(said) or _("Nobody moves.")


@dataclass(frozen=True)
class State:
    """All that the ranking of a season depends on. `teams` is empty where none are ranked."""

    formula: Formula
    evenings: Sequence[CountedEvening]
    circumstances: Circumstances
    teams: Sequence[Team] = ()
    stays: Mapping[int, Sequence[Stay]] = field(default_factory=dict)

    @property
    def ranked(self) -> Ranked:
        """The race that was run to the end, with the lines of its players."""
        race = run(race_of(self.formula, self.circumstances), self.evenings)
        return Ranked(race, race.lines())

    def team_lines(self, lines: Sequence[RaceLine]) -> list[TeamLine]:
        """Return the lines of the teams, the first one first; `lines` are those of the players."""
        return team_lines(
            self.formula,
            lines,
            teams=[team.pk for team in self.teams],
            stays=self.stays,
            days={evening.evening: evening.held_on for evening in self.evenings},
            adjustments=self.circumstances.adjustments,
        )


def state_of(season: Season) -> State:
    """Return what the ranking of a season depends on now. Six queries at most."""
    circumstances = circumstances_of(season)
    teams = teams_of(season)
    stays = stays_of(season, circumstances.mains) if teams else {}
    return State(formula_of(season), evenings_of(season).counted, circumstances, teams, stays)


def preview(season: Season, formula: Formula | None) -> Preview:
    """Return the changes of the season's standings by a formula; None: by ranking without one, by its own settings of
    before. Ten queries at most, two more for other games."""
    changed = copy(season)
    if formula is None:
        restore_own(changed)
    else:
        replace_own(changed, formula)
    return _by_settings(season, changed, formula)


def preview_settings(season: Season, changes: Mapping[str, Any]) -> Preview:
    """Return the changes of the season's standings by these settings. Twelve queries at most."""
    changed = copy(season)
    for name, value in changes.items():
        setattr(changed, name, value)
    return _by_settings(season, changed, stored_formula(season))


def _by_settings(season: Season, changed: Season, formula: Formula | None) -> Preview:
    """Compare the season with itself under other settings and this formula (None: without one)."""
    evenings, evenings_then = _evenings(season, changed)
    circumstances = found_then = circumstances_of(season)
    if (formula is not None) != season.has_formula:
        found_then = circumstances_of(season, by_formula=formula is not None)
    teams = list(Team.objects.filter(season=season).order_by("number")) if evenings or evenings_then else []
    stays = stays_of(season, found_then.mains) if teams and formula is not None else {}
    # Without a formula a season ranks no teams.
    now = State(formula_of(season), evenings, circumstances, teams if season.has_formula else (), stays)
    then = State(
        formula or own_formula(changed), evenings_then, found_then, teams if formula is not None else (), stays
    )
    return compared(now, then)


def compared(now: State, then: State) -> Preview:
    """Return the changes from one state of a season to another. One query."""
    old, new = now.ranked, then.ranked
    codes = differences(now.formula, then.formula)
    wanted = {line.player for line in (*old.lines, *new.lines)} | set(players_in(codes))
    names = dict(Player.objects.filter(pk__in=wanted).values_list("pk", "nickname"))
    moves = _moves(old, new, _listed(now.evenings), _listed(then.evenings), names)
    return Preview(
        then.formula,
        difference_words(codes, lambda player: names.get(player, "?")),
        moves,
        _team_moves(now, then, old, new, names) if moves else (),
        teams_end=bool(moves and now.teams and not then.teams),
        scales=(now.formula.scale, then.formula.scale),
    )


def _team_moves(now: State, then: State, old: Ranked, new: Ranked, names: Mapping[int, str]) -> list[TeamMove]:
    before = {line.team: line for line in now.team_lines(old.lines)} if now.teams else {}
    by_id = {team.pk: team for team in then.teams}
    after = then.team_lines(new.lines) if then.teams else []
    return [_team_move(by_id[x.team], before.get(x.team), x, now.formula, then.formula, names) for x in after]


def _evenings(season: Season, changed: Season) -> tuple[Sequence[CountedEvening], Sequence[CountedEvening]]:
    """Return the counted evenings, and the same counted by other points or games."""
    counted = evenings_of(season).counted
    if all(getattr(season, name) == getattr(changed, name) for name in ("games", *POINTS)):
        return counted, counted
    counted_evenings: list[CountedEvening] = []
    scores: dict[int, NightScore] = {}
    for evening, held_on, number, player, hands, points, change in evening_scores(changed):
        if not counted_evenings or evening != counted_evenings[-1].evening:
            scores = {}
            counted_evenings.append(CountedEvening(evening, held_on, scores, number))
        scores[player] = NightScore(hands, points, change)
    return counted, counted_evenings


def _listed(evenings: Sequence[CountedEvening]) -> set[int]:
    """Return the players who are in the standings: a share of a pot alone adds nobody."""
    return {
        player
        for counted_evening in evenings
        for player, score in counted_evening.scores.items()
        if score.hands or score.points
    }


def _moves(now: Ranked, then: Ranked, listed: set[int], listed_then: set[int], names: Mapping[int, str]) -> list[Move]:
    known = {line.player: line for line in now.lines if line.player in listed}
    moves = [
        _move(now, then, known.get(line.player), line, names[line.player])
        for line in then.lines
        if line.player in listed_then
    ]
    gone = [line for line in now.lines if line.player in listed - listed_then]
    return moves + [
        Move(
            player_id=line.player,
            nickname=names[line.player],
            rank_now=None if line.unranked else line.rank,
            rank_then=None,
            value_now=show_value(now.formula, line.value),
            value_then="–",
            unranked=True,
            why=_("no evening that counts"),
            stored_now=points_and_amount(now.formula, line.value),
        )
        for line in gone
    ]


def _move(old: Ranked, new: Ranked, now: RaceLine | None, then: RaceLine, nickname: str) -> Move:
    return Move(
        player_id=then.player,
        nickname=nickname,
        rank_now=None if now is None or now.unranked else now.rank,
        rank_then=None if then.unranked else then.rank,
        value_now="–" if now is None else show_value(old.formula, now.value),
        value_then=show_value(new.formula, then.value),
        unranked=bool(then.unranked),
        why="; ".join(reasons(old, new, now, then)),
        stored_now=None if now is None else points_and_amount(old.formula, now.value),
        stored_then=points_and_amount(new.formula, then.value),
    )


def _team_move(
    team: Team, now: TeamLine | None, then: TeamLine, old: Formula, new: Formula, names: Mapping[int, str]
) -> TeamMove:
    before: Mapping[int, Value] = {share.player: share.value for share in now.shares} if now else {}
    left_out = {share.player for share in now.shares if not share.counts} if now else set()
    comparable = now is not None and old.counts == new.counts
    return TeamMove(
        title=team.name or numbered(team),
        rank_now=now.rank if now else None,
        rank_then=then.rank,
        value_now=show_value(old, now.value) if now else "",
        value_then=show_value(new, then.value),
        members=[
            MemberMove(
                nickname=names[share.player],
                value=show_value(new, share.value),
                before=show_value(old, before.get(share.player, 0))
                if comparable and before.get(share.player, 0) != share.value
                else "",
                counts=share.counts,
                newly=share.counts and share.player in left_out,
            )
            for share in then.shares
        ],
        number=team.number,
        gone=_gone(now, then, old, names),
    )


def _gone(now: TeamLine | None, then: TeamLine, old: Formula, names: Mapping[int, str]) -> list[tuple[str, str]]:
    """Return the members who no longer contribute, each with the contribution now."""
    known = {share.player for share in then.shares}
    shares = now.shares if now else ()
    return [(names[share.player], show_value(old, share.value)) for share in shares if share.player not in known]
