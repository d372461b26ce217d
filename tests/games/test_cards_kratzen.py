"""Hands of Kratzen card by card, and pasted tallies of both games, as a browser without scripts uses them."""

from __future__ import annotations

import json
import random
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from games import engine_bridge
from games.models import Hand, Revision, Table
from league.models import Club, Evening
from tests.cast import House
from tests.clients import reader
from tests.engine.kratzen_hands import FULL, ODER
from tests.factories import FORCED, FREE, MADE, MUSS, create_table, enter
from tests.games.test_cards import (
    answer,
    breaks,
    fields,
    page,
    page_after_steps,
    paste,
    paste_damaged,
    pencil_turns_saving_off,
    said,
    url,
)
from tests.page_forms import form_with

pytestmark = pytest.mark.django_db

FIELDS = ("cuts", "deal", "calls", "new_trump", "last_word", "answers", "exchanges", "play")
WHOLE: dict[str, Any] = {name: FULL[name] for name in FIELDS if name in FULL}
SPEAKING = {name: WHOLE[name] for name in ("cuts", "deal")}
ANSWERED = {name: WHOLE[name] for name in ("cuts", "deal", "calls", "answers")}
EXCHANGED = ANSWERED | {"exchanges": [*WHOLE["exchanges"], {"seat": 2}]}
MUSS_OF_THREE: dict[str, Any] = {"cuts": [["x"]], "declarer": 2, "joiners": [0, 1], "tricks": {"2": 2, "0": 1, "1": 1}}
"""The first hand of a table of three; it leaves the pot as it is, so that the next hand is free."""


@pytest.fixture
def table(home: House) -> Table:
    """A table of three whose next hand is free and whose pack lies with Anna, seat 0."""
    table = create_table(club=home.club, season=home.season, seats=3, game="kratzen")
    enter(table, MUSS_OF_THREE)
    return table


@pytest.fixture
def fresh(home: House) -> Table:
    """A table of three before its first hand, a Muss; the pack lies with Carlo, seat 2."""
    return create_table(club=home.club, season=home.season, seats=3, game="kratzen")


def tap(client: Client, table: Table, text: str, *words: str) -> str:
    return answer(client, table, text, *words)


def grey(text: str, card: str) -> str:
    """The reason why a card cannot be tapped."""
    match = re.search(rf'class="pickable no"[^>]* value="{card}" title="([^"]+)"', text)
    return match[1] if match else ""


# --- Entered ---------------------------------------------------------------------------------------------


def test_the_table_leads_to_the_cards(recorder, table):
    assert url(table, "cards/") in page(recorder.get(url(table, "")))


def test_a_whole_free_hand_is_entered_tap_by_tap_and_stored_once(recorder, table):
    text = page(recorder.get(url(table, "cards/")))
    assert said(text)[0] == "Carlo cuts. Which card lies at the bottom of the packet?"
    text = tap(recorder, table, text, "9c")
    for name, hand in zip(("Beni", "Carlo", "Anna"), (FULL["deal"]["hands"][seat] for seat in (1, 2, 0)), strict=True):
        assert said(text)[0] == f"Which 4 cards was {name} dealt?"
        text = tap(recorder, table, text, *hand)
    text = tap(recorder, table, text, "Ts")
    for name, word in (("Anna", "weiter"), ("Beni", "schlagen")):
        assert said(text)[0] == f"What does {name} say?"
        text = tap(recorder, table, text, word)
    for name, word in (("Carlo", "mit"), ("Anna", "mit")):
        assert said(text)[0] == f"What does {name} answer?"
        text = tap(recorder, table, text, word)
    assert said(text)[0] == "What does Anna put away?"
    text = tap(recorder, table, text, "9d", "7c")
    assert said(text)[0] == "Which 2 cards does Anna draw?"
    text = tap(recorder, table, text, "Qs", "8h")
    assert said(text)[0] == "Which card does Anna drop?"
    text = tap(recorder, table, text, "8h")
    text = tap(recorder, table, tap(recorder, table, text, "8c"), "Ah")
    text = tap(recorder, table, text)
    for trick in FULL["play"][:3]:
        for card in trick:
            text = tap(recorder, table, text, card)
    assert "The hand is complete" in text
    data = fields(text) | {"do": "save"}
    for _twice in range(2):
        assert recorder.post(url(table, "cards/"), data).headers["Location"] == url(table, "h/2/")
    kept = Revision.objects.get(hand__number=2).record
    assert [kept[name] for name in ("cuts", "deal", "calls", "answers", "play")] == [
        WHOLE[name] for name in ("cuts", "deal", "calls", "answers", "play")
    ]
    assert "Beni plays ace of hearts" in page(reader().get(url(table, "h/2/through/?step=13")))


def test_a_muss_asks_for_the_drop_of_the_dealer_and_for_tricks(recorder, fresh):
    deal = {"hands": FULL["deal"]["hands"], "turned": ["Ts"]}
    text = page_after_steps(recorder, fresh, {"cuts": [["9c"]], "deal": deal})
    assert said(text)[0] == "Which card does Carlo drop?"
    assert '<span class="tag strong">Muss</span>' in text
    text = tap(recorder, fresh, text, "8d")
    assert said(text)[0] == "What does Carlo play?"


def test_cuts_pass_the_pack_on_and_cost(recorder, fresh):
    text = page(recorder.get(url(fresh, "cards/")))
    assert said(text)[0] == "Beni cuts. Which card lies at the bottom of the packet?"
    text = tap(recorder, fresh, text, "As")
    assert said(text)[0] == "Which card lies at the bottom of the pack?"
    assert grey(text, "As") == "A card is named twice, or there is no such card in this game. (R2)"
    text = tap(recorder, fresh, text, "7h")
    assert said(text)[0] == "Beni cuts. Which card lies at the bottom of the packet?"
    assert said(text)[1] == "The cut shows ace of spades, 7 of hearts; Carlo has the pack."
    text = tap(recorder, fresh, tap(recorder, fresh, tap(recorder, fresh, text, "6d"), "Ah"), "9c")
    assert "Which 4 cards was Beni dealt?" in said(text)[0]
    assert json.loads(fields(text)["record"])["cuts"] == [["As", "7h"], ["6d", "Ah"], ["9c"]]


def test_the_weli_has_its_name_and_picture(recorder, fresh):
    text = page(recorder.get(url(fresh, "cards/")))
    assert "#Weli" in text
    assert re.search(r'value="6d">.{0,200}?<span class="visually-hidden">Weli', text)
    assert not re.search(r'value="6[shc]"', text)


def test_a_card_that_does_not_beat_is_greyed_with_the_reason(recorder, table):
    # Trumps are led, and Carlo has played the jack: Anna holds ace, queen and ten.
    text = page_after_steps(recorder, table, EXCHANGED | {"play": [["Ks", "Js"]]})
    assert grey(text, "Ts") == "The highest card on the table must be beaten if possible. (K7.4)"
    assert grey(text, "Kh") == "The suit led must be followed; the Weli is a trump. (K7.2)"
    refused = answer(recorder, table, text, "Ts", status=422)
    assert "Rule K7.4" in refused
    assert said(refused)[0] == "What does Anna play?"


def test_oder_turns_cards_until_another_suit_comes(recorder, table):
    calls = [[0, "oder"], [1, "weiter"], [2, "weiter-oder"]]
    text = page_after_steps(recorder, table, SPEAKING | {"calls": calls})
    for card in ODER["new_trump"]:
        assert said(text)[0] == "Anna turns cards for another trump. Which one comes?"
        text = tap(recorder, table, text, card)
    assert said(text)[0] == "What does Beni answer?"
    assert "Jack of hearts is turned; trumps are hearts." in text


def test_the_last_word_is_claimed_and_forces_to_join(recorder, table):
    text = page_after_steps(recorder, table, SPEAKING | {"calls": WHOLE["calls"]})
    text = answer(recorder, table, text, "last word")
    assert said(text)[1] == "Carlo claims the last word."
    text = tap(recorder, table, text, "ohne")
    assert said(text)[0] == "What does Carlo answer?"
    assert 'value="ohne" title="One player may answer last, and must join when nobody else has. (K5.6)"' in text
    assert 'value="last word"' not in text


def test_trumps_laid_open_bring_cards_face_up_and_face_down(recorder, table):
    started = ANSWERED | {"exchanges": [{"seat": 0, "discard": ["As", "Kh", "9d", "7c", "Ts"]}]}
    text = page_after_steps(recorder, table, started)
    assert said(text)[0] == "Which 5 cards does Anna draw?"
    text = tap(recorder, table, text, "Qs", "6d", "8h", "Ah", "Kc")
    assert said(text)[0] == "Which trumps does Anna lay open?"
    assert re.search(r'class="pickable no" title="[^"]+K6\.3', text)
    text = tap(recorder, table, text, "6d")
    assert said(text)[0] == "Which card does Anna get face up?"
    text = tap(recorder, table, text, "9s")
    assert said(text)[0] == "Which card does Anna get face up?"
    text = tap(recorder, table, text, "9c")
    assert said(text)[0] == "Which 3 cards does Anna drop?"
    text = tap(recorder, table, text, "8h", "Kc", "9c")
    assert "Anna lays open: Weli." in text
    entry = json.loads(fields(text)["record"])["exchanges"][0]
    assert (entry["show"], entry["open"], entry["drop"]) == (["6d"], ["9s", "9c"], ["8h", "Kc", "9c"])


@pytest.mark.parametrize(
    ("record", "tap", "clause"),
    [
        ({}, ["6s"], "R2"),
        ({"cuts": [["As"]]}, ["As"], "R2"),
        (SPEAKING, ["metcho"], "K5.2"),
        (SPEAKING | {"calls": WHOLE["calls"]}, ["vielleicht"], "K5.5"),
        (ANSWERED, ["Qh"], "K6.2"),
        (ANSWERED, ["As", "Kh", "9d", "7c"], "K6.2"),
        (ANSWERED | {"exchanges": [{"seat": 0, "discard": ["9d"]}]}, ["Ks"], "K6.4"),
        (ANSWERED | {"exchanges": [{"seat": 0, "discard": []}]}, ["Qh"], "K6.5"),
        (EXCHANGED, ["Qc"], "K7.1"),
        (EXCHANGED | {"play": [["Ah"]]}, ["8d"], "K7.2"),
    ],
)
def test_every_wrong_step_shows_its_clause_and_changes_nothing(recorder, table, record, tap, clause):
    breaks(clause, recorder, table, record, tap)


def test_the_last_step_with_a_choice_is_undone(recorder, table):
    text = page_after_steps(recorder, table, WHOLE | {"play": [*FULL["play"][:2], FULL["play"][2][:2]]})
    done = tap(recorder, table, text, FULL["play"][2][2])
    assert "The hand is complete" in done
    back = answer(recorder, table, done, do="back")
    assert fields(back)["record"] == fields(text)["record"]
    first = page_after_steps(recorder, table, {"cuts": [["9c"]]})
    assert json.loads(fields(answer(recorder, table, first, do="back"))["record"])["cuts"] == []


def test_the_last_cards_of_the_stock_are_drawn_without_a_tap(recorder, home):
    table = create_table(club=home.club, season=home.season, seats=6, game="kratzen")
    enter(table, {"cuts": [["x"]], "declarer": 5, "joiners": [0, 1, 2, 3, 4], "tricks": {"5": 4}})
    pack = [rank + suit for suit in "shc" for rank in "AKQJT987"] + [rank + "d" for rank in "AKQJT987"]
    hands = [pack[4 * seat : 4 * seat + 4] for seat in range(6)]
    record = {
        "cuts": [["9c"]],
        "deal": {"hands": hands, "turned": ["7d"]},
        "calls": [[0, "schlagen"]],
        "answers": [[seat, "mit"] for seat in range(1, 6)],
    }
    text = page_after_steps(recorder, table, record | {"deal": {"hands": hands, "turned": ["8d"]}})
    for away in (hands[0][:3], hands[1][:3]):
        text = tap(recorder, table, text, *away)
        text = tap(recorder, table, text, *re.findall(r'type="checkbox" name="answer" value="(\w\w)"', text)[:3])
        if "drop" in said(text)[0]:
            text = tap(recorder, table, text, "8d")
    # Two cards are left: a player who discards two gets these.
    text = tap(recorder, table, text, *hands[2][:2])
    assert said(text)[0] == "What does Doris put away?"
    assert len(json.loads(fields(text)["record"])["exchanges"][2]["draw"]) == 2


def test_a_hand_number_stored_by_another_recorder_is_refused(recorder, table):
    text = page_after_steps(recorder, table, WHOLE)
    enter(table, {"cuts": [["x"]], "declarer": None})
    assert "moved on" in answer(recorder, table, text, do="back", status=422)
    assert recorder.post(url(table, "cards/"), fields(text) | {"do": "save"}).status_code == 409


def test_every_step_costs_the_same(recorder, table, django_assert_num_queries):
    for record in (SPEAKING, WHOLE):
        data = {"key": str(uuid.uuid4()), "number": 2, "players": "1", "record": json.dumps(record), "do": "go"}
        with django_assert_num_queries(7):
            assert recorder.post(url(table, "cards/"), data).status_code == 200


@pytest.mark.parametrize("record", ["", "{", "[]", '{"cuts": 1}', '{"cuts": [["Ah"], []], "last_word": 9}', "\ud800"])
@pytest.mark.parametrize("do", ["", "back", "go", "save", "blind"])
def test_invalid_input_is_refused_with_a_sentence(recorder, fresh, record, do):
    data = {"key": str(uuid.uuid4()), "number": 1, "players": "x", "record": record.encode("utf-8", "replace").decode()}
    answer = recorder.post(url(fresh, "cards/"), data | {"do": do, "answer": ["last word", "Ah"]})
    assert answer.status_code in (200, 409, 422)
    assert not Hand.objects.exists()


def test_the_pages_speak_the_readers_language(home, table):
    german = reader(home.recorder, "de")
    text = page(german.get(url(table, "cards/")))
    assert said(text)[0] == "Carlo hebt ab. Welche Karte liegt unten am Päckchen?"


@pytest.mark.parametrize(("faces", "card"), [("swiss", "Eicheln 9"), ("german", "Eichel 9")])
def test_each_pack_names_its_cards(recorder, table, home, faces, card):
    Club.objects.filter(pk=home.club.pk).update(faces=faces)
    assert f"The cut shows {card}; Anna has the pack." in page_after_steps(recorder, table, {"cuts": [["9c"]]})


# --- Pasted ----------------------------------------------------------------------------------------------


def test_a_whole_record_is_pasted_and_stored(recorder, table):
    text = paste(recorder, table, WHOLE, 200)
    assert "The hand is complete" in text
    recorder.post(url(table, "cards/"), fields(text) | {"do": "save"})
    assert Revision.objects.get(hand__number=2).record["exchanges"] == WHOLE["exchanges"]


def test_the_first_fault_is_marked_with_a_sentence_in_the_readers_language(home, table):
    german = reader(home.recorder, "de")
    text = paste(german, table, WHOLE | {"play": [["Ah", "8d"], *WHOLE["play"][1:]]})
    assert '<mark>["Ah", "8d"]</mark>' in text
    text = paste(german, table, WHOLE | {"play": [["Ah", "8d", "Kh"], *WHOLE["play"][1:]]})
    assert '<mark>"8d"</mark>' in text
    assert "Die ausgespielte Farbe muss bedient werden; der Weli ist ein Trumpf. (Stich 1, Karte 2)" in text
    assert "must follow suit" not in text
    assert "Regel K7.2" in text


def test_entry_continues_after_the_last_valid_step(recorder, table):
    text = paste(recorder, table, WHOLE | {"play": [["Ah", "8d", "Kh"]]})
    record = text.split('name="record" value="')[1].split('">')[0]
    data = {"key": str(uuid.uuid4()), "number": 2, "players": "1", "record": record, "do": "go"}
    assert said(page(recorder.post(url(table, "cards/"), data)))[0] == "What does Carlo play?"


def test_a_card_that_was_refused_in_a_record_is_greyed_with_the_reason(recorder, table):
    deal = {"hands": [["As", "Kh", "9d", "7c"], ["Ks", "Qh", "8c", "Td"], ["Js", "9h", "Ac", "8d"]], "turned": ["Ts"]}
    record = {"cuts": [["9c"]], "deal": deal, "calls": [[0, "schlagen"]], "answers": [[1, "mit"], [2, "mit"]]}
    record |= {"exchanges": [{"seat": 0, "drop": ["9d"]}], "play": [["Ts", "Ks", "9h"]]}
    refused = recorder.post(url(table, "paste/"), {"text": json.dumps(record)})
    assert '<mark>"9h"</mark>' in page(refused, 422)
    assert "(trick 1, card 3)" in page(refused, 422)
    text = page(form_with(refused, "record").submit(recorder, "Continue card by card"))
    assert grey(text, "9h").endswith("(K7.2)")
    assert "Rule K7.2" in answer(recorder, table, text, "9h", status=422)


@pytest.mark.parametrize(
    ("game", "seats", "tally"), [("chratze", 5, MADE), ("kratzen", 4, MUSS), ("zwicken", 4, FORCED)]
)
def test_a_pasted_tally_has_a_preview_and_is_stored_once(recorder, home, game, seats, tally):
    table = create_table(club=home.club, season=home.season, seats=seats, game=game)
    text = paste(recorder, table, tally, 200)
    assert "What this tally comes to" in text
    assert pencil_turns_saving_off(text)
    form = text.split('class="card hand-end"')[1].split("</form>")[0]
    data = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^>]*?)"(?: data-in-summary)?>', form)) | {
        "do": "save"
    }
    for _twice in range(2):
        assert recorder.post(url(table, "paste/"), data).headers["Location"] == url(table, "h/1/")
    kept = Revision.objects.get().record
    assert {name: kept[name] for name in tally} == tally


def test_a_tally_that_the_rules_refuse_is_marked_at_its_place(recorder, table):
    text = paste(recorder, table, FREE | {"joiners": [2], "tricks": {"1": 3, "2": 2}})
    assert "<mark>" in text
    assert "Rule R5" in text
    assert 'name="do" value="go"' not in text


def test_a_pasted_tally_for_a_stored_hand_is_refused(recorder, table):
    text = json.dumps({"cuts": [["x"]], "declarer": None})
    data = {"text": text, "do": "save", "key": str(uuid.uuid4()), "number": 1, "players": "1,2,3"}
    assert page(recorder.post(url(table, "paste/"), data), 409)
    Evening.objects.update(state=Evening.State.CLOSED)
    assert "This evening is closed." in page(recorder.post(url(table, "paste/"), {"text": text}))


def test_invalid_json_is_marked_at_its_place(home, table):
    text = paste(reader(home.recorder, "de"), table, '{"cuts": [}')
    assert "Das ist kein JSON" in text
    assert "<mark>}</mark>" in text


@pytest.mark.parametrize("seed", range(20))
def test_a_spoilt_record_never_breaks_the_page(recorder, table, seed):
    paste_damaged(recorder, table, WHOLE, random.Random(seed))


def test_a_hand_of_the_simple_player_can_be_pasted(recorder, table):
    tempers = [engine_bridge.Temper(0.5, 0.6)] * 3
    where = {"seats": 3, "dealer": 0, "pot_before": 40}
    for seed in range(5):
        hand = engine_bridge.play_hand(random.Random(seed), game="kratzen", rules={}, players=tempers, **where)
        content = {name: hand[name] for name in FIELDS if name in hand}
        assert "The hand is complete" in paste(recorder, table, content, 200)
