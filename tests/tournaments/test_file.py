"""The file of a tournament: exported from one club, imported into another, with the same ranking; refused after a
change."""

from __future__ import annotations

import gzip
import json
import uuid
from typing import Any

import pytest

from games.evening.house_rules import house_rules_set
from games.integrity import verify
from games.models import Hand, Table
from games.seating.changes import NameDealer
from games.seating.services import carry_out
from league.errors import Refused
from league.models import Entrant, HouseRules, Player, Round, Tournament
from league.tournaments import entries, rounds, services, sheets
from league.tournaments.draw_services import draw_again, draw_propose, draw_publish, draw_swap
from league.tournaments.file import canonical, export, importing, reading
from league.tournaments.results import ranking_of
from tests.cell_checks import try_each_cell
from tests.factories import FAILED, MADE, PASSED_OUT, ClubFactory, PlayerFactory, enter, void
from tests.tournaments.played_tournaments import made_tournament, play_round, with_entrants
from tests.tournaments.rounds import table_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("en", "read_here")]


def file_of(tournament: Tournament) -> bytes:
    return "".join(canonical.written(export.content_of(tournament))).encode()


def content_of(data: bytes) -> tuple[reading.Content, str]:
    read, sha256 = canonical.read(data)
    return reading.content_of(read), sha256


def imported(data: bytes, club: Any) -> Tournament:
    content, sha256 = content_of(data)
    return importing.tournament_import(club=club, author=None, content=content, sha256=sha256)


def shown(tournament: Tournament) -> list[tuple[Any, ...]]:
    """The ranking as it is read: place, number, nickname, total and rounds."""
    names = dict(tournament.entrants.values_list("number", "player__nickname"))
    return [(line.rank, line.number, names[line.number], line.total) for line in ranking_of(tournament).lines]


def comparable(tournament: Tournament) -> dict[str, Any]:
    content = export.content_of(tournament)
    for each in content["rounds"]:
        # Its clock runs on between two files.
        each.update({"elapsed_seconds": 0} if each["state"] == "playing" else {})
    return {name: value for name, value in content.items() if name not in ("club", "written_at", "house_rules")}


@pytest.fixture
def running() -> Tournament:
    """Two rounds by sheets, one by hands with a substitute, one that is drawn."""
    tournament = made_tournament(ClubFactory(slug="there"), None, rounds=4, hands=3)
    with_entrants(tournament, None, 9)
    entries.describe(tournament=tournament, author=None, number=2, labels=["Uri"], team="Föhn")
    entries.mark_paid(tournament=tournament, author=None, number=3)
    play_round(tournament, None, seed=1)
    entries.substitute(tournament=tournament, author=None, number=4, newcomer=entries.Newcomer(nickname="Ersatz"))
    play_hands(tournament, 2)
    rounds.round_finish(tournament=tournament, author=None, number=2, despite_open=True)
    play_hands(tournament, 3)
    return Tournament.objects.get(pk=tournament.pk)


def play_hands(tournament: Tournament, seed: int) -> Round:
    drawn = draw_propose(tournament=tournament, author=None, seed=seed)
    current = draw_publish(tournament=tournament, author=None, proposed=drawn)
    rounds.round_start(tournament=tournament, author=None, number=current.number)
    for pk in Table.objects.filter(evening=current.evening).order_by("number").values_list("pk", flat=True):
        for record in (MADE, FAILED, PASSED_OUT):
            enter(Table.objects.select_related("evening__club", "evening__house_rules").get(pk=pk), record)
    return current


@pytest.mark.both_databases
@pytest.mark.services
def test_a_file_imported_elsewhere_gives_the_same_tournament(running):
    before, ranking = comparable(running), shown(running)
    there = imported(file_of(running), ClubFactory(slug="here"))
    assert there.club.slug == "here"
    assert comparable(there) == before
    assert shown(there) == ranking
    assert Hand.objects.filter(table__evening__season=there.season).count() == 3 * 2 * 2
    assert Entrant.objects.get(tournament=there, number=4).substitutions.count() == 1
    assert list(verify.differences()) == []


@pytest.mark.services
def test_a_running_tournament_goes_on_where_it_was_imported(running):
    there = imported(file_of(running), ClubFactory())
    assert there.state == Tournament.State.RUNNING
    rounds.clock_resume(tournament=there, author=None, number=3)
    rounds.round_finish(tournament=there, author=None, number=3)
    play_round(there, None, seed=4)
    rounds.round_finish(tournament=running, author=None, number=3)
    play_round(running, None, seed=4)
    assert shown(there) == shown(running)
    assert list(verify.differences()) == []


def test_draws_keep_their_changes_and_removed_entrants(running):
    open_again = made_tournament(ClubFactory(), None)
    with_entrants(open_again, None, 9)
    draw_propose(tournament=open_again, author=None, seed=1)
    entries.take_out(tournament=open_again, author=None, number=9)
    assert comparable(imported(file_of(open_again), ClubFactory())) == comparable(open_again)
    second = draw_propose(tournament=open_again, author=None, seed=2)
    draw_publish(
        tournament=open_again,
        author=None,
        proposed=draw_swap(tournament=open_again, author=None, proposed=second, a=1, b=2),
    )
    with_entrants(open_again, None, 3)
    entries.withdraw(tournament=open_again, author=None, number=5)
    draw_publish(tournament=open_again, author=None, proposed=draw_again(tournament=open_again, author=None))
    before = comparable(open_again)
    assert {name for draw in before["draws"] for change in draw["changes"] for name in change} >= {"swapped", "arrived"}
    assert comparable(imported(file_of(open_again), ClubFactory())) == before


def test_slips_are_kept_and_drawn_on():
    by_slips = made_tournament(ClubFactory(), None, slips=True)
    with_entrants(by_slips, None, 8)
    before = comparable(by_slips)
    assert [len(entrant["slip"]) for entrant in before["entrants"]] == [3] * 8
    there = imported(file_of(by_slips), ClubFactory())
    assert comparable(there) == before
    with_entrants(there, None, 1)
    with_entrants(by_slips, None, 1)
    assert there.entrants.get(number=9).slip == by_slips.entrants.get(number=9).slip
    for tournament in (there, by_slips):
        play_round(tournament, None, mode=None)
    assert comparable(imported(file_of(there), ClubFactory())) == comparable(there)


def test_a_text_of_the_desk_is_read_whatever_its_signs():
    family = "👨\u200d👩\u200d👧 Meier"
    named = made_tournament(ClubFactory(), None)
    services.tournament_change(
        tournament=named, author=None, changes={"name": family, "fee": f"{family}\n10", "prizes": f"{family}\nHam"}
    )
    with_entrants(named, None, 8)
    entries.describe(tournament=named, author=None, number=1, team=family, labels=[family])
    current, _chips = play_round(named, None)
    table = current.draw.plan["tables"][0]
    chips = dict(zip(table["seats"], (5, -5, 0, 0), strict=True))
    sheets.hand_in(
        tournament=named,
        author=None,
        number=1,
        table=table["number"],
        chips=chips,
        pot=0,
        decides=True,
        reason=f"{family}\nsaid so",
    )
    before = comparable(Tournament.objects.get(pk=named.pk))
    assert before["entrants"][0]["team"] == family
    assert comparable(imported(file_of(named), ClubFactory())) == before


@pytest.mark.parametrize("part", ["name", "fee", "prizes"])
def test_a_basic_text_with_a_zero_byte_is_not_stored(part):
    tournament = made_tournament(ClubFactory(), None)
    with pytest.raises(Refused) as refused:
        services.tournament_change(tournament=tournament, author=None, changes={part: "a\0b"})
    assert (refused.value.status, refused.value.code) == (422, part)


@pytest.mark.parametrize(("part", "value"), [("team", "a\0b"), ("labels", ["a\0b"])])
def test_a_text_of_an_entrant_with_a_zero_byte_is_not_stored(part, value):
    tournament = made_tournament(ClubFactory(), None)
    with_entrants(tournament, None, 1)
    with pytest.raises(Refused) as refused:
        entries.describe(tournament=tournament, author=None, number=1, **{part: value})
    assert (refused.value.status, refused.value.code) == (422, part)


# --- Refused ---------------------------------------------------------------------------------------------


def changed(data: bytes, change: Any, *, hashed: bool = False) -> bytes:
    """The file with a change by hand; `hashed`: with the hash of the changed content."""
    parts = json.loads(data)
    change(parts)
    if hashed:
        return "".join(canonical.written(parts["content"])).encode()
    return json.dumps(parts).encode()


def refusal(data: bytes, club: Any = None) -> Refused:
    with pytest.raises(Refused) as refused:
        imported(data, club or ClubFactory())
    return refused.value


def test_a_file_that_was_formatted_again_is_the_same_file(running):
    data = file_of(running)
    assert content_of(json.dumps(json.loads(data), indent=2).encode())[1] == content_of(data)[1]


def test_a_file_changed_by_hand_is_refused_with_a_sentence_on_its_hash(running):
    def richer(parts: Any) -> None:
        parts["content"]["entrants"][0]["paid"] = True

    data = file_of(running)
    refused = refusal(changed(data, richer))
    assert "The hash of this file does not fit its content" in refused.sentence
    assert (refused.status, refused.at) == (422, "sha256")
    imported(changed(data, richer, hashed=True), ClubFactory())


def test_another_version_is_refused(running):
    data = file_of(running)

    def check(version: Any) -> None:
        refused = refusal(changed(data, lambda parts: parts.update(version=version)))
        assert refused.at == "version"
        assert "reads version 1" in refused.sentence

    try_each_cell([(version,) for version in (0, 2, "1", None, True)], check)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b"null", b"\x1f\x8b\x00", b'{"a":NaN}', b"[" * 100_000])
def test_something_else_is_no_file_of_a_tournament(data):
    assert refusal(data).sentence == "This is not the file of a tournament."


@pytest.mark.both_databases
@pytest.mark.services
def test_half_a_letter_is_refused(running):
    data = changed(file_of(running), lambda parts: parts["content"].update(prizes="\ud800"))
    assert refusal(data).at == "kind"


def test_a_file_may_be_compressed(running):
    imported(gzip.compress(file_of(running)), ClubFactory())
    assert Tournament.objects.count() == 2


WRONG: dict[str, Any] = {
    "no name": lambda content: content.pop("name"),
    "a number as name": lambda content: content.update(name=7),
    "a state": lambda content: content.update(state="open"),
    "a format": lambda content: content["format"].update(rounds=99),
    "a game": lambda content: content.update(game="jass"),
    "a day": lambda content: content.update(starts_on="yesterday"),
    "the last day of the calendar": lambda content: content.update(ends_on="9999-12-31"),
    "one number twice": lambda content: content["entrants"][1].update(number=1),
    "an unknown seat": lambda content: content["draws"][0]["tables"][0]["seats"].append(77),
    "an unknown change": lambda content: content["draws"][0]["changes"].append({"x": 1}),
    "a change of text": lambda content: content["draws"][0]["changes"].append({"number": "1", "arrived": True}),
    "an unknown figure": lambda content: content["draws"][0]["report"].update(x=1),
    "an unknown draw": lambda content: content["rounds"][0].update(draw=9),
    "a round left out": lambda content: content["rounds"].pop(0),
    "a sheet that does not add up": lambda content: content["rounds"][0]["sheets"][0].update(pot=1000),
    "a sheet of others": lambda content: content["rounds"][0]["sheets"][0].update(table=2),
    "an unknown person": lambda content: content["rounds"][1]["tables"][0].update(dealer="Nobody"),
    "a hand against the rules": lambda content: content["rounds"][1]["tables"][0]["hands"][0]["record"].update(
        made=[6]
    ),
    "a hand with another pot": lambda content: content["rounds"][1]["tables"][0]["hands"][1]["record"].update(
        pot_before=1
    ),
    "a hand left out": lambda content: content["rounds"][1]["tables"][0]["hands"].pop(0),
    "a slip without the number of people": lambda content: content["entrants"][0].update(slip=[1, 1]),
    "a slip with a further number": lambda content: content["entrants"][0].update(slip=[1, 1, 9, 1]),
    "a nickname that is not printable": lambda content: content["entrants"][8].update(nickname="a\u200db"),
    "a team with a zero byte": lambda content: content["entrants"][0].update(team="\0"),
    "a team that is too long": lambda content: content["entrants"][0].update(team="x" * 41),
    "a zero byte": lambda content: content.update(prizes="\0"),
}


def test_content_that_does_not_fit_together_is_refused_and_nothing_is_stored(running):
    good, club = file_of(running), ClubFactory()

    def check(wrong: str) -> None:
        data = json.loads(good)
        WRONG[wrong](data["content"])
        text = "".join(canonical.written(data["content"]))
        assert refusal(text.encode(), club).status == 422
        assert not Tournament.objects.filter(club=club).exists()
        assert not Player.objects.filter(club=club).exists()

    try_each_cell([(wrong,) for wrong in WRONG], check)


# --- Matching of people ----------------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.services
def test_people_are_matched_to_the_roster_by_nickname(running):
    club = ClubFactory()
    known = PlayerFactory(club=club, nickname="g1")
    looked = importing.preview(club, *content_of(file_of(running)))
    assert [(person.nickname, person.player, person.number) for person in looked.known] == [("G1", "g1", 1)]
    assert {person.nickname for person in looked.new} == {*(f"G{number}" for number in range(2, 10)), "Ersatz"}
    assert (looked.hands, looked.sheets, looked.same) == (12, 2, None)
    there = imported(file_of(running), club)
    assert Entrant.objects.get(tournament=there, number=1).player == known
    assert set(Player.objects.filter(club=club, guest=True).values_list("nickname", flat=True)) == {
        person.nickname for person in looked.new
    }


def test_two_people_who_are_one_player_here_are_named(running):
    club = ClubFactory()
    main = PlayerFactory(club=club, nickname="G1")
    PlayerFactory(club=club, nickname="G2", main=main)
    looked = importing.preview(club, *content_of(file_of(running)))
    assert [problem.problem for problem in looked.problems] == ["G2 and G1 are the same player here."]
    assert refusal(file_of(running), club).sentence == "G2 and G1 are the same player here."


def test_a_name_that_looks_like_another_one_of_the_club_is_named(running):
    club = ClubFactory()
    PlayerFactory(club=club, nickname="Еrsatz")
    assert "looks like" in refusal(file_of(running), club).sentence
    assert not Tournament.objects.filter(club=club).exists()


def test_the_rules_of_the_file_are_played_on_and_those_of_the_club_stay(running):
    club = ClubFactory()
    own = house_rules_set(club=club, game="chratze", values={"stake": 50}, author=None)
    there = imported(file_of(running), club)
    assert there.house_rules.values == running.house_rules.values != own.values
    newest = HouseRules.objects.filter(club=club, game="chratze").order_by("-version")[0]
    assert newest.values == own.values
    again = imported(file_of(running), club)
    assert again.house_rules == there.house_rules
    assert again.slug != there.slug


def test_a_named_dealer_is_kept_for_hands_that_were_played_and_for_the_next_one(running):
    table = table_of(Round.objects.get(tournament=running, number=3))
    seated = [place.player_id for place in table.places.order_by("seat")]
    void(table)
    for dealer in (seated[3], seated[1]):
        table = table_of(Round.objects.get(tournament=running, number=3))
        carry_out(table=table, change=NameDealer(dealer), author=None, key=uuid.uuid4())
        if dealer == seated[3]:
            enter(table_of(Round.objects.get(tournament=running, number=3)), MADE)
    before = comparable(running)
    kept = before["rounds"][2]["tables"][0]
    assert (kept["dealer_set"], kept["hands"][-1]["dealer_set"]) == (True, True)
    assert comparable(imported(file_of(running), ClubFactory())) == before
    assert list(verify.differences()) == []
