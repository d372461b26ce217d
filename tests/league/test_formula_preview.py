"""The preview of another formula: changed ranks with reasons; games that count; versions; the days of penalties."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from league.audit import sentences
from league.errors import Refused
from league.models import AuditEntry, Player, Season, SeasonAdjustment, SeasonFormula, Standing
from league.roster.services import player_change
from league.standings import counting
from league.standings.formula import services
from league.standings.formula.differences import PARTS, differences
from league.standings.formula.inputs import formula_of
from league.standings.formula.parts import FIELDS, Formula, read
from league.standings.formula.preview import Preview, preview, preview_settings
from league.standings.formula.sentences import described
from league.standings.formula.version_list import version_lines
from league.standings.seasons import season_change
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.api.test_frame_behaviour import walk
from tests.factories import FAILED, MADE, MUSS, PlayerFactory, SeasonFactory, create_table, enter
from tests.league.test_formula_counting import FORMULAS, League

pytestmark = pytest.mark.django_db


def change(league: League, **parts: Any) -> Preview:
    return preview(Season.objects.get(pk=league.season.pk), Formula(**parts))


def why(preview: Preview, name: str = "Anna") -> str:
    return next(move.why for move in preview.moves if move.nickname == name)


# --- Reasons for another rank ------------------------------------------------------------------------------

ANNA = "Anna"
WHY: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "dropped": ({"drop": 1}, {"drop": 2}, "drops 2 evenings instead of 1"),
    "no longer dropped": ({"best": 2}, {}, "drops 0 evenings instead of 1"),
    "too short": ({}, {"hands_minimum_evening": 2}, "1 evening with too few hands instead of 0"),
    "coming": ({}, {"attendance_bonus": 2}, "for coming +6"),
    "coming less": ({"attendance_bonus": 2}, {"attendance_bonus": 1}, "for coming +3 instead of +6"),
    "handicap": ({}, {"handicap": {ANNA: 5}}, "handicap +5"),
    "another handicap": ({"handicap": {ANNA: 5}}, {"handicap": {ANNA: 3}}, "handicap +3 instead of +5"),
    "places": (
        {}, {"counts": "places", "places": [5, 3]},
        "1 × 1st, 1 × 2nd, 1 × 5th: 8 points (2nd) instead of 4 points in 3 evenings (2nd)",
    ),
    "amounts": (
        {"drop": 1}, {"counts": "net"}, "−0.80 in 3 evenings (3rd) instead of 6 points in 2 evenings (1st)",
    ),
    "other points for places": (
        {"counts": "places", "places": [5, 3, 2, 1, 0]}, {"counts": "places", "places": [9, 3, 2, 1, 0]},
        "points for places: +12 instead of +8",
    ),
    "average": (
        {}, {"counts": "average_hand", "drop": 2},
        "average 2.000 over 2 hands (1st) instead of 4 points in 3 evenings (2nd); drops 2 evenings instead of 0",
    ),
    "average of evenings": (
        {"counts": "average_hand", "attendance_bonus": 2},
        {"counts": "average_evening", "attendance_bonus": 2, "hands_minimum": 9},
        "not ranked yet: 6 of 9 hands; average 1.333 over 3 evenings and +6 further points instead of "
        "average 0.667 over 6 hands and +6 further points (2nd)",
    ),
    "ranked": ({"attendance_minimum": 4}, {}, "now ranked: 3 evenings"),
    "ranked by hands": ({"hands_minimum": 9}, {}, "now ranked: 6 hands"),
    "not ranked": ({}, {"attendance_minimum": 4}, "not ranked yet: 3 of 4 evenings"),
}  # fmt: skip


def filled(parts: dict[str, Any], player: int) -> dict[str, Any]:
    handicap = {str(player): points for points in parts.get("handicap", {}).values()}
    return {**parts, "handicap": handicap}


@pytest.mark.parametrize("name", WHY)
def test_a_preview_lists_the_changes_for_a_player(name, en):
    old, new, sentence = WHY[name]
    league = League()
    anna = league.players[0].pk
    league.set(**filled(old, anna))
    league.count()
    outcome = preview(league.season, read(filled(new, anna)))
    assert why(outcome).replace("\N{NO-BREAK SPACE}", " ") == sentence
    # The formula of now changes nothing.
    same = preview(league.season, read(filled(old, anna)))
    assert (same.changes, same.summary, {move.moves for move in same.moves}) == ([], "Nobody moves.", {False})
    assert not [move.why for move in same.moves if move.why and not move.unranked]


def test_a_player_who_moves_only_because_others_move_gets_this_reason(en):
    league = League()
    last = min(Standing.objects.filter(season=league.season), key=lambda standing: -standing.rank)
    outcome = preview(league.season, read({"handicap": {str(last.player_id): 50}}))
    moved = [move for move in outcome.moves if move.moves and move.player_id != last.player_id]
    assert {move.why for move in moved} == {"the same sum; others move"}
    assert outcome.summary == f"{len(moved) + 1} players move."
    assert outcome.changes == [f"handicap of {last.player.nickname}: +50 instead of 0"]


def test_every_part_of_a_formula_has_words():
    assert set(FIELDS) == {*PARTS, "guests", "tournaments", "handicap"}
    other = read({"counts": "places", "places": [3, 1], "games": "kratzen", "ties": ["hands", "lot"], "lot_seed": "7"})
    assert differences(Formula(), other) == [
        "counts points places", "games - kratzen", "places - 3,1", "ties - hands,lot", "lot_seed - 7",
    ]  # fmt: skip


# --- The games that count ----------------------------------------------------------------------------------


def both_games() -> League:
    league = League()
    kratzen = create_table(season=league.season, players=league.players[:4], held_on=date(2026, 10, 6), game="kratzen")
    enter(kratzen, MUSS)
    league.count()
    return league


def counted(season: Season) -> list[tuple[int, int, int]]:
    rows = Standing.objects.filter(season=season).order_by("rank", "player")
    return [
        (
            standing.player_id,
            standing.rank,
            standing.counted_minor if standing.counted_minor is not None else standing.points,
        )
        for standing in rows
    ]


def previewed(preview: Preview) -> list[tuple[int, int, int]]:
    shown = []
    for move in preview.moves:
        if move.stored_then is not None:
            points, amount = move.stored_then
            shown.append((move.player_id, move.rank_then or 0, points if amount is None else amount))
    return sorted(shown, key=lambda row: (row[1], row[0]))


@pytest.mark.parametrize("game", ["", "chratze", pytest.param("kratzen", marks=pytest.mark.both_databases)])
@pytest.mark.parametrize("name", ["the best", "places", "net", "average"])
def test_a_preview_of_other_games_equals_the_later_count(name, game):
    league = both_games()
    league.set(**FORMULAS[name] | {"games": "chratze", "hands_minimum": 0})
    league.count()
    values = FORMULAS[name] | {"games": game, "hands_minimum": 0}
    outcome = preview(league.season, read(values))
    league.set(**values)
    league.count()
    assert (league.season.games, league.wrong()) == (game, [])
    assert previewed(outcome) == counted(league.season)


def test_a_player_without_a_counted_game_leaves_the_standings(en):
    league = both_games()
    outcome = change(league, games="kratzen")
    assert why(outcome, "Emil") == "no evening that counts"
    assert why(outcome).startswith("1 evening played instead of 4")
    league.set(games="kratzen")
    league.count()
    assert {move.nickname for move in outcome.moves if move.rank_then is None} == {"Emil"}
    assert "Emil" not in " ".join(league.standings())
    assert "Only evenings of Kratzen count." in described(formula_of(league.season), {})
    # And the other way round.
    assert why(change(league), "Emil") == "now in the standings: 3 evenings"


def test_the_games_of_a_season_with_a_formula_are_those_of_the_formula(en):
    season = SeasonFactory(games="kratzen")
    services.formula_set(season=season, actor=None, values={"best": 2})
    assert SeasonFormula.objects.get().values["games"] == "kratzen"
    with pytest.raises(Refused, match="formula"):
        season_change(season=season, actor=None, changes={"games": ""})
    services.formula_set(season=season, actor=None, values={"best": 2, "games": "chratze"})
    assert Season.objects.get().games == "chratze"
    services.formula_set(season=season, actor=None, values=None)
    season_change(season=season, actor=None, changes={"games": ""})


def test_the_season_page_has_no_field_that_the_formula_sets(owner, people):
    season = people.home.season
    services.formula_set(season=season, actor=None, values={"games": "kratzen"})
    form = owner.get(reverse("season-edit", args=[season.club.slug, season.slug])).context["form"]
    assert {name for name, field in form.fields.items() if field.disabled} == {"ranking", "games", "best_evenings"}


# --- Settings beside the formula ---------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize("values", [None, {"counts": "average_hand"}, {"drop": 1}], ids=str)
def test_a_preview_of_other_points_equals_the_later_count(values):
    league = League()
    services.formula_set(season=league.season, actor=None, values=values)
    league.count()
    changes = {"points_declared": 7, "points_joined_failed": 3}
    outcome = preview_settings(league.season, changes)
    assert any(move.value_now != move.value_then for move in outcome.moves)
    season_change(season=league.season, actor=None, changes=changes)
    league.count()
    assert previewed(outcome) == counted(league.season)


# --- Versions ----------------------------------------------------------------------------------------------


def test_each_version_lists_its_changes(en, owner, people):
    season = people.home.season
    anna = PlayerFactory(club=season.club, nickname="Anna")
    url = reverse("season-formula-versions", args=[season.club.slug, season.slug])
    assert b"No formula yet" in owner.get(url).content
    for values in ({"best": 8}, {"best": 6, "handicap": {str(anna.pk): 2}}, {"best": 6, "guests": False}):
        services.formula_set(season=season, actor=people.home.owner, values=values)
    lines = version_lines(Season.objects.get(pk=season.pk))
    assert [(line.version, line.valid, line.first, line.author) for line in lines] == [
        (3, True, False, "Owner"), (2, False, False, "Owner"), (1, False, True, "Owner"),
    ]  # fmt: skip
    assert [line.changes for line in lines] == [
        ["guests are no longer ranked", "handicap of Anna: 0 instead of +2"],
        ["best evenings that count: 6 instead of 8", "handicap of Anna: +2 instead of 0"],
        [],
    ]
    page = owner.get(url).content.decode()
    assert "handicap of Anna: 0 instead of +2" in page
    begun = owner.get(reverse("season-formula", args=[season.club.slug, season.slug]) + "?version=1")
    assert begun.context["form"].initial["best"] == 8


def test_a_name_in_the_log_is_that_of_the_day_on_which_it_is_read(en):
    season = SeasonFactory()
    anna = PlayerFactory(club=season.club, nickname="Anna")
    services.formula_set(season=season, actor=None, values={"handicap": {str(anna.pk): 2}})
    player_change(player=anna, actor=None, changes={"nickname": "Annette"})
    entry = AuditEntry.objects.get(what="season_changed")
    assert "Anna" not in str(entry.data)
    assert sentences.lines_of([entry])[0].sentence.endswith(": handicap of Annette: +2 instead of 0.")


# --- The API -----------------------------------------------------------------------------------------------


def test_a_program_previews_before_it_stores_or_removes(people, en):
    season = people.home.season
    table = create_table(club=people.home.club, season=season)
    for record in (MADE, FAILED, MADE):
        enter(table, record)
    services.formula_set(season=season, actor=None, values={"counts": "net"})
    counting.count_season(season.pk)
    url = f"clubs/{season.club.slug}/seasons/{season.slug}/formula/preview"
    api = ApiClient(person=people.home.owner)
    outcome = done(api.post(url, {"counts": "average_hand"}))
    assert (outcome["scale_now"], outcome["scale_then"]) == (1, 1000)
    anna = next(move for move in outcome["moves"] if move["player"] == Player.objects.get(nickname="Anna").pk)
    assert anna["points_now"] is None
    assert isinstance(anna["amount_now_minor"], int)
    assert (anna["points_then"], anna["amount_then_minor"]) == (667, None)
    # A key that may manage, but see no amounts, gets none.
    hidden = done(ApiClient(key=key_for(people.home.owner, "read", "manage")).post(url, {"counts": "net", "drop": 1}))
    assert {(move["amount_now_minor"], move["amount_then_minor"], move["points_now"]) for move in hidden["moves"]} == {
        (None, None, None)
    }
    assert done(api.post(url, {"remove": True}))["changes"] == ["was zählt: Punkte statt Beträge"]
    assert is_problem(api.post(url, {"ties": ["lot"]}), 422, "formula")
    assert Season.objects.get(pk=season.pk).formula_version == 1
    # The season ranks as before then.
    path = url.removesuffix("/formula/preview")
    assert done(api.get(path))["ranking"] == "balance"
    assert api("DELETE", f"{path}/formula").status_code == 204
    assert done(api.get(path))["ranking"] == "points"
    hidden = done(ApiClient(key=key_for(people.home.owner, "read", "manage")).post(url, {"counts": "net"}))
    assert {move["why"] for move in hidden["moves"]} == {""}


def test_a_program_reads_the_versions(people, en):
    season = people.home.season
    for best in (8, 6, 4):
        services.formula_set(season=season, actor=people.home.owner, values={"best": best})
    url = f"clubs/{season.club.slug}/seasons/{season.slug}/formula/versions"
    api = ApiClient(person=people.home.owner)
    whole = list(walk(api, url))
    assert [(entry["version"], entry["valid"], entry["author"]) for entry in whole] == [
        (version, version == 3, people.home.owner.pk) for version in (3, 2, 1)
    ]
    assert [len(entry["changes"]) for entry in whole] == [1, 1, 0]
    # A page compares its last version with one that is not on it.
    assert list(walk(api, f"{url}?limit=1")) == whole


# --- The day of a penalty ----------------------------------------------------------------------------------


def test_a_penalty_belongs_to_a_day_of_the_season_that_has_come(en):
    season = SeasonFactory()
    services.formula_set(season=season, actor=None, values={"best": 2})
    given: dict[str, Any] = {
        "season": season, "player": PlayerFactory(club=season.club), "points": -1, "reason": "late", "actor": None
    }  # fmt: skip
    today = timezone.localdate()
    for wrong in (season.starts_on - timedelta(1), today + timedelta(1)):
        with pytest.raises(Refused, match="The day is in the season"):
            services.adjustment_add(day=wrong, **given)
    assert services.adjustment_add(**given).day == today
    assert services.adjustment_add(day=season.starts_on, **given).day == season.starts_on
    # A season that is over: its last day; one that has not begun: its first.
    for dates, day in (
        ({"ends_on": date(2026, 9, 1)}, date(2026, 9, 1)),
        ({"starts_on": today + timedelta(9), "ends_on": None}, today + timedelta(9)),
    ):
        Season.objects.filter(pk=season.pk).update(**dates)
        assert services.adjustment_add(**given).day == day
        with pytest.raises(Refused):
            services.adjustment_add(day=day + timedelta(1), **given)


def test_the_page_and_a_program_name_the_day(owner, people):
    season = people.home.season
    services.formula_set(season=season, actor=None, values={"best": 2})
    anna = PlayerFactory(club=season.club)
    url = reverse("season-adjustments", args=[season.club.slug, season.slug])
    sent = {"do": "look", "player": anna.pk, "points": "-2", "reason": "late", "day": "2026-08-03"}
    future = owner.post(url, sent | {"day": "2999-01-01"})
    assert (future.status_code, "day" in future.context["form"].errors) == (422, True)
    shown = owner.post(url, sent).context["previewed"].shown
    assert owner.post(url, sent | {"do": "add", "previewed": shown}).status_code == 303
    api = ApiClient(key=key_for(people.home.owner))
    path = f"clubs/{season.club.slug}/seasons/{season.slug}/adjustments"
    body = {"player": anna.pk, "points": -2, "reason": "late"}
    assert done(api.post(path, body))["day"] == timezone.localdate().isoformat()
    assert done(api.post(path, body | {"day": "2026-08-04"}))["day"] == "2026-08-04"
    assert is_problem(api.post(path, body | {"day": "2999-01-01"}), 422, "adjustment")
    assert sorted(SeasonAdjustment.objects.values_list("day", flat=True))[:2] == [date(2026, 8, 3), date(2026, 8, 4)]
