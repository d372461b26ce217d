"""The recording pages as a browser without scripts uses them."""

from __future__ import annotations

import re
import uuid
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from games.closing.last_hands import last_hand
from games.evening.house_rules import house_rules_set
from games.models import Hand, Revision, Table
from games.table import pencil
from league.models import Evening
from tests.cast import House
from tests.factories import FREE, MADE, MUSS, PASSED_OUT, PlayerFactory, create_table, enter, void
from tests.page_forms import without_spare_parts

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season, author=home.recorder)


def url(table: Table, tail: str = "") -> str:
    return f"/c/{table.evening.club.slug}/t/{table.pk}/{tail}"


def entry(table: Table, roles: str, **more: Any) -> dict[str, Any]:
    """The form's fields: a letter a seat (d declares, j joins, - is out; a capital failed)."""
    fresh = Table.objects.get(pk=table.pk)
    players = fresh.places.order_by("seat").values_list("player_id", flat=True)
    data: dict[str, Any] = {
        "key": str(uuid.uuid4()),
        "number": fresh.hands + 1,
        "players": ",".join(str(player) for player in players),
        "mode": "made",
    }
    for seat, letter in enumerate(roles):
        data[f"role-{seat}"] = {"d": "declarer", "j": "joiner"}.get(letter.lower(), "out")
        data[f"made-{seat}"] = "no" if letter.isupper() else "yes"
    return data | more


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


# --- A hand ----------------------------------------------------------------------------------------------


def test_a_saved_hand_leads_to_the_coins_it_moves(recorder: Client, table: Table) -> None:
    answer = recorder.post(url(table), entry(table, "djJ--"))
    assert answer.status_code == 303
    assert answer.url == url(table, "h/1/")
    page = text(recorder.get(answer.url))
    assert "<b>Anna</b> takes from the pot" in page
    assert "+CHF 0.80" in page
    assert "<b>Carlo</b> pays in" in page
    assert "−CHF 1.00" in page
    assert re.search(r'Each puts in the ante</span><b class="num">CHF\s0\.20<', page)
    # 1.00 - 0.80 - 0.20 + 1.00, and five antes of 0.20 for the next hand.
    assert re.search(r"2\.00</span><span class=\"soft\">must be in the pot now<", page)
    assert "<b>Anna</b> deals, <b>Beni</b> speaks first." in page
    recorder.post(url(table), entry(table, "djJ--"))
    earlier = text(recorder.get(answer.url))
    assert re.search(r"2\.00</span><span class=\"soft\">were in the pot then<", earlier)


def test_the_saved_screen_takes_the_next_declarer(recorder: Client, table: Table) -> None:
    recorder.post(url(table), entry(table, "djJ--"))
    page = recorder.get(url(table, "h/1/")).content.decode()
    people = dict(re.findall(r'href="[^"]*\?declares=(\d+)"[^>]*><b>([^<]+)</b></a>', page))
    assert list(people.values()) == ["Anna", "Beni", "Carlo", "Doris", "Emil"]
    carlo = next(player for player, name in people.items() if name == "Carlo")
    begun = text(recorder.get(url(table) + f"?declares={carlo}"))
    assert 'data-declared="2"' in begun
    assert begun.count('value="declarer" selected') == 1
    nobody = text(recorder.get(url(table) + "?declares=nobody"))
    assert 'data-declared="nobody"' in nobody
    assert 'name="passed" value="1" checked' in nobody
    for other in ("", "x", "999999", "²"):
        assert "data-declared" not in text(recorder.get(url(table) + f"?declares={other}"))


def test_the_saved_screen_has_no_declarers_before_a_muss(recorder: Client, home: House) -> None:
    table = create_table(club=home.club, season=home.season, seats=4, game="kratzen")
    asks = []
    for record in (MUSS, FREE):
        number = enter(table, record).number
        asks.append("?declares=" in recorder.get(url(table, f"h/{number}/")).content.decode())
    assert asks == [True, False]


def test_the_saved_screen_has_no_declarers_without_the_pencil(recorder: Client, table: Table, home: House) -> None:
    recorder.post(url(table), entry(table, "djJ--"))
    pencil.take_over(table, home.owner, "elsewhere")
    assert "?declares=" not in recorder.get(url(table, "h/1/")).content.decode()


def test_the_menu_leads_to_the_closing_the_seats_and_the_paper(recorder: Client, table: Table) -> None:
    for where in (url(table), url(table) + "h/1/"):
        recorder.post(url(table), entry(table, "djJ--"))
        menu = recorder.get(where).content.decode().split('id="more"')[1].split("</nav>")[0]
        for tail in (f"/e/{table.evening_id}/close/", f"/t/{table.pk}/seating/", f"/e/{table.evening_id}/sheet.pdf"):
            assert f'href="/c/{table.evening.club.slug}{tail}"' in menu


def test_a_name_longer_than_a_line_gets_two(recorder: Client, home: House) -> None:
    names = ("Annakatharina", "Anna-Katharina")
    players = [PlayerFactory(club=home.club, nickname=name) for name in names]
    table = create_table(club=home.club, season=home.season, players=players)
    page = without_spare_parts(recorder.get(url(table)).content.decode())
    rows = re.findall(r'<li class="seat out( long)?"', page)
    assert [bool(long) for long in rows] == [False, True]


def test_a_reload_of_the_answer_stores_nothing(recorder: Client, table: Table) -> None:
    answer = recorder.post(url(table), entry(table, "dj---"))
    for _ in range(3):
        recorder.get(answer.url)
    assert Hand.objects.count() == 1


def test_the_same_form_sent_twice_is_one_hand(recorder: Client, table: Table) -> None:
    data = entry(table, "dj---")
    answers = [recorder.post(url(table), data) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {303}
    assert {answer.url for answer in answers} == {url(table, "h/1/")}
    assert Revision.objects.count() == 1


def test_the_same_hand_under_another_key_is_refused_with_the_stored_hand(recorder: Client, table: Table) -> None:
    data = entry(table, "dj---")
    recorder.post(url(table), data)
    answer = recorder.post(url(table), data | {"key": str(uuid.uuid4()), "role-1": "out", "role-2": "joiner"})
    assert answer.status_code == 409
    page = text(answer)
    assert "Hand 1 is already there" in page
    assert "Stored by Recorder" in page
    assert "Anna chratzt, metcho Carlo" in page
    assert "Discard mine, on to hand 2" in page
    assert Hand.objects.count() == 1


def test_a_used_key_with_other_content_is_refused_with_a_sentence(recorder: Client, table: Table) -> None:
    data = entry(table, "dj---")
    recorder.post(url(table), data)
    answer = recorder.post(url(table), data | {"role-2": "joiner"})
    assert answer.status_code == 422
    assert "sent before with other content" in text(answer)
    assert Hand.objects.count() == 1


def test_counted_tricks_are_stored_and_the_last_count_follows_from_the_others(recorder: Client, table: Table) -> None:
    data = entry(table, "djj--", mode="tricks") | {"tricks-0": "2", "tricks-1": "1"}
    assert recorder.post(url(table), data).status_code == 303
    assert Revision.objects.get().result["tricks"] == [2, 1, 1, 0, 0]


@pytest.mark.parametrize(
    ("roles", "more", "record"),
    [
        ("-----", {"passed": "1"}, {"declarer": None}),
        ("d----", {}, {"declarer": 0}),
        ("j---d", {"blind": "double"}, {"declarer": 4, "blind": "double", "made": [0, 4]}),
        ("dJj--", {}, {"made": [0, 2]}),
        ("Dj---", {}, {"made": [1]}),
    ],
)
def test_the_entry_is_stored_unchanged(
    recorder: Client, table: Table, roles: str, more: dict[str, str], record: dict[str, Any]
) -> None:
    assert recorder.post(url(table), entry(table, roles, **more)).status_code == 303
    stored = Revision.objects.get().record
    assert {name: stored.get(name) for name in record} == record


# Refusals of the page: the fields, the status, words of the sentence, and the rows that are marked.
REFUSED: list[tuple[str, dict[str, str], str, list[int]]] = [
    ("-----", {}, "Who said chratze?", []),
    ("dd---", {}, "Only one player can chratze", [0, 1]),
    ("djjj-", {}, "at most two can have made one", [0, 1, 2, 3]),
    ("DJ---", {}, "a joiner has made it", [0, 1]),
    ("dj---", {"blind": "blind"}, "Only the dealer can play blind", [0]),
    ("djj--", {"mode": "tricks", "tricks-0": "1"}, "3 tricks are still to be assigned.", [0, 1, 2]),
    ("djj--", {"mode": "tricks", "tricks-0": "4", "tricks-1": "1"}, "four in all", [0, 1, 2]),
]


@pytest.mark.parametrize(("roles", "more", "sentence", "marked"), REFUSED)
def test_a_refused_hand_shows_the_reason_and_keeps_the_entry(
    recorder: Client, table: Table, roles: str, more: dict[str, str], sentence: str, marked: list[int]
) -> None:
    answer = recorder.post(url(table), entry(table, roles, **more))
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert [row.seat for row in answer.context["rows"] if row.marked] == marked
    kept = [row.entry.role for row in answer.context["rows"]]
    assert kept == [{"d": "declarer", "j": "joiner"}.get(letter.lower(), "out") for letter in roles]
    assert answer.context["mode"] == more.get("mode", "made")
    assert not Hand.objects.exists()


def test_forced_susi_marks_the_player_who_must_join(recorder: Client, home: House) -> None:
    house_rules_set(club=home.club, game="chratze", values={"susi": "forced"}, author=None)
    table = create_table(club=home.club, season=home.season)
    answer = recorder.post(url(table), entry(table, "-d---"))
    assert answer.status_code == 422
    assert "The last player asked must say metcho" in text(answer)
    assert [row.seat for row in answer.context["rows"] if row.marked] == [0]


@pytest.mark.parametrize(
    "junk",
    [
        {"key": "no-uuid"},
        {"number": "-1"},
        {"number": "9" * 40},
        {"players": "1,x"},
        {"players": "²,1"},
        {"role-0": "king"},
        {"tricks-0": "5"},
        {"mode": "guess"},
        {"blind": "triple"},
        {"key": "\x00"},
    ],
)
def test_invalid_input_is_refused_with_a_sentence(recorder: Client, table: Table, junk: dict[str, str]) -> None:
    answer = recorder.post(url(table), entry(table, "dj---") | junk)
    assert answer.status_code == 422
    assert "Reload the page" in text(answer)
    assert not Hand.objects.exists()


def test_an_empty_post_is_refused(recorder: Client, table: Table) -> None:
    assert recorder.post(url(table)).status_code == 422
    assert recorder.post(url(table, "void/")).status_code == 422
    assert recorder.post(url(table, "preview/")).status_code == 200


def test_a_body_over_the_limit_is_refused_with_a_page(recorder: Client, table: Table) -> None:
    answer = recorder.post(url(table), {"key": "x" * 200_000})
    assert answer.status_code == 413
    assert "too much at once" in text(answer)


def test_another_seating_than_the_page_showed_is_refused(recorder: Client, table: Table) -> None:
    data = entry(table, "dj---")
    data["players"] = ",".join(reversed(data["players"].split(",")))
    answer = recorder.post(url(table), data)
    assert answer.status_code == 409
    assert "The seating has changed since, and your entry was carried over." in text(answer)
    # Read for the seats it was entered on: the first named declared, and sits last now.
    assert [row.entry.role for row in answer.context["rows"]] == ["out", "out", "out", "joiner", "declarer"]
    assert not Hand.objects.exists()


def test_a_closed_evening_takes_no_hand_and_says_so(recorder: Client, table: Table) -> None:
    data = entry(table, "dj---")
    Evening.objects.update(state=Evening.State.CLOSED)
    answer = recorder.post(url(table), data)
    assert answer.status_code == 409
    assert "This evening is closed." in text(recorder.get(url(table)))


# --- Before saving ---------------------------------------------------------------------------------------


def test_the_preview_shows_the_outcome_and_stores_nothing(recorder: Client, table: Table) -> None:
    answer = recorder.post(url(table, "preview/"), entry(table, "djJ--"), headers={"hx-request": "true"})
    page = text(answer)
    assert answer.status_code == 200
    assert "<html" not in page
    assert "data-accepted" in page
    assert "+0.80" in page
    assert "Anna deals" in page
    assert not Hand.objects.exists()


def test_the_last_hand_for_all_asks_for_no_antes_and_then_leads_to_the_end(recorder: Client, table: Table) -> None:
    last_hand(evening=table.evening, author=None, key=uuid.uuid4())
    assert "Last hand for all" in recorder.get(url(table)).content.decode()
    answer = recorder.post(url(table, "preview/"), entry(table, "djJ--"), headers={"hx-request": "true"})
    assert answer.context["preview"].last
    said = " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())
    after = answer.context["preview"].pot_after_minor
    assert said.endswith(f"In the pot after the last hand CHF {after / 100:.2f}")
    recorder.post(url(table), entry(table, "djJ--"))
    page = recorder.get(url(table)).content.decode()
    assert "The last hand is played." in page
    assert reverse("evening-close", kwargs={"club": table.evening.club.slug, "evening": table.evening_id}) in page
    assert "Last hand for all." not in without_spare_parts(page)


def test_without_scripts_the_preview_is_the_whole_page_with_the_entry(recorder: Client, table: Table) -> None:
    answer = recorder.post(url(table, "preview/"), entry(table, "djJ--"))
    assert answer.templates[0].name == "games/table/table.html"
    assert "+0.80" in text(answer)
    assert [row.entry.role for row in answer.context["rows"]] == ["declarer", "joiner", "joiner", "out", "out"]


def test_a_walkover_names_susi(recorder: Client, table: Table) -> None:
    answer = recorder.post(url(table, "preview/"), entry(table, "-d---"), headers={"hx-request": "true"})
    assert "Nobody joins; Anna is the Susi." in text(answer)


def test_a_preview_of_a_hand_stored_meanwhile_shows_that(recorder: Client, table: Table) -> None:
    data = entry(table, "dj---")
    enter(table, MADE)
    answer = recorder.post(url(table, "preview/"), data, headers={"hx-request": "true"})
    assert "Hand 1 is already stored, hand 2 is next. Save shows yours beside the stored one." in text(answer)


# --- Undo ------------------------------------------------------------------------------------------------


def test_the_last_hand_is_undone_and_fills_the_form_again(recorder: Client, table: Table) -> None:
    recorder.post(url(table), entry(table, "dJj--"))
    answer = recorder.post(url(table, "void/"), {"key": str(uuid.uuid4()), "number": 1})
    assert answer.status_code == 303
    page = recorder.get(answer.url)
    assert "Hand 1 is undone" in text(page)
    assert page.context["view"].number == 1
    entries = [row.entry for row in page.context["rows"]]
    assert [form_entry.role for form_entry in entries] == ["declarer", "joiner", "joiner", "out", "out"]
    assert [form_entry.made for form_entry in entries[:3]] == [True, False, True]
    assert "It counts no longer" in text(recorder.get(url(table, "h/1/")))


def test_an_undo_sent_twice_undoes_one_hand(recorder: Client, table: Table) -> None:
    enter(table, MADE)
    enter(table, MADE)
    data = {"key": str(uuid.uuid4()), "number": 2}
    assert [recorder.post(url(table, "void/"), data).status_code for _ in range(2)] == [303, 303]
    assert Table.objects.get().hands == 1


def test_an_undo_of_a_hand_that_is_not_the_last_is_refused(recorder: Client, table: Table) -> None:
    enter(table, MADE)
    enter(table, MADE)
    answer = recorder.post(url(table, "void/"), {"key": str(uuid.uuid4()), "number": 1})
    assert answer.status_code == 409
    assert "Only the last hand can be undone; that is hand 2." in text(answer)


def test_the_hand_that_can_be_undone_is_offered_by_name(recorder: Client, table: Table) -> None:
    enter(table, MADE)
    enter(table, PASSED_OUT)
    void(table)
    page = text(recorder.get(url(table)))
    assert "Undo hand 1?" in page
    assert "Undo hand 2?" not in page


# --- Queries ---------------------------------------------------------------------------------------------

PAGES = {"": 18, "h/{last}/": 10, "live/": 16, "live/?as=recorder": 7}


@pytest.mark.parametrize(("tail", "queries"), PAGES.items())
@pytest.mark.parametrize("hands", [1, 12])
def test_a_page_of_the_table_has_the_same_queries_for_one_hand_and_many(
    recorder: Client, table: Table, django_assert_num_queries: Any, tail: str, queries: int, hands: int
) -> None:
    for _ in range(hands):
        enter(table, MADE)
    with django_assert_num_queries(queries):
        recorder.get(url(table, tail.format(last=hands)))


@pytest.mark.parametrize("seats", [2, 7])
def test_a_preview_has_the_same_queries_for_any_number_of_seats(
    recorder: Client, home: House, django_assert_num_queries: Any, seats: int
) -> None:
    table = create_table(club=home.club, season=home.season, seats=seats)
    data = entry(table, "dj" + "-" * (seats - 2))
    with django_assert_num_queries(7):
        recorder.post(url(table, "preview/"), data, headers={"hx-request": "true"})


# --- Signing in ------------------------------------------------------------------------------------------


def test_a_visitor_signs_in_and_gets_the_requested_page(home: House, table: Table) -> None:
    client = Client()
    answer = client.get(url(table))
    assert answer.status_code == 302
    sent = {"username": "RECORDER@roessli.example.org ", "password": "kreuz-sieben", "next": url(table)}
    assert client.post(answer.url, sent).url == url(table)


@pytest.mark.parametrize("tail", ["", "preview/", "void/"])
def test_a_post_while_signed_out_leads_back_to_the_table(table: Table, tail: str) -> None:
    answer = Client().post(url(table, tail), {"number": 1})
    assert answer.url == f"/login/?next={url(table)}"


def test_the_language_switch_of_a_posted_page_leads_to_the_table(recorder: Client, table: Table) -> None:
    answer = recorder.post(url(table, "preview/"), entry(table, "dj---"))
    assert f"/language/?to=en&amp;next={quote(url(table), safe='')}" in text(answer)


@pytest.mark.parametrize(
    ("username", "password", "sentence"),
    [
        ("recorder@roessli.example.org", "wrong", "do not match"),
        ("nobody@roessli.example.org", "kreuz-sieben", "do not match"),
        ("", "x", "Type your email address."),
        ("recorder@roessli.example.org", "", "Type your password."),
    ],
)
def test_a_failed_sign_in_shows_the_reason_and_keeps_the_address(
    home: House, username: str, password: str, sentence: str
) -> None:
    client = Client(headers={"accept-language": "en"})
    answer = client.post("/login/", {"username": username, "password": password, "next": "/c/roessli/e/new/"})
    assert answer.status_code == 200
    assert sentence in text(answer)
    assert 'name="next" value="/c/roessli/e/new/"' in text(answer)


def test_no_page_has_inline_scripts_or_styles(recorder: Client, table: Table) -> None:
    enter(table, MADE)
    for page in ("/login/", "/c/roessli/e/new/", url(table), url(table, "h/1/"), "/nothing-here/"):
        html = recorder.get(page).content.decode()
        assert " style=" not in html
        assert "<style" not in html
        assert "<script>" not in html
        assert " onclick=" not in html
