"""The sheet as PDF, the page of its code, and typing it back in: checked first, stored once, or refused."""

from __future__ import annotations

import html
import io
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from games import engine_bridge
from games.evening.house_rules import house_rules_set
from games.hands.tables import table_create
from games.integrity import verify
from games.models import Hand, Revision, Table
from games.paper import sheet_code, typing_back
from games.paper.sheet_pdf import Sheet, pdf_of
from league import ledger
from league.models import Evening, Transfer
from league.web.paper import SIZES
from tests.cast import House, house
from tests.clients import reader
from tests.factories import FAILED, MADE, MUSS, PASSED_OUT, PlayerFactory, create_table, enter, void
from tests.page_forms import form_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> House:
    return house("roessli")


@pytest.fixture
def table(home: House) -> Table:
    return create_table(club=home.club, season=home.season)


def url(table: Table, tail: str = "type/") -> str:
    return f"/c/{table.evening.club.slug}/t/{table.pk}/{tail}"


def page(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status
    return html.unescape(" ".join(answer.content.decode().split()))


def fields(text: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(key|number|players)" value="([^"]*)">', text))


def left(text: str) -> str:
    match = re.search(r"<textarea[^>]*>([^<]*)</textarea>", text)
    assert match
    return match[1]


def typed(client: Client, table: Table, lines: str, status: int = 303, **more: str) -> Any:
    """Type lines into a page that was just loaded."""
    sent = fields(page(client.get(url(table)))) | {"lines": lines} | more
    answer = client.post(url(table), sent)
    assert answer.status_code == status, page(answer, answer.status_code)
    return answer


def records() -> list[dict[str, Any]]:
    return [hand.revisions.order_by("-number")[0].record for hand in Hand.objects.order_by("number")]


# --- Stored ----------------------------------------------------------------------------------------------


def test_a_line_is_stored_as_the_next_hand(recorder, table):
    answer = typed(recorder, table, "b a d- =1.00")
    assert answer.headers["Location"] == url(table)
    text = page(recorder.get(url(table)))
    assert "Hand 1 is stored." in text
    assert "<code>b a d-</code>" in text
    record = records()[0]
    assert (record["declarer"], record["joiners"], record["made"]) == (1, [0, 3], [0, 1])
    assert left(text) == ""
    assert list(verify.differences()) == []


def test_many_lines_are_stored_in_order_each_with_its_key(recorder, table, home):
    lines = ["1. a b", "", "0", "  b a d- =2.00", "a:2 c:1 e", "5. a"]
    typed(recorder, table, "\r\n".join(lines))
    assert [record["declarer"] for record in records()] == [0, None, 1, 0, 0]
    keys = set(Revision.objects.values_list("submission__key", flat=True))
    assert len(keys) == 5
    assert set(Revision.objects.values_list("author", flat=True)) == {home.recorder.pk}
    assert "Hands 1 to 5 are stored." in page(recorder.get(url(table)))
    assert list(verify.differences()) == []


def test_the_same_page_sent_twice_stores_once(recorder, table):
    sent = fields(page(recorder.get(url(table)))) | {"lines": "b a\nc d-\n0"}
    for _twice in range(2):
        assert recorder.post(url(table), sent).status_code == 303
    assert Hand.objects.count() == 3
    assert Table.objects.get().hands == 3


def test_lines_that_were_half_stored_are_sent_again_and_go_on(recorder, table):
    sent = fields(page(recorder.get(url(table))))
    assert recorder.post(url(table), sent | {"lines": "b a\n0"}).status_code == 303
    assert recorder.post(url(table), sent | {"lines": "b a\n0\nc d-"}).status_code == 303
    assert [record["declarer"] for record in records()] == [1, None, 2]


def test_the_same_key_with_another_line_is_refused(recorder, table):
    sent = fields(page(recorder.get(url(table))))
    assert recorder.post(url(table), sent | {"lines": "b a"}).status_code == 303
    text = page(recorder.post(url(table), sent | {"lines": "b c"}), 422)
    assert "was sent before with other content" in text
    assert left(text) == "b c"
    assert len(records()) == 1


def test_a_muss_that_was_sent_twice_is_the_same_muss(home, recorder):
    table = create_table(club=home.club, season=home.season, seats=4, game="kratzen")
    sent = fields(page(recorder.get(url(table)))) | {"lines": "1:1 2:1 4\n<Ax b:2 c:2"}
    for _twice in range(2):
        assert recorder.post(url(table), sent).status_code == 303
    muss, free = records()
    assert (muss["declarer"], muss["tricks"]) == (3, {"0": 1, "1": 1, "2": 0, "3": 2})
    assert (free["declarer"], free["game_type"], free["cuts"]) == (1, "schlagen", [["A", "x"], ["x"]])
    assert list(verify.differences()) == []


# --- Refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        ("b a\nx c\n0", "“x”: nobody here has this name."),
        ("b a\nb- a- c-", "Somebody took the four tricks|The tricks do not fit|Rule R5"),
        ("b a\n3. c", "“3.”: hand 2 is next."),
        ("b a d- =1.20", "The paper says CHF 1.20, but after this hand the pot is CHF 1.00 (difference +CHF 0.20)."),
        ("b a d- =2.00", "that is the pot with the next antes in it"),
        ("b* a", "Only the dealer can play blind"),
        ("   \n ", "Type a line first."),
    ],
)
def test_a_fault_anywhere_stores_nothing_and_keeps_every_line(recorder, table, lines, part):
    text = page(typed(recorder, table, lines, status=422), 422)
    assert any(each in text for each in part.split("|"))
    assert left(text).split() == lines.split()
    assert Hand.objects.count() == 0
    assert Transfer.objects.count() == 0


def test_a_hand_number_stored_by_another_recorder_is_refused(recorder, table):
    sent = fields(page(recorder.get(url(table))))
    enter(table, MADE)
    text = page(recorder.post(url(table), sent | {"lines": "b a\nc d"}), 409)
    assert "Hand 1 is already stored" in text
    assert left(text) == "b a c d"
    assert len(records()) == 1
    assert fields(text)["number"] == "2"


def test_storing_stops_when_the_table_changes_and_returns_the_rest(recorder, table, monkeypatch):
    real, calls = typing_back.services.hand_enter, []

    def slow(**names: Any) -> Any:
        calls.append(names["body"]["number"])
        if len(calls) == 2:
            enter(table, PASSED_OUT)
        return real(**names)

    monkeypatch.setattr(typing_back.services, "hand_enter", slow)
    text = page(typed(recorder, table, "b a\nc d\n0", status=409), 409)
    assert left(text) == "c d 0"
    assert "Hand 2 is already stored" in text
    assert [record["declarer"] for record in records()] == [1, None]


def test_a_pot_that_moved_between_check_and_store_stops_the_line_that_names_it(recorder, table, monkeypatch):
    real = typing_back.check_lines

    def then_moved(due: typing_back.HandStart, lines: Any) -> Any:
        read = real(due, lines)
        Table.objects.filter(pk=table.pk).update(dealer=table.places.get(seat=0).player_id)
        enter(table, MADE)
        void(table)
        Table.objects.filter(pk=table.pk).update(pot_minor=50)
        return read

    monkeypatch.setattr(typing_back, "check_lines", then_moved)
    text = page(typed(recorder, table, "b a d- =1.00", status=409), 409)
    assert "The paper says CHF 1.00" in text


@pytest.mark.parametrize("missing", ["key", "number", "players"])
def test_an_invalid_form_is_refused_and_keeps_the_lines(recorder, table, missing):
    sent = fields(page(recorder.get(url(table)))) | {"lines": "b a"}
    text = page(recorder.post(url(table), sent | {missing: "x"}), 422)
    assert left(text) == "b a"
    assert Hand.objects.count() == 0


def test_a_number_beyond_the_next_hand_is_refused(recorder, table):
    sent = fields(page(recorder.get(url(table)))) | {"lines": "b a", "number": "5"}
    assert "hand 1 is next" in page(recorder.post(url(table), sent), 409)


def test_a_closed_evening_takes_no_line(recorder, table):
    sent = fields(page(recorder.get(url(table)))) | {"lines": "b a"}
    Evening.objects.update(state=Evening.State.CLOSED)
    assert "This evening is closed." in page(recorder.post(url(table), sent), 409)
    assert 'id="typing"' not in page(recorder.get(url(table)))


def test_too_many_lines_at_once(recorder, table):
    text = page(typed(recorder, table, "0\n" * (typing_back.MOST_LINES + 1), status=422), 422)
    assert f"At most {typing_back.MOST_LINES} lines at once." in text
    assert Hand.objects.count() == 0


# --- Seen before -----------------------------------------------------------------------------------------


def preview(client: Client, table: Table, lines: str, **more: str) -> str:
    sent = fields(page(client.get(url(table)))) | {"lines": lines} | more
    return page(client.post(url(table, "type/preview/"), sent, headers={"HX-Request": "true"}))


def test_the_preview_shows_the_amounts_and_stores_nothing(recorder, table):
    text = preview(recorder, table, "b a d- =1.00")
    assert "data-accepted" in text
    assert "Beni chratzt, metcho Anna, Doris; failed: Doris" in text
    for amount in ("+0.80", "+0.20", "−1.00", "1.00", "as on the sheet"):
        assert amount in text
    assert "<html" not in text
    assert Hand.objects.count() == 0


def test_the_preview_of_several_lines_follows_the_pot_and_ends_at_the_fault(recorder, table):
    text = preview(recorder, table, "b a d-\n0\nc q\na")
    assert "data-refused" in text
    assert "“q”: nobody here has this name." in text
    assert [amount for amount in ("1.00", "2.00", "4.00") if amount in text] == ["1.00", "2.00"]


def test_without_scripts_the_page_shows_the_same(recorder, table):
    sent = fields(page(recorder.get(url(table)))) | {"lines": "b a\n0"}
    text = page(recorder.post(url(table, "type/preview/"), sent))
    assert left(text) == "b a 0"
    assert "data-accepted" in text


def test_without_scripts_the_lines_are_checked_and_stored_by_buttons(recorder, table):
    form = form_with(recorder.get(url(table)), "lines")
    form.fill("lines", "a b\n0")
    checked = form.submit(recorder, "Check")
    assert "Anna chratzt" in page(checked)
    assert form_with(checked, "lines").submit(recorder, "Save").status_code == 303
    assert [record["declarer"] for record in records()] == [0, None]
    assert page(recorder.get(url(table))).count('data-line="') == 2


def test_the_page_speaks_german(home, table):
    client = reader(home.recorder, "de")
    text = page(typed(client, table, "x a", status=422), 422)
    assert "«x»" in text
    assert "Type in the sheet" not in text


def test_the_page_costs_the_same_after_many_hands(recorder, table, django_assert_num_queries):
    recorder.get(url(table))
    with django_assert_num_queries(9):
        recorder.get(url(table))
    typed(recorder, table, "\n".join(["b a", "0", "c d-"] * 5))
    recorder.get(url(table))
    with django_assert_num_queries(9):
        recorder.get(url(table))


def test_each_stored_hand_is_listed_as_a_typed_line(recorder, table):
    for record in (MADE, FAILED, PASSED_OUT, {"declarer": 2}):
        enter(table, record)
    void(table)
    text = page(recorder.get(url(table)))
    assert re.findall(r"<code>([^<]*)</code> <span", text) == ["c", "0", "a- b c", "a b"]
    assert '<li class="voided">' in text


# --- The sheet -------------------------------------------------------------------------------------------


def words(answer: Any) -> str:
    """The text of a PDF, line by line as it is printed."""
    assert answer.headers["Content-Type"] == "application/pdf"
    reader = PdfReader(io.BytesIO(answer.content))
    return "\n".join(page.extract_text(extraction_mode="layout") for page in reader.pages)


def pages(answer: Any) -> int:
    match = re.search(rb"/Count (\d+)", answer.content)
    assert match
    return int(match[1])


def sheet(client: Client, table: Table, size: str = "a4") -> Any:
    return client.get(f"/c/roessli/e/{table.evening_id}/sheet.pdf?size={size}")


def test_the_sheet_has_the_roster_the_rules_and_the_code(recorder, table):
    answer = sheet(recorder, table)
    assert answer.headers["Content-Disposition"].startswith('inline; filename="roessli-2026-evening-1-sheet-a4.pdf"')
    text = words(answer)
    for part in (
        "Anna",
        "Emil",
        sheet_code.code(table.pk),
        "Chratzclub Roessli",
        "Evening 1",
        "Stake: CHF 0.20 each",
        "30",
    ):
        assert part in text, part
    assert "All sums + pot = CHF 0.00" in text
    assert "so far" not in text
    assert pages(answer) == 1


def test_a_sheet_of_a_running_evening_starts_with_its_sums(recorder, table):
    enter(table, FAILED)
    text = words(sheet(recorder, table))
    line = next(line for line in text.splitlines() if "so far" in line)
    assert line.split() == ["1", "so", "far", "−2.20", "+0.30", "+0.30", "−0.20", "−0.20", "2.00"]
    assert re.search(r"^\s*2\s*$", text, re.MULTILINE)
    assert "All sums + pot = CHF 0.00" in text


@pytest.mark.parametrize("game", engine_bridge.GAMES)
@pytest.mark.parametrize("size", ["a4", "a5"])
def test_every_game_on_every_paper_has_thirty_lines(home, recorder, size, game):
    names = ("Bartholomäus Christoph von Arx-Oberdorf", "Ольга", "W" * 40, "Đorđe", "Jo", "🂡 Joker")
    players = [PlayerFactory(club=home.club, nickname=name) for name in names]
    table = create_table(club=home.club, season=home.season, players=players, game=game)
    answer = sheet(recorder, table, size)
    text = words(answer)
    assert re.search(r"^\s*30\s*$", text, re.MULTILINE)
    assert pages(answer) == (1 if size == "a4" else 3)
    assert "Ольга" in text
    assert "Đorđe" in text


@pytest.mark.rest
@settings(max_examples=25)
@given(
    st.lists(st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=40), min_size=3, max_size=7),
    st.sampled_from(sorted(SIZES)),
    st.integers(-(10**7), 10**7),
)
@example(["a __b ~~c [x](y) ", "~~", "--"], "a4", 1)
def test_any_nickname_fits_on_the_sheet(names, size, amount):
    content = Sheet(
        club=names[0],
        about=f"{names[1]} · {names[2]}",
        version="",
        game="chratze",
        code="223-D",
        address=f"https://example.org/{'x' * 60}/",
        names=tuple(names),
        sums=(amount,) * len(names),
        hands=12,
        pot_minor=abs(amount),
        rules=(("**", "--" * 40), ("x", names[0] * 20)),
        currency="CHF",
    )
    body = pdf_of([content], size=size, title=names[0])
    assert body.startswith(b"%PDF-")
    assert len(body) < 200_000


def test_the_evening_and_its_table_lead_to_the_sheet_and_back(home, recorder, table):
    there = f"/c/roessli/e/{table.evening_id}/"
    assert f'href="{there}sheet.pdf"' in page(recorder.get(there))
    assert "sheet.pdf" not in page(reader(home.member).get(there))
    screen = page(recorder.get(url(table, "")))
    assert f'href="{there}sheet.pdf"' in screen
    assert f'href="{url(table)}"' in screen


def test_every_table_of_the_evening_has_a_sheet(home, recorder, table):
    players = [PlayerFactory(club=home.club) for _ in range(3)]
    ledger.ensure_player_accounts(home.club.pk, [player.pk for player in players])
    second = table_create(evening=table.evening, players=players, first_dealer=players[0], number=2)
    answer = sheet(recorder, table)
    assert pages(answer) == 2
    assert sheet_code.code(second.pk) in words(answer)


def test_the_sheet_has_the_house_rules_of_the_evening(home, recorder):
    house_rules_set(club=home.club, game="chratze", values={"stake": 50, "blind": "none"}, author=None)
    table = create_table(club=home.club, season=home.season)
    text = words(sheet(recorder, table))
    assert "House rules, version" in text
    assert "0.50 each" in text


def test_other_paper_sizes_are_not_found(recorder, table):
    assert sheet(recorder, table, "a3").status_code == 404


def test_the_code_leads_to_the_page_also_as_people_type_it(recorder, table):
    code = sheet_code.code(table.pk)
    for text in (code, code.lower(), code.replace("-", "")):
        assert recorder.get(f"/c/roessli/n/{text}/").headers["Location"] == url(table)
    assert recorder.get("/c/roessli/n/22222/").status_code == 404


def test_a_visitor_who_scans_the_code_signs_in_and_gets_there(table):
    answer = reader().get(f"/c/roessli/n/{sheet_code.code(table.pk)}/")
    assert answer.headers["Location"].startswith("/login/?next=/c/roessli/n/")


def test_ten_typed_lines_give_the_engines_results(recorder, table):
    lines = ["a b", "b a d-", "0", "b* a", "c", "d:2 a:1 b", "a- b c", "c d e-", "b:4 a c", "a b- c-"]
    start = typing_back.next_start(table).start
    pots = []
    for text in lines:
        read = typing_back.check_line(
            typing_back.HandStart(start, (), ("Anna", "Beni", "Carlo", "Doris", "Emil"), "CHF"), text
        )
        assert read.problem is None, (text, read.problem)
        assert read.preview
        assert read.preview.result
        pots.append(read.preview.pot_after_minor)
        start = start.after(read.preview.result)
    typed(recorder, table, "\n".join(f"{line} ={pot / 100:.2f}" for line, pot in zip(lines, pots, strict=True)))
    assert [record["pot_before"] for record in records()][1:] == pots[:-1]
    assert Table.objects.get().pot_minor == pots[-1]
    assert list(verify.differences()) == []
    assert engine_bridge.replay(records()[-1])["pot_after"] == pots[-1]


def test_a_muss_on_the_page_says_so(home, recorder):
    table = create_table(club=home.club, season=home.season, seats=4, game="kratzen")
    assert "Muss, Doris has the pack" in page(recorder.get(url(table)))
    enter(table, MUSS)
    assert "Anna has the pack" in page(recorder.get(url(table)))


def test_each_line_has_its_own_key():
    key = uuid.uuid4()
    assert len({typing_back.key_of(key, number) for number in range(1, 100)}) == 99


def test_the_control_sum_has_carried_coins_and_a_merged_table_has_no_sheet(home, recorder, table):
    Table.objects.filter(pk=table.pk).update(pot_minor=300, moved_minor=300)
    text = words(sheet(recorder, table))
    assert "All sums + pot = CHF 3.00" in text
    assert "so far" in text
    players = [PlayerFactory(club=home.club) for _ in range(3)]
    ledger.ensure_player_accounts(home.club.pk, [player.pk for player in players])
    second = table_create(evening=table.evening, players=players, first_dealer=players[0], number=2)
    Table.objects.filter(pk=second.pk).update(dissolved=True)
    assert pages(sheet(recorder, table)) == 1
    assert "This table was joined to another one" in page(recorder.get(url(second)))
