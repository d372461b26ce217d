"""The pages of corrections in a browser without scripts: a preview first, then saving."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.closing.services import evening_close
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.integrity.verify import differences
from games.models import Correction, Revision, Table
from league.models import Closing, Evening
from tests.cast import House
from tests.clients import reader
from tests.factories import (
    FAILED,
    FORCED,
    FREE,
    MADE,
    MUSS,
    PASSED_OUT,
    WALKOVER,
    WITH_CARDS,
    PlayerFactory,
    create_table,
    enter,
)
from tests.page_forms import form_with

pytestmark = pytest.mark.django_db

FIRST: dict[str, dict[str, Any]] = {
    "chratze": FAILED,
    "kratzen": MUSS | {"tricks": {"3": 2, "0": 2}},
    "zwicken": FORCED,
}
"""A first hand that leaves something in the pot, by game."""
BLIND: dict[str, Any] = {"declarer": 0, "joiners": [1], "made": [0, 1], "blind": "blind"}


def played(home: House, *records: dict[str, Any], **wants: Any) -> Table:
    table = create_table(club=home.club, season=home.season, author=home.recorder, **wants)
    for record in records:
        enter(table, record, author=home.recorder)
    return Table.objects.select_related("evening__club").get(pk=table.pk)


def url(table: Table, name: str, number: int | None = None) -> str:
    arguments: dict[str, Any] = {"club": table.evening.club.slug, "table": table.pk}
    return reverse(name, kwargs=arguments if number is None else arguments | {"number": number})


def text_of(answer: Any) -> str:
    main = answer.content.decode().split("<main", 1)[1]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", main)).replace("&#x27;", "'").strip()


def fields(answer: Any) -> dict[str, str]:
    """The hidden fields of the last form of a page."""
    form = answer.content.decode().split("<main", 1)[1].split('method="post"')[-1]
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))


def entry(roles: str, **more: str) -> dict[str, str]:
    """One letter for each seat: d declares, j joins, - is out; a capital letter failed."""
    data = {"mode": "made"}
    for seat, letter in enumerate(roles):
        data[f"role-{seat}"] = {"d": "declarer", "j": "joiner"}.get(letter.lower(), "out")
        data[f"made-{seat}"] = "no" if letter.isupper() else "yes"
    return data | more


def seats(table: Table) -> list[int]:
    return list(table.places.order_by("seat").values_list("player_id", flat=True))


def through(client: Client, where: str, data: dict[str, Any], **more: str) -> Any:
    """Request the preview, and save it."""
    shown = client.post(where, data | {"step": "preview"})
    assert shown.status_code == 200, text_of(shown)
    return client.post(where, fields(shown) | more | {"step": "save"})


# --- Change a hand ---------------------------------------------------------------------------------------


def test_the_form_has_the_stored_hand(recorder: Client, home: House) -> None:
    table = played(home, MADE, FAILED, MADE)
    page = recorder.get(url(table, "hand-edit", 2))
    assert [row.entry.role for row in page.context["rows"]] == ["declarer", "joiner", "joiner", "out", "out"]
    assert [row.entry.made for row in page.context["rows"]][:3] == [False, True, True]
    assert [row.balance_minor for row in page.context["rows"]] == [40, -20, -40, -40, -40]
    assert page.context["blind"] == ""


def test_a_preview_is_shown_before_saving(recorder: Client, home: House) -> None:
    table = played(home, FAILED, PASSED_OUT, MADE)
    where = url(table, "hand-edit", 1)
    shown = recorder.post(where, entry("dj---", step="preview", players=",".join(map(str, seats(table)))))
    page = text_of(shown)
    assert "Nothing is stored yet" in page
    assert "pot CHF 0.00 → CHF 0.00" in page
    assert [hand.number for hand in shown.context["plan"].hands] == [1, 2, 3]
    assert not Correction.objects.exists()
    saved = recorder.post(where, fields(shown) | {"step": "save", "reason": " wrong  row "})
    assert saved.status_code == 303
    done = Correction.objects.get()
    assert (done.kind, done.number, done.author, done.reason) == ("changed", 1, home.recorder, "wrong row")
    assert list(differences()) == []
    history = text_of(recorder.get(saved.url))
    assert "Hand 1 corrected" in history
    assert "by Recorder" in history
    assert "wrong row" in history


def test_saving_twice_is_one_correction(recorder: Client, home: House) -> None:
    table = played(home, FAILED)
    where = url(table, "hand-edit", 1)
    shown = fields(recorder.post(where, entry("dj---", step="preview"))) | {"step": "save"}
    answers = [recorder.post(where, shown) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {303}
    assert Correction.objects.count() == 1


def test_a_preview_that_is_out_of_date_is_shown_again(recorder: Client, home: House) -> None:
    table = played(home, FAILED)
    where = url(table, "hand-edit", 1)
    shown = fields(recorder.post(where, entry("dj---", step="preview")))
    enter(table, PASSED_OUT)
    answer = recorder.post(where, shown | {"step": "save"})
    assert answer.status_code == 409
    assert "Somebody has recorded at this table meanwhile" in text_of(answer)
    assert recorder.post(where, fields(answer) | {"step": "save"}).status_code == 303


def test_a_hand_that_breaks_a_rule_keeps_the_fields(recorder: Client, home: House) -> None:
    table = played(home, FAILED, MADE)
    answer = recorder.post(url(table, "hand-edit", 1), entry("djjjj", step="preview"))
    assert answer.status_code == 422
    assert "at most two can have made one" in text_of(answer)
    assert [row.entry.role for row in answer.context["rows"]] == ["declarer", *["joiner"] * 4]
    nobody = recorder.post(url(table, "hand-edit", 1), entry("-----", step="preview"))
    assert "Who said chratze?" in text_of(nobody)


def test_a_later_hand_that_becomes_impossible_is_named_with_a_link(recorder: Client, home: House) -> None:
    table = played(home, MADE, BLIND, rules={"blind": "both"})
    answer = recorder.post(url(table, "hand-edit", 1), entry("-----", step="preview", passed="1"))
    page = text_of(answer)
    # With kept dealers it is possible, and the page offers that.
    assert "Hand 2 would no longer be possible" in page
    assert "It is possible if the later hands were dealt as they are written down" in page
    assert f'href="{url(table, "hand-edit", 2)}"' in answer.content.decode()
    assert fields(answer)["keep"] == "1"
    assert recorder.post(url(table, "hand-edit", 1), fields(answer) | {"step": "save"}).status_code == 303
    assert list(differences()) == []


def test_the_dealers_of_the_later_hands_are_a_choice(recorder: Client, home: House) -> None:
    table = played(home, PASSED_OUT, MADE, MADE)
    where = url(table, "hand-edit", 1)
    along = recorder.post(where, entry("d----", step="preview"))
    assert along.context["plan"].only_dealers == (3,)
    assert along.context["ways"]
    kept = recorder.post(where, fields(along) | {"step": "keep"})
    assert kept.context["plan"].only_dealers == ()
    assert fields(kept)["keep"] == "1"
    assert recorder.post(where, fields(kept) | {"step": "save"}).status_code == 303
    assert Revision.objects.filter(hand__number=3).count() == 1


def test_other_players_take_over_the_rows(recorder: Client, home: House) -> None:
    table = played(home, FAILED, MADE)
    gian = PlayerFactory(club=home.club, nickname="Gian")
    where = url(table, "hand-edit", 1)
    who = dict(zip([f"player-{n}" for n in range(5)], map(str, [gian.pk, *seats(table)[1:4]]), strict=False))
    rows = recorder.post(where, entry("DjJ--", step="seats") | who)
    assert [seat.nickname for seat in rows.context["view"].seats] == ["Gian", "Beni", "Carlo", "Doris"]
    assert [row.entry.role for row in rows.context["rows"]] == ["declarer", "joiner", "joiner", "out"]
    players = rows.context["players"]
    saved = through(recorder, where, entry("DjJ-", players=players))
    assert saved.status_code == 303
    assert Correction.objects.get().details["players"] == [gian.pk, *seats(table)[1:4]]
    assert list(differences()) == []


def test_the_form_of_a_hand_takes_another_player(recorder: Client, home: House) -> None:
    table = played(home, MADE)
    gian = PlayerFactory(club=home.club, nickname="Gian")
    form = form_with(recorder.get(url(table, "hand-edit", 1)), "player-0")
    form.fill("player-0", gian.pk)
    rows = form.submit(recorder, "Use these players")
    assert rows.context["view"].seats[0].nickname == "Gian"
    shown = form_with(rows, "player-0")
    assert "data-filled" in shown.attributes, "the script shows the roles of the form"
    assert shown.control("role-0").value == "declarer"


@pytest.mark.parametrize(("chosen", "sentence"), [(1, "2 to 7 sit"), (2, "twice"), (3, "There is no player")])
def test_impossible_seats_are_refused(recorder: Client, home: House, chosen: int, sentence: str) -> None:
    table = played(home, FAILED)
    stranger = PlayerFactory()
    first = seats(table)[0]
    who = {1: [first], 2: [first, first], 3: [first, stranger.pk]}[chosen]
    sent = {f"player-{n}": str(player) for n, player in enumerate(who)} | {"step": "seats"}
    answer = recorder.post(url(table, "hand-edit", 1), entry("dj") | sent)
    assert sentence in text_of(answer)
    assert answer.status_code == 422


def test_the_dealer_of_a_hand(recorder: Client, home: House) -> None:
    table = played(home, MADE, MADE)
    carlo = seats(table)[2]
    assert through(recorder, url(table, "hand-edit", 1), entry("dj---", dealer=str(carlo))).status_code == 303
    assert Table.objects.get(pk=table.pk).dealer.nickname == "Emil"
    assert list(differences()) == []


def test_the_cards_of_a_hand_stay_if_only_a_player_changes(recorder: Client, home: House) -> None:
    table = played(home, WITH_CARDS)
    gian = PlayerFactory(club=home.club, nickname="Gian")
    players = ",".join(map(str, [gian.pk, *seats(table)[1:]]))
    assert "The cards of this hand were written down" in text_of(recorder.get(url(table, "hand-edit", 1)))
    assert through(recorder, url(table, "hand-edit", 1), entry("d----", players=players)).status_code == 303
    assert "deal" in Revision.objects.filter(hand__table=table).latest("number").record


def test_a_hand_of_kratzen(recorder: Client, home: House) -> None:
    table = played(home, MUSS, FREE, seats=4, game="kratzen")
    page = recorder.get(url(table, "hand-edit", 2))
    assert page.context["cutting"].call == "schlagen"
    assert [row.entry.tricks for row in page.context["rows"]] == [None, 3, None, 1]
    data = {"role-1": "declarer", "role-3": "joiner", "tricks-1": "4", "tricks-3": "0", "game_type": "oder"}
    assert through(recorder, url(table, "hand-edit", 2), data).status_code == 303
    assert Revision.objects.filter(hand__number=2).latest("number").record["game_type"] == "oder"
    muss = recorder.get(url(table, "hand-edit", 1))
    assert muss.context["view"].muss
    assert list(differences()) == []


def test_the_bar_has_the_preview_of_the_hand(recorder: Client, home: House) -> None:
    table = played(home, FAILED, MADE)
    answer = recorder.post(url(table, "hand-edit", 1), entry("dj---", step="look"), headers={"hx-request": "true"})
    assert "data-accepted" in answer.content.decode()
    answer = recorder.post(url(table, "hand-edit", 1), entry("DJ---", step="look"), headers={"hx-request": "true"})
    assert 'data-rows="0,1"' in answer.content.decode()


# --- Insert, take out, move, reseat --------------------------------------------------------------------------


def test_a_forgotten_hand(recorder: Client, home: House) -> None:
    table = played(home, MADE, MADE)
    assert "A forgotten hand 2" in text_of(recorder.get(url(table, "hand-insert", 2)))
    assert through(recorder, url(table, "hand-insert", 2), entry("-----", passed="1")).status_code == 303
    assert Table.objects.get(pk=table.pk).hands == 3
    # Also after the last hand, but not further.
    assert through(recorder, url(table, "hand-insert", 4), entry("d----")).status_code == 303
    assert recorder.get(url(table, "hand-insert", 6)).status_code == 404
    recorders = Revision.objects.filter(correction__isnull=False, kind="entered").values_list("recorder", flat=True)
    assert set(recorders) == {home.recorder.pk}
    assert list(differences()) == []


def test_a_hand_that_was_never_played(recorder: Client, home: House) -> None:
    table = played(home, FAILED, FAILED, MADE)
    shown = recorder.get(url(table, "hand-out", 2))
    text = text_of(shown)
    assert "no such hand any more" not in text
    assert "Hand 3 becomes hand 2." in text
    assert [(hand.number, hand.number_before) for hand in shown.context["plan"].hands] == [(2, None), (2, 3)]
    assert "falls away" in text
    assert "until now hand 3" in text
    saved = recorder.post(url(table, "hand-out", 2), fields(shown) | {"step": "save", "reason": "entered twice"})
    assert saved.status_code == 303
    assert Table.objects.get(pk=table.pk).hands == 2
    assert list(differences()) == []


def test_hands_that_only_get_another_number_are_not_listed(recorder: Client, home: House) -> None:
    table = played(home, MADE, MADE, MADE, MADE)
    shown = recorder.get(url(table, "hand-out", 2), {"step": "keep"})
    hands = shown.context["plan"].hands
    assert [(hand.before.view.number, hand.after) for hand in hands] == [(2, None)]
    assert "Hands 3 to 4 become hands 2 to 3." in text_of(shown)
    assert '<span class="tag">after</span>' not in shown.content.decode()


def test_a_hand_that_was_played_earlier(recorder: Client, home: House) -> None:
    table = played(home, MADE, FAILED, PASSED_OUT)
    where = url(table, "hand-move", 3)
    shown = recorder.get(where, {"to": "1"})
    assert "Make it hand 1" in text_of(shown)
    assert recorder.post(where, fields(shown) | {"step": "save"}).status_code == 303
    assert (Correction.objects.get().number, Correction.objects.get().details["to"]) == (3, 1)
    assert list(differences()) == []


def test_two_confused_players_are_swapped(recorder: Client, home: House) -> None:
    table = played(home, MADE, FAILED, MADE)
    anna, beni, *_rest = seats(table)
    page = recorder.get(url(table, "table-seats"), {"from": "2"})
    assert "from hand" in text_of(page)
    shown = recorder.post(url(table, "table-seats"), {"from": "2", "last": "3", f"sat-{anna}": beni, "step": "preview"})
    assert "For the next hand sit: Beni, Anna, Carlo, Doris, Emil." in text_of(shown)
    saved = recorder.post(url(table, "table-seats"), fields(shown) | {"step": "save"})
    assert saved.status_code == 303
    assert seats(table)[:2] == [beni, anna]
    assert "Anna → Beni, Beni → Anna" in text_of(recorder.get(saved.url))
    assert list(differences()) == []


# --- Closed evenings ---------------------------------------------------------------------------------------


def test_a_provisional_evening_is_closed_again(recorder: Client, home: House) -> None:
    table = played(home, FAILED, FAILED)
    present = seats(table)
    evening_close(evening=table.evening, author=home.recorder, key=uuid.uuid4(), pot=Closing.Pot.SHARE, present=present)
    shown = recorder.post(url(table, "hand-edit", 2), entry("dj---", step="preview"))
    assert "The evening is closed again with this" in text_of(shown)
    assert recorder.post(url(table, "hand-edit", 2), fields(shown) | {"step": "save"}).status_code == 303
    assert Closing.objects.latest("number").kind == Closing.Kind.MENDED
    assert Table.objects.get(pk=table.pk).pot_minor == 0
    assert list(differences()) == []


@pytest.mark.parametrize("pot", Closing.Pot.values)
@pytest.mark.parametrize("game", FIRST)
def test_the_form_of_a_forgotten_last_hand_has_the_pot_before_the_closing(
    recorder: Client, home: House, game: str, pot: str
) -> None:
    table = played(home, FIRST[game], game=game, seats=5 if game == "chratze" else 4)
    where = url(table, "hand-insert", 2)
    before = recorder.get(where).context["view"]
    assert (before.pot_before_minor > 0, before.muss) == (True, False)
    evening_close(evening=table.evening, author=home.recorder, key=uuid.uuid4(), pot=pot, present=seats(table))
    after = recorder.get(where).context["view"]
    assert (after.pot_minor, after.muss) == (before.pot_minor, False)
    if game == "chratze":
        assert through(recorder, where, entry("d----")).status_code == 303
        assert Table.objects.get(pk=table.pk).hands == 2
        assert list(differences()) == []


def test_a_final_evening_cannot_be_corrected(recorder: Client, home: House) -> None:
    table = played(home, FAILED)
    Evening.objects.update(state="closed", final_at=timezone.now() - timedelta(seconds=1))
    shown = recorder.post(url(table, "hand-edit", 1), entry("dj---", step="preview"))
    assert "It is final: nothing can be recorded" in text_of(shown)
    assert 'value="save"' not in shown.content.decode()
    sent = entry("dj---", step="save", key=str(uuid.uuid4()))
    assert recorder.post(url(table, "hand-edit", 1), sent).status_code == 409
    assert not Correction.objects.exists()


# --- History ----------------------------------------------------------------------------------------


def corrected_table(home: House) -> Table:
    table = played(home, FAILED, FAILED, MADE)
    correct(table=table, edit=TakeOut(2), author=home.recorder, key=uuid.uuid4(), reason="entered twice")
    return table


def test_the_corrections_of_an_evening(recorder: Client, home: House) -> None:
    table = corrected_table(home)
    where = reverse("evening-corrections", kwargs={"club": "roessli", "evening": table.evening_id})
    page = text_of(recorder.get(where))
    assert "Hand 2 removed" in page
    assert "by Recorder : entered twice" in page or "by Recorder: entered twice" in page
    assert "→" in page
    empty = played(home)
    where = reverse("evening-corrections", kwargs={"club": "roessli", "evening": empty.evening_id})
    assert "Nothing was corrected" in text_of(recorder.get(where))


def test_members_read_authors_and_reasons_without_amounts(home: House) -> None:
    table = corrected_table(home)
    page = text_of(reader(home.member).get(url(table, "hand-history", 3)))
    assert "Hand 2 removed" in page
    assert "entered twice" in page
    assert not re.search(r"\d\.\d\d", page)


def test_a_visitor_reads_that_it_was_corrected(home: House) -> None:
    table = corrected_table(home)
    home.club.visibility = "listed"
    home.club.save()
    page = text_of(Client(headers={"accept-language": "en"}).get(url(table, "hand-history", 3)))
    assert "Hand 2 removed" in page
    assert "Recorder" not in page
    assert "entered twice" not in page
    assert not re.search(r"\d\.\d\d", page)


def test_pages_take_a_fixed_number_of_queries(
    recorder: Client, home: House, django_assert_max_num_queries: Any
) -> None:
    table = played(home, *[FAILED, PASSED_OUT, WALKOVER, MADE] * 4)
    for number in (1, 2, 3):
        correct(table=table, edit=TakeOut(number), author=home.recorder, key=uuid.uuid4())
    corrections = reverse("evening-corrections", kwargs={"club": "roessli", "evening": table.evening_id})
    for where in (
        url(table, "hand-edit", 9),
        url(table, "hand-out", 2),
        url(table, "hand-move", 2),
        url(table, "hand-history", 4),
        url(table, "table-seats"),
        url(table, "table-difference"),
        corrections,
    ):
        with django_assert_max_num_queries(16):
            assert recorder.get(where).status_code == 200, where


def test_every_line_of_a_hand_links_to_its_correction(recorder: Client, home: House) -> None:
    table = corrected_table(home)
    link = f'href="{url(table, "hand-edit", 1)}"'
    evening = reverse("evening", kwargs={"club": "roessli", "evening": table.evening_id})
    for where in (url(table, "table"), url(table, "hand-paid", 1), evening):
        assert link in recorder.get(where).content.decode(), where
    gone = f'href="{url(table, "hand-history", 3)}"'
    read = reader(home.member).get(evening).content.decode()
    assert gone in read
    assert link not in read


# --- Bad input ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hand-edit", "hand-insert", "hand-out", "hand-move", "table-seats"])
@pytest.mark.parametrize(
    "junk",
    [
        {"players": "x"},
        {"players": "1,2,3"},
        {"players": "9" * 40},
        {"dealer": "x", "role-0": "declarer"},
        {"role-0": "king"},
        {"to": "99999999999999999999"},
        {"from": "-1", "last": "²"},
        {"keep": "perhaps"},
        {"key": "no-uuid"},
        {"sat-x": "1", "player-0": "x"},
        {"cuts": "Q" * 200},
    ],
)
def test_junk_is_refused(recorder: Client, home: House, name: str, junk: dict[str, str]) -> None:
    table = played(home, MADE)
    where = url(table, name, None if name == "table-seats" else 1)
    for step in ("", "preview", "save", "look", "seats", "back", "keep", "nonsense"):
        answer = recorder.post(where, junk | {"step": step})
        assert answer.status_code in (200, 409, 422), (step, answer.status_code)
    assert recorder.get(where, junk | {"step": "preview"}).status_code in (200, 409, 422)
    assert not Correction.objects.exists()


def test_missing_hands_are_not_found(recorder: Client, home: House) -> None:
    table = played(home, MADE)
    for name in ("hand-edit", "hand-out", "hand-move", "hand-history"):
        assert recorder.get(url(table, name, 2)).status_code == 404
    assert recorder.get(url(table, "hand-insert", 0)).status_code == 404
