"""The pages of the house rules: the contract, the change in two steps, the replay of a season, and invalid input."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.evening.house_rules import house_rules_set
from games.rules import replay
from league.models import HouseRules, Role
from tests.api.api_client import ApiClient, done, key_for
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED, MADE, WALKOVER, create_table, enter
from tests.page_forms import form_with

pytestmark = pytest.mark.django_db

FORM = {
    "stake": "0.20",
    "coin": "0.05",
    "rounding": "",
    "pot_limit": "",
    "no_taker": "turn",
    "max_turns": "3",
    "ante_on_redeal": "on",
    "blind": "both",
    "susi": "label",
    "rob": "on",
}


@pytest.fixture
def home() -> House:
    return cast().home


def url(home: House, name: str) -> str:
    return reverse(name, kwargs={"club": home.club.slug})


def words(answer: Any) -> str:
    main = answer.content.decode().split("<main", 1)[1]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", main)).replace("&#x27;", "'").strip()


def hidden(answer: Any, name: str) -> str:
    return re.findall(rf'name="{name}" value="([^"]*)"', answer.content.decode())[0]


# --- The contract ----------------------------------------------------------------------------------------


def test_the_contract_has_its_version_rules_and_situations(home: House) -> None:
    house_rules_set(club=home.club, game="chratze", values={"pot_limit": 600}, author=home.owner)
    content = words(reader(home.member).get(url(home, "rules")))
    assert "House rules version 1" in content
    assert "penalties raise it to CHF 6.00 at most" in content
    assert "The declarer and one joiner make it declarer +0.80 , a joiner +0.20 pot 1.00 → next pot 1.00" in content
    assert "Change the rules" not in content


def test_an_older_version_stays_readable(home: House) -> None:
    for stake in (20, 50):
        house_rules_set(club=home.club, game="chratze", values={"stake": stake}, author=home.owner)
    client = reader(home.member)
    older = words(client.get(url(home, "rules"), {"version": "1"}))
    assert "An older version; version 2 holds now." in older
    assert "0.20 each, every hand" in older
    assert "0.50 each, every hand" in words(client.get(url(home, "rules")))


def test_an_evening_links_the_version_that_it_keeps(home: House) -> None:
    table = create_table(club=home.club, season=home.season)
    house_rules_set(club=home.club, game="chratze", values={"stake": 50}, author=home.owner)
    evening = reverse("evening", kwargs={"club": home.club.slug, "evening": table.evening_id})
    link = f'href="{url(home, "rules")}?game=chratze&amp;version=1"'
    assert link in reader(home.member).get(evening).content.decode()
    # The rules are in francs: a reader without the right gets no link.
    assert "/rules/" not in Client().get(evening).content.decode()


@pytest.mark.parametrize("version", ["3", "0", "-1", "x", "", "²", "9" * 400, "1 OR 1=1"])
def test_an_unknown_version_is_not_found(home: House, version: str) -> None:
    assert reader(home.member).get(url(home, "rules"), {"version": version}).status_code == 404


@pytest.mark.parametrize("versions", [1, 12])
def test_the_contract_has_a_fixed_number_of_queries(home: House, versions: int, django_assert_num_queries: Any) -> None:
    for stake in range(versions):
        house_rules_set(club=home.club, game="chratze", values={"stake": 10 + 5 * stake}, author=home.owner)
    client = reader(home.member)
    with django_assert_num_queries(6):
        client.get(url(home, "rules"))


# --- The next version ------------------------------------------------------------------------------------


def test_a_change_is_shown_before_it_is_stored(home: House) -> None:
    create_table(club=home.club, season=home.season)
    client = reader(home.owner)
    form = client.get(url(home, "rules-change"))
    sent = FORM | {"follows": hidden(form, "follows"), "susi": "forced"}
    shown = client.post(url(home, "rules-change"), sent)
    content = words(shown)
    assert "version 1 declarer +1.00 · the last one asked is the Susi" in content
    assert "version 2, new Not allowed." in content
    assert HouseRules.objects.count() == 1
    sent |= {"key": hidden(shown, "key"), "confirm": "1"}
    for _twice in range(2):
        stored = client.post(url(home, "rules-change"), sent, follow=True)
        assert "whoever is asked last must join if nobody else has" in words(stored)
    newest = HouseRules.objects.get(version=2)
    assert (newest.values, newest.author) == ({"susi": "forced"}, home.owner)


def test_the_forms_of_an_owner_change_and_replay_a_rule(home: House) -> None:
    table = create_table(club=home.club, season=home.season)
    for record in (MADE, FAILED):
        enter(table, record)
    client = reader(home.owner)
    link = f"{url(home, 'rules-change')}?game=chratze"
    assert f'href="{link}"' in client.get(url(home, "rules")).content.decode()
    form = form_with(client.get(link), "pot_limit")
    form.fill("pot_limit", "6.00")
    shown = form.submit(client, "Show what changes")
    assert re.findall(r'class="situation differs" id="([^"]+)"', shown.content.decode()) == ["case-limit"]
    stored = form_with(shown, "follows").submit(client, "Agree on version 2")
    assert stored.headers["Location"] == f"{url(home, 'rules')}?game=chratze"
    assert HouseRules.objects.get(version=2).values == {"pot_limit": 600}
    form = form_with(client.get(url(home, "rules-replay")), "pot_limit")
    form.fill("pot_limit", "1.00")
    assert 'id="result"' in form.submit(client, "Replay").content.decode()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("stake", "0", "Write an amount above 0, such as 0.20."),
        ("stake", "12345678901", "Write a smaller amount."),
        ("stake", "", "Write an amount above 0, such as 0.20."),
        ("stake", "0.205", "Write an amount above 0, such as 0.20."),
        ("coin", "-5", "Write an amount above 0, such as 0.20."),
        ("rounding", "0.12", "It must be a multiple of the smallest coin, CHF\xa00.05."),
        ("pot_limit", "0.15", "It cannot be below the stake, CHF\xa00.20."),
        ("pot_limit", "1e9", "Write an amount above 0, such as 0.20."),
    ],
)
def test_a_refused_value_has_a_sentence_at_its_field(home: House, name: str, value: str, sentence: str) -> None:
    answer = reader(home.owner).post(url(home, "rules-change"), FORM | {name: value, "follows": "1"})
    assert answer.status_code == 422
    at_field = re.search(rf'<div id="{name}-help">(.*?)</div>', answer.content.decode(), re.DOTALL)
    assert at_field
    assert sentence in at_field[1]
    assert HouseRules.objects.count() == 0


@pytest.mark.parametrize(
    ("typed", "minor"), [("0.5", 50), ("1,20", 120), ("2", 200), ("1’000.00", 100_000), (" .", None)]
)
def test_amounts_are_read_as_people_write_them(home: House, typed: str, minor: int | None) -> None:
    client = reader(home.owner)
    sent = FORM | {"stake": typed, "follows": "1", "key": str(uuid.uuid4()), "confirm": "1"}
    answer = client.post(url(home, "rules-change"), sent)
    assert answer.status_code == (303 if minor else 422)
    if minor:
        assert HouseRules.objects.get(version=2).values == {"stake": minor}


def test_an_outdated_change_shows_the_newest_version_first(home: House) -> None:
    house_rules_set(club=home.club, game="chratze", values={"stake": 50}, author=home.owner)
    house_rules_set(club=home.club, game="chratze", values={"stake": 30}, author=home.owner)
    sent = FORM | {"follows": "1", "key": str(uuid.uuid4()), "confirm": "1"}
    answer = reader(home.owner).post(url(home, "rules-change"), sent)
    assert answer.status_code == 409
    assert "Somebody changed the house rules meanwhile." in words(answer)
    assert hidden(answer, "follows") == "2"


def test_a_change_of_nothing_is_refused_with_a_sentence(home: House) -> None:
    answer = reader(home.owner).post(url(home, "rules-change"), FORM | {"follows": "1"})
    assert answer.status_code == 422
    assert "These are the house rules of version 1; nothing changes." in words(answer)


JUNK = ["", "x", "\x00", "²", "9" * 300, "-1", "1e400", "NaN", "' OR 1=1 --", "🂡"]


@pytest.mark.parametrize("junk", JUNK)
def test_invalid_input_is_refused_with_a_sentence(home: House, junk: str) -> None:
    client = reader(home.owner)
    for name in (*FORM, "follows", "key"):
        for more in ({}, {"confirm": "1"}):
            sent = FORM | {"susi": "off", "follows": "1", "key": str(uuid.uuid4())} | {name: junk} | more
            assert client.post(url(home, "rules-change"), sent).status_code in (200, 303, 409, 422)
    for name in (*FORM, "season"):
        assert client.get(url(home, "rules-replay"), FORM | {name: junk}).status_code in (200, 422)


KRATZEN = {
    "game": "kratzen",
    "unit": "0.10",
    "coin": "0.05",
    "pot_limit": "",
    "split_over": "",
    "must_beat": "trumps",
    "remainder": "pot",
    "seven_muss": "deal",
    "last_word": "on",
    "open_trumps": "on",
}


def test_kratzen_has_a_contract_of_its_own(home: House) -> None:
    client = reader(home.owner)
    sent = KRATZEN | {"follows": "1", "key": str(uuid.uuid4()), "remainder": "declarer"}
    shown = words(client.post(url(home, "rules-change"), sent))
    assert "version 2, new declarer +0.65 , a joiner +0.50 · then a Muss" in shown
    assert client.post(url(home, "rules-change"), sent | {"confirm": "1"}).status_code == 303
    assert HouseRules.objects.get(game="kratzen", version=2).values == {"remainder": "declarer"}
    assert not HouseRules.objects.filter(game="chratze").exists()
    content = words(client.get(url(home, "rules"), {"game": "kratzen"}))
    assert "Remainder goes to the declarer" in content


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("unit", "0.12", "It must be a multiple of the smallest coin, CHF\xa00.05, and two of it at least."),
        ("pot_limit", "0.35", "It must be eight of the smallest coin at least, CHF\xa00.40."),
        ("split_over", "0.35", "It must be eight of the smallest coin at least, CHF\xa00.40."),
    ],
)
def test_a_refused_value_of_kratzen_has_a_sentence_at_its_field(
    home: House, name: str, value: str, sentence: str
) -> None:
    answer = reader(home.owner).post(url(home, "rules-change"), KRATZEN | {name: value})
    assert answer.status_code == 422
    at_field = re.search(rf'<div id="{name}-help">(.*?)</div>', answer.content.decode(), re.DOTALL)
    assert at_field
    assert sentence in at_field[1]


@pytest.mark.parametrize("name", ["rules", "rules-change", "rules-replay"])
def test_an_unknown_game_is_not_found(home: House, name: str) -> None:
    assert reader(home.owner).get(url(home, name), {"game": "jass"}).status_code == 404


# --- A season under other rules --------------------------------------------------------------------------


def test_a_season_is_replayed_side_by_side(home: House) -> None:
    table = create_table(club=home.club, season=home.season)
    for record in (FAILED, MADE, WALKOVER):
        enter(table, record)
    client = reader(home.owner)
    content = words(client.get(url(home, "rules-replay"), FORM | {"pot_limit": "1.00", "susi": "forced"}))
    assert "Anna 3 +0.40 0.00 −0.40" in content
    assert "1 hand is impossible under these rules and left out" in content
    assert "For instance: evening 1, hand 3" in content


def test_a_replay_in_which_the_pot_runs_away_warns_before_it_shows_the_figures(home: House) -> None:
    table = create_table(club=home.club, season=home.season, rules={"pot_limit": 200})
    for _hand in range(8):
        enter(table, FAILED)
    client = reader(home.owner)
    where = url(home, "rules-replay")
    warned = client.get(where, FORM)
    content = words(warned)
    assert "The pot runs away" in content
    assert "the highest pot of this season was CHF 3.00" in content
    assert "left in the pots" not in content
    onward = re.findall(r'href="([^"]*anyway=1[^"]*)"', warned.content.decode())[0].replace("&amp;", "&")
    assert "left in the pots" in words(client.get(where + onward.partition("#")[0]))
    asked = {"game": "chratze", "values": {"pot_limit": None}}
    api, replays = ApiClient(key=key_for(home.owner)), f"clubs/{home.club.slug}/seasons/{home.season.slug}/replay"
    got = done(api.post(replays, asked, key="", Accept_Language="en"))
    assert got["warning"]["code"] == "pot_runs_away"
    assert " ".join(got["warning"]["sentence"].split()) in content
    assert got["old_highest_pot_minor"] == 300
    assert got["new_highest_pot_minor"] > replay.RUNS_AWAY * 300
    asked["values"] = {"pot_limit": 2000}
    assert done(api.post(replays, asked, key=""))["warning"] is None
    limited = words(client.get(where, FORM | {"pot_limit": "20.00"}))
    assert "The pot runs away" not in limited
    assert "left in the pots" in limited


def test_a_higher_stake_is_no_pot_that_runs_away(home: House) -> None:
    table = create_table(club=home.club, season=home.season)
    for _hand in range(3):
        enter(table, FAILED)
    content = words(reader(home.owner).get(url(home, "rules-replay"), FORM | {"stake": "100.00", "rounding": "100.00"}))
    assert "The pot runs away" not in content


def test_a_change_shows_the_changed_rules_and_folds_the_rest(home: House) -> None:
    client = reader(home.owner)
    form = client.get(url(home, "rules-change"))
    page = client.post(url(home, "rules-change"), FORM | {"follows": hidden(form, "follows"), "susi": "forced"})
    shown, folded = re.sub(r"<details.*?</details>", "", page.content.decode(), flags=re.DOTALL), page.content.decode()
    for name, count in (('id="rule-', 1), ('id="case-', 2)):
        assert shown.count(name) <= count < folded.count(name)
    content = words(page)
    assert "6 rules stay as they are" in content
    assert re.search(r"\d+ situations come to the same", content)


@pytest.mark.parametrize("hands", [1, 9])
def test_a_replay_has_a_fixed_number_of_queries(home: House, hands: int, django_assert_num_queries: Any) -> None:
    table = create_table(club=home.club, season=home.season)
    for _hand in range(hands):
        enter(table, FAILED)
    client = reader(home.owner)
    with django_assert_num_queries(11):
        client.get(url(home, "rules-replay"), FORM | {"stake": "0.50"})


def test_a_season_without_a_hand_of_the_game_shows_a_sentence(home: House) -> None:
    content = words(reader(home.owner).get(url(home, "rules-replay"), KRATZEN))
    assert "No hand in this season" in content


def test_a_foreign_season_is_not_replayed(home: House) -> None:
    table = create_table(club=home.club, season=home.season)
    enter(table, FAILED)
    answer = reader(home.owner).get(url(home, "rules-replay"), FORM | {"season": "sternen-only"})
    assert answer.context["season"] == home.season


def test_a_club_without_a_season_shows_a_sentence(home: House) -> None:
    home.season.delete()
    assert "There is nothing to replay." in words(reader(home.owner).get(url(home, "rules-replay"), FORM))


@pytest.mark.parametrize("role", [role for role in Role.values if role != Role.OWNER])
def test_only_owners_change_and_replay(home: House, role: str) -> None:
    client = reader(home.person(role))
    assert client.get(url(home, "rules-change")).status_code == 403
    assert client.get(url(home, "rules-replay")).status_code == 403


def test_the_contract_opens_with_the_game_that_the_club_played_last(home):
    create_table(club=home.club, season=home.season, seats=4, game="kratzen")
    page = reader(home.owner).get(reverse("rules", kwargs={"club": home.club.slug}))
    assert page.context["contract"].name == "kratzen"
