"""The pages that close an evening: choices, payments, debts and receipts, and the visible amounts."""

from __future__ import annotations

import csv
import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format

from games.closing.last_hands import last_hand
from games.closing.receipt_views import receipt_view_of
from games.closing.receipts import readable, token_for
from games.closing.sentences import pots_sentence
from games.closing.services import evening_close, payments_mark
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.models import Table
from league.models import AuditEntry, Closing, Evening, Player, Receipt
from league.money import format_money, format_price
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED, MADE, PASSED_OUT, WALKOVER, create_table, enter, open_next_evening
from tests.page_forms import without_spare_parts

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> House:
    return cast().home


@pytest.fixture
def table(home: House) -> Table:
    table = create_table(season=home.season, club=home.club, held_on=timezone.localdate())
    for record in (MADE, FAILED, WALKOVER, FAILED, PASSED_OUT):
        enter(table, record)
    table.refresh_from_db()
    return table


def url(table: Table, name: str = "evening-close") -> str:
    return reverse(name, kwargs={"club": table.evening.club.slug, "evening": table.evening_id})


def of_club(table: Table, name: str) -> str:
    return reverse(name, kwargs={"club": table.evening.club.slug})


def sent(**fields: Any) -> dict[str, Any]:
    return {"key": str(uuid.uuid4()), **fields}


def closed(table: Table, pot: str = "carry") -> Closing:
    present = list(table.places.values_list("player_id", flat=True))
    return evening_close(evening=table.evening, author=None, key=uuid.uuid4(), pot=pot, present=present)


def link(closing: Closing, nickname: str) -> str:
    return reverse("receipt", kwargs={"token": token_for(closing.pk, Player.objects.get(nickname=nickname).pk)})


# --- Before it is closed ---------------------------------------------------------------------------------


def test_each_way_of_the_pot_shows_its_outcome_and_payments(home, table):
    client = reader(home.recorder)
    page = client.get(url(table)).content.decode()
    for said in ("It stays for the next evening", "It is shared among those present", "It goes to the kitty"):
        assert said in page
    assert "puts" in page
    assert "into the box" in page
    two = list(table.places.values_list("player_id", flat=True))[:2]
    answer = client.get(url(table), {"pot": "share", "present": two})
    preview = answer.context["preview"]
    parts = [person.part_minor for person in preview.people if person.ticked]
    assert sum(parts) == table.pot_minor
    assert len(parts) == 2
    assert "puts" not in answer.content.decode()


def test_the_preview_shows_the_payments_that_follow(home, table):
    client = reader(home.recorder)
    for way in ("carry", "share", "kitty"):
        present = list(table.places.values_list("player_id", flat=True))[:3]
        previewed = client.get(url(table), {"pot": way, "present": present}).context["preview"].lines
        answer = client.post(url(table), sent(pot=way, present=present), follow=True)
        assert [line.sentence for line in answer.context["settled"].lines] == [line.sentence for line in previewed]
        client.post(url(table, "evening-reopen"), sent())


def test_each_payment_is_shown_once_with_its_amount_in_a_column(home, table):
    client = reader(home.recorder)
    before = client.get(url(table))
    after = client.post(url(table), sent(pot="carry"), follow=True)
    for answer, lines in ((before, before.context["preview"].lines), (after, after.context["settled"].lines)):
        page = re.sub(r'<span class="visually-hidden">.*?</span>', "", answer.content.decode())
        text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
        assert lines
        for line in lines:
            assert text.count(line.parties) == 1
            assert line.sentence not in text
        amounts = re.findall(r'</b></div><span class="num amount">([^<]+)</span>', page)
        assert amounts == [format_money(line.amount_minor) for line in lines]
        assert "tonight." not in text


def test_an_evening_without_hands_and_coins_offers_no_way(home):
    table = create_table(season=home.season, club=home.club)
    client = reader(home.recorder)
    page = client.get(url(table)).content.decode()
    assert "the evening simply ends" in page
    assert 'type="radio"' not in page
    assert client.post(url(table), sent(pot="carry")).status_code == 303


def test_a_refused_closing_is_shown_on_the_page(home, table):
    client = reader(home.recorder)
    answer = client.post(url(table), sent(pot="share"))
    assert answer.status_code == 422
    assert "Tick at least one" in answer.content.decode()
    assert client.post(url(table), {"pot": "carry"}).status_code == 422
    closed(table)
    answer = client.post(url(table), sent(pot="carry"))
    assert answer.status_code == 409
    assert "already closed" in answer.content.decode()


def test_the_last_hand_leads_to_the_table(home, table):
    client = reader(home.recorder)
    answer = client.post(url(table, "evening-last"), sent(), follow=True)
    assert answer.redirect_chain[-1][0] == reverse("table", kwargs={"club": home.club.slug, "table": table.pk})
    assert "Play on as before" in client.get(url(table)).content.decode()
    client.post(url(table, "evening-last"), sent(off="1"))
    assert "Last hand for all" in client.get(url(table)).content.decode()


# --- Settling up -----------------------------------------------------------------------------------------


def test_settling_up_shows_payments_marks_one_by_one_and_adds_up(home, table):
    closed(table)
    client = reader(home.recorder)
    answer = client.get(url(table))
    settled = answer.context["settled"]
    assert settled.total.won_minor == settled.total.open_minor == 0
    line = settled.lines[0]
    answer = client.post(url(table, "payments-mark"), sent(payment=str(line.pk), paid="yes"), follow=True)
    after = answer.context["settled"]
    assert (after.paid_minor, after.open_minor) == (line.amount_minor, settled.due_minor - line.amount_minor)
    assert "Undo" in answer.content.decode()
    answer = client.post(url(table, "payments-mark"), sent(paid="yes"), follow=True)
    assert answer.context["settled"].open_minor == 0
    assert "all paid" in answer.content.decode()
    answer = client.post(url(table, "payments-mark"), sent(payment=str(line.pk), paid="no"), follow=True)
    assert answer.context["settled"].open_minor == line.amount_minor
    for wrong in ("nonsense", str(uuid.uuid4())):
        assert client.post(url(table, "payments-mark"), sent(payment=wrong, paid="yes")).status_code == 404


def test_payments_before_a_correction_stay_on_the_page(home, table):
    closing = closed(table)
    first = closing.payments.order_by("number")[0]
    numbers = [first.pk]
    payments_mark(evening=table.evening, author=None, key=uuid.uuid4(), paid=True, numbers=numbers)
    correct(table=table, edit=TakeOut(2), author=None, key=uuid.uuid4())
    settled = reader(home.recorder).get(url(table)).context["settled"]
    assert [line.pk for line in settled.earlier] == numbers
    assert "Paid before" in reader(home.recorder).get(url(table)).content.decode()
    assert settled.total.open_minor == 0


def test_the_right_to_reopen_an_evening(home, table):
    closed(table)
    Evening.objects.update(final_at=timezone.now() - timedelta(hours=1))
    recorder, owner = reader(home.recorder), reader(home.owner)
    assert "Only an owner of the club" in recorder.get(url(table)).content.decode()
    assert recorder.post(url(table, "evening-reopen"), sent(reason="x")).status_code == 403
    assert owner.post(url(table, "evening-reopen"), sent()).status_code == 422
    page = owner.post(url(table, "evening-reopen"), sent(reason="Hand 3 was forgotten"), follow=True).content.decode()
    assert "open again" in page
    closed(table)
    assert "Hand 3 was forgotten" in owner.get(url(table)).content.decode()


def test_an_evening_closed_without_settling_up_shows_that(home, table):
    Evening.objects.update(state="closed")
    assert "closed without settling up" in reader(home.owner).get(url(table)).content.decode()
    assert "closed without one" in reader(home.owner).get(url(table, "receipts")).content.decode()


@pytest.mark.parametrize("hours", ["0", "12", "1440"])
def test_the_owner_sets_the_window(home, table, hours):
    client = reader(home.owner)
    page = client.post(of_club(table, "club-window"), {"correction_hours": hours}, follow=True).content.decode()
    assert f'value="{hours}"' in page
    assert AuditEntry.objects.get(what="club_changed", actor=home.owner).data == {"fields": ["correction_hours"]}
    closed(table)
    final = "final" if hours == "0" else "provisional"
    assert final in client.get(url(table, "evening")).content.decode()


@pytest.mark.parametrize("hours", ["", "-1", "1441", "two"])
def test_an_invalid_window_is_refused(home, table, hours):
    answer = reader(home.owner).post(of_club(table, "club-window"), {"correction_hours": hours})
    assert answer.status_code == 422
    assert "whole number of hours" in answer.content.decode()


def test_the_evening_page_shows_the_stage(home, table):
    client = reader(home.recorder)
    assert "Close the evening" in client.get(url(table, "evening")).content.decode()
    before = client.get(url(table, "evening-live"))["ETag"]
    closed(table)
    page = client.get(url(table, "evening")).content.decode()
    assert "provisional" in page
    assert "Settling up" in page
    assert client.get(url(table, "evening-live"))["ETag"] != before
    assert "Settling up" not in reader(home.member).get(url(table, "evening")).content.decode()


def test_the_next_evening_offers_the_coins_of_the_box(home, table):
    client = reader(home.recorder)
    assert 'name="carry"' not in client.get(of_club(table, "evening-new")).content.decode()
    closed(table)
    page = client.get(of_club(table, "evening-new")).content.decode()
    assert 'name="carry" checked' in page
    players = [f"p{pk}" for pk in table.places.values_list("player_id", flat=True)]
    form = sent(
        game="chratze",
        season=home.season.pk,
        held_on=str(timezone.localdate()),
        seating=players,
        first_dealer=players[0],
    )
    assert client.post(of_club(table, "evening-new"), form | {"carry": "on"}).status_code == 303
    assert Table.objects.order_by("-pk")[0].pot_minor == table.pot_minor


# --- Outstanding ----------------------------------------------------------------------------------------


def test_debts_are_by_pair_and_everybody_sees_their_own(home, table):
    closed(table)
    second = create_table(season=home.season, club=home.club)
    for record in (FAILED, MADE):
        enter(second, record)
    closed(second)
    whole = reader(home.treasurer).get(of_club(table, "debts"))
    owed = [payment for debt in whole.context["debts"] for payment, _sentence in debt.lines]
    assert whole.context["total_minor"] == sum(payment.amount_minor for payment in owed)
    assert {payment.closing.evening_id for payment in owed} == {table.evening_id, second.evening_id}
    payer = owed[0].payer.player
    payer.user = home.member
    payer.save()
    own = reader(home.member).get(of_club(table, "debts"))
    shown = [payment for debt in own.context["debts"] for payment, _sentence in debt.lines]
    assert 0 < len(shown) < len(owed)
    assert all(payer in (payment.payer.player, payment.payee.player) for payment in shown)
    assert "Yours only" in own.content.decode()
    assert 'name="paid"' not in own.content.decode()


def test_a_pair_is_paid_at_once(home, table):
    closed(table)
    client = reader(home.treasurer)
    before = client.get(of_club(table, "debts")).context
    debt = before["debts"][0]
    form = sent(paid="yes", payment=[str(payment.pk) for payment, _sentence in debt.lines])
    after = client.post(of_club(table, "debts-paid"), form, follow=True).context
    assert after["total_minor"] == before["total_minor"] - debt.amount_minor
    assert client.post(of_club(table, "debts-paid"), sent(paid="yes")).status_code == 422
    gone = client.post(of_club(table, "debts-paid"), sent(paid="yes", payment=str(uuid.uuid4())))
    assert gone.status_code == 404


def test_the_file_of_debts_has_a_row_a_payment(home, table):
    closed(table)
    answer = reader(home.treasurer).get(of_club(table, "debts-csv"))
    rows = list(csv.DictReader(b"".join(answer.streaming_content).decode().splitlines()))
    whole = reader(home.treasurer).get(of_club(table, "debts")).context["total_minor"]
    assert sum(int(row["amount_minor"]) for row in rows) == whole
    assert {row["stage"] for row in rows} == {"provisional"}


def test_an_empty_page_of_debts_says_so_and_the_club_page_leads_there(home, table):
    assert "Nothing outstanding" in reader(home.treasurer).get(of_club(table, "debts")).content.decode()
    closed(table)
    page = reader(home.treasurer).get(reverse("club", kwargs={"club": home.club.slug})).content.decode()
    assert of_club(table, "debts") in page
    assert (
        of_club(table, "debts") not in reader().get(reverse("club", kwargs={"club": home.club.slug})).content.decode()
    )


# --- Receipts --------------------------------------------------------------------------------------------


def test_everybody_who_played_gets_a_link(home, table):
    client = reader(home.recorder)
    assert "No receipt yet" in client.get(url(table, "receipts")).content.decode()
    closed(table)
    answer = client.get(url(table, "receipts"))
    assert [link.name for link in answer.context["links"]] == ["Anna", "Beni", "Carlo", "Doris", "Emil"]
    for link in answer.context["links"]:
        assert reader().get(link.url).status_code == 200
        assert link.qr.startswith("<svg")


def test_a_receipt_shows_its_reader_their_amounts_and_of_others_counts_alone(home, table):
    closing = closed(table, "share")
    content = readable(Receipt.objects.get(closing=closing))
    content = {
        player.nickname: receipt_view_of(content, player.pk, all_money=False, currency="CHF")
        for player in Player.objects.all()
    }
    for name, story in content.items():
        assert story.sum_minor == sum(hand.change_minor for hand in story.hands) + story.share_minor, name
        assert all(other.sum_minor is None for other in story.others)
        assert all(name in sentence for sentence in story.payments)
    answer = reader().get(link(closing, "Anna"))
    assert "Agrees with what is stored now" in answer.content.decode()
    # Its address goes to no other site; a stricter word would leave the page's own forms without an origin.
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["X-Robots-Tag"] == "noindex"
    assert answer.context["view"].others[0].sum_minor is None
    home.club.publishes_money = True
    home.club.save()
    assert reader().get(link(closing, "Anna")).context["view"].others[0].sum_minor is not None


def test_a_receipt_shows_later_corrections(home, table):
    closing = closed(table)
    correct(table=table, edit=TakeOut(4), author=None, key=uuid.uuid4())
    answer = reader().get(link(closing, "Anna"))
    page = answer.content.decode()
    assert "Corrected since" in page
    assert "hand 4" in page
    assert "Your sum was" in page
    assert reader().get(answer.context["newer"][1]).context["check"].agrees
    reader(home.recorder).post(url(table, "evening-reopen"), sent())
    assert "reopened" in reader().get(link(closing, "Anna")).content.decode()


def test_an_unsigned_link_is_not_found(home, table):
    closing = closed(table)
    good = link(closing, "Anna")
    stranger = Player.objects.create(club=home.club, nickname="Zoé")
    for wrong in (
        good[:-2] + "/",
        reverse("receipt", kwargs={"token": "nonsense"}),
        reverse("receipt", kwargs={"token": token_for(uuid.uuid4(), 1)}),
        reverse("receipt", kwargs={"token": token_for(closing.pk, stranger.pk)}),
    ):
        assert reader().get(wrong).status_code == 404


# --- Numbers of queries ----------------------------------------------------------------------------------


@pytest.mark.parametrize("hands", [0, 12])
def test_the_number_of_queries_does_not_grow_with_the_evening(home, table, hands, django_assert_max_num_queries):
    for _ in range(hands):
        enter(table, MADE)
    for _ in range(hands // 4):
        earlier = create_table(season=home.season, club=home.club)
        enter(earlier, FAILED)
        closed(earlier)
    client = reader(home.treasurer)
    with django_assert_max_num_queries(26):
        client.get(url(table))
    closing = closed(table)
    with django_assert_max_num_queries(22):
        client.get(url(table))
    with django_assert_max_num_queries(9):
        client.get(of_club(table, "debts"))
    with django_assert_max_num_queries(8):
        client.get(url(table, "receipts"))
    of_anna = link(closing, "Anna")
    with django_assert_max_num_queries(22):
        reader().get(of_anna)


@pytest.mark.parametrize(
    ("language", "currency", "people", "said"),
    [
        ("en", "CHF", 1, "CHF 1’234.50 from the pot went to one player."),
        ("en", "EUR", 3, "EUR 1’234.50 from the pot were shared among 3."),
        ("de", "CHF", 1, "Fr. 1’234.50 aus dem Topf gingen an eine Person."),
        ("de", "EUR", 3, "1’234.50 € aus dem Topf wurden unter 3 verteilt."),
    ],
)
def test_the_sentence_on_the_pot_has_singular_plural_and_the_clubs_currency(language, currency, people, said):
    with translation.override(language):
        assert pots_sentence("share", 123450, people, currency).replace("\xa0", " ") == said


@pytest.mark.parametrize(
    ("language", "currency", "amounts"),
    [
        ("de", "CHF", r"[+−]?Fr\.\s\d\.\d\d"),
        ("en", "CHF", r"[+−]?CHF \d\.\d\d"),
        ("de", "EUR", r"\d\.\d\d €"),
        ("en", "EUR", r"[+−]?EUR \d\.\d\d"),
    ],
)
def test_pages_of_an_evening_name_the_clubs_currency(home: House, language: str, currency: str, amounts: str) -> None:
    home.club.currency = currency
    home.club.save()
    table = create_table(club=home.club, season=home.season, seats=5)
    enter(table, FAILED)
    treasurer = Client()
    treasurer.force_login(home.treasurer)
    treasurer.cookies["django_language"] = language
    for where in (f"t/{table.pk}/", f"t/{table.pk}/h/1/", f"t/{table.pk}/seating/", f"e/{table.evening_id}/close/"):
        page = treasurer.get(f"/c/{home.club.slug}/{where}").content.decode()
        shown = " ".join(re.sub(r"</?span[^>]*>", "", without_spare_parts(page)).split())
        assert re.search(amounts, shown), where
        assert not [
            unit for unit in ("CHF", "Fr.", "EUR", "€") if unit not in amounts.replace("\\", "") and unit in shown
        ]


def test_the_page_shows_before_and_after_that_a_pot_was_carried_on(home, table):
    closed(table)
    assert "reopened" not in reader(home.owner).get(url(table)).context["settled"].gone
    following = open_next_evening(table)
    name = f"Evening {following.evening.number} of"
    page = reader(home.owner).get(url(table)).content.decode()
    assert f"{name} {date_format(following.evening.held_on, 'DATE_FORMAT')} began with the" in page
    assert "The pot is on the table again" not in page
    opened = reader(home.owner).post(url(table, "evening-reopen"), sent(), follow=True)
    said = opened.content.decode()
    assert "the pot lies on the table" not in said
    assert "of its pot; they stay there." in said
    assert opened.context["preview"].pot_minor == 0
    closed(table)
    assert name in reader(home.owner).get(url(table)).context["settled"].pots_sentence


def test_the_kitty_holds_the_coins_paid_in(home, table):
    lay = table.pot_minor
    closed(table, "kitty")
    payments_mark(evening=table.evening, author=None, key=uuid.uuid4(), paid=True)
    another = create_table(season=home.season, club=home.club, held_on=timezone.localdate())
    assert reader(home.recorder).get(url(another)).context["preview"].kitty_minor == lay


# --- Coins that are in the pot already -------------------------------------------------------------------


def test_a_paid_ante_for_the_next_hand_is_to_be_taken_back(home, table):
    client = reader(home.recorder)
    assert "if you have already put yours in, take it back." in client.get(url(table)).content.decode()
    enter(table, MADE)
    assert Table.objects.get(pk=table.pk).pot_minor == 0
    assert "take it back: then the pot is empty." in client.get(url(table)).content.decode()
    # After the last hand for all there is no ante, nor before the first hand.
    last_hand(evening=table.evening, author=None, key=uuid.uuid4())
    assert "take it back" not in client.get(url(table)).content.decode()
    another = create_table(season=home.season, club=home.club, held_on=timezone.localdate())
    assert "take it back" not in client.get(url(another)).content.decode()


def test_payments_before_a_correction_are_in_the_totals(home, table):
    first = closed(table).payments.order_by("number")[0]
    payments_mark(evening=table.evening, author=None, key=uuid.uuid4(), paid=True, numbers=[first.pk])
    correct(table=table, edit=TakeOut(2), author=None, key=uuid.uuid4())
    page = reader(home.recorder).get(url(table))
    settled, currency = page.context["settled"], home.club.currency
    assert settled.paid_minor == first.amount_minor
    assert settled.due_minor == settled.paid_minor + settled.open_minor
    assert settled.count == len(settled.lines) + 1
    paid, due = (format_price(amount, currency) for amount in (settled.paid_minor, settled.due_minor))
    assert f"{paid} of {due} are paid." in page.content.decode()
