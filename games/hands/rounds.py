"""What is different at the tables of a tournament's round: a number of hands, and seats that the draw decides."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Evening, Round
from league.tournaments.formats import Format
from league.tournaments.rounds import hands_limit

from ..errors import Refused


def round_of(evening: Evening) -> Round | None:
    """The round of the evening with its tournament; None for an evening of the league. The season is loaded; one query
    for a round, none else."""
    if not evening.season.in_chips:
        return None
    return Round.objects.select_related("tournament").filter(evening=evening).first()


def limit_of(found: Round) -> int:
    """The number of hands that each table of the round plays; 0 without a limit. The tournament is loaded."""
    return hands_limit(found, Format.read(found.tournament.format))


def all_played(limit: int) -> str:
    """The sentence at a table that has played its hands."""
    return ngettext(
        "This table has played the %(n)d hand of this round.",
        "This table has played all %(n)d hands of this round.",
        limit,
    ) % {"n": limit}


def check_hands_left(round_id: int | None, hands: int) -> None:
    """Raises Refused (409) if a table of this round would have more hands than the format says; `hands` with the new
    one. No query for a table of the league."""
    if round_id is None:
        return
    limit = limit_of(Round.objects.select_related("tournament").get(pk=round_id))
    if limit and hands > limit:
        raise Refused(status=409, code="hands", sentence=all_played(limit), details={"hands": limit})


def seats_are_drawn() -> Refused:
    """409: in a round somebody would sit elsewhere than the draw says."""
    sentence = _("In a tournament the draw says who sits where. The desk can change it before the first hand.")
    return Refused(status=409, code="round", sentence=sentence)
