"""Two players who sat in the same hand, or sit at tables of the same evening, cannot be one person."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.models import Evening, Player, ResultRow

from ..hands import selectors
from ..models import Place, Revision, Seat


def sat_together(person: Collection[int], player: int) -> str:
    """Return a sentence that names the first hand in which a player of `person` and the player both sat, or the open
    evening at whose tables both sit now; empty where there is neither. Three queries at most."""
    seat = _in_a_hand(person, player)
    if seat is not None:
        hand, evening = seat.revision.hand, seat.revision.hand.table.evening
        return _("%(one)s and %(other)s sat in the same hand: evening %(evening)d (%(date)s), hand %(hand)d.") % {
            "one": seat.player.nickname,
            "other": _name(player),
            "evening": evening.number,
            "date": date_format(evening.held_on, "DATE_FORMAT"),
            "hand": hand.number,
        }
    place = _at_tables(person, player)
    if place is not None:
        return _("%(one)s and %(other)s both sit at a table of evening %(evening)d now.") % {
            "one": place.player.nickname,
            "other": _name(player),
            "evening": place.table.evening.number,
        }
    return ""


def _name(player: int) -> str:
    return Player.objects.values_list("nickname", flat=True).get(pk=player)


def _in_a_hand(person: Collection[int], player: int) -> Seat | None:
    # By the result rows of both: seats have no index on their players.
    hands = ResultRow.objects.filter(
        player=player, source__in=ResultRow.objects.filter(player__in=person).values("source")
    )
    stands = selectors.newest_revisions().filter(kind=Revision.Kind.ENTERED)
    shared = stands.filter(hand__in=hands.values("source")).order_by()
    seats = Seat.objects.filter(player__in=person, revision__in=shared)
    return (
        seats.select_related("player", "revision__hand__table__evening")
        .order_by("revision__hand__table__evening__held_on", "revision__hand__table_id", "revision__hand__number")
        .first()
    )


def _at_tables(person: Collection[int], player: int) -> Place | None:
    sits = Place.objects.filter(table__dissolved=False, table__evening__state=Evening.State.OPEN)
    evenings = sits.filter(player=player).values("table__evening")
    places = sits.filter(player__in=person, table__evening__in=evenings)
    return places.select_related("player", "table__evening").first()
