"""Evenings in a cup: counted by place once they are final, and nothing else of them is seen."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections import defaultdict
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.evening.podium import podium
from league.access import club_for
from league.cups import selectors, services
from league.cups.own_part import own_part
from league.cups.selectors import cup_view
from league.cups.services import Basics
from league.errors import Refused
from league.models import AuditEntry, Club, Cup, CupEvening, CupPlayer, Evening, Player, Season, Tournament
from league.privacy import forgetting
from league.roster.merging import players_merge
from league.standings.selectors import evening_totals, totals_of_evenings
from league.tournaments.results import ranking_of
from tests.cast import Cast, House
from tests.factories import FAILED, SeasonFactory, enter
from tests.imported import imported
from tests.tournaments.cup_evenings import (
    amounts_of,
    closed,
    counted_evenings,
    final_evening,
    fresh,
    played_evening,
    recounted_places,
    reopened,
)
from tests.tournaments.cup_of_clubs import cup_of, finished, listed_all, player_of
from tests.tournaments.test_cups import page, people_in, post, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("en")]

POINTS = (10, 8, 6, 5, 4, 3, 2, 1)


def by_balance(house: House) -> Season:
    Season.objects.filter(pk=house.season.pk).update(ranking="balance")
    house.season.refresh_from_db()
    return house.season


def made_cup(people: Cast, evenings: list[Evening], tournament: Tournament, same: tuple[Player, Player]) -> Cup:
    """Make the cup on the pages: invitation, evenings and tournament, all people; `same` are one person."""
    home, away = people.home, people.away
    owner, other = signed_in(home.owner), signed_in(away.owner)
    rules = {"name": "Napf-Cup", "kind": "places", "events": "both", "place_points": "10-8-6-5-4-3-2-1", "best_of": "2"}
    assert post(owner, "cup-new", home, **rules).status_code == 303
    cup = Cup.objects.get()
    assert post(owner, "cup-run", home, cup.slug, do="invite", short_name=away.club.slug).status_code == 303
    words = page(other, "cup-invitation", away, cup.slug)
    assert "of each evening that you count: its number and its day" in words
    assert "no amounts, no hands" in words
    assert "An evening counts once it is final" in words
    assert post(other, "cup-invitation", away, cup.slug, do="accept", public="0").status_code == 303
    for client, house, which in ((owner, home, [0, 2]), (other, away, [1])):
        chosen = [evenings[index].pk for index in which]
        assert post(client, "cup-ours", house, cup.slug, do="evenings", evening=chosen).status_code == 303
    sent = {"do": "tournaments", "tournament": [tournament.slug]}
    assert post(other, "cup-ours", away, cup.slug, **sent).status_code == 303
    for client, house in ((owner, home), (other, away)):
        assert post(client, "cup-ours", house, cup.slug, do="all").status_code == 303
    number = CupPlayer.objects.get(player=same[0]).person.number
    match = {"do": "match", "player": str(same[1].pk), "person": str(number)}
    assert post(other, "cup-ours", away, cup.slug, **match).status_code == 303
    return cup


@pytest.mark.both_databases
def test_three_evenings_and_a_tournament_of_two_clubs_from_the_first_page_to_the_standing(people: Cast) -> None:
    home, away = people.home, people.away
    ours = people_in(home.club, "Anna", "Beni", "Carla", "Doris", "Emil", "Fritz")
    theirs = people_in(away.club, "Anna", "Gerda", "Heiri", "Ida", "Jakob", "Karl")
    evenings = [
        final_evening(home.season, ours[:5], days_ago=20),
        final_evening(by_balance(away), [*theirs[3:], *theirs[:2]], days_ago=13, hands=5),
        final_evening(home.season, [*ours[2:], ours[0]], days_ago=6, hands=4),
    ]
    tournament = finished(away.club, theirs, seed=5, name="Winter")
    Club.objects.filter(pk__in=[home.club.pk, away.club.pk]).update(features=["cups", "tournaments"])
    cup = made_cup(people, evenings, tournament, (ours[0], theirs[0]))
    other = signed_in(away.owner)

    def expected(*counted: Evening) -> dict[str, int]:
        """Compute the points apart, Anna of both clubs as one."""
        points: dict[str, list[int]] = defaultdict(list)
        for evening in counted:
            for name, place in recounted_places(evening).items():
                points[name].append(POINTS[place - 1])
        names = dict(tournament.entrants.values_list("number", "player__nickname"))
        for line in ranking_of(tournament).lines:
            points[names[line.number]].append(POINTS[line.rank - 1])
        return {name: sum(sorted(values, reverse=True)[:2]) for name, values in points.items()}

    read = signed_in(away.member)
    rows = list(csv.DictReader(page(read, "cup-csv", away, cup.slug).splitlines()))
    assert {row["name"]: int(row["points"]) for row in rows} == expected(*evenings)
    assert len(rows) == 3 * 5 + 6
    assert {(row["tournament"], row["evening"]) for row in rows} == {("", "1"), ("", "2"), ("Winter", "")}
    shown = page(read, "cup", away, cup.slug)
    listed = re.findall(r'scope="row" class="text">(\w+)', shown)
    assert [expected(*evenings)[name] for name in listed] == sorted(expected(*evenings).values(), reverse=True)
    linked = [evening for evening in evenings if f'href="{evening.get_absolute_url()}"' in shown]
    assert linked == [evenings[1]], "only the own evening has a link"
    data = read.get(f"/api/v1/clubs/{away.club.slug}/cups/{cup.slug}").json()
    assert {entry["name"]: entry["points"] for entry in data["standing"]} == expected(*evenings)
    assert [(evening["name"], evening["counts"]) for evening in data["evenings"]] == [
        *(("Evening 1", True), ("Evening 1", True), ("Evening 2", True)),
    ]
    results = [result for line in data["standing"] for result in line["results"]]
    assert {result["tournament"] or result["evening"] for result in results} == {1, 2, 3, 4}
    assert all((result["tournament"] is None) != (result["evening"] is None) for result in results)
    assert page(read, "cup-atom", away, cup.slug).count("<entry>") == 4

    # An evening that is opened again leaves by itself, and comes back corrected.
    reopened(evenings[1])
    assert {row.name: row.line.points for row in cup_view(cup).rows} == expected(evenings[0], evenings[2])
    assert "not final" in page(read, "cup", away, cup.slug)
    enter(evenings[1].tables.get(), FAILED)  # type: ignore[attr-defined]
    closed(fresh(evenings[1]))
    assert {row.name: row.line.points for row in cup_view(cup).rows} == expected(*evenings)

    assert post(other, "cup-leave", away, cup.slug).status_code == 303
    assert not CupEvening.objects.filter(evening__club=away.club).exists()
    assert {row.name for row in cup_view(cup).rows} == {"Anna", "Beni", "Carla", "Doris", "Emil", "Fritz"}
    did = list(AuditEntry.objects.filter(what="cup_changed", club=away.club).values_list("data__did", flat=True))
    assert sorted(did) == ["accepted", "evenings", "left", "players", "players", "tournaments"]


class TestTenancy:
    """What a club keeps for itself of its evenings is nowhere in the cup."""

    NAMES = ("Geheimname", "Anfangsname", "Unlisted", "Canary-Season", "canary-reason", "canary-place")

    @pytest.fixture
    def evening(self, people: Cast) -> Evening:
        home = people.home
        Club.objects.filter(pk=home.club.pk).update(visibility="private", place="canary-place", publishes_money=True)
        home.club.refresh_from_db()
        Season.objects.filter(pk=home.season.pk).update(name="Canary-Season", ranking="balance")
        home.season.refresh_from_db()
        kinds = Player.Publicity
        players = [
            player_of(home.club, "Geheimname", kinds.PSEUDONYM, pseudonym="Falke"),
            player_of(home.club, "Anfangsname", kinds.INITIALS),
            *people_in(home.club, "Offen", "Unlisted", "Zweite"),
        ]
        rules = {"stake": 4370, "coin": 10, "pot_limit": None}
        return final_evening(home.season, players, hands=5, rules=rules)

    @pytest.fixture
    def cup(self, people: Cast, evening: Evening) -> Cup:
        cup = cup_of(people.away.club, people.home.club, public=True, events="evenings", qualifiers=3)
        counted_evenings(cup, evening, listed=False)
        players = Player.objects.filter(club=people.home.club).exclude(nickname="Unlisted")
        places = {player.pk: 0 for player in players}
        services.players_set(cup=cup, club=people.home.club, actor=None, places=places)
        return cup

    def seen(self, people: Cast, cup: Cup) -> str:
        """All that the other club and a visitor get from the routes of cups, and the log of the other club."""
        away, texts = people.away, []
        visitor = Client(headers={"accept-language": "en"})
        for client in (visitor, *(signed_in(away.person(role)) for role in ("member", "recorder", "owner"))):
            for name in ("cups", "club-pages"):
                texts.append(page(client, name, away))
            for name in ("cup", "cup-csv", "cup-atom"):
                texts.append(page(client, name, away, cup.slug))
            for end in ("", f"/{cup.slug}"):
                texts.append(client.get(f"/api/v1/clubs/{away.club.slug}/cups{end}").content.decode())
        owner = signed_in(away.owner)
        for name in ("cup-ours", "cup-run", "cup-rules"):
            texts.append(page(owner, name, away, cup.slug))
        texts.append(page(owner, "club-log", away))
        where = reverse("cup-csv", kwargs={"club": away.club.slug, "cup": cup.slug})
        texts.append(b"".join(visitor.get(f"{where}?for=excel")).decode())
        with zipfile.ZipFile(io.BytesIO(b"".join(visitor.get(f"{where}?for=xlsx")))) as book:
            texts += [book.read(name).decode() for name in book.namelist() if name.endswith(".xml")]
        return "\n".join(texts)

    def secrets(self, people: Cast, evening: Evening, seen: str) -> list[str]:
        """Return the secrets that were seen."""
        # A short one is found in any page.
        amounts = {amount for amount in amounts_of(evening) if len(amount) > 3}
        assert len(amounts) > 3
        secrets = {*self.NAMES, *amounts, f"/c/{people.home.club.slug}/"}
        return sorted(secret for secret in secrets if secret in seen)

    def test_the_other_club_and_visitors_see_name_day_place_and_points_alone(
        self, people: Cast, cup: Cup, evening: Evening
    ) -> None:
        seen = self.seen(people, cup)
        for published in ("Falke", "A.", "Offen", "Evening 1", people.home.club.name, evening.held_on.isoformat()):
            assert published in seen, published
        assert self.secrets(people, evening, seen) == []
        data = Client().get(f"/api/v1/clubs/{people.away.club.slug}/cups/{cup.slug}").json()
        assert set(data["evenings"][0]) == {"number", "club", "name", "held_on", "counts"}
        assert {key for line in data["standing"] for result in line["results"] for key in result} == {
            *("tournament", "evening", "place", "points", "counts"),
        }
        # The winner of the evening is not on the list: the place stays, unseen.
        place = recounted_places(evening)["Unlisted"]
        assert place not in {result["place"] for line in data["standing"] for result in line["results"]}

    @pytest.mark.parametrize("guard", ["public names", "listed alone", "place alone"])
    def test_without_its_guards_the_cup_would_tell(
        self, people: Cast, cup: Cup, evening: Evening, guard: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if guard == "public names":
            nicknames = {
                club.pk: dict(Player.objects.filter(club=club).values_list("pk", "nickname"))
                for club in Club.objects.all()
            }
            monkeypatch.setattr(selectors, "public_names_of", lambda clubs: nicknames)
        elif guard == "listed alone":
            listed_all(cup, people.home.club)
        else:
            totals = {
                night.pk: [(row["player_id"], abs(row["change_minor"])) for row in evening_totals(night)]
                for night in [evening]
            }
            monkeypatch.setattr(selectors, "places_of", lambda evenings: totals)
        assert self.secrets(people, evening, self.seen(people, cup))


@pytest.mark.both_databases
def test_the_places_are_those_of_the_page_of_each_evening(people: Cast) -> None:
    home, away = people.home, people.away
    ours, theirs = people_in(home.club, *"ABCDE"), people_in(away.club, *"ABCDE")
    evenings = [final_evening(home.season, ours), final_evening(by_balance(away), theirs, hands=5)]
    imported(home.season, home.owner)
    evenings += [fresh(night) for night in Evening.nights.filter(club=home.club, imported__isnull=False)]
    assert len(evenings) == 4
    known = totals_of_evenings(evenings)
    for evening in evenings:
        assert known[evening.pk] == evening_totals(evening)
        shown = {
            total.player_id: total.rank for total in podium(club_for(home.owner, evening.club.slug), evening, {}, 3)
        }
        assert {row["player_id"]: row["rank"] for row in known[evening.pk]} == shown


def test_an_evening_counts_while_it_is_final(people: Cast) -> None:
    home = people.home
    players = people_in(home.club, *"ABCDE")
    cup = cup_of(home.club, events="evenings")
    table = played_evening(home.season, players)
    counted_evenings(cup, table.evening)
    assert [event.counts for event in cup_view(cup).events] == [False]
    closed(table.evening, final=False)
    # Provisional: recorders may still correct it.
    assert [event.counts for event in cup_view(cup).events] == [False]
    assert "not final" in page(signed_in(home.member), "cup", home, cup.slug)
    Evening.objects.update(final_at=timezone.now())
    assert [event.counts for event in cup_view(cup).events] == [True]
    assert len(cup_view(cup).rows) == 5
    # A prepared one is the club's own matter until its day.
    Evening.objects.update(held_on=timezone.localdate() + timedelta(days=1))
    assert cup_view(cup).events == []
    assert "prepared" in page(signed_in(home.owner), "cup-ours", home, cup.slug)


def test_what_is_no_evening_of_players_does_not_count(people: Cast) -> None:
    home = people.home
    players = people_in(home.club, *"ABCDEF")
    cup = cup_of(home.club, events="evenings")
    tournament = finished(home.club, players)
    round_of_tournament = Evening.objects.filter(season=tournament.season_id).earliest("pk")
    award = Evening.objects.create(
        club=home.club,
        season=home.season,
        number=90,
        held_on=timezone.localdate(),
        game="chratze",
        house_rules=tournament.house_rules,
        state="closed",
    )
    Tournament.objects.filter(pk=tournament.pk).update(award_evening=award)
    foreign = final_evening(people.away.season, people_in(people.away.club, *"ABCDE"))
    owner = signed_in(home.owner)
    for evening in (round_of_tournament, award, foreign):
        assert post(owner, "cup-ours", home, cup.slug, do="evenings", evening=[evening.pk]).status_code == 422
        assert evening not in own_part(cup, home.club, all_evenings=True).evenings.shown
    assert post(owner, "cup-ours", home, cup.slug, do="evenings", evening=["x"]).status_code == 422
    assert not CupEvening.objects.exists()


def test_an_evening_whose_import_was_undone_is_off_the_page(people: Cast) -> None:
    home = people.home
    made = imported(home.season, home.owner)
    evenings = [fresh(evening) for evening in made.evenings.all()]
    cup = cup_of(home.club, events="evenings")
    counted_evenings(cup, *evenings)
    assert len(cup_view(cup).counting) == 2
    Evening.objects.filter(imported=made).update(undone_at=timezone.now())
    assert cup_view(cup).events == []


def test_a_cup_by_chips_or_points_offers_no_evenings_and_says_why(people: Cast) -> None:
    home, owner = people.home, signed_in(people.home.owner)
    why = "evenings are about money, and a cup shows no amounts"
    assert why in page(owner, "cup-new", home)
    sent = {"name": "Napf-Cup", "kind": "chips", "events": "both", "place_points": ""}
    assert post(owner, "cup-new", home, **sent).status_code == 303
    cup = Cup.objects.get()
    assert (cup.kind, cup.events) == ("chips", "tournaments")
    with pytest.raises(Refused) as refused:
        services.cup_change(cup=cup, actor=None, basics=Basics(name="X", kind="points", events="evenings"))
    assert refused.value.code == "events"
    with pytest.raises(IntegrityError), transaction.atomic():
        Cup.objects.update(events="both")
    evening = final_evening(home.season, people_in(home.club, *"ABCDE"))
    assert post(owner, "cup-ours", home, cup.slug, do="evenings", evening=[evening.pk]).status_code == 409


def test_of_a_cup_of_tournaments_nothing_about_evenings_is_seen(people: Cast) -> None:
    home, away = people.home, people.away
    players = people_in(home.club, *"ABCDE")
    cup = cup_of(home.club, events="both")
    counted_evenings(cup, final_evening(home.season, players))
    cup = services.cup_change(cup=cup, actor=None, basics=Basics(name="Napf-Cup"))
    services.club_invite(cup=cup, actor=None, short_name=away.club.slug)
    owner = signed_in(home.owner)
    for name in ("cup", "cup-ours"):
        main = page(owner, name, home, cup.slug).partition("<main")[2].partition("</main>")[0]
        assert main
        assert "vening" not in main
    assert cup_view(cup).rows == []
    assert "evening" not in page(owner, "cup-csv", home, cup.slug).partition("\n")[2]
    assert "Nothing else: no evenings" in page(signed_in(away.owner), "cup-invitation", away, cup.slug)
    # And the other way round.
    cup = services.cup_change(cup=cup, actor=None, basics=Basics(name="Napf-Cup", events="evenings"))
    main = page(owner, "cup-ours", home, cup.slug).partition("<main")[2].partition("</main>")[0]
    assert "ournament" not in main
    assert len(cup_view(cup).rows) == 5
    with pytest.raises(Refused) as refused:
        services.tournaments_set(cup=cup, club=home.club, actor=None, slugs=[])
    assert refused.value.code == "events"


def test_nothing_is_counted_in_a_closed_cup(people: Cast) -> None:
    home = people.home
    evening = final_evening(home.season, people_in(home.club, *"ABCDE"))
    cup = cup_of(home.club, events="evenings")
    services.cup_close(cup=cup, actor=None)
    owner = signed_in(home.owner)
    assert post(owner, "cup-ours", home, cup.slug, do="evenings", evening=[evening.pk]).status_code == 409
    assert not CupEvening.objects.exists()


def test_a_club_with_many_evenings_picks_the_newest_first(people: Cast) -> None:
    home = people.home
    players = people_in(home.club, *"ABCDE")
    days = (400, 300, 5, 12)
    old, older, new, newer = (final_evening(home.season, players, days_ago=days, hands=1) for days in days)
    empty = played_evening(home.season, players, hands=0)
    Evening.objects.filter(pk=empty.evening_id).update(state="closed", final_at=None)
    cup, owner = cup_of(home.club, events="evenings"), signed_in(home.owner)
    part = own_part(cup, home.club)
    assert part.evenings.shown == [new, newer]
    assert part.evenings.older
    # One that counts stays in the list, however old it is.
    counted_evenings(cup, old)
    assert own_part(cup, home.club).evenings.shown == [new, newer, old]
    everything = own_part(cup, home.club, all_evenings=True).evenings
    assert everything.shown == [new, newer, older, old]
    assert not everything.older
    address = reverse("cup-ours", kwargs={"club": home.club.slug, "cup": cup.slug})
    assert owner.post(address, {"do": "all-evenings"}).status_code == 303
    assert {event.event for event in cup_view(cup).events} == {old, new, newer}
    assert owner.post(f"{address}?evenings=all", {"do": "all-evenings"}).status_code == 303
    assert {event.event for event in cup_view(cup).events} == {old, older, new, newer}
    assert owner.post(address, {"do": "evenings", "evening": [new.pk]}).status_code == 303
    assert [event.event for event in cup_view(cup).events] == [new]


@pytest.mark.both_databases
def test_a_page_needs_as_many_queries_for_four_evenings_as_for_one(people: Cast) -> None:
    home, away = people.home, people.away
    ours, theirs = people_in(home.club, *"ABCDE"), people_in(away.club, *"ABCDE")
    imported(home.season, home.owner)
    first = [fresh(night) for night in Evening.nights.filter(club=home.club)][:1]
    cup = cup_of(home.club, away.club, events="both")
    counted_evenings(cup, *first)

    def queries() -> tuple[int, int]:
        with CaptureQueriesContext(connection) as viewed:
            cup_view(cup)
        with CaptureQueriesContext(connection) as own:
            own_part(cup, home.club)
        return len(viewed), len(own)

    few = queries()
    other = SeasonFactory(club=home.club, ranking="balance")
    more = [final_evening(home.season, ours), final_evening(other, ours), final_evening(away.season, theirs)]
    counted_evenings(cup, *first, *more)
    assert len(cup_view(cup).counting) == 4
    viewed, own = queries()
    assert (viewed, own) == few
    assert viewed <= 16
    assert own <= 14


class TestPeople:
    """What happens to people of the list."""

    def test_who_is_forgotten_is_off_the_list_and_the_places_of_others_stay(self, people: Cast) -> None:
        home = people.home
        players = people_in(home.club, *"ABCDE")
        cup = cup_of(home.club, events="evenings")
        counted_evenings(cup, final_evening(home.season, players))
        before = {row.name: row.cells[0].rank for row in cup_view(cup).rows if row.cells[0]}
        forgetting.player_forget(player=players[0], actor=None)
        after = {row.name: row.cells[0].rank for row in cup_view(cup).rows if row.cells[0]}
        assert after == {name: rank for name, rank in before.items() if name != "A"}

    def test_a_merged_player_counts_for_the_main_one(self, people: Cast) -> None:
        home = people.home
        players = people_in(home.club, *"ABCDE")
        main = player_of(home.club, "Anna")
        cup = cup_of(home.club, events="evenings")
        counted_evenings(cup, final_evening(home.season, players), final_evening(home.season, [main, *players[1:]]))
        before = {row.name: row.line.points for row in cup_view(cup).rows}
        players_merge(club=home.club, player=players[0], main=main, reason="one", actor=None)
        after = {row.name: row.line.points for row in cup_view(cup).rows}
        assert after == {name: points for name, points in before.items() if name not in ("A", "Anna")} | {
            "Anna": before["A"] + before["Anna"]
        }

    def test_a_guest_is_offered_as_everybody_who_played(self, people: Cast) -> None:
        home = people.home
        players = people_in(home.club, *"ABCD")
        guest = player_of(home.club, "Gast", guest=True)
        cup = cup_of(home.club, events="evenings")
        counted_evenings(cup, final_evening(home.season, [*players, guest]), listed=False)
        assert [player.nickname for player in own_part(cup, home.club).players] == [*"ABCD", "Gast"]


def test_the_log_says_that_evenings_were_changed(people: Cast) -> None:
    home = people.home
    cup = cup_of(home.club, events="evenings")
    counted_evenings(cup, final_evening(home.season, people_in(home.club, *"ABCDE")))
    shown = page(signed_in(home.owner), "club-log", home)
    assert "changed which evenings count in the cup Napf-Cup." in shown
