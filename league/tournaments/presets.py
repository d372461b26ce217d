"""Formats to start from, as clubs play them. Each one can be changed part by part afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from .formats import Format

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, slots=True)
class Preset:
    """A format with a name: `code` identifies it in forms, `explained` has two sentences on its use and its rules,
    `game` is the code of the game."""

    code: str
    name: _StrPromise
    explained: _StrPromise
    game: str
    format: Format


PRESETS: dict[str, Preset] = {
    preset.code: preset
    for preset in (
        Preset(
            "evening",
            _("One evening"),
            _(
                "Four rounds of twelve hands at tables of four, drawn by lot before each round. The worst round does "
                "not count, and of equals the one with the best single round is ahead."
            ),
            "chratze",
            Format(rounds=4, hands=12, mode="random", drop_worst=1, tie_breaks=("best_round", "lot")),
        ),
        Preset(
            "day",
            _("A day with a final"),
            _(
                "Six rounds with as few repeated meetings as possible, then the best four play a final that starts at "
                "zero. The last round stays hidden until the prize giving."
            ),
            "chratze",
            Format(
                rounds=6,
                hands=12,
                mode="balanced",
                drop_worst=1,
                tie_breaks=("best_round", "rounds_won", "direct", "lot"),
                final_places=4,
                final_hands=16,
                hide_last=True,
                break_minutes=15,
            ),
        ),
        Preset(
            "pairs",
            _("Teams of two"),
            _(
                "Two people are a team: each plays alone, at another table than the partner where that is possible, "
                "and the sum of both counts. Four rounds of twelve hands, and all of them count."
            ),
            "chratze",
            Format(rounds=4, hands=12, mode="balanced", team_size=2, tie_breaks=("best_round", "rounds_won", "lot")),
        ),
        Preset(
            "clock",
            _("By the clock"),
            _(
                "Four rounds of thirty minutes: all tables begin and end together, however fast they play. A round is "
                "worth the placing at the table, so that more hands do not mean more points."
            ),
            "chratze",
            Format(
                rounds=4,
                hands=0,
                minutes=30,
                mode="balanced",
                result="placing",
                tie_breaks=("rounds_won", "direct", "lot"),
            ),
        ),
        Preset(
            "kratzen",
            _("Kratzen"),
            _(
                "Four rounds of twelve hands of Kratzen at tables of four, drawn by lot before each round. The worst "
                "round does not count, and of equals the one with the most goals made is ahead."
            ),
            "kratzen",
            Format(rounds=4, hands=12, mode="random", drop_worst=1, tie_breaks=("made", "missed", "best_round", "lot")),
        ),
        Preset(
            "zwicken",
            _("Zwicken"),
            _(
                "Four rounds of twelve hands of Zwicken at tables of four, drawn by lot before each round. The worst "
                "round does not count, and of equals the one with the best single round is ahead."
            ),
            "zwicken",
            Format(rounds=4, hands=12, mode="random", drop_worst=1, tie_breaks=("best_round", "lot")),
        ),
        Preset(
            "small",
            _("Eight people, two tables"),
            _(
                "Five short rounds of eight hands at two tables of four, mixed so that everybody meets everybody. All "
                "rounds count, and of equals the one who was ahead at the same tables wins."
            ),
            "chratze",
            Format(
                rounds=5,
                hands=8,
                mode="balanced",
                tie_breaks=("direct", "best_round", "lot"),
                break_minutes=5,
            ),
        ),
    )
}
"""By code, in the order of the page that offers them."""
