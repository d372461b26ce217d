"""The formulas of the speed table have every kind of part, so that its rows hold with each of them."""

from __future__ import annotations

from typing import Any

import pytest

from bench.formulas import FORMULAS, TEAMS, ranked
from games.integrity import verify
from league.models import SeasonAdjustment, TeamShare, TeamStanding
from league.standings.counting import count_season
from league.standings.formula.inputs import formula_of
from league.standings.formula.parts import TIES, write
from tests.cast import House
from tests.factories import MADE, create_table, enter
from tests.promises.formula_traits import TRAITS, Trait, traits_of

pytestmark = pytest.mark.django_db

CHEAP: set[Trait] = {("guests", True), ("tournaments", True), ("games", "kratzen"), ("games", "zwicken")}
"""The same work as their opposites, or less."""


def with_persons(home: House, values: dict[str, Any]) -> set[Trait]:
    """Return the traits of a formula of the table as a season has it."""
    season = ranked(home.season, values)
    assert count_season(season.pk)
    formula = formula_of(season)
    assert formula is not None
    return traits_of(write(formula))


def test_every_kind_of_part_is_measured(home):
    enter(create_table(club=home.club, season=home.season), MADE)
    count_season(home.season.pk)
    trait_sets = [with_persons(home, values) for values in FORMULAS.values()]
    assert set(TRAITS) - set().union(*trait_sets) == CHEAP
    assert all(("ties", tie) in traits for traits in trait_sets for tie in TIES)
    assert TeamStanding.objects.filter(season=home.season).count() == len(TEAMS)
    assert TeamShare.objects.filter(season=home.season).exists()
    assert {adjustment.points > 0 for adjustment in SeasonAdjustment.objects.all()} == {True, False}
    (part,) = (part for part in verify.parts([home.season]) if part.kind == verify.SEASON)
    assert verify.check(part) == []
