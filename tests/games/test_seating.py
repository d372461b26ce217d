"""Seating changes: players come and leave, dealers are named, tables are divided and merged; all sums stay right."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from games import engine_bridge
from games.errors import Refused
from games.hands import chain as chains
from games.integrity import verify
from games.models import Happening, Table
from games.seating.changes import NEWCOMER, Arrive, Leave, Merge, NameDealer, Order, Pause, Resume, SeatingChange, Split
from games.seating.services import Guest, carry_out, plan
from league import ledger
from league.models import Account, Evening, Player, Submission, Transfer
from tests.factories import FAILED, MADE, MUSS, NO_CUT, PASSED_OUT, PlayerFactory, create_table, enter, void

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def table() -> Table:
    return create_table()


def do(table: Table, change: SeatingChange, guest: str = "") -> Happening:
    return carry_out(table=table, change=change, author=None, key=uuid.uuid4(), guest=Guest(guest) if guest else None)


def fresh(table: Table) -> Table:
    return Table.objects.select_related("evening__house_rules", "dealer").get(pk=table.pk)


def who(table: Table) -> dict[str, int]:
    return dict(Player.objects.filter(club=table.evening.club_id).values_list("nickname", "pk"))


def seated(table: Table) -> list[str]:
    return list(table.places.order_by("seat").values_list("player__nickname", flat=True))


def dealer(table: Table) -> str:
    return fresh(table).dealer.nickname


def due(table: Table) -> Any:
    current = fresh(table)
    return engine_bridge.due(chains.read(current, chains.seating(current)).start)


def sums_are_right(evening: Evening) -> None:
    assert list(verify.differences()) == []
    accounts = Account.objects.filter(club=evening.club_id)
    assert sum(ledger.balance(account.pk) for account in accounts) == 0


def refusal(table: Table, change: SeatingChange, guest: str = "") -> Refused:
    """The refusal of a change; `plan` raises the same one, and nothing is stored."""
    before = (Happening.objects.count(), Submission.objects.count(), Player.objects.count(), seated(table))
    with pytest.raises(Refused) as planned:
        plan(table=table, change=change, guest=Guest(guest) if guest else None)
    with pytest.raises(Refused) as caught:
        do(table, change, guest)
    assert (caught.value.status, caught.value.sentence) == (planned.value.status, planned.value.sentence)
    assert (Happening.objects.count(), Submission.objects.count(), Player.objects.count(), seated(table)) == before
    return caught.value


@pytest.mark.both_databases
def test_a_player_who_comes_sits_after_the_one_named_and_pays_from_the_next_hand_on(table):
    enter(table, FAILED)
    pot, people = fresh(table).pot_minor, who(table)
    gian = PlayerFactory(club=table.evening.club, nickname="Gian")
    do(table, Arrive(gian.pk, people["Beni"]))
    assert seated(table) == ["Anna", "Beni", "Gian", "Carlo", "Doris", "Emil"]
    assert (fresh(table).pot_minor, dealer(table)) == (pot, "Anna")
    assert not fresh(table).dealer_set
    enter(table, MADE)
    sums_are_right(table.evening)


@pytest.mark.both_databases
def test_a_guest_gets_a_player_and_an_account(table):
    do(table, Arrive(NEWCOMER, who(table)["Emil"]), "Zoé")
    guest = Player.objects.get(nickname="Zoé")
    assert guest.guest
    assert Account.objects.filter(player=guest).exists()
    enter(table, MADE)
    sums_are_right(table.evening)


@pytest.mark.both_databases
def test_a_nickname_of_the_roster_is_that_player_in_any_spelling(table):
    PlayerFactory(club=table.evening.club, nickname="Özgür")
    players = Player.objects.count()
    do(table, Arrive(NEWCOMER, who(table)["Emil"]), "ÖZGÜR")
    assert seated(table)[-1] == "Özgür"
    assert Player.objects.count() == players


@pytest.mark.both_databases
def test_a_player_who_leaves_leaves_the_coins_in_the_pot(table):
    enter(table, FAILED)
    pot = fresh(table).pot_minor
    do(table, Leave(who(table)["Carlo"]))
    assert seated(table) == ["Anna", "Beni", "Doris", "Emil"]
    assert (fresh(table).pot_minor, dealer(table)) == (pot, "Anna")
    enter(table, MADE)
    sums_are_right(table.evening)


def test_when_the_dealer_leaves_the_next_one_deals_with_a_first_deal(table):
    enter(table, PASSED_OUT)
    assert (dealer(table), fresh(table).deal_number) == ("Emil", 2)
    do(table, Leave(who(table)["Emil"]))
    assert (dealer(table), fresh(table).deal_number, fresh(table).dealer_set) == ("Anna", 1, True)
    enter(table, MADE)
    assert dealer(table) == "Beni"
    sums_are_right(table.evening)


def test_a_player_who_leaves_and_comes_again_to_the_same_place_changes_nothing(table):
    enter(table, MADE)
    people, before = who(table), (seated(table), dealer(table))
    do(table, Leave(people["Carlo"]))
    do(table, Arrive(people["Carlo"], people["Beni"]))
    assert (seated(table), dealer(table)) == before
    sums_are_right(table.evening)


@pytest.mark.both_databases
def test_two_change_seats_and_the_dealer_stays_the_dealer(table):
    enter(table, PASSED_OUT)
    people = who(table)
    order = [people[name] for name in ("Emil", "Beni", "Carlo", "Doris", "Anna")]
    happening = do(table, Order(tuple(order)))
    assert happening.data["pair"] == [people["Anna"], people["Emil"]]
    current = fresh(table)
    assert (seated(table)[0], dealer(table), current.deal_number, current.dealer_set) == ("Emil", "Emil", 2, False)
    enter(table, MADE)
    sums_are_right(table.evening)


@pytest.mark.both_databases
def test_another_first_dealer_is_named_before_the_first_hand(table):
    do(table, NameDealer(who(table)["Beni"]))
    enter(table, MADE)
    assert dealer(table) == "Carlo"
    sums_are_right(table.evening)


def test_after_a_skipped_dealer_the_deal_goes_on_from_the_named_one(table):
    enter(table, MADE)
    do(table, NameDealer(who(table)["Carlo"]))
    enter(table, MADE)
    assert dealer(table) == "Doris"
    sums_are_right(table.evening)


@pytest.mark.both_databases
def test_a_pause_keeps_pot_and_dealer_and_ends_with_the_next_hand(table):
    enter(table, FAILED)
    before = (fresh(table).pot_minor, dealer(table))
    do(table, Pause())
    assert fresh(table).paused_at is not None
    assert refusal(table, Pause()).code == "same"
    do(table, Resume())
    assert (fresh(table).pot_minor, dealer(table), fresh(table).paused_at) == (*before, None)
    do(table, Pause())
    enter(table, MADE)
    assert fresh(table).paused_at is None
    assert refusal(table, Resume()).code == "same"


def split(table: Table, *names: str, dealer: str, by_heads: bool = True) -> Table:
    people = who(table)
    do(table, Split(tuple(people[name] for name in names), people[dealer], by_heads))
    return Table.objects.filter(evening=table.evening).order_by("-number")[0]


@pytest.mark.both_databases
def test_seven_become_four_and_three_and_the_pot_goes_by_heads_in_whole_coins():
    table = create_table(seats=7)
    enter(table, FAILED)
    pot = fresh(table).pot_minor
    people = who(table)
    change = Split(tuple(people[name] for name in ("Anna", "Doris", "Gian")), people["Doris"], by_heads=True)
    said = plan(table=table, change=change).after
    new = split(table, "Anna", "Doris", "Gian", dealer="Doris")
    assert seated(table) == ["Beni", "Carlo", "Emil", "Franziska"]
    assert (seated(new), dealer(new), new.number) == (["Anna", "Doris", "Gian"], "Doris", 2)
    coin = engine_bridge.house_rules("chratze", {})["coin"]
    assert new.pot_minor == pot * 3 // 7 // coin * coin == said[1].pot_minor
    assert new.pot_minor % coin == 0
    assert fresh(table).pot_minor == pot - new.pot_minor == said[0].pot_minor
    # It was Anna's deal; she went, so the next player deals.
    assert (dealer(table), fresh(table).dealer_set) == ("Beni", True)
    sums_are_right(table.evening)
    enter(table, MADE)
    enter(new, {"declarer": 0, "joiners": [1], "made": [0, 1]})
    sums_are_right(table.evening)
    assert Transfer.objects.filter(kind="moved").count() == 1


def test_a_split_may_leave_the_pot_where_it_is_and_then_no_coin_moves():
    table = create_table(seats=4)
    enter(table, MADE)
    pot = fresh(table).pot_minor
    new = split(table, "Anna", "Beni", dealer="Anna", by_heads=False)
    assert (fresh(table).pot_minor, new.pot_minor) == (pot, 0)
    assert not Transfer.objects.filter(kind="moved").exists()
    sums_are_right(table.evening)


@pytest.mark.both_databases
def test_two_tables_become_one_with_both_pots_and_the_dealer_of_the_table_that_stays():
    table = create_table(seats=7)
    enter(table, FAILED)
    new = split(table, "Anna", "Doris", "Gian", dealer="Doris")
    enter(new, {"declarer": 0, "joiners": [1], "made": [1]})
    pots, people = fresh(table).pot_minor + fresh(new).pot_minor, who(table)
    stays = dealer(table)
    do(new, Merge(table.pk, people["Carlo"]))
    assert seated(table) == ["Beni", "Carlo", "Anna", "Doris", "Gian", "Emil", "Franziska"]
    assert (fresh(table).pot_minor, fresh(new).pot_minor, dealer(table)) == (pots, 0, stays)
    assert (fresh(table).dissolved, fresh(new).dissolved) == (False, True)
    sums_are_right(table.evening)
    enter(table, MADE)
    sums_are_right(table.evening)
    data_of = {happening.table_id: happening.data for happening in Happening.objects.filter(kind="merged")}
    assert data_of[new.pk]["to"] == 1
    assert data_of[table.pk]["from"] == 2


def test_a_dissolved_table_takes_no_hand_and_no_change():
    table = create_table(seats=4)
    new = split(table, "Anna", "Beni", dealer="Anna")
    do(new, Merge(table.pk, who(table)["Doris"]))
    for change in (Pause(), Leave(who(table)["Anna"]), Merge(table.pk, who(table)["Doris"])):
        assert refusal(new, change).code == "dissolved"
    with pytest.raises(Refused) as caught:
        enter(new, {"declarer": None})
    assert caught.value.code == "dissolved"
    assert refusal(table, Merge(new.pk, who(table)["Anna"])).code == "table"


@pytest.mark.both_databases
def test_a_hand_whose_coins_went_to_another_table_cannot_be_voided():
    table = create_table(seats=7)
    enter(table, FAILED)
    new = split(table, "Anna", "Doris", "Gian", dealer="Doris")
    with pytest.raises(Refused) as caught:
        void(table)
    assert (caught.value.status, caught.value.code) == (409, "pot")
    enter(new, {"declarer": 0, "joiners": [1], "made": [1]})
    do(new, Merge(table.pk, who(table)["Emil"]))
    with pytest.raises(Refused) as caught:
        void(new)
    assert (caught.value.status, caught.value.code) == (409, "dissolved")
    sums_are_right(table.evening)


def test_in_kratzen_an_empty_new_table_begins_with_a_muss():
    table = create_table(seats=6, game="kratzen")
    enter(table, {"cuts": NO_CUT, "declarer": 5, "joiners": [0, 1, 2, 3, 4], "tricks": {"5": 2, "0": 1, "1": 1}})
    assert due(table).muss is False
    new = split(table, "Anna", "Beni", "Carlo", dealer="Carlo", by_heads=False)
    assert (due(table).muss, due(new).muss) == (False, True)
    enter(new, {"cuts": NO_CUT, "declarer": 2, "joiners": [0, 1], "tricks": {"2": 2, "0": 1, "1": 1}})
    sums_are_right(table.evening)


@pytest.mark.parametrize(("game", "seats"), [("chratze", 7), ("kratzen", 6), ("zwicken", 6)])
def test_one_too_many_is_refused(game, seats):
    table = create_table(seats=seats, game=game)
    refused = refusal(table, Arrive(NEWCOMER, who(table)["Anna"]), "Zoé")
    assert (refused.status, refused.code) == (422, "seats")
    assert str(seats + 1) in refused.sentence


@pytest.mark.parametrize(("game", "seats"), [("chratze", 2), ("kratzen", 3), ("zwicken", 3)])
def test_one_too_few_is_refused(game, seats):
    table = create_table(seats=seats, game=game)
    assert refusal(table, Leave(who(table)["Anna"])).code == "seats"


def test_impossible_changes_are_refused_with_a_sentence(table):
    people = who(table)
    foreign = PlayerFactory()
    gian = PlayerFactory(club=table.evening.club, nickname="Gian")
    cases: list[tuple[SeatingChange, str, str]] = [
        (Arrive(people["Anna"], people["Beni"]), "", "seating"),
        (Arrive(gian.pk, foreign.pk), "", "seating"),
        (Arrive(foreign.pk, people["Beni"]), "", "player"),
        (Arrive(NEWCOMER, people["Beni"]), "anna", "seating"),
        (Arrive(NEWCOMER, people["Beni"]), "x" * 41, "player"),
        (Arrive(NEWCOMER, people["Beni"]), "a\nb", "player"),
        (Leave(gian.pk), "", "seating"),
        (NameDealer(gian.pk), "", "seating"),
        (NameDealer(people["Emil"]), "", "same"),
        (Order((people["Anna"], people["Beni"])), "", "seating"),
        (Order(tuple(people[name] for name in seated(table))), "", "same"),
        (Split((people["Anna"],), people["Anna"]), "", "seats"),
        (Split(tuple(people[name] for name in ("Anna", "Beni", "Carlo", "Doris")), people["Anna"]), "", "seats"),
        (Split((people["Anna"], people["Beni"]), people["Carlo"]), "", "dealer"),
        (Split((people["Anna"], gian.pk), people["Anna"]), "", "seating"),
        (Merge(table.pk, people["Anna"]), "", "table"),
        (Merge(create_table().pk, people["Anna"]), "", "table"),
    ]
    for change, guest, code in cases:
        refused = refusal(table, change, guest)
        assert (change, refused.code) == (change, code)
        assert refused.sentence.endswith(".")


def test_nobody_sits_at_two_tables():
    table = create_table(seats=4)
    new = split(table, "Anna", "Beni", dealer="Anna")
    refused = refusal(new, Arrive(who(table)["Doris"], who(table)["Anna"]))
    assert "1" in refused.sentence
    do(table, Arrive(NEWCOMER, who(table)["Doris"]), "Gian")
    do(table, Leave(who(table)["Doris"]))
    do(new, Arrive(who(table)["Doris"], who(table)["Anna"]))
    assert seated(new) == ["Anna", "Doris", "Beni"]
    sums_are_right(table.evening)


def test_a_closed_evening_takes_no_change(table):
    Evening.objects.update(state=Evening.State.CLOSED)
    assert refusal(table, Pause()).code == "closed"


@pytest.mark.both_databases
def test_one_key_stores_one_change_and_another_request_with_it_is_refused(table):
    key, change = uuid.uuid4(), Arrive(NEWCOMER, who(table)["Emil"])
    first = carry_out(table=table, change=change, author=None, key=key, guest=Guest("Zoé"))
    again = carry_out(table=table, change=change, author=None, key=key, guest=Guest("Zoé"))
    assert first == again
    assert seated(table).count("Zoé") == 1
    for other, guest in ((change, Guest("Zora")), (Pause(), None)):
        with pytest.raises(Refused) as caught:
            carry_out(table=table, change=other, author=None, key=key, guest=guest)
        assert (caught.value.status, caught.value.code) == (422, "key_reused")


def test_the_next_muss_of_kratzen_is_played_by_the_players_who_are_left():
    table = create_table(seats=4, game="kratzen")
    enter(table, MUSS)
    do(table, Leave(who(table)["Anna"]))
    assert dealer(table) == "Beni"
    enter(table, {"cuts": NO_CUT, "declarer": None})
    sums_are_right(table.evening)
