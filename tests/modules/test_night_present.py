"""The present state on the phone: a snapshot with the writes that wait carried out on it, compared with the server."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from games import engine_bridge
from tests.browser.night_walk import Walk, snapshot_of, written
from tests.factories import FAILED, MADE, WALKOVER, create_table
from tests.node import MODULES, Evaluate

pytestmark = pytest.mark.django_db

STEPS = 50
WALKS = [
    *(("chratze", 1), ("kratzen", 2), ("chratze", 3), ("kratzen", 4), ("chratze", 5), ("kratzen", 6)),
    *(("zwicken", 7), ("zwicken", 8), ("zwicken", 9)),
]

# Of each walk: the states before each write and after the last, the results of the hands, and the refusals.
RUN = """async (walks) => {
  const { present, expectedOf } = await import("/static/js/night/present.js");
  const state = (at) => ({
    number: at.number, seats: at.seats.map(({ name, sum }) => [name, sum]), dealer: at.dealer,
    dealNumber: at.dealNumber, potBefore: at.potBefore, pot: at.pot, antes: at.due.antes,
    muss: at.muss === true, paused: at.paused,
  });
  const states = (now) => [...now.done.map((one) => state(one.start)), state(now)];
  return walks.map(({ snapshot, middle, writes, refused }) => {
    const now = present(snapshot, writes);
    const tried = refused.map(([many, write]) => present(snapshot, [...writes.slice(0, many), write]));
    return {
      stuck: now.stuck, states: states(now), later: states(present(middle, writes)),
      expected: now.done.filter((one) => one.result).map(({ result }) => expectedOf(result)),
      refused: tried.map((one) => one.stuck?.why ?? (one.done.at(-1)?.same ? "same" : null)),
      unchanged: tried.flatMap((one, place) => (one.done.at(-1)?.same ? [[refused[place][0], state(one)]] : [])),
    };
  });
}"""


def walked(many: int = len(WALKS)) -> list[Walk]:
    walks = [Walk(game, seed) for game, seed in WALKS[:many]]
    for walk in walks:
        for step in range(STEPS):
            walk.step()
            if step == STEPS // 2:
                walk.halfway()
    return walks


def run(node: Evaluate, walks: list[Walk], modules: Path = MODULES) -> list[Any]:
    given = [
        {"snapshot": walk.snapshot, "middle": walk.middle[1], "writes": walk.writes, "refused": walk.refused}
        for walk in walks
    ]
    phones: list[Any] = node(RUN, given, modules)
    return phones


def differences(walks: list[Walk], phones: list[Any]) -> list[Any]:
    """The first step of each walk at which phone and server differ."""
    wrong: list[Any] = []
    for walk, phone in zip(walks, phones, strict=True):
        if phone["stuck"]:
            wrong.append((walk.game, walk.seed, phone["stuck"]))
            continue
        assert len(phone["states"]) == len(walk.states)
        steps = enumerate(zip(phone["states"], walk.states, strict=True))
        wrong += [(walk.game, walk.seed, step, mine, theirs) for step, (mine, theirs) in steps if mine != theirs][:1]
        if phone["later"] != walk.states[walk.middle[0] :]:
            wrong.append((walk.game, walk.seed, "from the middle", walk.middle[0]))
    return wrong


@pytest.mark.rest
def test_phone_and_server_agree_after_each_write(node: Evaluate) -> None:
    """Same seats, dealer, deal number, pot and sums after each step; the same changes refused, with the same code."""
    walks = walked()
    assert sum(len(walk.writes) for walk in walks) > 200
    assert {write["kind"] for walk in walks for write in walk.writes} == {
        "hand", "come", "leave", "order", "dealer", "pause", "resume",
    }  # fmt: skip
    phones = run(node, walks)
    assert differences(walks, phones) == []
    for walk, phone in zip(walks, phones, strict=True):
        hands = [write["expected"] for write in walk.writes if write["kind"] == "hand"]
        assert phone["expected"] == hands
        assert phone["refused"] == [code for _, _, code in walk.refused]
        # A write without effect stops nothing: the server stores it.
        assert phone["unchanged"] == [[many, walk.states[many]] for many, _, code in walk.refused if code == "same"]
    assert sum(len(walk.refused) for walk in walks) > 30


@pytest.mark.rest
def test_a_dealer_who_leaves_wrongly_would_be_found(node: Evaluate, tmp_path: Path) -> None:
    """The control: a copy in which the first seat deals when the dealer leaves."""
    wrong = with_a_fault(node, tmp_path, "order.find((seat) => sits(seat.player)) ?? seats[0]", "seats[0]")
    assert wrong


@pytest.mark.rest
def test_a_sum_that_forgets_a_hand_would_be_found(node: Evaluate, tmp_path: Path) -> None:
    """The control: a copy that does not add up the sums."""
    assert with_a_fault(node, tmp_path, "sum: seat.sum + result.deltas[number]", "sum: seat.sum")


def with_a_fault(node: Evaluate, folder: Path, right: str, wrong: str) -> list[Any]:
    """The differences that a copy of the module with a fault has."""
    shutil.copytree(MODULES.parent, folder / "static")
    module = folder / "static/js/night/present.js"
    text = module.read_text(encoding="utf-8")
    assert right in text
    module.write_text(text.replace(right, wrong), encoding="utf-8")
    walks = walked(2)
    return differences(walks, run(node, walks, folder / "static/js"))


def evaluate(node: Evaluate, code: str, *given: Any) -> Any:
    """Evaluate with the exports of the module as `night`."""
    return node(f'async (given) => {{ const night = await import("/static/js/night/present.js"); {code} }}', given)


def test_seats_of_the_games_are_those_of_the_engine(node: Evaluate) -> None:
    seats = evaluate(node, "return given[0].map((game) => night.seatsOf(game));", list(engine_bridge.SEATS))
    assert {game: tuple(limits) for game, limits in zip(engine_bridge.SEATS, seats, strict=True)} == engine_bridge.SEATS


def hand(table: Any, number: int, record: dict[str, Any]) -> dict[str, Any]:
    players = list(table.places.order_by("seat").values_list("player_id", flat=True))
    key = engine_bridge.new_key()
    return written("hand", table, key, number=number, players=players, record=record)


def test_a_stored_write_is_not_carried_out_again(node: Evaluate) -> None:
    """A hand whose number is stored, and a seat change whose key the snapshot has; and a hand that comes too early."""
    table = create_table()
    snapshot = snapshot_of(table)
    pause = written("pause", table, engine_bridge.new_key())
    writes = [hand(table, 1, MADE), pause, hand(table, 2, WALKOVER)]
    later = snapshot | {"table": snapshot["table"] | {"hands": 1, "position": 2}, "keys": [pause["key"]]}
    code = """return given.map(([snapshot, writes]) => {
      const now = night.present(snapshot, writes);
      return [now.number, now.paused, now.done.length, now.stuck?.why ?? null];
    });"""
    states = evaluate(node, code, [snapshot, writes], [later, writes], [snapshot, [writes[2]]], [later, []])
    assert states == [[3, False, 3, None], [3, False, 1, None], [1, False, 0, "number"], [2, False, 0, None]]


def test_a_change_of_an_unsent_hand_counts_the_later_ones_again(node: Evaluate) -> None:
    table = create_table()
    writes = [hand(table, 1, MADE), hand(table, 2, FAILED), hand(table, 3, MADE)]
    code = """const [snapshot, writes, changed] = given;
      const sums = (now) => [now.number, now.pot, now.stuck?.why ?? null, now.done.map((one) => one.result.pot_after)];
      return [writes, night.replaced(writes, writes[0].key, changed), night.replaced(writes, writes[0].key, null)]
        .map((all) => sums(night.present(snapshot, all)));"""
    first, changed, gone = evaluate(node, code, snapshot_of(table), writes, writes[0] | {"record": FAILED})
    assert (first[0], changed[0], gone[0]) == (4, 4, 3)
    assert first[2] is changed[2] is gone[2] is None
    assert first[3] != changed[3]
    assert len(gone[3]) == 2


def test_the_last_hand_for_all_and_the_hands_of_a_round_end_the_table(node: Evaluate) -> None:
    """After the announced last hand no antes are in the pot; after the last one of a round none can be recorded."""
    table = create_table()
    snapshot = snapshot_of(table)
    last = snapshot | {"table": snapshot["table"] | {"last_hand": True}}
    round_ = snapshot | {"table": snapshot["table"] | {"hands_left": 1}, "in_chips": True}
    writes = [hand(table, 1, MADE), hand(table, 2, MADE)]
    leave = written("leave", table, engine_bridge.new_key(), player=writes[0]["players"][0])
    code = """return given.map(([snapshot, writes]) => {
      const now = night.present(snapshot, writes);
      return [now.number, now.pot - now.potBefore, now.ended, now.over, now.stuck?.why ?? null];
    });"""
    states = evaluate(node, code, [last, writes[:1]], [round_, writes], [round_, [leave]], [snapshot, writes[:1]])
    assert states == [
        [2, 0, True, False, None],
        [2, 0, True, True, "hands"],
        [1, 100, False, False, "round"],
        [2, 100, False, False, None],
    ]


def test_an_evening_begun_on_the_phone(node: Evaluate) -> None:
    """Guests have a reference of their own; the hands go on as at a table of the server."""
    rules = dict(engine_bridge.house_rules("kratzen", {}))
    night = {
        "club": {"slug": "roessli", "name": "Rössli", "currency": "CHF", "counts_tricks": False},
        "games": {"kratzen": {"rules": rules, "rules_version": 1, "least": 3, "most": 6}},
        "roster": [{"player": 1, "name": "Anna"}, {"player": 2, "name": "Beni"}, {"player": 3, "name": "Carlo"}],
        "urls": {},
    }
    seating = [{"player": 2}, {"guest": "Fritz"}, {"player": 1}]
    write = {"key": "k", "game": "kratzen", "rules_version": 1, "seating": seating, "first_dealer": 2, "carry": False}
    code = """const now = night.present(night.begun(...given), []);
      return [now.table, now.number, now.seats, now.roster.map((one) => one.name), now.dealer, now.muss, now.pot];"""
    state = evaluate(node, code, night, write | {"at": 0, "held_on": "2026-11-20"})
    seats = [{"player": 2, "name": "Beni", "sum": 0}, {"player": "k:1", "name": "Fritz", "sum": 0}]
    assert state == ["k", 1, [*seats, {"player": 1, "name": "Anna", "sum": 0}], ["Carlo"], 2, True, 40]
