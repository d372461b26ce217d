"""The picture of a hand whose cards were recorded: its cards, its pack, its names."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from games.cards import card_images, card_names, picture
from games.cards.picture import CardOfHand, HandShown, SeatOfHand, hand_picture
from games.models import Table
from league.models import Club, Player
from league.sharing import drawing
from league.sharing.pictures import Heading
from league.templatetags.sharing import PICTURE_SIZE
from tests.cast import House, house
from tests.factories import MADE, WITH_CARDS, create_table, enter
from tests.games.test_cards import WHOLE

PACKS = ("swiss", "german", "french", "french-de")


# --- Cards as images ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", PACKS)
def test_every_card_of_a_pack_is_drawn_and_no_two_look_alike(pack):
    names = list(card_images._pack(pack))
    drawn = {card_images.card_image(pack, name, 92).tobytes() for name in names}
    assert len(drawn) == len(names) == 38
    image = card_images.card_image(pack, "Ah", 92)
    assert image.size == (60 * drawing.FINER, 92 * drawing.FINER)
    corner, paper = image.getpixel((0, 0)), image.getpixel((12, 150))
    assert (corner[3], paper[3]) == (0, 255), "round corners on a whole card"
    red, green = image.getchannel("R").tobytes(), image.getchannel("G").tobytes()
    reds = sum(red_value > 150 and other < 90 for red_value, other in zip(red, green, strict=True))
    assert 700 < reds < 6000, "the letter, the suit and the small suit are red"


def test_a_card_that_a_pack_does_not_have_is_an_error():
    with pytest.raises(KeyError):
        card_images.card_image("swiss", "5h", 92)


def test_the_letters_of_french_cards_are_those_of_the_language():
    assert [card_names.pack_file("french", language) for language in ("de", "en", None)] == [
        *("french-de", "french", "french")
    ]
    assert card_names.pack_file("swiss", "de") == "swiss"


@pytest.mark.parametrize("seats", [1, 2, 4, 6, 8])
def test_a_picture_has_room_for_every_number_of_seats(seats):
    cards = [CardOfHand(name, name == "As") for name in ("As", "Kh", "Weli", "6c")]
    seat = SeatOfHand("Maximiliana Theresia von Arx", "weiter-oder, 2 tricks", "✓", "+8", cards)
    shown = HandShown("Pot: 12 antes", "swiss", "9s", "Trumps", [seat] * seats, "", "Emil: weg")
    body = hand_picture(Heading("Club · Evening 1", "Hand 7"), shown)
    with Image.open(io.BytesIO(body)) as image:
        assert image.size == PICTURE_SIZE
        bottom = image.convert("RGB").crop((0, drawing.HEIGHT - 6, drawing.WIDTH, drawing.HEIGHT))
    assert len(bottom.getcolors() or []) == 1, "nothing is cut off at the edge"
    assert len(body) < 80_000


# --- The picture of a stored hand --------------------------------------------------------------------------


@pytest.fixture
def home(db: None) -> House:
    return house("roessli")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[HandShown]:
    """The content of the pictures drawn in a test."""
    shown: list[HandShown] = []
    draw = picture.hand_picture

    def noted(heading: Heading, hand: HandShown) -> bytes:
        shown.append(hand)
        return draw(heading, hand)

    monkeypatch.setattr("games.cards.picture_views.hand_picture", noted)
    return shown


def address(table: Table, number: int = 1) -> str:
    names = {"club": table.evening.club.slug, "table": table.pk, "number": number}
    return reverse("hand-picture", kwargs=names)


def get(table: Table, person: Any = None) -> int:
    client = Client(headers={"accept-language": "en"})
    if person is not None:
        client.force_login(person)
    return client.get(address(table)).status_code


def played(home: House) -> Table:
    table = create_table(club=home.club, season=home.season, seats=3)
    enter(table, WHOLE)
    return table


def test_it_shows_the_cards_in_the_order_of_the_tricks_with_the_winners(home, drawn):
    assert get(played(home)) == 200
    (hand,) = drawn
    assert [[(card.name, card.takes) for card in seat.cards] for seat in hand.seats] == [
        [("Ah", True), ("Kh", False), ("6c", False), ("7s", True)],
        [("Qh", False), ("6s", True), ("8c", True), ("9d", False)],
    ]
    assert [seat.said for seat in hand.seats] == ["chratze, 2 tricks", "metcho, 2 tricks"]
    assert (hand.turned, hand.pack, hand.others) == ("9s", "french", "Carlo: weg")


def test_a_hand_that_nobody_joined_shows_the_cards_of_its_declarer_alone(home, drawn):
    table = create_table(club=home.club, season=home.season)
    enter(table, WITH_CARDS)
    assert get(table) == 200
    (seat,) = drawn[0].seats
    assert {card.name for card in seat.cards} == set(WITH_CARDS["deal"]["hands"][0])
    assert drawn[0].others.count("weg") == 4


def test_it_has_the_pack_of_the_club(home, drawn):
    Club.objects.filter(pk=home.club.pk).update(faces=Club.Faces.SWISS)
    assert get(played(home)) == 200
    assert drawn[0].pack == "swiss"


def test_players_without_consent_have_initials_also_among_those_who_did_not_play(home, drawn):
    table = played(home)
    Player.objects.filter(club=home.club).update(publicity=Player.Publicity.INITIALS)
    for person in (None, home.owner):
        assert get(table, person) == 200
    for hand in drawn:
        assert [seat.name for seat in hand.seats] == ["A.", "B."]
        assert hand.others == "C.: weg"


def test_a_tally_has_no_picture_and_a_private_club_shows_none_to_others(home, drawn):
    tally = create_table(club=home.club, season=home.season)
    enter(tally, MADE)
    assert get(tally) == 404
    table = played(home)
    Club.objects.filter(pk=home.club.pk).update(visibility=Club.Visibility.PRIVATE)
    assert (get(table), get(table, house("sternen").owner), get(table, home.member)) == (404, 404, 200)
