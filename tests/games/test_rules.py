"""House rules as a contract: sentences and situations, the next version, and the replay of a season."""

from __future__ import annotations

import json
import uuid
from datetime import date
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import engine_bridge
from games.errors import Refused
from games.rules import contracts, replay
from games.rules.forms import FORMS
from games.rules.services import rules_change
from games.rules.situations import Outcome, Share
from league.models import Club, HouseRules, Player, Season, Transfer
from league.roster.merging import players_merge
from tests.factories import (
    FAILED,
    FREE,
    MADE,
    MUSS,
    PASSED_OUT,
    WALKOVER,
    ClubFactory,
    PlayerFactory,
    create_table,
    enter,
    void,
)

pytestmark = pytest.mark.services

GAME = "chratze"
DEFAULTS = {game: engine_bridge.house_rules(game, {}) for game in engine_bridge.GAMES}

# --- Words and situations --------------------------------------------------------------------------------


def outcome(key: str, game: str = GAME, **rules: Any) -> Outcome:
    """The result of one situation under the defaults with these changes."""
    situations = contracts.situations(game, contracts.effective(game, rules))
    return next(each.now for each in situations if each.case.key == key)


SITUATIONS: dict[str, tuple[dict[str, Any], list[tuple[str, int]], int]] = {
    # key: rules, payouts and payments, the next pot with antes; the amounts are those of the rulebook's worked
    # examples.
    "pair": ({}, [("declarer", 80), ("a joiner", 20)], 100),
    "three": ({}, [("declarer", 80), ("2 joiners, each", 10), ("a joiner", -100)], 200),
    "odd": ({}, [("declarer", 85), ("2 joiners, each", 15), ("a joiner", -115)], 215),
    "lone": ({}, [("declarer", 100), ("2 joiners, each", -100)], 300),
    "but-one": ({}, [("a joiner", 100), ("declarer", -200), ("a joiner", -100)], 400),
    "rest": ({}, [("3 joiners, each", 30), ("declarer", -200)], 310),
    "two": ({}, [("declarer", 40)], 40),
    "limit": ({"pot_limit": 600}, [("2 joiners, each", 200), ("declarer", -600)], 700),
    "walkover": ({}, [("declarer", 100)], 100),
    "passed-out": ({"ante_on_redeal": False}, [], 100),
    "three-deals": ({}, [], 400),
    "blind": ({"rounding": 5}, [("declarer", 70), ("a joiner", 30)], 100),
    "double": ({}, [("a joiner", 100), ("declarer", -200)], 300),
}


OF_KRATZEN: dict[str, tuple[dict[str, Any], list[tuple[str, int]], int]] = {
    "muss": ({}, [("2 joiners, each", -60)], 190),
    "muss-failed": ({}, [("declarer", -120), ("a joiner", -60)], 250),
    "free": ({}, [("declarer", 50), ("a joiner", 50)], 60),
    "joiner": ({}, [("declarer", 75), ("a joiner", 25), ("a joiner", -100)], 110),
    "failed": ({}, [("declarer", 25), ("a joiner", 75), ("declarer", -200)], 210),
    "odd": ({"remainder": "declarer"}, [("declarer", 65), ("a joiner", 50)], 60),
    "walkover": ({}, [("declarer", 100)], 75),
    "passed-out": ({}, [], 110),
    "cut": ({}, [("a player, for the cut", -10), ("declarer", 50), ("a joiner", 50)], 70),
    "seven": ({}, [("a joiner", -100)], 210),
    "seven-called": ({"seven_muss": "any"}, [("a joiner", -100)], 210),
    "limit": ({"pot_limit": 300}, [("declarer", 50), ("a joiner", 150), ("declarer", -290)], 310),
    "split": ({"split_over": 100}, [("declarer", 50), ("a joiner", 50)], 120),
}
OF_ZWICKEN: dict[str, tuple[dict[str, Any], list[tuple[str, int]], int]] = {
    "forced": ({}, [("a player", 20), ("a player", 10), ("3 players, each", -30)], 120),
    "two": ({}, [("a player", 80), ("a player", 40)], 30),
    "bete": ({}, [("a player", 80), ("a player", 40), ("a player", -120)], 150),
    "odd": ({}, [("a player", 80), ("a player", 40)], 40),
    "walkover": ({}, [("a player", 130)], 30),
    "nobody": ({}, [("the dealer", 120)], 30),
    "hop": ({}, [("a player, for the cut", -30), ("a player", 100), ("a player", 50)], 30),
    "jump": ({}, [("2 players, each for the cut", -30), ("a player", 120), ("a player", 60)], 30),
    "lost": ({}, [("a player", 80), ("a player", 40), ("a player", -30)], 60),
    "limit": ({"pot_limit": 300}, [("a player", 330), ("2 players, each", -150)], 330),
}
EXPECTED = [(GAME, key, *case) for key, case in SITUATIONS.items()]
EXPECTED += [("kratzen", key, *case) for key, case in OF_KRATZEN.items()]
EXPECTED += [("zwicken", key, *case) for key, case in OF_ZWICKEN.items()]


@pytest.mark.parametrize(("game", "key", "rules", "shares", "next_pot"), EXPECTED)
def test_a_situation_has_the_amounts_of_the_rulebook(
    game: str, key: str, rules: dict[str, Any], shares: list[tuple[str, int]], next_pot: int
) -> None:
    result = outcome(key, game, **rules)
    assert (result.shares, result.next_pot_minor) == (tuple(Share(*share) for share in shares), next_pot)


def test_a_situation_against_the_rules_shows_the_sentence_of_the_clause() -> None:
    assert "Susi" in outcome("walkover", susi="forced").refused
    assert "blind" in outcome("double", blind="blind").refused
    assert outcome("blind", blind="blind").refused == ""
    assert outcome("six", rob=False).refused
    assert outcome("six").notes == ("allowed",)
    assert "last" in outcome("last-word", "kratzen", last_word=False).refused
    assert "beaten" in outcome("beat", "kratzen", must_beat="always").refused
    assert "laid open" in outcome("open", "kratzen", open_trumps=False).refused
    assert "Siebenermuss" in outcome("seven", "kratzen", seven_muss="off").refused
    for key, allowed in (
        ("exchange", {}),
        ("trump", {"must_trump": False}),
        ("beat", {"must_beat": "trumps"}),
        ("beat-trump", {"must_beat": "off"}),
    ):
        assert outcome(key, "zwicken", **allowed).notes == ("allowed",)
    assert outcome("exchange", "zwicken", exchange=False).refused
    assert outcome("trump", "zwicken").refused
    assert outcome("beat", "zwicken").refused
    assert outcome("beat-trump", "zwicken", must_beat="trumps").refused


def test_the_dealer_changes_after_the_last_redeal() -> None:
    assert outcome("three-deals").notes == ("the same dealer deals again, deal 4",)
    assert outcome("three-deals", no_taker="redeal").notes == ("the next player deals",)
    assert outcome("three-deals", no_taker="redeal", max_turns=2).notes == ("the next player deals, deal 2",)


OTHER: dict[str, dict[str, Any]] = {}
OTHER["chratze"] = {
    "stake": 50,
    "rounding": 5,
    "coin": 10,
    "no_taker": "redeal",
    "max_turns": 4,
    "ante_on_redeal": False,
    "blind": "blind",
    "susi": "off",
    "rob": False,
    "pot_limit": 300,
}
OTHER["kratzen"] = {
    "unit": 35,
    "coin": 2,
    "must_beat": "always",
    "remainder": "declarer",
    "seven_muss": "any",
    "last_word": False,
    "open_trumps": False,
    "pot_limit": 300,
    "split_over": 300,
}
OTHER["zwicken"] = {
    "stake": 60,
    "coin": 2,
    "seven": False,
    "cut_moves": False,
    "exchange": False,
    "must_trump": False,
    "must_beat": "off",
    "bete": "stake",
    "seven_lost": "off",
    "nobody": "stays",
    "pot_limit": 300,
}
RULES = [(game, name) for game in engine_bridge.GAMES for name in FORMS[game].names]


@pytest.mark.parametrize(("game", "name"), RULES)
def test_no_rule_changes_without_a_situation_and_a_line_that_show_it(game: str, name: str) -> None:
    changed = {**DEFAULTS[game], name: OTHER[game][name]}
    situations = contracts.situations(game, changed, DEFAULTS[game])
    assert any(each.differs for each in situations)
    assert any(line.before for line in contracts.lines(game, changed, "CHF", DEFAULTS[game]))
    # Compared situations can be played under both: each pot is in whole coins of both.
    assert not any("not complete" in each.now.refused for each in situations)


@pytest.mark.parametrize("game", engine_bridge.GAMES)
def test_the_same_rules_differ_nowhere(game: str) -> None:
    assert not any(each.differs for each in contracts.situations(game, DEFAULTS[game], DEFAULTS[game]))
    assert not any(line.before for line in contracts.lines(game, DEFAULTS[game], "CHF", DEFAULTS[game]))


@pytest.mark.parametrize("game", engine_bridge.GAMES)
def test_every_house_rule_is_named(game: str) -> None:
    assert set(FORMS[game].names) == set(DEFAULTS[game])
    assert set(OTHER[game]) == set(DEFAULTS[game])


# --- The next version ------------------------------------------------------------------------------------


def change(club: Club, values: dict[str, Any], follows: int = 1, key: uuid.UUID | None = None) -> HouseRules:
    return rules_change(club=club, game=GAME, values=values, author=None, key=key or uuid.uuid4(), follows=follows)


@pytest.mark.django_db
def test_a_change_is_the_next_version_and_an_evening_that_runs_keeps_its_own() -> None:
    table = create_table()
    changed = change(table.evening.club, {"stake": 50})
    assert (changed.version, changed.values) == (2, {"stake": 50})
    enter(table, MADE)
    assert Transfer.objects.filter(kind="ante").first().amount_minor == 20
    after = create_table(club=table.evening.club, season=table.evening.season)
    assert after.evening.house_rules == changed


@pytest.mark.django_db
def test_a_club_that_never_set_any_keeps_the_defaults_as_version_one() -> None:
    club = ClubFactory()
    assert change(club, {"rob": False}).version == 2
    assert HouseRules.objects.get(club=club, version=1).values == {}


@pytest.mark.django_db
def test_the_same_request_again_gets_the_same_version() -> None:
    club, key = ClubFactory(), uuid.uuid4()
    first = change(club, {"stake": 50}, key=key)
    change(club, {"stake": 10}, follows=2)
    assert change(club, {"stake": 50}, key=key) == first
    assert HouseRules.objects.filter(club=club).count() == 3


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("values", "follows", "status", "code"),
    [
        ({"stake": 10}, 1, 409, "version"),
        ({"stake": 50}, 2, 422, "same"),
        ({"stake": 0}, 2, 422, "R4"),
        ({"puur": True}, 2, 422, "R4"),
        ({"stake": 700, "pot_limit": 600}, 2, 422, "R4"),
    ],
)
def test_a_refused_change_stores_nothing(values: dict[str, Any], follows: int, status: int, code: str) -> None:
    club, key = ClubFactory(), uuid.uuid4()
    change(club, {"stake": 50})
    with pytest.raises(Refused) as refused:
        change(club, values, follows=follows, key=key)
    assert (refused.value.status, refused.value.code) == (status, code)
    assert HouseRules.objects.filter(club=club).count() == 2
    assert change(club, {"stake": 30}, follows=2, key=key).version == 3, "the key of what was refused is free"


@pytest.mark.django_db
def test_a_key_of_another_change_is_refused() -> None:
    club, key = ClubFactory(), uuid.uuid4()
    change(club, {"stake": 50}, key=key)
    with pytest.raises(Refused) as refused:
        change(club, {"stake": 30}, follows=2, key=key)
    assert refused.value.code == "key_reused"


# --- A season under other rules --------------------------------------------------------------------------


def replayed(**rules: Any) -> replay.Replay:
    return replay.replay_season(Season.objects.get(), GAME, rules)


def balances(comparison: replay.Replay, *, old: bool = False) -> dict[str, int]:
    return {each.nickname: each.old_minor if old else each.new_minor for each in comparison.players}


@pytest.mark.django_db
def test_a_season_replayed_under_its_own_rules_stays_the_same() -> None:
    table = create_table(rules={"pot_limit": 300})
    for record in (FAILED, FAILED, PASSED_OUT, MADE, WALKOVER):
        enter(table, record)
    void(table)
    comparison = replayed(pot_limit=300)
    assert (comparison.hands, comparison.changed, comparison.left_out) == (4, 0, [])
    assert balances(comparison) == balances(comparison, old=True)
    assert comparison.old_pots_minor == comparison.new_pots_minor
    assert sum(balances(comparison).values()) + comparison.new_pots_minor == 0


@pytest.mark.django_db
def test_the_pot_of_the_other_rules_goes_into_the_next_hand() -> None:
    table = create_table()
    enter(table, FAILED)  # P = 100: the declarer pays 200; under a limit of 100 he pays 100.
    enter(table, MADE)  # P = 300: 200 and 100; under the limit P = 200: 140 and 60.
    comparison = replayed(pot_limit=100)
    assert balances(comparison, old=True) == {"Anna": -40, "Beni": 110, "Carlo": 10, "Doris": -40, "Emil": -40}
    assert balances(comparison) == {"Anna": 0, "Beni": 70, "Carlo": 10, "Doris": -40, "Emil": -40}
    assert (comparison.changed, comparison.old_pots_minor, comparison.new_pots_minor) == (2, 0, 0)


@pytest.mark.django_db
def test_tables_do_not_share_a_pot() -> None:
    first = create_table()
    enter(first, FAILED)
    second = create_table(club=first.evening.club, season=first.evening.season)
    enter(second, MADE)
    comparison = replayed(stake=40)
    assert balances(comparison) == {name: 2 * amount for name, amount in balances(comparison, old=True).items()}
    assert (comparison.old_pots_minor, comparison.new_pots_minor) == (200, 400)


@pytest.mark.django_db
def test_an_impossible_hand_is_named_and_left_out() -> None:
    table = create_table()
    for record in (WALKOVER, FAILED, {**MADE, "declarer": 1, "joiners": [0], "blind": "blind"}):
        enter(table, record)
    comparison = replayed(susi="forced", blind="none")
    assert [(each.clause, each.hands, each.places) for each in comparison.left_out] == [
        ("C3.4", 1, [(1, 1, 3)]),
        ("C3.6", 1, [(1, 1, 1)]),
    ]
    assert balances(comparison) == {"Anna": -220, "Beni": 30, "Carlo": 30, "Doris": -20, "Emil": -20}
    assert sum(balances(comparison).values()) + comparison.new_pots_minor == 0
    assert {each.nickname: each.left_out_minor for each in comparison.players}["Anna"] == 80 + 80


@pytest.mark.django_db
def test_impossible_hands_are_named_by_the_dates_of_their_evenings() -> None:
    first = create_table(held_on=date(2026, 11, 20))
    earlier = create_table(club=first.evening.club, season=first.evening.season, held_on=date(2026, 11, 13))
    for table in (first, earlier):
        enter(table, WALKOVER)
    assert [each.places for each in replayed(susi="forced").left_out] == [[(2, 1, 1), (1, 1, 1)]]


@pytest.mark.django_db
def test_a_redeal_without_a_new_ante_follows_from_the_other_rules() -> None:
    table = create_table()
    for record in (PASSED_OUT, PASSED_OUT, MADE):
        enter(table, record)
    comparison = replayed(ante_on_redeal=False)
    assert balances(comparison) == {"Anna": 60, "Beni": 0, "Carlo": -20, "Doris": -20, "Emil": -20}
    # With three antes each there were 300 in the pot.
    assert balances(comparison, old=True) == {"Anna": 140, "Beni": 40, "Carlo": -60, "Doris": -60, "Emil": -60}


@pytest.mark.django_db
def test_recorded_cards_are_checked_by_the_other_rules() -> None:
    table = create_table(seats=2)
    six = {
        "deal": {"hands": [["As", "Ks", "Qs", "Js"], ["6s", "Ah", "Kh", "Qh"]], "turned": ["7s"]},
        "calls": [[0, "chratze"], [1, "metcho"]],
        "rob": {"seat": 1},
        "play": [["As", "7s"], ["Ks", "Ah"], ["Qs", "Kh"], ["Js", "Qh"]],
    }
    enter(table, six)
    assert [each.clause for each in replayed(rob=False).left_out] == ["C4.5"]
    assert replayed().left_out == []


@pytest.mark.django_db
def test_a_passed_out_hand_is_passed_out_with_any_number_of_turned_cards() -> None:
    table = create_table(seats=2)
    cards = {"hands": [["As", "Ks", "Qs", "Js"], ["6s", "Ah", "Kh", "Qh"]], "turned": ["7d", "8d", "9d"]}
    enter(table, {"deal": cards, "calls": [[0, "weg"], [1, "weg"]] * 3})
    comparison = replayed(no_taker="redeal")
    assert (comparison.left_out, comparison.new_pots_minor) == ([], 40)


@pytest.mark.django_db
def test_a_season_of_kratzen_is_replayed_apart() -> None:
    table = create_table(seats=4, game="kratzen")
    enter(table, MUSS)  # P = 50: Carlo pays it; under a limit of 60 he pays 10.
    enter(table, FREE)  # P = 110, quarters of 25; under the limit P = 70, quarters of 15.
    chratze = create_table(club=table.evening.club, season=table.evening.season)
    enter(chratze, FAILED)
    comparison = replay.replay_season(Season.objects.get(), "kratzen", {"pot_limit": 60})
    assert balances(comparison, old=True) == {"Anna": -20, "Beni": 65, "Carlo": -60, "Doris": 5}
    assert balances(comparison) == {"Anna": -20, "Beni": 35, "Carlo": -20, "Doris": -5}
    assert (comparison.hands, comparison.old_pots_minor, comparison.new_pots_minor) == (2, 10, 10)


@pytest.mark.django_db
def test_merged_players_have_one_line() -> None:
    table = create_table(seats=3)
    club = table.evening.club
    enter(table, FAILED)
    hannes = PlayerFactory(club=club, nickname="Hannes")
    others = list(table.places.order_by("seat").values_list("player", flat=True))[1:]
    again = create_table(
        club=club, season=table.evening.season, players=[hannes, *Player.objects.filter(pk__in=others).order_by("pk")]
    )
    enter(again, FAILED)
    apart = balances(replayed(stake=50))
    merged = Player.objects.get(nickname="Anna")
    players_merge(club=club, player=hannes, main=merged, reason="one", actor=None)
    together = balances(replayed(stake=50))
    assert together == {"Anna": apart["Anna"] + apart["Hannes"], "Beni": apart["Beni"], "Carlo": apart["Carlo"]}


@pytest.mark.django_db
def test_a_replay_stores_nothing_and_reads_in_four_queries(django_assert_num_queries: Any) -> None:
    table = create_table()
    season = Season.objects.get()
    before = (Transfer.objects.count(), HouseRules.objects.count(), season.ledger_mark)
    for _hand in range(3):
        enter(table, FAILED)
    stored = Transfer.objects.count()
    with django_assert_num_queries(4):
        replay.replay_season(season, GAME, {"stake": 50})
    assert (Transfer.objects.count(), HouseRules.objects.count()) == (stored, before[1])


@pytest.mark.django_db
def test_a_pot_beyond_every_limit_ends_with_a_sentence() -> None:
    table = create_table(rules={"pot_limit": 20})
    # Without the limit each of these hands trebles the pot.
    for _hand in range(25):
        enter(table, {**FAILED, "made": [2]})
    comparison = replayed()
    assert [each.clause for each in comparison.left_out] == ["R1"]
    assert sum(balances(comparison).values()) + comparison.new_pots_minor == 0


@pytest.mark.django_db
def test_the_command_prints_both_balances() -> None:
    table = create_table()
    enter(table, FAILED)
    season, out = table.evening.season, StringIO()
    call_command("replay_rules", season.club.slug, season.slug, rules=json.dumps({"pot_limit": 100}), stdout=out)
    lines = {line[:30].strip(): line[30:].split() for line in out.getvalue().splitlines()}
    assert lines["Anna"] == ["−2.20", "−1.20", "+1.00"]
    assert lines["left in the pots"] == ["2.00", "1.00"]


@pytest.mark.django_db
@pytest.mark.parametrize("rules", ["x", "[]", '{"puur": 1}', '{"stake": 0.2}', "{"])
def test_the_command_refuses_with_a_sentence(rules: str) -> None:
    season = create_table().evening.season
    with pytest.raises(CommandError):
        call_command("replay_rules", season.club.slug, season.slug, rules=rules)
    with pytest.raises(CommandError, match="no season"):
        call_command("replay_rules", season.club.slug, "never")
