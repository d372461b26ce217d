"""Creating a table."""

from __future__ import annotations

from collections.abc import Sequence

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
