"""Creating a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from league import ledger
from league.models import Account, Evening, Player

from ..models import Place, Table


def table_create(*, evening: Evening, players: Sequence[Player], first_dealer: Player, number: int) -> Table:
    """Create a table with an empty pot. The caller holds the transaction."""
    pot = ledger.create_account(club_id=evening.club_id, kind=Account.Kind.POT)
    table = Table.objects.create(
        evening=evening, number=number, pot_account=pot, first_dealer=first_dealer, dealer=first_dealer
    )
    Place.objects.bulk_create(Place(table=table, seat=seat, player=player) for seat, player in enumerate(players))
    return table


def tables_create(*, evening: Evening, seatings: Mapping[int, Sequence[int]]) -> None:
    """Create several tables with empty pots: number → player ids in the order of play, the first one deals first. The
    players have accounts. Three queries; the caller holds the transaction."""
    pots = ledger.create_pots(evening.club_id, len(seatings))
    tables = Table.objects.bulk_create(
        Table(evening=evening, number=number, pot_account=pot, first_dealer_id=players[0], dealer_id=players[0])
        for (number, players), pot in zip(seatings.items(), pots, strict=True)
    )
    Place.objects.bulk_create(
        Place(table=table, seat=seat, player_id=player)
        for table, players in zip(tables, seatings.values(), strict=True)
        for seat, player in enumerate(players)
    )
