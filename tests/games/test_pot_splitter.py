"""The pot splitter: the evening is in its address, and any address gets a page."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import translation
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import engine
from engine import sample
from games.hands.tally import CHAIN_FIELDS
from games.offered import game_of
from games.pot_splitter.link import MOST_HANDS
from tests.page_forms import form_with
from tests.sizes import sized

NAMES = ["Anna", "Beni", "Carlo", "Doris", "Emil"]
PLAYERS = [("p", name) for name in NAMES]
ENTRY = {"role-0": "declarer", "role-1": "joiner", "role-2": "joiner"}


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


@pytest.fixture
def visitor() -> Client:
    return Client(headers={"accept-language": "en"})


def get(visitor: Client, *fields: tuple[str, str], **more: str) -> Any:
    return visitor.get("/calculator/?" + urlencode([*fields, *more.items()]))


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_it_needs_no_sign_in_and_no_query(visitor: Client) -> None:
    """No test of this file may use the database: a query fails it."""
    answer = visitor.get("/calculator/")
    assert answer.status_code == 200
    assert 'name="p"' in text(answer)
    assert get(visitor, *PLAYERS, h="d0-j12-m01").status_code == 200


def test_a_hand_that_is_paid_leads_to_a_new_address(visitor: Client) -> None:
    answer = get(visitor, *PLAYERS, ("dealer", "5"), do="enter", **ENTRY)
    assert answer.status_code == 302
    assert answer["Location"] == "/calculator/?p=Anna&p=Beni&p=Carlo&p=Doris&p=Emil&dealer=5&h=d0-j12-m012"
    page = visitor.get(answer["Location"])
    assert page.context["after"].pot_after_minor == 0
    assert [row.balance_minor for row in page.context["rows"]] == [40, -30, -30, -40, -40]
    assert [row.deals for row in page.context["rows"]] == [True, False, False, False, False]
    assert "<b>Anna</b> takes from the pot" in text(page)


def test_pot_and_dealer_are_carried_on(visitor: Client) -> None:
    page = get(visitor, *PLAYERS, ("pot", "1,5"), ("h", "x"), ("h", "d1-j2-m2"), ("h", "d3"))
    pots = [line["pot"] for line in page.context["lines"]]
    assert pots[1:] == [350, 250], "1.50 and the antes; once more the antes, as nobody declared"
    results = engine_evening(150, ["x", "d1-j2-m2", "d3"])
    assert pots == [result["pot"] for result in reversed(results)]
    assert sum(row.balance_minor for row in page.context["rows"]) == 150 - page.context["pot_minor"]
    assert page.context["pot_minor"] == results[-1]["pot_after"] + 100


def engine_evening(pot: int, codes: list[str]) -> list[dict[str, Any]]:
    """The same hands asked of the engine one by one."""
    dealer, deal_number, results = 0, 1, []
    for code in codes:
        start = {"game": "chratze", "seats": 5, "dealer": dealer, "deal_number": deal_number, "pot_before": pot}
        result = engine.replay(start | (game_of("chratze").records.splitter.decode(code) or {}))
        pot, dealer, deal_number = result["pot_after"], result["next"]["dealer"], result["next"]["deal_number"]
        results.append(result)
    return results


def test_undo_is_the_address_before(visitor: Client) -> None:
    page = get(visitor, *PLAYERS, ("h", "x"), ("h", "d3"))
    assert page.context["undo"].endswith("&p=Emil&h=x")
    assert visitor.get(page.context["undo"]).context["start"].number == 2


def test_it_shows_a_preview_of_the_hand(visitor: Client) -> None:
    page = get(visitor, *PLAYERS, do="show", **ENTRY)
    assert [line.amount_minor for line in page.context["preview"].lines] == [80, 10, 10]
    assert 'value="declarer" selected' in text(page)
    assert "data-accepted" in text(page)


def test_a_hand_against_the_rules_is_refused_with_a_sentence(visitor: Client) -> None:
    made = {f"made-{seat}": "no" for seat in range(3)}
    for do in ("show", "enter"):
        page = get(visitor, *PLAYERS, do=do, **ENTRY, **made)
        assert page.status_code == 200
        assert page.context["problem"].code == "R5"
    page = get(visitor, *PLAYERS, do="enter")
    assert "Who said chratze?" in text(page)


def test_house_rules_count_and_stay_in_the_address(visitor: Client) -> None:
    rules = [("stake", "0.50"), ("blinds", "none"), ("pot_limit", "10"), ("max_turns", "3"), ("ante_on_redeal", "no")]
    page = get(visitor, *PLAYERS, *rules)
    assert page.context["pot_minor"] == 250
    assert page.context["blinds"] == "none"
    assert page.context["here"].endswith("&stake=0.50&pot_limit=10&ante_on_redeal=no&blinds=none")
    assert visitor.get(page.context["here"]).context["start"] == page.context["start"]


def test_without_scripts_its_form_shows_a_preview_and_pays(visitor: Client) -> None:
    form = form_with(get(visitor, *PLAYERS, dealer="5"), "role-0")
    form.fill("role-0", "declarer")
    form.fill("role-1", "joiner")
    shown = form.submit(visitor, "Check first")
    assert "data-accepted" in text(shown)
    paid = form_with(shown, "role-0").submit(visitor, "Pay hand 1")
    assert paid.status_code == 302
    assert paid["Location"].endswith("&p=Emil&dealer=5&h=d0-j1-m01")


def test_a_dealer_may_be_blind(visitor: Client) -> None:
    assert 'data-blind="blind"' in text(get(visitor, *PLAYERS)), "the button of the page with scripts"
    answer = get(visitor, *PLAYERS, ("role-0", "declarer"), ("role-1", "joiner"), do="enter", blind="double")
    assert answer["Location"].endswith("&h=d0-b2-j1-m01")
    assert "C3.5" in text(get(visitor, *PLAYERS, ("role-1", "declarer"), do="show", blind="double"))


@pytest.mark.parametrize(
    ("fields", "content"),
    [
        ([("p", "Anna")], "Two to seven play Chratze"),
        ([("p", str(n)) for n in range(8)], "Two to seven play Chratze"),
        ([("p", "Anna"), ("p", "anna ")], "Two players have the same name."),
        ([*PLAYERS, ("dealer", "6")], "Nobody sits at the seat that deals first."),
        ([*PLAYERS, ("dealer", "9")], "Who deals first"),
        ([*PLAYERS, ("pot", "many")], "This is no amount"),
        ([*PLAYERS, ("pot", "٣")], "This is no amount"),
        ([*PLAYERS, ("stake", "0")], "There is no such house rule, or it cannot take this value."),
        ([*PLAYERS, ("pot_limit", "0.10")], "The limit of the pot is not below the stake"),
        ([*PLAYERS, ("rounding", "0.07")], "a multiple of the smallest coin"),
        ([*PLAYERS, ("blinds", "deaf")], "Blind"),
    ],
)
def test_an_impossible_evening_is_refused_with_a_sentence(
    visitor: Client, fields: list[tuple[str, str]], content: str
) -> None:
    page = get(visitor, *fields)
    assert page.status_code == 200
    assert 'role="alert"' in text(page)
    assert content in text(page)
    assert f'value="{fields[0][1]}"' in text(page), "what was typed stays"


def test_the_beginning_can_be_changed_with_everything_in_place(visitor: Client) -> None:
    page = visitor.get(get(visitor, *PLAYERS, ("stake", "0.50"), ("h", "x")).context["new_evening"])
    assert 'value="Emil"' in text(page)
    assert 'value="0.50"' in text(page)


def test_impossible_hands_are_left_out_with_a_sentence(visitor: Client) -> None:
    for code in ("d9", "d0-j12", "d0-j0-m0", "nonsense", "d0-d1", "x-d0", "j1", "d1-b1", ""):
        page = get(visitor, *PLAYERS, ("h", "x"), ("h", code), ("h", "x"))
        assert page.context["start"].number == 2, code
        assert "From hand 2 on" in text(page)


def test_a_pot_beyond_the_limit_ends_with_a_sentence(visitor: Client) -> None:
    page = get(visitor, *PLAYERS, *[("h", "d0-j1-m1")] * 100)
    assert page.context["left_out"] is not None


def test_an_address_holds_so_many_hands_and_no_more(visitor: Client) -> None:
    fields = [*PLAYERS, *[("h", "x")] * (MOST_HANDS + 5)]
    page = get(visitor, *fields, do="enter", **ENTRY)
    assert page.context["start"].number == MOST_HANDS + 1
    assert "This address cannot hold more hands." in text(page)
    fullest = [("p", "Ö" * 10)] + [("p", f"Maximiliana {n}") for n in range(6)] + [("h", "d6-b2-j012345-m01")] * 150
    assert len("/calculator/?" + urlencode(fullest)) < 4000, "servers take lines of four thousand characters"


def test_names_are_shown_as_names(visitor: Client) -> None:
    page = get(visitor, ("p", "<b>Anna</b>"), ("p", "A\0B"), ("p", "  Carlo   Zwei "), ("p", "N" * 99))
    assert [row.nickname for row in page.context["rows"]] == ["<b>Anna</b>", "Carlo Zwei", "N" * 40]
    assert "<b>Anna</b>" not in text(page)


@pytest.mark.parametrize(
    ("game", "record"),
    [
        ("chratze", {"declarer": None}),
        ("chratze", {"declarer": 6}),
        ("chratze", {"declarer": 0, "joiners": [1, 2], "made": [0, 2]}),
        ("chratze", {"declarer": 0, "joiners": [1], "made": []}),
        ("chratze", {"declarer": 4, "blind": "blind", "joiners": [3], "tricks": {"3": 0, "4": 4}}),
        ("chratze", {"declarer": 4, "blind": "double"}),
        ("kratzen", {"cuts": [["A", "7"], ["W", "x"], ["x"]], "declarer": 1, "game_type": "weiter-oder"}),
        ("kratzen", {"cuts": [["x"]], "seven": True, "declarer": 0, "joiners": [1, 2], "tricks": {"0": 2, "1": 2}}),
        ("kratzen", {"cuts": [["x"]], "declarer": None}),
        ("zwicken", {"cuts": ["x"], "players": []}),
        ("zwicken", {"cuts": ["A", "B", "x"], "players": [4]}),
        ("zwicken", {"players": [0, 5], "tricks": {"0": 3, "5": 0}, "seven_lost": 5}),
        ("zwicken", {"cuts": ["7", "x"], "tricks": {"1": 2, "2": 1}}),
    ],
)
def test_a_code_comes_back_as_its_record(game: str, record: dict[str, Any]) -> None:
    splitter = game_of(game).records.splitter
    assert splitter.decode(splitter.encode(record)) == record


@pytest.mark.parametrize("game", sorted(engine.GAMES))
def test_every_random_hand_comes_back_from_its_code(game: str) -> None:
    rng, splitter = random.Random(game), game_of(game).records.splitter
    for _number in range(200):
        full = sample.random_hand(rng, game=game)
        tally = sample.tally_of(full, engine.replay(full))
        sent = {name: value for name, value in tally.items() if name not in CHAIN_FIELDS}
        code = splitter.encode(sent)
        decoded = splitter.decode(code)
        assert decoded is not None
        start = {name: value for name, value in full.items() if name in CHAIN_FIELDS}
        assert engine.replay(start | decoded)["deltas"] == engine.replay(full)["deltas"], code


KEYS = st.sampled_from(
    "p h game dealer pot stake coin rounding pot_limit no_taker max_turns ante_on_redeal blinds susi do passed mode "
    "blind role-0 role-1 made-0 tricks-0 tricks-1 setup key number players cuts seven game_type unit split_over "
    "seven_muss remainder".split()
)
VALUES = st.text(max_size=12) | st.sampled_from(
    "Anna Beni x d0 d1 d0-j1-m1 d0-j1-t04 d0-j1-t0213 d0-b1 1 2 7 0.50 1,5 0 9999999 show enter declarer joiner made "
    "tricks both none forced yes no redeal blind double -1 4 ٣ on kratzen c-x cA-d0 c-d0-gs A7 W oder any".split()
)


@pytest.mark.sized
@settings(max_examples=sized(40, 150), suppress_health_check=[*HealthCheck])
@given(st.lists(st.tuples(KEYS, VALUES), max_size=25), st.booleans())
@example([("p", "\ud7ff\0"), ("p", "a"), ("p", "b"), ("h", "t"), ("do", "enter")], False)
def test_any_query_string_has_a_page(visitor: Client, fields: list[tuple[str, str]], named: bool) -> None:
    query = urlencode([*(PLAYERS if named else []), *fields], errors="replace")
    assert visitor.get(f"/calculator/?{query}").status_code in (200, 302)


@settings(max_examples=60, suppress_health_check=[*HealthCheck])
@given(st.binary(max_size=60))
def test_any_bytes_have_a_page(visitor: Client, junk: bytes) -> None:
    answer = visitor.get("/calculator/", QUERY_STRING="p=A&p=B&" + junk.decode("latin-1"))
    assert answer.status_code in (200, 302, 400)


def test_it_answers_only_get_and_head(visitor: Client) -> None:
    assert visitor.post("/calculator/").status_code == 405


KRATZEN = [("p", name) for name in NAMES[:4]] + [("game", "kratzen")]


def test_kratzen_begins_with_a_muss_in_which_all_play(visitor: Client) -> None:
    page = get(visitor, *KRATZEN)
    assert page.context["view"]["muss"] is True
    assert page.context["pot_minor"] == 50
    assert [row.entry.role for row in page.context["rows"]] == ["declarer", "joiner", "joiner", "joiner"]
    tricks = {"tricks-0": "2", "tricks-1": "2"}
    answer = get(visitor, *KRATZEN, do="enter", **tricks)
    assert answer["Location"].endswith("&h=c-d0-j123-t02122030")


def test_the_cuts_pass_the_pack_on_and_cost(visitor: Client) -> None:
    page = get(visitor, *KRATZEN, ("pot", "1"), ("h", "cAx-d2-gs-j3-t2331"))
    record = {"cuts": [["A", "x"], ["x"]], "declarer": 2, "game_type": "schlagen", "joiners": [3]}
    start = {"game": "kratzen", "seats": 4, "dealer": 0, "pot_before": 100}
    result = engine.replay(start | record | {"tricks": {"2": 3, "3": 1}})
    # A Muss is next: everybody has paid 0.10, the player with the pack twice.
    antes = [10, 10, 20, 10]
    sums = [delta - ante for delta, ante in zip(result["deltas"], antes, strict=True)]
    assert [row.balance_minor for row in page.context["rows"]] == sums
    assert [line.kind for line in page.context["after"].lines] == ["cut", "payout", "payout"]


def test_kratzen_names_the_missing_fields(visitor: Client) -> None:
    free = [*KRATZEN, ("pot", "1")]
    assert "Tap that player first" in text(get(visitor, *free, do="show"))
    assert get(visitor, *free, do="enter", passed="1")["Location"].endswith("&h=c-x")
    assert "The pot must be in whole coins." in text(get(visitor, *KRATZEN, ("pot", "0.07")))
    assert "three to six Kratzen" in text(get(visitor, *PLAYERS[:2], ("game", "kratzen")))
    rules = get(visitor, *KRATZEN, ("unit", "0.20"), ("split_over", "3"), ("seven_muss", "any"), ("stake", "9"))
    assert rules.context["here"].endswith("game=kratzen&unit=0.20&split_over=3&seven_muss=any")
    for rule, content in (
        ("unit", "The unit is a multiple"),
        ("split_over", "A pot is halved"),
        ("pot_limit", "eight coins"),
    ):
        assert content in text(get(visitor, *KRATZEN, (rule, "0.07")))
