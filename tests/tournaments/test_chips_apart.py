"""Chips never count as money: a round changes no page, no API answer and no file of the league.

An evening in money and a tournament are in one club, with the same people. All addresses of the club outside the
tournament are read before the round is played and after it.
"""

from __future__ import annotations

import contextlib
import re
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import NoReverseMatch, get_resolver, reverse
from django.utils import timezone

from games import engine_bridge
from games.closing.services import evening_close
from games.corrections.edits import TakeOut
from games.corrections.services import correct
from games.hands.services import hand_enter
from games.models import Revision, Table
from league import ledger
from league.ledger import club_accounts
from league.models import (
    Account,
    Balance,
    Delivery,
    Evening,
    EveningScore,
    Player,
    Posting,
    Round,
    Season,
    Standing,
    Transfer,
    UncountedPosting,
)
from league.models.season import LeagueSeasons, Nights
from league.privacy.personal_data_export import PARTS, _rows
from league.standings.counting import count_season
from league.triggers import CHIPS_CHECKS, drop
from league.webhooks.services import EVENTS, webhook_add
from tests.api.api_client import ApiClient, key_for
from tests.cast import House, house
from tests.clients import reader
from tests.factories import FAILED, MADE, PASSED_OUT, body, create_table, enter, void
from tests.permissions import ROUTES, ApiClub
from tests.permissions import Club as ClubRoute
from tests.tournaments.rounds import close, create_round, create_tournament, entrants_of, hand_in, table_of

pytestmark = [pytest.mark.rest, pytest.mark.django_db]

EVERY_TIME = (
    (r'(csrfmiddlewaretoken" value=")[^"]+', r"\1…"),
    (r'(X-CSRFToken[^:]*": ?")[^"]+', r"\1…"),
    (r'(nonce|hx-headers|data-device)="[^"]+"', r"\1"),
    (r'(name="(?:key|lot_seed)" value=")[^"]+', r"\1…"),
)
"""Parts of a page that are new with each answer."""
LOGS = ("club-log", "log-csv", "api-log")
"""What the log says of hands that were voided or corrected, it says of those of a round as well."""
SOME = ("home", "club", "club-seasons", "api-evenings", "api-seasons", "api-balances", "api-ledger")
FILTERED = {
    "api-ledger": ("?player={player}", "?kind=share", "?kind=ante&player={player}", "?evening={round}"),
    "api-evenings": ("?state=open", "?state=closed", "?game=chratze", "?since=2026-11-01"),
}


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> House:
    """A club with a closed evening in money with a debt and coins in the box, and with an evening that runs."""
    home = house("roessli")
    webhook_add(club=home.club, actor=None, url="https://webhook.example/", events=EVENTS)
    table = create_table(club=home.club, season=home.season)
    for record in (MADE, FAILED, PASSED_OUT):
        enter(table, record)
    evening_close(evening=table.evening, author=home.recorder, key=uuid.uuid4(), pot="carry")
    enter(create_table(club=home.club, season=home.season), FAILED)
    while count_season(home.season.pk):
        pass
    anna = Player.objects.get(club=home.club, nickname="Anna")
    anna.user = home.member
    anna.save()
    now, key = timezone.now() + timedelta(seconds=1), uuid.uuid4()
    monkeypatch.setattr(timezone, "now", lambda: now)
    monkeypatch.setattr(engine_bridge, "new_key", lambda: key)
    return home


@pytest.fixture
def drawn(home: House) -> Round:
    """A round that is not played yet."""
    tournament = create_tournament(home.club)
    entrants_of(tournament, 9)
    return create_round(tournament, {1: (1, 2, 3, 4, 5), 2: (6, 7, 8, 9)})


def play(drawn: Round) -> None:
    """Play and finish the round: hands at one table, one of them voided and one corrected, a sheet at the other."""
    for record in (MADE, FAILED, PASSED_OUT, MADE):
        enter(table_of(drawn), record)
    void(table_of(drawn))
    close(drawn, {2: hand_in(drawn, 2, [-100, -50, 70, 60], pot=20)})
    correct(table=table_of(drawn), edit=TakeOut(1), author=None, key=uuid.uuid4())
    while count_season(drawn.tournament.season_id):
        pass


# --- All readable addresses --------------------------------------------------------------------------------


def addresses(home: House, drawn: Round, kind: type, names: tuple[str, ...]) -> Iterator[str]:
    """Return the addresses of the club outside the tournament that answer a GET: `kind` is pages and files, or API."""
    tables = list(Table.objects.filter(evening__in=Evening.nights.filter(club=home.club)))
    first = Revision.objects.filter(hand__table__in=tables).order_by("posting__created_at")[0]
    known: dict[str, list[Any]] = {
        "club": [home.club.slug],
        "season": [home.season.slug],
        "player": list(Player.objects.filter(club=home.club, nickname="Anna").values_list("pk", flat=True)),
        "evening": sorted({table.evening_id for table in tables}),
        "table": [table.pk for table in tables],
        "number": [first.hand.number],
        "hand": [first.hand_id],
    }
    for name, route in ROUTES.items():
        if name.startswith(("tournament", "api-tournament", *LOGS)) or not isinstance(route, kind):
            continue
        if name not in (names or (name,)):
            continue
        if "GET" not in getattr(route, "rights", {"GET": None}):
            continue
        for address in of_route(name, known):
            yield address
            for query in FILTERED.get(name, ()):
                yield address + query.format(player=known["player"][0], round=drawn.evening_id)


def of_route(name: str, known: dict[str, list[Any]]) -> Iterator[str]:
    entries = get_resolver().reverse_dict.getlist(name)
    wanted = next((list(named) for possible, *_more in entries for _text, named in possible), None)
    if wanted is None or any(argument not in known for argument in wanted):
        return
    kwargs: list[dict[str, Any]] = [{}]
    for argument in wanted:
        kwargs = [each | {argument: value} for each in kwargs for value in known[argument]]
    for each in kwargs:
        with contextlib.suppress(NoReverseMatch):
            yield reverse(name, kwargs=each)


def read(home: House, drawn: Round, *names: str) -> dict[str, tuple[int, str]]:
    """Return status and text of all answers by address, to an owner, who sees most; of these routes, or of all.

    Rows stored by a reading are rolled back: entries of the log, pencils, the API key.
    """
    pages = {}
    with transaction.atomic():
        by_key = ApiClient(key=key_for(home.owner))
        for kind, who, client in ((ClubRoute, "owner", reader(home.owner)), (ApiClub, "key", by_key)):
            for address in addresses(home, drawn, kind, names):
                cache.clear()
                answer = client.get(address)
                pages[f"{who} {address}"] = (answer.status_code, text_of(answer))
        for address in (reverse("home"), reverse("club", kwargs={"club": home.club.slug})):
            pages[f"visitor {address}"] = (200, text_of(Client().get(address)))
            pages[f"member {address}"] = (200, text_of(reader(home.member).get(address)))
        transaction.set_rollback(True)
    return pages


def text_of(answer: Any) -> str:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if answer.headers.get("Content-Type", "").startswith(("application/pdf", "application/zip", "image")):
        return str(len(content))
    text = content.decode()
    for pattern, replacement in EVERY_TIME:
        text = re.sub(pattern, replacement, text)
    return str(text)


def differing(before: dict[Any, Any], after: dict[Any, Any]) -> list[tuple[str, str]]:
    assert before.keys() == after.keys()
    return [key for key in before if before[key] != after[key]]


def test_a_round_in_chips_changes_no_page_no_answer_and_no_file(home, drawn):
    before = read(home, drawn)
    play(drawn)
    after = read(home, drawn)
    assert differing(before, after) == []
    answered = [address for address, (status, _text) in before.items() if status == 200]
    assert sum("/api/" not in address for address in answered) > 30
    assert sum("/api/" in address for address in answered) > 25


def all_evenings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Nights, "get_queryset", lambda self: super(Nights, self).get_queryset())


def all_seasons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LeagueSeasons, "get_queryset", lambda self: super(LeagueSeasons, self).get_queryset())


def chips_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the chips as the coins of a season in money."""
    Season.every.filter(in_chips=True).update(in_chips=False)


@pytest.mark.parametrize("without", [all_evenings, all_seasons, chips_counted])
def test_without_a_guard_a_round_is_seen(home, drawn, monkeypatch, without):
    apart = read(home, drawn, *SOME)
    without(monkeypatch)
    play(drawn)
    assert differing(apart, read(home, drawn, *SOME)) != []


# --- Counted rows ------------------------------------------------------------------------------------------


def test_no_row_that_is_counted_has_chips(home, drawn):
    rows = {model: model.objects.count() for model in (Standing, EveningScore, Balance)}
    held = {kind: club_accounts.held(home.club.pk, kind) for kind in ("kitty", "box")}
    play(drawn)
    assert {model: model.objects.count() for model in rows} == rows
    assert {kind: club_accounts.held(home.club.pk, kind) for kind in held} == held
    assert not UncountedPosting.objects.filter(season=drawn.tournament.season).exists()


def test_a_round_sends_no_messages(home, drawn):
    sent = Delivery.objects.count()
    assert sent
    play(drawn)
    assert Delivery.objects.count() == sent
    enter(Table.objects.filter(evening__season=home.season).latest("pk"), MADE)
    assert Delivery.objects.count() > sent


def test_the_personal_export_has_the_tournament_apart(home, drawn):
    parts = {part.name: part for part in PARTS}
    money = ("results", "transfers", "payments", "evenings_opened")
    before = {name: list(_rows(home.member, parts[name])) for name in money}
    play(drawn)
    assert {name: list(_rows(home.member, parts[name])) for name in money} == before
    entries = list(_rows(home.member, parts["tournaments"]))
    assert [(row["tournament"], row["number"]) for row in entries] == [(drawn.tournament.slug, 1)]
    results = list(_rows(home.member, parts["tournament_results"]))
    assert {row["round"] for row in results} == {1}
    assert sum(row["change_chips"] for row in results) != 0


# --- The database itself -------------------------------------------------------------------------------------


def into(kind: str, *, of: str = "moved") -> Callable[[Round], None]:
    """An attack that moves chips of the round into an account of the club, or pays with them."""

    def attack(drawn: Round) -> None:
        table = table_of(drawn)
        club = drawn.tournament.club_id
        target = (
            club_accounts.account_of(club, kind).pk
            if kind in ("kitty", "box")
            else Account.objects.filter(club=club, kind="player").order_by("pk")[0].pk
        )
        event = ledger.Event(drawn.evening, uuid.uuid4(), 1, None)
        ledger.post(event=event, moves=[ledger.Move(table.pot_account_id, target, 20, of)])

    return attack


def out_of_the_box(drawn: Round) -> None:
    box = club_accounts.account_of(drawn.tournament.club_id, "box").pk
    event = ledger.Event(drawn.evening, uuid.uuid4(), 1, None)
    ledger.post(event=event, moves=[ledger.Move(box, table_of(drawn).pot_account_id, 20, "moved")])


def by_sql(drawn: Round) -> None:
    good = Transfer.objects.filter(season=drawn.tournament.season).order_by("pk").last()
    kitty = club_accounts.account_of(drawn.tournament.club_id, "kitty").pk
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO league_transfer (posting_id, season_id, from_account_id, to_account_id, amount_minor, kind)"
            " VALUES (%s, %s, %s, %s, 20, 'moved')",
            [
                Posting._meta.pk.get_db_prep_value(uuid.uuid4(), connection),
                good.season_id,
                table_of(drawn).pot_account_id,
                kitty,
            ],
        )


ATTACKS: dict[str, Callable[[Round], None]] = {
    "into the kitty": into("kitty"),
    "into the box": into("box"),
    "out of the box": out_of_the_box,
    "a payment": into("player", of="paid"),
    "by SQL": by_sql,
}


@pytest.mark.both_databases
@pytest.mark.parametrize("attack", ATTACKS)
def test_the_database_refuses_chips_as_money(home, drawn, attack):
    enter(table_of(drawn), PASSED_OUT)
    with pytest.raises(IntegrityError, match="chips are never paid"), transaction.atomic():
        ATTACKS[attack](drawn)


@pytest.mark.both_databases
@pytest.mark.parametrize("attack", [name for name in ATTACKS if name != "by SQL"])
def test_without_the_trigger_chips_become_money(home, drawn, attack):
    enter(table_of(drawn), PASSED_OUT)
    new = reverse("evening-new", kwargs={"club": home.club.slug})
    before = read(home, drawn, "evening-new")
    drop(connection, (), CHIPS_CHECKS)
    ATTACKS[attack](drawn)
    assert (differing(before, read(home, drawn, "evening-new")) == [f"owner {new}"]) == ("box" in attack)


def test_an_evening_in_money_may_still_use_the_kitty(home, drawn):
    running = Table.objects.filter(evening__season=home.season).latest("pk")
    answer = hand_enter(table=running, author=None, key=uuid.uuid4(), body=body(running, PASSED_OUT))
    assert not answer.repeated
    evening_close(evening=running.evening, author=None, key=uuid.uuid4(), pot="kitty")
    assert club_accounts.held(home.club.pk, "kitty") > 0
