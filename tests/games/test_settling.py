"""How a club settles up: in coins after each hand, or at the end of the evening."""

from __future__ import annotations

import uuid

import pytest
from django.urls import reverse
from django.utils import timezone

from games.closing.services import evening_close, evening_reopen, payments_mark
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.errors import Refused
from games.evening.services import evening_start
from games.models import Table
from league.models import Closing, Club, Evening
from league.payments import services as payments
from tests.cast import House, cast
from tests.clients import reader
from tests.factories import FAILED, MADE, create_table, enter
from tests.page_forms import form_with

pytestmark = pytest.mark.django_db

HANDS, END = Club.Settling.HANDS, Club.Settling.END


@pytest.fixture
def home() -> House:
    return cast().home


def played(home: House, settling: str) -> Table:
    home.club.settling = settling
    home.club.save()
    table = create_table(season=home.season, club=home.club, held_on=timezone.localdate())
    for record in (MADE, FAILED):
        enter(table, record)
    return table


def close(table: Table, settling: str | None = None) -> Closing:
    evening = Evening.objects.get(pk=table.evening_id)
    return evening_close(evening=evening, author=None, key=uuid.uuid4(), settling=settling)


def outstanding(closing: Closing) -> int:
    return payments.outstanding(closing.payments.all()).count()


def page(home: House, table: Table, name: str = "evening-close") -> str:
    url = reverse(name, kwargs={"club": home.club.slug, "evening": table.evening_id})
    return " ".join(reader(home.recorder).get(url).content.decode().split())


def test_an_evening_begins_with_the_way_of_its_club_and_can_differ(home):
    assert played(home, END).evening.settling == END
    table = played(home, HANDS)
    assert table.evening.settling == HANDS
    seating = [f"p{pk}" for pk in table.places.order_by("seat").values_list("player_id", flat=True)]
    how = {"club": home.club, "season": home.season, "author": None, "seating": seating, "first_dealer": seating[0]}
    other = evening_start(**how, held_on=timezone.localdate(), settling=END)
    assert other.evening.settling == END
    with pytest.raises(Refused, match="how you settle up"):
        evening_start(**how, held_on=timezone.localdate(), settling="never")


def test_the_page_of_a_new_evening_offers_the_way_of_the_club(home):
    played(home, HANDS)
    url = reverse("evening-new", kwargs={"club": home.club.slug})
    form = reader(home.recorder).get(url).context["form"]
    assert form["settling"].value() == HANDS
    players = [f"p{pk}" for pk in Table.objects.get().places.values_list("player_id", flat=True)]
    fields = {"game": "chratze", "season": home.season.pk, "held_on": str(timezone.localdate())}
    fields |= {"seating": players, "first_dealer": players[0], "settling": "end"}
    assert reader(home.recorder).post(url, fields).status_code == 303
    assert Evening.objects.latest("pk").settling == END


def test_coins_that_moved_after_each_hand_are_paid_when_the_evening_is_closed(home):
    table = played(home, HANDS)
    shown = page(home, table)
    assert "All is paid" in shown
    assert "Who pays whom" not in shown
    closing = close(table)
    assert closing.payments.exists()
    assert outstanding(closing) == 0
    assert "The coins moved after each hand." in page(home, table)


def test_an_evening_settled_at_the_end_leaves_its_payments_outstanding(home):
    table = played(home, END)
    shown = page(home, table)
    assert "Who pays whom" in shown
    assert "All is paid" not in shown
    closing = close(table)
    assert outstanding(closing) == closing.payments.count() > 0


@pytest.mark.parametrize(("began", "chosen", "left"), [(END, HANDS, False), (HANDS, END, True)])
def test_the_closing_can_differ_from_the_setting_of_the_evening(home, began, chosen, left):
    table = played(home, began)
    closing = close(table, chosen)
    assert bool(outstanding(closing)) is left
    assert Evening.objects.get(pk=table.evening_id).settling == chosen


def test_the_page_of_the_closing_offers_the_other_way(home):
    table = played(home, END)
    client = reader(home.recorder)
    url = reverse("evening-close", kwargs={"club": home.club.slug, "evening": table.evening_id})
    form = form_with(client.get(url), "settling")
    form.tick("settling", HANDS)
    assert "All is paid" in client.get(url, {"pot": "carry", "settling": HANDS}).content.decode()
    assert form.submit(client, "Close the evening").status_code == 303
    assert outstanding(Closing.objects.get()) == 0


def test_another_choice_also_covers_payments_outstanding_before_a_reopening(home):
    table = played(home, END)
    assert outstanding(close(table)) > 0
    evening_reopen(evening=table.evening, author=None, key=uuid.uuid4(), owner=True)
    assert outstanding(close(table, HANDS)) == 0


def test_a_payment_said_to_be_outstanding_is_asked_for_again_when_the_evening_was_reopened(home):
    table = played(home, HANDS)
    first = close(table)
    payments_mark(
        evening=table.evening,
        author=None,
        key=uuid.uuid4(),
        paid=False,
        numbers=[first.payments.order_by("number")[0].pk],
    )
    evening_reopen(evening=table.evening, author=None, key=uuid.uuid4(), owner=True)
    assert "All is paid" not in page(home, table)
    assert outstanding(close(table)) == 1


def test_hands_added_after_a_reopening_are_paid_too(home):
    table = played(home, HANDS)
    close(table)
    evening_reopen(evening=table.evening, author=None, key=uuid.uuid4(), owner=True)
    enter(table, FAILED)
    closing = close(table)
    assert closing.payments.exists()
    assert outstanding(closing) == 0


def test_a_correction_after_the_closing_asks_for_the_difference(home):
    table = played(home, HANDS)
    close(table)
    correct(table=table, edit=TakeOut(2), author=None, key=uuid.uuid4())
    newest = Closing.objects.latest("number")
    assert newest.kind == Closing.Kind.MENDED
    assert outstanding(newest) == newest.payments.count() > 0
    assert "The coins moved after each hand." not in page(home, table)


def test_a_receipt_of_coins_after_each_hand_names_no_payment(home):
    table = played(home, HANDS)
    closing = close(table)
    links = reader(home.recorder).get(reverse("receipts", kwargs={"club": home.club.slug, "evening": table.evening_id}))
    for link in links.context["links"]:
        shown = reader().get(link.url).content.decode()
        assert "The coins moved after each hand." in shown
        assert "gave" not in shown
    assert closing.payments.exists()
