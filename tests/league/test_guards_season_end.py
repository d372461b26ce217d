"""The guards at the end of a season, and of merging players, that no other test looks for."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.closing.services import evening_close
from league.errors import Refused
from league.models import AuditEntry, Player, Season
from league.roster.merging import check, merge_preview, players_merge, players_unmerge
from league.standings import seasons
from league.standings.counting import count_season
from league.standings.formula import services
from league.standings.seasons import season_close
from tests.cast import House
from tests.factories import FAILED, MADE, PlayerFactory, SeasonFactory, create_table, enter
from tests.league.test_formula_counting import League
from tests.page_forms import form_with

pytestmark = [pytest.mark.rest, pytest.mark.django_db]

CLOSED = (409, "season_closed")


def refused(call: Any, **values: Any) -> tuple[int, str]:
    with pytest.raises(Refused) as caught:
        call(**values)
    return caught.value.status, caught.value.code


def address(house: House, season: Season, name: str = "season-close") -> str:
    return reverse(name, kwargs={"club": house.club.slug, "season": season.slug})


@pytest.fixture
def other(home: House) -> Season:
    """A second season of the club, with an open evening and an outstanding payment."""
    season = SeasonFactory(club=home.club, slug="other", starts_on=date(2025, 8, 1))
    settled = create_table(season=season, club=home.club, held_on=date(2025, 9, 1))
    enter(settled, FAILED)
    evening_close(evening=settled.evening, author=None, key=uuid.uuid4())
    enter(create_table(season=season, club=home.club, held_on=date(2025, 10, 1)), MADE)
    count_season(season.pk)
    return season


# --- The page that closes a season --------------------------------------------------------------------------------


def test_the_page_closes_its_own_season_and_lists_only_its_unfinished_matters(
    owner: Client, home: House, other: Season
) -> None:
    page = owner.get(address(home, home.season))
    assert page.status_code == 200
    assert page.context["unfinished"] == []
    blocks = [matter.blocks for matter in owner.get(address(home, other)).context["unfinished"]]
    assert sorted(blocks) == [False, False, True]
    assert form_with(page, "seen").submit(owner, "Close the season").status_code == 303
    assert list(Season.objects.filter(closed_at__isnull=False)) == [home.season]
    assert owner.get(address(home, home.season)).context["unfinished"] == []


def test_closing_lists_unplayed_evenings_and_outstanding_payments(owner: Client, home: House) -> None:
    table = create_table(season=home.season, club=home.club)
    enter(table, FAILED)
    evening_close(evening=table.evening, author=None, key=uuid.uuid4())
    count_season(home.season.pk)
    Season.objects.filter(pk=home.season.pk).update(planned_evenings=2)
    matters = owner.get(address(home, home.season)).context["unfinished"]
    assert "1 of 2 planned evenings were played." in [matter.sentence for matter in matters]
    (payments,) = (matter for matter in matters if "outstanding" in matter.sentence)
    assert (payments.changes, payments.blocks) == (False, False)
    Season.objects.filter(pk=home.season.pk).update(planned_evenings=1)
    matters = owner.get(address(home, home.season)).context["unfinished"]
    assert not [matter for matter in matters if "planned" in matter.sentence]


@pytest.mark.both_databases
@pytest.mark.parametrize("change", ["formula", "penalty"])
def test_a_formula_or_a_penalty_that_came_meanwhile_closes_nothing(owner: Client, home: House, change: str) -> None:
    services.formula_set(season=home.season, actor=None, values={"best": 2})
    form = form_with(owner.get(address(home, home.season)), "seen")
    if change == "formula":
        services.formula_set(season=home.season, actor=None, values={"best": 1})
    else:
        given: dict[str, Any] = {"player": PlayerFactory(club=home.club), "points": -1, "reason": "late"}
        services.adjustment_add(season=home.season, actor=None, **given)
    assert form.submit(owner, "Close it nevertheless").status_code == 409
    assert Season.objects.get(pk=home.season.pk).closed_at is None


def test_champions_are_shown_with_ranks_to_the_third_and_their_points(owner: Client, home: House) -> None:
    for record in (MADE, FAILED, FAILED):
        enter(create_table(season=home.season, club=home.club), record)
    Season.objects.filter(pk=home.season.pk).update(ends_on=timezone.localdate() - timedelta(days=1))
    services.formula_set(season=home.season, actor=None, values={"counts": "average_hand"})
    count_season(home.season.pk)
    season = Season.objects.get(pk=home.season.pk)
    (past,) = owner.get(reverse("club-champions", kwargs={"club": home.club.slug})).context["past"].seasons
    ranks = season.standings.values_list("rank", flat=True)
    assert max(ranks) > 3
    assert [rank for rank, _named in past.behind] == sorted(rank for rank in ranks if 1 < rank <= 3)
    assert past.evenings == 3
    podium = owner.get(address(home, season)).context["podium"]
    assert "." in podium[0].worth
    assert "." in podium[0].figure


# --- Changing a season -------------------------------------------------------------------------------------------


def test_a_season_is_added_and_changed_with_an_entry_in_the_log(home: House) -> None:
    added = seasons.season_add(club=home.club, actor=home.owner, values={"name": "X", "starts_on": date(2027, 1, 1)})
    assert AuditEntry.objects.get(about=f"season:{added.pk}").data == {"fields": [], "new": True}
    change = partial(seasons.season_change, season=added, actor=home.owner)
    change(changes={"name": "X"})
    assert AuditEntry.objects.filter(about=f"season:{added.pk}").count() == 1
    with pytest.raises(Refused) as caught:
        change(changes={"ends_on": date(2026, 1, 1)})
    assert (caught.value.status, caught.value.at) == (422, "ends_on")
    # One day, and a ranking by amounts, are allowed.
    change(changes={"ends_on": date(2027, 1, 1), "ranking": Season.Ranking.BALANCE})
    change(changes={"points_only": True, "ranking": Season.Ranking.POINTS, "ends_on": date(2027, 5, 1)})


def test_a_season_with_evenings_stays_in_amounts_or_in_points(home: House) -> None:
    change = partial(seasons.season_change, season=home.season, actor=None, changes={"points_only": True})
    enter(create_table(season=home.season, club=home.club), MADE)
    assert refused(change) == (409, "points_only")
    assert not Season.objects.get(pk=home.season.pk).points_only


# --- Merging -----------------------------------------------------------------------------------------------------


def test_two_players_are_separated_in_no_closed_season() -> None:
    league = League()
    twin = PlayerFactory(club=league.season.club)
    arguments: dict[str, Any] = {"club": league.season.club, "reason": "x", "actor": None}
    assert refused(players_unmerge, player=twin, **arguments) == (409, "apart")
    played = create_table(season=league.season, players=[twin, *league.players[1:]], held_on=date(2026, 11, 2))
    enter(played, MADE)
    league.tables.append(played)
    players_merge(player=twin, main=league.players[0], **arguments)
    league.count()
    league.close_evenings()
    season_close(season=league.season, actor=None)
    league.count()
    assert refused(players_unmerge, player=twin, **arguments) == CLOSED
    assert Player.objects.get(pk=twin.pk).main == league.players[0]


def test_a_player_with_a_handicap_in_a_closed_season_stays_one_person() -> None:
    league = League()
    twin = PlayerFactory(club=league.season.club)
    league.set(handicap={str(twin.pk): 3})
    league.close_evenings()
    merge = partial(players_merge, club=league.season.club, player=twin, reason="x", actor=None)
    season_close(season=league.season, actor=None)
    assert refused(merge, main=league.players[0]) == CLOSED
    # A closed season without the player, or one of another club, prevents nothing.
    assert merge(player=PlayerFactory(club=league.season.club), main=league.players[0])


def test_a_forgotten_player_is_not_merged() -> None:
    anna = PlayerFactory()
    gone = PlayerFactory(club=anna.club, anonymised_at=timezone.now())
    for pair in ((anna, gone), (gone, anna)):
        assert refused(partial(check, *pair)) == (409, "merge")


def test_the_preview_of_a_merge_has_no_amount_of_a_season_in_points_only() -> None:
    season = SeasonFactory(points_only=True)
    anna, beni, carlo = (PlayerFactory(club=season.club, nickname=name) for name in ("Anna", "Beni", "Carlo"))
    twin = PlayerFactory(club=season.club, nickname="Twin")
    enter(create_table(season=season, players=[anna, beni, carlo]), FAILED | {"joiners": [1], "made": [1]})
    enter(create_table(season=season, players=[twin, beni, carlo]), FAILED | {"joiners": [1], "made": [1]})
    preview = merge_preview(club=season.club, player=twin, main=anna)
    (changed,) = preview.seasons
    shown = [line.balance_minor for change in changed.changes for line in (change.before, change.after) if line]
    assert shown
    assert set(shown) == {None}
    assert (preview.player_minor, preview.main_minor) == (0, 0)
