"""The recorded hands of a round, read for a tournament's file and stored again from it. Part of
`league.tournaments.tables.RoundTables`.

The file has the valid hands; earlier revisions stay on the server on which the tournament was played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from league import ledger
from league.models import Club, Evening, HouseRules, User
from league.tournaments.tables import TableRecords

from ..evening.house_rules import house_rules_of, house_rules_set
from ..hands import chain as chains
from ..hands.valid_hands import refused_at, table_replay, valid_hands
from ..models import Table


class RecordedHands:
    """The hands of the tables of a round, out and in."""

    def records(self, evening: Evening) -> list[TableRecords]:
        """Return the tables that have a stored hand, in the order of their numbers. Four queries."""
        tables = Table.objects.filter(evening=evening, dissolved=False, hands__gt=0).order_by("number")
        card_tables = list(tables.prefetch_related("places"))
        hands = valid_hands(card_tables)
        return [
            TableRecords(
                number=table.number,
                players=tuple(place.player_id for place in table.places.all()),
                dealer=table.dealer_id,
                dealer_set=table.dealer_set,
                hands=tuple(hands.get(table.pk, ())),
            )
            for table in card_tables
        ]

    def replay_records(self, evening: Evening, tables: Sequence[TableRecords], *, author: User | None) -> None:
        """Store these hands at the tables of an open round, which have none. The caller holds the transaction.

        Raises:
            Refused: 422 for a hand that breaks a clause, or that does not begin where the hand before it ended.
        """
        chains.lock_evening(evening.pk)
        places = dict(Table.objects.filter(evening=evening).values_list("number", "pk"))
        everybody = {player for table_records in tables for hand in table_records.hands for player in hand.players}
        accounts = ledger.ensure_player_accounts(evening.club_id, sorted(everybody))
        for table_records in tables:
            if table_records.number not in places:
                raise refused_at(
                    table_records.number,
                    0,
                    _("There is no table %(table)s in this round.") % {"table": table_records.number},
                )
            table_replay(places[table_records.number], table_records, accounts, author)

    def house_rules_with(
        self, club_id: int, game: str, values: Mapping[str, Any], *, author: User | None
    ) -> HouseRules:
        """Return a version of the club's house rules with these values. Where there is none it is stored, and after it
        the club's own rules once more, so that those stay the newest.

        Raises:
            Refused: 422 (R4) for an unknown rule or an impossible value.
        """
        club = Club.objects.get(pk=club_id)
        newest = house_rules_of(club, game)
        for known in HouseRules.objects.filter(club=club, game=game).order_by("-version"):
            if known.values == values:
                return known
        stored = house_rules_set(club=club, game=game, values=values, author=author)
        house_rules_set(club=club, game=game, values=newest.values, author=author)
        return stored
