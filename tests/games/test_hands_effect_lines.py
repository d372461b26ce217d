"""The house rules that changed the amounts of a hand are named wherever the amounts stand, with a link to the rule."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from games.closing.receipts import token_for
from games.evening.rule_sentences import RULE_KEYS
from games.models import Table
from games.offered import game_of
from games.rules import contracts
from league.models import Club
from tests.api.api_client import ApiClient, at, done, key_for
from tests.cast import House
from tests.clients import reader
from tests.factories import MUSS, PlayerFactory, body, create_table, enter

from .test_closing_views import closed
from .test_kratzen import entry
from .test_table_views import url

pytestmark = pytest.mark.django_db

HALVED = {"split_over": 100, "pot_limit": 150}
# The pot is 1.10 with the ante of the pack, so the hand is played for 0.55; the penalty would raise the pot to 1.80.
HAND = {"cuts": [["x"]], "game_type": "schlagen", "declarer": 0, "joiners": [2], "tricks": {"0": 1, "2": 3}}
SAID = ("played for 0.55", "remainder 0.15 stays", "reduced: limit 1.50")


@pytest.fixture
def table(home: House) -> Table:
    home.club.publishes_money = True
    home.club.save()
    table = create_table(club=home.club, season=home.season, seats=4, game="kratzen", rules=HALVED)
    enter(table, MUSS)
    return table


def effects(answer: Any) -> list[tuple[str, str]]:
    """The texts of the effects on a page, each with the address of its rule."""
    page = answer.content.decode()
    lines = re.findall(r'<p class="[^"]*effects[^"]*">(.*?)</p>', page, re.DOTALL)
    return [(text, where) for line in lines for where, text in re.findall(r'<a href="([^"]+)">([^<]+)</a>', line)]


def expected(table: Table) -> list[tuple[str, str]]:
    rules = f"/c/roessli/rules/?game=kratzen&amp;version={table.evening.house_rules.version}"
    return [(SAID[0], f"{rules}#rule-pot"), (SAID[1], f"{rules}#rule-remainder"), (SAID[2], f"{rules}#rule-pot")]


def test_preview_saved_screen_and_correction_name_half_remainder_and_limit(recorder: Client, table: Table) -> None:
    sent = entry(table, roles="d-j-", tricks="1-3-")
    preview = recorder.post(url(table, "preview/"), sent, headers={"hx-request": "true"})
    assert effects(preview) == expected(table)
    enter(table, HAND)
    assert effects(recorder.get(url(table, "h/2/"))) == expected(table)
    changed = sent | {"step": "preview", "tricks-0": "0", "tricks-2": "4"}
    plan = recorder.post(url(table, "h/2/edit/"), changed)
    assert effects(plan) == expected(table) * 2, "before and after"
    look = recorder.post(url(table, "h/2/edit/"), changed | {"step": "look"}, headers={"hx-request": "true"})
    assert effects(look) == expected(table)


def test_the_typed_line_names_them_too(recorder: Client, table: Table) -> None:
    sent = {"lines": "1:1 3:3", "number": "2", "key": "0" * 32, "players": entry(table, roles="")["players"]}
    preview = recorder.post(url(table, "type/preview/"), sent, headers={"hx-request": "true"})
    assert effects(preview) == expected(table)


def test_a_reader_of_the_history_sees_them_with_the_amounts_and_without_the_rules(table: Table, home: House) -> None:
    enter(table, HAND)
    history = url(table, "h/2/history/")
    visitor = Client(headers={"accept-language": "en"}).get(history).content.decode()
    assert all(said in visitor for said in SAID)
    assert "rules/?game" not in visitor
    assert effects(reader(home.member).get(history)) == expected(table)
    Club.objects.update(publishes_money=False)
    hidden = Client(headers={"accept-language": "en"}).get(history).content.decode()
    assert not any(said in hidden for said in SAID)


def test_the_receipt_names_them_for_those_who_played_and_has_the_rules_itself(table: Table) -> None:
    enter(table, HAND)
    closing = closed(table)
    players = list(table.places.order_by("seat").values_list("player_id", flat=True))
    played, watched = (
        Client(headers={"accept-language": "en"}).get(f"/r/{token_for(closing.receipt.pk, players[seat])}/")
        for seat in (0, 1)
    )
    where = played.request["PATH_INFO"]
    line = re.findall(r'<span class="effects[^>]*>(.*?)</span>', played.content.decode(), re.DOTALL)
    assert [re.findall(r'href="([^"]+)">([^<]+)<', each) for each in line] == [
        [(f"{where}#rule-pot", SAID[0]), (f"{where}#rule-remainder", SAID[1]), (f"{where}#rule-pot", SAID[2])]
    ]
    assert re.findall(r'id="rule-(\w+)"', played.content.decode()) == ["remainder", "pot"]
    assert "rule-pot" not in watched.content.decode()


def test_the_pot_splitter_names_them_with_a_link_to_its_rules(db: None) -> None:
    evening = "/calculator/?p=Anna&p=Beni&p=Carlo&p=Doris&dealer=4"
    page = Client(headers={"accept-language": "en"}).get(f"{evening}&h=d0-j1-m01")
    ((said, where),) = effects(page)
    assert said == "two thirds rounded to 0.60"
    assert where.startswith("/calculator/?p=Anna")
    assert where.endswith("setup=1#rule-rounding")


CODES = [
    ("half", 55, None, "pot", SAID[0]),
    ("remainder", 15, None, "remainder", SAID[1]),
    ("limit", 150, None, "pot", SAID[2]),
]


def read(hand: dict[str, Any]) -> list[tuple[Any, ...]]:
    fields = ("code", "amount_minor", "seat", "rule", "sentence")
    return [tuple(effect[name] for name in fields) for effect in hand["effects"]]


def test_programs_read_them_in_every_answer_with_a_hand(home: House, table: Table) -> None:
    api = ApiClient(key=key_for(home.recorder))
    preview = api.post(at(table, "/hands/preview"), {"record": HAND}, Accept_Language="en")
    assert read(done(preview)["hand"]) == CODES
    typed = {"lines": ["1:1 3:3"], "number": 2}
    [line] = done(api.post(at(table, "/typed-lines/preview"), typed, Accept_Language="en"))["lines"]
    assert read(line) == CODES
    assert read(done(api.post(at(table, "/hands"), body(table, HAND), Accept_Language="en"))["hand"]) == CODES
    for path in ("/hands/2", "/hands/2/cash", "/hands", "/hands/2/history"):
        got = done(api.get(at(table, path), Accept_Language="en"))
        hand = got["items"][0] if "items" in got else got
        assert read(hand.get("hand") or hand.get("after") or hand) == CODES, path
    other = {**HAND, "tricks": {"0": 0, "2": 4}}
    change = {"kind": "changed", "number": 2, "players": body(table, HAND)["players"], "record": other}
    [planned] = done(api.post(at(table, "/corrections/preview"), change, Accept_Language="en"))["hands"]
    assert read(planned["before"]) == CODES
    assert [effect["code"] for effect in planned["after"]["effects"]] == ["half", "remainder", "limit"]
    german = done(api.get(at(table, "/hands/2"), Accept_Language="de"))["effects"]
    assert [effect["code"] for effect in german] == [code for code, *_ in CODES]
    assert "0.55" in german[0]["sentence"]
    assert german[0]["sentence"] != SAID[0]


def test_an_answer_names_the_receiver_of_the_remainder_and_no_rule_without_effect(home: House) -> None:
    api = ApiClient(key=key_for(home.recorder))
    players = [PlayerFactory(club=home.club, nickname=name) for name in ("Anna", "Beni", "Carlo", "Doris", "Emil")]
    table = create_table(club=home.club, season=home.season, players=players, rules={"rounding": 10, "coin": 10})
    enter(table, {"declarer": 0, "joiners": [1, 2], "made": [0, 1, 2]})
    got = done(api.get(at(table, "/hands/1"), Accept_Language="en"))["effects"]
    assert [(effect["code"], effect["amount_minor"], effect["seat"]) for effect in got] == [
        ("rounding", 70, None), ("remainder", 10, 0),
    ]  # fmt: skip


def test_a_program_without_the_amounts_reads_none(home: House, table: Table) -> None:
    enter(table, HAND)
    assert read(done(ApiClient().get(at(table, "/hands/2"), Accept_Language="en"))) == CODES
    Club.objects.update(publishes_money=False)
    assert done(ApiClient().get(at(table, "/hands/2")))["effects"] is None


def test_exact_shares_name_no_rule(recorder: Client, home: House) -> None:
    players = [PlayerFactory(club=home.club) for _ in range(3)]
    table = create_table(club=home.club, season=home.season, players=players)
    enter(table, {"declarer": 0, "joiners": [1], "made": [0, 1]})
    assert effects(recorder.get(url(table, "h/1/"))) == []
    api = ApiClient(key=key_for(home.recorder))
    assert done(api.get(at(table, "/hands/1")))["effects"] == []


@pytest.mark.parametrize(
    ("game", "keys"),
    [("chratze", {"rounding", "pot"}), ("kratzen", {"remainder", "pot"}), ("zwicken", {"remainder", "pot"})],
)
def test_the_page_of_the_rules_has_the_places_of_the_links(home: House, game: str, keys: set[str]) -> None:
    page = reader(home.member).get(f"/c/roessli/rules/?game={game}").content.decode()
    assert keys <= set(re.findall(r'id="rule-(\w+)"', page))
    contract = game_of(game).texts.contract
    rules = contracts.effective(game, {})
    assert len(RULE_KEYS[game]) == len(contract.clauses(rules, "CHF")) == len(set(RULE_KEYS[game]))
