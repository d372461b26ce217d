"""The seating page of a table: choose a change, read its preview, store it; and the timeline."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from games.models import Happening, Table
from games.seating.changes import NEWCOMER, Arrive, Leave, NameDealer, Order, Pause, Resume, Split
from games.seating.selectors import interleave, timelines
from games.seating.services import Guest, carry_out
from league.models import Evening, Player
from tests.cast import House, house
from tests.factories import FAILED, MADE, PASSED_OUT, PlayerFactory, create_table, enter
from tests.page_forms import form_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> House:
    return house("roessli")


@pytest.fixture
def table(club: House) -> Table:
    return create_table(club=club.club, season=club.season, author=club.recorder)


@pytest.fixture
def recorder(club: House) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(club.recorder)
    return client


def where(table: Table) -> str:
    return f"/c/roessli/t/{table.pk}/seating/"


def text(answer: Any) -> str:
    """The text of the page, without tags."""
    body = re.sub(r"(?s)<(script|style).*?</\1>", " ", answer.content.decode())
    return " ".join(re.sub(r"<[^>]+>", " ", body).replace("&#x27;", "'").split())


def fields(answer: Any) -> dict[str, Any]:
    """The fields that the button of the page sends."""
    form = answer.content.decode().split('id="preview"')[1].split("</form>")[0]
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


def test_the_page_has_the_dealer_and_the_antes_of_the_next_hand(recorder, table):
    enter(table, FAILED)
    said = text(recorder.get(where(table)))
    assert "Anna deals hand 2." in said
    assert "Each of the 5 pays CHF 0.20; " in said


def test_a_guest_has_a_preview_and_is_stored_with_the_button(recorder, table):
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


def test_the_arrows_move_a_player_who_comes_to_another_place(recorder, table):
    answer = chosen(recorder, table, do="come", name="Zoé")
    up = re.findall(r'id="up-0" href="\?([^"]+)"', answer.content.decode())[0].replace("&amp;", "&")
    moved = recorder.get(f"{where(table)}?{up}")
    assert "Zoé comes and sits after Doris" in text(moved)
    recorder.post(where(table), fields(moved))
    assert seated(table) == ["Anna", "Beni", "Carlo", "Doris", "Zoé", "Emil"]


def test_the_preview_of_a_leaving_dealer_names_the_next_one(recorder, table):
    enter(table, PASSED_OUT)
    answer = chosen(recorder, table, do="leave", player=pk(table, "Emil"))
    said = text(answer)
    assert "Anna deals hand 2, since Emil goes. It is a first deal again. Beni speaks first." in said
    assert "What was paid in stays in the pot. Tonight's sum, −CHF 0.20, stands." in said
    # The ante that the preview of the hand before named.
    assert "An ante already paid for the next hand, CHF 0.20, is taken back." in said
    recorder.post(where(table), fields(answer))
    assert seated(table) == ["Anna", "Beni", "Carlo", "Doris"]


def test_an_arrow_shows_the_new_order_and_the_button_stores_it(recorder, table):
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
        ({"do": "dealer", "player": "Beni"}, "Beni deals hand 1 instead of Emil. From there it continues in order."),
        ({"do": "pause"}, "“Continue” ends it; so does the next hand."),
        ({"do": "split", "goes": ["Anna", "Beni"], "pot": "stays"}, "Begins empty; the pot stays at table 1."),
        (
            {"do": "split", "goes": ["Anna", "Beni"], "pot": "heads"},
            "Whoever has already paid the ante for the next hand takes it back first.",
        ),
    ],
)
def test_each_change_has_a_preview_and_is_stored_by_its_button(recorder, table, query, said):
    known = {
        name: value if isinstance(value, str) else [pk(table, nickname) for nickname in value]
        for name, value in query.items()
    }
    if "player" in known:
        known["player"] = pk(table, known["player"])
    answer = chosen(recorder, table, **known)
    assert said in text(answer)
    assert recorder.post(where(table), fields(answer)).status_code == 303
    assert Happening.objects.filter(table=table).count() == 1


def test_a_table_is_divided_and_joined_again(recorder, club):
    table = create_table(club=club.club, season=club.season, seats=7)
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


def test_the_forms_of_the_page_split_and_merge_tables(recorder, table):
    enter(table, FAILED)
    form = form_with(recorder.get(where(table)), "goes")
    for name in ("Anna", "Beni"):
        form.tick("goes", pk(table, name))
    shown = form.submit(recorder, "Show what changes")
    assert "Anna and Beni go to table 2" in text(shown)
    assert form_with(shown, "do", "split").submit(recorder, "Divide the table").status_code == 303
    other = Table.objects.get(evening=table.evening, number=2)
    assert (seated(table), seated(other)) == (["Carlo", "Doris", "Emil"], ["Anna", "Beni"])
    shown = form_with(recorder.get(where(other)), "into").submit(recorder, "Show what changes")
    after = form_with(shown, "do", "merge").submit(recorder, "Join the tables")
    assert (after.status_code, after.headers["Location"]) == (303, f"/c/roessli/t/{table.pk}/")
    assert seated(table) == ["Carlo", "Doris", "Emil", "Anna", "Beni"]


def test_the_link_of_a_leaving_dealer_shows_the_next_dealer(recorder, table):
    enter(table, FAILED)
    link = f"?do=leave&player={pk(table, 'Anna')}"
    assert link.replace("&", "&amp;") in recorder.get(where(table)).content.decode()
    shown = recorder.get(where(table) + link)
    assert "Beni deals hand 2, since Anna goes." in text(shown)
    assert form_with(shown, "do", "leave").submit(recorder, "Anna leaves").status_code == 303
    assert seated(table) == ["Beni", "Carlo", "Doris", "Emil"]
    table.refresh_from_db()
    assert table.dealer.nickname == "Beni"


def test_the_page_of_kratzen_shows_whether_the_next_hand_is_a_muss(recorder, club):
    table = create_table(club=club.club, season=club.season, seats=4, game="kratzen")
    said = text(chosen(recorder, table, do="leave", player=pk(table, "Anna")))
    assert (
        "Muss: everybody plays. Antes: Beni CHF 0.10, Carlo CHF 0.10, Doris CHF 0.20; CHF 0.40 are played for." in said
    )
    assert "speaks first" not in said


def test_a_refusal_is_shown_on_the_page_and_nothing_is_stored(recorder, club):
    table = create_table(club=club.club, season=club.season, seats=2)
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
def test_a_form_that_no_page_sends_is_refused_with_a_sentence(recorder, table, sent):
    assert recorder.post(where(table), sent).status_code in (409, 422)
    assert recorder.get(where(table), sent).status_code == 200
    assert not Happening.objects.exists()


def test_the_same_form_sent_twice_is_stored_once(recorder, table):
    sent = fields(chosen(recorder, table, do="come", name="Zoé"))
    assert [recorder.post(where(table), sent).status_code for _ in range(2)] == [303, 303]
    assert Happening.objects.count() == 1


def test_the_page_of_a_closed_evening_says_so(recorder, table):
    Evening.objects.update(state=Evening.State.CLOSED)
    assert "This evening is closed." in text(recorder.get(where(table)))
    assert "This evening is closed." in text(chosen(recorder, table, do="pause"))


def test_the_page_takes_the_same_number_of_queries_for_any_number_of_happenings(
    recorder, table, django_assert_max_num_queries
):
    recorder.get(where(table))
    with django_assert_max_num_queries(19):
        recorder.get(where(table))
    for name in ("Fritz", "Zoé"):
        done(recorder, table, do="come", name=name)
    for nth in range(12):
        PlayerFactory(club=table.evening.club, nickname=f"Member {nth}")
    enter(table, MADE)
    with django_assert_max_num_queries(19):
        recorder.get(where(table))
    with django_assert_max_num_queries(25):
        chosen(recorder, table, do="leave", player=pk(table, "Beni"))


def test_happenings_are_shown_between_hands_with_coins_for_those_who_may_see_them(club):
    table = create_table(club=club.club, season=club.season, seats=7)
    people = {name: pk(table, name) for name in seated(table)}

    def go(change: Any, guest: str = "") -> None:
        who = Guest(guest) if guest else None
        carry_out(table=table, change=change, author=club.recorder, key=uuid.uuid4(), guest=who)

    go(NameDealer(people["Beni"]))
    enter(table, FAILED)
    go(Leave(people["Carlo"]))
    go(Arrive(NEWCOMER, people["Anna"]), "Zoé")
    enter(table, FAILED)
    go(Pause())
    go(Resume())
    go(Split((people["Doris"], people["Emil"]), people["Emil"], by_heads=True))
    go(Order(tuple(pk(table, name) for name in ("Zoé", "Anna", "Beni", "Franziska", "Gian"))))
    entries = timelines([table], amounts=False, currency="CHF")[table.pk]
    assert [(entry.after, entry.sentence) for entry in reversed(entries)] == [
        (0, "Beni deals instead of Gian"),
        (1, "Carlo leaves; Doris deals"),
        (1, "Zoé comes and sits after Anna"),
        (2, "Pause"),
        (2, "Continue"),
        (2, "Doris and Emil go to table 2; Franziska deals"),
        (2, "Anna and Zoé change seats"),
    ]
    assert {entry.author for entry in entries} == {str(club.recorder)}
    split = next(entry for entry in timelines([table], amounts=True, currency="CHF")[table.pk] if entry.kind == "split")
    coins = Happening.objects.get(table=table, kind="split").data["coins"]
    assert (
        split.sentence
        == f"Doris and Emil go to table 2, with CHF\xa0{coins // 100}.{coins % 100:02} of the pot; Franziska deals"
    )
    stretches = interleave([2, 1], entries, lambda number: number)
    assert [(len(stretch.happenings), stretch.hand) for stretch in stretches] == [(4, 2), (2, 1), (1, None)]


def test_timelines_take_four_queries(club, django_assert_num_queries):
    table = create_table(club=club.club, season=club.season, seats=4)
    for name in ("Zoé", "Zora"):
        carry_out(
            table=table, change=Arrive(NEWCOMER, pk(table, "Anna")), author=None, key=uuid.uuid4(), guest=Guest(name)
        )
    with django_assert_num_queries(4):
        timelines([table], amounts=True, currency="CHF")


def test_the_evening_shows_happenings_without_coins_to_those_who_may_not_see_them(recorder, club):
    table = create_table(club=club.club, season=club.season, seats=7, author=club.recorder)
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


def test_with_several_tables_the_recorder_chooses_one(recorder, club):
    table = create_table(club=club.club, season=club.season, seats=4)
    record = f"/c/roessli/e/{table.evening_id}/record/"
    assert recorder.get(record).headers["Location"] == f"/c/roessli/t/{table.pk}/"
    done(recorder, table, do="split", goes=[pk(table, "Anna"), pk(table, "Beni")])
    new = Table.objects.get(evening=table.evening, number=2)
    said = text(recorder.get(record))
    assert "Table 1 0 hands Carlo, Doris" in said
    assert "Table 2 0 hands Anna, Beni" in said
    done(recorder, table, do="merge", into=new.pk)
    assert recorder.get(record).headers["Location"] == f"/c/roessli/t/{new.pk}/"
