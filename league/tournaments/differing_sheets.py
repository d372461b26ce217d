"""The choice of the sheet that counts among those of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _

from ..errors import Refused
from ..models import Round, Sheet, Tournament
from .formats import Format

MAX_REASON = 200
SheetState = Literal["none", "one", "agreed", "disagree"]


@dataclass(frozen=True, slots=True)
class Counting:
    """The sheet of a table that counts, and the agreement of its sheets.

    *one*: a single sheet was handed in, which counts unless the format wants two. *disagree*: none counts until the
    desk decides.
    """

    state: SheetState
    sheet: Sheet | None


def counting(sheets: Sequence[Sheet], format: Format) -> Counting:
    """Find the sheet that counts among those of one table, in the order in which they were handed in."""
    decided = max((place for place, sheet in enumerate(sheets) if sheet.decides), default=None)
    since = sheets[decided or 0 :]
    if not since:
        return Counting("none", None)
    if any(not same(sheet, since[0]) for sheet in since):
        return Counting("disagree", None)
    if decided is None and len(since) == 1:
        return Counting("one", None if format.two_sheets else since[0])
    return Counting("agreed", since[0])


def same(sheet: Sheet, other: Sheet) -> bool:
    """Return True if two sheets are equal."""
    return sheet.chips == other.chips and sheet.pot == other.pot


def round_of(tournament: Tournament, number: int) -> Round:
    """Return a round by its number. Raises Refused (404) where there is none."""
    tournament_round = tournament.rounds.filter(number=number).select_related("draw", "evening").first()
    if tournament_round is None:
        sentence = _("There is no round %(number)s here.") % {"number": number}
        raise Refused(status=404, code="round", sentence=sentence, at="round")
    tournament_round.tournament = tournament
    return tournament_round
