"""The club admin: roster, seasons, settings. A refusal of a service is shown at its field."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from games.evening.services import evening_start
from league.models import AuditEntry, Player, PlayerMerge, Season, Standing
from league.standings import counting
from tests.factories import MADE, PlayerFactory, create_table, enter

pytestmark = pytest.mark.django_db


def at(name, house, **names):
    return reverse(name, kwargs={"club": house.club.slug, **names})


# --- Roster ------------------------------------------------------------------------------------------------


def test_a_player_is_added_to_the_roster(owner, people):
    url = at("club-roster", people.home)
    assert b"Ruedi" in owner.post(url, {"nickname": "Ruedi", "guest": "on"}, follow=True).content
    assert Player.objects.get().guest
    answer = owner.post(url, {"nickname": "ruedi"})
    assert answer.status_code == 422
    assert b'value="ruedi"' in answer.content
    assert b"already has this name" in answer.content


def test_the_number_of_queries_does_not_grow_with_the_roster(owner, people, django_assert_max_num_queries):
    url = at("club-roster", people.home)
    PlayerFactory(club=people.home.club)
    with django_assert_max_num_queries(8) as few:
        owner.get(url)
    main = PlayerFactory(club=people.home.club)
    for _ in range(5):
        PlayerFactory(club=people.home.club, main=main, user=people.home.member)
    with django_assert_max_num_queries(8) as many:
        owner.get(url)
    assert len(few) == len(many)


def test_a_member_changes_only_their_own_player(client, people):
    home = people.home
    mine = PlayerFactory(club=home.club, nickname="Anna", user=home.member)
    other = PlayerFactory(club=home.club, nickname="Beni")
    client.force_login(home.member)
    sent = {"nickname": "Änni", "active": "on", "publicity": "nickname", "pseudonym": "", "guest": "on"}
    assert client.post(at("player-edit", home, player=mine.pk), sent).status_code == 303
    mine.refresh_from_db()
    assert (mine.nickname, mine.publicity) == ("Änni", "nickname")
    # A member may not change the guest mark of a player.
    assert not mine.guest
    assert client.get(at("player-edit", home, player=other.pk)).status_code == 403
    assert client.post(at("player-edit", home, player=other.pk), sent | {"nickname": "x"}).status_code == 403
    other.refresh_from_db()
    assert other.nickname == "Beni"


def test_unknown_fields_change_nothing(owner, people):
    home = people.home
    player = PlayerFactory(club=home.club, nickname="Anna")
    more = {"user": home.owner.pk, "club": people.away.club.pk, "main": player.pk, "anonymised_at": "2026-01-01"}
    sent = {"nickname": "Anna", "active": "on", "publicity": "initials"} | more
    assert owner.post(at("player-edit", home, player=player.pk), sent).status_code == 303
    player.refresh_from_db()
    assert (player.user, player.club, player.main, player.anonymised_at) == (None, home.club, None, None)


def test_a_merge_has_a_preview_and_a_reason_and_can_be_undone(owner, people):
    home = people.home
    table = create_table(season=home.season)
    enter(table, MADE)
    anna = Player.objects.get(nickname="Anna")
    aenni = PlayerFactory(club=home.club, nickname="Aenni")
    second = create_table(season=home.season, players=[aenni, *Player.objects.filter(nickname__in=["Beni", "Carlo"])])
    enter(second, MADE)
    counting.count_season(home.season.pk)
    url = at("player-merge", home, player=aenni.pk)
    shown = owner.get(url, {"main": anna.pk})
    assert b"They are one person" in shown.content
    assert not PlayerMerge.objects.exists()
    assert Standing.objects.filter(player=aenni).exists()
    answer = owner.post(url, {"main": anna.pk, "reason": ""})
    assert answer.status_code == 422
    assert b"Give a reason" in answer.content
    assert owner.post(url, {"main": anna.pk, "reason": "typed twice"}).status_code == 303
    counting.count_season(home.season.pk)
    assert not Standing.objects.filter(player=aenni).exists()
    assert b"typed twice" in owner.get(url).content
    assert owner.post(url, {"reason": "two after all"}).status_code == 303
    counting.count_season(home.season.pk)
    assert Standing.objects.filter(player=aenni).exists()


def test_players_merged_along_are_named(owner, people):
    club = people.home.club
    aenni, anna, meier = (PlayerFactory(club=club, nickname=name) for name in ("Aenni", "Anna", "Anna Meier"))
    reason = {"reason": "typed twice"}
    assert owner.post(at("player-merge", people.home, player=aenni.pk), {"main": anna.pk} | reason).status_code == 303
    url = at("player-merge", people.home, player=anna.pk)
    assert b"Aenni comes along and counts for Anna Meier too." in owner.get(url, {"main": meier.pk}).content
    assert owner.post(url, {"main": meier.pk} | reason).status_code == 303
    page = owner.get(url).content
    assert b"Anna and Anna Meier are two people" in page
    assert b"Aenni then counts for Anna again." in page
    assert b"Aenni and Anna are two people" in owner.get(at("player-merge", people.home, player=aenni.pk)).content


def test_a_refused_merge_names_the_hand(owner, people):
    home = people.home
    enter(create_table(season=home.season), MADE)
    anna, beni = Player.objects.get(nickname="Anna"), Player.objects.get(nickname="Beni")
    url = at("player-merge", home, player=beni.pk)
    answer = owner.get(url, {"main": anna.pk})
    assert answer.status_code == 409
    assert b"sat in the same hand" in answer.content
    assert owner.post(url, {"main": anna.pk, "reason": "no"}).status_code == 409
    foreign = PlayerFactory(club=people.away.club)
    assert owner.post(url, {"main": foreign.pk, "reason": "no"}).status_code == 422
    assert not PlayerMerge.objects.exists()


# --- Seasons -----------------------------------------------------------------------------------------------

SEASON = {
    "name": "Winter 2027",
    "starts_on": "2027-01-01",
    "ends_on": "",
    "planned_evenings": "12",
    "games": "",
    "ranking": "points",
    "best_evenings": "",
    "points_declared": "2",
    "points_declared_failed": "-2",
    "points_joined": "1",
    "points_joined_failed": "-1",
    "points_walkover": "1",
}


def test_a_season_is_added_with_a_short_name_of_its_own(owner, people):
    url = at("season-new", people.home)
    for slug in ("winter-2027", "winter-2027-2"):
        assert owner.post(url, SEASON).status_code == 303
        assert Season.objects.filter(club=people.home.club, slug=slug).exists()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "", b"required"),
        ("starts_on", "yesterday", b"valid date"),
        ("ends_on", "2026-12-31", b"must end after it begins"),
        ("best_evenings", "0", b"greater than or equal to 1"),
        ("points_declared", "101", b"less than or equal to 100"),
        ("points_declared", "1.5", b"whole number"),
        ("ranking", "luck", b"valid choice"),
        ("points_only", "on", b"ranked by points"),
    ],
)
def test_an_invalid_season_is_refused_and_the_form_keeps_the_typed_values(owner, people, field, value, said):
    sent = SEASON | {field: value} | ({"ranking": "balance"} if field == "points_only" else {})
    answer = owner.post(at("season-new", people.home), sent)
    assert answer.status_code == 422
    assert said in answer.content
    assert field == "name" or b'value="Winter 2027"' in answer.content
    assert Season.objects.filter(club=people.home.club).count() == 1


def test_a_change_that_recounts_a_season_is_confirmed_first(owner, people):
    home = people.home
    enter(create_table(season=home.season), MADE)
    counting.count_season(home.season.pk)
    best = Standing.objects.get(rank=1).points
    url = at("season-edit", home, season=home.season.slug)
    sent = SEASON | {"name": "2026", "starts_on": "2026-08-01", "points_declared": "5"}
    asked = owner.post(url, sent)
    assert asked.status_code == 422
    assert b"1 evening was played" in asked.content
    home.season.refresh_from_db()
    assert home.season.points_declared == 2
    assert asked.context["change"].moves[0].why == "the evenings give +5 instead of +2"
    # Only the shown changes are stored.
    sure = {"sure": asked.context["shown"]}
    for wrong in (sure | {"points_joined": "3"}, {"sure": "yes"}):
        again = owner.post(url, sent | wrong)
        assert (again.status_code, again.context["differs"]) == (422, True)
    assert owner.post(url, sent | sure).status_code == 303
    counting.count_season(home.season.pk)
    assert Standing.objects.get(rank=1).points == best + 3
    entry = AuditEntry.objects.get(what="season_changed")
    assert "points_declared" in entry.data["fields"]
    assert entry.data["values"] == ["points_declared 2 5"]


def test_a_new_name_needs_no_confirmation(owner, people):
    home = people.home
    enter(create_table(season=home.season), MADE)
    sent = SEASON | {"name": "Herbst", "starts_on": "2026-08-01"}
    assert owner.post(at("season-edit", home, season=home.season.slug), sent).status_code == 303
    home.season.refresh_from_db()
    assert (home.season.name, home.season.slug) == ("Herbst", "2026")


# --- Settings ----------------------------------------------------------------------------------------------

CLUB = {"name": "Rössli", "place": "Stans"}
READERS = {"visibility": "private", "forget_after_months": "24"}


def test_an_owner_changes_the_club(owner, people):
    for route, sent in (
        ("club-settings", CLUB),
        ("club-at-table", {"counts_tricks": "on", "settling": "hands"}),
        ("club-visibility", READERS),
    ):
        assert owner.post(at(route, people.home), sent).status_code == 303
    club = people.home.club
    club.refresh_from_db()
    assert (club.name, club.place, club.visibility, club.forget_after_months) == ("Rössli", "Stans", "private", 24)
    assert (club.counts_tricks, club.settling) == (True, "hands")
    changed = [entry.data["fields"] for entry in AuditEntry.objects.order_by("pk")]
    assert changed == [["name", "place"], ["counts_tricks", "settling"], ["forget_after_months", "visibility"]]
    rows = owner.get(at("club-pages", people.home), headers={"accept-language": "en"}).content.decode()
    assert all(value in rows for value in ("with tricks", "only you"))


def test_amounts_become_public_only_after_the_warning(owner, people):
    url = at("club-visibility", people.home)
    answer = owner.post(url, READERS | {"publishes_money": "on"})
    assert answer.status_code == 422
    assert b"Read the warning" in answer.content
    people.home.club.refresh_from_db()
    assert not people.home.club.publishes_money
    assert owner.post(url, READERS | {"publishes_money": "on", "sure": "on"}).status_code == 303
    people.home.club.refresh_from_db()
    assert people.home.club.publishes_money
    # Hiding amounts again needs no confirmation.
    assert owner.post(url, READERS).status_code == 303
    people.home.club.refresh_from_db()
    assert not people.home.club.publishes_money


@pytest.mark.parametrize(
    ("route", "field", "value"),
    [
        ("club-settings", "name", ""),
        ("club-visibility", "visibility", "secret"),
        ("club-visibility", "forget_after_months", "0"),
        ("club-at-table", "settling", "never"),
    ],
)
def test_an_invalid_setting_is_refused(owner, people, route, field, value):
    answer = owner.post(at(route, people.home), CLUB | READERS | {"settling": "hands", field: value})
    assert answer.status_code == 422
    assert b'class="errorlist"' in answer.content
    assert not AuditEntry.objects.exists()


def test_the_short_name_and_the_currency_cannot_be_changed(owner, people):
    slug = people.home.club.slug
    owner.post(at("club-settings", people.home), CLUB | {"slug": "other", "currency": "EUR", "id": "99"})
    people.home.club.refresh_from_db()
    assert (people.home.club.slug, people.home.club.currency) == (slug, "CHF")


def test_one_choice_for_what_visitors_see_of_everybody_without_an_account(client, people):
    home = people.home
    names = ("Anna", "Beni", "Carlo", "Doris")
    players = {name: PlayerFactory(club=home.club, nickname=name, publicity="initials") for name in names}
    PlayerFactory(club=people.away.club, nickname="Emil", publicity="initials")
    Player.objects.filter(pk=players["Anna"].pk).update(user=home.member)
    Player.objects.filter(pk=players["Beni"].pk).update(publicity="pseudonym", pseudonym="Der Stille")
    Player.objects.filter(pk=players["Carlo"].pk).update(guest=True)
    client.force_login(home.owner)
    roster = f"/c/{home.club.slug}/roster/"
    assert client.post(roster, {"publicity": "nickname"}).status_code == 303
    shown = dict(Player.objects.filter(club=home.club).values_list("nickname", "publicity"))
    assert (shown.pop("Anna"), shown.pop("Beni")) == ("initials", "pseudonym")
    assert set(shown.values()) == {"nickname"}
    assert AuditEntry.objects.filter(what="player_changed", club=home.club).count() == len(shown)
    # The other club keeps its own choice.
    assert not Player.objects.filter(publicity="nickname").exclude(club=home.club).exists()
    for nonsense in ("pseudonym", "everything"):
        client.post(roster, {"publicity": nonsense})
        assert dict(Player.objects.filter(club=home.club).values_list("nickname", "publicity"))["Carlo"] == "nickname"
    client.post(roster, {"publicity": "initials"})
    assert not Player.objects.filter(publicity="nickname").exists()


@pytest.mark.parametrize("shown", ["nickname", "initials", "nobody"])
def test_who_comes_later_is_shown_as_the_club_chose(client, people, shown):
    home = people.home
    client.force_login(home.owner)
    client.post(f"/c/{home.club.slug}/roster/", {"publicity": shown})
    home.club.refresh_from_db()
    assert home.club.players_shown == shown
    client.post(f"/c/{home.club.slug}/roster/", {"nickname": "Regula"})
    evening_start(
        club=home.club,
        season=home.season,
        author=home.recorder,
        seating=["gRico", "gSandra", "gToni"],
        first_dealer="gRico",
        held_on=timezone.localdate(),
        game="chratze",
    )
    publicity = dict(Player.objects.filter(club=home.club).values_list("nickname", "publicity"))
    assert {publicity[name] for name in ("Regula", "Rico", "Sandra", "Toni")} == {shown}
