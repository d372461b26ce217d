"""Certificates for the first places: one page each, in landscape."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from ...money import format_place
from ..room import wording
from .page import DARK, Pages
from .printed_tournament import Content

PLACES = 3
WIDE, HIGH = 297.0, 210.0


@dataclass(frozen=True)
class Honour:
    """One certificate: the rank, its holder, and the result."""

    rank: int
    name: str
    under: str
    total: str


def draw(content: Content) -> bytes:
    """Return the certificates of the first three places, shared ones included; then those of the first three teams."""
    pdf = Pages(content, _("Certificates"))
    for honour in honours(content):
        pdf.bare(landscape=True)
        _frame(pdf)
        _certificate(pdf, honour)
    return bytes(pdf.output())


def honours(content: Content) -> list[Honour]:
    """Return the holders of certificates, the first one first."""
    room = content.room
    honours = [
        Honour(
            line.ranked.line.rank,
            line.ranked.person.name,
            _("Start number %(number)d") % {"number": line.ranked.person.number},
            _total(content, line.total),
        )
        for line in wording.ranking_lines(room)
        if line.ranked.line.rank <= PLACES and not line.ranked.line.withdrawn
    ]
    honours += [
        Honour(team.rank, team.name, ", ".join(person.name for person in team.members), _total(content, team.text))
        for team in room.teams
        if team.rank <= PLACES
    ]
    return honours


def _total(content: Content, total: str) -> str:
    if content.room.format.result == "chips":
        return _("%(total)s chips") % {"total": total}
    return _("%(total)s points") % {"total": total}


def _frame(pdf: Pages) -> None:
    for inset, weight in ((10.0, 1.1), (12.2, 0.25)):
        pdf.set_draw_color(0)
        pdf.set_line_width(weight)
        pdf.rect(inset, inset, WIDE - 2 * inset, HIGH - 2 * inset)


def _certificate(pdf: Pages, honour: Honour) -> None:
    content, left, width = pdf.content, 30.0, WIDE - 60.0
    pdf.ink()
    pdf.put(left, 32, width, content.name, 22, bold=True, align="C")
    pdf.ink(DARK)
    pdf.put(left, 42, width, f"{content.club} · {content.day}", 12, align="C")
    pdf.ink()
    pdf.put(left, 74, width, format_place(honour.rank), 84, bold=True, align="C")
    pdf.put(left, 97, width, _("place"), 18, align="C")
    pdf.put(left, 124, width, honour.name, 44, bold=True, align="C", least=16)
    pdf.ink(DARK)
    pdf.put(left, 140, width, honour.under, 12, align="C")
    pdf.ink()
    pdf.put(left, 151, width, honour.total, 16, align="C")
    for x, label in ((45.0, _("Place and date")), (WIDE - 45 - 80, _("Signature"))):
        pdf.rule(x, 180, x + 80, 180, weight=0.3, grey=0)
        pdf.ink(DARK)
        pdf.put(x, 184, 80, label, 9, align="C")
        pdf.ink()
