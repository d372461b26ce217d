"""Convert between tournament and draw package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.utils.translation import gettext as _

import draw

from ..errors import Refused
from ..models import Draw, Entrant, Tournament
from . import results
from .formats import Format
from .slips import sizes_of, slip_tables


def present(tournament: Tournament, format: Format, number: int) -> list[Entrant]:
    """Return the entrants for a round: everybody checked in; in the final the best of them."""
    here = list(
        tournament.entrants.filter(checked_in_at__isnull=False, withdrawn_round=None, struck=False).order_by("number")
    )
    if number <= format.rounds:
        return here
    places = {line.number: place for place, line in enumerate(results.ranking_of(tournament, before=number).lines)}
    ranked = sorted(
        (entrant for entrant in here if entrant.number in places), key=lambda entrant: places[entrant.number]
    )
    return sorted(ranked[: format.final_places], key=lambda entrant: entrant.number)


def drawn_round(stored: Draw) -> draw.Round:
    """Return a stored draw as the draw package reads it."""
    return draw.Round(
        tables=tuple(draw.Table(table["number"], tuple(table["seats"])) for table in stored.plan["tables"]),
        out=tuple(stored.plan["out"]),
        report=draw.Report(**stored.report),
    )


@contextmanager
def possible() -> Iterator[None]:
    """Translate errors of the draw package into sentences: too many at one fixed table, two who cannot swap."""
    try:
        yield
    except ValueError as fault:
        sentence = _("These people cannot be seated so. Look at the fixed tables and the sizes of the tables.")
        raise Refused(status=422, code="draw", sentence=sentence) from fault


def mode_of(stored: Draw) -> draw.Mode:
    return "balanced" if stored.mode == "balanced" else "standing" if stored.mode == "standing" else "random"


def sizes_in(format: Format, final: bool, count: int) -> draw.Sizes:
    return draw.Sizes(wished=count, least=format.least, most=format.most) if final else sizes_of(format)


def entrants_drawn(now: Tournament, people: Sequence[Entrant], number: int) -> list[draw.Entrant]:
    places: dict[int, int] = {}
    if number > 1:
        lines = results.ranking_of(now, before=number).lines
        places = {line.number: len(lines) - place for place, line in enumerate(lines)}
    return [
        draw.Entrant(
            number=entrant.number,
            labels=frozenset(entrant.labels) | ({f"team: {entrant.team}"} if entrant.team else set()),
            score=places.get(entrant.number, 0),
            fixed_table=entrant.fixed_table,
        )
        for entrant in people
    ]


def past_rounds(now: Tournament, number: int) -> list[draw.PastRound]:
    rounds = now.rounds.filter(number__lt=number).select_related("draw").order_by("number")
    return [drawn_round(tournament_round.draw).as_past() for tournament_round in rounds]


def draw_people(
    now: Tournament,
    people: Sequence[Entrant],
    format: Format,
    number: int,
    mode: draw.Mode,
    seed: int,
    left_out: Sequence[int],
) -> draw.Round:
    final = number > format.rounds
    with possible():
        return draw.draw_round(
            entrants_drawn(now, people, number),
            past_rounds(now, number),
            sizes_in(format, final, len(people)),
            mode="balanced" if final else mode,
            seed=seed,
            out=tuple(left_out),
            closed_tables=frozenset(now.closed_tables),
            rounds=None if final else format.rounds,
            order=format.order,
        )


def draw_by_slips(
    now: Tournament, people: Sequence[Entrant], format: Format, seed: int, left_out: Sequence[int]
) -> draw.Round:
    """The tables that people drew at check-in, without those of `left_out`; entrants without a slip or away from their
    fixed table, and tables that are too small or closed, are drawn."""
    numbers = [entrant.number for entrant in people if entrant.number not in left_out]
    entrants = entrants_drawn(now, people, 1)
    tables_now = slip_tables(now, numbers)
    seated = {number for seats in tables_now.values() for number in seats}
    whole = draw.Round(
        tables=tuple(draw.Table(number, tuple(seats)) for number, seats in tables_now.items()),
        out=tuple(sorted(set(left_out))),
        report=draw.Report(seed=seed),
    )
    sizes_fit = all(format.least <= len(seats) <= format.most for seats in tables_now.values())
    fixed = {entrant.number: entrant.fixed_table for entrant in entrants if entrant.fixed_table is not None}
    fixed_fit = all(number in tables_now.get(table, ()) for number, table in fixed.items())
    open_fit = tables_now.keys().isdisjoint(now.closed_tables)
    if sizes_fit and fixed_fit and open_fit and seated == set(numbers):
        report = draw.judge([whole], entrants, sizes_of(format), seed=seed, order=format.order)
        return draw.Round(whole.tables, whole.out, report)
    with possible():
        drawn, _changes = draw.redraw_round(
            whole,
            entrants,
            [],
            sizes_of(format),
            mode="random",
            seed=seed,
            out=left_out,
            closed_tables=frozenset(now.closed_tables),
            order=format.order,
        )
    return drawn
