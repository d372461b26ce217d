"""A table as a chain of hands: the start of the next hand, and the steps of the table."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import connection
from django.utils.translation import gettext as _

from league import news
from league.models import Evening

from ..engine_bridge import Result, Start
from ..errors import Refused
from ..models import Hand, Revision, Table

CHAIN_COLUMNS = ("hands", "pot_minor", "moved_minor", "dealer", "dealer_set", "deal_number")


@dataclass(frozen=True)
class Chain:
    """A table with the players of the next hand, by seat, and the start of that hand.

    A locked table also has the players' nicknames and ledger accounts, by seat, the row of the next hand if that hand
    was voided, True if the club has an active webhook, the tournament's round if it is a table of one, and the
    hands a day that the operator of the server allows, if they are limited.
    """

    table: Table
    players: tuple[int, ...]
    start: Start
    names: tuple[str, ...] = ()
    accounts: tuple[int | None, ...] = ()
    voided: uuid.UUID | None = None
    has_webhooks: bool = True
    round_id: int | None = None
    hands_a_day: int | None = None


# One row for each seat, with what the hand needs beside it.
_SEATED = """SELECT place.player_id, player.nickname, account.id,
    (SELECT hand.id FROM games_hand AS hand WHERE hand.table_id = place.table_id AND hand.number = %s),
    EXISTS (SELECT 1 FROM league_webhook AS webhook
            WHERE webhook.club_id = %s AND webhook.active AND webhook.removed_at IS NULL),
    (SELECT round.id FROM league_round AS round WHERE round.evening_id = %s),
    (SELECT club.hands_a_day FROM league_club AS club WHERE club.id = %s)
FROM games_place AS place JOIN league_player AS player ON player.id = place.player_id
LEFT JOIN league_account AS account ON account.player_id = place.player_id
WHERE place.table_id = %s ORDER BY place.seat"""


def read(table: Table, players: tuple[int, ...]) -> Chain:
    """The chain of a table row; no query if evening and house rules are loaded."""
    return Chain(
        table=table,
        players=players,
        start=Start(
            number=table.hands + 1,
            game=table.evening.game,
            rules=table.evening.house_rules.values,
            seats=len(players),
            dealer=players.index(table.dealer_id),
            deal_number=table.deal_number,
            pot_before=table.pot_minor,
        ),
    )


def lock(table_id: int) -> Chain:
    """The chain, with the table's row locked until the transaction ends. The pot is read after the lock, and so is the
    evening, because a closing locks the tables of its evening.

    Raises:
        Refused: 409 where a redraw of a tournament has removed the table.
    """
    try:
        table = Table.objects.select_for_update().get(pk=table_id)
    except Table.DoesNotExist as fault:
        raise Refused(status=409, code="dissolved", sentence=_("The draw gave this table up.")) from fault
    news.tell(f"table:{table.pk}", f"evening:{table.evening_id}")
    table.evening = Evening.objects.select_related("house_rules").get(pk=table.evening_id)
    club = table.evening.club_id
    with connection.cursor() as cursor:
        cursor.execute(_SEATED, [table.hands + 1, club, table.evening_id, club, table.pk])
        players, names, accounts, voided, has_webhooks, rounds, limits = zip(*cursor.fetchall(), strict=True)
    return replace(
        read(table, players),
        names=names,
        accounts=accounts,
        voided=Hand._meta.pk.to_python(voided[0]),
        has_webhooks=bool(has_webhooks[0]),
        round_id=rounds[0],
        hands_a_day=limits[0],
    )


def lock_evening(evening_id: int) -> Evening:
    """The evening with its row locked. A transaction that may lock several tables locks the evening before them.

    The lock lets other transactions insert rows that refer to the evening (`no_key`): storing a hand does so, while it
    holds the lock of its table.
    """
    news.tell(f"evening:{evening_id}", f"evening-itself:{evening_id}")
    rows = Evening.objects.select_related("club", "season", "house_rules")
    return rows.select_for_update(of=("self",), no_key=True).get(pk=evening_id)


def seating(table: Table) -> tuple[int, ...]:
    """The players of the next hand by seat."""
    return tuple(table.places.order_by("seat").values_list("player_id", flat=True))


def next_dealer(dealer_id: int, before: Sequence[int], players: Sequence[int]) -> int:
    """The dealer once `players` sit at the table: `dealer_id`, or else the next player in the order of `before` who is
    still there."""
    if dealer_id in players or dealer_id not in before:
        return dealer_id if dealer_id in players else players[0]
    turn = before.index(dealer_id)
    order = [*before[turn + 1 :], *before[:turn]]
    return next((player for player in order if player in players), players[0])


def advance(chain: Chain, result: Result) -> None:
    """Set the table to the state after the hand."""
    move_on(chain, result)
    store(chain.table)


def store(table: Table) -> None:
    """Store the state of the table."""
    table.save(update_fields=[*CHAIN_COLUMNS, "paused_at"])


def move_on(chain: Chain, result: Result) -> None:
    """Set the table to the state after the hand, in memory alone."""
    table, after = chain.table, result["next"]
    table.hands = chain.start.number
    table.pot_minor = result["pot_after"]
    table.dealer_id = chain.players[after["dealer"]]
    table.deal_number = after["deal_number"]
    table.moved_minor, table.dealer_set, table.paused_at = 0, False, None


def retreat(table: Table, revision: Revision) -> None:
    """Set the table back to the state before its last hand."""
    record = revision.record
    sat = tuple(revision.seats.order_by("number").values_list("player_id", flat=True))
    dealt = sat[record["dealer"]]
    table.hands -= 1
    table.pot_minor = record["pot_before"] + table.moved_minor
    table.moved_minor += revision.moved_minor
    # A dealer named since then was named for the hand after this one.
    table.dealer_id = next_dealer(dealt, sat, seating(table))
    same = table.dealer_id == dealt
    table.dealer_set = revision.dealer_set or not same
    table.deal_number = record.get("deal_number", 1) if same else 1
    table.save(update_fields=CHAIN_COLUMNS)
