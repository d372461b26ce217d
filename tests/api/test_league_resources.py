"""The league's resources: their visibility, their agreement with the pages, and their numbers of queries."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import AuditEntry, Club, Invitation, Membership, Player, Season, Transfer, Webhook
from league.privacy import personal_data_export
from league.standings.counting import count_season
from tests.api.api_client import ApiClient, is_problem, key_for
from tests.api.test_frame_behaviour import walk
from tests.cast import Cast, cast
from tests.factories import FAILED, MADE, WALKOVER, PlayerFactory, create_table, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> Cast:
    """Both clubs with a counted evening; Anna is the member, Beni the recorder."""
    shown = cast()
    for house in (shown.home, shown.away):
        table = create_table(club=house.club, season=house.season)
        for record in (MADE, FAILED, WALKOVER):
            enter(table, record, author=house.recorder)
        Player.objects.filter(club=house.club, nickname="Anna").update(user=house.member)
        Player.objects.filter(club=house.club, nickname="Beni").update(user=house.recorder)
        count_season(house.season.pk)
    return shown


def named(house: Any, nickname: str) -> Player:
    return Player.objects.get(club=house.club, nickname=nickname)


def as_(people: Cast, role: str) -> ApiClient:
    return ApiClient(person=people.home.person(role))


# --- Clubs ----------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_visitor_finds_only_listed_clubs(people):
    Club.objects.filter(slug="sternen").update(visibility="unlisted")
    assert [club["slug"] for club in walk(ApiClient(), "clubs")] == ["roessli"]
    assert ApiClient().get("clubs/sternen").json()["role"] is None
    Club.objects.filter(slug="sternen").update(visibility="private")
    assert is_problem(ApiClient().get("clubs/sternen"), 404)
    member = ApiClient(person=people.away.member)
    assert [club["slug"] for club in walk(member, "clubs?mine=true")] == ["sternen"]
    assert [club["slug"] for club in walk(member, "clubs")] == ["roessli", "sternen"]
    assert [club["slug"] for club in walk(member, "clubs?q=rössli")] in ([], ["roessli"])


def test_a_key_for_one_club_finds_no_other_of_its_owner(people):
    Membership.objects.create(club=people.away.club, user=people.home.member, role="member")
    Club.objects.update(visibility="private")
    asks = ApiClient(key=key_for(people.home.member, club=people.home.club))
    assert [club["slug"] for club in walk(asks, "clubs")] == ["roessli"]
    assert [club["slug"] for club in asks.get("me").json()["clubs"]] == ["roessli"]


@pytest.mark.both_databases
def test_only_a_server_admin_creates_a_club(people):
    body = {"slug": "krone", "name": "Krone"}
    for asks in (ApiClient(), as_(people, "owner")):
        assert asks.post("clubs", body).status_code in (401, 403)
    admin = people.server_admin
    for scopes in (["read"], ["record", "money"]):
        assert is_problem(ApiClient(key=key_for(admin, *scopes)).post("clubs", body), 403)
    made = ApiClient(key=key_for(admin)).post("clubs", body)
    assert made.status_code == 201
    assert ApiClient(person=admin).get(made["Location"]).json()["role"] == "owner"
    assert is_problem(ApiClient(person=admin).post("clubs", body), 422, "club")


@pytest.mark.parametrize(
    "body",
    [{"slug": "mine"}, {"role": "owner"}, {"currency": "EUR"}, {"created_at": "2020-01-01"}, {"visibility": "x"}, {}],
)
def test_invalid_changes_of_a_club_are_refused(people, body):
    assert is_problem(as_(people, "owner")("PATCH", "clubs/roessli", body, match="*"), 400)


@pytest.mark.both_databases
def test_a_change_by_a_key_is_in_the_log_with_its_name(people):
    asks = ApiClient(key=key_for(people.home.owner))
    asks("PATCH", "clubs/roessli", {"place": "Bären", "correction_hours": 12}, match="*")
    line = asks.get("clubs/roessli/log?what=club_changed").json()["items"][0]
    assert (line["key"], line["actor"], line["data"]) == (
        "test",
        people.home.owner.pk,
        {"fields": ["correction_hours", "place"]},
    )
    as_(people, "owner")("PATCH", "clubs/roessli", {"place": "Krone"}, match="*")
    assert asks.get("clubs/roessli/log?what=club_changed&limit=1").json()["items"][0]["key"] == ""


# --- Players --------------------------------------------------------------------------------------------------


def test_outside_the_club_players_have_their_public_names(people):
    Player.objects.update(publicity="initials")
    shown = {player["name"] for player in walk(ApiClient(), "clubs/roessli/players")}
    assert shown.isdisjoint({"Anna", "Beni", "Carlo", "Doris", "Emil"})
    assert {player["name"] for player in walk(as_(people, "member"), "clubs/roessli/players")} >= {"Anna", "Beni"}
    for player in walk(ApiClient(), "clubs/roessli/players"):
        assert (player["publicity"], player["pseudonym"], player["counts_for"]) == (None, None, None)


@pytest.mark.both_databases
def test_a_person_changes_their_own_player_and_no_other(people):
    member, own, other = as_(people, "member"), named(people.home, "Anna"), named(people.home, "Carlo")
    url = f"clubs/roessli/players/{own.pk}"
    assert member.get(url).json()["mine"] is True
    changed = member("PATCH", url, {"publicity": "pseudonym", "pseudonym": "Adler"}, match="*")
    assert changed.status_code == 200, changed.content
    assert ApiClient().get(url).json()["name"] == "Adler"
    assert is_problem(member("PATCH", url, {"guest": True}, match="*"), 403)
    assert is_problem(member("PATCH", f"clubs/roessli/players/{other.pk}", {"nickname": "X"}, match="*"), 403)
    assert is_problem(member("PATCH", url, {"nickname": "Beni"}, match="*"), 422, "player")
    treasurer = as_(people, "treasurer")
    assert treasurer("PATCH", f"clubs/roessli/players/{other.pk}", {"active": False}, match="*").status_code == 200
    assert [player["id"] for player in walk(treasurer, "clubs/roessli/players?active=false")] == [other.pk]


def test_a_reading_key_does_not_change_ones_own_player(people):
    own = named(people.home, "Anna")
    asks = ApiClient(key=key_for(people.home.member, "read", "record", "money"))
    assert is_problem(asks("PATCH", f"clubs/roessli/players/{own.pk}", {"nickname": "Ännchen"}, match="*"), 403)


@pytest.mark.both_databases
def test_two_players_are_merged_and_unmerged(people):
    owner, main = as_(people, "owner"), named(people.home, "Anna")
    extra = PlayerFactory(club=people.home.club, nickname="Änni")
    url = f"clubs/roessli/players/{extra.pk}"
    assert is_problem(owner.post(f"{url}/unmerge", {"reason": "x"}), 409, "apart")
    seen = owner.get(f"{url}/merges/preview?main={main.pk}").json()
    assert seen["after_minor"] == seen["main_minor"] + seen["player_minor"]
    assert is_problem(owner.get(f"{url}/merges/preview"), 400, "invalid")
    assert owner.get(url).json()["counts_for"] is None
    made = owner.post(f"{url}/merges", {"main": main.pk, "reason": "the same"})
    assert made.status_code == 201, made.content
    assert owner.get(url).json()["counts_for"] == main.pk
    foreign = named(people.away, "Anna")
    assert is_problem(owner.post(f"{url}/merges", {"main": foreign.pk, "reason": "x"}), 404)
    assert owner.post(f"{url}/unmerge", {"reason": "two after all"}).json()["merged"] is False
    assert [merge["merged"] for merge in walk(owner, f"{url}/merges")] == [True, False]


def test_the_etag_of_the_standings_differs_for_keys_that_see_different_amounts(people):
    member = people.home.member
    plain, money = (ApiClient(key=key_for(member, "read", *more)) for more in ((), ("money",)))
    first, other = plain.get(STANDINGS), money.get(STANDINGS)
    assert first.content != other.content
    assert first["ETag"] != other["ETag"]


def test_the_preview_of_a_merge_shows_amounts_only_to_a_key_for_money(people):
    doris = named(people.home, "Doris")
    fresh = PlayerFactory(club=people.home.club, nickname="Zora")
    url = f"clubs/roessli/players/{doris.pk}/merges/preview?main={fresh.pk}"

    def balances(shown: dict[str, Any]) -> set[int | None]:
        lines = [line for season in shown["seasons"] for change in season["changes"] for line in change.values()]
        balances_shown = [line["balance_minor"] for line in lines if isinstance(line, dict)]
        assert balances_shown, shown
        return {shown["player_minor"], shown["main_minor"], shown["after_minor"], *balances_shown}

    client = ApiClient(key=key_for(people.home.owner, "read", "manage"))
    both = ApiClient(key=key_for(people.home.owner, "read", "manage", "money"))
    assert None not in balances(both.get(url).json())
    assert balances(client.get(url).json()) == {None}
    Season.objects.filter(pk=people.home.season.pk).update(points_only=True, ranking="points")
    assert balances(both.get(url).json()) == {None, 0}


def test_the_personal_data_export_names_no_key_of_another_person(people):
    anna, owner = named(people.home, "Anna"), people.home.owner
    asks = ApiClient(key=key_for(owner, "read", "manage"))
    assert asks("PATCH", f"clubs/roessli/players/{anna.pk}", {"nickname": "Änneli"}, match="*").status_code == 200
    name = AuditEntry.objects.get(what="player_changed").token

    def logged(person: Any) -> set[str]:
        packed = zipfile.ZipFile(io.BytesIO(b"".join(personal_data_export.archive(person))))
        return {entry["token"] for entry in json.loads(packed.read("data.json"))["log"]}

    assert name
    assert name in logged(owner)
    assert logged(people.home.member) == {""}


@pytest.mark.both_databases
def test_a_player_is_forgotten_by_name_and_every_sum_stays(people):
    owner, carlo = as_(people, "owner"), named(people.home, "Carlo")
    url = f"clubs/roessli/players/{carlo.pk}"
    before = {standing["player"]: standing["balance_minor"] for standing in owner.get(STANDINGS).json()["items"]}
    assert is_problem(owner.post(f"{url}/forget", {"nickname": "Anna"}), 422, "nickname")
    shown = owner.post(f"{url}/forget", {"nickname": "carlo"}).json()
    assert shown["forgotten"] is True
    assert "Carlo" not in shown["name"]
    assert is_problem(owner.post(f"{url}/forget", {"nickname": "carlo"}), 409, "forgotten")
    assert {
        standing["player"]: standing["balance_minor"] for standing in owner.get(STANDINGS).json()["items"]
    } == before


def test_the_personal_data_export_is_downloaded(people):
    answer = as_(people, "member").get("me/data")
    assert answer["Content-Type"] == "application/zip"
    assert b"".join(answer.streaming_content)[:2] == b"PK"
    assert is_problem(ApiClient(key=key_for(people.home.member, "read", "manage")).get("me/data"), 403)
    assert is_problem(ApiClient(key=key_for(people.home.member, club=people.home.club)).get("me/data"), 403)
    assert ApiClient(key=key_for(people.home.member)).get("me/data").status_code == 200


@pytest.mark.both_databases
def test_a_player_is_linked_to_a_person_of_the_club(people):
    owner, carlo = as_(people, "owner"), named(people.home, "Carlo")
    url = f"clubs/roessli/players/{carlo.pk}/person"
    assert is_problem(owner("PUT", url, {"person": people.away.member.pk}), 404)
    assert owner("PUT", url, {"person": people.home.treasurer.pk}).json()["person"] == people.home.treasurer.pk
    assert owner("PUT", url, {"person": None}).json()["person"] is None


# --- Seasons and standings ------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_season_is_added_and_changed(people):
    owner = as_(people, "owner")
    made = owner.post("clubs/roessli/seasons", {"name": "Winter 2027", "starts_on": "2027-01-01"})
    assert made.status_code == 201, made.content
    assert made["Location"].endswith("/winter-2027")
    assert is_problem(
        owner.post("clubs/roessli/seasons", {"name": "W", "slug": "2026", "starts_on": "2027-01-01"}), 422
    )
    url = "clubs/roessli/seasons/winter-2027"
    assert is_problem(owner("PATCH", url, {"ends_on": "2026-01-01"}, match="*"), 422, "season")
    assert owner("PATCH", url, {"best_evenings": 5}, match=made["ETag"]).json()["best_evenings"] == 5
    assert [season["slug"] for season in walk(owner, "clubs/roessli/seasons?limit=1")] == ["winter-2027", "2026"]
    assert [season["slug"] for season in walk(owner, "clubs/roessli/seasons?on=2026-12-01")] == ["2026"]


STANDINGS = "clubs/roessli/seasons/2026/standings"


def test_amounts_are_shown_to_people_with_the_right(people):
    anna = named(people.home, "Anna").pk

    def seen(asks: ApiClient) -> set[int]:
        return {
            standing["player"]
            for standing in asks.get(STANDINGS).json()["items"]
            if standing["balance_minor"] is not None
        }

    everybody = {standing["player"] for standing in as_(people, "owner").get(STANDINGS).json()["items"]}
    assert seen(as_(people, "treasurer")) == everybody
    assert seen(as_(people, "member")) == {anna}
    assert seen(ApiClient()) == set()
    assert seen(ApiClient(key=key_for(people.home.owner, "read"))) == set()
    assert seen(ApiClient(key=key_for(people.home.owner, "read", "money"))) == everybody
    Season.objects.update(points_only=True)
    assert seen(as_(people, "owner")) == set()


@pytest.mark.both_databases
def test_standings_are_sent_again_after_a_new_count(people):
    asks = as_(people, "member")
    first = asks.get(STANDINGS)
    assert asks.get(STANDINGS, If_None_Match=first["ETag"]).status_code == 304
    # If-Match is ignored in a read.
    assert asks.get(STANDINGS, If_Match='"other"').status_code == 200
    count = asks.get("clubs/roessli/seasons/2026/count").json()
    assert count == first.json()["count"]
    assert count["waiting"] == 0
    Season.objects.filter(club=people.home.club).update(ledger_mark=99)
    later = asks.get(STANDINGS, If_None_Match=first["ETag"])
    assert later.status_code == 200
    assert later.json()["count"]["waiting"] > 0
    assert len(asks.get(STANDINGS + "?top=2").json()["items"]) == 2
    assert is_problem(asks.get(STANDINGS + "?top=0"), 400)


@pytest.mark.both_databases
def test_a_players_season(people):
    asks, carlo = as_(people, "member"), named(people.home, "Carlo")
    shown = asks.get(f"clubs/roessli/players/{carlo.pk}/seasons/2026").json()
    assert shown["standing"]["hands"] == 3
    assert shown["standing"]["balance_minor"] is None
    assert [(evening["hands"], evening["change_minor"]) for evening in shown["evenings"]] == [(3, None)]
    idle = PlayerFactory(club=people.home.club)
    assert asks.get(f"clubs/roessli/players/{idle.pk}/seasons/2026").json() == {"standing": None, "evenings": []}
    assert is_problem(asks.get(f"clubs/roessli/players/{carlo.pk}/seasons/never"), 404)


@pytest.mark.parametrize("who", ["owner", "member", None])
@pytest.mark.parametrize("file", ["standings", "results", "ledger"])
@pytest.mark.parametrize("kind", ["", "?for=excel"])
def test_files_are_those_of_the_pages(people, who, file, kind):
    client = Client()
    if who:
        client.force_login(people.home.person(who))
    page = client.get(reverse(f"{file}-csv", kwargs={"club": "roessli", "season": "2026"}) + kind)
    answer = client.get(f"/api/v1/clubs/roessli/seasons/2026/{file}.csv{kind}")
    if file == "ledger" and who != "owner":
        assert is_problem(answer, 401 if who is None else 403)
        return
    assert answer.status_code == 200
    assert b"".join(answer.streaming_content) == b"".join(page.streaming_content)
    assert answer["Content-Disposition"] == page["Content-Disposition"]


# --- Money ----------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_balances_add_up_and_are_shown_to_people_with_the_right(people):
    items = as_(people, "owner").get("clubs/roessli/balances").json()["items"]
    assert len(items) == 5
    own = as_(people, "member").get("clubs/roessli/balances").json()["items"]
    assert [row["name"] for row in own] == ["Anna"]
    assert own[0] in items
    assert is_problem(ApiClient().get("clubs/roessli/balances"), 401)
    Season.objects.update(points_only=True)
    assert as_(people, "owner").get("clubs/roessli/balances").json()["items"] == []


@pytest.mark.both_databases
def test_the_ledger_is_every_transfer_once(people):
    asks = as_(people, "treasurer")
    transfers = walk(asks, "clubs/roessli/ledger?limit=4")
    mine = Transfer.objects.filter(season__club=people.home.club)
    assert [transfer["id"] for transfer in transfers] == list(mine.order_by("pk").values_list("pk", flat=True))
    assert sum(transfer["amount_minor"] for transfer in transfers) == sum(mine.values_list("amount_minor", flat=True))
    anna = named(people.home, "Anna").pk
    of_anna = walk(asks, f"clubs/roessli/ledger?player={anna}&limit=2")
    assert of_anna
    assert all(anna in (transfer["from_account"]["player"], transfer["to_account"]["player"]) for transfer in of_anna)
    antes = walk(asks, "clubs/roessli/ledger?kind=ante&season=2026")
    assert {ante["kind"] for ante in antes} == {"ante"}
    assert walk(asks, f"clubs/roessli/ledger?evening={10**9}") == []
    foreign = named(people.away, "Anna").pk
    assert walk(asks, f"clubs/roessli/ledger?player={foreign}") == []


# --- People, invitations, log, webhooks -----------------------------------------------------------------------


@pytest.mark.both_databases
def test_roles_are_given_and_taken(people):
    owner, member = as_(people, "owner"), people.home.member
    shown = owner.get("clubs/roessli/people").json()["items"]
    assert [person["role"] for person in shown] == ["owner", "treasurer", "recorder", "member"]
    url = f"clubs/roessli/people/{member.pk}"
    assert owner("PATCH", url, {"role": "recorder"}).json()["role"] == "recorder"
    assert is_problem(owner("PATCH", url, {"role": "king"}), 400)
    assert is_problem(owner("PATCH", f"clubs/roessli/people/{people.home.owner.pk}", {"role": "member"}), 409)
    assert owner("DELETE", url).status_code == 204
    assert is_problem(as_(people, "member").get("clubs/roessli/balances"), 403)
    assert named(people.home, "Anna").user is None


def test_nobody_promotes_themselves(people):
    for role in ("member", "recorder", "treasurer"):
        me = people.home.person(role)
        assert is_problem(as_(people, role)("PATCH", f"clubs/roessli/people/{me.pk}", {"role": "owner"}), 403)
        assert me.memberships.get().role == role


@pytest.mark.both_databases
def test_an_invitation_is_shown_once_and_revoked(people):
    owner, carlo = as_(people, "owner"), named(people.home, "Carlo")
    made = owner.post("clubs/roessli/invitations", {"player": carlo.pk, "note": "Carlo"})
    assert made.status_code == 201, made.content
    link = made.json()["link"]
    assert Client().get(link.replace("http://testserver", "")).status_code < 400
    listed = walk(owner, "clubs/roessli/invitations")
    assert [invitation["note"] for invitation in listed] == ["Carlo"]
    assert "link" not in listed[0]
    foreign = named(people.away, "Carlo").pk
    assert is_problem(owner.post("clubs/roessli/invitations", {"player": foreign}), 404)
    anna = named(people.home, "Anna").pk
    assert is_problem(owner.post("clubs/roessli/invitations", {"player": anna}), 422, "invitation")
    assert owner("DELETE", made["Location"]).status_code == 204
    assert is_problem(owner("DELETE", made["Location"]), 409, "invitation")
    assert Invitation.objects.get().revoked_at is not None


@pytest.mark.both_databases
def test_the_log_is_read_page_by_page_newest_first(people):
    owner = as_(people, "owner")
    for number in range(5):
        owner.post("clubs/roessli/players", {"nickname": f"P{number}"})
    lines = walk(owner, "clubs/roessli/log?what=player_added&limit=2")
    assert [line["id"] for line in lines] == sorted((line["id"] for line in lines), reverse=True)
    assert len(lines) == 5
    mine = AuditEntry.objects.filter(club=people.home.club, actor=people.home.owner).count()
    assert len(walk(owner, f"clubs/roessli/log?actor={people.home.owner.pk}")) == mine


@pytest.mark.both_databases
def test_the_secret_of_a_webhook_is_shown_only_when_it_is_created(people):
    owner = as_(people, "owner")
    made = owner.post("clubs/roessli/webhooks", {"url": "https://93.184.216.34/webhook", "events": ["hand.stored"]})
    assert made.status_code == 201, made.content
    secret, url = made.json()["secret"], made["Location"]
    assert "secret" not in owner.get(url).json()
    assert owner.post(f"{url}/secret").json()["secret"] not in ("", secret)
    assert owner("PATCH", url, {"active": False}).json()["active"] is False
    assert is_problem(owner.post(f"{url}/deliveries"), 409, "off")
    owner("PATCH", url, {"active": True})
    sent = owner.post(f"{url}/deliveries")
    assert sent.status_code == 201
    again = owner.post(f"clubs/roessli/deliveries/{sent.json()['id']}/replay")
    assert again.json()["replay_of"] == sent.json()["id"]
    assert len(walk(owner, f"{url}/deliveries?limit=1")) == 2
    assert owner("DELETE", url).status_code == 204
    assert is_problem(owner.get(url), 404)
    inside = {"url": "https://127.0.0.1/", "events": ["hand.stored"]}
    assert is_problem(owner.post("clubs/roessli/webhooks", inside), 422, "url")
    assert Webhook.objects.count() == 1


# --- Queries --------------------------------------------------------------------------------------------------

LISTS = [
    "clubs", "clubs/roessli/players", "clubs/roessli/seasons", STANDINGS, "clubs/roessli/balances",
    "clubs/roessli/ledger", "clubs/roessli/people", "clubs/roessli/invitations", "clubs/roessli/log",
    "clubs/roessli/webhooks", "me/api-keys",
]  # fmt: skip


OPEN = ["clubs", "clubs/roessli/players", "clubs/roessli/seasons", STANDINGS]


@pytest.mark.parametrize(("who", "url"), [*(("owner", url) for url in LISTS), *((None, url) for url in OPEN)])
def test_a_list_costs_the_same_at_any_length(people, url, who, django_assert_max_num_queries):
    asks = ApiClient(key=key_for(people.home.owner)) if who else ApiClient()

    def queries() -> int:
        with django_assert_max_num_queries(9) as captured:
            assert asks.get(url).status_code == 200
        return len(captured)

    asks.get(url)
    before = queries()
    grow(people)
    assert queries() == before


def grow(people: Cast) -> None:
    """Ten more of everything."""
    house = people.home
    now = timezone.now()
    table = create_table(club=house.club, season=house.season)
    for number in range(10):
        enter(table, MADE)
        extra = cast_one(house, number)
        Invitation.objects.create(
            club=house.club, digest=f"{number:064d}", author=house.owner, expires_at=now.replace(year=now.year + 1)
        )
        Webhook.objects.create(club=house.club, url=f"https://r{number}.example/", events=["ping"], secret="s")
        Season.objects.create(club=house.club, slug=f"s{number}", name=f"S{number}", starts_on="2030-01-01")
        key_for(house.owner)
        assert extra
    count_season(house.season.pk)


def cast_one(house: Any, number: int) -> Membership:
    from tests.factories import ClubFactory, UserFactory

    ClubFactory()
    person = UserFactory()
    PlayerFactory(club=house.club, nickname=f"More {number}", user=person)
    return Membership.objects.create(club=house.club, user=person, role="member")


def test_a_choice_with_no_value_or_an_unknown_one_is_refused(people):
    owner = as_(people, "owner")
    for query in ("mine=", "mine=maybe"):
        assert is_problem(owner.get(f"clubs?{query}"), 400, "invalid")
    assert is_problem(owner.get("clubs/roessli/seasons/2026/standings.csv?for=paper"), 400, "invalid")
    assert owner.get("clubs?q=").status_code == 200
