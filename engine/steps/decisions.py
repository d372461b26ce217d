"""What the play of a finished hand decided: could the declarer be stopped, and which cards changed that?"""

from typing import NamedTuple

from engine.best_play import BestPlay
from engine.cards import mask_of
from engine.scenes import Progress


class Decision(NamedTuple):
    """A card that decided: the number of its step (from 1) and its seat. ``for_declarer`` is true if the declarer could
    reach his goal after it, and not before; ``instead`` are the cards that would not have changed that."""

    step: int
    seat: int
    for_declarer: bool
    instead: tuple[str, ...]


class Decisions(NamedTuple):
    """``could`` is true if the declarer could reach his goal at the first lead against everybody; the decisions follow
    in the order of play, so that each one is the opposite of the one before it."""

    could: bool
    decisions: tuple[Decision, ...]


def decisions(progress: Progress) -> Decisions | None:
    """Return what was decided in the tricks of a hand; None if it is not finished, has none, or has no declarer."""
    rules, seats = progress.rules, progress.active
    if progress.question is not None or rules is None or progress.goal is None:
        return None
    bit = {**rules.deck.bit, **{shown: rules.deck.bit[name] for name, shown in progress.display_name.items()}}
    first = next(number for number, scene in enumerate(progress.scenes) if scene.step.kind == "card")
    held = [progress.scenes[first - 1].hands[seat] for seat in seats]
    shown = {bit[name]: name for cards in held for name in cards}
    hands, played = (
        [mask_of(cards, bit) for cards in held],
        [bit[each.step.cards[0]] for each in progress.scenes[first:]],
    )
    search = BestPlay(rules.trump, rules.deck.suit_of, rules.must_beat)
    could, turns = search.verdict(hands, played, progress.goal)
    value, decisive = could, []
    for number, turn in turns.items():
        value = not value
        instead = tuple(shown[card] for card in turn.keeping)
        decisive.append(Decision(first + number + 1, seats[turn.place], value, instead))
    return Decisions(could, tuple(decisive))
