"""Lines of a list of hands: the names with their roles, and the coins that moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .. import engine_bridge
from ..game.hand_words import HandWords
from ..offered import game_of
from .effect_lines import EffectLine, effect_lines
from .selectors import HandView


@dataclass(frozen=True)
class CoinLine:
    """A hand in the list of an evening: the names with their roles, and the coins that moved. `declarer` is empty in a
    hand that nobody declared; `words` are those of the game, `remark` is what else is to be said."""

    view: HandView
    words: HandWords
    declarer: str
    joiners: list[tuple[str, bool]]
    declarer_failed: bool
    declares: str
    joins: str
    remark: str
    coins: list[tuple[str, int]]

    @property
    def effects(self) -> tuple[EffectLine, ...]:
        """The house rules that changed the amounts."""
        return effect_lines(self.view.record, self.view.result, self.view.names)


def coin_lines(hands: Sequence[HandView]) -> list[CoinLine]:
    """Build a line for each hand, in the order given. The coins of a seat are the sum of its cut payments, payouts and
    penalties, without antes."""
    return [_line(hand, game_of(hand.game).records.words) for hand in hands]


def _line(hand: HandView, words: HandWords) -> CoinLine:
    return CoinLine(
        view=hand,
        words=words,
        declarer="" if hand.declarer is None else hand.names[hand.declarer],
        # In a Muss all play, so the line names only those who failed.
        joiners=[(hand.names[s], s in hand.failed) for s in hand.joiners if not hand.muss or s in hand.failed],
        declarer_failed=hand.declarer in hand.failed,
        declares=words.declares(hand.record, hand.result),
        joins="" if hand.muss else words.joins,
        remark=words.remark(dict(hand.result), dict(enumerate(hand.names))),
        coins=[(hand.names[seat], amount) for seat, amount in engine_bridge.coins_of(hand.result).items()],
    )
