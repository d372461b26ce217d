"""The draw at the desk: seen before it is published, changed by hand, drawn again for those who came or left."""

from __future__ import annotations

import pytest

from draw import Report
from league.models import Draw, Round
from league.tournaments import draw_reasons
from tests.tournaments.desk_pages import FORMAT, Desk

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(desk: Desk) -> Desk:
    desk.do("tournament-setup", "format", **FORMAT)
    return desk


def newest() -> Draw:
    return Draw.objects.latest("pk")


def tables(draw: Draw) -> list[list[int]]:
    return [table["seats"] for table in draw.plan["tables"]]


def test_a_draw_is_seen_before_it_is_published(desk):
    desk.do("tournament-draw", "draw", seed=5)
    page = desk.get("tournament-draw")
    for words in ("only the desk sees it", "Repeated meetings", "Most often two meet", "By lot", ">5<", "Anna"):
        assert words in page
    assert Round.objects.count() == 0
    desk.do("tournament-draw", "publish", draw=newest().pk)
    assert Round.objects.get().draw == newest()


TABLES = {"most_bound": 2, "repeats": 4, "bound": 4, "bound_by": "tables"}


@pytest.mark.usefixtures("en")
@pytest.mark.parametrize(
    ("name", "parts", "words"),
    [
        ("repeats", TABLES, ["none below 4", "more seats than there are tables to come from"]),
        ("repeats", TABLES | {"bound_by": "people"}, ["none below 4", "more meet than there are pairs"]),
        ("repeats", TABLES | {"bound_by": "turns"}, ["none below 4", "go by turns in every round"]),
        (
            "repeats",
            TABLES | {"repeats": 5, "searched": 500},
            ["none below 4", "a search of 0.5 s found nothing better"],
        ),
        ("repeats", TABLES | {"repeats": 5}, ["none below 4", "this draw looks for no better one"]),
        ("most", {"most": 2, "most_bound": 2}, ["none below 2"]),
        ("most", {"most": 3, "most_bound": 2, "searched": 2000}, ["none below 2", "a search of 2 s"]),
        ("odd", {"most_bound": 1, "odd_tables": 2, "odd_bound": 2}, ["the number of people allows no fewer"]),
        ("uneven", {"most_bound": 1, "odd_uneven": 3, "searched": 500}, ["few repeats come first", "0.5 s"]),
        ("uneven", {"most_bound": 1, "odd_uneven": 3, "order": "sizes"}, ["by turns in every round"]),
    ],
)
def test_each_figure_says_why_it_is_not_lower(name, parts, words):
    sentence = getattr(draw_reasons, f"{name}_reason")(Report(**parts))
    assert [word for word in words if word not in sentence] == [], sentence
    assert ("search" in sentence) == bool(parts.get("searched"))


def test_the_page_of_the_draw_has_the_reason(desk):
    desk.publish()
    desk.play(1)
    desk.do("tournament-round", "finish", round=1)
    desk.do("tournament-draw", "draw", mode="balanced", seed=1)
    assert newest().report["bound_by"] == "tables"
    assert "more seats than there are tables to come from" in desk.get("tournament-draw")


def test_another_seed_gives_another_draw_and_the_same_seed_the_same(desk):
    for seed in (5, 6, 5):
        desk.do("tournament-draw", "draw", seed=seed)
    first, second, third = Draw.objects.order_by("pk")
    assert tables(first) == tables(third)
    assert tables(first) != tables(second)


@pytest.mark.parametrize("seed", ["zwölf", "-3", "9999999999"])
def test_an_invalid_seed_is_refused(desk, seed):
    assert "The seed is a whole number" in desk.do("tournament-draw", "draw", seed=seed, status=422)
    assert Draw.objects.count() == 0


def test_two_are_swapped_by_name_or_number_and_the_page_shows_the_cost(desk):
    desk.publish()
    desk.play(1)
    desk.do("tournament-round", "finish", round=1)
    desk.do("tournament-draw", "draw", mode="balanced", seed=1)
    before = newest()
    a, b = before.plan["tables"][0]["seats"][0], before.plan["tables"][1]["seats"][0]
    desk.do("tournament-draw", "swap", draw=before.pk, a=a, b=b)
    after = newest()
    assert after.kind == "swapped"
    assert after.plan["tables"][0]["seats"][0] == b
    assert "exchanged" in desk.get("tournament-draw")
    assert "Choose two people" in desk.do("tournament-draw", "swap", draw=after.pk, a=a, b=a, status=422)
    assert "Choose two people" in desk.do("tournament-draw", "swap", draw=after.pk, a="Xaver", b=b, status=422)


def test_an_older_draw_is_not_published_after_another_desk_drew_again(desk):
    desk.do("tournament-draw", "draw")
    old = newest()
    desk.do("tournament-draw", "draw")
    assert "Somebody at the desk has drawn" in desk.do("tournament-draw", "publish", draw=old.pk, status=409)
    desk.do("tournament-draw", "publish", draw=newest().pk)


def test_somebody_sits_out_by_name(desk):
    desk.post("tournament-entrants", {"names": "Ida", "here": "on"})
    desk.do("tournament-draw", "draw", left_out="ida")
    assert newest().plan["out"] == [9]
    assert "Nobody here is called" in desk.do("tournament-draw", "draw", left_out="Xaver", status=422)


def test_after_a_late_arrival_the_redraw_lists_the_changes(desk):
    desk.publish()
    desk.post("tournament-entrants", {"names": "Ida", "here": "on"})
    page = desk.get()
    assert "Draw again for those who came or left" in page
    assert "9 Ida" in page
    desk.do("tournament-draw", "again")
    assert newest().kind == "redrawn"
    assert "9 Ida has come." in desk.get("tournament-draw")
    assert Round.objects.get().draw != newest()
    desk.do("tournament-draw", "publish", draw=newest().pk)
    assert Round.objects.get().draw == newest()


def test_a_draw_of_other_people_is_not_published(desk):
    desk.do("tournament-draw", "draw")
    desk.post("tournament-check-in", {"who": "1", "away": "1"})
    assert "Came or left since the draw: 1 Anna." in desk.get("tournament-draw")
    assert "somebody came or left" in desk.do("tournament-draw", "publish", draw=newest().pk, status=409)
    assert Round.objects.count() == 0


def test_a_published_draw_is_taken_back_before_it_is_played(desk):
    desk.publish()
    desk.do("tournament-draw", "back")
    assert Round.objects.count() == 0
    desk.publish()
    desk.do("tournament-round", "start", round=1)
    assert "No drawn round waits" in desk.do("tournament-draw", "back", status=409)


@pytest.fixture
def ahead(desk):
    """Round 1 is played, and round 2 was drawn already."""
    desk.publish()
    desk.do("tournament-round", "start", round=1)
    desk.do("tournament-draw", "draw", confirmed="yes")
    return desk


def test_a_round_whose_start_was_taken_back_is_started_again(ahead):
    draft = newest()
    assert "Look at the draw of round 2" in ahead.get()
    ahead.do("tournament-round", "unstart", round=1)
    page = ahead.get()
    assert "Start round 1" in page
    assert "Look at the new draw" not in page
    assert "Draw of round 1" in ahead.get("tournament-draw")
    refused = ahead.do("tournament-draw", "publish", draw=draft.pk, confirmed="yes", status=409)
    assert "Round 1 is drawn and has not begun." in refused
    ahead.do("tournament-round", "start", round=1)
    assert "Look at the draw of round 2" in ahead.get()
    ahead.do("tournament-draw", "publish", draw=draft.pk, confirmed="yes")
    assert list(Round.objects.values_list("number", "state")) == [(1, "playing"), (2, "drawn")]


def test_the_redraw_of_a_round_is_not_shown_once_it_is_played(desk):
    desk.publish()
    desk.do("tournament-draw", "again")
    assert "Look at the new draw" in desk.get()
    desk.do("tournament-round", "start", round=1)
    assert "Draw round 2 already" in desk.get()
    assert newest() != Round.objects.get().draw
    assert "published" in desk.get("tournament-draw")


def test_a_draw_is_published_while_a_round_is_played_only_if_that_is_confirmed(ahead):
    draft = newest()
    assert '<input type="hidden" name="confirmed" value="yes">' in ahead.get("tournament-draw")
    refused = ahead.do("tournament-draw", "publish", draw=draft.pk, status=409)
    for words in ("Round 1 is still being played. Publish", "Publish all the same", 'name="confirmed" value="yes"'):
        assert words in refused
    assert Round.objects.count() == 1
    for table in Round.objects.get().draw.plan["tables"]:
        ahead.hand_in(1, table)
    ahead.do("tournament-round", "finish", round=1)
    assert 'name="confirmed"' not in ahead.get("tournament-draw")
    ahead.do("tournament-draw", "publish", draw=draft.pk)
    assert Round.objects.count() == 2


def test_a_draw_of_a_later_round_is_not_published_first(ahead):
    draft = newest()
    ahead.do("tournament-round", "unstart", round=1)
    ahead.do("tournament-draw", "back")
    assert "Draw of round 1" in ahead.get("tournament-draw")
    refused = ahead.do("tournament-draw", "publish", draw=draft.pk, status=409)
    assert "The next round is round 1." in refused
    assert Round.objects.count() == 0


def test_too_few_people_get_the_least_number(people):
    desk = Desk(people)
    desk.create()
    desk.enter("Anna\nBeni")
    assert "Too few people" in desk.get()
    assert "at least 6 people" in desk.do("tournament-draw", "draw", status=422)
