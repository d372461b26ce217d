"""The guards of formulas, penalties and the page of a sum that no other test looks for."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from league.errors import Refused
from league.models import AuditEntry, Player, Season, SeasonAdjustment, SeasonFormula, Standing
from league.roster.services import player_change
from league.standings.counting import count_season
from league.standings.formula import services, team_services
from league.standings.seasons import season_close, season_reopen
from tests.cast import Cast
from tests.clients import reader
from tests.factories import FAILED, MADE, PlayerFactory, SeasonFactory, create_table, enter
from tests.league.test_formula_counting import League
from tests.page_forms import page_forms

pytestmark = [pytest.mark.rest, pytest.mark.django_db]


def refused(call: Any, **values: Any) -> tuple[int, str]:
    with pytest.raises(Refused) as caught:
        call(**values)
    return caught.value.status, caught.value.at


def logged(season: Season) -> list[str]:
    entries = AuditEntry.objects.filter(about=f"season:{season.pk}").order_by("pk")
    return [entry.data["did"] for entry in entries if "did" in entry.data]


# --- Services ------------------------------------------------------------------------------------------------------


def test_a_season_is_counted_by_its_own_formula_penalties_and_teams() -> None:
    """Another season of the club, with all of these, changes nothing."""
    league = League(best=2)
    team = team_services.team_add(season=league.season, name="Acorns", actor=None)
    anna = league.players[0]
    put = partial(team_services.stay_set, player=anna, since=date(2026, 9, 1), actor=None)
    put(season=league.season, team=team)
    league.count()
    before = league.standings()
    other = SeasonFactory(club=league.season.club, starts_on=date(2026, 8, 1))
    enter(create_table(season=other, players=league.players, held_on=date(2026, 10, 6)), FAILED)
    services.formula_set(season=other, actor=None, values={"counts": "average_hand"})
    services.adjustment_add(season=other, player=anna, points=-50, reason="x", actor=None)
    put(season=other, team=team_services.team_add(season=other, name="Acorns", actor=None), since=date(2026, 8, 1))
    count_season(other.pk)
    PlayerFactory(guest=True)
    league.set(best=2, guests=False)
    league.count()
    assert league.standings() == before
    assert league.wrong() == []
    assert set(SeasonFormula.objects.values_list("season", "version")) == {
        *((league.season.pk, 1), (league.season.pk, 2), (other.pk, 1)),
    }


def test_a_season_in_points_only_takes_a_formula_of_points() -> None:
    season = SeasonFactory(points_only=True)
    for version, values in enumerate(({"best": 2}, {"counts": "places", "places": [1]}), start=1):
        assert services.formula_set(season=season, actor=None, values=values).formula_version == version


def test_a_handicap_is_for_players_of_the_club() -> None:
    season, stranger = SeasonFactory(), PlayerFactory()
    store = partial(services.formula_set, season=season, actor=None)
    assert refused(store, values={"handicap": {str(stranger.pk): 1}}) == (422, "handicap")
    store(values={"handicap": {str(PlayerFactory(club=season.club).pk): 1}})


def test_removing_a_missing_formula_stores_nothing() -> None:
    season = SeasonFactory()
    services.formula_set(season=season, actor=None, values=None)
    assert logged(season) == []
    given = {"season": season, "actor": None}
    season_reopen(reason="x", **given)
    assert logged(season) == []


def test_closing_a_closed_season_again_changes_nothing() -> None:
    season = SeasonFactory()
    own = PlayerFactory(club=season.club, guest=True)
    PlayerFactory(guest=True)
    first = season_close(season=season, actor=None)
    assert first.final_guests == [own.pk]
    PlayerFactory(club=season.club, guest=True)
    again = season_close(season=season, actor=None)
    assert (again.closed_at, again.final_guests, logged(season)) == (first.closed_at, [own.pk], ["season_closed"])
    assert season_reopen(season=season, actor=None, reason="x").final_guests is None


def test_a_penalty_has_bounds_a_printable_reason_and_a_player_of_the_club() -> None:
    season = SeasonFactory()
    services.formula_set(season=season, actor=None, values={"best": 2})
    player = PlayerFactory(club=season.club)
    give = partial(services.adjustment_add, season=season, actor=None)
    assert refused(give, player=player, points=1, reason="a\nb") == (422, "reason")
    assert refused(give, player=PlayerFactory(), points=1, reason="x") == (422, "player")
    given = give(player=player, points=-1000, reason="x" * 200)
    undone = services.adjustment_undo(adjustment=given, actor=None)
    assert services.adjustment_undo(adjustment=given, actor=None).undone_at == undone.undone_at
    assert logged(season) == ["formula", "adjusted", "adjustment_undone"]


def test_a_new_guest_marks_the_open_seasons_of_the_own_club() -> None:
    own, other = SeasonFactory(), SeasonFactory()
    closed, plain = SeasonFactory(club=own.club), SeasonFactory(club=own.club)
    for season in (own, other, closed):
        services.formula_set(season=season, actor=None, values={"guests": False})
    season_close(season=closed, actor=None)
    marks = {season: Season.objects.get(pk=season.pk).ledger_mark for season in (own, other, closed, plain)}
    player_change(player=PlayerFactory(club=own.club), actor=None, changes={"guest": True})
    raised = [season for season, mark in marks.items() if Season.objects.get(pk=season.pk).ledger_mark != mark]
    assert raised == [own]


# --- Pages ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def season(people: Cast) -> Season:
    """A season of one evening with a formula; nobody agreed to be named."""
    home_season = people.home.season
    table = create_table(club=people.home.club, season=home_season)
    for record in (MADE, FAILED, MADE):
        enter(table, record)
    services.formula_set(season=home_season, actor=None, values={"best": 2, "ties": ["hands", "lot"], "lot_seed": "77"})
    count_season(home_season.pk)
    Player.objects.filter(club=home_season.club).update(publicity=Player.Publicity.INITIALS)
    home_season.refresh_from_db()
    return home_season


def at(name: str, season: Season, **names: Any) -> str:
    return reverse(name, kwargs={"club": season.club.slug, "season": season.slug, **names})


def sent_by(owner: Client, url: str) -> dict[str, str]:
    forms = page_forms(owner.get(url))
    form = next(
        page_form for page_form in forms if any(each.attributes.get("value") == "look" for each in page_form.buttons)
    )
    return {control.name: control.value for control in form.controls if control.sent}


def store(owner: Client, url: str, sent: dict[str, str]) -> HttpResponse:
    """Look at the preview, then store it, as the page does."""
    shown = owner.post(url, sent | {"do": "look"}).context["shown"]
    return owner.post(url, sent | {"do": "store", "previewed": shown})


def test_a_preview_stores_nothing_and_names_only_who_played(owner: Client, people: Cast, season: Season) -> None:
    elsewhere = create_table(season=SeasonFactory(club=season.club), players=None, seats=6)
    enter(elsewhere, MADE)
    count_season(elsewhere.evening.season_id)
    url = at("season-formula", season)
    stored = list(Standing.objects.filter(season=season).values())
    looked = owner.post(url, sent_by(owner, url) | {"counts": "average_hand", "do": "look"})
    assert looked.status_code == 200
    assert len(looked.context["change"].moves) == 5
    assert (looked.context["chosen"], looked.context["stored"].version) == ("", 1)
    fresh = Season.objects.get(pk=season.pk)
    assert (fresh.ledger_mark, fresh.formula_version) == (season.ledger_mark, 1)
    assert list(Standing.objects.filter(season=season).values()) == stored


def test_an_unfit_formula_is_explained_before_storing(owner: Client, people: Cast) -> None:
    season = SeasonFactory(club=people.home.club, points_only=True)
    url = at("season-formula", season)
    sent = sent_by(owner, url)
    answer = owner.post(url, sent | {"counts": "net", "do": "look"})
    assert (answer.status_code, b"points only" in answer.content) == (422, True)
    # A version that is no number is no version: the page does not fall over it.
    assert store(owner, url, sent | {"follows": "x"}).status_code == 303
    assert owner.post(url, {"do": "remove"}).status_code == 303
    assert Season.objects.get(pk=season.pk).formula_version is None


def test_lots_keep_their_number_and_a_formula_without_lots_has_none(owner: Client, season: Season) -> None:
    url = at("season-formula", season)
    sent = sent_by(owner, url)
    assert sent["lot_seed"] == "77"
    assert store(owner, url, sent | {"drop": "1"}).status_code == 303
    assert SeasonFormula.objects.get(season=season, version=2).values["lot_seed"] == "77"
    sent = sent_by(owner, url)
    assert store(owner, url, sent | {"tie_2": ""}).status_code == 303
    assert SeasonFormula.objects.get(season=season, version=3).values["lot_seed"] == ""
    refusal = owner.post(url, sent_by(owner, url) | {"tie_1": "lot", "tie_2": "hands", "lot_seed": "1", "do": "look"})
    assert "tie_1" in refusal.context["form"].errors


def test_penalties_are_given_to_players_of_the_club_who_count_for_nobody_else(owner: Client, season: Season) -> None:
    url = at("season-adjustments", season)
    anna = Player.objects.get(club=season.club, nickname="Anna")
    merged = PlayerFactory(club=season.club, main=anna)
    sent = {"do": "look", "points": "-2", "reason": "came late"}
    page = owner.get(url)
    assert (page.status_code, page.context["form"].is_bound) == (200, False)
    for player in (merged, PlayerFactory()):
        assert owner.post(url, sent | {"player": player.pk}).status_code == 422
    assert owner.post(url, sent | {"do": "nothing", "player": anna.pk}).status_code == 200
    assert not SeasonAdjustment.objects.exists()
    for wrong in ("x", "-1", ""):
        assert owner.post(url, {"do": "undo", "adjustment": wrong}).status_code == 404


def test_the_page_of_a_sum_shows_a_public_name_and_the_evenings_of_this_season(owner: Client, season: Season) -> None:
    anna = Player.objects.get(club=season.club, nickname="Anna")
    other = SeasonFactory(club=season.club)
    services.formula_set(season=other, actor=None, values={"best": 2})
    give = partial(services.adjustment_add, player=anna, actor=None)
    give(season=other, points=-7, reason="elsewhere")
    services.adjustment_undo(adjustment=give(season=season, points=-6, reason="taken back"), actor=None)
    give(season=season, points=-5, reason="late")
    url = at("season-sum", season, player=anna.pk)
    page = owner.get(url)
    assert [extra.title for extra in page.context["sum"].extras] == ["late"]
    assert (page.context["name"], page.context["unit"]) == ("Anna", "")
    visitor = reader().get(url)
    assert "Anna" not in visitor.content.decode()
    assert owner.get(at("season-sum", season, player=PlayerFactory().pk)).status_code == 404
    assert owner.get(at("season-sum", season, player=10**8)).status_code == 404


def test_a_sum_of_amounts_has_no_amount_for_a_visitor(owner: Client, season: Season) -> None:
    services.formula_set(season=season, actor=None, values={"counts": "net"})
    count_season(season.pk)
    url = at("season-sum", season, player=Player.objects.get(club=season.club, nickname="Anna").pk)
    shown = reader().get(url).context["sum"]
    assert (shown.total, {row.worth for row in shown.rows}) == ("", {""})
    seen = owner.get(url).context
    assert seen["sum"].total
    assert seen["unit"]
    assert all(row.worth for row in seen["sum"].rows)
