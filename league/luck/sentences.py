"""Luck in words that a player says aloud at the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ..money import format_count, format_price
from ..web.game_terms import Terms
from .selectors import LuckLine
from .sums import Goals, NightLuck, in_antes


@dataclass(frozen=True)
class Said:
    """What a table says about hands of one kind: their name, those made, those that others make, and the luck in antes.
    The last two are empty where there are too few, `worth` also for a reader who sees no amounts."""

    title: str
    counts: str
    expected: str = ""
    worth: str = ""


def antes(number: int) -> str:
    """Return a signed number of antes in words."""
    return ngettext("%(n)s ante", "%(n)s antes", abs(number)) % {"n": format_count(number, plus="+")}


def goal_lines(line: LuckLine, terms: Terms) -> list[Said]:
    """Return what to say about a player's hands that were declared, joined, or forced."""
    return list(_said(line, terms))


def _said(line: LuckLine, terms: Terms) -> Iterator[Said]:
    luck = line.luck
    kinds = ((terms.declared, luck.declared), (terms.joined, luck.joined), (terms.forced, luck.musses))
    for title, goals in kinds:
        if goals.hands:
            yield _goals(str(title), goals, sees=line.sees)


def _goals(title: str, goals: Goals, *, sees: bool) -> Said:
    counts = _("%(made)s of %(of)s") % {"made": format_count(goals.made), "of": format_count(goals.hands)}
    if not goals.known:
        return Said(title, counts)
    return Said(title, counts, _plus_minus(goals), format_count(goals.whole_antes, plus="+") if sees else "")


def _plus_minus(goals: Goals) -> str:
    """Return the hands that others make with what they are off; it stays on one line."""
    return f"{format_count(goals.expected)}\xa0±\xa0{format_count(goals.spread)}"


def lead_sentence(line: LuckLine, terms: Terms) -> str:
    """Return the sentence about a player's declared hands, or about the joined ones where nobody declares; about how
    many there are if they are too few."""
    goals = line.luck.declared if terms.has_declarer else line.luck.joined
    values = {
        "made": format_count(goals.made),
        "of": format_count(goals.hands),
        "expected": _plus_minus(goals),
        "worth": antes(goals.whole_antes),
        "name": line.name,
        "hands": terms.declared_hands,
    }
    if not goals.known:
        return (_too_few_declared if terms.has_declarer else _too_few_joined)(goals) % values
    said = (_declared if terms.has_declarer else _joined)(mine=line.mine) % values
    return " ".join((said, _("That was worth %(worth)s.") % values)) if line.sees else said


def _too_few_declared(goals: Goals) -> str:
    return ngettext(
        "%(made)s of %(of)s declared hand made: too few to say how much of it was luck.",
        "%(made)s of %(of)s declared hands made: too few to say how much of it was luck.",
        goals.hands,
    )


def _too_few_joined(goals: Goals) -> str:
    return ngettext(
        "%(made)s of %(of)s joined hand made: too few to say how much of it was luck.",
        "%(made)s of %(of)s joined hands made: too few to say how much of it was luck.",
        goals.hands,
    )


def _declared(*, mine: bool) -> str:
    if mine:
        return _("You made %(made)s of %(of)s %(hands)s; of such hands others make %(expected)s.")
    return _("%(name)s made %(made)s of %(of)s %(hands)s; of such hands others make %(expected)s.")


def _joined(*, mine: bool) -> str:
    if mine:
        return _("You made %(made)s of %(of)s joined hands; of such hands others make %(expected)s.")
    return _("%(name)s made %(made)s of %(of)s joined hands; of such hands others make %(expected)s.")


def band_sentence(line: LuckLine, night: NightLuck, currency: str, *, in_money: bool) -> str:
    """Return the sentence about the bounds of chance of a player's evening."""

    def show(amount_minor: int) -> str:
        if in_money:
            return format_price(amount_minor, currency, plus="+")
        return format_count(in_antes(amount_minor, night.ante_minor), plus="+")

    values = {
        "low": show(night.low_minor),
        "high": show(night.high_minor),
        "actual": show(night.actual_minor),
        "name": line.name,
    }
    if in_money:
        return _("%(name)s: %(actual)s. Between %(low)s and %(high)s it is luck.") % values
    return _("%(name)s: %(actual)s antes. Between %(low)s and %(high)s it is luck.") % values
