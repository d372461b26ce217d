"""The report on a season: its figures, its course, its standings, its rules of ranking, its evenings with their
winners."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ..access import ClubAccess
from ..imported_mark import imported_note
from ..models import Evening, EveningScore, Season
from ..money import exact_points, format_count, format_place, format_points, format_price
from ..standings import selectors
from ..standings.formula.explanation import unranked_notes
from ..standings.formula.inputs import formula_of
from ..standings.formula.measures import measure_of, results_of
from ..standings.formula.ranking import NightScore, Race
from ..standings.formula.team_table import counted_ranking, team_rows
from ..standings.standing_lines import StandingLine, season_standings
from ..unnamed import Unnamed
from ..web.csv_download import file_name
from ..web.game_terms import Terms, season_terms
from ..web.report_table import Column, Kind, Row, Table, without_empty
from .report import Figure, Report, money_note
from .season_course import course_of_season
from .season_rules import adjustments_of_season, lots_of_season, rules_of_season

PODIUM = 3
"""So many ranks of a closed season are figures of the report."""


@dataclass(frozen=True)
class _Night:
    """An evening that counts, with its winners, who may be nobody: `best` is what they had by the measure of the
    formula, points or Rappen (`by_net`)."""

    evening_id: int
    number: int
    held_on: date
    game: str
    hands: int
    players: frozenset[int]
    winners: tuple[tuple[int, str], ...]
    best: int | None
    by_net: bool
    imported: bool = False


def season_report(access: ClubAccess, season: Season) -> Report:
    """Return the report as this reader sees it; `access` is within the season. Four queries, one more for visitors, and
    at most thirteen more with a formula, handicaps, lots and teams."""
    lines = season_standings(season)
    formula = formula_of(season)
    evenings = list(selectors.evenings_with_counts(season.evenings.filter(undone_at__isnull=True)))
    nights = _nights(season, evenings, measure_of(season, formula, _guests(lines)))
    terms = season_terms(season, [night.game for night in nights])
    hands = sum(night.hands for night in nights)
    imported = {player for night in nights if night.imported for player in night.players}
    chart, course = course_of_season(access, season, lines)
    return Report(
        kind=_("Season report"),
        title=season.name,
        about=_about(season, nights, hands),
        file=file_name(access, season.slug, "report"),
        back=season.get_absolute_url(),
        figures=_figures(access, season, lines, nights),
        tables=[
            _standings(access, season, lines, terms, unranked_notes(formula, lines), imported),
            *_teams(access, season),
            rules_of_season(access, formula, len(nights)),
            *lots_of_season(access, season, formula, {line.player_id: line.nickname for line in lines}),
            *adjustments_of_season(access, season),
            _evenings(access, season, nights),
            *course,
        ],
        chart=chart,
    )


def _about(season: Season, nights: Sequence[_Night], hands: int) -> str:
    evenings, imported = len(nights), sum(night.imported for night in nights)
    first = date_format(season.starts_on, "DATE_FORMAT")
    if season.ends_on:
        span = _("%(first)s to %(last)s") % {"first": first, "last": date_format(season.ends_on, "DATE_FORMAT")}
    else:
        span = _("from %(first)s on") % {"first": first}
    parts = [
        span,
        ngettext("%(n)s evening", "%(n)s evenings", evenings) % {"n": format_count(evenings)},
        *([ngettext("%(n)s imported", "%(n)s imported", imported) % {"n": format_count(imported)}] if imported else []),
        ngettext("%(n)s hand", "%(n)s hands", hands) % {"n": format_count(hands)},
        str(season.get_ranking_display()),
    ]
    return " · ".join(parts)


def _guests(lines: Sequence[StandingLine]) -> set[int]:
    return {line.player_id for line in lines if line.unranked == "guest"}


def _nights(season: Season, evenings: Sequence[Evening], race: Race) -> list[_Night]:
    """Return the evenings that count, in order. One query."""
    scores: dict[int, dict[int, NightScore]] = {}
    names: dict[int, str] = {}
    evening_scores = EveningScore.objects.filter(season=season, hands__gt=0).order_by("player__nickname")
    columns = ("evening_id", "player_id", "player__nickname", "hands", "points", "change_minor")
    for evening, player, name, *score in evening_scores.values_list(*columns):
        scores.setdefault(evening, {})[player] = NightScore(*score)
        names[player] = name
    counted = [evening for evening in evenings if evening.pk in scores]
    ordered = sorted(counted, key=lambda e: (e.held_on, e.number))
    return [_night(evening, scores[evening.pk], names, race) for evening in ordered]


def _night(evening: Evening, scores: Mapping[int, NightScore], names: Mapping[int, str], race: Race) -> _Night:
    winners = [result for result in results_of(race, scores) if result.wins]
    return _Night(
        evening_id=evening.pk,
        number=evening.number,
        held_on=evening.held_on,
        game=evening.game,
        hands=evening.hands_count,  # type: ignore[attr-defined]
        players=frozenset(scores),
        winners=tuple((winner.player_id, names[winner.player_id]) for winner in winners),
        best=winners[0].measure if winners else None,
        by_net=race.by_net,
        imported=evening.is_imported,
    )


def _figures(
    access: ClubAccess, season: Season, lines: Sequence[StandingLine], nights: Sequence[_Night]
) -> list[Figure]:
    if not lines:
        return []
    over = season.ends_on is not None
    figures = [
        *_podium(access, season, [line for line in lines if not line.unranked]),
        Figure(_("Players"), format_count(len(lines))),
    ]
    longest = max(nights, key=lambda night: night.hands, default=None)
    if longest is not None:
        day = _("Evening %(number)s") % {"number": longest.number}
        figures.append(Figure(_("Most hands in an evening"), format_count(longest.hands), day))
    if access.sees_money():
        pot = max(lines, key=lambda line: line.biggest_pot_minor)
        text = format_price(pot.biggest_pot_minor, access.club.currency)
        figures.append(Figure(_("Biggest pot won"), text, access.names.show(pot.player_id, pot.nickname)))
    elif over and any(line.susi for line in lines):
        susi = max(lines, key=lambda line: line.susi)
        times = ngettext("%(n)s time", "%(n)s times", susi.susi) % {"n": format_count(susi.susi)}
        figures.append(Figure("Susi", access.names.show(susi.player_id, susi.nickname), times))
    return figures


def _podium(access: ClubAccess, season: Season, ranked: Sequence[StandingLine]) -> list[Figure]:
    """Return the first players; of a closed season the champions and the next ones."""
    if not ranked:
        return [Figure(_("First"), _("Nobody is ranked"))]
    closed = season.closed_at is not None
    figures = []
    for rank in range(1, PODIUM + 1 if closed else 2):
        equal = [line for line in ranked if line.rank == rank]
        if not equal:
            continue
        names = ", ".join(access.names.show(line.player_id, line.nickname) for line in equal)
        champion = ngettext("Champion", "Champions", len(equal)) if closed else _("First")
        place = _("%(rank)s place") % {"rank": format_place(rank)}
        figures.append(Figure(champion if rank == 1 else place, names, _lead(access, season, equal[0])))
    return figures


def _lead(access: ClubAccess, season: Season, line: StandingLine) -> str:
    if season.by_points:
        return ngettext("%(n)s point", "%(n)s points", line.points) % {"n": _points(season, line.points)}
    return format_price(line.amount_minor, access.club.currency, plus="+") if access.sees_money(line.player_id) else ""


def _points(season: Season, points: int) -> str:
    """Format points of the standings: with a formula of averages they are stored in thousandths."""
    return format_points(points, season.points_scale)


def _declared_columns(terms: Terms) -> list[Column]:
    return [
        Column("contested", terms.declares, Kind.COUNT),
        Column("declared_made", _("%(term)s: made") % {"term": terms.declares}, Kind.COUNT),
    ]


def _standings(
    access: ClubAccess,
    season: Season,
    lines: Sequence[StandingLine],
    terms: Terms,
    notes: Mapping[int, str],
    imported: Collection[int],
) -> Table:
    rows = [
        {
            **_standing(access, season, line),
            "imported": imported_note(line.player_id in imported) or None,
            "note": notes.get(line.player_id),
        }
        for line in lines
    ]
    columns = [
        Column("rank", gettext_lazy("Rank"), Kind.COUNT),
        Column("player", gettext_lazy("Player")),
        Column("points", gettext_lazy("Points"), Kind.POINTS),
        Column("counted", gettext_lazy("Counted"), Kind.AMOUNT, signed=True),
        Column("balance", gettext_lazy("Balance"), Kind.AMOUNT, signed=True, summed=True),
        Column("evenings", gettext_lazy("Evenings"), Kind.COUNT),
        Column("hands", gettext_lazy("Hands"), Kind.COUNT),
        *(_declared_columns(terms) if terms.has_declarer else []),
        Column("joined", terms.joins, Kind.COUNT),
        Column("joined_made", _("%(term)s: made") % {"term": terms.joins}, Kind.COUNT),
        Column("imported", gettext_lazy("Imported")),
        Column("note", gettext_lazy("Note")),
    ]
    return Table(
        "standings",
        _("Final standings") if season.closed_at is not None else _("Standings"),
        without_empty(columns, rows, "counted", "balance", "imported", "note"),
        rows,
        note=money_note(access, any_amount=any(row["balance"] is not None for row in rows)),
        empty=_("Nobody has played yet."),
        links=[_player_url(access, line, season) for line in lines],
    )


def _player_url(access: ClubAccess, line: StandingLine, season: Season) -> str:
    """Return the address of a player's page; an empty text if the reader sees nobody there."""
    player = line.player_id
    if isinstance(access.names.show(player, line.nickname), Unnamed):
        return ""
    return reverse("player", kwargs={"club": access.club.slug, "player": player}) + f"?season={season.slug}"


def _standing(access: ClubAccess, season: Season, line: StandingLine) -> Row:
    sees = access.sees_money(line.player_id)
    return {
        "rank": None if line.unranked else line.rank,
        "player": access.names.show(line.player_id, line.nickname),
        "points": exact_points(line.points, season.points_scale),
        "counted": line.counted_minor if sees else None,
        "balance": line.balance_minor if sees else None,
        "evenings": line.evenings,
        "hands": line.hands,
        "declared_made": line.declared_made,
        "contested": line.contested,
        "joined_made": line.joined_made,
        "joined": line.joined,
    }


def _teams(access: ClubAccess, season: Season) -> list[Table]:
    """Return the table of the teams, none for a season without teams. Queries as `counted_ranking`."""
    teams = team_rows(access, counted_ranking(season))
    if not teams:
        return []
    rows: list[Row] = [
        {
            "rank": team.rank,
            "team": team.title,
            "members": ", ".join(member.name for member in team.members),
            "points": _points(season, team.points) if season.by_points and team.rank else None,
            "sum": team.counted_minor,
            "imported": imported_note(team.is_imported) or None,
        }
        for team in teams
    ]
    columns = [
        Column("rank", gettext_lazy("Rank"), Kind.COUNT),
        Column("team", gettext_lazy("Team")),
        Column("members", gettext_lazy("Members")),
        Column("points", gettext_lazy("Points")),
        Column("sum", gettext_lazy("Counted"), Kind.AMOUNT, signed=True),
        Column("imported", gettext_lazy("Imported")),
    ]
    return [Table("teams", _("Teams"), without_empty(columns, rows, "points", "sum", "imported"), rows)]


def _evenings(access: ClubAccess, season: Season, nights: Sequence[_Night]) -> Table:
    rows: list[Row] = [_evening(access, season, night) for night in nights]
    columns = [
        Column("held_on", gettext_lazy("Date"), Kind.DATE),
        Column("evening", gettext_lazy("Evening"), Kind.COUNT),
        Column("hands", gettext_lazy("Hands"), Kind.COUNT, summed=True),
        Column("players", gettext_lazy("Players"), Kind.COUNT),
        Column("winner", gettext_lazy("Won by")),
        Column("points", gettext_lazy("Points"), Kind.POINTS, signed=True),
        Column("gain", gettext_lazy("Net"), Kind.AMOUNT, signed=True),
        Column("imported", gettext_lazy("Imported")),
    ]
    return Table(
        "evenings",
        _("Evenings"),
        without_empty(columns, rows, "points", "gain", "imported"),
        rows,
        empty=_("No evening has been counted yet."),
        links=[reverse("evening", kwargs={"club": access.club.slug, "evening": night.evening_id}) for night in nights],
    )


def _evening(access: ClubAccess, season: Season, night: _Night) -> Row:
    seen = all(access.sees_money(player) for player, _name in night.winners)
    return {
        "held_on": night.held_on,
        "evening": night.number,
        "hands": night.hands,
        "players": len(night.players),
        "winner": ", ".join(access.names.show(player, name) for player, name in night.winners) or None,
        "points": None if night.by_net else night.best,
        "gain": night.best if night.by_net and seen else None,
        "imported": imported_note(night.imported) or None,
    }
