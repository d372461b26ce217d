"""The valid hands of tables as plain records: read, and stored again at tables that have no hands yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from league import ledger, measures
from league.models import User
from league.tournaments.tables import HandRecord, TableRecords

from .. import engine_bridge
from ..errors import Refused
from ..models import Hand, Place, Revision, Seat, Table
from . import chain as chains
from . import storage
from .chain import Chain
from .replaying import replayed

OF_THE_EVENING = ("game", "rules", "seats")
"""The fields of a record that follow from the evening and the players."""


def valid_hands(tables: Sequence[Table]) -> dict[int, list[HandRecord]]:
    """Return the valid hands by table, in their order. Three queries."""
    newest = Hand.objects.filter(table__in=tables).annotate(newest=Max("revisions__number"))
    wanted = dict(newest.values_list("pk", "newest"))
    rows = Revision.objects.filter(hand__table__in=tables, kind=Revision.Kind.ENTERED)
    valid = {
        row[0]: row[1:]
        for row in rows.order_by("hand__table", "hand__number").values_list(
            "pk", "hand_id", "number", "hand__table_id", "record", "dealer_set", "moved_minor"
        )
        if wanted.get(row[1]) == row[2]
    }
    players: dict[int, list[int]] = {}
    seats = Seat.objects.filter(revision__hand__table__in=tables).order_by("revision", "number")
    for revision, player in seats.values_list("revision_id", "player_id"):
        if revision in valid:
            players.setdefault(revision, []).append(player)
    by_table: dict[int, list[HandRecord]] = {}
    for revision, (_hand, _number, table, record, dealer_set, moved) in valid.items():
        kept = {name: value for name, value in record.items() if name not in OF_THE_EVENING}
        hand = HandRecord(tuple(players[revision]), kept, dealer_set=dealer_set, moved=moved)
        by_table.setdefault(table, []).append(hand)
    return by_table


def table_replay(table_id: int, records: TableRecords, accounts: Mapping[int, int], author: User | None) -> None:
    """Store these hands at a table without hands, and seat the players of the next hand. `accounts`: player → ledger
    account. The caller holds the transaction.

    The table's row is stored once, at the end. On PostgreSQL each UPDATE leaves a dead version of the row until the
    commit, and each check of a foreign key to the table reads all of them.

    Raises:
        Refused: 422 for a hand that breaks a clause, that does not begin where the hand before it ended, or where the
            table has hands.
    """
    chain = chains.lock(table_id)
    if chain.table.hands:
        sentence = _("Table %(table)d has begun: its people stay where they are.") % {"table": records.number}
        raise refused_at(records.number, 0, sentence)
    club = chain.table.evening.club_id
    claims = ledger.new_claims(club, author, [engine_bridge.body_hash(hand.record) for hand in records.hands])
    for hand, claim in zip(records.hands, claims, strict=True):
        chain = _seated(chain, hand)
        try:
            record, result = replayed(chain, hand.record)
        except Refused as refused:
            raise refused_at(records.number, chain.start.number, refused.sentence) from refused
        content = storage.Content(
            record=record,
            result=result,
            players=chain.players,
            dealer_set=chain.table.dealer_set,
            moved_minor=0,
            recorder_id=author.pk if author else None,
        )
        row = Hand.objects.create(table=chain.table, number=chain.start.number)
        storage.enter(chain.table, row, 1, content, accounts, storage.Cause(author, claim))
        chains.move_on(chain, result)
    chains.store(chain.table)
    transaction.on_commit(partial(measures.count_hands, len(records.hands)))
    _sit_down(chain, records)


def _seated(chain: Chain, hand: HandRecord) -> Chain:
    """The chain with the players of this hand, and with its dealer if one was named."""
    table = chain.table
    seat = hand.record.get("dealer")
    if type(seat) is not int or not 0 <= seat < len(hand.players) or hand.moved:
        raise Refused(status=422, code="file", sentence=_("This hand cannot be read."))
    before = table.dealer_id
    table.dealer_id = hand.players[seat] if hand.dealer_set else chains.next_dealer(before, chain.players, hand.players)
    if hand.dealer_set or table.dealer_id != before:
        table.deal_number = 1
    table.dealer_set = hand.dealer_set
    return replace(chains.read(table, hand.players), has_webhooks=False)


def _sit_down(chain: Chain, records: TableRecords) -> None:
    """Seat the players of the next hand, where they or the dealer changed since the last one."""
    table = chain.table
    if records.dealer not in records.players:
        raise refused_at(records.number, 0, _("The dealer does not sit at this table."))
    table.places.all().delete()
    Place.objects.bulk_create(
        Place(table=table, seat=seat, player_id=player) for seat, player in enumerate(records.players)
    )
    before = table.dealer_id
    turn = chains.next_dealer(before, chain.players, records.players)
    if records.dealer_set or records.dealer != turn:
        table.dealer_id, table.deal_number, table.dealer_set = records.dealer, 1, True
    elif turn != before:
        table.dealer_id, table.deal_number = turn, 1
    table.save(update_fields=["dealer", "deal_number", "dealer_set"])


def refused_at(table: int, hand: int, sentence: str) -> Refused:
    """422: the fault of a hand of a table; `hand` is 0 for a fault of the table."""
    located = _("Table %(table)d, hand %(hand)d: %(sentence)s") % {"table": table, "hand": hand, "sentence": sentence}
    return Refused(status=422, code="file", sentence=located if hand else sentence, at=f"table {table}")
