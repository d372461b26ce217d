"""The paper of a tournament, read by another program than the one that wrote it."""

from __future__ import annotations

import html
import io
import re
import time
from typing import Any

import pytest
from django.test import Client
from pypdf import PdfReader

from league import reading_process
from league.models import Player, Round, TableCard, Tournament
from league.tournaments import entries, results
from league.tournaments.paper import kinds
from tests.cast import House
from tests.clients import reader
from tests.tournaments.played_tournaments import drawn_round, made_tournament, play_round, with_entrants

pytestmark = pytest.mark.django_db

OF_A_ROUND = ("seating-by-name", "seating-by-table", "calling", "sheets")
A4 = (595, 842)


@pytest.fixture
def desk(home: House) -> Client:
    return reader(home.owner, "en")


@pytest.fixture
def cup(home: House) -> Tournament:
    return made_tournament(home.club, home.owner, rounds=3, drop_worst=1)


@pytest.fixture
def drawn(home: House, cup: Tournament) -> Round:
    with_entrants(cup, home.owner, 13)
    return drawn_round(cup, home.owner, left_out=[4])


def paper(client: Client, kind: str, tail: str = "") -> Any:
    return client.get(f"/c/roessli/tournaments/cup/paper/{kind}.pdf{tail}")


def read(answer: Any, mode: Any = "plain") -> list[str]:
    """Return the text of each page, with `layout` as it is printed; all pages are A4."""
    assert answer.status_code == 200, answer.content.decode()
    assert answer.headers["Content-Type"] == "application/pdf"
    pages = PdfReader(io.BytesIO(answer.content)).pages
    for page in pages:
        sides = sorted((round(float(page.mediabox.width)), round(float(page.mediabox.height))))
        assert tuple(sides) == A4
    return [page.extract_text(extraction_mode=mode) for page in pages]


def refused(answer: Any, status: int) -> str:
    assert answer.status_code == status
    match = re.search(r'<div class="errors" role="alert"><p>(.*?)</p>', answer.content.decode())
    assert match
    return html.unescape(match[1])


def test_a_badge_has_name_number_and_tournament(desk, home, cup):
    with_entrants(cup, home.owner, 12)
    pages = read(paper(desk, "badges"))
    assert len(pages) == 2
    for part in ("G1", "G10", "Cup", "Chratzclub Roessli", "Page 1 of 2"):
        assert part in pages[0], part
    assert "G12" in pages[1]


def test_an_entrant_who_withdrew_has_no_badge(desk, home, cup):
    with_entrants(cup, home.owner, 8)
    assert "G8" in read(paper(desk, "badges"))[0]
    entries.withdraw(tournament=cup, author=home.owner, number=8)
    assert "G8" not in read(paper(desk, "badges"))[0]


def test_a_table_card_is_made_once_and_shows_its_address(desk, home, cup):
    with_entrants(cup, home.owner, 13)
    first = read(paper(desk, "cards"))
    codes = list(TableCard.objects.order_by("table_number").values_list("code", flat=True))
    assert (len(first), len(codes)) == (2, 4)
    text = "".join(first).replace("\n", "")
    assert all(f"testserver/t/{code}" in text for code in codes)
    assert [page.split() for page in read(paper(desk, "cards"))] == [page.split() for page in first]


def test_cards_and_stickers_leave_out_the_broken_tables(desk, home, cup):
    Tournament.objects.update(closed_tables=[2])
    for kind in ("cards", "stickers"):
        numbers = re.findall(r"^\d+$", "\n".join(read(paper(desk, kind, "?tables=3"))), re.MULTILINE)
        assert numbers == ["1", "3", "4"], kind


def test_a_club_draws_one_paper_at_a_time(desk, home, cup, monkeypatch):
    monkeypatch.setattr(reading_process, "WAIT_SECONDS", 0.01)
    with reading_process.turn(home.club.pk):
        assert "Try again in a minute" in refused(paper(desk, "stickers", "?tables=3"), 429)
    assert read(paper(desk, "stickers", "?tables=3"))


@pytest.mark.parametrize("asked", ["0", "401", "x", "-1"])
def test_an_impossible_number_of_tables_is_refused(desk, cup, asked):
    assert "a whole number from 1 to 400" in refused(paper(desk, "stickers", f"?tables={asked}"), 422)


def test_everybody_is_once_on_each_list_of_the_round(desk, drawn):
    for kind in ("seating-by-name", "seating-by-table", "calling"):
        text = "\n".join(read(paper(desk, kind), "layout"))
        assert "Round 1 of 3" in text
        for number in range(1, 14):
            assert len(re.findall(rf"\bG{number}\b", text)) == 1, (kind, number)
        assert re.search("sits? out", text, re.IGNORECASE)


def test_each_table_has_a_sheet_with_its_people_and_a_line_for_each_hand(desk, drawn):
    pages = read(paper(desk, "sheets"))
    tables = drawn.draw.plan["tables"]
    assert len(pages) == len(tables)
    for page, table in zip(pages, tables, strict=True):
        assert f"Table {table['number']}" in page
        assert all(f"No. {number}" in page for number in table["seats"])
        assert "All results + pot left = 0" in page
        assert re.search(r"^12$", page, re.MULTILINE)
        assert not re.search(r"^13$", page, re.MULTILINE)


def test_the_result_list_is_the_ranking_with_its_seeds(desk, home, cup):
    with_entrants(cup, home.owner, 13)
    play_round(cup, home.owner, seed=31)
    second, _chips = play_round(cup, home.owner, seed=32)
    text = "\n".join(read(paper(desk, "results")))
    ranking = results.ranking_of(cup)
    names = [f"G{line.number}" for line in ranking.lines]
    shown = re.findall(r"\bG\d+\b", text)
    assert shown == names
    assert str(second.draw.seed) in text
    assert "Struck through: does not count." in text
    assert "Slanted: sat out" not in text


def test_the_results_of_37_people_have_no_page_for_a_last_name(desk, home, cup):
    with_entrants(cup, home.owner, 37)
    play_round(cup, home.owner)
    names = [re.findall(r"\bG\d+\b", page) for page in read(paper(desk, "results"))]
    assert [len(page_names) for page_names in names if page_names] == [37]


def test_a_sit_out_is_slanted_and_explained(desk, home, cup):
    with_entrants(cup, home.owner, 13)
    play_round(cup, home.owner, left_out=[4])
    answer = paper(desk, "results")
    assert "Slanted: sat out, the mean of the own rounds." in "\n".join(read(answer))
    content = PdfReader(io.BytesIO(answer.content)).pages[0].get_contents()
    assert content is not None
    slanted = re.findall(rb"1 0 0\.17\d* 1 ", content.get_data())
    assert len(slanted) == 1


def test_certificates_are_for_the_first_places_at_the_end(desk, home, cup):
    with_entrants(cup, home.owner, 12)
    for _round in range(2):
        play_round(cup, home.owner)
    assert "Certificates name the places at the end." in refused(paper(desk, "certificates"), 409)
    play_round(cup, home.owner)
    best = [line for line in results.ranking_of(cup).lines if line.rank <= 3]
    pages = read(paper(desk, "certificates"))
    assert len(pages) == len(best)
    for page, line in zip(pages, best, strict=True):
        assert f"G{line.number}" in page
    assert "1st" in pages[0]


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_without_entrants_a_sentence_names_the_missing_data(desk, cup, kind):
    status = 422 if kind in ("badges", "cards", "stickers") else 409
    assert refused(paper(desk, kind), status).endswith(".")
    assert paper(desk, kind).headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("kind", OF_A_ROUND)
def test_between_two_rounds_nothing_of_a_round_is_printed(desk, home, cup, kind):
    with_entrants(cup, home.owner, 12)
    play_round(cup, home.owner)
    assert "Publish the next draw" in refused(paper(desk, kind), 409)
    drawn_round(cup, home.owner)
    assert read(paper(desk, kind))


def test_an_unknown_kind_is_not_found(desk, cup):
    assert paper(desk, "posters").status_code == 404


def test_only_the_desk_prints(home, drawn):
    for person, status in ((home.recorder, 403), (home.member, 403), (home.owner, 200)):
        assert paper(reader(person), "badges").status_code == status
        assert reader(person).get("/c/roessli/tournaments/cup/paper/").status_code == status
    Tournament.objects.update(state=Tournament.State.DRAFT)
    assert paper(reader(home.member), "badges").status_code == 404


def test_the_list_links_the_printable_kinds(desk, home, cup):
    with_entrants(cup, home.owner, 12)
    text = desk.get("/c/roessli/tournaments/cup/paper/").content.decode()
    assert 'href="/c/roessli/tournaments/cup/paper/badges.pdf"' in text
    assert 'href="/c/roessli/tournaments/cup/paper/sheets.pdf"' not in text
    drawn_round(cup, home.owner)
    text = desk.get("/c/roessli/tournaments/cup/paper/").content.decode()
    assert 'href="/c/roessli/tournaments/cup/paper/sheets.pdf"' in text


@pytest.mark.rest
def test_any_nickname_fits(desk, home, cup):
    names = ("Bartholomäus Christoph von Arx-Oberdor", "Ольга", "W" * 38, "**Đorđe** [x](y)", "🂡 Joker", "Jo", "Ä", "Z")
    with_entrants(cup, home.owner, len(names))
    for player, name in zip(Player.objects.filter(entries__tournament=cup).order_by("pk"), names, strict=True):
        Player.objects.filter(pk=player.pk).update(nickname=name)
    drawn_round(cup, home.owner)
    for kind in ("badges", *OF_A_ROUND):
        text = "\n".join(read(paper(desk, kind)))
        assert "Ольга" in text, kind
        assert "**Đorđe**" in text, kind


@pytest.mark.rest
def test_eight_hundred_badges_take_a_few_seconds(home, cup):
    with_entrants(cup, home.owner, 800)
    desk = reader(home.owner)
    started = time.process_time()
    pages = PdfReader(io.BytesIO(paper(desk, "badges").content)).pages
    assert time.process_time() - started < 8
    assert len(pages) == 80
