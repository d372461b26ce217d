"""Queries of the public pages of a tournament: entrants, the round, the ranking. A fixed number of queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.utils.translation import gettext as _

from ...access import ClubAccess
from ...models import Entrant, Round, Tournament
from ...money import format_count
from ..clock import elapsed_of
from ..formats import Format
from ..hall import names_shown
from ..prizes import Prize, Prizes, read_prizes, winners
from ..ranking import Ranking, RankingLine, rank
from ..results import courses_of


@dataclass(frozen=True, slots=True)
class Person:
    """An entrant as the reader sees it. `before`: the names of those who played under this number earlier."""

    number: int
    name: str
    before: tuple[str, ...]
    team: str
    here: bool
    withdrawn: bool
    struck: bool
    fixed_table: int | None
    mine: bool
    labels: tuple[str, ...] = ()
    name_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Seated:
    """A table of the drawn round: its people in the order of play. The first one deals first."""

    number: int
    people: tuple[Person, ...]
    fixed: bool


@dataclass(frozen=True, slots=True)
class Place:
    """The place of one person; `table` is None for an entrant without a table."""

    person: Person
    table: int | None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of the ranking with its person; `rank_before` is the rank one counted round earlier."""

    line: RankingLine
    person: Person
    rank_before: int | None


@dataclass(frozen=True, slots=True)
class TeamRanked:
    """A line of the ranking of teams, with its members; `counting` of them count."""

    name: str
    rank: int
    total: int
    text: str
    members: tuple[Person, ...]
    counting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShownPrize:
    """A prize with those who get it."""

    prize: Prize
    people: tuple[Person, ...]

    @property
    def places(self) -> str:
        """The places as text: `1.`, `4–6.`"""
        first, last = self.prize.first, self.prize.last
        return f"{first}." if first == last else f"{first}–{last}."


def amount(format: Format, value: int | None) -> str:
    """Return a result: chips with their sign, points and placings without a plus."""
    return format_count(value, plus="+" if format.result == "chips" else "")


class Room:
    """A tournament as one reader sees it. Every part is read once, when it is first asked for."""

    def __init__(self, tournament: Tournament, access: ClubAccess, *, in_hall: bool = False) -> None:
        """`in_hall`: a page that shows names in the hall, if the desk chose so."""
        self.tournament = tournament
        self.access = access
        self.format = Format.read(tournament.format)
        self.names_shown = in_hall and names_shown(tournament)

    @cached_property
    def people(self) -> Mapping[int, Person]:
        """The entrants by start number. Two queries, and one for the names that a visitor sees."""
        rows = self.tournament.entrants.select_related("player__main").prefetch_related("substitutions__left")
        return {entrant.number: self._person(entrant) for entrant in rows.order_by("number")}

    def _person(self, entrant: Entrant) -> Person:
        show, free_text = self.access.names.show, self.access.names.free_text
        # Those who left are not in the hall any more.
        before = tuple(show(gone.left_id, gone.left.nickname) for gone in entrant.substitutions.all())
        return Person(
            number=entrant.number,
            name=self._name(entrant),
            before=before,
            team=free_text(entrant.team),
            here=entrant.checked_in_at is not None,
            withdrawn=entrant.withdrawn_round is not None,
            struck=entrant.struck,
            fixed_table=entrant.fixed_table,
            mine=entrant.player_id in self.access.player_ids,
            labels=tuple(entrant.labels),
            name_hidden=entrant.name_hidden_since is not None,
        )

    def _name(self, entrant: Entrant) -> str:
        names = self.access.names
        if not self.names_shown:
            return names.show(entrant.player_id, entrant.player.nickname)
        return names.in_hall(entrant.player, agreed=entrant.name_hidden_since is None)

    @cached_property
    def entered(self) -> list[Person]:
        """Everybody who was not struck, by start number."""
        return [person for person in self.people.values() if not person.struck]

    @property
    def chooses_name(self) -> bool:
        """True for a reader who is entered, as long as the own name can be shown in the hall."""
        states = (Tournament.State.OPEN, Tournament.State.RUNNING)
        return self.tournament.state in states and any(person.mine for person in self.entered)

    @property
    def own_name_hidden(self) -> bool:
        """True for a reader who is entered and does not want the own name shown."""
        return all(person.name_hidden for person in self.entered if person.mine)

    @cached_property
    def rounds(self) -> list[Round]:
        """The published rounds in their order. One query."""
        return list(self.tournament.rounds.select_related("draw").order_by("number"))

    @property
    def current(self) -> Round | None:
        """The last published round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def finished(self) -> bool:
        """Return True once the tournament is over: then all results are shown."""
        return self.tournament.state in (Tournament.State.FINISHED, Tournament.State.ARCHIVED)

    @property
    def seats_to_come(self) -> bool:
        """Return True while seats are of interest: in a round, or before a further one."""
        if self.current is None or self.finished:
            return False
        return self.current.state != Round.State.FINISHED or self.current.number < self.format.all_rounds

    @property
    def hides_last(self) -> bool:
        """Return True if the last round was played and its result waits for the prize giving."""
        played = any(
            tournament_round.number == self.format.all_rounds and tournament_round.state == Round.State.FINISHED
            for tournament_round in self.rounds
        )
        return self.format.hide_last and not self.finished and played

    @cached_property
    def counted(self) -> list[Round]:
        """The finished rounds that the ranking shows."""
        hidden = self.format.all_rounds if self.hides_last else None
        return [
            tournament_round
            for tournament_round in self.rounds
            if tournament_round.state == Round.State.FINISHED and tournament_round.number != hidden
        ]

    @cached_property
    def _rankings(self) -> tuple[Ranking, Ranking | None]:
        """The ranking now, and one counted round earlier. Three queries."""
        courses = courses_of(self.tournament, self.counted)
        seed = self.tournament.lot_seed

        def after(rounds: Sequence[Round]) -> Ranking:
            played = max((tournament_round.number for tournament_round in rounds), default=0)
            final = next((tournament_round.number for tournament_round in rounds if tournament_round.final), None)
            return rank(self.format, courses, played_rounds=played, lot_seed=seed, final_round=final)

        return after(self.counted), after(self.counted[:-1]) if len(self.counted) > 1 else None

    @cached_property
    def ranking(self) -> list[Ranked]:
        """The ranking by the counted rounds; empty before the first one."""
        if not self.counted:
            return []
        now, earlier = self._rankings
        before = {line.number: line.rank for line in earlier.lines} if earlier else {}
        people = self.people
        return [Ranked(line, people[line.number], before.get(line.number)) for line in now.lines]

    @cached_property
    def teams(self) -> list[TeamRanked]:
        """The ranking of the teams. The name of a team is free text: visitors read its place in the entries."""
        if not self.counted or not self.format.team_size:
            return []
        order = list(dict.fromkeys(team for team in self._team_names() if team))
        names = {
            team: self.access.names.free_text(team) or _("Team %(n)d") % {"n": n}
            for n, team in enumerate(order, start=1)
        }
        return [
            TeamRanked(
                name=names.get(line.team, line.team),
                rank=line.rank,
                total=line.total,
                text=amount(self.format, line.total),
                members=tuple(self.people[number] for number in line.members),
                counting=line.count,
            )
            for line in self._rankings[0].teams
        ]

    @cached_property
    def prizes(self) -> Prizes:
        """The prizes by place, and the words beside them. They can name people, such as donors: free text."""
        labels = {label for person in self.entered for label in person.labels}
        return read_prizes(self.access.names.free_text(self.tournament.prizes), labels)

    @cached_property
    def prize_list(self) -> list[ShownPrize]:
        """The prizes by place; once the tournament is finished with those who get them."""
        labels = {person.number: person.labels for person in self.entered}
        lines = [ranked.line for ranked in self.ranking] if self.finished else []
        return [
            ShownPrize(prize, tuple(self.people[number] for number in winners(prize, lines, labels)))
            for prize in self.prizes.listed
        ]

    def _team_names(self) -> list[str]:
        return list(self.tournament.entrants.order_by("number").values_list("team", flat=True))

    @cached_property
    def tables(self) -> list[Seated]:
        """The tables of the round that is drawn or played; none between two rounds, while the seats of the next one are
        unknown."""
        if self.current is None or self.current.state == Round.State.FINISHED:
            return []
        return [
            self._seated(table["number"], table["seats"])
            for table in sorted(self.current.draw.plan["tables"], key=lambda table: table["number"])
        ]

    def _seated(self, number: int, seats: Sequence[int]) -> Seated:
        people = tuple(self.people[seat] for seat in seats)
        return Seated(number, people, any(person.fixed_table == number for person in people))

    @property
    def out(self) -> list[Person]:
        """The entrants who sit out that round."""
        return [self.people[number] for number in self.current.draw.plan["out"]] if self.current and self.tables else []

    @cached_property
    def by_name(self) -> list[Place]:
        """Everybody of that round, by name."""
        places = [Place(person, table.number) for table in self.tables for person in table.people]
        places += [Place(person, None) for person in self.out]
        return sorted(places, key=lambda place: (place.person.name.casefold(), place.person.number))

    @property
    def ends_at(self) -> datetime | None:
        """The moment at which the running clock of the round reaches zero; None while it is stopped, or without a
        limit."""
        current = self.current
        if current is None or current.running_since is None or not self.format.minutes:
            return None
        left = self.format.minutes * 60 + current.added_seconds - current.elapsed_seconds
        return current.running_since + timedelta(seconds=left)

    @property
    def next_at(self) -> datetime | None:
        """The estimated beginning of the next round; None if unknown, or after the last one."""
        current = self.current
        if current is None or current.number >= self.format.all_rounds or not self.format.break_minutes:
            return None
        ends = current.finished_at if current.state == Round.State.FINISHED else self.ends_at
        return ends + timedelta(minutes=self.format.break_minutes) if ends else None


@dataclass(frozen=True, slots=True)
class ClockFace:
    """The data of a tournament's clock, until its state changes. `limit`: seconds of the round with those that the desk
    added; None without a limit."""

    round: Round | None
    rounds: int
    state: str
    limit: int | None

    def answer(self) -> dict[str, object]:
        """Return the reading of the clock, in seconds."""
        if self.round is None:
            return {"round": None, "rounds": self.rounds, "state": self.state, "running": False}
        elapsed = elapsed_of(self.round)
        return {
            "round": self.round.number,
            "rounds": self.rounds,
            "state": self.round.state,
            "running": self.round.running_since is not None,
            "elapsed": round(elapsed, 1),
            "limit": self.limit,
            "remaining": None if self.limit is None else round(self.limit - elapsed, 1),
        }


def clock_face(tournament: Tournament) -> ClockFace:
    """Read the clock of the last published round. One query."""
    format = Format.read(tournament.format)
    current = tournament.rounds.order_by("number").last()
    limit = format.minutes * 60 + current.added_seconds if current and format.minutes else None
    return ClockFace(current, format.all_rounds, tournament.state, limit)
