"""How much of it was luck: the stored numbers against a recount of one's own, honest forecasts, who sees what."""

from __future__ import annotations

import csv
import io
import json
import random
import uuid
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.closing.services import evening_close, evening_reopen
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.engine_bridge import Temper
from games.integrity.verify import rebuild
from games.models import Table
from games.practice.evenings import evening_end, evening_play
from league.club_admin.services import feature_switch
from league.luck import services
from league.luck.evening import FINE
from league.luck.selectors import season_luck
from league.luck.sums import NightLuck, luck_of
from league.models import (
    Evening,
    EveningScore,
    LuckOfAllClubs,
    LuckOfEvening,
    LuckOfPlayer,
    LuckToCount,
    Player,
    Season,
)
from league.privacy.personal_data_export import archive
from league.roster.merging import players_merge
from league.standings.counting import count_season
from tests.cast import Cast, House, cast
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db

FIRST = date(2026, 3, 2)
NAMES = ("Anna", "Beni", "Carlo", "Doris", "Emil")
PAGE = "season-luck"


def play(home: House, evenings: int, hands: int = 24, *, first: date = FIRST, game: str = "chratze") -> list[Evening]:
    """Play evenings a day apart with Anna to Emil, and close them; they are final."""
    dice = random.Random(f"{first} {evenings}")
    known = {player.nickname: player for player in Player.objects.filter(club=home.club)}
    people = [known.get(name) or PlayerFactory(club=home.club, nickname=name) for name in NAMES]
    tempers = [Temper(0.2 + 0.2 * nth, 0.9 - 0.2 * nth) for nth in range(len(NAMES))]
    played = []
    for nth in range(evenings):
        table = evening_play(
            dice,
            season=home.season,
            people=list(zip(people, tempers, strict=True)),
            recorder=home.recorder,
            held_on=first + timedelta(days=nth),
            game=game,
            hands=hands,
        )
        evening_end(dice, "share" if nth % 2 else "carry", table, home.recorder, paid_on=None)
        played.append(Evening.objects.get(pk=table.evening_id))
    return played


def count(home: House) -> int:
    count_season(home.season.pk)
    return services.count_club(home.club.pk)


def stored() -> dict[str, Any]:
    """All that is stored about luck."""
    return {
        "evenings": list(LuckOfEvening.objects.order_by("evening_id").values()),
        "players": list(LuckOfPlayer.objects.order_by("evening_id", "player_id").values()),
    }


def without_ids(data: dict[str, Any]) -> dict[str, Any]:
    return data | {"players": [{k: v for k, v in row.items() if k != "id"} for row in data["players"]]}


@pytest.fixture
def people() -> Cast:
    return cast()


@pytest.fixture
def home(people: Cast) -> House:
    return people.home


def page(home: House, person: Any = None, name: str = PAGE, **query: Any) -> str:
    client = Client()
    if person is not None:
        client.force_login(person)
    url = reverse(name, kwargs={"club": home.club.slug, "season": home.season.slug})
    answer = client.get(url, query, headers={"accept-language": "en"})
    assert answer.status_code == 200
    return (b"".join(answer.streaming_content) if answer.streaming else answer.content).decode()  # type: ignore[attr-defined]


# --- The numbers ------------------------------------------------------------------------------------------


def hands_of_file(home: House, evening: Evening) -> Iterator[list[dict[str, str]]]:
    """The hands of an evening from its CSV, each as the rows of its seats."""
    client = Client()
    client.force_login(home.owner)
    url = reverse("hands-csv", kwargs={"club": home.club.slug, "evening": evening.pk})
    text = b"".join(client.get(url).streaming_content).decode()  # type: ignore[attr-defined]
    hands: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for row in csv.DictReader(io.StringIO(text)):
        if row["state"] == "entered":
            hands[row["table"], row["hand"]].append(row)
    yield from hands.values()


@cache
def plain_guess(active: int, declarer: int) -> dict[tuple[int, ...], float]:
    """Four balls from an urn with five of the declarer and three of each other one, each put back with another one."""
    counts: Counter[tuple[int, ...]] = Counter()
    for takers in product(range(active), repeat=4):
        made = tuple(int(takers.count(place) >= (2 if place == declarer else 1)) for place in range(active))
        ways = 1
        for nth, place in enumerate(takers):
            ways *= (5 if place == declarer else 3) + takers[:nth].count(place)
        counts[made] += ways
    total = sum(counts.values())
    return {made: ways / total for made, ways in counts.items()}


def plain_settlement(pot: int, declarer: int, made: tuple[int, ...]) -> list[int]:
    """Chratze by its rulebook, C6.4 to C6.7, for those who played; the stake of 20 is its own coin of rounding."""
    joiners = [place for place, reached in enumerate(made) if reached and place != declarer]
    got = [0] * len(made)
    if sum(made) == 1:
        got[made.index(1)] = pot
    elif made[declarer]:
        thirds = min(pot, -(-2 * pot // 60) * 20)
        each = (pot - thirds) // (5 * len(joiners)) * 5
        for place in joiners:
            got[place] = each
        got[declarer] = pot - each * len(joiners)
    else:
        for place in joiners:
            got[place] = pot // (5 * len(joiners)) * 5
    for place, reached in enumerate(made):
        if not reached:
            got[place] -= 2 * pot if place == declarer else pot
    return got


def test_a_recount_of_ones_own_from_the_files_gives_the_same(home: House) -> None:
    played = play(home, 4)
    assert count(home) == 4
    seen: dict[tuple[Any, ...], Counter[tuple[int, ...]]] = defaultdict(Counter)
    for evening in played:
        expected: dict[int, float] = defaultdict(float)
        goals: dict[tuple[int, str], float] = defaultdict(float)
        outcomes = []
        for rows in hands_of_file(home, evening):
            dealer = next(int(row["seat"]) for row in rows if row["dealer"] == "1")
            active = [row for row in rows if row["role"] in ("declarer", "joiner")]
            if rows[0]["outcome"] != "played":
                for row in rows:
                    expected[int(row["player_id"])] += int(row["change_minor"])
                continue
            active.sort(key=lambda row: (int(row["seat"]) - dealer - 1) % len(rows))
            declarer = [row["role"] for row in active].index("declarer")
            made = tuple(int(row["made"]) for row in active)
            key = (len(active), declarer, active[declarer]["blind"])
            pot, shares = int(rows[0]["pot_minor"]), plain_guess(len(active), declarer)
            size = (pot >= 10 * 20) + (pot >= 20 * 20) + (pot >= 40 * 20)
            for known in (seen[key], seen[*key, size]):
                shares = {
                    outcome: (known[outcome] + 40 * few) / (known.total() + 40) for outcome, few in shares.items()
                }
            paid = [(part, plain_settlement(pot, declarer, outcome)) for outcome, part in shares.items()]
            assert [plain_settlement(pot, declarer, made)[nth] - 20 for nth in range(len(made))] == [
                int(row["change_minor"]) for row in active
            ]
            for place, row in enumerate(active):
                player = int(row["player_id"])
                expected[player] += sum(part * got[place] for part, got in paid) - 20
                call = (row["blind"] or "chratze") if place == declarer else "joined"
                goals[player, call] += sum(part for outcome, part in shares.items() if outcome[place])
            for row in rows:
                if row["role"] == "out":
                    expected[int(row["player_id"])] += int(row["change_minor"])
            outcomes += [(key, made), ((*key, size), made)]
        for counted, made in outcomes:
            seen[counted][made] += 1
        shared = dict(
            evening.results.filter(role="share").values_list("player", "change_minor")  # type: ignore[attr-defined]
        )
        for row in LuckOfPlayer.objects.filter(evening=evening.pk):
            assert abs(row.expected_minor - expected[row.player_id] - shared.get(row.player_id, 0)) <= 1.001
            for call, numbers in row.calls.items():
                assert abs(numbers[2] / FINE - goals[row.player_id, call]) < (numbers[0] + 1) / FINE


def test_the_balance_is_that_of_the_standings_and_luck_adds_up(home: House) -> None:
    play(home, 3)
    count(home)
    for evening in LuckOfEvening.objects.all():
        rows = list(evening.players.all())  # type: ignore[attr-defined]
        scores = EveningScore.objects.filter(evening=evening.pk, hands__gt=0).values_list("player", "change_minor")
        assert {row.player_id: row.actual_minor for row in rows} == dict(scores)
        assert sum(row.actual_minor for row in rows) + evening.pot_minor == 0
        assert sum(row.expected_minor for row in rows) + evening.pot_expected_minor == 0
        assert all(row.low_minor <= row.expected_minor <= row.high_minor for row in rows)


@pytest.mark.both_databases
def test_only_earlier_evenings_count_and_a_rebuild_gives_the_same(home: House) -> None:
    play(home, 3)
    count(home)
    first = without_ids(stored())
    play(home, 1, first=FIRST + timedelta(days=40))
    count(home)
    assert without_ids(stored())["evenings"][:3] == first["evenings"]
    whole = without_ids(stored())
    rebuild(home.season)
    assert not LuckOfEvening.objects.exists()
    count(home)
    assert without_ids(stored()) == whole


@pytest.mark.both_databases
def test_a_correction_changes_the_evening_and_those_after_it_alone(home: House) -> None:
    played = play(home, 3)
    count(home)
    before = without_ids(stored())
    table = Table.objects.get(evening=played[1])
    evening_reopen(evening=played[1], author=home.owner, key=uuid.uuid4(), owner=True, reason="x")
    correct(table=table, edit=TakeOut(3), author=home.owner, key=uuid.uuid4())
    count(home)
    counted = LuckOfEvening.objects.order_by("evening_id").values_list("evening_id", flat=True)
    assert list(counted) == [played[0].pk, played[2].pk]
    evening_close(evening=Evening.objects.get(pk=played[1].pk), author=home.owner, key=uuid.uuid4())
    count(home)
    assert LuckOfEvening.objects.count() == 2, "an evening that may still be corrected counts for nothing"
    Evening.objects.filter(pk=played[1].pk).update(final_at=timezone.now())
    count(home)
    after = without_ids(stored())
    assert after["evenings"][0] == before["evenings"][0]
    assert [row["evening_id"] for row in after["evenings"]] == [evening.pk for evening in played]
    assert after["evenings"][1] != before["evenings"][1]


def test_an_evening_that_is_not_final_waits_until_it_is(home: House) -> None:
    (evening,) = play(home, 1)
    later = timezone.now() + timedelta(hours=3)
    Evening.objects.filter(pk=evening.pk).update(final_at=later)
    assert count(home) == 0
    assert LuckToCount.objects.get().due_at == later
    assert not services.waiting().exists()


@pytest.mark.both_databases
def test_a_request_meanwhile_is_not_lost(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    play(home, 2)
    count_season(home.season.pk)
    real = services.hands_of

    def asked_again(*args: Any) -> Any:
        LuckToCount.objects.update(mark=uuid.uuid4())
        return real(*args)

    monkeypatch.setattr(services, "hands_of", asked_again)
    assert services.count_club(home.club.pk) == 0
    assert LuckToCount.objects.exists()
    monkeypatch.undo()
    assert services.count_club(home.club.pk) == 2
    assert not LuckToCount.objects.exists()


@pytest.mark.both_databases
def test_the_shares_of_all_clubs_are_kept_and_lean_on_no_later_evening(people: Cast) -> None:
    play(people.away, 2, first=date(2026, 2, 10))
    count(people.away)
    play(people.home, 1)
    count(people.home)
    month = LuckOfAllClubs.objects.get(month=date(2026, 3, 1))
    theirs = LuckOfEvening.objects.filter(club=people.away.club)
    number = sum(hands for row in theirs for outcomes in row.outcomes.values() for hands in outcomes.values())
    assert sum(hands for outcomes in month.outcomes.values() for hands in outcomes.values()) == number
    before = without_ids(stored())
    play(people.away, 1, first=date(2026, 2, 20))
    count(people.away)
    LuckOfEvening.objects.filter(club=people.home.club).delete()
    LuckToCount.objects.create(club=people.home.club, due_at=timezone.now())
    count(people.home)
    mine = [row for row in without_ids(stored())["players"] if row["season_id"] == people.home.season.pk]
    assert mine == [row for row in before["players"] if row["season_id"] == people.home.season.pk]


def test_sums_add_the_squares_of_spreads() -> None:
    def night(nth: int, spread: int) -> NightLuck:
        calls = {"chratze": [15, 8, 15 * FINE // 2, 15 * FINE // 4, 40 * FINE]}
        return NightLuck(nth, nth, FIRST, 20, 1, "Anna", 15, 100, 60, 0, 150, spread, calls)

    single, both = luck_of([night(1, 30)]), luck_of([night(1, 30), night(2, 40)])
    assert (single.known, single.declared.known, both.known, both.declared.known) == (False, False, True, True)
    assert (single.low_minor, single.high_minor) == (0, 150)
    assert both.half_minor == round(1.645 * 50)
    assert (both.low_minor, both.high_minor) == (120 - 82, 120 + 82)
    assert (both.luck_minor, both.antes) == (80, 4)
    assert (both.declared.made, both.declared.hands, both.declared.expected) == (16, 30, 15)
    assert both.declared.spread == 5
    assert both.declared.whole_antes == 4


# --- Feature, privacy, pages ------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_club_with_the_feature_off_has_nothing_counted_and_gets_all_of_it_later(home: House) -> None:
    home.club.features = [key for key in home.club.features if key != "luck"]
    home.club.save()
    play(home, 2)
    assert count(home) == 0
    assert not LuckToCount.objects.exists()
    feature_switch(club=home.club, actor=home.owner, key="luck", on=True)
    assert services.count_waiting() == 2
    feature_switch(club=home.club, actor=home.owner, key="luck", on=False)
    assert LuckOfEvening.objects.count() == 2


def test_who_sees_amounts_sees_luck_and_nobody_else(people: Cast) -> None:
    home = people.home
    play(home, 4)
    count(home)
    anna = Player.objects.get(club=home.club, nickname="Anna")
    Player.objects.filter(pk=anna.pk).update(user=home.member)
    season = Season.objects.get(pk=home.season.pk)
    rows = list(LuckOfPlayer.objects.filter(season=season).values("player").distinct())
    assert len(rows) == len(NAMES)
    amounts = {}
    for player in Player.objects.filter(club=home.club):
        luck_rows = LuckOfPlayer.objects.filter(player=player)
        actual, expected = (
            sum(row[0] for row in luck_rows.values_list(name)) for name in ("actual_minor", "expected_minor")
        )
        amounts[player.nickname] = {str(actual - expected), str(expected)}
    for person, seen in ((None, ()), (home.member, ("Anna",)), (home.owner, NAMES)):
        text = page(home, person, "luck-csv")
        lines = {line["player"]: line for line in csv.DictReader(io.StringIO(text))}
        assert set(lines) == set(NAMES)
        for name, line in lines.items():
            read = {line["luck_minor"], line["expected_minor"]}
            assert read == (amounts[name] if name in seen else {""}), (person, name)
            assert bool(line["luck_antes"]) == (name in seen)
            assert line["declared"], "how often somebody made it is in the statistics of everybody"
    client = Client()
    client.force_login(home.member)
    answer = client.get(f"/api/v1/clubs/{home.club.slug}/seasons/{home.season.slug}/luck").json()
    assert {item["name"] for item in answer["items"] if item["luck_minor"] is not None} == {"Anna"}
    assert {item["name"] for item in answer["items"] if item["luck_antes"] is not None} == {"Anna"}
    assert "luck-plot" not in page(home, player=anna.pk)
    assert "luck-plot" in page(home, home.member)
    other = Player.objects.get(club=home.club, nickname="Beni")
    assert "luck-plot" not in page(home, home.member, player=other.pk)
    season.points_only = True
    season.save()
    assert "luck-plot" not in page(home, home.owner)
    assert "antes" in page(home, home.owner)
    assert not {line["luck_minor"] for line in csv.DictReader(io.StringIO(page(home, home.owner, "luck-csv")))} - {""}


def test_the_evening_tells_the_reader_about_the_own_luck_alone(home: House) -> None:
    evenings = play(home, 2, 30)
    count(home)
    anna = Player.objects.get(club=home.club, nickname="Anna")
    Player.objects.filter(pk=anna.pk).update(user=home.member)
    url = reverse("evening", kwargs={"club": home.club.slug, "evening": evenings[-1].pk})

    def text(person: Any) -> str:
        client = Client()
        if person:
            client.force_login(person)
        return client.get(url, headers={"accept-language": "en"}).content.decode()

    assert "it is luck" in text(home.member)
    assert "Anna:" in text(home.member)
    assert "it is luck" not in text(home.owner)
    assert "it is luck" not in text(None)
    Evening.objects.filter(pk=evenings[-1].pk).update(final_at=timezone.now() + timedelta(hours=2))
    assert "it is luck" not in text(home.member), "only of a final evening"


def test_few_hands_have_counts_alone(home: House) -> None:
    play(home, 1, 12)
    count(home)
    line = season_luck(access_of(home), Season.objects.get(pk=home.season.pk)).lines[0]
    assert not line.luck.known
    text = page(home, home.owner)
    assert "too few" in text
    assert "±" not in text.split("luck-goals")[1].split("</table>")[0]


def access_of(home: House) -> Any:
    from league.access.gate import access_to

    return access_to(home.owner, home.club)


@pytest.mark.both_databases
def test_merged_players_are_one_person_and_their_data_is_exported(home: House) -> None:
    play(home, 2)
    count(home)
    anna = Player.objects.get(club=home.club, nickname="Anna")
    late = PlayerFactory(club=home.club, nickname="Anneli")
    players_merge(club=home.club, player=anna, main=late, reason="the same", actor=home.owner)
    count(home)
    assert not LuckOfPlayer.objects.filter(player=anna).exists()
    assert LuckOfPlayer.objects.filter(player=late).count() == 2
    Player.objects.filter(pk=late.pk).update(user=home.member)
    data = json.loads(zipfile.ZipFile(io.BytesIO(b"".join(archive(home.member)))).read("data.json"))
    assert [row["player_id"] for row in data["luck"]] == [late.pk] * 2


def test_the_page_takes_as_many_queries_for_many_evenings(home: House) -> None:
    play(home, 1)
    count(home)

    def queries() -> int:
        client = Client()
        client.force_login(home.owner)
        url = reverse(PAGE, kwargs={"club": home.club.slug, "season": home.season.slug})
        client.get(url)
        with CaptureQueriesContext(connection) as captured:
            client.get(url)
        return len(captured)

    few = queries()
    play(home, 3, first=FIRST + timedelta(days=9))
    count(home)
    assert queries() == few


def test_another_clubs_season_has_none_of_it(people: Cast) -> None:
    play(people.home, 3)
    count(people.home)
    assert "Anna" not in page(people.away, people.away.owner)
    client = Client()
    client.force_login(people.away.owner)
    url = reverse(PAGE, kwargs={"club": people.away.club.slug, "season": "nothing"})
    assert client.get(url).status_code == 404
