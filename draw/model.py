"""The data of a draw: sizes, entrants, tables, rounds, and the report on a tournament."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

Mode = Literal["random", "balanced", "standing"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
Order = Literal["repeats", "sizes"]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)
"""Judged first: few repeats, then tables of another size shared evenly in the end; or such tables by turns, in every
round."""

SMALLEST_TABLE: Final = 3
LARGEST_TABLE: Final = 7


@dataclass(frozen=True, slots=True)
class Sizes:
    """The size that a table should have, and the smallest and the largest size that it may have (3 to 7).

    Raises:
        ValueError: the three sizes contradict each other.
    """

    wished: int = 4
    least: int = 3
    most: int = 5

    def __post_init__(self) -> None:
        for size in (self.wished, self.least, self.most):
            if type(size) is not int or not SMALLEST_TABLE <= size <= LARGEST_TABLE:
                raise ValueError(f"A table has {SMALLEST_TABLE} to {LARGEST_TABLE} seats, not {size!r}.")
        if not self.least <= self.wished <= self.most:
            raise ValueError(
                f"The wished size of a table ({self.wished}) must lie between the least ({self.least}) and the "
                f"greatest ({self.most})."
            )


DEFAULT_SIZES: Final = Sizes()


@dataclass(frozen=True, slots=True)
class Entrant:
    """A present entrant.

    ``number`` is the start number. Entrants who share one of the ``labels`` are kept apart. ``score`` counts in the
    mode *standing*; the highest sits at the first table. ``fixed_table`` is the number of the table that the entrant
    never leaves.
    """

    number: int
    labels: frozenset[str] = frozenset()
    score: int = 0
    fixed_table: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its number and the start numbers of the entrants in the order of play; the first deals first."""

    number: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PastRound:
    """A round that was played: its tables and its sit-outs; ``seed`` is the seed of its draw, if it is known."""

    tables: tuple[Table, ...]
    out: tuple[int, ...] = ()
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The quality of a tournament, up to and including a round.

    Attributes:
        seed: the seed of the draw.
        order: the order of the rules; it decides where tables of another size stand in the judgement.
        outs_again: sit-outs of entrants who sat out before, while a present entrant had not.
        odd_tables: tables of another size than the wished one.
        odd_bound: the least value of ``odd_tables`` that the head counts allow.
        odd_again: seats at such a table of entrants who had one before, while another seated entrant had not.
        odd_uneven: seats at such a table that others should have had, so that in the end all had equally many, or one
            more.
        labels_together: pairs at one table that share a label, summed over the rounds.
        labels_bound: the least value of ``labels_together`` that the head counts of the labels allow.
        most: the greatest number of meetings of two entrants.
        most_bound: the least value of ``most`` that arithmetic allows.
        repeats: the sum over all pairs of their meetings after the first.
        bound: the least value of ``repeats`` that arithmetic allows under the order of the rules; see `draw.bounds`.
        bound_by: the reason of the bound: *people*, *tables* or *turns*; empty if it is 0.
        searched: the budget, in milliseconds, of the search that found nothing better; 0 if there was none.
        neighbours: the number of repeated neighbours on the right.
        deals: the difference between the greatest and the smallest number of first deals of an entrant.
        seats: the greatest such difference for a seat number.
        moved: the number of moves to another table number.
    """

    seed: int = 0
    order: Order = "repeats"
    outs_again: int = 0
    odd_tables: int = 0
    odd_bound: int = 0
    odd_again: int = 0
    odd_uneven: int = 0
    labels_together: int = 0
    labels_bound: int = 0
    most: int = 0
    most_bound: int = 0
    repeats: int = 0
    bound: int = 0
    bound_by: str = ""
    searched: int = 0
    neighbours: int = 0
    deals: int = 0
    seats: int = 0
    moved: int = 0

    @property
    def figures(self) -> tuple[int, ...]:
        """Return the judgement of who sits together, the first rule first."""
        return (
            self.outs_again,
            self.odd_tables,
            self.odd_again if self.order == "sizes" else 0,
            self.labels_together,
            self.most,
            self.repeats,
            self.odd_uneven,
        )

    @property
    def cost(self) -> tuple[int, ...]:
        """Return the whole judgement, with the order of play: the smaller tuple is the better tournament."""
        return (*self.figures, self.neighbours, self.deals, self.seats, self.moved)


@dataclass(frozen=True, slots=True)
class Round:
    """A drawn round: the tables by number, the start numbers of the sit-outs, and the report."""

    tables: tuple[Table, ...]
    out: tuple[int, ...]
    report: Report

    def as_past(self) -> PastRound:
        """Return the round as one that was played, for the draw of the next."""
        return PastRound(self.tables, self.out, self.report.seed)


@dataclass(frozen=True, slots=True)
class Move:
    """An entrant who changes the table; None is no table."""

    number: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes by a new draw of a round.

    ``moves`` has those who were seated or sat out before and sit elsewhere now. ``arrived`` and ``withdrawn`` have the
    start numbers of those who came and went, the other two the numbers of tables.
    """

    moves: tuple[Move, ...]
    arrived: tuple[int, ...]
    withdrawn: tuple[int, ...]
    new_tables: tuple[int, ...]
    closed_tables: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """A place that is drawn at the check-in: the number of the table and of the seat, both from 1."""

    table: int
    seat: int


@dataclass(frozen=True, slots=True)
class Plan:
    """All rounds of a tournament, drawn ahead for players 1 to N; the report is that of the whole tournament.

    ``source`` names the construction in one sentence, or the search.
    """

    rounds: tuple[Round, ...]
    report: Report
    source: str
