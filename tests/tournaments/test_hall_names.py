"""Names in the hall: shown by the desk's choice while the tournament runs, never those of people who refused; and the
search by exact name, which names nobody."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import AuditEntry, Club, Entrant, Player, Tournament, User
from league.privacy.forgetting import player_forget
from league.privacy.tasks import tidy
from league.tournaments import entries, hall, services
from league.tournaments.entries import Newcomer
from tests.cast import House, house
from tests.clients import forget_pages
from tests.factories import PlayerFactory, UserFactory
from tests.page_forms import form_with
from tests.tournaments.played_tournaments import drawn_round, made_tournament, play_round, with_entrants
from tests.tournaments.rounds import hand_in

pytestmark = pytest.mark.django_db

PAGES = ("tournament", "tournament-seat", "tournament-screen")
NAMES = {1: "Wendelin", 2: "Leonie  Graf", 3: "Xaver", 4: "Yannick"}


@pytest.fixture(autouse=True)
def no_kept_page() -> None:
    forget_pages()


@pytest.fixture
def played(home) -> Tournament:
    """A tournament in its first round; number 3 refused, number 4 has a pseudonym, nobody agreed to a public name."""
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, 8)
    for number, name in NAMES.items():
        Player.objects.filter(entries__tournament=tournament, entries__number=number).update(nickname=name)
    Player.objects.filter(nickname="Yannick").update(publicity=Player.Publicity.PSEUDONYM, pseudonym="Zorro")
    entries.hide_name(tournament=tournament, author=None, number=3)
    drawn_round(tournament, None)
    return Tournament.objects.get(pk=tournament.pk)


def show(tournament: Tournament, *, shown: bool = True) -> None:
    services.names_show(tournament=tournament, author=None, shown=shown)


def address(name: str, tournament: Tournament, **more: Any) -> str:
    return reverse(name, kwargs={"club": tournament.club.slug, "tournament": tournament.slug, **more})


def get(name: str, tournament: Tournament, **query: str) -> Any:
    return Client(headers={"accept-language": "en"}).get(address(name, tournament), query)


def names_on(name: str, tournament: Tournament) -> set[str]:
    body = get(name, tournament).content.decode()
    return {nickname for nickname in (*NAMES.values(), "Zorro") if nickname in body}


def find(tournament: Tournament, who: str) -> dict[str, Any]:
    return dict(get("tournament-seat-find", tournament, who=who).json())


def test_names_are_shown_only_after_the_desk_chose_so_and_never_of_people_who_refused(played):
    assert {name: names_on(name, played) for name in PAGES} == {name: {"Zorro"} for name in PAGES}
    show(played)
    shown = {"Wendelin", "Leonie  Graf", "Zorro"}
    assert {name: names_on(name, played) for name in PAGES} == dict.fromkeys(PAGES, shown)
    entries.hide_name(tournament=played, author=None, number=1)
    assert all("Wendelin" not in names_on(name, played) for name in PAGES), "a page that was kept before"
    show(played, shown=False)
    assert {name: names_on(name, played) for name in PAGES} == {name: {"Zorro"} for name in PAGES}


def test_names_are_shown_from_the_first_draw_until_the_tournament_is_finished(home):
    tournament = made_tournament(home.club, None, rounds=1)
    show(tournament)
    entries.enter(tournament=tournament, author=None, people=[Newcomer(nickname="Wendelin", here=True)])
    with_entrants(tournament, None, 8)
    assert names_on("tournament", tournament) == set(), "no draw is published"
    play_round(tournament, None)
    assert names_on("tournament", tournament) == {"Wendelin"}
    services.tournament_finish(tournament=tournament, author=None)
    assert names_on("tournament", tournament) == set()
    services.tournament_reopen(tournament=tournament, author=None, owner=True, reason="A sheet was wrong.")
    assert names_on("tournament", tournament) == set(), "a correction months later shows nobody"


def test_a_tournament_that_nobody_finished_shows_no_names_days_later(played):
    show(played)
    today = timezone.localdate()
    Tournament.objects.filter(pk=played.pk).update(starts_on=today - timedelta(days=9), ends_on=today)
    tidy()
    assert "Wendelin" in names_on("tournament", played)
    Tournament.objects.filter(pk=played.pk).update(ends_on=today - timedelta(days=hall.FORGOTTEN_DAYS + 1))
    tidy()
    assert names_on("tournament", played) == {"Zorro"}


def test_who_was_replaced_is_no_longer_in_the_hall(played):
    show(played)
    entries.substitute(tournament=played, author=None, number=1, newcomer=Newcomer(nickname="Kunigunde"))
    body = get("tournament", played).content.decode()
    assert "Kunigunde" in body
    assert "Wendelin" not in body


def test_the_api_the_rounds_evening_and_the_clock_keep_public_names(played):
    show(played)
    hand_in(played.rounds.get(), 1, (2, -2, 0, 0))
    where = {"club": played.club.slug, "tournament": played.slug}
    evening = {"club": played.club.slug, "evening": played.rounds.get().evening_id}
    urls = [reverse(name, kwargs=where) for name in ("api-tournament", "api-entrants", "api-rounds", "api-draws")]
    urls += [reverse("api-tournament-ranking", kwargs=where), reverse("evening", kwargs=evening)]
    urls += [address("tournament-clock", played)]
    for url in urls:
        answer = Client().get(url)
        assert answer.status_code == 200, url
        assert not [name for name in NAMES.values() if name in answer.content.decode()], url


@pytest.mark.parametrize("typed", ["Wendelin", "  wendelin ", "leonie graf", "LÉONIE GRAF", "Leonie   Gräf"])
def test_the_exact_name_finds_the_start_number_of_a_guest_and_names_nobody(played, typed):
    answer = find(played, typed)
    assert answer["number"] == (1 if "endelin" in typed else 2)
    assert not [name for name in NAMES.values() if name in str(answer)]
    body = get("tournament-seat", played, who=typed).content.decode()
    assert 'class="big">Table' in body, "without a script"


@pytest.mark.parametrize("typed", ["Wendel", "Leonie", "Xaver", "Yannick", "", "3", "%", "Wendelin Graf"])
def test_a_part_of_a_name_and_people_who_refused_or_have_a_pseudonym_are_not_found(played, typed):
    assert find(played, typed) == {"number": None, "says": ""}


def test_of_two_with_the_same_name_none_is_chosen(played):
    Player.objects.filter(entries__tournament=played, entries__number=5).update(nickname="Leonie Graf")
    answer = find(played, "leonie graf")
    assert answer["number"] is None
    assert "Several people" in answer["says"]
    entries.hide_name(tournament=played, author=None, number=5)
    assert "Several people" in find(played, "leonie graf")["says"], "else one sits down at the table of the other"


def test_who_was_forgotten_or_merged_into_a_pseudonym_or_withdrew_before_the_first_round_is_not_found(home):
    tournament = made_tournament(home.club, None)
    with_entrants(tournament, None, 5)
    assert [find(tournament, f"G{number}")["number"] for number in (1, 2, 3, 4)] == [1, 2, 3, 4]
    players = {number: Player.objects.get(entries__tournament=tournament, entries__number=number) for number in (1, 2)}
    player_forget(player=players[1], actor=None)
    main = PlayerFactory(club=home.club, publicity=Player.Publicity.PSEUDONYM, pseudonym="Zorro")
    Player.objects.filter(pk=players[2].pk).update(main=main)
    entries.withdraw(tournament=tournament, author=None, number=3)
    Player.objects.filter(entries__tournament=tournament, entries__number=5).update(publicity=Player.Publicity.NOBODY)
    forgotten = Player.objects.get(pk=players[1].pk).nickname
    asked = (forgotten, "G2", "G3", "G4", "G5")
    assert [find(tournament, name)["number"] for name in asked] == [None, None, None, 4, None]


def test_names_are_not_guessed_without_an_end(played, monkeypatch):
    monkeypatch.setattr(hall, "WRONG_NAMES", hall.sign_in_limits.Limit(3, 600))
    for guess in ("Anna", "Beni", "Carlo"):
        assert find(played, guess)["number"] is None
    answer = get("tournament-seat-find", played, who="Wendelin")
    assert answer.status_code == 429
    assert answer.json()["number"] is None
    assert "Too many names" in get("tournament-seat", played, who="Quirin").content.decode()
    assert 'class="big">Table' in get("tournament-seat", played, who="1").content.decode(), "numbers work"


def test_right_names_are_limited_too(played, monkeypatch):
    """Else a list of the village is tried name by name, with a right one between every two."""
    monkeypatch.setattr(hall, "NAMES", hall.sign_in_limits.Limit(3, 600))
    assert [find(played, "Wendelin")["number"] for _ in range(3)] == [1, 1, 1]
    assert get("tournament-seat-find", played, who="Wendelin").status_code == 429


def test_after_the_end_nobody_is_found_by_name(home):
    tournament = made_tournament(home.club, None, rounds=1)
    with_entrants(tournament, None, 8)
    play_round(tournament, None)
    assert find(tournament, "G1")["number"] == 1
    services.tournament_finish(tournament=tournament, author=None)
    assert find(tournament, "G1")["number"] is None


def test_the_desk_switches_names_on_and_notes_who_refuses(desk):
    assert "Visitors see initials in the hall" in desk.get()
    desk.do("tournament-setup", "names", names="yes")
    assert "Names are shown in the hall" in desk.get()
    assert "Names are shown in the hall" in desk.get("tournament-setup")
    desk.do("tournament-entrants", "name", number=2, hidden="yes")
    desk.post("tournament-entrants", {"names": "Urs", "name_hidden": "on"})
    refused = Entrant.objects.exclude(name_hidden_since=None)
    assert list(refused.values_list("number", flat=True).order_by("number")) == [2, 9]
    desk.post("tournament-entrant", {"do": "name", "hidden": "no"}, number=2)
    assert list(refused.values_list("number", flat=True)) == [9]


def client_of(person: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(person)
    return client


@pytest.fixture
def entered(played: Tournament, home: House) -> User:
    """The member, who is entered as Wendelin. Names are shown."""
    Player.objects.filter(club=home.club, nickname="Wendelin").update(user=home.member)
    show(played)
    return home.member


def hidden(tournament: Tournament) -> list[int]:
    entrants = Entrant.objects.filter(tournament=tournament).exclude(name_hidden_since=None)
    return list(entrants.values_list("number", flat=True).order_by("number"))


@pytest.mark.parametrize("page", ["tournament", "tournament-seat"])
def test_who_is_entered_says_no_and_yes_without_the_desk(played, entered, page):
    client, there = client_of(entered), address(page, played)
    assert "In the hall everybody sees your nickname." in client.get(there).content.decode()
    answer = form_with(client.get(there), "from").submit(client, "Do not show my name")
    assert (answer.status_code, answer.headers["Location"]) == (303, there)
    assert hidden(played) == [1, 3]
    assert all("Wendelin" not in names_on(name, played) for name in PAGES)
    assert find(played, "Wendelin")["number"] is None
    written = AuditEntry.objects.filter(club=played.club).latest("pk")
    assert (written.actor, written.data["did"]) == (entered, "name_hidden")
    assert "no search by name finds you" in client.get(there).content.decode()
    form_with(client.get(there), "from").submit(client, "My name may be shown")
    assert hidden(played) == [3]
    assert all("Wendelin" in names_on(name, played) for name in PAGES)


def test_nobody_chooses_for_another_entrant(played, entered, home):
    """Only entrants of the own account change, whatever else is sent; without one a member and a stranger get 403, a
    visitor is asked to sign in. An owner gets a sentence, and uses the desk."""
    other = house("sternen")
    Player.objects.filter(club=home.club, nickname="Xaver").update(user=other.member)
    stranger = UserFactory(email="stranger@example.org")
    there, sent = address("tournament-own-name", played), {"hidden": "yes", "number": 2}
    asked = [(home.recorder, 403), (home.owner, 303), (home.treasurer, 303), (stranger, 403), (other.member, 403)]
    for person, status in asked:
        client = client_of(person)
        assert client.post(there, sent | {"hidden": "no"}).status_code == status
        assert client.post(there, sent).status_code == status
        assert "Do not show my name" not in client.get(address("tournament", played)).content.decode()
    assert "/login/" in Client().post(there, sent).headers["Location"]
    assert hidden(played) == [3]
    assert "You are not entered in Cup." in client_of(home.owner).post(there, sent, follow=True).content.decode()
    assert client_of(entered).post(there, sent).status_code == 303
    assert hidden(played) == [1, 3]
    assert client_of(entered).get(there).status_code == 405


def test_the_own_name_of_another_club_and_of_a_private_one_is_not_found(played, entered, home):
    other = house("sternen")
    there = address("tournament-own-name", played)
    assert client_of(entered).post(there.replace("roessli", "sternen"), {"hidden": "yes"}).status_code == 404
    Club.objects.filter(pk=home.club.pk).update(visibility="private")
    for person in (other.owner, other.member, UserFactory(email="stranger@example.org")):
        assert client_of(person).post(there, {"hidden": "yes"}).status_code == 404
    assert hidden(played) == [3]


def test_a_substitute_gets_no_choice_of_the_one_before(played, entered):
    """The choice was sent while the desk replaced the entrant."""
    own = Player.objects.get(user=entered).pk
    entries.substitute(tournament=played, author=None, number=1, newcomer=Newcomer(nickname="Kunigunde"))
    entries.hide_name(tournament=played, author=entered, number=1, only={own})
    assert hidden(played) == [3]
    assert client_of(entered).post(address("tournament-own-name", played), {"hidden": "yes"}).status_code == 403


def test_the_own_name_is_chosen_until_the_end_and_not_by_who_was_struck(home):
    tournament = made_tournament(home.club, None, rounds=1)
    with_entrants(tournament, None, 8)
    Player.objects.filter(club=home.club, nickname__in=["G1", "G8"]).update(user=home.member)
    client, there = client_of(home.member), address("tournament", tournament)
    entries.withdraw(tournament=tournament, author=None, number=8)
    assert "The desk can show nicknames in the hall" in client.get(there).content.decode()
    client.post(address("tournament-own-name", tournament), {"hidden": "yes"})
    assert hidden(tournament) == [1]
    play_round(tournament, None)
    services.tournament_finish(tournament=tournament, author=None)
    assert "own-name" not in client.get(there).content.decode()
    client.post(address("tournament-own-name", tournament), {"hidden": "no"})
    assert hidden(tournament) == [1]


def test_a_new_tournament_shows_no_names_unless_that_is_ticked(people):
    from tests.tournaments.desk_pages import Desk

    for ticked, more in ((False, {}), (True, {"names_shown": "on"})):
        Tournament.objects.all().update(slug=f"before-{ticked}")
        Desk(people).create(**more)
        made = Tournament.objects.get(slug="klausturnier")
        assert (made.names_shown_since is not None) == ticked
