"""The report on a season: its standings, its evenings with their winners, its figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ..access import ClubAccess
from ..models import Evening, EveningScore, Season
from ..money import exact_points, format_count, format_points, format_price
from ..standings import selectors
from ..standings.formula.team_table import team_rows
from ..standings.standing_lines import StandingLine, season_standings
from ..web.csv_download import file_name
from ..web.game_terms import Terms, season_terms
from ..web.report_table import Column, Kind, Row, Table, without_empty
from .report import Fact, Report, money_note


@dataclass(frozen=True)
class _Night:
    """An evening that counts, with its winners: `best` is their points or their gain in Rappen."""

    evening_id: int
    number: int
    held_on: date
    game: str
    hands: int
    players: int
    winners: tuple[tuple[int, str], ...]
    best: int


def season_report(access: ClubAccess, season: Season) -> Report:
    """Return the report as this reader sees it; `access` is within the season. Three queries, one more for visitors."""
    lines = season_standings(season)
    evenings = list(selectors.evenings_with_counts(season.evenings.filter(undone_at__isnull=True)))
    nights = _nights(season, evenings)
    terms = season_terms(season, [night.game for night in nights])
    hands = sum(night.hands for night in nights)
    return Report(
        kind=_("Season report"),
        title=season.name,
        about=_about(season, len(nights), hands),
        file=file_name(access, season.slug, "report"),
        back=season.get_absolute_url(),
        facts=_facts(access, season, lines, nights),
        tables=[
            _standings(access, season, lines, terms),
            *_teams(access, season),
            _evenings(access, season, nights),
        ],
    )


def _about(season: Season, evenings: int, hands: int) -> str:
    first = date_format(season.starts_on, "DATE_FORMAT")
    if season.ends_on:
        span = _("%(first)s to %(last)s") % {"first": first, "last": date_format(season.ends_on, "DATE_FORMAT")}
    else:
        span = _("from %(first)s on") % {"first": first}
    parts = [
        span,
        ngettext("%(n)s evening", "%(n)s evenings", evenings) % {"n": format_count(evenings)},
        ngettext("%(n)s hand", "%(n)s hands", hands) % {"n": format_count(hands)},
        str(season.get_ranking_display()),
    ]
    return " · ".join(parts)


def _nights(season: Season, evenings: Sequence[Evening]) -> list[_Night]:
    """Return the evenings that count, in order. One query."""
    value = "points" if season.by_points else "change_minor"
    scores: dict[int, list[tuple[int, int, str]]] = {}
    found = EveningScore.objects.filter(season=season, hands__gt=0).order_by("player__nickname")
    for evening, player, name, won in found.values_list("evening_id", "player_id", "player__nickname", value):
        scores.setdefault(evening, []).append((won, player, name))
    counted = [evening for evening in evenings if evening.pk in scores]
    return [_night(evening, scores[evening.pk]) for evening in sorted(counted, key=lambda e: (e.held_on, e.number))]


def _night(evening: Evening, scores: Sequence[tuple[int, int, str]]) -> _Night:
    best = max(won for won, _player, _name in scores)
    return _Night(
        evening_id=evening.pk,
        number=evening.number,
        held_on=evening.held_on,
        game=evening.game,
        hands=evening.hands_count,  # type: ignore[attr-defined]
        players=len(scores),
        winners=tuple((player, name) for won, player, name in scores if won == best),
        best=best,
    )


def _facts(access: ClubAccess, season: Season, lines: Sequence[StandingLine], nights: Sequence[_Night]) -> list[Fact]:
    if not lines:
        return []
    first = [line for line in lines if line.rank == 1]
    names = ", ".join(access.names.show(line.player_id, line.nickname) for line in first)
    over = season.ends_on is not None
    facts = [Fact(_("First"), names, _lead(access, season, first[0])), Fact(_("Players"), format_count(len(lines)))]
    longest = max(nights, key=lambda night: night.hands, default=None)
    if longest is not None:
        day = _("Evening %(number)s") % {"number": longest.number}
        facts.append(Fact(_("Most hands in an evening"), format_count(longest.hands), day))
    if access.sees_money():
        pot = max(lines, key=lambda line: line.biggest_pot_minor)
        text = format_price(pot.biggest_pot_minor, access.club.currency)
        facts.append(Fact(_("Biggest pot"), text, access.names.show(pot.player_id, pot.nickname)))
    elif over and any(line.susi for line in lines):
        susi = max(lines, key=lambda line: line.susi)
        times = ngettext("%(n)s time", "%(n)s times", susi.susi) % {"n": format_count(susi.susi)}
        facts.append(Fact("Susi", access.names.show(susi.player_id, susi.nickname), times))
    return facts


def _lead(access: ClubAccess, season: Season, line: StandingLine) -> str:
    if season.by_points:
        return ngettext("%(n)s point", "%(n)s points", line.points) % {"n": _points(season, line.points)}
    return format_price(line.balance_minor, access.club.currency, plus="+") if access.sees_money(line.player_id) else ""


def _points(season: Season, points: int) -> str:
    """Format points of the standings: with a formula of averages they are stored in thousandths."""
    return format_points(points, season.points_scale)


def _standings(access: ClubAccess, season: Season, lines: Sequence[StandingLine], terms: Terms) -> Table:
    rows = [_standing(access, season, line) for line in lines]
    columns = [
        Column("rank", gettext_lazy("Rank"), Kind.COUNT),
        Column("player", gettext_lazy("Player")),
        Column("points", gettext_lazy("Points"), Kind.POINTS),
        Column("balance", gettext_lazy("Balance"), Kind.AMOUNT, signed=True, summed=True),
        Column("evenings", gettext_lazy("Evenings"), Kind.COUNT),
        Column("hands", gettext_lazy("Hands"), Kind.COUNT),
        Column("contested", terms.declares, Kind.COUNT),
        Column("declared_made", _("%(term)s: made") % {"term": terms.declares}, Kind.COUNT),
        Column("joined", terms.joins, Kind.COUNT),
        Column("joined_made", _("%(term)s: made") % {"term": terms.joins}, Kind.COUNT),
    ]
    return Table(
        "standings",
        _("Standings"),
        without_empty(columns, rows, "balance"),
        rows,
        note=money_note(access, any_amount=any(row["balance"] is not None for row in rows)),
        empty=_("Nobody has played yet."),
        links=[_player_url(access, line.player_id, season) for line in lines],
    )


def _player_url(access: ClubAccess, player: int, season: Season) -> str:
    return reverse("player", kwargs={"club": access.club.slug, "player": player}) + f"?season={season.slug}"


def _standing(access: ClubAccess, season: Season, line: StandingLine) -> Row:
    return {
        "rank": None if line.unranked else line.rank,
        "player": access.names.show(line.player_id, line.nickname),
        "points": exact_points(line.points, season.points_scale),
        "balance": line.balance_minor if access.sees_money(line.player_id) else None,
        "evenings": line.evenings,
        "hands": line.hands,
        "declared_made": line.declared_made,
        "contested": line.contested,
        "joined_made": line.joined_made,
        "joined": line.joined,
    }


def _teams(access: ClubAccess, season: Season) -> list[Table]:
    """Return the table of the teams, none for a season without teams. Queries as `team_rows`."""
    teams = team_rows(access, season)
    if not teams:
        return []
    rows: list[Row] = [
        {
            "rank": team.rank,
            "team": team.title,
            "members": ", ".join(one.name for one in team.members),
            "points": _points(season, team.points) if season.by_points and team.rank else None,
            "sum": team.counted_minor,
        }
        for team in teams
    ]
    columns = [
        Column("rank", gettext_lazy("Rank"), Kind.COUNT),
        Column("team", gettext_lazy("Team")),
        Column("members", gettext_lazy("Members")),
        Column("points", gettext_lazy("Points")),
        Column("sum", gettext_lazy("Balance"), Kind.AMOUNT, signed=True),
    ]
    return [Table("teams", _("Teams"), without_empty(columns, rows, "points", "sum"), rows)]


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
    ]
    return Table(
        "evenings",
        _("Evenings"),
        without_empty(columns, rows, "points", "gain"),
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
        "players": night.players,
        "winner": ", ".join(access.names.show(player, name) for player, name in night.winners),
        "points": night.best if season.by_points else None,
        "gain": night.best if not season.by_points and seen else None,
    }
