"""The preview of a hand that is not stored yet: payouts and payments, the new pot, the next dealer; or the error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .. import engine_bridge
from ..engine_bridge import Result, coins_of
from ..errors import Refused
from ..models import Table
from ..offered import game_of
from . import clause_sentences
from .chain import Chain
from .effect_lines import EffectLine, effect_lines
from .rounds import round_at
from .selectors import chain_of


@dataclass(frozen=True)
class PreviewLine:
    """Coins of one seat in Rappen, without antes; `amount_minor` above 0 comes from the pot, below 0 goes into it."""

    seat: int
    nickname: str
    kind: str
    amount_minor: int


@dataclass(frozen=True)
class Preview:
    """The result of a hand if it is `ok`; otherwise `sentence` is the error, `clause` and `at` its clause and place.

    `lines` are the coins in the order in which they move, `sums` their sum for each seat. For the next hand everybody
    pays `next_ante_minor`, but the dealer (with cuts the player who has the pack) `next_dealer_ante_minor`.
    `next_muss` is None where the game has no Muss. `last`: it is the last hand for all, so no antes follow.
    `pot_stays` says that nobody played and no coin moved. `effects`
    are the house rules that changed the amounts.
    """

    ok: bool
    result: Result | None = None
    lines: tuple[PreviewLine, ...] = ()
    sums: tuple[tuple[str, int], ...] = ()
    effects: tuple[EffectLine, ...] = ()
    pot_after_minor: int = 0
    next_pot_minor: int = 0
    next_ante_minor: int = 0
    next_dealer_ante_minor: int = 0
    next_muss: bool | None = None
    next_dealer: str = ""
    next_forehand: str = ""
    susi: str = ""
    pot_stays: str = ""
    last: bool = False
    sentence: str = ""
    clause: str = ""
    at: str = ""
    game: str = ""


def hand_preview(*, table: Table, record: Mapping[str, Any]) -> Preview:
    """Replay a hand that is not stored yet. Reads the table's places only, and never raises for bad input."""
    chain, names_by_player = chain_of(table)
    names = [names_by_player[player] for player in chain.players]
    full, differs = engine_bridge.complete(chain.start, record)
    result = engine_bridge.replay(full)
    if differs is not None or not result["ok"]:
        problem = _difference(differs) if differs is not None else clause_sentences.refusal(result["error"])
        return Preview(ok=False, sentence=problem.sentence, clause=problem.code, at=problem.at)
    return replace(preview_of(chain.start, result, names, full), last=table.last_hand or is_last(table))


def is_last(table: Table) -> bool:
    """Return True if the next hand is the last one of the table's round."""
    current_round = round_at(table.evening)
    return current_round is not None and current_round.all_played(table.hands + 1)


def with_next_hand(preview: Preview, chain: Chain, names_by_player: Mapping[int, str]) -> Preview:
    """The preview with the table's next hand as it is now: since the hand, players may have come or left, a dealer may
    have been named, and coins may have moved between pots."""
    due = engine_bridge.due(chain.start)
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


def preview_of(
    start: engine_bridge.Start, result: Result, names: list[str], record: Mapping[str, Any] | None = None
) -> Preview:
    """The preview of a hand that the engine accepted, stored or not; with its complete record it has the `effects`."""
    following = start.after(result)
    due = engine_bridge.due(following)
    dealer = following.dealer
    forehand = (dealer + 1) % len(names)
    return Preview(
        ok=True,
        game=start.game,
        result=result,
        lines=tuple(
            PreviewLine(line["seat"], names[line["seat"]], line["kind"], line["amount"])
            for line in result["lines"]
            if line["kind"] != "ante"
        ),
        sums=tuple((names[seat], amount) for seat, amount in coins_of(result).items()),
        effects=effect_lines(record, result, names) if record is not None else (),
        pot_after_minor=result["pot_after"],
        next_pot_minor=due.pot,
        next_ante_minor=due.antes[forehand],
        next_dealer_ante_minor=due.antes[dealer],
        next_muss=due.muss,
        next_dealer=names[dealer],
        next_forehand=names[forehand],
        susi="" if result["susi"] is None else names[result["susi"]],
        pot_stays=game_of(start.game).records.words.pot_stays(names[dealer]),
    )


def _difference(name: str) -> Refused:
    return Refused(status=409, code="chain", sentence=clause_sentences.sentence("R1"), at=name)
