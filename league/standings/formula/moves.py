"""The reasons for another rank under another formula: the player's differences between the two, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...money import format_count, format_money, format_place
from .parts import Formula
from .ranking import Race, RaceLine, Value
from .sentences import TIES, show_points, show_value, why_unranked

NBSP = "\N{NO-BREAK SPACE}"
MOST_PLACES = 3
"""So many different places are named in a reason."""


@dataclass(frozen=True)
class Ranked:
    """A race that was run to the end, and the lines of its players."""

    race: Race
    lines: Sequence[RaceLine]

    @property
    def formula(self) -> Formula:
        """The formula of the race."""
        return self.race.formula


def reasons(old: Ranked, new: Ranked, now: RaceLine | None, then: RaceLine) -> list[str]:
    """Return what changes for a player, and if nothing does, but the rank: that others move. `now` is None for somebody
    who has no line yet."""
    sentences = list(_standing(new.formula, now, then))
    if now is None:
        return sentences
    sentences += _counting(old, new, now, then)
    sentences += _evenings(old.formula, new.formula, now, then)
    sentences += _points(old, new, now, then)
    if not sentences and now.value != then.value:
        values = {"after": _worth(new.formula, then), "before": _worth(old.formula, now)}
        sentences.append(_("the evenings give %(after)s instead of %(before)s") % values)
    if now.rank != then.rank and then.tie and then.tie != now.tie:
        sentences.append(_("equal, parted by: %(tie)s") % {"tie": TIES[then.tie]})
    if not sentences and now.rank != then.rank:
        sentences.append(_("the same sum; others move"))
    return sentences


def _standing(formula: Formula, now: RaceLine | None, then: RaceLine) -> Iterator[str]:
    """Yield the reasons for no rank, or a sentence that the player is ranked now."""
    if then.unranked:
        yield why_unranked(formula, then)
    elif now is None:
        yield ngettext("now in the standings: %(n)s evening", "now in the standings: %(n)s evenings", then.evenings) % {
            "n": then.evenings
        }
    elif now.unranked == "hands":
        yield ngettext("now ranked: %(n)s hand", "now ranked: %(n)s hands", then.hands) % {"n": then.hands}
    elif now.unranked == "guest":
        yield _("now ranked: guests, too")
    elif now.unranked:
        yield ngettext("now ranked: %(n)s evening", "now ranked: %(n)s evenings", then.evenings) % {"n": then.evenings}


def _counting(old: Ranked, new: Ranked, now: RaceLine, then: RaceLine) -> Iterator[str]:
    """Yield the changes of the counted value."""
    before, after = old.formula, new.formula
    if before.counts != after.counts:
        yield _("%(after)s instead of %(before)s") % {"after": _figures(new, then), "before": _figures(old, now)}
    elif after.counts == "places" and (before.places, before.places_by) != (after.places, after.places_by):
        values = {"after": _worth(after, then), "before": _worth(before, now)}
        yield _("points for places: %(after)s instead of %(before)s") % values
    if before.games != after.games and now.evenings != then.evenings:
        sentence = ngettext(
            "%(n)s evening played instead of %(before)s", "%(n)s evenings played instead of %(before)s", then.evenings
        )
        yield sentence % {"n": then.evenings, "before": now.evenings}


def _figures(ranked: Ranked, line: RaceLine) -> str:
    """Return the figures that a player's value is made of, with the rank, such as `average 1.250 over 84 hands (3rd)`.
    Without a rank they end there."""
    beside = line.bonus + line.adjusted + _extra(ranked.formula, line)
    figures = _evening_figures(ranked, line, line.value - beside)
    if beside:
        values = {"figures": figures, "points": format_count(beside, plus="+")}
        figures = _("%(figures)s and %(points)s further points") % values
    ranked_as = {"figures": figures, "rank": format_place(line.rank)}
    return figures if line.unranked else _("%(figures)s (%(rank)s)") % ranked_as


def _evening_figures(ranked: Ranked, line: RaceLine, value: Value) -> str:
    """Return the figures of the evenings that count for a player; `value` is the value of them."""
    formula = ranked.formula
    counted = [night for night in line.nights if night.counts and night.kind != "extra"]
    if formula.counts == "average_hand":
        n = sum(night.hands for night in counted)
        sentence = ngettext("average %(value)s over %(n)s hand", "average %(value)s over %(n)s hands", n)
        return sentence % {"value": show_value(formula, value), "n": format_count(n)}
    if formula.counts == "average_evening":
        n = len(counted)
        sentence = ngettext("average %(value)s over %(n)s evening", "average %(value)s over %(n)s evenings", n)
        return sentence % {"value": show_value(formula, value), "n": n}
    shown = show_value(formula, value) if formula.in_money else show_points(int(value))
    evenings = {night.evening for night in counted if night.kind == "played"}
    if formula.counts == "places" and evenings:
        return f"{_places(ranked.race, line.player, evenings)}: {shown}"
    sentence = ngettext("%(sum)s in %(n)s evening", "%(sum)s in %(n)s evenings", len(evenings))
    return sentence % {"sum": shown, "n": len(evenings)}


def _places(race: Race, player: int, evenings: Collection[int]) -> str:
    """Return a player's places in these evenings, the best ones first, with their numbers: `2 × 1st, 1 × 4th`."""
    counts = Counter(
        1 + sum(measure > measures[player] for measure in measures.values())
        for evening, measures in race.evenings
        if evening in evenings
    )
    shown = [f"{counts[place]}{NBSP}×{NBSP}{format_place(place)}" for place in sorted(counts)]
    return ", ".join([*shown[:MOST_PLACES], "…"] if len(shown) > MOST_PLACES else shown)


def _evenings(old: Formula, new: Formula, now: RaceLine, then: RaceLine) -> Iterator[str]:
    """Yield which evenings no longer count, or count again."""
    before, after = _number(now, "dropped"), _number(then, "dropped")
    # Figures of another kind show that all evenings count.
    if before != after and (after or old.counts == new.counts):
        sentence = ngettext(
            "drops %(n)s evening instead of %(before)s", "drops %(n)s evenings instead of %(before)s", after
        )
        yield sentence % {"n": after, "before": before}
    before, after = _number(now, "few_hands"), _number(then, "few_hands")
    if before != after:
        sentence = ngettext(
            "%(n)s evening with too few hands instead of %(before)s",
            "%(n)s evenings with too few hands instead of %(before)s",
            after,
        )
        yield sentence % {"n": after, "before": before}
    if old.absences != new.absences:
        missed = sum(night.kind == "absent" for night in (*now.nights, *then.nights))
        if missed and new.absences == "zero":
            yield ngettext("%(n)s missed evening has 0 points", "%(n)s missed evenings have 0 points", missed) % {
                "n": missed
            }
        elif missed:
            yield ngettext("%(n)s missed evening is left out", "%(n)s missed evenings are left out", missed) % {
                "n": missed
            }


def _points(old: Ranked, new: Ranked, now: RaceLine, then: RaceLine) -> Iterator[str]:
    """Yield the points beside the evenings that differ."""
    player = then.player
    parts = (
        (_("handicap"), old.race.handicap.get(player, 0), new.race.handicap.get(player, 0)),
        (_("for coming"), now.bonus, then.bonus),
        (_("tournaments"), _extra(old.formula, now), _extra(new.formula, then)),
        (_("penalties and bonuses"), now.adjusted, then.adjusted),
    )
    for name, before, after in parts:
        if before != after:
            values = {"name": name, "after": format_count(after, plus="+"), "before": format_count(before, plus="+")}
            sentence = _("%(name)s %(after)s instead of %(before)s") if before else _("%(name)s %(after)s")
            yield sentence % values


def _number(line: RaceLine, why: str) -> int:
    return sum(night.why == why for night in line.nights)


def _extra(formula: Formula, line: RaceLine) -> int:
    """Return the points of tournaments; in a formula of amounts these are shares of pots."""
    return 0 if formula.in_money else sum(int(night.worth) for night in line.nights if night.kind == "extra")


def _worth(formula: Formula, line: RaceLine) -> str:
    """Format the values of a player's counted evenings."""
    played = [night for night in line.nights if night.counts and night.kind == "played"]
    if formula.counts == "average_hand":
        return format_count(int(sum(night.worth * night.hands for night in played)), plus="+")
    total = int(sum(night.worth for night in played))
    return format_money(total, plus="+") if formula.in_money else format_count(total, plus="+")
