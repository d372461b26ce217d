"""Queries of the start page and a club's page: current seasons, running evenings, listed clubs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone

from ..access import Right, rights_of
from ..access.names import public_names_of
from ..models import Club, Evening, Membership, Season, Standing, Tournament, User
from . import selectors

STILL_ON = timedelta(days=2)
"""An open evening counts as running from its date until this time after it: it may pass midnight, and may never be
closed."""
CLUBS_A_PAGE = 60


@dataclass(frozen=True)
class ClubCard:
    """A club on the start page: its current season with its leaders, its last evening, and the running one.

    `leaders` are the names that the reader may see, of all players who share the first rank; none if nobody is ranked.
    `points` are theirs, None in a season that ranks by balance. `role` and `may_record` are those of the signed-in
    person.
    """

    club: Club
    role: str
    may_record: bool
    season: Season | None
    leaders: Sequence[str]
    points: int | None
    last_evening: Evening | None
    open_evening: Evening | None


def running_days(today: date | None = None) -> tuple[date, date]:
    """Return the first and the last day of which an open evening runs. An evening that is prepared for a later day
    does not run yet."""
    last = today or timezone.localdate()
    return last - STILL_ON, last


def runs(evening: Evening, today: date | None = None) -> bool:
    """Return True if the evening is played now: hands may be expected."""
    first, last = running_days(today)
    return evening.state == Evening.State.OPEN and first <= evening.held_on <= last


def season_runs(season: Season, today: date | None = None) -> bool:
    """Return True if evenings of the season may follow: it has begun, and is neither over nor closed."""
    today = today or timezone.localdate()
    over = season.closed_at is not None or (season.ends_on is not None and season.ends_on < today)
    return season.starts_on <= today and not over


def running_evenings(club_ids: Iterable[int]) -> dict[int, Evening]:
    """Return the newest running evening by club. One query."""
    running = Evening.nights.filter(club_id__in=list(club_ids), state=Evening.State.OPEN, held_on__range=running_days())
    # The dict keeps the last one of a club.
    return {evening.club_id: evening for evening in running.order_by("held_on", "number", "pk")}


def running_tournament(club: Club) -> Tournament | None:
    """Return the newest tournament of the club that is being played. One query."""
    running = Tournament.objects.filter(club=club, state=Tournament.State.RUNNING).order_by("-starts_on", "-pk")
    tournament = running.only("slug", "name", "club").first()
    if tournament is not None:
        tournament.club = club
    return tournament


def memberships_of(user: User) -> list[Membership]:
    """Return the person's memberships with their clubs, by the names of these. One query."""
    return list(Membership.objects.filter(user=user).select_related("club").order_by("club__name", "pk"))


def club_cards(clubs: Sequence[Club], memberships: Iterable[Membership]) -> list[ClubCard]:
    """Return these clubs as the reader sees them, who has these memberships. Four queries, for any number of clubs."""
    roles = {membership.club_id: membership for membership in memberships}
    evenings = _newest_evenings([club.pk for club in clubs])
    seasons: dict[int, list[Season]] = {}
    for season in Season.objects.filter(club__in=clubs).order_by("-starts_on", "-pk"):
        seasons.setdefault(season.club_id, []).append(season)
    current = {club.pk: selectors.current_of(seasons.get(club.pk, [])) for club in clubs}
    leading: dict[int, list[Standing]] = {}
    first = Standing.objects.filter(season__in=[season for season in current.values() if season], rank=1, unranked="")
    for standing in first.select_related("player").order_by("player__nickname"):
        leading.setdefault(standing.season_id, []).append(standing)
    led = {line.player.club_id for lines in leading.values() for line in lines}
    strange = [club for club in clubs if club.pk in led and club.pk not in roles]
    public = public_names_of(strange) if strange else {}
    return [
        _card(club, roles.get(club.pk), current[club.pk], leading, public.get(club.pk, {}), evenings.get(club.pk, []))
        for club in clubs
    ]


def _card(
    club: Club,
    membership: Membership | None,
    season: Season | None,
    leading: Mapping[int, Sequence[Standing]],
    public: Mapping[int, str],
    evenings: Sequence[Evening],
) -> ClubCard:
    first = leading.get(season.pk, []) if season else []
    by_points = season is not None and season.ranking == Season.Ranking.POINTS
    return ClubCard(
        club=club,
        role=membership.get_role_display() if membership else "",
        may_record=membership is not None and Right.RECORD in rights_of(membership.role),
        season=season,
        leaders=[line.player.nickname if membership else public.get(line.player_id, "?") for line in first],
        points=first[0].points if first and by_points else None,
        last_evening=next(iter(evenings), None),
        open_evening=next((evening for evening in evenings if runs(evening)), None),
    )


def _newest_evenings(club_ids: Sequence[int]) -> dict[int, list[Evening]]:
    """Return the last evening of each club up to today, and its running ones, the newest first. One query."""
    days = running_days()
    held = Evening.nights.filter(club=OuterRef("pk"), held_on__lte=days[1])
    newest = held.order_by("-held_on", "-number").values("pk")[:1]
    last = Club.objects.filter(pk__in=club_ids).values_list(Subquery(newest), flat=True)
    running = Q(club__in=club_ids, state=Evening.State.OPEN, held_on__range=days)
    by_club: dict[int, list[Evening]] = {}
    # With the clubs, which both parts imply: else PostgreSQL reads the evenings of all clubs.
    wanted = Evening.nights.filter(Q(pk__in=last) | running, club__in=club_ids)
    for evening in wanted.order_by("-held_on", "-number", "-pk"):
        by_club.setdefault(evening.club_id, []).append(evening)
    return by_club


def listed_clubs(*, after: str = "", without: Sequence[int] = ()) -> tuple[list[Club], str | None]:
    """Return a page of the listed clubs by short name, and its last short name if there is a next page."""
    clubs = list(
        Club.objects.filter(visibility=Club.Visibility.LISTED, slug__gt=after)
        .exclude(pk__in=without)
        .order_by("slug")[: CLUBS_A_PAGE + 1]
    )
    return clubs[:CLUBS_A_PAGE], clubs[CLUBS_A_PAGE - 1].slug if len(clubs) > CLUBS_A_PAGE else None


def latest_evenings(club: Club, count: int = 6) -> list[Evening]:
    """Return the club's newest evenings up to today with their counts; only the hands of these are counted. Evenings of
    later days are the next ones."""
    held = Evening.nights.filter(club=club, held_on__lte=timezone.localdate())
    newest = held.order_by("-held_on", "-number").values_list("pk", flat=True)[:count]
    return list(selectors.evenings_with_counts(Evening.objects.filter(pk__in=list(newest))))
