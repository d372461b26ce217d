"""Evenings through the API: begun, read, closed and settled, opened again; payments, debts, receipts, files."""

from __future__ import annotations

import csv
import io
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.audit import differences
from games.closing.selectors import settled
from games.models import Table
from league.models import Club, Evening, Player, Season
from league.roster.merging import players_merge
from tests.api.asking import Asker, done, is_problem, key_for
from tests.cast import Cast
from tests.factories import FAILED, MADE, PlayerFactory, SeasonFactory, body, enter, open_table

pytestmark = pytest.mark.django_db


def of(table: Table, rest: str = "") -> str:
    return f"clubs/{table.evening.club.slug}/evenings/{table.evening_id}{rest}"


def begin(people: Cast, **more: Any) -> dict[str, Any]:
    known = [PlayerFactory(club=people.home.club, nickname=name) for name in ("Anna", "Beni", "Carlo")]
    return {
        "season": "2026",
        "held_on": "2026-11-20",
        "game": "chratze",
        "seating": [*({"player": player.pk} for player in known), {"guest": "Zora"}],
        "first_dealer": 3,
    } | more


# --- Begun -----------------------------------------------------------------------------------------------


def test_an_evening_begins_with_players_and_guests(people, asks):
    answer = asks.post("clubs/roessli/evenings", begin(people))
    told = done(answer)
    assert answer.status_code == 201
    assert answer["Location"] == f"/api/v1/clubs/roessli/evenings/{told['id']}"
    assert (told["number"], told["season"], told["standing"]) == (1, "2026", "open")
    [table] = told["tables"]
    assert [seat["name"] for seat in table["seats"]] == ["Anna", "Beni", "Carlo", "Zora"]
    assert (table["next"]["dealer"], table["next"]["forehand"], table["next"]["pot_minor"]) == (3, 0, 80)
    assert Player.objects.get(nickname="Zora").guest
    assert done(asks.get(f"clubs/roessli/evenings/{told['id']}")) == told


def test_an_evening_is_begun_once_a_key(people, asks):
    sent, key = begin(people), uuid.uuid4()
    first = asks.post("clubs/roessli/evenings", sent, key=key)
    table = Table.objects.get()
    enter(table, MADE)
    again = asks.post("clubs/roessli/evenings", sent, key=key)
    assert (again.status_code, again.content) == (201, first.content)
    assert Evening.objects.count() == 1


WRONG = [
    ({"first_dealer": 4}, "first_dealer"),
    ({"season": "never"}, "season"),
    ({"game": "kratzen", "seating": [{"guest": "A"}, {"guest": "B"}], "first_dealer": 0}, "seating"),
    ({"seating": [{"guest": "A"}, {"guest": "a"}], "first_dealer": 0}, "seating"),
    ({"seating": [{"guest": "Anna"}, {"guest": "b"}], "first_dealer": 0}, "seating"),
]


@pytest.mark.parametrize(("more", "where"), WRONG)
def test_what_cannot_begin_says_why_and_leaves_nothing(people, asks, more, where):
    sent = begin(people)
    players = Player.objects.count()
    answer = asks.post("clubs/roessli/evenings", sent | more)
    assert is_problem(answer, 422)
    assert answer.json()["at"] == where
    assert not Evening.objects.exists()
    assert Player.objects.count() == players


MALFORMED = [
    ({"seating": [{"player": 1, "guest": "A"}, {"guest": "B"}]}, "seating"),
    ({"seating": [{}, {"guest": "B"}]}, "seating"),
    ({"held_on": "yesterday"}, "held_on"),
    ({"held_on": 20261120}, "held_on"),
    ({"carry": 1}, "carry"),
    ({"colour": "red"}, "colour"),
]


@pytest.mark.parametrize(("more", "where"), MALFORMED)
def test_a_malformed_body_names_the_field(people, asks, more, where):
    answer = asks.post("clubs/roessli/evenings", begin(people) | more)
    assert is_problem(answer, 400, "invalid")
    assert any(one["at"].startswith(where) for one in answer.json()["errors"])


# --- Read ------------------------------------------------------------------------------------------------


def test_evenings_are_listed_by_page_season_and_state(people, asks, django_assert_max_num_queries):
    season, other = people.home.season, SeasonFactory(club=people.home.club, slug="2025")
    for day in range(5):
        held = timezone.localdate() - timedelta(days=day)
        enter(open_table(club=people.home.club, season=season, held_on=held), MADE)
    open_table(club=people.home.club, season=other, held_on=timezone.localdate() - timedelta(days=300))
    Evening.objects.filter(number=1, season=season).update(state="closed")
    url, numbers, counts = "clubs/roessli/evenings?limit=2", [], []
    asks.get("me")
    while url:
        with django_assert_max_num_queries(8) as queries:
            told = done(asks.get(url))
        counts.append(len(queries))
        numbers += [(one["season"], one["number"], one["hands"], one["players"]) for one in told["items"]]
        url = told["next"]
    assert numbers == [*(("2026", n, 1, 5) for n in range(1, 6)), ("2025", 1, 0, 0)]
    assert len(set(counts)) == 1

    def listed(query: str) -> list[int]:
        return [one["number"] for one in done(asks.get(f"clubs/roessli/evenings?{query}"))["items"]]

    assert listed("season=2025") == [1]
    assert listed("season=nowhere") == []
    assert listed("state=closed") == [1]
    assert listed(f"since={timezone.localdate() - timedelta(days=1)}") == [1, 2]
    assert listed("game=kratzen") == []


@pytest.mark.parametrize("query", ["season=a b", "state=half", "since=soon", "game=jass", "colour=red", "limit=0"])
def test_a_filter_that_cannot_be_is_named(asks, query):
    answer = asks.get(f"clubs/roessli/evenings?{query}")
    assert is_problem(answer, 400)
    assert answer.json()["errors"][0]["at"] == query.partition("=")[0]


def test_an_evening_costs_as_many_queries_however_many_hands(asks, table, django_assert_max_num_queries):
    counts = []
    for _ in range(2):
        for _ in range(4):
            enter(table, MADE)
        asks.get("me")
        with django_assert_max_num_queries(13) as queries:
            done(asks.get(of(table)))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_an_evening_that_has_not_changed_is_not_sent_again(asks, table):
    first = asks.get(of(table))
    assert asks.get(of(table), **{"If-None-Match": first["ETag"]}).status_code == 304
    enter(table, MADE)
    assert asks.get(of(table), **{"If-None-Match": first["ETag"]}).status_code == 200


def test_house_rules_are_for_people_of_the_club(asks, table):
    assert done(asks.get(of(table)))["rules"]["stake"] == 20
    assert done(Asker().get(of(table)))["rules"] is None


def test_who_writes_sees_amounts_until_the_evening_is_final(asks, owner, table):
    enter(table, FAILED)
    enter(table, MADE)

    def shown(asker: Asker) -> tuple[bool, bool, bool]:
        """Whether amounts stand at the seats, in the hands, and in what was put right."""
        hands = done(asker.get(f"clubs/roessli/tables/{table.pk}/hands"))["items"]
        night = done(asker.get(of(table)))
        return (
            any(hand["lines"] for hand in hands),
            any(line["change_minor"] is not None for hand in hands for line in hand["seats"]),
            any(seat["change_minor"] is not None for seat in night["tables"][0]["seats"]),
        )

    assert shown(asks) == (True, True, True)
    done(asks.post(of(table, "/close"), {"pot": "carry"}))
    assert shown(asks) == (True, True, True)
    Evening.objects.update(final_at=timezone.now() - timedelta(seconds=1))
    assert shown(asks) == (False, False, False)
    assert shown(owner) == (True, True, True)


# --- Closed and settled ----------------------------------------------------------------------------------


def test_an_evening_is_closed_settled_and_paid(asks, owner, table):
    enter(table, FAILED)
    assert is_problem(asks.get(of(table, "/settlement")), 409, "open")
    answer = asks.post(of(table, "/close"), {"pot": "carry"})
    told = done(answer)
    assert (answer.status_code, told["standing"], told["pot_minor"]) == (201, "provisional", 200)
    assert sum(one["won_minor"] for one in told["sums"]) == 0
    assert sum(one["amount_minor"] for one in told["payments"]) == told["due_minor"] == told["open_minor"]
    assert told["closing"]["receipt"]["number"] == 1
    first, *rest = told["payments"]
    paid = done(asks.post(of(table, "/payments"), {"paid": True, "payments": [first["id"]]}))
    assert (paid["changed"], [one["paid"] for one in paid["payments"]]) == (1, [True, *[False] * len(rest)])
    assert done(asks.post(of(table, "/payments"), {"paid": True}))["changed"] == len(rest)
    assert done(asks.get(of(table, "/settlement")))["open_minor"] == 0
    assert done(asks.post(of(table, "/payments"), {"paid": False, "payments": [first["id"]]}))["changed"] == 1
    assert done(owner.get("clubs/roessli/debts"))["total_minor"] == first["amount_minor"]
    assert list(differences()) == []


def test_who_counts_for_somebody_is_settled_with_them_as_one_on_the_page(asks, table):
    enter(table, FAILED)
    main = Player.objects.get(pk=body(table, FAILED)["players"][0])
    table_at = f"clubs/roessli/tables/{table.pk}/acts"
    done(asks.post(table_at, {"act": "leave", "player": main.pk}))
    done(asks.post(table_at, {"act": "arrive", "guest": "Zora"}))
    enter(table, FAILED)
    other = Player.objects.get(nickname="Zora")
    players_merge(club=table.evening.club, player=other, main=main, reason="the same", actor=None)
    told = done(asks.post(of(table, "/close"), {"pot": "carry"}))
    assert {main.pk, other.pk} & {one["player"] for one in told["sums"]} == {main.pk}
    assert sum(one["won_minor"] for one in told["sums"]) == 0
    page = settled(Evening.objects.get())
    assert [(one["name"], one["won_minor"], one["open_minor"]) for one in told["sums"]] == [
        (one.name, one.won_minor, one.open_minor) for one in page.sums
    ]


def test_a_pot_is_shared_among_those_named(asks, table):
    enter(table, FAILED)
    players = body(table, MADE)["players"]
    told = done(asks.post(of(table, "/close"), {"pot": "share", "present": players[:2]}))
    assert [(one["player"], one["amount_minor"]) for one in told["shares"]] == [(players[0], 100), (players[1], 100)]
    assert is_problem(asks.post(of(table, "/close"), {"pot": "share", "present": players[:2]}), 409, "closed")


@pytest.mark.parametrize("sent", [{"pot": "share"}, {"pot": "share", "present": [10**9]}])
def test_a_pot_is_not_shared_among_nobody_or_strangers(asks, table, sent):
    assert is_problem(asks.post(of(table, "/close"), sent), 422, "present")
    assert Evening.objects.get().state == "open"


def test_closing_once_more_with_its_key_gives_the_same_answer(asks, table):
    enter(table, FAILED)
    key = uuid.uuid4()
    first = asks.post(of(table, "/close"), {"pot": "kitty"}, key=key)
    asks.post(of(table, "/payments"), {"paid": True})
    again = asks.post(of(table, "/close"), {"pot": "kitty"}, key=key)
    assert (again.status_code, again.content) == (201, first.content)


def test_a_provisional_evening_is_opened_by_a_recorder_a_final_one_by_an_owner_with_a_reason(asks, owner, table):
    enter(table, MADE)
    done(asks.post(of(table, "/close"), {"pot": "carry"}))
    assert done(asks.post(of(table, "/reopen"), {}))["kind"] == "reopened"
    done(asks.post(of(table, "/close"), {"pot": "carry"}))
    Evening.objects.update(final_at=timezone.now() - timedelta(hours=1))
    assert is_problem(asks.post(of(table, "/reopen"), {"reason": "please"}), 403, "final")
    assert is_problem(owner.post(of(table, "/reopen"), {}), 422, "reason")
    told = done(owner.post(of(table, "/reopen"), {"reason": "the wrong table"}))
    assert told["reason"] == "the wrong table"
    assert done(asks.get(of(table)))["standing"] == "open"


def test_the_last_hand_is_said_and_taken_back(asks, table):
    done(asks.post(of(table, "/last-hand"), {"on": True}))
    assert done(asks.get(of(table)))["tables"][0]["last_hand"] is True
    done(asks.post(of(table, "/last-hand"), {"on": False}))
    assert done(asks.get(of(table)))["tables"][0]["last_hand"] is False


def test_debts_are_everybodys_for_the_treasurer_and_ones_own_for_a_member(people, asks, table):
    enter(table, FAILED)
    settled = done(asks.post(of(table, "/close"), {"pot": "kitty"}))
    Player.objects.filter(club=people.home.club, nickname="Beni").update(user=people.home.member)
    treasurer = done(Asker(key=key_for(people.home.treasurer)).get("clubs/roessli/debts"))
    assert (treasurer["all"], treasurer["total_minor"]) == (True, settled["due_minor"])
    member = done(Asker(key=key_for(people.home.member)).get("clubs/roessli/debts"))
    assert member["all"] is False
    assert {"Beni"} == {one["payee"]["name"] for one in member["debts"]} | {
        one["payer"]["name"] for one in member["debts"] if one["payee"]["name"] != "Beni"
    }
    assert done(Asker(key=key_for(people.home.member, "read")).get("clubs/roessli/debts"))["debts"] == []
    numbers = [one["id"] for one in treasurer["debts"]]
    assert is_problem(asks.post("clubs/roessli/debts", {"payments": [str(uuid.uuid4())]}), 404, "payment")
    assert done(asks.post("clubs/roessli/debts", {"payments": numbers}))["changed"] == len(numbers)
    assert done(Asker(key=key_for(people.home.treasurer)).get("clubs/roessli/debts"))["debts"] == []


def test_a_receipt_opens_by_its_token_and_tells_when_it_no_longer_agrees(asks, table):
    enter(table, FAILED)
    done(asks.post(of(table, "/close"), {"pot": "carry"}))
    told = done(asks.get(of(table, "/receipts")))
    anna = next(one for one in told["links"] if one["name"] == "Anna")
    receipt = done(Asker().get(f"receipts/{anna['token']}"))
    assert (receipt["sum_minor"], receipt["agrees"], receipt["digest"]) == (-220, True, told["receipt"]["digest"])
    assert {one["sum_minor"] for one in receipt["others"]} == {None}
    sent = {"kind": "changed", "number": 1, "players": body(table, MADE)["players"], "record": MADE}
    done(asks.post(f"clubs/roessli/tables/{table.pk}/corrections", sent))
    assert "X-Robots-Tag" not in Asker().get(f"receipts/{anna['token']}")
    Club.objects.update(visibility=Club.Visibility.PRIVATE)
    answer = Asker().get(f"receipts/{anna['token']}")
    assert (answer["X-Robots-Tag"], "no-store" in answer["Cache-Control"]) == ("noindex, nofollow", True)
    later = done(Asker().get(f"receipts/{anna['token']}", Accept_Language="en"))
    assert later["agrees"] is False
    assert any("hand 1" in one for one in later["differences"])
    assert is_problem(Asker().get(f"receipts/{anna['token']}x"), 404)


def test_a_season_in_points_is_closed_without_payments(people, asks, table):
    Season.objects.update(points_only=True)
    enter(table, FAILED)
    told = done(asks.post(of(table, "/close"), {"pot": "carry"}))
    assert (told["payments"], told["sums"], told["pot_minor"]) == ([], [], 0)


# --- Files -----------------------------------------------------------------------------------------------


def test_the_files_are_those_of_the_pages(people, asks, owner, table):
    enter(table, FAILED)
    done(asks.post(of(table, "/close"), {"pot": "kitty"}))
    browser = Asker(person=people.home.owner).client
    for ours, theirs in (
        (of(table, "/hands.csv"), f"/c/roessli/e/{table.evening_id}/hands.csv"),
        ("clubs/roessli/debts.csv", "/c/roessli/debts.csv"),
        ("clubs/roessli/debts.csv?for=excel", "/c/roessli/debts.csv?for=excel"),
    ):
        answer = owner.get(ours)
        assert answer["Content-Type"].startswith("text/csv")
        assert answer.getvalue() == browser.get(theirs).getvalue()
    rows = list(csv.DictReader(io.StringIO(asks.get(of(table, "/hands.csv")).getvalue().decode())))
    assert {row["change_minor"] for row in rows} == {""}
    assert is_problem(asks.get("clubs/roessli/debts.csv?for=word"), 400)


def test_the_sheet_is_a_pdf(asks, table):
    answer = asks.get(of(table, "/sheet.pdf?size=a5"))
    assert (answer["Content-Type"], answer.content[:5]) == ("application/pdf", b"%PDF-")
    assert is_problem(asks.get(of(table, "/sheet.pdf?size=a0")), 400)


def test_a_private_clubs_evening_is_there_for_its_people_alone(asks, table):
    Club.objects.update(visibility="private")
    assert is_problem(Asker().get(of(table)), 404)
    assert asks.get(of(table)).status_code == 200
