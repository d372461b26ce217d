"""A table's hands as a list that can be edited and replayed from the first hand on.

A correction is an edit of the list. The start of each hand (pot, dealer, deal number) follows from the hands before
it. So a changed hand changes the later ones, or makes one of them impossible; then nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from .. import engine_bridge
from ..engine_bridge import Record, Result
from ..errors import Refused
from ..hands import chain as chains
from ..hands import clause_sentences
from ..hands.tally import CHAIN_FIELDS
from ..models import Revision, Table


@dataclass(frozen=True)
class Entry:
    """A hand as a recorder entered it, without the fields of the chain.

    `players` by seat; `sent` the rest of the record; `dealer_id` the dealer if one was named; `moved_minor` the coins
    that came into the pot before it other than by a hand (Rappen); `number` its present number (0: not stored yet).
    `dealt_id` is its present dealer. With `keeps_dealer` that player deals it, independent of the hands before it.
    """

    players: tuple[int, ...]
    sent: Mapping[str, Any] = field(repr=False)
    dealer_id: int | None = None
    moved_minor: int = 0
    recorder_id: int | None = None
    number: int = 0
    dealt_id: int | None = None
    keeps_dealer: bool = False


@dataclass(frozen=True)
class Played:
    """An entry with its place in the chain and the engine's result."""

    entry: Entry
    number: int
    record: Record = field(repr=False)
    result: Result = field(repr=False)

    def change_of(self, player_id: int) -> int:
        """The change of a player in this hand, in Rappen; 0 for a player who did not sit there."""
        players = self.entry.players
        return int(self.result["deltas"][players.index(player_id)]) if player_id in players else 0


@dataclass(frozen=True)
class State:
    """The state between two hands: the pot (Rappen), the next dealer, the deal number, and the players of the last
    hand."""

    pot_minor: int
    dealer_id: int
    deal_number: int
    players: tuple[int, ...] = ()


def beginning(table: Table) -> State:
    """The state before a table's first hand."""
    return State(0, table.first_dealer_id, 1)


def read(table: Table) -> list[Entry]:
    """The valid hands of a table in order. Two queries."""
    newest: dict[int, Revision] = {}
    revisions = Revision.objects.filter(hand__table=table).select_related("hand").prefetch_related("seats")
    for revision in revisions.order_by("hand__number", "number"):
        newest[revision.hand.number] = revision
    return [entry_of(r) for _number, r in sorted(newest.items()) if r.kind == Revision.Kind.ENTERED]


def entry_of(revision: Revision) -> Entry:
    """A stored hand as an entry. One query if its seats are not prefetched."""
    players = tuple(seat.player_id for seat in sorted(revision.seats.all(), key=lambda seat: seat.number))
    record = revision.record
    return Entry(
        players=players,
        sent={name: value for name, value in record.items() if name not in CHAIN_FIELDS},
        dealer_id=players[record["dealer"]] if revision.dealer_set else None,
        moved_minor=revision.moved_minor,
        recorder_id=revision.recorder_id or revision.author_id,
        number=revision.hand.number,
        dealt_id=players[record["dealer"]],
    )


def fingerprint(entries: Iterable[Entry]) -> str:
    """A hash of a list of hands, 64 letters: the same as long as no hand is added or changed."""
    return engine_bridge.body_hash([[list(e.players), dict(e.sent), e.dealer_id, e.moved_minor] for e in entries])


def play(table: Table, entries: Iterable[Entry], state: State | None = None, first: int = 1) -> list[Played]:
    """Replay the entries one after the other, from `state` before hand `first` on (by default from the beginning).

    Raises:
        Refused: 422 with the clause for a new entry that the engine refuses; 409 `later` for a stored one that has
            become impossible. `details["number"]` is its present number.
    """
    state = state or beginning(table)
    played = []
    for number, entry in enumerate(entries, start=first):
        hand = play_one(table, entry, state, number)
        played.append(hand)
        state = after(hand)
    return played


def after(played: Played) -> State:
    """The state after a hand."""
    following = played.result["next"]
    players = played.entry.players
    return State(played.result["pot_after"], players[following["dealer"]], following["deal_number"], players)


def start_of(table: Table, entry: Entry, state: State, number: int) -> engine_bridge.Start:
    """The start of a hand of these players after `state`. Raises Refused (409) where the pot would be below 0."""
    pot = state.pot_minor + entry.moved_minor
    if pot < 0:
        raise _impossible(entry.number or number, _("there is less in the pot than was taken out of it"), "pot")
    turn = chains.next_dealer(state.dealer_id, state.players, entry.players)
    dealer = turn if entry.dealer_id is None else entry.dealer_id
    same = entry.dealer_id is None and dealer == state.dealer_id
    return engine_bridge.Start(
        number=number,
        game=table.evening.game,
        rules=table.evening.house_rules.values,
        seats=len(entry.players),
        dealer=entry.players.index(dealer),
        deal_number=state.deal_number if same else 1,
        pot_before=pot,
    )


def placed(entry: Entry, state: State) -> Entry:
    """The entry after `state`: if it keeps its dealer and it would be another player's turn, its dealer is named."""
    if not entry.keeps_dealer or entry.dealer_id is not None or entry.dealt_id not in entry.players:
        return replace(entry, keeps_dealer=False)
    turn = chains.next_dealer(state.dealer_id, state.players, entry.players)
    return replace(entry, keeps_dealer=False, dealer_id=None if turn == entry.dealt_id else entry.dealt_id)


def play_one(table: Table, entry: Entry, state: State, number: int) -> Played:
    """Replay one entry as hand `number` after `state`. Raises as `play` does."""
    entry = placed(entry, state)
    record = {**entry.sent, **start_of(table, entry, state, number).fields()}
    result = engine_bridge.replay(record)
    if entry.number and not result["ok"] and "claimed" in record:
        # The claimed amounts of the record are wrong now, because the pot before the hand is different.
        record.pop("claimed")
        result = engine_bridge.replay(record)
    if not result["ok"]:
        refusal = clause_sentences.refusal(result["error"])
        if entry.number:
            raise _impossible(entry.number, refusal.sentence, refusal.code, refusal.at)
        refusal.details["number"] = number
        raise refusal
    return Played(entry=entry, number=number, record=record, result=result)


def _impossible(number: int, why: str, code: str, path: str = "") -> Refused:
    return Refused(
        status=409,
        code="later",
        sentence=_("Hand %(number)d would no longer be possible: %(why)s") % {"number": number, "why": why},
        at=path,
        details={"number": number, "clause": code},
    )


def in_place(entries: Sequence[Entry], order: Sequence[Entry]) -> list[Entry]:
    """The entries in a new order. Coins that came into the pot and named dealers belong to the place in the list, not
    to the hand, so they stay where they were."""
    places = [(entry.moved_minor, entry.dealer_id) for entry in entries]
    return [
        replace(entry, moved_minor=coins, dealer_id=dealer if dealer in entry.players else None)
        for entry, (coins, dealer) in zip(order, places, strict=True)
    ]
