"""The differences at the tables of a tournament's round: a limit of hands, and the seats of the draw."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import ClubAccess, Right
from league.models import Evening, Round, Tournament
from league.standings.closed_seasons import why_closed
from league.tournaments.formats import Format
from league.tournaments.locking import locked
from league.tournaments.rounds import hands_limit

from ..errors import Refused
from ..models import Table


@dataclass(frozen=True)
class RoundAt:
    """The round that a table belongs to: the tournament's name and address, the round's number, and the number of hands
    that each of its tables plays (0 without a limit)."""

    name: str
    address: str
    number: int
    final: bool
    limit: int

    @property
    def title(self) -> str:
        """The round's name."""
        return _("Final") if self.final else _("Round %(number)d") % {"number": self.number}

    def all_played(self, hands: int) -> bool:
        """Return True if a table with so many hands has played them all."""
        return 0 < self.limit <= hands

    def all_played_sentence(self) -> str:
        """The sentence at a table that has played its hands."""
        return ngettext(
            "This table has played the %(n)d hand of this round.",
            "This table has played all %(n)d hands of this round.",
            self.limit,
        ) % {"n": self.limit}


def round_of(evening: Evening) -> Round | None:
    """The round of the evening with its tournament; None for an evening of the league. The season is loaded; one query
    for a round, none else."""
    if not evening.season.in_chips:
        return None
    return Round.objects.select_related("tournament__club").filter(evening=evening).first()


def round_at(evening: Evening) -> RoundAt | None:
    """The round of the evening as its pages show it; queries as `round_of`."""
    tournament_round = round_of(evening)
    if tournament_round is None:
        return None
    tournament = tournament_round.tournament
    limit = hands_limit(tournament_round, Format.read(tournament.format))
    return RoundAt(
        tournament.name, tournament.get_absolute_url(), tournament_round.number, tournament_round.final, limit
    )


def check_shown(access: ClubAccess, evening: Evening) -> None:
    """Raises Http404 for the last round of a tournament that hides it until the prize giving, unless the reader
    records. The season is loaded; queries as `round_of`."""
    if evening.season.in_chips and not access.may(Right.RECORD) and is_hidden(evening):
        raise Http404("hidden until the prize giving")


def lock_tournament(evening: Evening) -> None:
    """Lock the tournament of a round, before its evening, so that nobody finishes it meanwhile."""
    if evening.season.in_chips:
        locked(Tournament.objects.get(season=evening.season_id))


def why_final(evening: Evening) -> str:
    """Return the reason why no hand of an evening can be corrected any more, empty if it can: its season is closed, its
    window is
    over, or, for a round, its tournament is finished. The season is loaded; queries as `round_of`."""
    if evening.season.closed_at is not None:
        return why_closed(evening.season)
    tournament_round = round_of(evening)
    if tournament_round is None:
        over = evening.stage() == Evening.Stage.FINAL
        return _("This evening is final. Only an owner of the club can reopen it.") if over else ""
    if tournament_round.tournament.state in (Tournament.State.FINISHED, Tournament.State.ARCHIVED):
        return _("This tournament is finished. Only an owner of the club can open it again.")
    return ""


def is_hidden(evening: Evening) -> bool:
    """Return True if the evening is the last round of a tournament that hides it until the prize giving. The season is
    loaded; queries as `round_of`."""
    tournament_round = round_of(evening)
    if tournament_round is None or tournament_round.tournament.state in (
        Tournament.State.FINISHED,
        Tournament.State.ARCHIVED,
    ):
        return False
    format = Format.read(tournament_round.tournament.format)
    return format.hide_last and tournament_round.number >= format.all_rounds


def all_hands_played(table: Table) -> bool:
    """Return True if the table has played all hands of its round. The season is loaded; queries as `round_of`."""
    current_round = round_at(table.evening)
    return current_round is not None and current_round.all_played(table.hands)


def check_hands_left(round_id: int | None, hands: int) -> None:
    """Raises Refused (409) if a table of this round would have more hands than the format says; `hands` with the new
    one. No query for a table of the league."""
    if round_id is None:
        return
    current_round = round_at(Evening.objects.select_related("season").get(round=round_id))
    if current_round is not None and current_round.limit and hands > current_round.limit:
        sentence = current_round.all_played_sentence()
        raise Refused(status=409, code="hands", sentence=sentence, details={"hands": current_round.limit})


def check_no_round(evening: Evening) -> None:
    """Raises Refused (409) for a round of a tournament: its desk begins and ends it."""
    if evening.season.in_chips:
        sentence = _("This is a round of a tournament: the desk begins and ends it.")
        raise Refused(status=409, code="round", sentence=sentence)


def seats_are_drawn() -> Refused:
    """409: in a round a player would have another seat than that of the draw."""
    sentence = _("In a tournament the draw says who sits where. The desk can change it before the first hand.")
    return Refused(status=409, code="round", sentence=sentence)
