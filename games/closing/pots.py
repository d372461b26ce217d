"""The pots of an evening that ends: their coins go into the box for the next evening, into the kitty, or to those
present.

A pot is shared in whole coins of the house rules: everybody gets the same number of coins, and the coins left over go
one each, in the order of play from the next dealer on (`sharing_order`).
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league import ledger
from league.ledger import Move, result_rows
from league.ledger.club_accounts import account_of
from league.ledger.result_rows import Outcome
from league.models import Account, Closing, Evening, Player, Posting, ResultRow, Transfer, User

from .. import engine_bridge
from ..errors import Refused, unknown_player
from ..models import Table


@dataclass(frozen=True)
class Part:
    """The amount that a player gets from the pots, in Rappen."""

    player_id: int
    amount_minor: int


def locked_tables(evening: Evening) -> list[Table]:
    """Lock the rows of the evening's tables in a fixed order. The caller has locked the evening's row."""
    return list(Table.objects.select_for_update().filter(evening=evening).order_by("pk"))


def pots_total(tables: Sequence[Table]) -> int:
    """The amount in all pots together, in Rappen."""
    return sum(table.pot_minor for table in tables)


def sharing_order(tables: Sequence[Table], present: Sequence[int]) -> list[int]:
    """The players of `present` in the order in which they get the coins left over: table by table from the next dealer
    on, then players who left their table, in the order given. Two queries a table at most."""
    ordered: list[int] = []
    for table in sorted(tables, key=lambda table: table.number):
        if table.dissolved:
            continue
        seated = [place.player_id for place in table.places.all()]
        turn = seated.index(table.dealer_id) if table.dealer_id in seated else 0
        ordered += [player for player in (*seated[turn:], *seated[:turn]) if player not in ordered]
    wanted = set(present)
    return [player for player in ordered if player in wanted] + [player for player in present if player not in ordered]


def parts(amount_minor: int, players: Sequence[int], coin: int) -> list[Part]:
    """Share the amount among the players, in order. A rest smaller than a coin goes to the first."""
    coins, rest = divmod(amount_minor, coin)
    each, over = divmod(coins, len(players))
    return [
        Part(player, (each + (place < over)) * coin + (rest if place == 0 else 0))
        for place, player in enumerate(players)
    ]


def coin_of(evening: Evening) -> int:
    """The smallest coin at the evening's tables, in Rappen."""
    return int(engine_bridge.house_rules(evening.game, evening.house_rules.values)["coin"])


def empty_pots(
    *, evening: Evening, closing_id: uuid.UUID, pot: str, present: Sequence[int], author: User | None
) -> Posting | None:
    """Empty the evening's pots; None where they are empty. The caller has locked evening, tables and club."""
    tables = locked_tables(evening)
    amount = pots_total(tables)
    if amount == 0:
        return None
    shared = parts(amount, sharing_order(tables, present), coin_of(evening)) if pot == Closing.Pot.SHARE else []
    event = ledger.Event(evening=evening, source=closing_id, revision=1, author=author)
    moves = _shares(tables, evening.club_id, shared) if shared else _to_club_account(tables, evening.club_id, pot)
    posting = ledger.post(event=event, moves=moves, outcomes=_outcomes(shared))
    for table in tables:
        _take_out(table, table.pot_minor)
    return posting


def refill_pots(closing: Closing, *, evening: Evening, author: User | None, reason: str = "") -> None:
    """Undo the distribution of the pots by a closing: every coin returns to its table. Evening and club are locked."""
    posting = closing.posting
    if posting is None:
        return
    by_account = {table.pot_account_id: table for table in locked_tables(evening)}
    result_rows.clear(source=closing.pk)
    event = ledger.Event(evening=evening, source=closing.pk, revision=2, author=author, reason=reason)
    ledger.reverse(event=event, posting=posting)
    for transfer in posting.transfers.all():
        _take_out(by_account[transfer.from_account_id], -transfer.amount_minor)


def _take_out(table: Table, amount_minor: int) -> None:
    if amount_minor:
        table.pot_minor -= amount_minor
        table.moved_minor -= amount_minor
        table.save(update_fields=["pot_minor", "moved_minor"])


def _to_club_account(tables: Sequence[Table], club_id: int, pot: str) -> list[Move]:
    kind = Account.Kind.KITTY if pot == Closing.Pot.KITTY else Account.Kind.BOX
    into = account_of(club_id, kind)
    return [
        Move(table.pot_account_id, into.pk, table.pot_minor, Transfer.Kind.MOVED) for table in tables if table.pot_minor
    ]


def _shares(tables: Sequence[Table], club_id: int, shared: Sequence[Part]) -> list[Move]:
    """The transfers from the pots to the players: the pots are emptied one after the other."""
    accounts = ledger.ensure_player_accounts(club_id, [part.player_id for part in shared])
    moves: list[Move] = []
    left = [[table.pot_account_id, table.pot_minor] for table in tables if table.pot_minor]
    for part in shared:
        due = part.amount_minor
        while due:
            coins = min(due, left[0][1])
            moves.append(Move(left[0][0], accounts[part.player_id], coins, Transfer.Kind.SHARE))
            due, left[0][1] = due - coins, left[0][1] - coins
            if not left[0][1]:
                left.pop(0)
    return moves


def _outcomes(shared: Sequence[Part]) -> list[Outcome]:
    return [
        Outcome(
            player_id=part.player_id,
            seat=place,
            role=ResultRow.Role.SHARE,
            made=None,
            tricks=None,
            change_minor=part.amount_minor,
        )
        for place, part in enumerate(shared)
        if part.amount_minor
    ]


def people(evening: Evening, pot: str, present: Sequence[int]) -> list[int]:
    """The players among whom the pot is shared: players of this club, each once."""
    if pot not in Closing.Pot.values:
        raise Refused(status=422, code="pot", sentence=_("Choose what happens to the pot."), at="pot")
    if pot != Closing.Pot.SHARE:
        return []
    chosen = sorted(set(present))
    if not chosen:
        raise Refused(
            status=422,
            code="present",
            sentence=_("Tick at least one person who gets a share of the pot."),
            at="present",
        )
    known = set(Player.objects.filter(club_id=evening.club_id, pk__in=chosen).values_list("pk", flat=True))
    for place, player in enumerate(present):
        if player not in known:
            raise unknown_player(player, f"present[{place}]", code="present")
    return chosen
