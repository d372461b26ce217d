"""The tables of a season's statistics in the reader's words: each row a share with its band."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .. import played_games
from ..intervals import Share, extremes
from ..web.game_terms import Terms
from . import decisions
from .bands import Band, band, few_hands
from .decisions import LAST, Row
from .selectors import Count

DECLARES, DECLARES_MADE, JOINS, JOINS_MADE = "declares", "declares_made", "joins", "joins_made"
BLIND = "blind"
KEYS = (DECLARES, DECLARES_MADE, JOINS, JOINS_MADE, BLIND)
"""What is counted, as programs read it."""


@dataclass(frozen=True)
class StatisticsRow:
    """A row of a table: its subject, the share with its band, and that of everybody beside a chosen player's."""

    label: str
    band: Band
    value: int
    share: Share
    beside: Share | None


@dataclass(frozen=True)
class Measure:
    """A table: its subject, its rows, and the significant differences. `key` names it for programs."""

    key: str
    title: str
    lines: Sequence[StatisticsRow]
    says: str

    @property
    def known(self) -> list[StatisticsRow]:
        """The rows with enough hands for a share."""
        return [line for line in self.lines if line.band.known]

    @property
    def few(self) -> str:
        """A sentence with the other rows."""
        return few_hands((line.label, line.band) for line in self.lines)


@dataclass(frozen=True)
class Part:
    """The tables about one part of the situation."""

    key: str
    title: str
    note: str
    measures: Sequence[Measure]


def parts(counts: Sequence[Count], terms: Terms, *, chosen: bool) -> list[Part]:
    """Return the tables of a season, of everybody or of the chosen player beside everybody; without those without a
    hand."""
    all_parts = [_by_seat(counts, terms, chosen), _by_pot(counts, terms, chosen), _by_joiners(counts, terms, chosen)]
    all_parts.append(_by_blind(counts, terms, chosen))
    return [part for part in all_parts if part.measures]


def known_first(parts: Sequence[Part]) -> list[Part]:
    """Return the parts, and the tables of each, with those first that have a share to show."""
    ordered = [replace(part, measures=sorted(part.measures, key=lambda measure: not measure.known)) for part in parts]
    return sorted(ordered, key=lambda part: not part.measures[0].known)


def _by_seat(counts: Sequence[Count], terms: Terms, chosen: bool) -> Part:
    def measure(key: str, title: str, tried: decisions.Test, succeeded: decisions.Test) -> Measure:
        rows = decisions.by(counts, decisions.seat_of, tried, succeeded, chosen=chosen)
        return _measure(key, title, rows, seat_name)

    return Part(
        "seat",
        _("By seat after the dealer"),
        _("The dealer is asked last. Only hands of %(counted)s: in %(others)s the cuts decide who deals.")
        % _by_dealer(),
        _with_rows(
            measure(DECLARES, _how_often(terms.declares), decisions.any_hand, decisions.declares),
            measure(DECLARES_MADE, _makes(terms.declares), decisions.declares_contested, decisions.makes_it),
            measure(JOINS, _how_often(terms.joins), decisions.may_join, decisions.joins),
            measure(JOINS_MADE, _makes(terms.joins), decisions.joins_contested, decisions.makes_it),
        ),
    )


def _by_pot(counts: Sequence[Count], terms: Terms, chosen: bool) -> Part:
    def measure(key: str, title: str, tried: decisions.Test, succeeded: decisions.Test) -> Measure:
        return _measure(key, title, decisions.by(counts, decisions.pot_of, tried, succeeded, chosen=chosen), pot_name)

    return Part(
        "pot",
        _("By size of the pot"),
        _pot_note(terms),
        _with_rows(
            measure(DECLARES, _if_free(terms.declares), decisions.free_to_declare, decisions.declares),
            measure(JOINS, _how_often(terms.joins), decisions.may_join, decisions.joins),
            measure(DECLARES_MADE, _makes(terms.declares), decisions.declares_contested, decisions.makes_it),
            measure(JOINS_MADE, _makes(terms.joins), decisions.joins_contested, decisions.makes_it),
        ),
    )


def _by_dealer() -> dict[str, str]:
    """Return the games in which facts of dealers count, and the others."""
    games = played_games.GAMES.values()
    return {
        "counted": played_games.in_words(game.title for game in games if game.dealer_is_counted),
        "others": played_games.in_words(game.title for game in games if not game.dealer_is_counted),
    }


def _pot_note(terms: Terms) -> str:
    if not terms.has_declarer:
        return _("The pot that is played for, in antes of the house rules of that evening.")
    return (
        _(
            "The pot that is played for, in antes of the house rules of that evening. Who is asked when is known for"
            " %(counted)s alone."
        )
        % _by_dealer()
    )


def _tricks_note(terms: Terms) -> str:
    if terms.tricks == 4:
        return _("Four tricks for all who play: the more join, the fewer reach their goal.")
    if terms.tricks == 3:
        return _("Three tricks for all who play: the more play, the fewer reach their goal.")
    return _("Few tricks for all who play: the more join, the fewer reach their goal.")


def _by_joiners(counts: Sequence[Count], terms: Terms, chosen: bool) -> Part:
    def measure(key: str, title: str, tried: decisions.Test) -> Measure:
        rows = decisions.by(counts, decisions.joiners_of, tried, decisions.makes_it, chosen=chosen)
        return _measure(key, title, rows, joiners_name)

    return Part(
        "joiners",
        _("By number of joiners"),
        _tricks_note(terms),
        _with_rows(
            measure(DECLARES_MADE, _makes(terms.declares), decisions.declares_contested),
            measure(JOINS_MADE, _makes(terms.joins), decisions.joins_contested),
        ),
    )


def _by_blind(counts: Sequence[Count], terms: Terms, chosen: bool) -> Part:
    made = decisions.by(counts, decisions.blind_of, decisions.declares_contested, decisions.makes_it, chosen=chosen)
    if not any(count.situation.blind for count in counts):
        return Part("blind", _("Blind or not"), "", [])
    chosen_blind = decisions.by(counts, lambda _count: LAST, decisions.deals, decisions.declares_blind, chosen=chosen)
    return Part(
        "blind",
        _("Blind or not"),
        _("The dealer alone may declare blind: the share is of the hands that were dealt."),
        _with_rows(
            _measure(BLIND, _("Blind: how often it is chosen"), chosen_blind, seat_name),
            _measure(DECLARES_MADE, _makes(terms.declares), made, _blind_name),
        ),
    )


def _blind_name(value: int) -> str:
    return _("blind") if value else _("with a look at the cards")


def _with_rows(*measures: Measure) -> list[Measure]:
    return [measure for measure in measures if measure.lines]


def _how_often(term: object) -> str:
    return _("%(term)s: how often") % {"term": term}


def _if_free(term: object) -> str:
    return _("%(term)s: how often, if nobody did before") % {"term": term}


def _makes(term: object) -> str:
    return _("%(term)s: how often it is made") % {"term": term}


def _measure(key: str, title: str, rows: Sequence[Row], name: Callable[[int], str]) -> Measure:
    rows = [row for row in rows if row.own is None or row.own.of]
    shares = [row.share if row.own is None else row.own for row in rows]
    others = [None if row.own is None else row.share for row in rows]
    lines = [
        StatisticsRow(name(row.value), band(share, beside), row.value, share, beside)
        for row, share, beside in zip(rows, shares, others, strict=True)
    ]
    return Measure(key, title, lines, _says(shares, [line.label for line in lines]))


def _says(shares: Sequence[Share], labels: Sequence[str]) -> str:
    """Return a sentence with the rows that differ by more than chance explains; empty for a single row."""
    if len(shares) < 2:
        return ""
    ends = extremes(shares)
    if ends is None:
        return _("Too few hands to say that one is more than another.")
    high, low = ends
    return _("More often: %(high)s. Less often: %(low)s.") % {"high": labels[high], "low": labels[low]}


def seat_name(value: int) -> str:
    """Return the name of a seat after the dealer."""
    if value == LAST:
        return _("the dealer")
    return ngettext("%(n)s seat after the dealer", "%(n)s seats after the dealer", value) % {"n": value}


def pot_name(value: int) -> str:
    """Return the name of a class of pots."""
    low, high = decisions.pot_limits(value)
    if low is None:
        return _("under %(high)s antes") % {"high": high}
    if high is None:
        return _("%(low)s antes and more") % {"low": low}
    return _("%(low)s to under %(high)s antes") % {"low": low, "high": high}


def joiners_name(value: int) -> str:
    """Return the name of a number of joiners."""
    return ngettext("%(n)s joiner", "%(n)s joiners", value) % {"n": value}
