"""Names in the hall: while a tournament runs, its pages and its big screen show nicknames to visitors if the desk chose
so, except of those who refused; and the search by the exact name of those whose names are not shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from datetime import timedelta
from enum import StrEnum

from allauth.account.adapter import get_adapter
from django.db.models import F
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils import timezone

from ..accounts import sign_in_limits
from ..models import Entrant, Player, Tournament

State = Tournament.State
WRONG_NAMES = sign_in_limits.Limit(30, 10 * 60)
"""Names that nobody has, from one network address. A hall with many phones has one address."""
NAMES = sign_in_limits.Limit(300, 10 * 60)
"""All names from one network address."""
FORGOTTEN_DAYS = 2
"""So many days after the last day names are no longer shown, even if nobody finished the tournament."""


def names_shown(tournament: Tournament) -> bool:
    """Return True while visitors see nicknames on the pages of the tournament: from the first published draw until the
    tournament is finished."""
    return tournament.state == State.RUNNING and tournament.names_shown_since is not None


def end_forgotten() -> int:
    """Show no names any more where a tournament is over and nobody finished it; return the number of tournaments."""
    last = timezone.localdate() - timedelta(days=FORGOTTEN_DAYS)
    shown = Tournament.objects.exclude(names_shown_since=None)
    over = shown.annotate(last_day=Coalesce(F("ends_on"), F("starts_on"))).filter(last_day__lt=last)
    return over.update(names_shown_since=None)


class Answer(StrEnum):
    """The answer to a search by name."""

    ONE = "one"
    SEVERAL = "several"
    NOBODY = "nobody"
    TOO_MANY = "too_many"


def search(request: HttpRequest, tournament: Tournament, name: str) -> tuple[Answer, int | None]:
    """Return the start number of the one entrant with exactly this name; capitals, accents and blanks do not count.

    No name is in the answer. Wrong names are counted by network address. Entrants who refused, and those with a
    pseudonym, are found by their start number only.
    """
    place = sign_in_limits.mark_of_place(get_adapter().get_client_ip(request))
    wrong, each = f"hall-wrong:{place}", f"hall:{place}"
    if sign_in_limits.spent(wrong, WRONG_NAMES) or sign_in_limits.spent(each, NAMES):
        return Answer.TOO_MANY, None
    sign_in_limits.count(each, NAMES)
    answer, number = _with_name(tournament, name)
    if answer != Answer.ONE:
        sign_in_limits.count(wrong, WRONG_NAMES)
    return answer, number


def _with_name(tournament: Tournament, name: str) -> tuple[Answer, int | None]:
    wanted = folded(name)
    if not wanted or tournament.state not in (State.OPEN, State.RUNNING):
        return Answer.NOBODY, None
    rows = Entrant.objects.filter(tournament=tournament, struck=False).select_related("player__main")
    same = [entrant for entrant in rows if folded(entrant.player.nickname) == wanted]
    if not any(may_be_found(entrant) for entrant in same):
        return Answer.NOBODY, None
    # Somebody who refused counts here: else one of two Leos would be led to the other one's table.
    return (Answer.ONE, same[0].number) if len(same) == 1 else (Answer.SEVERAL, None)


def may_be_found(entrant: Entrant) -> bool:
    """Return True if the search by name answers the start number of this entrant."""
    people: Iterable[Player] = filter(None, (entrant.player, entrant.player.main))
    hidden = (Player.Publicity.PSEUDONYM, Player.Publicity.NOBODY)
    known = all(player.publicity not in hidden and player.anonymised_at is None for player in people)
    return known and entrant.name_hidden_since is None


def folded(name: str) -> str:
    """Return a name without capitals, accents and superfluous blanks."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(letter for letter in plain if not unicodedata.combining(letter)).split())
