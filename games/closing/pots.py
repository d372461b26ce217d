"""What becomes of what lies in an evening's pots when it ends: into the box for the next evening, into the kitty, or to
those who are present.

A pot is shared in whole coins of the house rules: everybody gets the same number of coins, and those that are left
over go one each, in the order of play from the next dealer on (`order`).
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import Q, Sum

from league import ledger, results
from league.ledger import Move
from league.models import Account, Closing, Club, Evening, Posting, ResultRow, Transfer, User
from league.results import Outcome

from .. import recording
from ..models import Table


@dataclass(frozen=True)
class Part:
    """What one of those present gets of the pots, in Rappen."""

    player_id: int
    amount_minor: int


def locked_tables(evening: Evening) -> list[Table]:
    """The evening's tables, their rows locked in one order. The evening's row is locked before."""
    return list(Table.objects.select_for_update().filter(evening=evening).order_by("pk"))


def lie(tables: Sequence[Table]) -> int:
    """What lies in all pots together, in Rappen."""
    return sum(table.pot_minor for table in tables)


def order(tables: Sequence[Table], present: Sequence[int]) -> list[int]:
    """Those present in the order in which coins left over are handed out: table by table from the next dealer on, then
    who sits at no table any more, in the order given. Two queries a table at most."""
    told: list[int] = []
    for table in sorted(tables, key=lambda table: table.number):
        if table.dissolved:
            continue
        seated = [place.player_id for place in table.places.all()]
        turn = seated.index(table.dealer_id) if table.dealer_id in seated else 0
        told += [player for player in (*seated[turn:], *seated[:turn]) if player not in told]
    wanted = set(present)
    return [player for player in told if player in wanted] + [player for player in present if player not in told]


def parts(amount_minor: int, players: Sequence[int], coin: int) -> list[Part]:
    """The amount shared among the players, in order. What is less than a coin goes to the first."""
    coins, rest = divmod(amount_minor, coin)
    each, over = divmod(coins, len(players))
    return [
        Part(player, (each + (place < over)) * coin + (rest if place == 0 else 0))
        for place, player in enumerate(players)
    ]


def coin_of(evening: Evening) -> int:
    """The smallest coin at the evening's tables, in Rappen."""
    return int(recording.house_rules(evening.game, evening.house_rules.values)["coin"])


def lock_club(club_id: int) -> None:
    """One at a time for what a club has once: box, kitty, and the chain of receipts. Writers that only name the club in
    a row of theirs do not wait."""
    rows = Club.objects.order_by()
    if connection.features.has_select_for_no_key_update:
        rows = rows.select_for_update(no_key=True)
    rows.get(pk=club_id)


def account_of(club_id: int, kind: str) -> Account:
    """The club's box or kitty; made when it is first wanted. The club's row is locked."""
    found = Account.objects.filter(club_id=club_id, kind=kind).first()
    return found or ledger.open_account(club_id=club_id, kind=kind)


def held(club_id: int, kind: str) -> int:
    """What lies in the club's box or kitty, in Rappen. What was paid is not in it: a payment says who brought or took
    coins that a pot's own way has told of already."""
    account = Account.objects.filter(club=club_id, kind=kind).values_list("pk", flat=True).first()
    if account is None:
        return 0
    played = Transfer.objects.filter(~Q(kind=Transfer.Kind.PAID))
    into = played.filter(to_account=account).aggregate(s=Sum("amount_minor"))["s"] or 0
    out = played.filter(from_account=account).aggregate(s=Sum("amount_minor"))["s"] or 0
    return int(into - out)


def dispose(
    *, evening: Evening, closing_id: uuid.UUID, pot: str, present: Sequence[int], author: User | None
) -> Posting | None:
    """Empty the evening's pots; None where nothing lies there. Evening, tables and club are locked by the caller."""
    tables = locked_tables(evening)
    amount = lie(tables)
    if amount == 0:
        return None
    shared = parts(amount, order(tables, present), coin_of(evening)) if pot == Closing.Pot.SHARE else []
    event = ledger.Event(evening=evening, source=closing_id, revision=1, author=author)
    moves = _shares(tables, evening.club_id, shared) if shared else _away(tables, evening.club_id, pot)
    posting = ledger.post(event=event, moves=moves, outcomes=_outcomes(shared))
    for table in tables:
        _take(table, table.pot_minor)
    return posting


def give_back(closing: Closing, *, evening: Evening, author: User | None, reason: str = "") -> None:
    """Undo what a closing did with the pots: everything lies on its table again. Evening and club are locked."""
    posting = closing.posting
    if posting is None:
        return
    out = {table.pot_account_id: table for table in locked_tables(evening)}
    results.clear(source=closing.pk)
    event = ledger.Event(evening=evening, source=closing.pk, revision=2, author=author, reason=reason)
    ledger.reverse(event=event, posting=posting)
    for transfer in posting.transfers.all():
        _take(out[transfer.from_account_id], -transfer.amount_minor)


def _take(table: Table, amount_minor: int) -> None:
    if amount_minor:
        table.pot_minor -= amount_minor
        table.moved_minor -= amount_minor
        table.save(update_fields=["pot_minor", "moved_minor"])


def _away(tables: Sequence[Table], club_id: int, pot: str) -> list[Move]:
    kind = Account.Kind.KITTY if pot == Closing.Pot.KITTY else Account.Kind.BOX
    into = account_of(club_id, kind)
    return [
        Move(table.pot_account_id, into.pk, table.pot_minor, Transfer.Kind.MOVED) for table in tables if table.pot_minor
    ]


def _shares(tables: Sequence[Table], club_id: int, shared: Sequence[Part]) -> list[Move]:
    """Who gets what out of which pot: the pots are emptied one after the other."""
    purses = ledger.purses(club_id, [part.player_id for part in shared])
    moves: list[Move] = []
    lying = [[table.pot_account_id, table.pot_minor] for table in tables if table.pot_minor]
    for part in shared:
        due = part.amount_minor
        while due:
            coins = min(due, lying[0][1])
            moves.append(Move(lying[0][0], purses[part.player_id], coins, Transfer.Kind.SHARE))
            due, lying[0][1] = due - coins, lying[0][1] - coins
            if not lying[0][1]:
                lying.pop(0)
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
