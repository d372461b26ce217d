"""A cup of two clubs through its pages: made, accepted, counted, read, left; and what stays unseen."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.cups import consent, gate, selectors, services
from league.cups.final import final_make
from league.cups.selectors import cup_view
from league.cups.services import Basics
from league.errors import Refused
from league.models import AuditEntry, Club, Cup, CupInvitation, CupPerson, CupPlayer, Player, Tournament, User
from league.privacy import forgetting
from league.roster.merging import players_merge
from league.tournaments import services as tournaments
from league.tournaments.formats import Format
from league.tournaments.results import ranking_of, rankings_of
from tests.cast import Cast, House
from tests.factories import UserFactory
from tests.tournaments.cup_of_clubs import counted, cup_of, finished, listed_all, matched, player_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("en")]

POINTS = (10, 8, 6, 5, 4, 3, 2, 1)


def people_in(club: Club, *names: str) -> list[Player]:
    return [player_of(club, name) for name in names]


def signed_in(user: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


def post(client: Client, route: str, house: House, cup: str | None = None, /, **data: Any) -> Any:
    where = {"club": house.club.slug} | ({"cup": cup} if cup else {})
    return client.post(reverse(route, kwargs=where), data)


def page(client: Client, name: str, house: House, cup: str | None = None) -> str:
    where = {"club": house.club.slug} | ({"cup": cup} if cup else {})
    answer = client.get(reverse(name, kwargs=where))
    assert answer.status_code == 200, name
    return b"".join(answer).decode() if answer.streaming else answer.content.decode()


@pytest.mark.both_databases
def test_a_cup_of_two_clubs_from_the_first_page_to_the_standing(people: Cast) -> None:
    home, away = people.home, people.away
    ours = people_in(home.club, "Anna", "Beni", "Carla", "Doris", "Emil", "Fritz")
    theirs = people_in(away.club, "Anna", "Gerda", "Heiri", "Ida", "Jakob", "Karl")
    played = [
        finished(home.club, ours, seed=1, name="Herbst"),
        finished(away.club, theirs, seed=5, name="Winter"),
        finished(home.club, ours, seed=9, name="Frühling"),
    ]
    Club.objects.filter(pk=home.club.pk).update(features=["cups", "tournaments"])
    Club.objects.filter(pk=away.club.pk).update(features=["tournaments"])
    owner, other = signed_in(home.owner), signed_in(away.owner)

    made = post(owner, "cup-new", home, name="Napf-Cup", kind="places", place_points="10-8-6-5-4-3-2-1", best_of="2")
    assert made.status_code == 303
    cup = Cup.objects.get()
    assert post(owner, "cup-run", home, cup.slug, do="invite", short_name=away.club.slug).status_code == 303
    # The invited club has not switched cups on: it finds the invitation on its page 'Club'.
    assert reverse("cup-invitation", kwargs={"club": away.club.slug, "cup": cup.slug}) in page(
        other, "club-pages", away
    )
    words = page(other, "cup-invitation", away, cup.slug)
    assert "The members of all clubs in the cup" in words
    assert "Anna → <b>Anna</b>" in words
    assert post(other, "cup-invitation", away, cup.slug, do="accept", public="0").status_code == 303
    for client, house, which in ((owner, home, [0, 2]), (other, away, [1])):
        slugs = [played[index].slug for index in which]
        assert post(client, "cup-ours", house, cup.slug, do="tournaments", tournament=slugs).status_code == 303
        assert post(client, "cup-ours", house, cup.slug, do="all").status_code == 303
    number = CupPlayer.objects.get(player=ours[0]).person.number
    match = {"do": "match", "player": str(theirs[0].pk), "person": str(number)}
    assert post(other, "cup-ours", away, cup.slug, **match).status_code == 303

    # Computed apart: points by place of each start number, Anna of both clubs as one.
    points: dict[str, list[int]] = defaultdict(list)
    for tournament in played:
        names = dict(tournament.entrants.values_list("number", "player__nickname"))
        for line in ranking_of(tournament).lines:
            points[names[line.number]].append(POINTS[line.rank - 1])
    expected = {name: sum(sorted(values, reverse=True)[:2]) for name, values in points.items()}
    read = signed_in(away.member)
    rows = list(csv.DictReader(page(read, "cup-csv", away, cup.slug).splitlines()))
    assert {row["name"]: int(row["points"]) for row in rows} == expected
    assert len(rows) == 18
    assert {row["clubs"] for row in rows if row["name"] == "Anna"} == {f"{home.club.name}, {away.club.name}"}
    shown = page(read, "cup", away, cup.slug)
    listed = re.findall(r'scope="row" class="text">(\w+)', shown)
    assert [expected[name] for name in listed] == sorted(expected.values(), reverse=True)
    data = read.get(f"/api/v1/clubs/{away.club.slug}/cups/{cup.slug}").json()
    assert {entry["name"]: entry["points"] for entry in data["standing"]} == expected
    assert "Winter" in page(read, "cup-atom", away, cup.slug)

    # Leaving takes all of the club off the page.
    assert post(other, "cup-leave", away, cup.slug).status_code == 303
    assert read.get(reverse("cup", kwargs={"club": away.club.slug, "cup": cup.slug})).status_code == 404
    left = page(owner, "cup", home, cup.slug)
    assert "Winter" not in left
    assert "Gerda" not in left
    assert away.club.name not in left
    entries = AuditEntry.objects.filter(what="cup_changed", club=home.club).order_by("pk")
    log = list(entries.values_list("data__did", "actor"))
    assert [did for did, _actor in log] == ["made", "invited", "club_joined", "tournaments", "players", "club_left"]
    assert {actor for did, actor in log if did.startswith("club_")} == {None}


class TestTenancy:
    """What a club keeps for itself is nowhere in the cup."""

    SECRETS = (
        *("Geheimname", "Anfangsname", "Niemandsname", "Unlisted", "Nebenname", "canary-fee", "canary-prize"),
        *("canary-label", "Canaryteam", "Entwurf", "Zuschauer", "canary@example.org", "Canary-Account"),
        *("canary-place", "Andersturnier"),
    )

    @pytest.fixture
    def cup(self, people: Cast) -> Cup:
        home, away = people.home, people.away
        Club.objects.filter(pk=home.club.pk).update(visibility="private", place="canary-place")
        home.club.refresh_from_db()
        kinds = Player.Publicity
        account = UserFactory(email="canary@example.org", first_name="Canary-Account")
        ours = [
            player_of(home.club, "Geheimname", kinds.PSEUDONYM, pseudonym="Falke", user=account),
            player_of(home.club, "Anfangsname", kinds.INITIALS),
            player_of(home.club, "Niemandsname", kinds.NOBODY),
            *people_in(home.club, "Offen", "Nebenname", "Doppelt", "Unlisted"),
        ]
        theirs = people_in(away.club, "Gerda", "Heiri", "Ida", "Jakob", "Doppelt", "Karl")
        autumn = finished(home.club, ours, name="Herbst")
        autumn.entrants.update(labels=["canary-label"], team="Canaryteam")
        Tournament.objects.filter(pk=autumn.pk).update(fee="canary-fee", prizes="canary-prize")
        finished(home.club, ours[:6], name="Andersturnier")
        draft = tournaments.tournament_create(
            club=home.club, author=None, basics=self._basics("Entwurf"), format=self._format(autumn)
        )
        player_of(home.club, "Zuschauer")
        two = finished(away.club, theirs, seed=7, name="Winter")
        cup = cup_of(away.club, home.club, public=True, qualifiers=3)
        counted(cup, two)
        counted(cup, autumn, listed=False)
        services.tournaments_set(cup=cup, club=home.club, actor=None, slugs=[autumn.slug, draft.slug])
        places = {player.pk: 0 for player in ours if player.nickname not in ("Nebenname", "Unlisted")}
        services.players_set(cup=cup, club=home.club, actor=None, places=places)
        # A pseudonym stays apart, whatever an organiser of the other club says.
        matched(cup, theirs[0], ours[0])
        matched(cup, theirs[4], ours[5])
        return cup

    @staticmethod
    def _basics(name: str) -> Any:
        return tournaments.Basics(name=name, starts_on=date(2026, 11, 1), game="chratze")

    @staticmethod
    def _format(tournament: Tournament) -> Any:
        return Format.read(tournament.format)

    def seen(self, people: Cast, cup: Cup) -> str:
        """All that the other club and a visitor get from the routes of cups."""
        away, texts = people.away, []
        visitor = Client(headers={"accept-language": "en"})
        for client in (visitor, *(signed_in(away.person(role)) for role in ("member", "recorder", "owner"))):
            for name in ("cups", "club-pages"):
                texts.append(page(client, name, away))
            for name in ("cup", "cup-csv", "cup-atom"):
                texts.append(page(client, name, away, cup.slug))
            for end in ("", f"/{cup.slug}"):
                texts.append(client.get(f"/api/v1/clubs/{away.club.slug}/cups{end}").content.decode())
        for name in ("cup-ours", "cup-run", "cup-rules"):
            texts.append(page(signed_in(away.owner), name, away, cup.slug))
        where = reverse("cup-csv", kwargs={"club": away.club.slug, "cup": cup.slug})
        texts.append(b"".join(visitor.get(f"{where}?for=excel")).decode())
        return "\n".join(texts)

    def test_the_other_club_and_visitors_see_what_the_cup_publishes_alone(self, people: Cast, cup: Cup) -> None:
        seen = self.seen(people, cup)
        for published in ("Falke", "A.", "Player 1", "Offen", "Herbst", people.home.club.name):
            assert published in seen, published
        for secret in (*self.SECRETS, f"/c/{people.home.club.slug}/"):
            assert secret not in seen, secret
        data = Client().get(f"/api/v1/clubs/{people.away.club.slug}/cups/{cup.slug}").json()
        assert not re.search(r'"(id|player|player_id|user|slug)"', str(data["standing"] + data["tournaments"]))

    @pytest.mark.parametrize("guard", ["public names", "listed alone"])
    def test_without_its_guards_the_cup_would_tell(
        self, people: Cast, cup: Cup, guard: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if guard == "public names":
            nicknames = {
                club.pk: dict(Player.objects.filter(club=club).values_list("pk", "nickname"))
                for club in Club.objects.all()
            }
            monkeypatch.setattr(selectors, "public_names_of", lambda clubs: nicknames)
        else:
            listed_all(cup, people.home.club)
        seen = self.seen(people, cup)
        assert any(secret in seen for secret in self.SECRETS)

    def test_a_pseudonym_is_matched_by_the_own_choice_alone(self, people: Cast, cup: Cup) -> None:
        names = {row.name: row.clubs for row in cup_view(cup).rows}
        assert names["Falke"] == [people.home.club.name]
        assert names["Gerda"] == [people.away.club.name]
        assert set(names["Doppelt"]) == {people.home.club.name, people.away.club.name}
        account = User.objects.get(email="canary@example.org")
        Player.objects.filter(nickname="Gerda").update(user=account)
        assert "Gerda" in {row.name for row in cup_view(cup).rows}
        assert signed_in(account).post(reverse("account-cups"), {"agreed": "on"}).status_code == 303
        names = {row.name: row.clubs for row in cup_view(cup).rows}
        assert "Gerda" not in names
        assert set(names["Falke"]) == {people.home.club.name, people.away.club.name}
        consent.consent_set(user=account, agreed=False)
        assert "Gerda" in {row.name for row in cup_view(cup).rows}

    def test_a_nickname_that_is_no_longer_public_is_parted_at_once(self, people: Cast, cup: Cup) -> None:
        Player.objects.filter(club=people.home.club, nickname="Doppelt").update(publicity=Player.Publicity.INITIALS)
        names = {row.name: row.clubs for row in cup_view(cup).rows}
        assert names["Doppelt"] == [people.away.club.name]
        assert names["D."] == [people.home.club.name]

    def test_people_of_a_club_read_their_own_nickname_beside_the_cup_name(self, people: Cast, cup: Cup) -> None:
        shown = page(signed_in(people.home.member), "cup", people.home, cup.slug)
        assert 'Falke <span class="soft">(Geheimname)</span>' in shown

    def test_a_private_club_shows_its_address_to_nobody(self, people: Cast, cup: Cup) -> None:
        where = reverse("cup", kwargs={"club": people.home.club.slug, "cup": cup.slug})
        assert Client().get(where).status_code == 404
        assert signed_in(people.away.owner).get(where).status_code == 404


def test_a_cup_that_is_not_public_is_for_members_alone(people: Cast) -> None:
    cup = cup_of(people.home.club, people.away.club)
    for house in (people.home, people.away):
        where = reverse("cup", kwargs={"club": house.club.slug, "cup": cup.slug})
        for end in ("", "standing.csv", "results.atom"):
            assert Client().get(where + end).status_code == 404
            assert signed_in(people.stranger).get(where + end).status_code == 404
            assert signed_in(house.member).get(where + end).status_code == 200
        assert Client().get(f"/api/v1/clubs/{house.club.slug}/cups/{cup.slug}").status_code == 404
        assert cup.name not in page(Client(), "cups", house)


def test_without_its_guard_a_visitor_reads_every_cup(people: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = cup_of(people.home.club)
    monkeypatch.setattr(gate, "in_club", lambda access, slug: gate.CupAccess(access, Cup.objects.get(slug=slug)))
    assert cup.name in page(Client(), "cup", people.home, cup.slug)


def test_an_invitation_is_answered_once(people: Cast) -> None:
    cup, away = cup_of(people.home.club), people.away.club
    invitation = services.club_invite(cup=cup, actor=None, short_name=away.slug)
    services.invitation_withdraw(cup=cup, actor=None, number=invitation.number)
    with pytest.raises(Refused) as refused:
        services.invitation_accept(invitation=invitation, club=away, actor=None, public=False)
    assert refused.value.code == "invitation"
    assert [club.name for club in selectors.clubs_of(cup)] == [people.home.club.name]


def test_nothing_comes_into_a_closed_cup_and_a_club_may_leave_it(people: Cast) -> None:
    cup = cup_of(people.home.club, people.away.club)
    owner = signed_in(people.home.owner)
    assert post(owner, "cup-run", people.home, cup.slug, do="close").status_code == 303
    assert post(owner, "cup-run", people.home, cup.slug, do="invite", short_name="adler").status_code == 409
    assert post(owner, "cup-ours", people.home, cup.slug, do="all").status_code == 409
    assert post(signed_in(people.away.owner), "cup-leave", people.away, cup.slug).status_code == 303
    assert post(owner, "cup-run", people.home, cup.slug, do="open").status_code == 303
    assert post(owner, "cup-run", people.home, cup.slug, do="invite", short_name="adler").status_code == 303


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("name", ""), ("name", "x" * 81), ("place_points", "8 10"), ("place_points", "ten"), ("place_points", "")),
        *(("best_of", "0"), ("qualifiers", "1"), ("kind", "hands")),
    ],
)
def test_wrong_rules_are_said_at_their_field_and_nothing_typed_is_lost(people: Cast, field: str, value: str) -> None:
    sent = {"name": "Napf-Cup", "kind": "places", "place_points": "10 8 6", "best_of": "2", "qualifiers": "4"}
    answer = post(signed_in(people.home.owner), "cup-new", people.home, **(sent | {field: value}))
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert "errorlist" in shown
    for name, typed in sent.items():
        if name not in (field, "kind"):
            assert f'value="{typed}"' in shown
    assert not Cup.objects.exists()


def test_what_clubs_agreed_to_does_not_become_public(people: Cast) -> None:
    cup = cup_of(people.home.club)
    services.cup_change(cup=cup, actor=None, basics=Basics(name="Napf-Cup", public=True))
    services.cup_change(cup=cup, actor=None, basics=Basics(name="Napf-Cup"))
    invitation = services.club_invite(cup=cup, actor=None, short_name=people.away.club.slug)
    services.cup_change(cup=cup, actor=None, basics=Basics(name="Napf-Cup", public=True))
    # The page that was read before said something else.
    with pytest.raises(Refused) as refused:
        services.invitation_accept(invitation=invitation, club=people.away.club, actor=None, public=False)
    assert refused.value.code == "public"
    services.cup_change(cup=cup, actor=None, basics=Basics(name="Napf-Cup"))
    services.invitation_accept(invitation=invitation, club=people.away.club, actor=None, public=False)
    with pytest.raises(Refused) as refused:
        services.cup_change(cup=cup, actor=None, basics=Basics(name="Napf-Cup", public=True))
    assert refused.value.code == "public"


def test_an_invitation_tells_nothing_of_a_club_that_does_not_exist(people: Cast) -> None:
    Club.objects.filter(pk=people.away.club.pk).update(visibility="private")
    cup, owner = cup_of(people.home.club), signed_in(people.home.owner)
    answers = []
    for name in (people.away.club.slug, "no-such-club"):
        answer = post(owner, "cup-run", people.home, cup.slug, do="invite", short_name=name)
        shown = page(owner, "cup-run", people.home, cup.slug)
        answers.append((answer.status_code, shown.replace(name, "X").count("X</b>"), people.away.club.name in shown))
    assert answers[0][0] == answers[1][0] == 303
    assert not answers[0][2]
    assert not answers[1][2]
    assert answers[1][1] >= 1


def test_a_code_works_once_and_only_as_an_invitation(people: Cast) -> None:
    cup, owner, other = cup_of(people.home.club), signed_in(people.home.owner), signed_in(people.away.owner)
    shown = post(owner, "cup-run", people.home, cup.slug, do="code").content.decode()
    match = re.search(r'cup-code num">([^<]+)<', shown)
    assert match is not None
    code = match.group(1)
    assert code not in page(owner, "cup-run", people.home, cup.slug)
    assert not CupInvitation.objects.filter(code_digest__contains=code).exists()
    assert post(other, "cup-join", people.away, code="wrong").status_code == 422
    assert post(other, "cup-join", people.away, code=code.lower().replace("-", " ")).status_code == 303
    assert post(other, "cup-join", people.away, code=code).status_code == 422
    assert [club.name for club in selectors.clubs_of(cup)] == [people.home.club.name]
    assert post(other, "cup-invitation", people.away, cup.slug, do="decline").status_code == 303
    assert post(other, "cup-invitation", people.away, cup.slug, do="accept", public="0").status_code == 404


def test_another_club_runs_nothing_of_a_cup(people: Cast) -> None:
    cup, other = cup_of(people.home.club, people.away.club), signed_in(people.away.owner)
    for name in ("cup-run", "cup-rules"):
        assert post(other, name, people.away, cup.slug, do="close").status_code == 404
    foreign = finished(people.home.club, people_in(people.home.club, *"ABCDEF"))
    sent = {"do": "tournaments", "tournament": [foreign.slug]}
    assert post(other, "cup-ours", people.away, cup.slug, **sent).status_code == 422
    player = Player.objects.filter(club=people.home.club).earliest("pk")
    with pytest.raises(Refused):
        services.players_set(cup=cup, club=people.away.club, actor=None, places={player.pk: 0})


def test_a_practice_club_takes_part_in_no_cup(people: Cast) -> None:
    practice = Club.objects.create(slug="ueben", name="Üben", visibility="private", practice_until=timezone.localdate())
    cup = cup_of(people.home.club)
    invitation = services.club_invite(cup=cup, actor=None, short_name="ueben")
    for refused in (
        lambda: services.cup_create(club=practice, actor=None, basics=Basics(name="X")),
        lambda: services.invitation_accept(invitation=invitation, club=practice, actor=None, public=False),
    ):
        with pytest.raises(Refused) as caught:
            refused()
        assert caught.value.code == "practice"


def test_only_a_finished_tournament_of_the_right_kind_counts(people: Cast) -> None:
    home = people.home.club
    players = people_in(home, *"ABCDEF")
    first, two = finished(home, players, name="Eins"), finished(home, players, seed=5, name="Zwei", result="placing")
    cup = cup_of(home, kind="chips", place_points=())
    counted(cup, first, two)
    view = cup_view(cup)
    assert [(each.name, each.counts) for each in view.tournaments] == [("Eins", True), ("Zwei", False)]
    line = ranking_of(first).lines[0]
    assert view.rows[0].line.points == line.before
    tournaments.tournament_reopen(tournament=first, author=None, owner=True, reason="wrong sheet")
    shown = page(signed_in(people.home.member), "cup", people.home, cup.slug)
    assert "not finished" in shown
    assert "another kind of result" in shown
    assert not cup_view(cup).rows


@pytest.mark.both_databases
def test_rankings_of_several_tournaments_are_those_of_each(people: Cast) -> None:
    home = people.home.club
    players = people_in(home, *"ABCDEFG")
    made = [finished(home, players, seed=seed, result=result) for seed, result in ((1, "chips"), (4, "placing"))]
    assert rankings_of(made) == {tournament.pk: ranking_of(tournament) for tournament in made}


def test_a_page_needs_as_many_queries_for_three_tournaments_as_for_one(
    people: Cast,
) -> None:
    home = people.home.club
    players = people_in(home, *"ABCDEF")
    cup = cup_of(home)
    made = [finished(home, players)]
    counted(cup, *made)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            cup_view(cup)
        return len(captured)

    few = queries()
    more = [*players, *people_in(home, *"GHIKLM")]
    made += [finished(home, more, seed=4), finished(home, more, seed=8)]
    counted(cup, *made)
    assert queries() == few <= 12


class TestPeople:
    """What happens to people of the list."""

    def test_who_is_forgotten_is_off_the_list(self, people: Cast) -> None:
        home, away = people.home.club, people.away.club
        ours, theirs = people_in(home, *"ABCDEF"), people_in(away, *"ABCDEF")
        cup = cup_of(home, away)
        counted(cup, finished(home, ours), finished(away, theirs, seed=3))
        matched(cup, theirs[0], ours[0])
        forgetting.player_forget(player=ours[0], actor=None)
        rows = {(row.name, *row.clubs) for row in cup_view(cup).rows}
        assert ("A", away.name) in rows
        assert len(rows) == 11
        forgetting.player_forget(player=ours[1], actor=None)
        assert not CupPlayer.objects.filter(player=ours[1]).exists()
        assert CupPerson.objects.filter(cup=cup, players=None).count() == 0

    def test_merging_moves_the_place_on_the_list(self, people: Cast) -> None:
        home = people.home.club
        players = people_in(home, *"ABCDEF")
        main = player_of(home, "Anna")
        cup = cup_of(home)
        counted(cup, finished(home, players))
        before = {row.name: row.line.rank for row in cup_view(cup).rows}
        players_merge(club=home, player=players[0], main=main, reason="one", actor=None)
        after = {row.name: row.line.rank for row in cup_view(cup).rows}
        assert after == {("Anna" if name == "A" else name): rank for name, rank in before.items()}

    def test_a_person_has_one_player_of_a_club(self, people: Cast) -> None:
        home = people.home.club
        players = people_in(home, *"ABCDEF")
        cup = cup_of(home)
        counted(cup, finished(home, players))
        with pytest.raises(Refused) as refused:
            matched(cup, players[0], players[1])
        assert refused.value.code == "person"


class TestFinal:
    """The tournament of the final."""

    def test_the_qualified_people_are_entered(self, people: Cast) -> None:
        home, away = people.home.club, people.away.club
        ours = people_in(home, "Anna", "Beni", "Carla", "Doris", "Emil", "Fritz")
        theirs = people_in(away, "Anna", "Gerda", "Heiri", "Ida", "Jakob", "Karl")
        cup = cup_of(home, away, qualifiers=6)
        counted(cup, finished(home, ours), finished(away, theirs, seed=3))
        qualified = cup_view(cup).qualified
        sent = {"do": "final", "starts_on": "2026-12-12"}
        answer = post(signed_in(people.home.owner), "cup-run", people.home, cup.slug, **sent)
        assert answer.status_code == 303
        cup.refresh_from_db()
        final = cup.final
        assert final is not None
        assert answer["Location"].endswith(f"/{final.slug}/desk/")
        entered = {entrant.player for entrant in final.entrants.select_related("player")}
        assert len(entered) == len(qualified) >= 6
        own = {row.name for row in qualified if row.clubs == [home.name]}
        assert {player.nickname for player in entered if player in ours} == own
        guests = {player.nickname for player in entered if player not in ours}
        others = {row.name for row in qualified if row.clubs == [away.name]}
        assert guests == {f"Anna ({away.name})" if name == "Anna" else name for name in others}
        with pytest.raises(Refused) as refused:
            final_make(cup=cup, actor=None, starts_on=date(2026, 12, 12))
        assert refused.value.code == "final"
