"""A game as the engine sees it: one object that holds all its parts. docs/adding-a-game.md says what they are."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from engine.answers import Put
from engine.cuts import Cuts
from engine.notation_forms import Section
from engine.sample_players import Temper
from engine.scenes import Progress

Record = dict[str, Any]
Result = dict[str, Any]
Given = Mapping[str, object]
"""House rules that differ from the defaults."""

HALF: Final = "half"
LIMIT: Final = "limit"
ROUNDING: Final = "rounding"
REMAINDER: Final = "remainder"


class Effect(NamedTuple):
    """A house rule that changed the amounts of a hand; ``amount`` is in Rappen.

    - ``half``: the hand was played for ``amount`` (K8.5).
    - ``limit``: penalties were reduced to the limit ``amount`` (C6.7, K8.4).
    - ``rounding``: the declarer's two thirds were rounded up to ``amount`` (C6.5).
    - ``remainder``: ``amount`` was indivisible. ``seat`` got it; None: it stayed in the pot (C6.5, C6.6, K8.3).
    """

    kind: str
    amount: int
    seat: int | None = None


class Due(NamedTuple):
    """The antes of a hand by seat and the pot P with them, in Rappen; ``muss`` is None in a game without Muss."""

    antes: tuple[int, ...]
    muss: bool | None
    pot: int


class Rules(Protocol):
    """The effective house rules of a game, a named tuple."""

    def _asdict(self) -> dict[str, Any]: ...


class Start(NamedTuple):
    """A table before a hand: what a record of any kind says first. Amounts in Rappen."""

    rules: Given
    seats: int
    dealer: int
    pot_before: int
    deal_number: int = 1


class Wanted(NamedTuple):
    """The start of a random hand; what is None is chosen at random among the legal values."""

    rules: Given
    seats: int | None
    dealer: int | None
    pot_before: int | None
    deal_number: int | None


class Notation(NamedTuple):
    """The items of a line: ``head`` are optional ones after the pot, each known by its first character."""

    head: tuple[Section, ...]
    sections: tuple[Section, ...]


class Steps(NamedTuple):
    """A hand card by card.

    ``begin`` returns the fields of an empty record, from the number of seats. ``walk`` returns the progress of a full
    record, and whether it has steps that come after the next question. ``put_answer`` writes an answer into a record.
    """

    begin: Callable[[int], Record]
    walk: Callable[[Record], tuple[Progress, bool]]
    put_answer: Put


class Rewind(NamedTuple):
    """Steps back; engine/rewind.py describes the functions of the same names."""

    truncate: Callable[[Record, str], Record | None]
    can_be_truncated: Callable[[Record], bool]
    place_of_last_answer: Callable[[Record, str], str]


class Sample(NamedTuple):
    """Sample hands; engine/sample.py describes the functions of the same names."""

    play_hand: Callable[[random.Random, Start, Sequence[Temper]], Record]
    random_hand: Callable[[random.Random, Wanted], Record]
    random_rules: Callable[[random.Random], dict[str, object]]
    tally_of: Callable[[Mapping[str, Any], Mapping[str, Any]], Record]


class HandWorth(NamedTuple):
    """A pack as engine/hand_worth.py counts hands in it, for the game with default house rules.

    ``trump_ranks`` and ``plain_ranks`` are the ranks of a suit from the lowest on. ``always_trump`` is a card that
    belongs to the trump suit whatever it is, with the letter of its rank there. ``one_trick_pays``: a declarer who
    fails with one trick is paid for it.
    """

    plain_ranks: str
    trump_ranks: str
    most_players: int
    always_trump: tuple[str, str] | None
    one_trick_pays: bool


class Game(NamedTuple):
    """A game. ``title`` is its name in sentences, ``defaults`` are its default house rules.

    It is played by ``fewest_seats`` to ``most_seats`` (clause ``seats_clause``). A hand has ``tricks`` tricks. A seat
    that plays needs ``goal`` of them, the declarer ``declarer_goal``: None in a game without a declarer. A kind of hand
    may have other goals: ``goal_of`` returns the goal of a seat in a settled hand, from its record and its result.

    ``replay`` raises `Fault` for the first broken clause. ``ante_of_deal`` is None in a game where the antes differ by
    seat, ``after_cuts`` in one without cuts. ``effects`` yields the house rules that changed the amounts of a hand, in
    the order in which they apply; the limit of the pot is not one of them. ``hand_worth`` is None in a game without a
    table of hands.
    """

    name: str
    title: str
    fewest_seats: int
    most_seats: int
    seats_clause: str
    tricks: int
    goal: int
    declarer_goal: int | None
    goal_of: Callable[[Mapping[str, Any], Mapping[str, Any], int], int]
    defaults: Rules
    house_rules: Callable[[Given], Rules]
    replay: Callable[[Record], Result]
    due: Callable[[Start], Due]
    ante_of_deal: Callable[[Given, int], int] | None
    after_cuts: Callable[[Start, Sequence[Any]], Cuts] | None
    effects: Callable[[Mapping[str, Any], Mapping[str, Any]], Iterator[Effect]]
    notation: Notation
    steps: Steps
    rewind: Rewind
    sample: Sample
    hand_worth: HandWorth | None
