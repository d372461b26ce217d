"""A formula in sentences, values as people read them, and the reasons why an evening or a player does not count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from ...money import format_count, format_money, format_points
from ...played_games import GAMES as PLAYED
from .parts import AVERAGES, Formula
from .ranking import NightLine, RaceLine, Value, stored

COUNTS: dict[str, Promise] = {
    "points": gettext_lazy("Points per hand"),
    "net": gettext_lazy("Amounts won and lost"),
    "places": gettext_lazy("Points for the place of the night"),
    "average_hand": gettext_lazy("Average of points per hand"),
    "average_evening": gettext_lazy("Average of points per evening"),
}
PLACES_BY: dict[str, Promise] = {
    "points": gettext_lazy("by the points of the evening"),
    "net": gettext_lazy("by the amounts of the evening"),
}
ABSENCES: dict[str, Promise] = {
    "skip": gettext_lazy("is left out"),
    "zero": gettext_lazy("has 0 points, and can be the one that is dropped"),
}
GAMES: dict[str, Promise | str] = {
    "": gettext_lazy("every game"),
    **{game.name: game.title for game in PLAYED.values()},
}
TIES: dict[str, Promise] = {
    "evenings_won": pgettext_lazy("tie-break", "more evenings won"),
    "best_night": pgettext_lazy("tie-break", "the better best evening"),
    "evenings": pgettext_lazy("tie-break", "more evenings"),
    "hands": pgettext_lazy("tie-break", "more hands"),
    "average": pgettext_lazy("tie-break", "the better average per hand"),
    "head_to_head": pgettext_lazy("tie-break", "head to head"),
    "lot": pgettext_lazy("tie-break", "the lot"),
}


def show_value(formula: Formula, value: Value) -> str:
    """Format a value: points, thousandths of an average, or an amount without its currency."""
    if formula.in_money:
        return format_money(int(value), plus="+")
    return format_points(stored(formula, value), formula.scale)


def show_points(points: int) -> str:
    """Format whole points with their word."""
    return ngettext("%(n)s point", "%(n)s points", points) % {"n": format_count(points)}


def show_worth(formula: Formula, night: NightLine) -> str:
    """Format the worth of an evening, with its sign. In an average per hand these are its points."""
    if formula.in_money:
        return format_money(int(night.worth), plus="+")
    points = night.worth * night.hands if formula.counts == "average_hand" and night.hands else night.worth
    return format_count(int(points), plus="+")


def why_not(night: NightLine) -> str:
    """Return the reason why an evening does not count; an empty text if it does."""
    sentences = {
        "dropped": _("does not count"),
        "few_hands": _("too few hands"),
        "guest": _("guests are not ranked"),
    }
    return sentences.get(night.why, "")


def why_unranked(formula: Formula, line: RaceLine) -> str:
    """Return the reason why a player is not ranked; an empty text for a ranked one."""
    # A count by the formula before this one may still be stored.
    if line.unranked == "guest" and not formula.guests:
        return _("not ranked: a guest")
    if line.unranked == "evenings" and formula.attendance_minimum:
        values = {"played": line.evenings, "least": formula.attendance_minimum}
        return _("not ranked yet: %(played)s of %(least)s evenings") % values
    if line.unranked == "hands" and formula.hands_minimum:
        values = {"played": line.hands, "least": formula.hands_minimum}
        return _("not ranked yet: %(played)s of %(least)s hands") % values
    return ""


def reasons(formula: Formula, line: RaceLine) -> Iterator[str]:
    """Yield the reasons for a player's value and rank, beside the evenings that count."""
    if line.unranked:
        yield why_unranked(formula, line)
    dropped = [night for night in line.nights if night.why == "dropped"]
    if dropped:
        shown = ", ".join(show_worth(formula, night) for night in dropped)
        sentence = ngettext("%(n)s evening dropped: %(worth)s", "%(n)s evenings dropped: %(worth)s", len(dropped))
        yield sentence % {"n": len(dropped), "worth": shown}
    few = sum(night.why == "few_hands" for night in line.nights)
    if few:
        yield ngettext("%(n)s evening with too few hands", "%(n)s evenings with too few hands", few) % {"n": few}
    if line.bonus:
        yield _("%(points)s for coming") % {"points": format_count(line.bonus, plus="+")}
    if line.adjusted:
        yield _("%(points)s by penalties and bonuses") % {"points": format_count(line.adjusted, plus="+")}
    if line.tie:
        yield _("equal, parted by: %(tie)s") % {"tie": TIES[line.tie]}


def described(formula: Formula, names: Mapping[int, str]) -> list[str]:
    """Return the formula in sentences. `names`: of the players with a handicap, as the reader may see them."""
    return [*_counting(formula), *_handicaps(formula, names), *dropping(formula), *_ranking(formula), *_equal(formula)]


def _handicaps(formula: Formula, names: Mapping[int, str]) -> Iterator[str]:
    if not formula.handicap:
        return
    each = sorted((-points, names.get(player, "?")) for player, points in formula.handicap)
    listed = ", ".join(f"{name} {format_count(-minus, plus='+')}" for minus, name in each)
    yield _("Handicap for each evening, in the points of it: %(listed)s.") % {"listed": listed}


def _counting(formula: Formula) -> Iterator[str]:
    yield _("What counts: %(counts)s.") % {"counts": COUNTS[formula.counts]}
    if formula.games:
        yield _("Only evenings of %(game)s count.") % {"game": GAMES[formula.games]}
    if formula.counts == "places":
        values = {"places": ", ".join(map(str, formula.places)), "by": PLACES_BY[formula.places_by]}
        yield _("Points for the places of an evening, %(by)s: %(places)s.") % values
    if formula.attendance_bonus:
        points = format_count(formula.attendance_bonus, plus="+")
        yield _("Each evening played gives %(points)s points.") % {"points": points}
    if formula.counts not in (*AVERAGES, "net") and not formula.tournaments:
        yield _("Points of tournaments do not count.")


def dropping(formula: Formula) -> Iterator[str]:
    """Yield the sentences on the number of evenings that count."""
    if formula.best is not None and formula.best_of is not None:
        n = formula.best
        sentence = ngettext("The best of %(of)s evenings counts.", "The best %(n)s of %(of)s evenings count.", n)
        yield sentence % {"n": n, "of": formula.best_of}
    elif formula.best is not None:
        n = formula.best
        yield ngettext("The best evening counts.", "The best %(n)s evenings count.", n) % {"n": n}
    if formula.drop:
        n = formula.drop
        yield ngettext("The worst evening is dropped.", "The worst %(n)s evenings are dropped.", n) % {"n": n}
    if formula.drop_one_more_every is not None:
        every, least = formula.drop_one_more_every, formula.attendance_minimum
        sentence = ngettext(
            "Every evening beyond %(least)s drops one more.",
            "Every %(every)s evenings beyond %(least)s drop one more.",
            every,
        )
        yield sentence % {"every": every, "least": least}
    if formula.absences == "zero":
        yield _("A missed evening has 0 points.")
    if formula.hands_minimum_evening:
        n = formula.hands_minimum_evening
        yield ngettext("An evening counts from %(n)s hand on.", "An evening counts from %(n)s hands on.", n) % {"n": n}


def beyond_plan(formula: Formula, held: int) -> str:
    """Return a sentence if more evenings were held than the formula plans; else an empty text."""
    if formula.best is None or formula.best_of is None or held <= formula.best_of:
        return ""
    sentence = ngettext(
        "%(held)s evenings were played, %(planned)s were planned: the best of all of them counts.",
        "%(held)s evenings were played, %(planned)s were planned: the best %(n)s of all of them count.",
        formula.best,
    )
    return sentence % {"held": held, "planned": formula.best_of, "n": formula.best}


def _ranking(formula: Formula) -> Iterator[str]:
    if formula.attendance_minimum:
        n = formula.attendance_minimum
        yield ngettext("Ranked from %(n)s evening on.", "Ranked from %(n)s evenings on.", n) % {"n": n}
    if formula.hands_minimum:
        n = formula.hands_minimum
        yield ngettext("Ranked from %(n)s hand on.", "Ranked from %(n)s hands on.", n) % {"n": n}
    if not formula.guests:
        yield _("Guests are not ranked.")
    if formula.team_best is not None:
        yield team_sentence(formula)


def team_sentence(formula: Formula) -> str:
    """Return a sentence about the number of members of a team that count."""
    n = formula.team_best
    if n is None:
        return _("All members of a team count.")
    return ngettext("The best member of a team counts.", "The best %(n)s members of a team count.", n) % {"n": n}


def _equal(formula: Formula) -> Iterator[str]:
    if not formula.ties:
        yield _("Equal players share a rank.")
        return
    listed = ", ".join(str(TIES[tie]) for tie in formula.ties)
    yield _("Equal players are ordered by, in this order: %(ties)s.") % {"ties": listed}
    if formula.lot_seed and "lot" in formula.ties:
        sentence = _("Lots: the SHA-256 of “%(seed)s:” and the number of the player; the lowest comes first.")
        yield sentence % {"seed": formula.lot_seed}
