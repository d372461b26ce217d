"""A table's hands as a list that can be edited: played through from the first hand on, and written back by revisions.

A correction is an edit of the list. What each hand starts with (pot, dealer, deal number) follows from the hands
before it; so a changed hand changes those after it, or makes one of them impossible, and then nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from .. import chain as chains
from .. import messages, recording
from ..errors import Refused
from ..models import Revision, Table
from ..recording import Record, Result

CHAIN_FIELDS = ("game", "rules", "seats", "dealer", "pot_before", "deal_number")
"""What the chain says of a hand; the rest of a record is what somebody entered."""


@dataclass(frozen=True)
class Entry:
    """A hand as somebody entered it, without what the chain says.

    `players` by seat, `sent` the rest of the record, `dealer_id` who dealt where somebody said so, `moved_minor` what
    came into the pot before it otherwise than by a hand (Rappen), `number` where it stands now (0: nowhere yet).
    `dealt_id` is who dealt it as it stands; where it `holds`, that one deals it whatever the hands before it say.
    """

    players: tuple[int, ...]
    sent: Mapping[str, Any] = field(repr=False)
    dealer_id: int | None = None
    moved_minor: int = 0
    recorder_id: int | None = None
    number: int = 0
    dealt_id: int | None = None
    holds: bool = False


@dataclass(frozen=True)
class Played:
    """An entry with its place in the chain and what the engine says of it."""

    entry: Entry
    number: int
    record: Record = field(repr=False)
    result: Result = field(repr=False)

    def change_of(self, player_id: int) -> int:
        """What the hand brought a player, in Rappen; 0 for who did not sit there."""
        players = self.entry.players
        return int(self.result["deltas"][players.index(player_id)]) if player_id in players else 0


@dataclass(frozen=True)
class State:
    """What lies between two hands: the pot (Rappen), who deals next, the deal number, and who sat there last."""

    pot_minor: int
    dealer_id: int
    deal_number: int
    players: tuple[int, ...] = ()


def beginning(table: Table) -> State:
    """The state before a table's first hand."""
    return State(0, table.first_dealer_id, 1)


def read(table: Table) -> list[Entry]:
    """The standing hands of a table in order. Two queries."""
    newest: dict[int, Revision] = {}
    revisions = Revision.objects.filter(hand__table=table).select_related("hand").prefetch_related("seats")
    for revision in revisions.order_by("hand__number", "number"):
        newest[revision.hand.number] = revision
    return [entry_of(r) for _number, r in sorted(newest.items()) if r.kind == Revision.Kind.ENTERED]


def entry_of(revision: Revision) -> Entry:
    """A stored hand as an entry. Seats are prefetched, or cost a query."""
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
    """What a list of hands says, in 64 letters: the same as long as nobody adds or changes one."""
    return recording.body_hash([[list(e.players), dict(e.sent), e.dealer_id, e.moved_minor] for e in entries])


def play(table: Table, entries: Iterable[Entry], state: State | None = None, first: int = 1) -> list[Played]:
    """The entries replayed one after the other, from `state` before hand `first` on (else from the beginning).

    Raises:
        Refused: 422 with the clause for an entry that the engine refuses as it stands; 409 `later` for one that stood
            before and has become impossible. `details["number"]` is where it stands now.
    """
    state = state or beginning(table)
    played = []
    for number, entry in enumerate(entries, start=first):
        one = play_one(table, entry, state, number)
        played.append(one)
        state = after(one)
    return played


def after(played: Played) -> State:
    """The state that a hand leaves."""
    following = played.result["next"]
    players = played.entry.players
    return State(played.result["pot_after"], players[following["dealer"]], following["deal_number"], players)


def start_of(table: Table, entry: Entry, state: State, number: int) -> recording.Start:
    """What a hand of these players starts with, after `state`. Raises Refused (409) where the pot would be below 0."""
    pot = state.pot_minor + entry.moved_minor
    if pot < 0:
        raise _impossible(entry.number or number, _("there is less in the pot than was taken out of it"), "pot")
    turn = chains.next_dealer(state.dealer_id, state.players, entry.players)
    dealer = turn if entry.dealer_id is None else entry.dealer_id
    same = entry.dealer_id is None and dealer == state.dealer_id
    return recording.Start(
        number=number,
        game=table.evening.game,
        rules=table.evening.house_rules.values,
        seats=len(entry.players),
        dealer=entry.players.index(dealer),
        deal_number=state.deal_number if same else 1,
        pot_before=pot,
    )


def placed(entry: Entry, state: State) -> Entry:
    """The entry after `state`: one that holds has its dealer named where it would be somebody else's turn."""
    if not entry.holds or entry.dealer_id is not None or entry.dealt_id not in entry.players:
        return replace(entry, holds=False)
    turn = chains.next_dealer(state.dealer_id, state.players, entry.players)
    return replace(entry, holds=False, dealer_id=None if turn == entry.dealt_id else entry.dealt_id)


def play_one(table: Table, entry: Entry, state: State, number: int) -> Played:
    """One entry, as hand `number` after `state`. Raises as `play` does."""
    entry = placed(entry, state)
    record = {**entry.sent, **start_of(table, entry, state, number).fields()}
    result = recording.replay(record)
    if entry.number and not result["ok"] and "claimed" in record:
        # What the hand came to was written down with it; that no longer holds, as the pot was another one.
        record.pop("claimed")
        result = recording.replay(record)
    if not result["ok"]:
        refusal = messages.refusal(result["error"])
        if entry.number:
            raise _impossible(entry.number, refusal.sentence, refusal.code, refusal.at)
        refusal.details["number"] = number
        raise refusal
    return Played(entry=entry, number=number, record=record, result=result)


def _impossible(number: int, why: str, code: str, at: str = "") -> Refused:
    return Refused(
        status=409,
        code="later",
        sentence=_("Hand %(number)d would no longer be possible: %(why)s") % {"number": number, "why": why},
        at=at,
        details={"number": number, "clause": code},
    )


def in_place(entries: Sequence[Entry], order: Sequence[Entry]) -> list[Entry]:
    """The entries in a new order. What belongs to the place in the night and not to the hand stays where it was: coins
    that came into the pot before it, and a dealer whom somebody named."""
    places = [(entry.moved_minor, entry.dealer_id) for entry in entries]
    return [
        replace(entry, moved_minor=coins, dealer_id=dealer if dealer in entry.players else None)
        for entry, (coins, dealer) in zip(order, places, strict=True)
    ]
