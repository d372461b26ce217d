"""The page of who sits at a table: choose, read what it does, do it; and the story of it."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from games.models import Happening, Table
from games.night.acts import NEWCOMER, Arrive, Leave, NameDealer, Order, Pause, Resume, Split
from games.night.selectors import stories, woven
from games.night.services import Guest, carry_out
from league.models import Evening, Player
from tests.cast import House, house
from tests.factories import FAILED, MADE, PASSED_OUT, PlayerFactory, enter, open_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> House:
    return house("roessli")


@pytest.fixture
def table(club: House) -> Table:
    return open_table(club=club.club, season=club.season, author=club.recorder)


@pytest.fixture
def recorder(club: House) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(club.recorder)
    return client


def where(table: Table) -> str:
    return f"/c/roessli/t/{table.pk}/night/"


def text(answer: Any) -> str:
    """What the page says, without tags."""
    body = re.sub(r"(?s)<(script|style).*?</\1>", " ", answer.content.decode())
    return " ".join(re.sub(r"<[^>]+>", " ", body).replace("&#x27;", "'").split())


def fields(answer: Any) -> dict[str, Any]:
    """What the page's button sends."""
    form = answer.content.decode().split('id="outlook"')[1].split("</form>")[0]
    sent: dict[str, Any] = {}
    for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form):
        sent[name] = [*sent.get(name, []), value]
    sent.pop("csrfmiddlewaretoken", None)
    return sent


def pk(table: Table, name: str) -> int:
    return Player.objects.get(club=table.evening.club_id, nickname=name).pk


def chosen(client: Client, table: Table, **query: Any) -> Any:
    answer = client.get(where(table), query)
    assert answer.status_code == 200
    return answer


def done(client: Client, table: Table, **query: Any) -> Any:
    return client.post(where(table), fields(chosen(client, table, **query)))


def seated(table: Table) -> list[str]:
    return list(table.places.order_by("seat").values_list("player__nickname", flat=True))


def test_the_page_says_who_deals_and_what_the_next_hand_costs(recorder, table):
    enter(table, FAILED)
    said = text(recorder.get(where(table)))
    assert "Anna deals hand 2." in said
    assert "Each of the 5 pays CHF 0.20; " in said


def test_a_guest_is_told_of_before_anything_is_stored_and_comes_with_the_button(recorder, table):
    enter(table, FAILED)
    answer = chosen(recorder, table, do="come", name=" Zoé ")
    said = text(answer)
    assert "Zoé comes and sits after Emil" in said
    assert "Is new and comes as a guest. Pays nothing for the hands before; CHF 0.20 with the next one." in said
    assert "Each of the 6 pays CHF 0.20" in said
    assert "Anna deals hand 2, as before. Beni speaks first." in said
    assert not Player.objects.filter(nickname="Zoé").exists()
    after = recorder.post(where(table), fields(answer))
    assert (after.status_code, after.headers["Location"]) == (303, f"/c/roessli/t/{table.pk}/")
    assert seated(table)[-1] == "Zoé"


def test_the_arrows_move_who_comes_to_another_place(recorder, table):
    answer = chosen(recorder, table, do="come", name="Zoé")
    up = re.findall(r'id="up-0" href="\?([^"]+)"', answer.content.decode())[0].replace("&amp;", "&")
    moved = recorder.get(f"{where(table)}?{up}")
    assert "Zoé comes and sits after Doris" in text(moved)
    recorder.post(where(table), fields(moved))
    assert seated(table) == ["Anna", "Beni", "Carlo", "Doris", "Zoé", "Emil"]


def test_who_leaves_while_dealing_is_told_with_the_next_dealer(recorder, table):
    enter(table, PASSED_OUT)
    answer = chosen(recorder, table, do="leave", player=pk(table, "Emil"))
    said = text(answer)
    assert "Anna deals hand 2, since Emil goes. It is a first deal again. Beni speaks first." in said
    assert "What was paid in stays in the pot. Tonight's sum, CHF −0.20, stands." in said
    # What the page of the hand before asked everybody to put in.
    assert "An ante for the next hand that lies there already, CHF 0.20, is taken back." in said
    recorder.post(where(table), fields(answer))
    assert seated(table) == ["Anna", "Beni", "Carlo", "Doris"]


def test_an_arrow_shows_the_new_order_and_the_button_keeps_it(recorder, table):
    page = recorder.get(where(table)).content.decode()
    down = re.findall(rf'id="down-{pk(table, "Anna")}" href="\?([^"]+)"', page)[0].replace("&amp;", "&")
    answer = recorder.get(f"{where(table)}?{down}")
    assert "Anna and Beni change seats" in text(answer)
    assert "Emil deals hand 1, as before. Beni speaks first." in text(answer)
    recorder.post(where(table), fields(answer))
    assert seated(table)[:2] == ["Beni", "Anna"]
    same = ",".join(str(pk(table, name)) for name in seated(table))
    assert "Who sits here" in text(recorder.get(where(table), {"do": "order", "order": same}))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"do": "dealer", "player": "Beni"}, "Beni deals hand 1 instead of Emil. From there it goes on in order."),
        ({"do": "pause"}, "“On again” ends it; so does the next hand."),
        ({"do": "split", "goes": ["Anna", "Beni"], "pot": "stays"}, "Begins empty; the pot stays at table 1."),
        (
            {"do": "split", "goes": ["Anna", "Beni"], "pot": "heads"},
            "Whose ante for the next hand lies there already takes it back first.",
        ),
    ],
)
def test_each_act_says_what_it_does_and_is_done_by_its_button(recorder, table, query, said):
    known = {
        name: value if isinstance(value, str) else [pk(table, one) for one in value] for name, value in query.items()
    }
    if "player" in known:
        known["player"] = pk(table, known["player"])
    answer = chosen(recorder, table, **known)
    assert said in text(answer)
    assert recorder.post(where(table), fields(answer)).status_code == 303
    assert Happening.objects.filter(table=table).count() == 1


def test_a_table_is_divided_and_joined_again(recorder, club):
    table = open_table(club=club.club, season=club.season, seats=7)
    enter(table, FAILED)
    answer = chosen(recorder, table, do="split", goes=[pk(table, "Doris"), pk(table, "Gian")], pot="heads")
    assert "Doris and Gian go to table 2" in text(answer)
    assert re.search(r"CHF \d\.\d0 stay; CHF \d\.\d0 go to table 2\.", text(answer))
    assert "Doris deals the first hand there." in text(answer)
    recorder.post(where(table), fields(answer))
    new = Table.objects.get(evening=table.evening, number=2)
    assert "With table" not in text(recorder.get(where(new)))
    join = chosen(recorder, new, do="merge", into=table.pk)
    assert "Doris and Gian go to table 1" in text(join)
    after = recorder.post(where(new), fields(join))
    assert after.headers["Location"] == f"/c/roessli/t/{table.pk}/"
    assert len(seated(table)) == 7
    assert "This table was joined to another one." in text(recorder.get(where(new)))


def test_kratzen_says_whether_it_is_a_muss(recorder, club):
    table = open_table(club=club.club, season=club.season, seats=4, game="kratzen")
    said = text(chosen(recorder, table, do="leave", player=pk(table, "Anna")))
    assert (
        "Muss: everybody plays. Antes: Beni CHF 0.10, Carlo CHF 0.10, Doris CHF 0.20; CHF 0.40 are played for." in said
    )
    assert "speaks first" not in said


def test_what_is_refused_is_said_on_the_page_and_nothing_is_stored(recorder, club):
    table = open_table(club=club.club, season=club.season, seats=2)
    said = text(chosen(recorder, table, do="leave", player=pk(table, "Anna")))
    assert "There would be 1 at table 1; Chratze is for 2 to 7." in said
    sent = {"do": "leave", "player": pk(table, "Anna"), "key": uuid.uuid4()}
    answer = recorder.post(where(table), sent)
    assert answer.status_code == 422
    assert "There would be 1 at table 1" in text(answer)
    assert not Happening.objects.exists()


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"do": "dance"},
        {"do": "leave"},
        {"do": "leave", "player": "x"},
        {"do": "leave", "player": "9" * 30},
        {"do": "order", "order": "1,,2"},
        {"do": "order", "order": "9" * 40},
        {"do": "split"},
        {"do": "split", "goes": "½"},
        {"do": "come", "name": "\x00"},
        {"do": "come"},
        {"do": "merge"},
        {"do": "pause"},
        {"do": "pause", "key": "none"},
    ],
)
def test_what_no_page_sends_is_refused_in_words(recorder, table, sent):
    assert recorder.post(where(table), sent).status_code in (409, 422)
    assert recorder.get(where(table), sent).status_code == 200
    assert not Happening.objects.exists()


def test_the_same_button_twice_does_it_once(recorder, table):
    sent = fields(chosen(recorder, table, do="come", name="Zoé"))
    assert [recorder.post(where(table), sent).status_code for _ in range(2)] == [303, 303]
    assert Happening.objects.count() == 1


def test_a_closed_evening_is_told_so(recorder, table):
    Evening.objects.update(state=Evening.State.CLOSED)
    assert "This evening is closed." in text(recorder.get(where(table)))
    assert "This evening is closed." in text(chosen(recorder, table, do="pause"))


def test_the_page_asks_the_same_number_of_queries_however_much_happened(recorder, table, django_assert_max_num_queries):
    recorder.get(where(table))
    with django_assert_max_num_queries(14):
        recorder.get(where(table))
    for name in ("Fritz", "Zoé"):
        done(recorder, table, do="come", name=name)
    for nth in range(12):
        PlayerFactory(club=table.evening.club, nickname=f"Member {nth}")
    enter(table, MADE)
    with django_assert_max_num_queries(14):
        recorder.get(where(table))
    with django_assert_max_num_queries(20):
        chosen(recorder, table, do="leave", player=pk(table, "Beni"))


def test_the_story_stands_between_the_hands_in_words_with_coins_for_those_who_see_them(club):
    table = open_table(club=club.club, season=club.season, seats=7)
    people = {name: pk(table, name) for name in seated(table)}

    def go(act: Any, guest: str = "") -> None:
        who = Guest(guest) if guest else None
        carry_out(table=table, act=act, author=club.recorder, key=uuid.uuid4(), guest=who)

    go(NameDealer(people["Beni"]))
    enter(table, FAILED)
    go(Leave(people["Carlo"]))
    go(Arrive(NEWCOMER, people["Anna"]), "Zoé")
    enter(table, FAILED)
    go(Pause())
    go(Resume())
    go(Split((people["Doris"], people["Emil"]), people["Emil"], by_heads=True))
    go(Order(tuple(pk(table, name) for name in ("Zoé", "Anna", "Beni", "Franziska", "Gian"))))
    told = stories([table], amounts=False, currency="CHF")[table.pk]
    assert [(one.after, one.sentence) for one in reversed(told)] == [
        (0, "Beni deals instead of Gian"),
        (1, "Carlo leaves; Doris deals"),
        (1, "Zoé comes and sits after Anna"),
        (2, "Pause"),
        (2, "On again"),
        (2, "Doris and Emil go to table 2; Franziska deals"),
        (2, "Anna and Zoé change seats"),
    ]
    assert {one.author for one in told} == {str(club.recorder)}
    split = next(one for one in stories([table], amounts=True, currency="CHF")[table.pk] if one.kind == "split")
    coins = Happening.objects.get(table=table, kind="split").data["coins"]
    assert (
        split.sentence
        == f"Doris and Emil go to table 2, with CHF\xa0{coins // 100}.{coins % 100:02} of the pot; Franziska deals"
    )
    stretches = woven([2, 1], told, lambda number: number)
    assert [(len(one.told), one.hand) for one in stretches] == [(4, 2), (2, 1), (1, None)]


def test_stories_take_four_queries(club, django_assert_num_queries):
    table = open_table(club=club.club, season=club.season, seats=4)
    for name in ("Zoé", "Zora"):
        carry_out(
            table=table, act=Arrive(NEWCOMER, pk(table, "Anna")), author=None, key=uuid.uuid4(), guest=Guest(name)
        )
    with django_assert_num_queries(4):
        stories([table], amounts=True, currency="CHF")


def test_the_evening_tells_what_happened_without_coins_for_those_who_do_not_see_them(recorder, club):
    table = open_table(club=club.club, season=club.season, seats=7, author=club.recorder)
    enter(table, FAILED)
    page, live = f"/c/roessli/e/{table.evening_id}/", f"/c/roessli/e/{table.evening_id}/live/"
    visitor = Client(headers={"accept-language": "en"})
    etag = visitor.get(live)["ETag"]
    done(recorder, table, do="pause")
    assert visitor.get(live, headers={"if-none-match": etag}).status_code == 200
    done(recorder, table, do="split", goes=[pk(table, "Doris"), pk(table, "Gian")], pot="heads")
    treasurer = Client(headers={"accept-language": "en"})
    treasurer.force_login(club.treasurer)
    seen = text(visitor.get(page))
    assert re.search(r"Doris and Gian go to table 2 \d\d:\d\d Pause 1 ", seen)
    assert "Doris and Gian come from table 1; Doris deals" in seen
    assert "of the pot" not in seen
    assert "Recorder" not in seen
    assert re.search(
        r"Doris and Gian go to table 2, with CHF \d\.\d\d of the pot · Recorder", text(treasurer.get(page))
    )


def test_where_several_tables_play_recording_asks_which(recorder, club):
    table = open_table(club=club.club, season=club.season, seats=4)
    record = f"/c/roessli/e/{table.evening_id}/record/"
    assert recorder.get(record).headers["Location"] == f"/c/roessli/t/{table.pk}/"
    done(recorder, table, do="split", goes=[pk(table, "Anna"), pk(table, "Beni")])
    new = Table.objects.get(evening=table.evening, number=2)
    said = text(recorder.get(record))
    assert "Table 1 0 hands Carlo, Doris" in said
    assert "Table 2 0 hands Anna, Beni" in said
    done(recorder, table, do="merge", into=new.pk)
    assert recorder.get(record).headers["Location"] == f"/c/roessli/t/{new.pk}/"
