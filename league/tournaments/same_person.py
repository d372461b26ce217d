"""Two entrants of one tournament cannot be one person: nobody plays under two start numbers at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import product

from django.db.models import Q
from django.utils.translation import gettext as _

from ..models import Entrant, Player

FOREVER = 10**6


@dataclass(frozen=True)
class _Span:
    """The rounds in which a player had a start number; `now`: the player still has it."""

    number: int
    player: Player
    first: int
    last: int
    now: bool


def both_entered(person: Collection[int], player: int) -> str:
    """Return a sentence that names a tournament in which a player of `person` and the player have two start numbers, or
    had them in the same rounds; empty where there is none. Struck entries do not count. Three queries at most."""
    wanted = [*person, player]
    entered = Entrant.objects.filter(
        Q(player__in=wanted) | Q(substitutions__left__in=wanted), struck=False
    ).select_related("player", "tournament")
    by_tournament: dict[int, list[Entrant]] = {}
    for entrant in entered.distinct().prefetch_related("substitutions__left").order_by("tournament_id", "number"):
        by_tournament.setdefault(entrant.tournament_id, []).append(entrant)
    for entrants in by_tournament.values():
        spans = [span for entrant in entrants for span in _spans(entrant)]
        ones = [span for span in spans if span.player.pk in person]
        others = [span for span in spans if span.player.pk == player]
        for own, other in product(ones, others):
            if _at_once(own, other):
                sentence = _(
                    "%(one)s and %(other)s both play in the tournament %(tournament)s: numbers %(a)d and %(b)d."
                )
                return sentence % {
                    "one": own.player.nickname,
                    "other": other.player.nickname,
                    "tournament": entrants[0].tournament.name,
                    "a": own.number,
                    "b": other.number,
                }
    return ""


def _at_once(span: _Span, other: _Span) -> bool:
    if span.number == other.number:
        return False
    return (span.now and other.now) or (span.first <= other.last and other.first <= span.last)


def _spans(entrant: Entrant) -> Iterator[_Span]:
    first = entrant.joined_round or 1
    for change in entrant.substitutions.all():
        yield _Span(entrant.number, change.left, first, change.from_round - 1, now=False)
        first = change.from_round
    last = entrant.withdrawn_round - 1 if entrant.withdrawn_round is not None else FOREVER
    yield _Span(entrant.number, entrant.player, first, last, now=True)
