"""Who made it, as far as it is known: the results of an entry that has them for some of its players only.

The rule, for a declarer and joiners with four tricks (C6.1, K8.1): a declarer makes it with two tricks, a joiner with
one, and somebody made it. A set of players who made it is possible if their goals need at most four tricks.

1. A result that was chosen counts.
2. Decided by the rules: a player without one who has the same result in every possible set.
3. Else all the others made it, if that set is possible.
4. Else they are undecided: a question, and nothing can be stored.

`static/js/hand_result.js` has the same for the page's script.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

TRICKS = 4


def results(declarer: int, joiners: Sequence[int], chosen: Mapping[int, bool]) -> dict[int, bool | None]:
    """The results of the active seats; None is undecided. `chosen` are those that a person chose."""
    goals = {declarer: 2} | dict.fromkeys(joiners, 1)
    made: dict[int, bool | None] = {seat: chosen.get(seat) for seat in goals}
    left = TRICKS - sum(goal for seat, goal in goals.items() if made[seat])
    # Results that no hand can have leave the others undecided: the engine refuses them with a sentence of its own.
    if left < 0:
        return made
    made |= {seat: False for seat, goal in goals.items() if made[seat] is None and goal > left}
    others = [seat for seat in goals if made[seat] is None]
    if sum(goals[seat] for seat in others) <= left or (len(others) == 1 and True not in made.values()):
        made |= dict.fromkeys(others, True)
    return made


def is_undecided(made: Mapping[int, bool | None]) -> bool:
    """Return True if a person has to choose results."""
    declared = next(iter(made), None)
    taken = sum(2 if seat == declared else 1 for seat, result in made.items() if result)
    return None in made.values() and taken <= TRICKS


def question() -> str:
    """The question about undecided results; the page's script has the same (`_entry_texts.html`)."""
    return _("Who made no trick? Choose ✓ or ✕: the four tricks do not decide it.")
