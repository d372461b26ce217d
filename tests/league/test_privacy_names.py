"""Public names: their visibility, unique names, and ETags that change with a name."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from league.access import access_to
from league.access.names import initials, public_names
from league.models import Player
from league.roster.services import publicity_set_for_all
from league.standings import counting
from league.unnamed import Unnamed
from tests.cast import House, house
from tests.clients import reader
from tests.factories import MADE, PlayerFactory, create_table, enter

NOT = None
FORGOTTEN = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("nickname", "said"),
    [
        ("Anna", "A."),
        ("anna", "A."),
        ("Hans Peter", "H. P."),
        ("Hans-Peter", "H."),
        ("Ürsu", "Ü."),
        ("(Beni)", "B."),
        ("7er", "7."),
        ("Anna Maria von Muri", "A. M. V."),
        ("♣", "?"),
    ],
)
def test_initials_are_the_first_letters(nickname, said):
    assert initials(nickname) == said


def test_public_names_are_unique():
    rows = [
        (1, "Anna", "initials", "", NOT),
        (2, "Anton", "nickname", "", NOT),
        (3, "Armin", "initials", "", NOT),
        (4, "Beni", "pseudonym", "Herz Neun", NOT),
        (5, "№ 5", "initials", "", FORGOTTEN),
        (6, "A.", "nickname", "", NOT),
    ]
    assert public_names(rows) == {1: "A.*", 2: "Anton", 3: "A. 2", 4: "Herz Neun", 5: "№ 5", 6: "A."}
    anton = [row if row[0] != 2 else (2, "Anton", "initials", "", NOT) for row in rows]
    assert public_names(anton) == {**public_names(rows), 2: "A. 2", 3: "A. 3"}, "the oldest player comes first"


def test_numbers_of_initials_have_no_gap_that_reveals_another_name():
    carlo = (3, "Carlo", "pseudonym", "Zorro", NOT)
    rows = [(1, "Anna", "initials", "", NOT), (2, "Beni", "initials", "", NOT), carlo, (4, "Cleo", "initials", "", NOT)]
    assert public_names(rows) == {1: "A.", 2: "B.", 3: "Zorro", 4: "C."}


def test_a_player_without_a_name_has_a_number_of_its_own():
    rows = [
        (1, "Anna", "nobody", "", NOT),
        (2, "Arno", "initials", "", NOT),
        (3, "Beni", "nobody", "", NOT),
        (4, "Carlo", "nickname", "", NOT),
        (5, "player 2", "nickname", "", NOT),
        (6, "№ 6", "nobody", "", FORGOTTEN),
    ]
    with translation.override("en"):
        names = public_names(rows)
    assert names == {1: "Player 1", 2: "A.", 3: "Player 2*", 4: "Carlo", 5: "player 2", 6: "№ 6"}
    assert [pk for pk, name in names.items() if isinstance(name, Unnamed)] == [1, 3]


NAMES = st.lists(
    st.tuples(
        st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=12),
        st.sampled_from(Player.Publicity.values),
        st.sampled_from(["A.", "A. 2", "a.", "Herz", "herz"]),
    ),
    max_size=12,
)


@given(NAMES)
def test_public_names_differ_and_hide_nicknames(people):
    rows = [(pk, nickname, publicity, other, NOT) for pk, (nickname, publicity, other) in enumerate(people)]
    shown = public_names(rows)
    assert shown.keys() == {row[0] for row in rows}
    assert len({name.casefold() for name in shown.values()}) == len(rows)
    for pk, nickname, publicity, _other, _not in rows:
        assert publicity != "nobody" or isinstance(shown[pk], Unnamed)
        if publicity == "initials" and len(initials(nickname)) < len(nickname):
            assert nickname not in shown[pk]


@given(NAMES, st.sampled_from(["Anna", "Zita", "7er", "♣"]))
def test_public_names_do_not_depend_on_a_hidden_nickname(people, nickname):
    rows = [(pk, named, publicity, other, NOT) for pk, (named, publicity, other) in enumerate(people)]
    renamed = [(pk, nickname if row[2] in ("pseudonym", "nobody") else row[1], *row[2:]) for pk, row in enumerate(rows)]
    assert public_names(renamed) == public_names(rows)


@pytest.fixture
def home(db: None) -> House:
    return house("roessli")


def test_people_of_the_club_read_nicknames_without_a_query(home, django_assert_num_queries):
    player = PlayerFactory(club=home.club, nickname="Anna", publicity="initials")
    inside, visitor = access_to(home.member, home.club), access_to(home.owner, house("sternen").club)
    with django_assert_num_queries(0):
        assert inside.names.show(player.pk, player.nickname) == "Anna"
    outside = type(inside)(club=home.club, role=None, player_ids=frozenset())
    with django_assert_num_queries(1):
        assert outside.names.show(player.pk, player.nickname) == "A."
        assert outside.names.show(player.pk, player.nickname) == "A."
    assert visitor.names.show(player.pk, player.nickname) == "?", "a player of another club has no name here"


@pytest.mark.parametrize("change", [{"publicity": "nickname"}, {"nickname": "Zita"}])
def test_a_change_of_name_changes_the_etag_of_pages(home, change):
    table = create_table(club=home.club, season=home.season)
    enter(table, MADE)
    player = Player.objects.get(pk=table.dealer_id)
    player.publicity = "initials"
    player.save()
    counting.count_season(home.season.pk)
    for name, thing in (
        ("season-standings", {"season": home.season.slug}),
        ("evening-live", {"evening": table.evening_id}),
    ):
        url = reverse(name, kwargs={"club": home.club.slug, **thing})
        mark = Client().get(url)["ETag"]
        assert Client().get(url, headers={"If-None-Match": mark}).status_code == 304
        before = {field: getattr(player, field) for field in change}
        for field, value in change.items():
            setattr(player, field, value)
        player.save()
        assert Client().get(url, headers={"If-None-Match": mark}).status_code == 200
        for field, value in before.items():
            setattr(player, field, value)
        player.save()


def test_a_visitor_reads_what_initials_are(home):
    enter(create_table(club=home.club, season=home.season), MADE)
    counting.count_season(home.season.pk)
    PlayerFactory(club=home.club, nickname="Zita", user=home.member, publicity="initials")
    pages = (
        home.club.get_absolute_url(),
        home.season.get_absolute_url(),
        home.season.evenings.get().get_absolute_url(),
        reverse("season-statistics", kwargs={"club": home.club.slug, "season": home.season.slug}),
        Player.objects.earliest("pk").get_absolute_url(),
    )
    for shown, said in (("initials", True), ("nickname", False), ("nobody", False)):
        publicity_set_for_all(club=home.club, actor=None, publicity=shown)
        for page in pages:
            if shown == "nobody" and "/p/" in page:
                assert reader().get(page).status_code == 404
                continue
            assert ("Initials stand for players" in reader().get(page).content.decode()) is said, page
            assert "Initials stand for players" not in reader(home.member).get(page).content.decode()
