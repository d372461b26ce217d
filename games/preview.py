"""What the engine says of a hand before it is stored: who takes, who pays, the new pot, the next dealer; or
what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from . import messages, recording
from .chain import Chain
from .errors import Refused
from .models import Table
from .recording import Result, coins_of
from .selectors import chain_of


@dataclass(frozen=True)
class PreviewLine:
    """Coins of one seat, in Rappen; `amount_minor` above 0 comes from the pot, below 0 goes into it. Antes are
    not among them."""

    seat: int
    nickname: str
    kind: str
    amount_minor: int


@dataclass(frozen=True)
class Preview:
    """Where `ok`, what the hand would do; otherwise `sentence` says why not, `clause` and `at` where.

    `lines` are the coins in the order in which they move, `sums` what comes of them for each seat. For the next hand
    everybody puts in `next_ante_minor`, the dealer (in Kratzen who has the pack) `next_dealer_ante_minor`;
    `next_muss` is None where the game has none. `last`: it is the last hand for all, and there are no next antes.
    """

    ok: bool
    result: Result | None = None
    lines: tuple[PreviewLine, ...] = ()
    sums: tuple[tuple[str, int], ...] = ()
    pot_after_minor: int = 0
    next_pot_minor: int = 0
    next_ante_minor: int = 0
    next_dealer_ante_minor: int = 0
    next_muss: bool | None = None
    next_dealer: str = ""
    next_forehand: str = ""
    susi: str = ""
    last: bool = False
    sentence: str = ""
    clause: str = ""
    at: str = ""


def hand_preview(*, table: Table, record: Mapping[str, Any]) -> Preview:
    """Replay a hand that nobody has stored yet. Reads the table's places and nothing else; never raises for bad
    input."""
    chain, names_by_player = chain_of(table)
    names = [names_by_player[player] for player in chain.players]
    full, differs = recording.complete(chain.start, record)
    result = recording.replay(full)
    if differs is not None or not result["ok"]:
        problem = _difference(differs) if differs is not None else messages.refusal(result["error"])
        return Preview(ok=False, sentence=problem.sentence, clause=problem.code, at=problem.at)
    return replace(told(chain.start, result, names), last=table.last_hand)


def as_it_goes_on(preview: Preview, chain: Chain, names_by_player: Mapping[int, str]) -> Preview:
    """The same with what the table waits for now: since the hand somebody may have come, left or been named dealer, and
    coins may have moved from another pot."""
    due = recording.due(chain.start)
    dealer = chain.start.dealer
    forehand = (dealer + 1) % chain.start.seats
    return replace(
        preview,
        next_pot_minor=due.pot,
        next_ante_minor=due.antes[forehand],
        next_dealer_ante_minor=due.antes[dealer],
        next_muss=due.muss,
        next_dealer=names_by_player[chain.players[dealer]],
        next_forehand=names_by_player[chain.players[forehand]],
    )


def told(start: recording.Start, result: Result, names: list[str]) -> Preview:
    """The same for a hand that the engine accepted, stored or not."""
    following = start.after(result)
    due = recording.due(following)
    dealer = following.dealer
    forehand = (dealer + 1) % len(names)
    return Preview(
        ok=True,
        result=result,
        lines=tuple(
            PreviewLine(line["seat"], names[line["seat"]], line["kind"], line["amount"])
            for line in result["lines"]
            if line["kind"] != "ante"
        ),
        sums=tuple((names[seat], amount) for seat, amount in coins_of(result).items()),
        pot_after_minor=result["pot_after"],
        next_pot_minor=due.pot,
        next_ante_minor=due.antes[forehand],
        next_dealer_ante_minor=due.antes[dealer],
        next_muss=due.muss,
        next_dealer=names[dealer],
        next_forehand=names[forehand],
        susi="" if result["susi"] is None else names[result["susi"]],
    )


def _difference(name: str) -> Refused:
    return Refused(status=409, code="chain", sentence=messages.sentence("R1"), at=name)
