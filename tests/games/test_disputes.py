"""Hands for absentees: each player can say that a hand was not so, and everybody of the club sees who wrote it down."""

from __future__ import annotations

import threading
import uuid

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from games import disputes
from games.disputes import dispute_raise, dispute_settle, dispute_withdraw, open_of_club, said_of
from games.errors import Refused
from games.models import Dispute, Hand
from league.models import AuditEntry, Player
from league.roster.merging import players_merge
from league.triggers import drop
from tests.cast import Cast, cast
from tests.factories import MADE, PlayerFactory, enter, open_table, void

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> Cast:
    return cast()


@pytest.fixture
def table(people):
    """A hand that the recorder wrote down; the member is Anna, who sat in it."""
    found = open_table(club=people.home.club, season=people.home.season)
    enter(found, MADE, author=people.home.recorder)
    Player.objects.filter(nickname="Anna").update(user=people.home.member)
    return found


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


# --- What is stored ----------------------------------------------------------------------------------------


def test_a_dispute_stands_until_it_is_taken_back_or_settled(people, table):
    raised(table)
    assert [one.player for one in open_of_club(people.home.club)] == [anna()]
    ended(table)
    assert not open_of_club(people.home.club)
    raised(table, "really")
    ended(table, dispute_settle, text="Beni sat there; corrected")
    assert not open_of_club(people.home.club)
    told = said_of(Hand.objects.get().pk)
    assert [(one.text, one.ended, one.answer) for one in told] == [
        ("I was not there", "withdrawn", ""),
        ("really", "settled", "Beni sat there; corrected"),
    ]


def test_the_money_stays_as_it_is_and_the_log_knows_without_the_words(people, table):
    before = list(table.pot_account.received.values_list("pk", "amount_minor"))
    raised(table, author=people.home.member)
    assert list(table.pot_account.received.values_list("pk", "amount_minor")) == before
    entry = AuditEntry.objects.get(what="hand_disputed")
    assert (entry.what, entry.actor, entry.data["number"]) == ("hand_disputed", people.home.member, 1)
    assert "there" not in str(entry.data)


def test_one_key_one_dispute(people, table):
    key = uuid.uuid4()
    first = raised(table, key=key)
    assert raised(table, key=key) == first
    with pytest.raises(Refused) as caught:
        raised(table, "something else", key=key)
    assert caught.value.status == 422
    assert Dispute.objects.count() == 1


@pytest.mark.parametrize("text", ["", "   ", "x" * 301])
def test_words_are_asked_for(table, text):
    with pytest.raises(Refused) as caught:
        raised(table, text)
    assert (caught.value.status, caught.value.at) == (422, "text")
    assert not Dispute.objects.exists()


def test_who_did_not_sit_in_it_a_hand_that_is_not_there_and_one_taken_back(people, table):
    away = PlayerFactory(club=people.home.club)
    for given, status in (({"player": away}, 409), ({"number": 2}, 404)):
        with pytest.raises(Refused) as caught:
            raised(table, **given)
        assert caught.value.status == status
    void(table)
    with pytest.raises(Refused) as caught:
        raised(table)
    assert caught.value.code == "voided"


def test_twice_at_once_and_what_is_not_disputed(table):
    with pytest.raises(Refused):
        ended(table)
    raised(table)
    with pytest.raises(Refused) as caught:
        raised(table, "again")
    assert caught.value.code == "disputed"


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


@pytest.mark.parametrize("sql", ATTACKS)
def test_what_was_said_stays(table, sql):
    raised(table)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.mark.parametrize("sql", ATTACKS)
def test_without_the_triggers_it_would_not_stay(table, sql):
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


def test_a_player_disputes_a_hand_and_sees_who_wrote_it_down(client, people, table):
    signed_in(client, people.home.member)
    shown = client.get(page(people, table))
    assert b"Written down by Recorder" in shown.content
    assert send(client, people, table, do="raise", text="I left at ten").status_code == 303
    assert b"I left at ten" in client.get(page(people, table)).content
    evening = client.get(reverse("evening", kwargs={"club": "roessli", "evening": table.evening_id}))
    assert b"1 hand is disputed" in evening.content
    assert send(client, people, table, do="withdraw").status_code == 303
    assert not open_of_club(people.home.club)


def test_whoever_records_reads_it_and_settles_it(client, people, table):
    raised(table, "I left at ten")
    signed_in(client, people.home.recorder)
    listed = client.get(reverse("club-disputes", kwargs={"club": "roessli"}))
    assert b"I left at ten" in listed.content
    shown = client.get(page(people, table))
    assert b"/h/1/edit/" in shown.content
    assert send(client, people, table, do="settle", player=anna().pk, text="put right").status_code == 303
    assert b"put right" in client.get(page(people, table)).content
    assert not open_of_club(people.home.club)


def test_who_did_not_sit_in_the_hand_cannot_say_anything_about_it(client, people, table):
    signed_in(client, people.home.member)
    Player.objects.filter(user=people.home.member).update(user=None)
    assert client.get(page(people, table)).status_code == 403
    assert send(client, people, table, do="raise", text="x").status_code == 403
    # Nor does whoever records, for somebody else; nor a member settle it.
    client.force_login(people.home.recorder)
    assert send(client, people, table, do="raise", text="x", player=anna().pk).status_code == 403
    Player.objects.filter(nickname="Anna").update(user=people.home.member)
    raised(table)
    client.force_login(people.home.member)
    assert send(client, people, table, do="settle", player=anna().pk).status_code == 403
    assert len(open_of_club(people.home.club)) == 1


def test_another_club_finds_nothing_there(client, people, table):
    signed_in(client, people.away.owner)
    raised(table, "secret words")
    assert client.get(page(people, table)).status_code == 403
    away = page(people, table).replace("roessli", "sternen")
    assert client.get(away).status_code == 404
    assert not open_of_club(people.away.club)


def test_visitors_read_nothing_of_it(client, people, table):
    raised(table, "secret words")
    evening = client.get(reverse("evening", kwargs={"club": "roessli", "evening": table.evening_id}))
    assert evening.status_code == 200
    assert b"secret words" not in evening.content
    assert b"disputes-title" not in evening.content


def test_the_evenings_page_renews_itself_when_a_hand_is_disputed(client, people, table):
    signed_in(client, people.home.owner)
    live = reverse("evening-live", kwargs={"club": "roessli", "evening": table.evening_id})
    etag = client.get(live)["ETag"]
    assert client.get(live, HTTP_IF_NONE_MATCH=etag).status_code == 304
    raised(table)
    assert client.get(live, HTTP_IF_NONE_MATCH=etag).status_code == 200


def test_bad_input_gets_a_sentence_and_loses_nothing(client, people, table):
    signed_in(client, people.home.member)
    for sent in ({"do": "shout"}, {"do": "raise", "key": "x"}, {}):
        answer = client.post(page(people, table), sent)
        assert answer.status_code == 422
        assert b'role="alert"' in answer.content
    long = "I left at ten. " * 40
    answer = send(client, people, table, do="raise", text=long)
    assert answer.status_code == 422
    assert long.strip().encode() in answer.content


def test_a_hand_played_under_the_other_name_is_theirs_as_well(client, people, table):
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
    assert disputes.open_of_evening(table.evening)[0].player == anna()
