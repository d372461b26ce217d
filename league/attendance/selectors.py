"""Reading who comes to planned evenings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ..access import ClubAccess
from ..models import Attendance, Club, Evening, PlannedEvening, Player

NEXT = 6
"""The most planned evenings of the page of a link."""
Answer = Attendance.Answer
CHOICES = (Answer.YES, Answer.OPEN, Answer.NO)
"""The answers in the order of their buttons."""


@dataclass
class Answers:
    """The answers to a planned evening: the players by answer, in the order of their names. `least`: the number of
    players from which on it takes place. `reserves`: those of the club, the first to be asked first."""

    least: int | None
    reserves: Sequence[Player] = ()
    yes: list[Player] = field(default_factory=list)
    no: list[Player] = field(default_factory=list)
    open: list[Player] = field(default_factory=list)

    def of(self, player_id: int) -> str:
        """Return the answer of a player; an empty text for none."""
        return next((answer for answer in Answer.values if player_id in self._ids(answer)), "")

    @property
    def turns(self) -> list[Player]:
        """The reserves who are asked now, and have said neither yes nor no: one for each player who is not coming, as
        long as fewer come than the least number. Whoever says no passes it on to the next one."""
        if self.least is None or not self.reserves:
            return []
        reserves = {player.pk for player in self.reserves}
        coming, missing = self._ids(Answer.YES), self._ids(Answer.NO)
        places = min(len(missing - reserves), self.least - len(coming - reserves)) - len(coming & reserves)
        waiting = [player for player in self.reserves if player.pk not in coming | missing]
        return waiting[: max(places, 0)]

    def asks(self, player_id: int) -> bool:
        """Return True if the player is asked: a reserve only in turn, or to change an answer."""
        reserves = {player.pk for player in self.reserves}
        return (
            player_id not in reserves or bool(self.of(player_id)) or player_id in {player.pk for player in self.turns}
        )

    def _ids(self, answer: str) -> set[int]:
        return {player.pk for player in getattr(self, answer)}

    @property
    def sentence(self) -> str:
        """Say whether enough players come. Empty for an evening without a least number."""
        if self.least is None:
            return ""
        missing = self.least - len(self.yes)
        if missing <= 0:
            return _("It takes place: at least %(least)d are coming.") % {"least": self.least}
        return _("It takes place from %(least)d on: %(n)d more.") % {"least": self.least, "n": missing}


@dataclass(frozen=True)
class Coming:
    """The answers to one planned evening, with the reader's own ones: each own player who is asked, with the answer.
    `waiting`: the own players who are reserves, and not asked yet."""

    planned: PlannedEvening
    answers: Answers
    own: list[tuple[Player, str]]
    waiting: list[Player]
    choices: tuple[Attendance.Answer, ...] = CHOICES


def coming_to(access: ClubAccess, planned: PlannedEvening) -> Coming:
    """Return the answers to a planned evening as this reader of the club sees them. Three queries at most."""
    answers, own = answers_to([planned])[planned.pk], own_players(access)
    asked = [(player, answers.of(player.pk)) for player in own if answers.asks(player.pk)]
    return Coming(planned, answers, asked, [player for player in own if not answers.asks(player.pk)])


def answers_to(evenings: Collection[PlannedEvening]) -> Mapping[int, Answers]:
    """Return the answers to these planned evenings by their keys. Who left the roster does not come. Two
    queries."""
    reserves: dict[int, list[Player]] = {}
    for player in reserves_of({evening.club_id for evening in evenings}) if evenings else ():
        reserves.setdefault(player.club_id, []).append(player)
    answers = {evening.pk: Answers(evening.least_players, reserves.get(evening.club_id, ())) for evening in evenings}
    rows = Attendance.objects.filter(planned_evening__in=answers, player__active=True).select_related("player")
    for row in rows.order_by("player__nickname", "pk") if answers else ():
        getattr(answers[row.planned_evening_id], row.answer).append(row.player)
    return answers


def players_asked(club: Club) -> QuerySet[Player]:
    """Return the players who may answer: those of the roster, the main one of each person, by name."""
    return Player.objects.filter(club=club, active=True, main=None).order_by("nickname", "pk")


def reserves_of(club_ids: Collection[int]) -> list[Player]:
    """Return the reserves of these clubs in their order. Who left the roster is not asked. One query."""
    rows = Player.objects.filter(club__in=club_ids, active=True, main=None, reserve__isnull=False)
    return list(rows.order_by("reserve__place", "pk"))


def own_players(access: ClubAccess) -> list[Player]:
    """Return the players for whom the reader answers as for themselves. One query at most."""
    return list(players_asked(access.club).filter(pk__in=access.player_ids)) if access.player_ids else []


def next_planned(club: Club) -> list[PlannedEvening]:
    """Return the next planned evenings of a club, the nearest first, cancelled ones too. One query."""
    rows = PlannedEvening.objects.still_planned().filter(club=club, held_on__gte=timezone.localdate())
    return list(rows.filter(season__closed_at=None).select_related("season").order_by("held_on", "begins_at")[:NEXT])


def why_closed(planned: PlannedEvening) -> str:
    """Say why nobody answers any more; an empty text while the evening is to come. One query at most."""
    if planned.season.closed_at is not None:
        return _("The season is closed.")
    if planned.cancelled_at is not None:
        return _("The evening is cancelled.")
    if planned.held_on < timezone.localdate():
        return _("The evening is over.")
    if Evening.nights.filter(season=planned.season_id, held_on=planned.held_on).exists():
        return _("The evening has been opened.")
    return ""


def coming_today(club: Club, season_id: int) -> set[int]:
    """Return the keys of the players who said that they come to the evening that is planned in the season for today.
    One query."""
    rows = PlannedEvening.objects.still_planned().filter(
        season=season_id, held_on=timezone.localdate(), cancelled_at=None
    )
    coming = Attendance.objects.filter(answer=Answer.YES, planned_evening__in=rows)
    return set(coming.filter(player__in=players_asked(club)).values_list("player", flat=True))
