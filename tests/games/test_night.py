"""The night as it is: who comes and goes, who deals, tables divided and joined; the books stay right all the while."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from games import audit, recording
from games import chain as chains
from games.errors import Refused
from games.models import Happening, Table
from games.night.acts import NEWCOMER, Act, Arrive, Leave, Merge, NameDealer, Order, Pause, Resume, Split
from games.night.services import Guest, carry_out, plan
from league import ledger
from league.models import Account, Evening, Player, Submission, Transfer
from tests.factories import FAILED, MADE, MUSS, NO_CUT, PASSED_OUT, PlayerFactory, enter, open_table, void

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    return open_table()


def do(table: Table, act: Act, guest: str = "") -> Happening:
    return carry_out(table=table, act=act, author=None, key=uuid.uuid4(), guest=Guest(guest) if guest else None)


def fresh(table: Table) -> Table:
    return Table.objects.select_related("evening__house_rules", "dealer").get(pk=table.pk)


def who(table: Table) -> dict[str, int]:
    return dict(Player.objects.filter(club=table.evening.club_id).values_list("nickname", "pk"))


def seated(table: Table) -> list[str]:
    return list(table.places.order_by("seat").values_list("player__nickname", flat=True))


def dealer(table: Table) -> str:
    return fresh(table).dealer.nickname


def due(table: Table) -> Any:
    at = fresh(table)
    return recording.due(chains.read(at, chains.seating(at)).start)


def books_are_right(evening: Evening) -> None:
    assert list(audit.differences()) == []
    accounts = Account.objects.filter(club=evening.club_id)
    assert sum(ledger.balance(account.pk) for account in accounts) == 0


def refusal(table: Table, act: Act, guest: str = "") -> Refused:
    """Why it is refused; `plan` says the same, and nothing is stored."""
    before = (Happening.objects.count(), Submission.objects.count(), Player.objects.count(), seated(table))
    with pytest.raises(Refused) as told:
        plan(table=table, act=act, guest=Guest(guest) if guest else None)
    with pytest.raises(Refused) as caught:
        do(table, act, guest)
    assert (caught.value.status, caught.value.sentence) == (told.value.status, told.value.sentence)
    assert (Happening.objects.count(), Submission.objects.count(), Player.objects.count(), seated(table)) == before
    return caught.value


def test_who_comes_sits_after_the_one_named_and_pays_from_the_next_hand_on(table):
    enter(table, FAILED)
    pot, people = fresh(table).pot_minor, who(table)
    gian = PlayerFactory(club=table.evening.club, nickname="Gian")
    do(table, Arrive(gian.pk, people["Beni"]))
    assert seated(table) == ["Anna", "Beni", "Gian", "Carlo", "Doris", "Emil"]
    assert (fresh(table).pot_minor, dealer(table)) == (pot, "Anna")
    assert not fresh(table).dealer_set
    enter(table, MADE)
    books_are_right(table.evening)


def test_a_guest_gets_a_player_and_an_account(table):
    do(table, Arrive(NEWCOMER, who(table)["Emil"]), "Zoé")
    guest = Player.objects.get(nickname="Zoé")
    assert guest.guest
    assert Account.objects.filter(player=guest).exists()
    enter(table, MADE)
    books_are_right(table.evening)


def test_a_nickname_of_the_roster_is_that_player_however_it_is_written(table):
    gian = PlayerFactory(club=table.evening.club, nickname="Gian")
    do(table, Arrive(NEWCOMER, who(table)["Emil"]), "GIAN")
    assert seated(table)[-1] == "Gian"
    assert Player.objects.filter(nickname__iexact="gian").get() == gian


def test_who_leaves_leaves_the_coins_in_the_pot(table):
    enter(table, FAILED)
    pot = fresh(table).pot_minor
    do(table, Leave(who(table)["Carlo"]))
    assert seated(table) == ["Anna", "Beni", "Doris", "Emil"]
    assert (fresh(table).pot_minor, dealer(table)) == (pot, "Anna")
    enter(table, MADE)
    books_are_right(table.evening)


def test_when_the_dealer_leaves_the_next_one_deals_with_a_first_deal(table):
    enter(table, PASSED_OUT)
    assert (dealer(table), fresh(table).deal_number) == ("Emil", 2)
    do(table, Leave(who(table)["Emil"]))
    assert (dealer(table), fresh(table).deal_number, fresh(table).dealer_set) == ("Anna", 1, True)
    enter(table, MADE)
    assert dealer(table) == "Beni"
    books_are_right(table.evening)


def test_a_leaving_taken_back_by_the_opposite_leaves_all_as_it_was(table):
    enter(table, MADE)
    people, before = who(table), (seated(table), dealer(table))
    do(table, Leave(people["Carlo"]))
    do(table, Arrive(people["Carlo"], people["Beni"]))
    assert (seated(table), dealer(table)) == before
    books_are_right(table.evening)


def test_two_change_seats_and_the_dealer_stays_the_dealer(table):
    enter(table, PASSED_OUT)
    people = who(table)
    order = [people[name] for name in ("Emil", "Beni", "Carlo", "Doris", "Anna")]
    happening = do(table, Order(tuple(order)))
    assert happening.data["pair"] == [people["Anna"], people["Emil"]]
    at = fresh(table)
    assert (seated(table)[0], dealer(table), at.deal_number, at.dealer_set) == ("Emil", "Emil", 2, False)
    enter(table, MADE)
    books_are_right(table.evening)


def test_the_wrong_first_dealer_is_put_right_before_the_first_hand(table):
    do(table, NameDealer(who(table)["Beni"]))
    enter(table, MADE)
    assert dealer(table) == "Carlo"
    books_are_right(table.evening)


def test_a_dealer_is_skipped_and_it_goes_on_from_who_dealt(table):
    enter(table, MADE)
    do(table, NameDealer(who(table)["Carlo"]))
    enter(table, MADE)
    assert dealer(table) == "Doris"
    books_are_right(table.evening)


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


def test_seven_become_four_and_three_and_the_pot_goes_by_heads_in_whole_coins():
    table = open_table(seats=7)
    enter(table, FAILED)
    pot = fresh(table).pot_minor
    people = who(table)
    act = Split(tuple(people[name] for name in ("Anna", "Doris", "Gian")), people["Doris"], by_heads=True)
    said = plan(table=table, act=act).after
    new = split(table, "Anna", "Doris", "Gian", dealer="Doris")
    assert seated(table) == ["Beni", "Carlo", "Emil", "Franziska"]
    assert (seated(new), dealer(new), new.number) == (["Anna", "Doris", "Gian"], "Doris", 2)
    coin = recording.house_rules("chratze", {})["coin"]
    assert new.pot_minor == pot * 3 // 7 // coin * coin == said[1].pot_minor
    assert new.pot_minor % coin == 0
    assert fresh(table).pot_minor == pot - new.pot_minor == said[0].pot_minor
    # Anna was to deal; she went, and it goes on with the one after her.
    assert (dealer(table), fresh(table).dealer_set) == ("Beni", True)
    books_are_right(table.evening)
    enter(table, MADE)
    enter(new, {"declarer": 0, "joiners": [1], "made": [0, 1]})
    books_are_right(table.evening)
    assert Transfer.objects.filter(kind="moved").count() == 1


def test_a_split_may_leave_the_pot_where_it_is_and_then_no_coin_moves():
    table = open_table(seats=4)
    enter(table, MADE)
    pot = fresh(table).pot_minor
    new = split(table, "Anna", "Beni", dealer="Anna", by_heads=False)
    assert (fresh(table).pot_minor, new.pot_minor) == (pot, 0)
    assert not Transfer.objects.filter(kind="moved").exists()
    books_are_right(table.evening)


def test_two_tables_become_one_with_both_pots_and_the_dealer_of_the_one_that_stays():
    table = open_table(seats=7)
    enter(table, FAILED)
    new = split(table, "Anna", "Doris", "Gian", dealer="Doris")
    enter(new, {"declarer": 0, "joiners": [1], "made": [1]})
    pots, people = fresh(table).pot_minor + fresh(new).pot_minor, who(table)
    stays = dealer(table)
    do(new, Merge(table.pk, people["Carlo"]))
    assert seated(table) == ["Beni", "Carlo", "Anna", "Doris", "Gian", "Emil", "Franziska"]
    assert (fresh(table).pot_minor, fresh(new).pot_minor, dealer(table)) == (pots, 0, stays)
    assert (fresh(table).dissolved, fresh(new).dissolved) == (False, True)
    books_are_right(table.evening)
    enter(table, MADE)
    books_are_right(table.evening)
    told = {one.table_id: one.data for one in Happening.objects.filter(kind="merged")}
    assert told[new.pk]["to"] == 1
    assert told[table.pk]["from"] == 2


def test_a_joined_table_takes_nothing_any_more():
    table = open_table(seats=4)
    new = split(table, "Anna", "Beni", dealer="Anna")
    do(new, Merge(table.pk, who(table)["Doris"]))
    for act in (Pause(), Leave(who(table)["Anna"]), Merge(table.pk, who(table)["Doris"])):
        assert refusal(new, act).code == "dissolved"
    with pytest.raises(Refused) as caught:
        enter(new, {"declarer": None})
    assert caught.value.code == "dissolved"
    assert refusal(table, Merge(new.pk, who(table)["Anna"])).code == "table"


def test_a_hand_whose_coins_went_to_another_table_cannot_be_taken_back():
    table = open_table(seats=7)
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
    books_are_right(table.evening)


def test_in_kratzen_an_empty_new_table_begins_with_a_muss():
    table = open_table(seats=6, game="kratzen")
    enter(table, {"cuts": NO_CUT, "declarer": 5, "joiners": [0, 1, 2, 3, 4], "tricks": {"5": 2, "0": 1, "1": 1}})
    assert due(table).muss is False
    new = split(table, "Anna", "Beni", "Carlo", dealer="Carlo", by_heads=False)
    assert (due(table).muss, due(new).muss) == (False, True)
    enter(new, {"cuts": NO_CUT, "declarer": 2, "joiners": [0, 1], "tricks": {"2": 2, "0": 1, "1": 1}})
    books_are_right(table.evening)


@pytest.mark.parametrize(("game", "seats"), [("chratze", 7), ("kratzen", 6)])
def test_one_too_many_is_refused(game, seats):
    table = open_table(seats=seats, game=game)
    refused = refusal(table, Arrive(NEWCOMER, who(table)["Anna"]), "Zoé")
    assert (refused.status, refused.code) == (422, "seats")
    assert str(seats + 1) in refused.sentence


@pytest.mark.parametrize(("game", "seats"), [("chratze", 2), ("kratzen", 3)])
def test_one_too_few_is_refused(game, seats):
    table = open_table(seats=seats, game=game)
    assert refusal(table, Leave(who(table)["Anna"])).code == "seats"


def test_what_cannot_be_is_refused_in_words(table):
    people = who(table)
    foreign = PlayerFactory()
    gian = PlayerFactory(club=table.evening.club, nickname="Gian")
    cases: list[tuple[Act, str, str]] = [
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
        (Merge(open_table().pk, people["Anna"]), "", "table"),
    ]
    for act, guest, code in cases:
        refused = refusal(table, act, guest)
        assert (act, refused.code) == (act, code)
        assert refused.sentence.endswith(".")


def test_nobody_sits_at_two_tables():
    table = open_table(seats=4)
    new = split(table, "Anna", "Beni", dealer="Anna")
    refused = refusal(new, Arrive(who(table)["Doris"], who(table)["Anna"]))
    assert "1" in refused.sentence
    do(table, Arrive(NEWCOMER, who(table)["Doris"]), "Gian")
    do(table, Leave(who(table)["Doris"]))
    do(new, Arrive(who(table)["Doris"], who(table)["Anna"]))
    assert seated(new) == ["Anna", "Doris", "Beni"]
    books_are_right(table.evening)


def test_a_closed_evening_takes_nothing(table):
    Evening.objects.update(state=Evening.State.CLOSED)
    assert refusal(table, Pause()).code == "closed"


def test_one_key_does_it_once_and_another_request_under_it_is_refused(table):
    key, act = uuid.uuid4(), Arrive(NEWCOMER, who(table)["Emil"])
    first = carry_out(table=table, act=act, author=None, key=key, guest=Guest("Zoé"))
    again = carry_out(table=table, act=act, author=None, key=key, guest=Guest("Zoé"))
    assert first == again
    assert seated(table).count("Zoé") == 1
    for other, guest in ((act, Guest("Zora")), (Pause(), None)):
        with pytest.raises(Refused) as caught:
            carry_out(table=table, act=other, author=None, key=key, guest=guest)
        assert (caught.value.status, caught.value.code) == (422, "key")


def test_the_next_muss_hand_of_kratzen_goes_on_with_who_is_left():
    table = open_table(seats=4, game="kratzen")
    enter(table, MUSS)
    do(table, Leave(who(table)["Anna"]))
    assert dealer(table) == "Beni"
    enter(table, {"cuts": NO_CUT, "declarer": None})
    books_are_right(table.evening)
