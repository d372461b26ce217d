"""A hand as one typed line: reading lines, and reading back every hand that was written as one."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import sample
from games import engine_bridge
from games.paper import sheet_code
from games.paper.line_notation import Misread, read_line, short_names, write_line

NAMES = ("Anna", "Beni", "Carlo", "Doris")
CHRATZE = engine_bridge.Start(7, "chratze", {}, 4, 3, 1, 100)
FREE = engine_bridge.Start(7, "kratzen", {}, 4, 3, 1, 100)
MUSS = replace(FREE, pot_before=0)
ZWICKEN = engine_bridge.Start(7, "zwicken", {}, 4, 3, 1, 90)
FORCED = replace(ZWICKEN, pot_before=0)


def record(line: str, start: engine_bridge.Start = CHRATZE, names: tuple[str, ...] = NAMES) -> dict[str, Any]:
    return read_line(line, start, names).record


def misread(line: str, start: engine_bridge.Start = CHRATZE, names: tuple[str, ...] = NAMES) -> tuple[str, str]:
    with pytest.raises(Misread) as caught:
        read_line(line, start, names)
    return caught.value.word, caught.value.sentence


# --- Chratze ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("b a d-", {"declarer": 1, "joiners": [0, 3], "made": [0, 1]}),
        ("2 1 4-", {"declarer": 1, "joiners": [0, 3], "made": [0, 1]}),
        ("Beni, ANNA, Doris!", {"declarer": 1, "joiners": [0, 3], "made": [0, 1]}),
        ("beni– doris anna", {"declarer": 1, "joiners": [0, 3], "made": [0, 3]}),
        ("b", {"declarer": 1, "joiners": []}),
        ("d*", {"declarer": 3, "joiners": [], "blind": "blind"}),
        ("d** a-", {"declarer": 3, "joiners": [0], "made": [3], "blind": "double"}),
        ("d-** a", {"declarer": 3, "joiners": [0], "made": [0], "blind": "double"}),
        ("b:2 a:1 c", {"declarer": 1, "joiners": [0, 2], "tricks": {"0": 1, "1": 2, "2": 1}}),
        ("2.4 1 3", {"declarer": 1, "joiners": [0, 2], "tricks": {"0": 0, "1": 4, "2": 0}}),
        ("0", {"declarer": None}),
        ("-", {"declarer": None}),
    ],
)
def test_a_line_of_chratze(line, said):
    assert record(line) == said


def test_the_number_is_first_and_the_pot_last():
    line = read_line("7. b a =2.40", CHRATZE, NAMES)
    assert (line.number, line.pot_minor, line.record["declarer"]) == (7, 240, 1)
    assert read_line("b a", CHRATZE, NAMES).pot_minor is None


@pytest.mark.parametrize(
    ("typed", "minor"), [("=0", 0), ("=3", 300), ("=.6", 60), ("= 2,40", 240), ("=1’234.5", 123450), ("=1'000", 100000)]
)
def test_the_pot_is_in_francs_as_people_write_them(typed, minor):
    assert read_line(f"b a {typed}", CHRATZE, NAMES).pot_minor == minor


@pytest.mark.parametrize(
    ("line", "word", "part"),
    [
        ("", "", "names nobody"),
        ("7.", "", "names nobody"),
        ("8. b a", "8.", "hand 7 is next"),
        ("x a", "x", "nobody here has this name"),
        ("b 5", "5", "no seat 5"),
        ("b 0", "0", "stands alone"),
        ("b a?", "a?", "“?” means nothing here"),
        ("b a--", "a--", "says the same thing twice"),
        ("b a:12", "a:12", "“2” means nothing here"),
        ("b a/7", "a/7", "“/7” means nothing here"),
        ("b beni", "beni", "Beni is named twice"),
        ("b a* c", "a*", "comes first"),
        ("b:2 a- c", "a-", "not both"),
        ("b-", "b-", "nothing was played"),
        ("b:4", "b:4", "nothing was played"),
        ("b:1 a c", "", "3 tricks are still to be assigned"),
        ("b/o a", "b/o", "nobody calls oder"),
        ("=2.40 b a", "=2.40", "the pot comes last"),
        ("b a =", "=", "written as an amount"),
        ("b a =2.405", "=2.405", "written as an amount"),
        ("b a =-2", "=-2", "written as an amount"),
        ("<A7 b a", "<A7", "comes first"),
        ("b " * 101, "", "more than 200 characters"),
    ],
)
def test_a_misread_line_names_the_wrong_word(line, word, part):
    wrong_word, sentence = misread(line)
    assert wrong_word == word
    assert part in sentence


# --- Names -----------------------------------------------------------------------------------------------


def test_a_unique_beginning_of_a_name_is_enough():
    names = ("Anna", "Anna-Maria", "Ann", "Ännchen", "7up", "42", "…")
    assert short_names(names) == ("anna", "annam", "ann", "annc", "7u", "6", "7")
    start = replace(CHRATZE, seats=7)
    for seat, word in enumerate(short_names(names)):
        assert record(word, start, names) == {"declarer": seat, "joiners": []}
    wrong_word, sentence = misread("an", start, names)
    assert wrong_word == "an"
    assert "Anna, Anna-Maria, Ann, Ännchen" in sentence


def test_two_players_of_one_name_are_named_by_their_seats():
    assert short_names(("Jo", "jó", "Max", "Moritz")) == ("1", "2", "ma", "mo")


@given(st.lists(st.text(min_size=1, max_size=12), min_size=2, max_size=7, unique=True))
def test_every_seat_has_a_unique_short_name(names):
    start = replace(CHRATZE, seats=len(names), dealer=0)
    for seat, word in enumerate(short_names(names)):
        assert read_line(word, start, names).record["declarer"] == seat


# --- Kratzen ---------------------------------------------------------------------------------------------


NO_CUT = {"cuts": [["x"]]}


@pytest.mark.parametrize(
    ("start", "line", "said"),
    [
        (
            FREE,
            "b:2 a:1 d",
            {"declarer": 1, "joiners": [0, 3], "game_type": "schlagen", "tricks": {"0": 1, "1": 2, "3": 1}},
        ),
        (FREE, "2/o:3 4", {"declarer": 1, "joiners": [3], "game_type": "oder", "tricks": {"1": 3, "3": 1}}),
        (FREE, "b:4/w 4", {"declarer": 1, "joiners": [3], "game_type": "weiter-oder", "tricks": {"1": 4, "3": 0}}),
        (FREE, "b", {"declarer": 1, "joiners": [], "game_type": "schlagen"}),
        (FREE, "0", {"declarer": None}),
        (MUSS, "2.2 4.2", {"declarer": 3, "joiners": [0, 1, 2], "tricks": {"0": 0, "1": 2, "2": 0, "3": 2}}),
        (MUSS, "1:1 2", {"declarer": 3, "joiners": [0, 1, 2], "tricks": {"0": 1, "1": 3, "2": 0, "3": 0}}),
        (
            FREE,
            "/7 b:2 c:2",
            {"declarer": 3, "joiners": [0, 1, 2], "seven": True, "tricks": {"0": 0, "1": 2, "2": 2, "3": 0}},
        ),
    ],
)
def test_a_line_of_kratzen(start, line, said):
    assert record(line, start) == NO_CUT | said


def test_the_cuts_move_the_pack_before_a_muss():
    said = record("<ax 1:2 2:2", MUSS)
    assert (said["cuts"], said["declarer"]) == ([["A", "x"], ["x"]], 0)
    assert record("1:2 <7Wx 2:2", MUSS)["cuts"] == [["7", "W"], ["x"]]


def test_the_caller_stays_declarer_under_that_house_rule():
    rules = {"seven_muss": "any"}
    said = record("/7 b/w:1 a:1 c:2", replace(FREE, rules=rules))
    assert (said["declarer"], said["game_type"], said["joiners"]) == (1, "weiter-oder", [0, 2, 3])
    assert misread("/7 b/w:1 a:1 c:2", FREE)[0] == "b/w:1"


@pytest.mark.parametrize(
    ("start", "line", "word", "part"),
    [
        (FREE, "b- a", "b-", "tricks are counted"),
        (FREE, "b* a:1", "b*", "nobody plays blind"),
        (FREE, "b:2 a/o:1 c", "a/o:1", "belongs to who plays"),
        (FREE, "b:2 a c", "", "2 tricks are still to be assigned"),
        (FREE, "<A b:2 a", "<A", "bottom of the pack"),
        (FREE, "<Q b:2 a", "<Q", "a cut shows"),
        (FREE, "< b:2 a", "<", "a cut shows"),
        (FREE, "<Ax <7x b:2 a", "<7x", "one word"),
        (FREE, "/7", "", "names nobody"),
        (FREE, "/7 0", "0", "stands alone"),
        (MUSS, "b/o:2 a:2", "b/o:2", "in a Muss nobody calls"),
        (MUSS, "b:1 a:1", "", "2 tricks are still to be assigned"),
    ],
)
def test_a_misread_line_of_kratzen_names_the_wrong_word(start, line, word, part):
    wrong_word, sentence = misread(line, start)
    assert wrong_word == word
    assert part in sentence


# --- Zwicken ---------------------------------------------------------------------------------------------


PLAIN = {"cuts": ["x"]}


@pytest.mark.parametrize(
    ("start", "line", "said"),
    [
        (ZWICKEN, "b:2 a:1 d", {"players": [0, 1, 3], "tricks": {"0": 1, "1": 2, "3": 0}}),
        (ZWICKEN, "4 2:3", {"players": [1, 3], "tricks": {"1": 3, "3": 0}}),
        (ZWICKEN, "b:2/b a", {"players": [0, 1], "tricks": {"0": 1, "1": 2}, "seven_lost": 1}),
        (ZWICKEN, "b", {"players": [1]}),
        (ZWICKEN, "0", {"players": []}),
        (FORCED, "2.2 4", {"tricks": {"1": 2, "3": 1}}),
        (FORCED, "a:3 c:0/b", {"tricks": {"0": 3, "2": 0}, "seven_lost": 2}),
    ],
)
def test_a_line_of_zwicken(start, line, said):
    assert record(line, start) == PLAIN | said
    complete, _differs = engine_bridge.complete(start, record(line, start))
    assert engine_bridge.replay(complete)["ok"]


def test_each_cut_of_zwicken_shows_one_card():
    assert record("<a7b 1:3 2", ZWICKEN)["cuts"] == ["A", "7", "B", "x"]
    assert record("1:3 2 <Bx", ZWICKEN)["cuts"] == ["B", "x"]
    assert "cuts" not in record("1:3 2", replace(ZWICKEN, rules={"cut_moves": False}))


@pytest.mark.parametrize(
    ("start", "line", "word", "part"),
    [
        (ZWICKEN, "b- a", "b-", "tricks are counted"),
        (ZWICKEN, "b* a:1", "b*", "nobody plays blind"),
        (ZWICKEN, "b/o:2 a", "b/o:2", "“/o:2” means nothing here"),
        (ZWICKEN, "b:1 a c", "", "2 tricks are still to be assigned"),
        (ZWICKEN, "b:2/b a/b", "a/b", "only one player can lose"),
        (ZWICKEN, "<W b:2 a", "<W", "a cut shows"),
        (ZWICKEN, "<A <7 b:2 a", "<7", "one word"),
        (ZWICKEN, "<A", "", "names nobody"),
        (ZWICKEN, "b:1", "b:1", "nothing was played"),
        (FORCED, "0", "0", "stands alone"),
        (FORCED, "b:1 a:1", "", "1 trick is still to be assigned"),
    ],
)
def test_a_misread_line_of_zwicken_names_the_wrong_word(start, line, word, part):
    wrong_word, sentence = misread(line, start)
    assert wrong_word == word
    assert part in sentence


# --- There and back --------------------------------------------------------------------------------------


def start_of(full: dict[str, Any]) -> engine_bridge.Start:
    return engine_bridge.Start(
        3,
        full["game"],
        full.get("rules", {}),
        full["seats"],
        full["dealer"],
        full.get("deal_number", 1),
        full["pot_before"],
    )


@settings(max_examples=150)
@given(st.integers(0, 2**32), st.sampled_from(engine_bridge.GAMES), st.booleans())
def test_any_hand_comes_back_from_its_line(seed, game, counted):
    full = sample.random_hand(random.Random(seed), game=game)
    result = engine_bridge.replay(full)
    tally: dict[str, Any] = sample.tally_of(full, result)
    if game == "chratze" and not counted and "tricks" in tally:
        active = [result["declarer"], *result["joiners"]]
        tally["made"] = [seat for seat in active if engine_bridge.made_goal(full, result, seat)]
        del tally["tricks"]
    settled = engine_bridge.replay(tally)
    names = ("Anna", "Beni", "Carlo", "Doris", "Emil", "Franziska", "Gian")[: full["seats"]]
    for words in (short_names(names), tuple(str(seat + 1) for seat in range(full["seats"]))):
        line = write_line(tally, settled, words)
        back, differs = engine_bridge.complete(start_of(full), read_line(line, start_of(full), names).record)
        assert differs is None
        assert engine_bridge.replay(back) == settled, line
        # A hand with its cards is written as the same line, with its tricks.
        if counted or game != "chratze":
            assert write_line(full, result, words) == line


LETTERS = st.text(alphabet="abcdABNx0123456789 .:=-–!*/<7oWx²\u0301\n\t", max_size=30)


@given(st.one_of(LETTERS, st.text(max_size=30)), st.sampled_from([CHRATZE, FREE, MUSS, ZWICKEN, FORCED]))
def test_any_typed_line_is_read_or_refused_with_a_sentence(line, start):
    sentence, said = "", None
    try:
        said = read_line(line, start, NAMES)
    except Misread as fault:
        sentence = fault.sentence
    assert bool(sentence) != bool(said)
    if said:
        complete, _differs = engine_bridge.complete(start, said.record)
        assert "ok" in engine_bridge.replay(complete)


# --- The code of the night -------------------------------------------------------------------------------


@given(st.integers(1, 2**31))
def test_a_code_is_read_back_and_one_wrong_character_is_refused(table_id):
    code = sheet_code.code(table_id)
    assert sheet_code.table_of(code) == table_id
    assert sheet_code.table_of(f" {code.lower().replace('-', ' ')}") == table_id
    plain = code.replace("-", "")
    for place, letter in enumerate(plain):
        other = sheet_code.ALPHABET[(sheet_code.ALPHABET.index(letter) + 5) % len(sheet_code.ALPHABET)]
        assert sheet_code.table_of(plain[:place] + other + plain[place + 1 :]) is None
    turned = plain[1] + plain[0] + plain[2:]
    assert turned == plain or sheet_code.table_of(turned) is None


@pytest.mark.parametrize("junk", ["", "22", "0000", "234-K", "ÄÖÜ-2", "2" * 40])
def test_texts_that_are_no_code(junk):
    assert sheet_code.table_of(junk) is None
