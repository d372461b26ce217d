"""Evenings through the API: start, read, close, reopen; payments, receipts, files."""

from __future__ import annotations

import csv
import io
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.closing.selectors import settled
from games.integrity.verify import differences
from games.models import Table
from league.models import Club, Evening, Player, Season
from league.roster.merging import players_merge
from tests.api.api_client import ApiClient, done, is_problem, key_for
from tests.cast import Cast
from tests.factories import FAILED, MADE, PlayerFactory, SeasonFactory, body, create_table, enter

pytestmark = pytest.mark.django_db


def of(table: Table, rest: str = "") -> str:
    return f"clubs/{table.evening.club.slug}/evenings/{table.evening_id}{rest}"


def new_evening(people: Cast, **more: Any) -> dict[str, Any]:
    known = [PlayerFactory(club=people.home.club, nickname=name) for name in ("Anna", "Beni", "Carlo")]
    return {
        "season": "2026",
        "held_on": "2026-11-20",
        "game": "chratze",
        "seating": [*({"player": player.pk} for player in known), {"guest": "Zora"}],
        "first_dealer": 3,
    } | more


# --- Start -----------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_an_evening_starts_with_players_and_guests(people, api):
    answer = api.post("clubs/roessli/evenings", new_evening(people))
    got = done(answer)
    assert answer.status_code == 201
    assert answer["Location"] == f"/api/v1/clubs/roessli/evenings/{got['id']}"
    assert (got["number"], got["season"], got["stage"]) == (1, "2026", "open")
    [table] = got["tables"]
    assert [seat["name"] for seat in table["seats"]] == ["Anna", "Beni", "Carlo", "Zora"]
    assert (table["next"]["dealer"], table["next"]["forehand"], table["next"]["pot_minor"]) == (3, 0, 80)
    assert Player.objects.get(nickname="Zora").guest
    assert done(api.get(f"clubs/roessli/evenings/{got['id']}")) == got


@pytest.mark.both_databases
def test_an_evening_is_started_once_for_one_key(people, api):
    sent, key = new_evening(people), uuid.uuid4()
    first = api.post("clubs/roessli/evenings", sent, key=key)
    table = Table.objects.get()
    enter(table, MADE)
    again = api.post("clubs/roessli/evenings", sent, key=key)
    assert (again.status_code, again.content) == (201, first.content)
    assert Evening.objects.count() == 1


WRONG = [
    ({"first_dealer": 4}, "first_dealer"),
    ({"season": "never"}, "season"),
    ({"held_on": "9999-12-31"}, "held_on"),
    ({"game": "kratzen", "seating": [{"guest": "A"}, {"guest": "B"}], "first_dealer": 0}, "seating"),
    ({"seating": [{"guest": "A"}, {"guest": "a"}], "first_dealer": 0}, "seating"),
    ({"seating": [{"guest": "Anna"}, {"guest": "b"}], "first_dealer": 0}, "seating"),
]


@pytest.mark.parametrize(("more", "where"), WRONG)
def test_an_impossible_evening_is_refused_and_stores_nothing(people, api, more, where):
    sent = new_evening(people)
    players = Player.objects.count()
    answer = api.post("clubs/roessli/evenings", sent | more)
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
def test_a_malformed_body_names_the_field(people, api, more, where):
    answer = api.post("clubs/roessli/evenings", new_evening(people) | more)
    assert is_problem(answer, 400, "invalid")
    assert any(error["at"].startswith(where) for error in answer.json()["errors"])


# --- Read ------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_evenings_are_listed_by_page_season_and_state(people, api, django_assert_max_num_queries):
    season, other = people.home.season, SeasonFactory(club=people.home.club, slug="2025")
    for day in range(5):
        held = timezone.localdate() - timedelta(days=day)
        enter(create_table(club=people.home.club, season=season, held_on=held), MADE)
    create_table(club=people.home.club, season=other, held_on=timezone.localdate() - timedelta(days=300))
    Evening.objects.filter(number=1, season=season).update(state="closed")
    url, numbers, counts = "clubs/roessli/evenings?limit=2", [], []
    api.get("me")
    while url:
        with django_assert_max_num_queries(8) as queries:
            got = done(api.get(url))
        counts.append(len(queries))
        numbers += [(item["season"], item["number"], item["hands"], item["players"]) for item in got["items"]]
        url = got["next"]
    assert numbers == [*(("2026", n, 1, 5) for n in range(1, 6)), ("2025", 1, 0, 0)]
    assert len(set(counts)) == 1

    def listed(query: str) -> list[int]:
        return [item["number"] for item in done(api.get(f"clubs/roessli/evenings?{query}"))["items"]]

    assert listed("season=2025") == [1]
    assert listed("season=nowhere") == []
    assert listed("state=closed") == [1]
    assert listed(f"since={timezone.localdate() - timedelta(days=1)}") == [1, 2]
    assert listed("game=kratzen") == []


@pytest.mark.parametrize("query", ["season=a b", "state=half", "since=soon", "game=jass", "colour=red", "limit=0"])
def test_an_invalid_filter_is_named(api, query):
    answer = api.get(f"clubs/roessli/evenings?{query}")
    assert is_problem(answer, 400)
    assert answer.json()["errors"][0]["at"] == query.partition("=")[0]


def test_an_evening_takes_as_many_queries_with_more_hands(api, table, django_assert_max_num_queries):
    counts = []
    for _ in range(2):
        for _ in range(4):
            enter(table, MADE)
        api.get("me")
        with django_assert_max_num_queries(13) as queries:
            done(api.get(of(table)))
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.both_databases
def test_an_unchanged_evening_is_not_sent_again(api, table):
    first = api.get(of(table))
    assert api.get(of(table), **{"If-None-Match": first["ETag"]}).status_code == 304
    enter(table, MADE)
    assert api.get(of(table), **{"If-None-Match": first["ETag"]}).status_code == 200


def test_house_rules_are_for_people_of_the_club(api, table):
    assert done(api.get(of(table)))["rules"]["stake"] == 20
    assert done(ApiClient().get(of(table)))["rules"] is None


def test_a_recorder_sees_amounts_until_the_evening_is_final(api, owner, table):
    enter(table, FAILED)
    enter(table, MADE)

    def shown(asker: ApiClient) -> tuple[bool, bool, bool]:
        """Return True or False for amounts at the seats, in the hands and in the corrections."""
        hands = done(asker.get(f"clubs/roessli/tables/{table.pk}/hands"))["items"]
        night = done(asker.get(of(table)))
        return (
            any(hand["lines"] for hand in hands),
            any(line["change_minor"] is not None for hand in hands for line in hand["seats"]),
            any(seat["change_minor"] is not None for seat in night["tables"][0]["seats"]),
        )

    assert shown(api) == (True, True, True)
    done(api.post(of(table, "/close"), {"pot": "carry"}))
    assert shown(api) == (True, True, True)
    Evening.objects.update(final_at=timezone.now() - timedelta(seconds=1))
    assert shown(api) == (False, False, False)
    assert shown(owner) == (True, True, True)


# --- Close and settle ----------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_an_evening_is_closed_settled_and_paid(api, owner, table):
    enter(table, FAILED)
    assert is_problem(api.get(of(table, "/settlement")), 409, "open")
    answer = api.post(of(table, "/close"), {"pot": "carry"})
    got = done(answer)
    assert (answer.status_code, got["stage"], got["pot_minor"]) == (201, "provisional", 200)
    assert sum(line["won_minor"] for line in got["sums"]) == 0
    assert sum(payment["amount_minor"] for payment in got["payments"]) == got["total_minor"] == got["outstanding_minor"]
    assert got["closing"]["receipt"]["number"] == 1
    first, *rest = got["payments"]
    paid = done(api.post(of(table, "/payments"), {"paid": True, "payments": [first["id"]]}))
    assert (paid["changed"], [payment["paid"] for payment in paid["payments"]]) == (1, [True, *[False] * len(rest)])
    assert [payment["way"] for payment in paid["payments"]] == ["cash", *[None] * len(rest)]
    assert done(api.post(of(table, "/payments"), {"paid": True, "way": "twint"}))["changed"] == len(rest)
    ways = [payment["way"] for payment in done(api.get(of(table, "/settlement")))["payments"]]
    assert ways == ["cash", *["twint"] * len(rest)]
    assert is_problem(api.post(of(table, "/payments"), {"paid": True, "way": "cheque"}), 400)
    assert done(api.get(of(table, "/settlement")))["outstanding_minor"] == 0
    assert done(api.post(of(table, "/payments"), {"paid": False, "payments": [first["id"]]}))["changed"] == 1
    assert done(owner.get("clubs/roessli/debts"))["total_minor"] == first["amount_minor"]
    assert list(differences()) == []


@pytest.mark.both_databases
def test_merged_players_are_settled_as_one_as_on_the_page(api, table):
    enter(table, FAILED)
    main = Player.objects.get(pk=body(table, FAILED)["players"][0])
    table_at = f"clubs/roessli/tables/{table.pk}/seating-changes"
    done(api.post(table_at, {"kind": "leave", "player": main.pk}))
    done(api.post(table_at, {"kind": "arrive", "guest": "Zora"}))
    enter(table, FAILED)
    other = Player.objects.get(nickname="Zora")
    players_merge(club=table.evening.club, player=other, main=main, reason="the same", actor=None)
    got = done(api.post(of(table, "/close"), {"pot": "carry"}))
    assert {main.pk, other.pk} & {line["player"] for line in got["sums"]} == {main.pk}
    assert sum(line["won_minor"] for line in got["sums"]) == 0
    page = settled(Evening.objects.get())
    assert [(line["name"], line["won_minor"], line["outstanding_minor"]) for line in got["sums"]] == [
        (line.name, line.won_minor, line.open_minor) for line in page.sums
    ]


@pytest.mark.both_databases
def test_a_pot_is_shared_among_the_players_who_are_present(api, table):
    enter(table, FAILED)
    players = body(table, MADE)["players"]
    got = done(api.post(of(table, "/close"), {"pot": "share", "present": players[:2]}))
    assert [(share["player"], share["amount_minor"]) for share in got["shares"]] == [
        (players[0], 100),
        (players[1], 100),
    ]
    assert is_problem(api.post(of(table, "/close"), {"pot": "share", "present": players[:2]}), 409, "closed")


@pytest.mark.parametrize("sent", [{"pot": "share"}, {"pot": "share", "present": [10**9]}])
def test_a_pot_is_not_shared_among_no_players_or_strangers(api, table, sent):
    assert is_problem(api.post(of(table, "/close"), sent), 422, "present")
    assert Evening.objects.get().state == "open"


@pytest.mark.both_databases
def test_a_repeated_closing_gets_the_same_answer(api, table):
    enter(table, FAILED)
    key = uuid.uuid4()
    first = api.post(of(table, "/close"), {"pot": "kitty"}, key=key)
    api.post(of(table, "/payments"), {"paid": True})
    again = api.post(of(table, "/close"), {"pot": "kitty"}, key=key)
    assert (again.status_code, again.content) == (201, first.content)


@pytest.mark.both_databases
def test_a_recorder_reopens_a_provisional_evening_and_an_owner_a_final_one_with_a_reason(api, owner, table):
    enter(table, MADE)
    done(api.post(of(table, "/close"), {"pot": "carry"}))
    assert done(api.post(of(table, "/reopen"), {}))["kind"] == "reopened"
    done(api.post(of(table, "/close"), {"pot": "carry"}))
    Evening.objects.update(final_at=timezone.now() - timedelta(hours=1))
    assert is_problem(api.post(of(table, "/reopen"), {"reason": "please"}), 403, "final")
    assert is_problem(owner.post(of(table, "/reopen"), {}), 422, "reason")
    got = done(owner.post(of(table, "/reopen"), {"reason": "the wrong table"}))
    assert got["reason"] == "the wrong table"
    assert done(api.get(of(table)))["stage"] == "open"


@pytest.mark.both_databases
def test_the_last_hand_is_announced_and_taken_back(api, table):
    done(api.post(of(table, "/last-hand"), {"on": True}))
    assert done(api.get(of(table)))["tables"][0]["last_hand"] is True
    done(api.post(of(table, "/last-hand"), {"on": False}))
    assert done(api.get(of(table)))["tables"][0]["last_hand"] is False


@pytest.mark.both_databases
def test_outstanding_payments_are_all_for_the_treasurer_and_own_for_a_member(people, api, table):
    enter(table, FAILED)
    settled = done(api.post(of(table, "/close"), {"pot": "kitty"}))
    Player.objects.filter(club=people.home.club, nickname="Beni").update(user=people.home.member)
    treasurer = done(ApiClient(key=key_for(people.home.treasurer)).get("clubs/roessli/debts"))
    assert (treasurer["all"], treasurer["total_minor"]) == (True, settled["total_minor"])
    member = done(ApiClient(key=key_for(people.home.member)).get("clubs/roessli/debts"))
    assert member["all"] is False
    assert {"Beni"} == {debt["payee"]["name"] for debt in member["debts"]} | {
        debt["payer"]["name"] for debt in member["debts"] if debt["payee"]["name"] != "Beni"
    }
    assert done(ApiClient(key=key_for(people.home.member, "read")).get("clubs/roessli/debts"))["debts"] == []
    numbers = [debt["id"] for debt in treasurer["debts"]]
    assert is_problem(api.post("clubs/roessli/debts", {"payments": [str(uuid.uuid4())]}), 404, "payment")
    assert done(api.post("clubs/roessli/debts", {"payments": numbers}))["changed"] == len(numbers)
    assert done(ApiClient(key=key_for(people.home.treasurer)).get("clubs/roessli/debts"))["debts"] == []


@pytest.mark.both_databases
def test_a_receipt_is_read_by_its_token_and_shows_when_it_no_longer_agrees(api, table):
    enter(table, FAILED)
    done(api.post(of(table, "/close"), {"pot": "carry"}))
    got = done(api.get(of(table, "/receipts")))
    anna = next(link for link in got["links"] if link["name"] == "Anna")
    receipt = done(ApiClient().get(f"receipts/{anna['token']}"))
    assert (receipt["sum_minor"], receipt["agrees"], receipt["digest"]) == (-220, True, got["receipt"]["digest"])
    assert {other["sum_minor"] for other in receipt["others"]} == {None}
    sent = {"kind": "changed", "number": 1, "players": body(table, MADE)["players"], "record": MADE}
    done(api.post(f"clubs/roessli/tables/{table.pk}/corrections", sent))
    assert "X-Robots-Tag" not in ApiClient().get(f"receipts/{anna['token']}")
    Club.objects.update(visibility=Club.Visibility.PRIVATE)
    answer = ApiClient().get(f"receipts/{anna['token']}")
    assert (answer["X-Robots-Tag"], "no-store" in answer["Cache-Control"]) == ("noindex, nofollow", True)
    later = done(ApiClient().get(f"receipts/{anna['token']}", Accept_Language="en"))
    assert later["agrees"] is False
    assert any("hand 1" in difference for difference in later["differences"])
    assert is_problem(ApiClient().get(f"receipts/{anna['token']}x"), 404)


def test_a_season_in_points_is_closed_without_payments(people, api, table):
    Season.objects.update(points_only=True)
    enter(table, FAILED)
    got = done(api.post(of(table, "/close"), {"pot": "carry"}))
    assert (got["payments"], got["sums"], got["pot_minor"]) == ([], [], 0)


# --- Files -----------------------------------------------------------------------------------------------


def test_the_files_are_the_same_as_on_the_pages(people, api, owner, table):
    enter(table, FAILED)
    done(api.post(of(table, "/close"), {"pot": "kitty"}))
    browser = ApiClient(person=people.home.owner).client
    for ours, theirs in (
        (of(table, "/hands.csv"), f"/c/roessli/e/{table.evening_id}/hands.csv"),
        ("clubs/roessli/debts.csv", "/c/roessli/debts.csv"),
        ("clubs/roessli/debts.csv?for=excel", "/c/roessli/debts.csv?for=excel"),
    ):
        answer = owner.get(ours)
        assert answer["Content-Type"].startswith("text/csv")
        assert answer.getvalue() == browser.get(theirs).getvalue()
    rows = list(csv.DictReader(io.StringIO(api.get(of(table, "/hands.csv")).getvalue().decode())))
    assert {row["change_minor"] for row in rows} == {""}
    assert is_problem(api.get("clubs/roessli/debts.csv?for=word"), 400)


def test_the_sheet_is_a_pdf(api, table):
    answer = api.get(of(table, "/sheet.pdf?size=a5"))
    assert (answer["Content-Type"], answer.content[:5]) == ("application/pdf", b"%PDF-")
    assert is_problem(api.get(of(table, "/sheet.pdf?size=a0")), 400)


def test_an_evening_of_a_private_club_exists_only_for_its_people(api, table):
    Club.objects.update(visibility="private")
    assert is_problem(ApiClient().get(of(table)), 404)
    assert api.get(of(table)).status_code == 200
