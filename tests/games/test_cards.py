"""Hands card by card as a browser without scripts uses them: played through, entered, pasted."""

from __future__ import annotations

import html
import json
import random
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games import engine_bridge
from games.evening.services import evening_start
from games.hands import selectors
from games.models import Hand, Revision, Table
from games.templatetags import cards
from league.models import Club, Evening
from league.static_sources import text_path
from tests.cast import House
from tests.clients import reader
from tests.factories import MADE, PlayerFactory, create_table, enter, void

pytestmark = pytest.mark.django_db

HANDS = [
    ["Ah", "Kh", "7s", "6c"],
    ["Qh", "9d", "8c", "6s"],
    ["As", "Jd", "Td", "7c"],
]
DEAL = {"hands": HANDS, "turned": ["9s"]}
CALLS = [[0, "chratze"], [1, "metcho"], [2, "weg"]]
PLAY = [["Ah", "Qh"], ["Kh", "6s"], ["8c", "6c"], ["9d", "7s"]]
WHOLE: dict[str, Any] = {"deal": DEAL, "calls": CALLS, "exchanges": [{"seat": 0}, {"seat": 1}], "play": PLAY}
STEPS = 3 + 1 + 3 + 2 + 8


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, seats=3)


def url(table: Table, tail: str) -> str:
    return f"/c/{table.evening.club.slug}/t/{table.pk}/{tail}"


def page(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status
    return html.unescape(" ".join(answer.content.decode().split()))


def fields(text: str) -> dict[str, str]:
    """The hidden fields of the page's first form of the hand."""
    form = text.split('id="steps"')[1]
    return dict(re.findall(r'<input type="hidden" name="(key|number|players|record)" value="([^"]*?)">', form)) | {
        "record": form.split('name="record" value="')[1].split('">')[0]
    }


def said(text: str) -> list[str]:
    return re.findall(r'class="said[^"]*"[^>]*>([^<]+)', text)


def answer(client: Client, table: Table, text: str, *cards: str, status: int = 200, **more: str) -> str:
    """Tap something on the page."""
    return page(client.post(url(table, "cards/"), fields(text) | {"answer": cards} | more), status)


def page_after_steps(client: Client, table: Table, record: dict[str, Any]) -> str:
    """The page of a hand with these steps entered."""
    text = page(client.get(url(table, "cards/")))
    sent = fields(text) | {"record": json.dumps(record), "do": "go"}
    return page(client.post(url(table, "cards/"), sent))


def breaks(clause: str, recorder: Client, table: Table, record: dict[str, Any], tap: list[str]) -> None:
    """Check that this tap is refused with the clause that it breaks, and leaves the record as it is."""
    text = page_after_steps(recorder, table, record)
    refused = answer(recorder, table, text, *tap, status=422)
    assert f"Rule {clause}" in refused
    assert fields(refused)["record"] == fields(text)["record"]


# --- Played through --------------------------------------------------------------------------------------


@pytest.fixture
def stored(table: Table) -> Table:
    enter(table, WHOLE)
    return table


def test_a_stored_hand_is_played_through_by_links_alone(stored):
    visitor, seen = reader(), []
    where = "?step=0"
    while where:
        text = page(visitor.get(url(stored, "h/1/through/") + where))
        seen.append(said(text)[0].strip())
        onward = re.search(r'data-wind="on" href="([^"]+)"', text)
        where = onward[1] if onward else ""
    assert len(seen) == STEPS + 1
    assert seen[0] == "Carlo deals."
    assert seen[4] == "9 of spades is turned; trumps are spades."
    assert seen[5] == "Anna says chratze."
    assert seen[8] == "Anna exchanges nothing."
    assert seen[10] == "Anna plays ace of hearts."
    assert seen[13] == "Beni plays 6 of spades; Beni takes the trick."
    assert "Anna chratzt, metcho Beni" in text


def test_the_address_names_the_step_and_goes_back_too(stored):
    text = page(reader().get(url(stored, "h/1/through/?step=10")))
    assert 'data-wind="back" href="?step=9"' in text
    assert f"10 / {STEPS}" in text
    assert "Beni plays queen of hearts" in text  # in the list of all steps
    assert said(text)[0].strip() == "Anna plays ace of hearts."


@pytest.mark.parametrize("junk", ["-1", "x", "", "99999999999999999", "²", "1.5", "%00"])
def test_without_a_valid_step_it_opens_on_the_full_table(stored, junk):
    text = page(reader().get(url(stored, f"h/1/through/?step={junk}")))
    assert f"4 / {STEPS}" in text
    assert said(text)[0].strip() == "9 of spades is turned; trumps are spades."


def test_a_step_after_the_end_is_the_end(stored):
    assert f"{STEPS} / {STEPS}" in page(reader().get(url(stored, "h/1/through/?step=999")))


def test_a_hand_without_cards_cannot_be_played_through(table):
    enter(table, MADE)
    assert reader().get(url(table, "h/1/through/")).status_code == 404
    assert reader().get(url(table, "h/2/through/")).status_code == 404


def test_a_voided_hand_says_so(stored):
    void(stored)
    assert '<span class="tag quiet">voided</span>' in page(reader().get(url(stored, "h/1/through/")))


def test_a_visitor_sees_no_amounts(stored):
    assert not re.search(r"\d\.\d\d", page(reader().get(url(stored, f"h/1/through/?step={STEPS}"))).split("<main")[1])


def test_the_end_shows_the_money_to_those_who_may_see_it(stored, home):
    end = url(stored, f"h/1/through/?step={STEPS}")
    assert "How the coins move" in page(reader(home.recorder).get(end))
    assert "How the coins move" not in page(reader(home.recorder).get(url(stored, f"h/1/through/?step={STEPS - 1}")))
    assert "How the coins move" not in page(reader(home.member).get(end))
    home.club.publishes_money = True
    home.club.save()
    text = page(reader().get(end))
    assert "Left in the pot, before the next antes" in text
    assert "<b>Anna</b> takes from the pot" in text


def test_the_evening_leads_to_hands_whose_cards_are_known(stored):
    enter(stored, MADE)
    evening = page(reader().get(f"/c/roessli/e/{stored.evening_id}/"))
    assert url(stored, "h/1/through/") in evening
    assert url(stored, "h/2/through/") not in evening


def test_playing_through_costs_the_same_at_every_step(stored, home, django_assert_num_queries):
    # A visitor needs one more: the names that the players show in public.
    for person, cost in ((None, 5), (home.member, 7)):
        client = reader(person)
        for step in (0, STEPS):
            with django_assert_num_queries(cost):
                client.get(url(stored, f"h/1/through/?step={step}"))


# --- The faces -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "card"), [("french", "ace of hearts"), ("swiss", "Rosen Ass"), ("german", "Herz Ass")]
)
def test_the_faces_of_the_club_are_shown_to_every_reader(stored, home, faces, card):
    owner = reader(home.owner)
    assert owner.post("/c/roessli/faces/?next=/c/roessli/", {"faces": faces}).headers["Location"] == "/c/roessli/"
    text = page(reader().get(url(stored, "h/1/through/?step=10")))
    assert f"plays {card}." in text
    assert f"/cards/{faces}" in text


def test_an_unknown_pack_is_refused(home):
    assert "errors" in page(reader(home.owner).post("/c/roessli/faces/", {"faces": "tarot"}), 422)
    assert Club.objects.get(slug="roessli").faces == "french"


def test_next_never_redirects_to_another_site(home):
    answer = reader(home.owner).post("/c/roessli/faces/?next=https://evil.example/", {"faces": "swiss"})
    assert answer.headers["Location"] == "/c/roessli/"


@pytest.mark.parametrize("faces", Club.Faces.values)
def test_every_card_of_every_pack_is_drawn(faces):
    from pathlib import Path

    drawn = set(re.findall(r'id="([^"]+)"', Path(f"static/cards/{faces}.svg").read_text()))
    assert {rank + suit for rank in "AKQJT9876" for suit in "shdc"} | {"back", "Weli"} <= drawn


@pytest.mark.parametrize("sprite", ["french", "french-de", "swiss", "german"])
def test_every_card_has_its_suit_beside_the_rank(sprite):
    """On a phone the lower half of each card to choose is covered."""
    from pathlib import Path

    symbols = Path(f"static/cards/{sprite}.svg").read_text().split('<symbol id="')[1:]
    drawings = {symbol.partition('"')[0]: symbol for symbol in symbols}
    del drawings["back"]
    assert len(drawings) == 37
    signs = {name: re.findall(r"translate\(3\d [78]\) scale\(0\.(?:17|2)\)", each) for name, each in drawings.items()}
    assert [name for name, sign in signs.items() if not sign] == []


# --- Entered ---------------------------------------------------------------------------------------------


def pencil_turns_saving_off(text):
    """Return True if the page turns its save button off while another person holds the pencil."""
    modules = text_path("js/screens/card_entry.js").read_text(encoding="utf-8")
    return 'value="save" data-pencil>' in text and "js/screens/card_entry.js" in text and "pencil_line.js" in modules


def test_a_whole_hand_is_entered_tap_by_tap_and_stored_once(recorder, table):
    text = page(recorder.get(url(table, "cards/")))
    assert said(text)[0] == "Which 4 cards was Anna dealt?"
    for hand in HANDS:
        text = answer(recorder, table, text, *hand)
    text = answer(recorder, table, text, "9s")
    for _seat, word in CALLS:
        text = answer(recorder, table, text, word)
    assert said(text)[0] == "What does Anna put away?"
    text = answer(recorder, table, text)
    assert "Beni takes the turned card for the six" in text
    text = answer(recorder, table, text)
    for trick in PLAY[:3]:
        for card in trick:
            text = answer(recorder, table, text, card)
    # Everybody's last card needs no tap.
    assert "The hand is complete" in text
    assert pencil_turns_saving_off(text)
    data = fields(text) | {"do": "save"}
    for _twice in range(2):
        assert recorder.post(url(table, "cards/"), data).headers["Location"] == url(table, "h/1/")
    kept = Revision.objects.get().record
    assert (kept["deal"], kept["calls"], kept["play"]) == (DEAL, CALLS, PLAY)


def test_a_card_that_breaks_a_clause_is_greyed_with_the_reason_and_refused_with_it(recorder, table):
    text = page_after_steps(recorder, table, WHOLE | {"play": [["Ah"]]})
    grey = re.search(r'<button class="pickable no" type="submit" name="answer" value="9d" title="([^"]+)"', text)
    assert grey[1] == "The suit led must be followed. (C5.2)"
    assert re.search(r'<button class="pickable" type="submit" name="answer" value="Qh">', text)
    refused = answer(recorder, table, text, "9d", status=422)
    assert "The suit led must be followed." in refused
    assert "Rule C5.2" in refused
    assert said(refused)[0] == "What does Beni play?"


@pytest.mark.parametrize(
    ("record", "tap", "clause"),
    [
        ({"deal": {"hands": [HANDS[0], [], []], "turned": []}}, ["Ah", "2s", "Qs", "Js"], "R2"),
        ({"deal": {"hands": [HANDS[0], [], []], "turned": []}}, ["9h", "8h", "7h", "6h", "6d"], "C2.2"),
        ({"deal": DEAL}, ["metcho"], "C3.1"),
        ({"deal": DEAL, "calls": CALLS}, ["Qh"], "C4.1"),
        ({"deal": DEAL, "calls": CALLS, "exchanges": [{"seat": 0, "discard": ["Ah"]}]}, ["As"], "C4.4"),
        (WHOLE | {"play": []}, ["Qh"], "C5.1"),
    ],
)
def test_every_wrong_step_shows_its_clause_and_changes_nothing(recorder, table, record, tap, clause):
    breaks(clause, recorder, table, record, tap)


def test_the_last_step_is_undone(recorder, table):
    text = page_after_steps(recorder, table, {"deal": DEAL, "calls": CALLS[:2]})
    back = answer(recorder, table, text, do="back")
    assert said(back)[0] == "What does Beni say?"
    assert json.loads(fields(back)["record"])["calls"] == CALLS[:1]


def test_the_dealer_may_play_blind_before_the_first_card(recorder, table):
    text = page(recorder.get(url(table, "cards/")))
    double = answer(recorder, table, text, do="blind", blind="double")
    assert json.loads(fields(double)["record"])["blind"] == "double"
    assert 'name="blind"' not in answer(recorder, table, double, *HANDS[0])


def test_the_six_takes_the_turned_card(recorder, table):
    text = page_after_steps(recorder, table, {"deal": DEAL, "calls": CALLS, "exchanges": [{"seat": 0}]})
    robbed = answer(recorder, table, text, "Qh", "rob")
    assert said(robbed)[1].strip() == "Beni takes 9 of spades for 6 of spades."


def test_htmx_gets_a_refusal_with_status_200(recorder, table):
    text = page_after_steps(recorder, table, WHOLE | {"play": [["Ah"]]})
    data = fields(text) | {"answer": "9d"}
    assert "Rule C5.2" in page(recorder.post(url(table, "cards/"), data, headers={"hx-request": "true"}))


def test_a_hand_number_stored_by_another_recorder_is_refused(recorder, table):
    text = page_after_steps(recorder, table, WHOLE)
    enter(table, MADE)
    assert "moved on" in answer(recorder, table, text, do="back", status=422)
    refused = recorder.post(url(table, "cards/"), fields(text) | {"do": "save"})
    assert refused.status_code == 409
    assert Hand.objects.count() == 1


def test_a_closed_evening_takes_no_cards(recorder, table):
    text = page_after_steps(recorder, table, WHOLE)
    Evening.objects.update(state=Evening.State.CLOSED)
    assert "This evening is closed." in page(recorder.get(url(table, "cards/")))
    assert recorder.post(url(table, "cards/"), fields(text) | {"do": "save"}).status_code == 409


def test_a_closed_evening_takes_no_pasted_record(recorder, table):
    assert 'name="text"' in page(recorder.get(url(table, "paste/")))
    Evening.objects.update(state=Evening.State.CLOSED)
    closed = page(recorder.get(url(table, "paste/")))
    assert closed.count("This evening is closed.") == 1
    assert 'name="text"' not in closed


def test_an_unfinished_hand_is_not_stored(recorder, table):
    text = page_after_steps(recorder, table, {"deal": DEAL, "calls": CALLS})
    page(recorder.post(url(table, "cards/"), fields(text) | {"do": "save"}), 422)
    assert not Hand.objects.exists()


@pytest.mark.parametrize(
    "record",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        "[" * 5000,
        '{"deal": 1}',
        '{"deal": {"hands": [], "turned": []}}',
        '{"play": [[1]]}',
        "\ud800",
    ],
)
@pytest.mark.parametrize("do", ["", "add", "back", "blind", "go", "save", "nonsense"])
def test_invalid_input_is_refused_with_a_sentence(recorder, table, record, do):
    data = {"key": str(uuid.uuid4()), "number": 1, "players": "x", "record": record.encode("utf-8", "replace").decode()}
    answer = recorder.post(url(table, "cards/"), data | {"do": do, "answer": ["rob", "Ah", "💥"]})
    assert answer.status_code in (200, 409, 422)
    assert not Hand.objects.exists()


def test_every_step_costs_the_same(recorder, table, django_assert_num_queries):
    for record in ({"deal": DEAL}, WHOLE):
        data = {"key": str(uuid.uuid4()), "number": 1, "players": "1", "record": json.dumps(record), "do": "go"}
        # A step is a partial answer: the line about the pencil stays as it is.
        with django_assert_num_queries(6):
            headers = {"HX-Request": "true"}
            assert recorder.post(url(table, "cards/"), data, headers=headers).status_code == 200


# --- Pasted ----------------------------------------------------------------------------------------------


def paste(client: Client, table: Table, record: Any, status: int = 422) -> str:
    text = record if isinstance(record, str) else json.dumps(record)
    return page(client.post(url(table, "paste/"), {"text": text}), status)


def test_a_legal_record_leads_to_its_preview(recorder, table):
    text = paste(recorder, table, WHOLE, 200)
    assert "The hand is complete" in text
    assert pencil_turns_saving_off(text)
    recorder.post(url(table, "cards/"), fields(text) | {"do": "save"})
    assert Revision.objects.get().record["play"] == PLAY


def test_the_first_fault_is_marked_at_its_place(recorder, table):
    text = paste(recorder, table, WHOLE | {"play": [["Ah", "9d"], *PLAY[1:]]})
    assert "The suit led must be followed." in text
    assert "<code>play[0][1]</code>" in text
    assert '[["Ah", <mark>"9d"</mark>]' in text


def test_entry_continues_after_the_last_valid_step(recorder, table):
    text = paste(recorder, table, WHOLE | {"play": [["Ah", "9d"]]})
    record = text.split('name="record" value="')[1].split('">')[0]
    data = {"key": str(uuid.uuid4()), "number": 1, "players": "1", "record": record, "do": "go"}
    assert said(page(recorder.post(url(table, "cards/"), data)))[0] == "What does Beni play?"


@pytest.mark.parametrize(
    ("record", "shown"),
    [
        ('{"deal": {"hands": [}', "<mark>}</mark>"),
        ("", "Paste one record"),
        (WHOLE | {"pot_before": 20}, "<mark>20</mark>"),
        (WHOLE | {"colour": "red"}, '<mark>"red"</mark>'),
        ("[1]", "Rule R1"),
        (WHOLE | {"claimed": [0, 0, 0]}, "<mark>[0, 0, 0]</mark>"),
    ],
)
def test_any_pasted_text_gets_a_sentence(recorder, table, record, shown):
    assert shown in paste(recorder, table, record)


def test_pasted_text_is_escaped(recorder, table):
    answer = recorder.post(url(table, "paste/"), {"text": '{"deal": "<script>alert(1)</script>"}'})
    assert b"<script>alert" not in answer.content


def paste_damaged(recorder: Client, table: Table, record: dict[str, Any], rng: random.Random) -> None:
    """Paste a record whose text is damaged in three places: the page shows it or names the fault."""
    text = json.dumps(record)
    for _ in range(3):
        place = rng.randrange(len(text))
        text = text[:place] + rng.choice(["", '"', "]", "0", "h", "null", "{"]) + text[place + rng.randrange(3) :]
    assert recorder.post(url(table, "paste/"), {"text": text}).status_code in (200, 422)


@pytest.mark.parametrize("seed", range(20))
def test_a_spoilt_record_never_breaks_the_page(recorder, table, seed):
    paste_damaged(recorder, table, WHOLE, random.Random(seed))


# --- Kratzen ---------------------------------------------------------------------------------------------


@pytest.fixture
def kratzen(home: House) -> Table:
    """An evening of eight hands."""
    seats = [f"p{PlayerFactory(club=home.club, nickname=name).pk}" for name in ("Ida", "Jakob", "Luzi", "Noldi")]
    held_on = home.season.starts_on
    table = evening_start(
        club=home.club,
        season=home.season,
        author=None,
        seating=seats,
        first_dealer=seats[0],
        held_on=held_on,
        game="kratzen",
    )
    rng, tempers = random.Random(7), [engine_bridge.Temper(0.5, 0.6)] * 4
    for _ in range(8):
        start = selectors.chain_of(Table.objects.select_related("evening__house_rules").get(pk=table.pk))[0].start
        where = {"seats": start.seats, "dealer": start.dealer, "pot_before": start.pot_before}
        enter(table, engine_bridge.play_hand(rng, game="kratzen", rules=start.rules, players=tempers, **where))
    return table


def test_hands_of_kratzen_are_played_through_with_their_terms(kratzen):
    content = ""
    for number in range(1, 9):
        text = page(reader().get(url(kratzen, f"h/{number}/through/?step=999")))
        content += text
        assert "The cut shows" in text
        assert "6d" not in re.sub(r"<[^>]+>", " ", text)
    for word in ("says schlagen.", "says mit.", "drops", "takes the trick."):
        assert word in content
    assert 'class="tag strong">schlagen<' in content


def test_the_evening_leads_to_hands_of_kratzen(kratzen):
    assert url(kratzen, "h/8/through/") in page(reader().get(f"/c/roessli/e/{kratzen.evening_id}/"))


@pytest.mark.parametrize(
    ("language", "faces", "sprite"),
    [("en", "french", "french"), ("de", "french", "french-de"), ("de", "swiss", "swiss"), ("de", "german", "german")],
)
def test_court_cards_have_the_letters_of_their_names(language: str, faces: str, sprite: str) -> None:
    with translation.override(language):
        assert f"cards/{sprite}." in cards.card("Qh", faces)
        if language == "de" and faces == "french":
            assert cards.card_name("Qd", faces) == "Ecken Dame"
