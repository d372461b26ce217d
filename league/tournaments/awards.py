"""Points of a season for the places of a tournament.

The tournament stands among the evenings of that season as one without players. Its awards are counted like the
points of an evening, and are never among the evenings of which only the best count: they are added.
"""

from __future__ import annotations

from django.db.models import Max

from ..ledger.season_mark import mark_for_recount
from ..models import Evening, Season, SeasonAward, Tournament, User
from ..standings.closed_seasons import lock_open
from .results import ranking_of


def award(tournament: Tournament, author: User | None) -> None:
    """Write the awards of a finished tournament. The caller holds the tournament's lock.

    Entrants who share a place get its points. A substitute gets the points of the start number.

    Raises:
        Refused: 409 if the season that gets the points is closed.
    """
    season = tournament.award_season
    if season is None or not tournament.award_points:
        return
    tournament.award_evening = _evening(tournament, season, author)
    tournament.save(update_fields=["award_evening"])
    players = dict(tournament.entrants.values_list("number", "player_id"))
    points = tournament.award_points
    SeasonAward.objects.bulk_create(
        SeasonAward(
            season=season,
            evening=tournament.award_evening,
            player_id=players[line.number],
            place=line.rank,
            points=points[line.rank - 1],
        )
        for line in ranking_of(tournament).lines
        if line.rank <= len(points) and points[line.rank - 1]
    )
    mark_for_recount(season.pk)


def take_back(tournament: Tournament) -> None:
    """Delete the awards of a tournament that is opened again or gives others. The caller holds the tournament's lock.

    Raises:
        Refused: 409 if the season that got the points is closed.
    """
    evening = tournament.award_evening
    if evening is None:
        return
    lock_open(evening.season_id)
    tournament.award_evening = None
    tournament.save(update_fields=["award_evening"])
    SeasonAward.objects.filter(evening=evening).delete()
    mark_for_recount(evening.season_id)
    evening.scores.all().delete()
    evening.delete()


def _evening(tournament: Tournament, season: Season, author: User | None) -> Evening:
    lock_open(season.pk)
    last = Evening.objects.filter(season=season).aggregate(last=Max("number"))["last"] or 0
    return Evening.objects.create(
        club=tournament.club,
        season=season,
        number=last + 1,
        held_on=tournament.ends_on or tournament.starts_on,
        game=tournament.game,
        house_rules=tournament.house_rules,
        state=Evening.State.CLOSED,
        opened_by=author,
    )
