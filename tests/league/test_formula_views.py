"""The pages of a season's formula, of penalties and bonuses, and of a player's sum."""

from __future__ import annotations

import hashlib
import re
import uuid
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from games.closing.services import evening_close
from league.club_admin import input_previews
from league.errors import Refused
from league.models import Player, Season, SeasonAdjustment, SeasonFormula, Standing
from league.standings import counting
from league.standings.formula import services
from league.standings.formula.explanation import lines_of
from league.standings.formula.inputs import formula_of
from league.standings.seasons import season_change, season_close
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.api.test_frame_behaviour import walk
from tests.factories import FAILED, MADE, PlayerFactory, SeasonFactory, create_table, enter
from tests.page_forms import page_forms

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(people) -> Season:
    """A season of two evenings; Anna wins the first one and loses the second."""
    season = people.home.season
    for records in ((MADE, MADE), (FAILED,)):
        table = create_table(club=people.home.club, season=season)
        for record in records:
            enter(table, record)
    counting.count_season(season.pk)
    return season


def at(name, season, **names):
    return reverse(name, kwargs={"club": season.club.slug, "season": season.slug, **names})


def anna(season) -> Player:
    return Player.objects.get(club=season.club, nickname="Anna")


def the_form(client, url, button):
    forms = page_forms(client.get(url))
    return next(
        page_form for page_form in forms if any(each.attributes.get("value") == button for each in page_form.buttons)
    )


def looked_at(client, url, sent):
    """Look at the preview of these fields; return the fields that the page sends to store it."""
    looked = client.post(url, sent | {"do": "look"})
    return sent | {"do": "store", "previewed": looked.context["shown"]}


def test_a_preset_is_previewed_and_then_stored(owner, season):
    url = at("season-formula", season)
    form = the_form(owner, f"{url}?preset=places", "look")
    form.fill("places", "5 3 1")
    sent = {control.name: control.value for control in form.controls if control.sent}
    looked = owner.post(url, sent | {"do": "look"})
    assert b"Store this formula" in looked.content
    assert b"What would change" in looked.content
    assert not SeasonFormula.objects.exists()
    assert owner.post(url, looked_at(owner, url, sent)).status_code == 303
    stored = SeasonFormula.objects.get()
    assert (stored.values["places"], stored.values["counts"], stored.version) == ([5, 3, 1], "places", 1)
    counting.count_season(season.pk)
    assert set(Standing.objects.values_list("points", flat=True)) <= {0, 1, 2, 3, 5, 6, 8}
    # A form of the page before is out of date.
    assert b"meanwhile" in owner.post(url, looked_at(owner, url, sent | {"drop": "1"})).content


def test_only_the_previewed_values_are_stored(owner, season):
    url = at("season-formula", season)
    sent = {control.name: control.value for control in the_form(owner, url, "look").controls if control.sent}
    previewed = looked_at(owner, url, sent | {"drop": "1"})
    changed = owner.post(url, previewed | {"drop": "2"})
    assert changed.status_code == 422
    assert b"The fields have changed since the preview" in changed.content
    assert b"worst evenings dropped: 2 instead of 0" in changed.content
    # Without a preview nothing is stored either, and nothing is said about one.
    unseen = owner.post(url, sent | {"drop": "1", "do": "store"})
    assert (unseen.status_code, unseen.context["differs"]) == (200, False)
    assert not SeasonFormula.objects.exists()
    assert owner.post(url, previewed).status_code == 303


def test_enter_in_a_field_shows_the_preview(owner, season):
    url = at("season-formula", season)
    sent = {control.name: control.value for control in the_form(owner, url, "look").controls if control.sent}
    form = next(
        page_form for page_form in page_forms(owner.post(url, sent | {"do": "look"})) if len(page_form.buttons) == 2
    )
    # A browser takes the first button.
    assert [button.attributes.get("value") for button in form.buttons] == ["look", "store"]


def test_a_script_gets_the_preview_alone(owner, season):
    url = at("season-formula", season)
    sent = {control.name: control.value for control in the_form(owner, url, "look").controls if control.sent} | {
        "do": "look"
    }
    answer = owner.post(url, sent | {"drop": "1"}, headers={"HX-Request": "true"})
    assert answer.content.strip().startswith(b"<section")
    wrong = owner.post(url, sent | {"tie_1": "hands", "tie_2": "hands"}, headers={"HX-Request": "true"})
    assert (wrong.status_code, b"in the list once" in wrong.content) == (200, True)
    assert b"data-store" not in wrong.content


def test_a_season_can_begin_with_the_formula_of_another_one(owner, season, people):
    """With lots of its own; a season in points only gets none by amounts, and no season one of another club."""
    drawn = {"best": 3, "ties": ["evenings", "lot"], "lot_seed": "4711"}
    services.formula_set(season=season, actor=None, values=drawn)
    by_amounts, later = (
        SeasonFactory(club=season.club, starts_on=date(year, 10, 1), ends_on=date(year + 1, 9, 30))
        for year in (2030, 2031)
    )
    services.formula_set(season=by_amounts, actor=None, values={"counts": "net"})
    services.formula_set(season=people.away.season, actor=None, values={"drop": 5})
    url = at("season-formula", later)
    assert [choice.season for choice in owner.get(url).context["others"]] == [by_amounts, season]
    page = owner.get(url, {"of": season.slug})
    sent = {
        control.name: control.value
        for control in the_form(owner, f"{url}?of={season.slug}", "look").controls
        if control.sent
    }
    assert (sent["best"], sent["tie_1"], sent["tie_2"]) == ("3", "evenings", "lot")
    assert page.context["change"].formula.lot_seed not in ("", "4711")
    assert owner.post(url, looked_at(owner, url, sent)).status_code == 303
    assert SeasonFormula.objects.get(season=later).values["best"] == 3
    Season.objects.filter(pk=later.pk).update(points_only=True, ranking="points")
    assert [choice.season for choice in owner.get(url).context["others"]] == [season]
    foreign = owner.get(url, {"of": people.away.season.slug})
    assert foreign.context["form"].initial["drop"] == 0


def test_a_new_season_begins_with_the_own_settings_of_the_newest(owner, season):
    season_change(season=season, actor=None, changes={"best_evenings": 4, "planned_evenings": 9})
    services.formula_set(season=season, actor=None, values={"counts": "net", "best": 8, "best_of": 12})
    initial = owner.get(reverse("season-new", kwargs={"club": season.club.slug})).context["form"].initial
    assert (initial["ranking"], initial["best_evenings"], initial["planned_evenings"]) == ("points", 4, 9)


def test_ranking_without_a_formula_is_previewed_and_stored(owner, season):
    services.formula_set(season=season, actor=None, values={"counts": "places", "places": [5, 3]})
    services.adjustment_add(season=season, player=anna(season), points=-50, reason="late", actor=None)
    counting.count_season(season.pk)
    url = at("season-formula", season)
    looked = owner.get(f"{url}?without=1")
    assert b"Penalties and bonuses do not count" in looked.content
    move = next(candidate for candidate in looked.context["change"].moves if candidate.nickname == "Anna")
    assert "penalties and bonuses 0 instead of \u221250" in move.why
    form = next(page_form for page_form in page_forms(looked) if len(page_form.buttons) == 2)
    assert [button.attributes.get("value") for button in form.buttons] == ["look", "remove"]
    # A page of another version removes nothing.
    owner.post(url, {"do": "remove", "follows": "7"})
    assert Season.objects.get(pk=season.pk).formula_version == 1
    assert owner.post(url, {"do": "remove", "follows": "1"}).status_code == 303
    counting.count_season(season.pk)
    standing = Standing.objects.get(season=season, player=anna(season))
    assert (standing.rank, str(standing.points)) == (move.rank_then, move.value_then)


def test_a_wrong_value_is_named_at_its_field(owner, season):
    url = at("season-formula", season)
    sent = {control.name: control.value for control in the_form(owner, url, "look").controls if control.sent}
    for wrong, sentence in (
        ({"counts": "places"}, b"belong to a formula that counts the places"),
        ({"counts": "places", "places": "a b"}, b"whole numbers with spaces"),
        ({"tie_1": "hands", "tie_2": "hands"}, b"in the list once"),
        ({"counts": "average_hand", "absences": "zero"}, b"has no hands"),
        ({"best": "0"}, b"errorlist"),
    ):
        answer = owner.post(url, sent | wrong | {"do": "look"})
        assert (answer.status_code, sentence in answer.content) == (422, True), wrong


def close_evenings(season) -> None:
    for evening in season.evenings.all():
        evening_close(evening=evening, author=None, key=uuid.uuid4())


def test_the_formula_of_a_closed_season_cannot_be_changed(owner, season):
    url = at("season-formula", season)
    assert b"Show what would change" in owner.get(url).content
    close_evenings(season)
    season_close(season=season, actor=None)
    page = owner.get(url).content
    assert b"Show what would change" not in page
    assert at("season-close", season).encode() in page


def test_the_page_of_a_season_has_each_ranking_rule_with_its_present_value(owner, season):
    def values() -> dict[str, str]:
        links = re.findall(r'href="([^"]+)"><b>.*?</b> <span class="soft num">(.*?)</span>', edit())
        return {address.rstrip("/").rpartition("/")[2]: value for address, value in links}

    def edit() -> str:
        return owner.get(at("season-edit", season)).content.decode()

    first = {"formula": "by points", "adjustments": "none", "teams": "none", "close": "still open"}
    assert values() == first
    services.formula_set(season=season, actor=None, values={"best": 1})
    assert values() == first | {"formula": "version 1"}
    close_evenings(season)
    season_close(season=season, actor=None)
    assert values()["close"].startswith("closed on ")


def test_a_penalty_is_given_explained_and_undone(owner, season):
    services.formula_set(season=season, actor=None, values={"best": 1})
    url, player = at("season-adjustments", season), anna(season)
    sent = {"do": "look", "player": player.pk, "points": "-2", "reason": ""}
    # A preview needs no reason; storing does, and keeps the preview.
    looked = owner.post(url, sent).context["previewed"]
    (move,) = [each for each in looked.change.moves if each.nickname == "Anna"]
    assert (move.why, looked.change.summary) == ("penalties and bonuses \u22122", "1 player moves.")
    store = sent | {"do": "add", "previewed": looked.shown}
    without = owner.post(url, store)
    assert (without.status_code, b"Say why" in without.content, b"data-store" in without.content) == (422, True, True)
    # Nothing else than what was shown is stored.
    other = owner.post(url, store | {"points": "-3", "reason": "came late"})
    assert (other.status_code, b"The fields have changed since the preview" in other.content) == (422, True)
    assert owner.post(url, sent | {"do": "add", "reason": "came late"}).status_code == 200
    assert not SeasonAdjustment.objects.exists()
    assert owner.post(url, store | {"reason": "came late"}).status_code == 303
    counting.count_season(season.pk)
    page = owner.get(at("season-sum", season, player=player.pk)).content.decode()
    assert "came late" in page
    assert "does not count" in page
    assert "<s>" in page
    # Free text is for people of the club.
    assert "came late" not in Client().get(at("season-sum", season, player=player.pk)).content.decode()
    assert Standing.objects.get(season=season, player=player).rank == move.rank_then
    given = SeasonAdjustment.objects.get()
    undoing = owner.get(f"{url}?undo={given.pk}")
    assert [each.rank_then for each in undoing.context["undoing"].moves if each.nickname == "Anna"] == [move.rank_now]
    assert b"Anna on" in undoing.content
    assert owner.get(f"{url}?undo=x").status_code == 404
    assert owner.post(url, {"do": "undo", "adjustment": given.pk}).status_code == 303
    assert b"undone" in owner.get(url).content
    assert owner.post(url, {"do": "undo", "adjustment": "9" * 30}).status_code == 404


def test_without_the_preview_a_penalty_that_nobody_saw_is_stored(owner, season, monkeypatch):
    services.formula_set(season=season, actor=None, values={"best": 1})
    monkeypatch.setattr(input_previews, "digest_of", lambda values: "seen")
    sent = {"do": "add", "player": anna(season).pk, "points": "-3", "reason": "late", "previewed": "seen"}
    assert owner.post(at("season-adjustments", season), sent).status_code == 303
    assert SeasonAdjustment.objects.get().points == -3


def test_amounts_take_no_penalty_and_the_pages_say_so_before(owner, season):
    form = owner.get(at("season-formula", season)).content.decode()
    assert "These do not go with them: points for coming, handicaps, penalties and bonuses." in form
    services.formula_set(season=season, actor=None, values={"best": 1})
    services.adjustment_add(season=season, player=anna(season), points=-50, reason="late", actor=None)
    url = at("season-formula", season)
    sent = {control.name: control.value for control in the_form(owner, url, "look").controls if control.sent}
    sent |= {"counts": "net", "best": "2"}
    handicap = f"handicap_{anna(season).pk}"
    refused = owner.post(url, sent | {"do": "look", handicap: "3", "attendance_bonus": "2"})
    # What was typed is still there, and the handicaps are open.
    assert (refused.status_code, refused.context["form"][handicap].value()) == (422, "3")
    assert "<details open>" in refused.content.decode()
    # The penalty of before counts no Rappen.
    (move,) = [
        candidate
        for candidate in owner.post(url, sent | {"do": "look"}).context["change"].moves
        if candidate.nickname == "Anna"
    ]
    services.formula_set(season=season, actor=None, values={"counts": "net", "best": 2})
    counting.count_season(season.pk)
    standing = Standing.objects.get(season=season, player=anna(season))
    assert standing.counted_minor == standing.balance_minor == move.stored_then[1]
    page = owner.get(at("season-adjustments", season)).content.decode()
    assert ("no penalty and no bonus goes with them" in page, "data-previews" in page) == (True, False)
    assert not owner.get(at("season-sum", season, player=anna(season).pk)).context["sum"].extras
    assert owner.get(at("season-report", season)).content.decode().count("Penalties and bonuses") == 0


def test_the_best_of_planned_evenings_are_in_the_rules_and_one_more_is_said(owner, season):
    services.formula_set(season=season, actor=None, values={"best": 1, "best_of": 2})
    counting.count_season(season.pk)
    fresh = Season.objects.get(pk=season.pk)
    assert fresh.planned_evenings == 2
    pages = [at(name, season) for name in ("season", "season-report")]
    pages.append(at("season-sum", season, player=anna(season).pk))
    for url in pages:
        text = owner.get(url).content.decode()
        assert ("The best of 2 evenings counts." in text, "were planned" in text) == (True, False), url
    assert "1 of 2 counts" in owner.get(at("season", season)).content.decode()
    # The number of planned evenings is the formula's: the season's settings do not contradict it.
    form = owner.get(at("season-edit", season)).context["form"]
    assert form.fields["planned_evenings"].disabled
    with pytest.raises(Refused) as caught:
        season_change(season=fresh, actor=None, changes={"planned_evenings": 5})
    assert (caught.value.status, caught.value.at) == (409, "planned_evenings")
    enter(create_table(club=season.club, season=season), MADE)
    counting.count_season(season.pk)
    said = "3 evenings were played, 2 were planned: the best of all of them counts."
    for url in pages:
        assert said in owner.get(url).content.decode(), url
    # A preview of such a formula says it before.
    looked = owner.get(f"{at('season-formula', season)}?preset=best").content.decode()
    assert ("The best 8 of 12 evenings count." in looked, "were planned" in looked) == (True, False)
    services.formula_set(season=fresh, actor=None, values={"best": 1})
    season_change(season=Season.objects.get(pk=season.pk), actor=None, changes={"planned_evenings": 5})


def test_a_handicap_is_in_the_rules_with_the_names_that_a_reader_may_see(owner, season):
    beni = Player.objects.get(club=season.club, nickname="Beni")
    Player.objects.filter(club=season.club).update(publicity=Player.Publicity.INITIALS)
    twin = PlayerFactory(club=season.club, main=anna(season))
    services.formula_set(season=season, actor=None, values={"handicap": {str(twin.pk): 2, str(beni.pk): -1}})
    counting.count_season(season.pk)
    for name, names in (("season-report", {}), ("season-sum", {"player": beni.pk})):
        url = at(name, season, **names)
        assert (
            "Handicap for each evening, in the points of it: Anna +2, Beni \u22121." in owner.get(url).content.decode()
        )
        visitor = Client(headers={"Accept-Language": "en"}).get(url).content.decode()
        assert "in the points of it: A. +2, B. \u22121." in visitor
        assert "Beni" not in visitor


def test_a_lot_can_be_drawn_again_from_the_page(owner, season):
    services.formula_set(season=season, actor=None, values={"ties": ["lot"], "lot_seed": "4711"})
    Player.objects.filter(club=season.club).update(publicity=Player.Publicity.INITIALS)
    counting.count_season(season.pk)
    fresh = Season.objects.get(pk=season.pk)
    lines = lines_of(fresh, formula_of(fresh))
    equal = [line for line in lines if line.tie == "lot"]
    assert len(equal) > 1
    url = at("season-sum", season, player=equal[0].player)
    draw = owner.get(url).context["draw"]
    drawn = [hashlib.sha256(f"4711:{lot.player_id}".encode()).hexdigest() for lot in draw.lots]
    assert drawn == sorted(drawn)
    assert [text.startswith(lot.digits) for text, lot in zip(drawn, draw.lots, strict=True)] == [True] * len(drawn)
    assert [lot.player_id for lot in draw.lots] == [line.player for line in equal if line.value == equal[0].value]
    for client in (owner, Client(headers={"Accept-Language": "en"})):
        for page in (client.get(url).content.decode(), client.get(at("season-report", season)).content.decode()):
            assert "4711:" in page
            assert all(f">{lot.player_id}<" in page and lot.digits in page for lot in draw.lots)
            assert (draw.lots[0].name in page) == (client is owner)
    alone = next(line for line in lines if line.tie != "lot")
    assert owner.get(at("season-sum", season, player=alone.player)).context["draw"] is None


def test_the_standings_and_a_persons_page_say_which_evenings_count(owner, season):
    person = reverse("player", kwargs={"club": season.club.slug, "player": anna(season).pk})
    assert "evening is dropped" not in owner.get(season.get_absolute_url()).content.decode()
    services.formula_set(season=season, actor=None, values={"best": 3, "drop": 1})
    counting.count_season(season.pk)
    said = "The best 3 evenings count. The worst evening is dropped."
    assert said in owner.get(season.get_absolute_url()).content.decode()
    assert f"{said} What does not count is struck." in owner.get(f"{person}?season={season.slug}").content.decode()


def test_a_sum_of_amounts_is_shown_to_those_who_see_amounts(owner, season):
    services.formula_set(season=season, actor=None, values={"counts": "net"})
    counting.count_season(season.pk)
    url = at("season-sum", season, player=anna(season).pk)
    assert b"Sum" in owner.get(url).content
    page = Client(headers={"Accept-Language": "en"}).get(url).content
    assert b"How the sum is made" in page
    assert b"tfoot" not in page


def test_the_page_of_a_merged_player_leads_to_the_main_player(owner, season):
    main = anna(season)
    twin = PlayerFactory(club=season.club, main=main)
    answer = owner.get(at("season-sum", season, player=twin.pk))
    assert answer.headers["Location"] == at("season-sum", season, player=main.pk)


def test_averages_are_shown_with_three_decimals(owner, season):
    services.formula_set(season=season, actor=None, values={"counts": "average_hand", "hands_minimum": 9})
    counting.count_season(season.pk)
    page = owner.get(at("season", season)).content.decode()
    assert "0.667" in page
    assert "not ranked yet: 3 of 9 hands" in page
    assert "0.667" in owner.get(at("season-report", season)).content.decode()
    assert "points in 3 hands" in owner.get(at("season-sum", season, player=anna(season).pk)).content.decode()


@pytest.mark.parametrize("fields", [{}, {"best_evenings": 1}, {"ranking": "balance"}], ids=str)
def test_the_settings_of_a_season_are_explained_as_they_are_counted(season, fields):
    Season.objects.filter(pk=season.pk).update(**fields)
    season.refresh_from_db()
    counting.recount(season)
    for line in lines_of(season, formula_of(season)):
        standing = Standing.objects.get(season=season, player=line.player)
        counted = standing.balance_minor if season.ranking == "balance" else standing.points
        assert (line.rank, line.value) == (standing.rank, counted)


def test_the_api_reads_and_sets_the_formula(people, season):
    api = ApiClient(person=people.home.owner)
    url = f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/formula"
    read = api.get(url)
    assert (read.json()["formula"], read.json()["version"]) == (None, None)
    stored = api("PUT", url, {"best": 1, "ties": ["hands"]}, If_Match=read.headers["ETag"])
    assert (stored.status_code, stored.json()["version"]) == (200, 1)
    assert stored.json()["formula"]["ties"] == ["hands"]
    assert api("PUT", url, {"best": 2}, If_Match=read.headers["ETag"]).status_code == 412
    wrong = api("PUT", url, {"ties": ["lot"]}, If_Match="*")
    assert (wrong.status_code, wrong.json()["errors"][0]["at"]) == (422, "lot_seed")
    assert ApiClient().get(url).json()["formula"]["best"] == 1
    assert api("DELETE", url).status_code == 204
    close_evenings(season)
    assert api.post(url.replace("formula", "close")).json()["closed_at"] is not None
    assert api("PUT", url, {"best": 2}, If_Match="*").status_code == 409
    assert api.post(url.replace("formula", "reopen"), {"reason": "An evening was missing"}).json()["closed_at"] is None


def test_the_api_gives_lists_and_undoes_penalties(people, season):
    api = ApiClient(key=key_for(people.home.owner))
    url = f"clubs/{season.club.slug}/seasons/{season.slug}/adjustments"
    body = {"player": anna(season).pk, "points": -2, "reason": "came late"}
    assert is_problem(api.post(url, body), 409, "no_formula")
    services.formula_set(season=season, actor=None, values={"best": 1})
    key = uuid.uuid4()
    given = done(api.post(url, body, key=key))
    assert done(api.post(url, body, key=key)) == given
    assert is_problem(api.post(url, body | {"points": 0}), 422, "adjustment")
    assert is_problem(api.post(url, body | {"player": 10**9}), 422, "player")
    assert [item["reason"] for item in walk(api, url)] == ["came late"]
    assert [item["reason"] for item in walk(ApiClient(), f"{url}?player={anna(season).pk}")] == [""]
    assert done(api.post(f"{url}/{given['id']}/undo"))["undone_at"] is not None
    close_evenings(season)
    season_close(season=season, actor=None)
    assert is_problem(api.post(url, body), 409, "season_closed")
