"""Disputes against hands of absent players: each player can dispute a hand, and the club sees its recorder."""

from __future__ import annotations

import threading
import uuid

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from games.disputes import services as disputes
from games.disputes.services import dispute_raise, dispute_settle, dispute_withdraw, disputes_of, unsettled_of_club
from games.errors import Refused
from games.models import Dispute, Hand
from league.models import AuditEntry, Player
from league.roster.merging import players_merge
from league.triggers import drop
from tests.factories import MADE, PlayerFactory, create_table, enter, void

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def table(people):
    """A hand that the recorder entered; the member is Anna, who sat in it."""
    table = create_table(club=people.home.club, season=people.home.season)
    enter(table, MADE, author=people.home.recorder)
    Player.objects.filter(nickname="Anna").update(user=people.home.member)
    return table


def anna():
    return Player.objects.get(nickname="Anna")


def raised(table, text="I was not there", *, author=None, key=None, number=1, player=None):
    return dispute_raise(
        table=table,
        number=number,
        player_id=(player or anna()).pk,
        author=author,
        key=key or uuid.uuid4(),
        text=text,
    )


def ended(table, how=dispute_withdraw, **more):
    return how(table=table, number=1, player_id=anna().pk, author=None, key=uuid.uuid4(), **more)


# --- Services ----------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_dispute_is_unsettled_until_it_is_withdrawn_or_settled(people, table):
    raised(table)
    assert [dispute.player for dispute in unsettled_of_club(people.home.club)] == [anna()]
    ended(table)
    assert not unsettled_of_club(people.home.club)
    raised(table, "really")
    ended(table, dispute_settle, text="Beni sat there; corrected")
    assert not unsettled_of_club(people.home.club)
    listed = disputes_of(Hand.objects.get().pk)
    assert [(dispute.text, dispute.ended, dispute.answer) for dispute in listed] == [
        ("I was not there", "withdrawn", ""),
        ("really", "settled", "Beni sat there; corrected"),
    ]


def test_amounts_stay_and_the_log_has_an_entry_without_the_text(people, table):
    before = list(table.pot_account.received.values_list("pk", "amount_minor"))
    raised(table, author=people.home.member)
    assert list(table.pot_account.received.values_list("pk", "amount_minor")) == before
    entry = AuditEntry.objects.get(what="hand_disputed")
    assert (entry.what, entry.actor, entry.data["number"]) == ("hand_disputed", people.home.member, 1)
    assert "there" not in str(entry.data)


@pytest.mark.both_databases
def test_one_key_one_dispute(people, table):
    key = uuid.uuid4()
    first = raised(table, key=key)
    assert raised(table, key=key) == first
    with pytest.raises(Refused) as caught:
        raised(table, "something else", key=key)
    assert caught.value.status == 422
    assert Dispute.objects.count() == 1


@pytest.mark.parametrize("text", ["", "   ", "x" * 301])
def test_an_empty_or_too_long_text_is_refused(table, text):
    with pytest.raises(Refused) as caught:
        raised(table, text)
    assert (caught.value.status, caught.value.at) == (422, "text")
    assert not Dispute.objects.exists()


def test_absent_players_missing_hands_and_voided_hands_are_refused(people, table):
    away = PlayerFactory(club=people.home.club)
    for given, status in (({"player": away}, 409), ({"number": 2}, 404)):
        with pytest.raises(Refused) as caught:
            raised(table, **given)
        assert caught.value.status == status
    void(table)
    with pytest.raises(Refused) as caught:
        raised(table)
    assert caught.value.code == "voided"


def test_a_second_dispute_and_a_withdrawal_without_one_are_refused(table):
    with pytest.raises(Refused):
        ended(table)
    raised(table)
    with pytest.raises(Refused) as caught:
        raised(table, "again")
    assert caught.value.code == "disputed"


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_is_stored(people, table):
    start = threading.Barrier(4)
    came: list[str] = []

    def one() -> None:
        start.wait()
        try:
            raised(table, "not so")
            came.append("stored")
        except Refused as refused:
            came.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(came) == ["disputed", "disputed", "disputed", "stored"]


ATTACKS = ["UPDATE games_dispute SET kind = 'settled'", "DELETE FROM games_dispute"]


@pytest.mark.both_databases
@pytest.mark.parametrize("sql", ATTACKS)
def test_disputes_cannot_be_changed_or_deleted(table, sql):
    raised(table)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.mark.both_databases
@pytest.mark.parametrize("sql", ATTACKS)
def test_without_the_triggers_they_could(table, sql):
    raised(table)
    drop(connection, ("games_dispute",))
    with connection.cursor() as cursor:
        cursor.execute(sql)


# --- The pages ---------------------------------------------------------------------------------------------


def page(people, table, number=1):
    return reverse("hand-dispute", kwargs={"club": people.home.club.slug, "table": table.pk, "number": number})


def signed_in(client, user):
    client.force_login(user)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client


def send(client, people, table, **sent):
    return client.post(page(people, table), {"key": str(uuid.uuid4()), **sent})


def test_a_player_disputes_a_hand_and_sees_its_recorder(client, people, table):
    signed_in(client, people.home.member)
    shown = client.get(page(people, table))
    assert b"Written down by Recorder" in shown.content
    assert send(client, people, table, do="raise", text="I left at ten").status_code == 303
    assert b"I left at ten" in client.get(page(people, table)).content
    evening = client.get(reverse("evening", kwargs={"club": "roessli", "evening": table.evening_id}))
    assert b"1 hand is disputed" in evening.content
    assert send(client, people, table, do="withdraw").status_code == 303
    assert not unsettled_of_club(people.home.club)


def test_a_recorder_reads_a_dispute_and_settles_it(client, people, table):
    raised(table, "I left at ten")
    signed_in(client, people.home.recorder)
    listed = client.get(reverse("club-disputes", kwargs={"club": "roessli"}))
    assert b"I left at ten" in listed.content
    shown = client.get(page(people, table))
    assert b"/h/1/edit/" in shown.content
    assert send(client, people, table, do="settle", player=anna().pk, text="put right").status_code == 303
    assert b"put right" in client.get(page(people, table)).content
    assert not unsettled_of_club(people.home.club)


def test_a_player_who_did_not_sit_in_the_hand_cannot_dispute_it(client, people, table):
    signed_in(client, people.home.member)
    Player.objects.filter(user=people.home.member).update(user=None)
    assert client.get(page(people, table)).status_code == 403
    assert send(client, people, table, do="raise", text="x").status_code == 403
    # A recorder cannot dispute it for somebody else, and a member cannot settle it.
    client.force_login(people.home.recorder)
    assert send(client, people, table, do="raise", text="x", player=anna().pk).status_code == 403
    Player.objects.filter(nickname="Anna").update(user=people.home.member)
    raised(table)
    client.force_login(people.home.member)
    assert send(client, people, table, do="settle", player=anna().pk).status_code == 403
    assert len(unsettled_of_club(people.home.club)) == 1


def test_people_of_another_club_find_nothing(client, people, table):
    signed_in(client, people.away.owner)
    raised(table, "secret words")
    assert client.get(page(people, table)).status_code == 403
    away = page(people, table).replace("roessli", "sternen")
    assert client.get(away).status_code == 404
    assert not unsettled_of_club(people.away.club)


def test_visitors_do_not_see_disputes(client, people, table):
    raised(table, "secret words")
    evening = client.get(reverse("evening", kwargs={"club": "roessli", "evening": table.evening_id}))
    assert evening.status_code == 200
    assert b"secret words" not in evening.content
    assert b"disputes-title" not in evening.content


@pytest.mark.both_databases
def test_the_evenings_page_renews_itself_when_a_hand_is_disputed(client, people, table):
    signed_in(client, people.home.owner)
    live = reverse("evening-live", kwargs={"club": "roessli", "evening": table.evening_id})
    etag = client.get(live)["ETag"]
    assert client.get(live, HTTP_IF_NONE_MATCH=etag).status_code == 304
    raised(table)
    assert client.get(live, HTTP_IF_NONE_MATCH=etag).status_code == 200


def test_bad_input_gets_a_sentence_and_keeps_the_text(client, people, table):
    signed_in(client, people.home.member)
    for sent in ({"do": "shout"}, {"do": "raise", "key": "x"}, {}):
        answer = client.post(page(people, table), sent)
        assert answer.status_code == 422
        assert b'role="alert"' in answer.content
    long = "I left at ten. " * 40
    answer = send(client, people, table, do="raise", text=long)
    assert answer.status_code == 422
    assert long.strip().encode() in answer.content


@pytest.mark.both_databases
def test_a_person_can_dispute_a_hand_of_a_merged_player(client, people, table):
    home = people.home
    main = PlayerFactory(club=home.club, nickname="Annamarie")
    players_merge(club=home.club, player=anna(), main=main, reason="one person", actor=None)
    Player.objects.update(user=None)
    Player.objects.filter(pk=main.pk).update(user=home.member)
    signed_in(client, home.member)
    assert send(client, people, table, do="raise", text="not so").status_code == 303


def test_more_disputes_cost_no_more_queries(client, people, table, django_assert_max_num_queries):
    signed_in(client, people.home.owner)
    url = reverse("club-disputes", kwargs={"club": "roessli"})
    raised(table)
    with django_assert_max_num_queries(8) as few:
        client.get(url)
    for _ in range(3):
        enter(table, MADE)
    for player in Player.objects.filter(club=people.home.club).exclude(nickname="Anna"):
        raised(table, number=2, player=player)
    with django_assert_max_num_queries(8) as many:
        client.get(url)
    assert len(few) == len(many)
    assert disputes.unsettled_of_evening(table.evening)[0].player == anna()
