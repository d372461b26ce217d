"""A draw as the desk judges it before it is published: tables, sit-outs, its report, and what changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import draw

from ...models import Draw
from ..draw_reasons import most_reason, odd_reason, repeats_reason, uneven_reason
from ..format_names import MODE_NAMES
from .selectors import Desk, Seat


@dataclass(frozen=True)
class DrawnTable:
    """A table of a draw; `odd`: of another size than wished; `changed`: not as in the published draw."""

    number: int
    seats: Sequence[Seat]
    odd: bool
    changed: bool


@dataclass(frozen=True)
class Figure:
    """One line of the report. `good`: the best possible value."""

    name: str
    value: str
    good: bool
    explained: str = ""


@dataclass(frozen=True)
class DrawView:
    """A stored draw. `swaps`: the cost of each exchange by hand, the last one last."""

    draw: Draw
    mode: str
    tables: Sequence[DrawnTable]
    out: Sequence[Seat]
    figures: Sequence[Figure]
    changes: Sequence[str]
    swaps: Sequence[str]


def draw_view(stored: Draw, desk: Desk, published: draw.Round | None) -> DrawView:
    """Return the data of a draw's page; `published` is the draw that people see, if it is another one."""
    people = {member.number: member for member in desk.people}

    def seat(number: int, table: int = 0) -> Seat:
        person = people.get(number)
        fixed = person is not None and table > 0 and person.fixed_table == table
        return Seat(number, person.name if person else "?", None, fixed)

    before = {table.number: set(table.seats) for table in published.tables} if published else {}
    tables = [
        DrawnTable(
            number=table["number"],
            seats=[seat(number, table["number"]) for number in table["seats"]],
            odd=len(table["seats"]) != desk.format.wished and stored.round <= desk.format.rounds,
            changed=bool(before) and before.get(table["number"]) != set(table["seats"]),
        )
        for table in stored.plan["tables"]
    ]
    return DrawView(
        draw=stored,
        mode=str(MODE_NAMES.get(stored.mode, stored.mode)),
        tables=tables,
        out=[seat(number) for number in stored.plan["out"]],
        figures=_figures(draw.Report(**stored.report)),
        changes=[text for text in (_change(change, desk.names) for change in stored.changes) if text],
        swaps=_swaps(stored, desk.names),
    )


def _figures(report: draw.Report) -> list[Figure]:
    good = report.repeats <= report.bound
    most = report.most <= max(1, report.most_bound)
    figures = [
        Figure(_("Repeated meetings"), str(report.repeats), good, repeats_reason(report)),
        Figure(_("Most often two meet"), str(report.most), most, most_reason(report)),
    ]
    if report.labels_together or report.labels_bound:
        least = _("the labels allow none below %(bound)d") % {"bound": report.labels_bound}
        good = report.labels_together <= report.labels_bound
        figures.append(Figure(_("Pairs with the same label at a table"), str(report.labels_together), good, least))
    if report.odd_tables:
        fewest = report.odd_tables <= report.odd_bound or not report.most_bound
        figures.append(Figure(_("Tables of another size"), str(report.odd_tables), fewest, odd_reason(report)))
    if report.odd_uneven:
        name = _("Seats there that others should have had")
        figures.append(Figure(name, str(report.odd_uneven), False, uneven_reason(report)))
    if report.odd_again and report.order == "sizes":
        name = _("Again at such a table before all were")
        figures.append(Figure(name, str(report.odd_again), False))
    return figures


def _change(change: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """Return the sentence for one change of a redraw; '' for an exchange by hand."""
    if "swapped" in change:
        return ""
    if "table" in change:
        sentence = _("Table %(table)d is new.") if change.get("new") else _("Table %(table)d is no longer needed.")
        return sentence % {"table": change["table"]}
    values = {"number": change["number"], "name": names.get(change["number"], "")}
    if change.get("arrived"):
        return _("%(number)d %(name)s has come.") % values
    if change.get("withdrawn"):
        return _("%(number)d %(name)s has left.") % values
    if change.get("before") is None and change.get("after") is not None:
        return _("%(number)d %(name)s sits at table %(after)d.") % (values | {"after": change["after"]})
    if change.get("after") is None:
        return _("%(number)d %(name)s sits out.") % values
    moved = values | {"before": change["before"], "after": change["after"]}
    return _("%(number)d %(name)s moves from table %(before)d to table %(after)d.") % moved


def _swaps(stored: Draw, names: Mapping[int, str]) -> list[str]:
    """The cost of each exchange: the repeats before it, and those before the next one or now."""
    made = [change for change in stored.changes if "swapped" in change]
    after = [*(change["repeats_before"] for change in made), stored.report.get("repeats", 0)][1:]
    return [_swap(change, then, names) for change, then in zip(made, after, strict=True)]


def _swap(change: Mapping[str, Any], then: int, names: Mapping[int, str]) -> str:
    a, b = (f"{number} {names.get(number, '')}".strip() for number in change["swapped"])
    more = then - change["repeats_before"]
    if more > 0:
        cost = ngettext("%(n)d repeat more", "%(n)d repeats more", more) % {"n": more}
    elif more < 0:
        cost = ngettext("%(n)d repeat less", "%(n)d repeats less", -more) % {"n": -more}
    else:
        cost = _("no further repeat")
    return _("%(a)s and %(b)s exchanged: %(cost)s.") % {"a": a, "b": b, "cost": cost}
