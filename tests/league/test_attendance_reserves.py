"""Reserves of who comes: whose turn it is, who may answer, the list and its page, and what the pages show."""

from __future__ import annotations

from datetime import time, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from league.attendance import selectors
from league.attendance.link import link_renew, token_of
from league.attendance.reserves import MOST, reserve_do, reserves_set
from league.attendance.services import answer_set
from league.audit import sentences
from league.errors import Refused
from league.models import Attendance, AuditEntry, PlannedEvening, Player, Reserve
from league.privacy.forgetting import player_forget
from league.privacy.personal_data_export import PARTS, _rows
from league.roster.merging import players_merge
from tests.cast import Cast, House
from tests.clients import reader, shown
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db
REGULARS, RESERVES = ("Anna", "Beni", "Carlo", "Doris"), ("Res", "Ruth", "Reto")


@pytest.fixture
def evening(home: House) -> PlannedEvening:
    day = timezone.localdate() + timedelta(days=7)
    values: dict[str, Any] = {"held_on": day, "begins_at": time(20), "least_players": 3}
    return PlannedEvening.objects.create(club=home.club, season=home.season, **values)


@pytest.fixture
def players(home: House) -> dict[str, Player]:
    """The players of the club by name; the last three are its reserves in this order."""
    people = {name: PlayerFactory(club=home.club, nickname=name) for name in (*REGULARS, *RESERVES)}
    reserves_set(club=home.club, players=[people[name].pk for name in RESERVES], actor=home.recorder)
    return people


def say(evening: PlannedEvening, players: dict[str, Player], **answers: str) -> list[str]:
    """Enter answers as a recorder does; return the reserves whose turn it is then."""
    for name, answer in answers.items():
        answer_set(planned=evening, player=players[name], answer=answer, actor=None, recorder=True)
    return [turn.nickname for turn in selectors.answers_to([evening])[evening.pk].turns]


def page_of(evening: PlannedEvening) -> str:
    where = {"club": evening.club.slug, "season": evening.season.slug, "planned": evening.pk}
    return reverse("planned-coming", kwargs=where)


# --- Whose turn it is --------------------------------------------------------------------------------------


def test_a_reserve_is_asked_once_somebody_says_no_and_too_few_come(evening, players):
    assert say(evening, players) == []
    assert say(evening, players, Anna="yes", Beni="yes") == []
    assert say(evening, players, Doris="open") == []
    assert say(evening, players, Carlo="no") == ["Res"]
    # Enough come without the reserve.
    assert say(evening, players, Doris="yes") == []


def test_whoever_says_no_passes_it_on_and_whoever_says_yes_ends_it(evening, players):
    assert say(evening, players, Anna="yes", Beni="yes", Carlo="no") == ["Res"]
    assert say(evening, players, Res="open") == ["Res"]
    assert say(evening, players, Res="no") == ["Ruth"]
    assert say(evening, players, Ruth="yes") == []
    # One for each player who is not coming, as long as fewer come than the least number.
    assert say(evening, players, Beni="no") == ["Reto"]
    assert say(evening, players, Reto="no") == []


def test_as_many_are_asked_as_are_missing(evening, players):
    assert say(evening, players, Anna="yes", Beni="no", Carlo="no") == ["Res", "Ruth"]
    assert say(evening, players, Doris="yes") == ["Res"]


def test_without_a_least_number_nobody_is_asked(evening, players):
    PlannedEvening.objects.update(least_players=None)
    evening.refresh_from_db()
    assert say(evening, players, Anna="no", Beni="no") == []


def test_whoever_left_the_roster_is_not_asked(evening, players):
    Player.objects.filter(pk=players["Res"].pk).update(active=False)
    assert say(evening, players, Anna="no") == ["Ruth"]


# --- Who may answer ----------------------------------------------------------------------------------------


def refusal(evening: PlannedEvening, player: Player, **more: Any) -> tuple[int, str]:
    with translation.override("en"):
        try:
            answer_set(planned=evening, player=player, answer="yes", actor=None, **more)
        except Refused as refused:
            return refused.status, refused.sentence
    return 0, ""


@pytest.mark.both_databases
def test_a_reserve_answers_only_in_turn_and_a_recorder_enters_it_at_any_time(evening, players):
    not_yet = (409, "Res is a reserve, and is asked when somebody is missing.")
    assert refusal(evening, players["Res"]) == not_yet
    say(evening, players, Anna="no")
    assert refusal(evening, players["Ruth"])[0] == 409
    assert refusal(evening, players["Res"]) == (0, "")
    # Who has answered may change it.
    say(evening, players, Anna="yes", Beni="yes", Carlo="yes")
    assert refusal(evening, players["Res"]) == (0, "")
    assert refusal(evening, players["Ruth"])[0] == 409
    assert refusal(evening, players["Ruth"], recorder=True) == (0, "")


def test_without_the_guard_a_reserve_answers_before_the_turn(evening, players, monkeypatch):
    assert refusal(evening, players["Res"])[0] == 409
    monkeypatch.setattr("league.attendance.selectors.Answers.asks", lambda _answers, _player: True)
    assert refusal(evening, players["Res"]) == (0, "")


def test_the_pages_ask_a_reserve_only_in_turn(home, evening, players):
    Player.objects.filter(pk=players["Res"].pk).update(user=home.member)
    member, url = reader(home.member), page_of(evening)
    link = reverse(
        "coming-link",
        kwargs={"club": home.club.slug, "token": token_of(link_renew(player=players["Res"], actor=None))},
    )

    def asked() -> list[bool]:
        pages = [member.get(url), member.get(home.club.get_absolute_url()), reader().get(link)]
        return ['name="answer"' in page.content.decode() for page in pages]

    assert asked() == [False, False, False]
    assert "asked when somebody is missing" in shown(member.get(url).content.decode())
    assert "asked when somebody is missing" in shown(reader().get(link).content.decode())
    for client, sent in ((member, {"player": players["Res"].pk}), (reader(), {"planned": evening.pk})):
        refused = client.post(url if client is member else link, {**sent, "answer": "yes"})
        assert refused.status_code == 409
    say(evening, players, Anna="no")
    assert asked() == [True, True, True]
    assert reader().post(link, {"planned": evening.pk, "answer": "no"}).status_code == 303
    assert Attendance.objects.get(player=players["Res"]).answer == "no"


def test_a_recorder_sees_who_is_to_be_asked_with_a_text_to_share(home, evening, players):
    Player.objects.filter(pk=players["Ruth"].pk).update(user=home.member)
    recorder, url = reader(home.recorder), page_of(evening)
    assert "To be asked" not in recorder.get(url).content.decode()
    token = token_of(link_renew(player=players["Res"], actor=None))
    say(evening, players, Anna="no", Beni="no", Carlo="no")
    texts = {player.nickname: text for player, text in recorder.get(url).context["to_ask"]}
    assert list(texts) == ["Res", "Ruth", "Reto"]
    assert texts["Res"].endswith(f"Answer here: http://testserver/c/{home.club.slug}/coming/{token}/")
    assert texts["Ruth"].endswith(f"Answer here: http://testserver{url}")
    assert texts["Reto"].endswith("Are you coming?")
    page = reader(home.member).get(url)
    assert (page.context["to_ask"], token in page.content.decode()) == ([], False)
    entered = recorder.post(url, {"player": players["Reto"].pk, "answer": "no"})
    assert entered["Location"] == f"{url}#player-{players['Reto'].pk}"
    PlannedEvening.objects.update(cancelled_at=timezone.now())
    assert recorder.get(url).context["to_ask"] == []


# --- The list ----------------------------------------------------------------------------------------------


def names(home: House) -> list[str]:
    return [player.nickname for player in selectors.reserves_of([home.club.pk])]


def test_the_list_is_changed_one_by_one(home, players):
    for do, name, after in (
        ("add", "Anna", ["Res", "Ruth", "Reto", "Anna"]),
        ("add", "Anna", ["Res", "Ruth", "Reto", "Anna"]),
        ("up", "Anna", ["Res", "Ruth", "Anna", "Reto"]),
        ("up", "Res", ["Res", "Ruth", "Anna", "Reto"]),
        ("remove", "Ruth", ["Res", "Anna", "Reto"]),
        ("remove", "Ruth", ["Res", "Anna", "Reto"]),
    ):
        reserve_do(club=home.club, player=players[name], do=do, actor=home.recorder)
        assert names(home) == after
    # One entry for each change, and one for the list of the fixture.
    assert AuditEntry.objects.filter(what="club_changed").count() == 4
    with translation.override("en"):
        line = sentences.lines_of(AuditEntry.objects.select_related("actor"))[0]
    assert line.sentence == "Recorder changed the list of reserves."


def test_the_list_has_players_of_the_roster_once_and_not_too_many(people: Cast, home, players):
    foreign = PlayerFactory(club=people.away.club)
    gone = PlayerFactory(club=home.club, active=False)
    merged = PlayerFactory(club=home.club, main=players["Anna"])
    anna = players["Anna"].pk
    more = [PlayerFactory(club=home.club).pk for _each in range(MOST + 1)]
    for wrong, path in (
        ([foreign.pk], "players.0"),
        ([anna, gone.pk], "players.1"),
        ([merged.pk], "players.0"),
        ([anna, anna], "players"),
        (more, "players"),
    ):
        with pytest.raises(Refused) as refused:
            reserves_set(club=home.club, players=wrong, actor=None)
        assert (refused.value.status, refused.value.at) == (422, path)
    assert names(home) == list(RESERVES)
    reserves_set(club=home.club, players=more[:MOST], actor=None)
    assert Reserve.objects.count() == MOST


def test_the_list_of_another_club_stays(people: Cast, home, players):
    away = people.away
    other = PlayerFactory(club=away.club, nickname="Other")
    reserves_set(club=away.club, players=[other.pk], actor=None)
    reserves_set(club=home.club, players=[], actor=None)
    assert (names(home), names(away)) == ([], ["Other"])


def test_a_recorder_changes_the_list_on_its_page(people: Cast, home, players):
    url, recorder = reverse("club-reserves", kwargs={"club": home.club.slug}), reader(home.recorder)
    assert shown(recorder.get(url).content.decode()).index("Res") < shown(recorder.get(url).content.decode()).index(
        "Ruth"
    )
    assert recorder.post(url, {"do": "up", "player": players["Ruth"].pk}).status_code == 303
    assert names(home) == ["Ruth", "Res", "Reto"]
    foreign = PlayerFactory(club=people.away.club)
    for sent in ({"do": "add", "player": foreign.pk}, {"do": "add", "player": "x"}, {"do": "x", "player": 1}, {}):
        assert recorder.post(url, sent).status_code == 422
    assert reader(home.member).post(url, {"do": "remove", "player": players["Ruth"].pk}).status_code == 403
    assert names(home) == ["Ruth", "Res", "Reto"]


def test_the_list_follows_merging_forgetting_and_the_persons_data(home, players):
    Player.objects.filter(pk=players["Res"].pk).update(user=home.member)
    part = next(each for each in PARTS if each.name == "reserves")
    (row,) = _rows(home.member, part)
    assert (row["player_id"], row["place"]) == (players["Res"].pk, 1)
    about = {"club": home.club, "reason": "the same", "actor": None}
    players_merge(player=players["Reto"], main=players["Anna"], **about)
    assert names(home) == ["Res", "Ruth", "Anna"]
    players_merge(player=players["Ruth"], main=players["Anna"], **about)
    assert names(home) == ["Res", "Anna"]
    player_forget(player=players["Res"], actor=None)
    assert names(home) == ["Anna"]
    assert Reserve.objects.count() == 1
