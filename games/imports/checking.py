"""Replay the hands of a file, table by table, as if they were entered one after the other. Nothing is stored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from league.imports.hand_preview import NO, YES
from league.imports.hands import (
    CheckedEvening,
    CheckedHand,
    CheckedTable,
    HandRows,
    Person,
    Remark,
    SeatRow,
    TableRows,
)
from league.models import HouseRules
from league.money import format_money, format_price

from .. import engine_bridge
from ..closing import pots
from ..engine_bridge import Record, Result, Start
from ..game.file_cells import Misread
from ..hands import chain as chains
from ..hands import clause_sentences
from ..offered import game_of

AT_SEAT = re.compile(r"(joiners|made|players|tricks)\D+(\d+)")
"""The place of an engine's fault that names a seat."""
CODES: Mapping[str, str] = {
    "tricks": "tricks",
    "made": "made",
    "blind": "blind",
    "cuts": "cuts",
    "game_type": "game_type",
    "seven": "siebenermuss",
    "seven_lost": "game_type",
    "seats": "name",
}
"""The column of each field of a record; the others are about what was said."""


@dataclass
class _Table:
    """A table while its hands are replayed. `sure`: every hand so far is right, so that pot and amounts are known."""

    rules: HouseRules
    rows: TableRows
    sure: bool = True
    dealer: Person = ""
    seated: tuple[Person, ...] = ()
    deal_number: int = 1
    pot: int = 0
    hands: list[CheckedHand] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)
    warnings: list[Remark] = field(default_factory=list)

    def start(self, hand: HandRows, players: tuple[Person, ...], dealer: Person) -> Start:
        """Return the start of the hand."""
        return Start(
            number=hand.number,
            game=self.rules.game,
            rules=self.rules.values,
            seats=len(players),
            dealer=players.index(dealer),
            deal_number=self.deal_number,
            pot_before=self.pot,
        )


def check(rules: HouseRules, tables: Sequence[TableRows], *, points_only: bool) -> CheckedEvening:
    """Replay the hands of an evening under these house rules. At its end the players of the last hands share the
    pots."""
    played = [_play(_Table(rules, rows)) for rows in tables]
    done = [table for table in played if table.hands and table.sure]
    shares = {} if points_only else _shares(done, rules)
    return CheckedEvening(
        tables=tuple(
            CheckedTable(table.rows.number, _first_dealer(table.hands), table.dealer, tuple(table.hands))
            for table in done
        ),
        shares=shares,
        faults=tuple(fault for table in played for fault in table.faults),
        warnings=tuple(warning for table in played for warning in table.warnings) + tuple(_of_the_pot(done, shares)),
    )


def _first_dealer(hands: Sequence[CheckedHand]) -> Person:
    return hands[0].players[int(hands[0].record["dealer"])]


def _play(table: _Table) -> _Table:
    for hand in table.rows.hands:
        _hand(table, hand)
    return table


def _hand(table: _Table, hand: HandRows) -> None:
    players = tuple(row.person for row in hand.seats)
    least, most = engine_bridge.SEATS[table.rules.game]
    if not least <= len(players) <= most:
        table.faults.append(
            Remark(hand.seats[0].row, "hand", clause_sentences.sentence(engine_bridge.seats_clause(table.rules.game)))
        )
    if not hand.whole or not least <= len(players) <= most or len(set(players)) < len(players):
        table.sure = False
        return
    dealer, named = _dealer(table, hand, players)
    before = table.dealer
    if named or (table.hands and dealer != before):
        table.deal_number = 1
    start = table.start(hand, players, dealer)
    try:
        record = game_of(table.rules.game).records.cells.read(hand, start)
    except Misread as fault:
        table.faults += fault.remarks
        table.sure = False
        return
    complete, _differs = engine_bridge.complete(start, record)
    result = engine_bridge.replay(complete)
    if not result["ok"]:
        _refused(table, hand, record, result)
        return
    if table.sure:
        _compare(table, hand, complete, result)
    following = start.after(result)
    table.dealer, table.deal_number = players[following.dealer], following.deal_number
    table.pot, table.seated = following.pot_before, players
    said = {**record, "dealer": start.dealer}
    table.hands.append(CheckedHand(players, said, named, tuple(result["deltas"])))


def _dealer(table: _Table, hand: HandRows, players: tuple[Person, ...]) -> tuple[Person, bool]:
    """Return the dealer, and True if the file names another player than the one next in turn."""
    marked = next((row for row in hand.seats if row.deals), None)
    if not table.seated:
        return (marked.person if marked else players[-1]), False
    turn = _next_dealer(table, players)
    if marked is None or marked.person == turn:
        return turn, False
    if table.sure:
        name = next(row.name for row in hand.seats if row.person == turn)
        sentence = _("By turn %(name)s deals this hand. It is stored with the dealer of the file.")
        table.warnings.append(Remark(marked.row, "dealer", sentence % {"name": name}))
    return marked.person, True


def _next_dealer(table: _Table, players: tuple[Person, ...]) -> Person:
    """The rule of `chains.next_dealer`, for people some of whom have no id yet."""
    people = list(dict.fromkeys([*table.seated, *players]))
    index = {person: place for place, person in enumerate(people)}
    turn = chains.next_dealer(
        index[table.dealer], [index[member] for member in table.seated], [index[member] for member in players]
    )
    return people[turn]


def _refused(table: _Table, hand: HandRows, record: Record, result: Result) -> None:
    """Add the fault of a hand that breaks a clause. In a game with forced hands the allowed records depend on the pot,
    so a hand after a wrong one is not checked."""
    if table.sure or not game_of(table.rules.game).records.has_forced_hands:
        row, code = _place(hand, record, str(result["error"]["at"]))
        table.faults.append(Remark(row.row, code, clause_sentences.sentence(str(result["error"]["clause"]))))
    table.sure = False


def _place(hand: HandRows, record: Record, path: str) -> tuple[SeatRow, str]:
    """Return the row and the column of a place in the record."""
    name = re.split(r"\W", path)[0]
    code = CODES.get(name, "role")
    declarer = record.get("declarer")
    seat = (
        declarer if isinstance(declarer, int) else next(iter(record.get("joiners") or record.get("players") or ()), 0)
    )
    match = AT_SEAT.match(path)
    if match and match[1] == "tricks":
        seat = int(match[2])
    elif match and int(match[2]) < len(record.get(match[1], ())):
        seat = record[match[1]][int(match[2])]
    row = hand.seats[seat if seat < len(hand.seats) else 0]
    if code in ("cuts", "siebenermuss", "game_type"):
        row = next((candidate for candidate in hand.seats if candidate.cells.get(code)), row)
    return row, code


# --- Amounts given in the file -----------------------------------------------------------------------------


def _compare(table: _Table, hand: HandRows, record: Record, result: Result) -> None:
    """Compare goals, amounts and pot with those of the file. After a difference nothing more can be compared at this
    table, as each hand starts with the pot of the one before."""
    faults = [*_amounts(hand, result), *_goals(hand, record, result)]
    if faults:
        table.faults += faults
        table.sure = False


def _amounts(hand: HandRows, result: Result) -> Iterator[Remark]:
    sentence = _("By the rules this is %(amount)s.")
    for row, change in zip(hand.seats, result["deltas"], strict=True):
        if row.change_minor is not None and row.change_minor != change:
            yield Remark(row.row, row.amount, sentence % {"amount": format_money(change)})
        if row.pot_after_minor is not None and row.pot_after_minor != result["pot_after"]:
            yield Remark(row.row, row.pot, sentence % {"amount": format_money(result["pot_after"])})


def _goals(hand: HandRows, record: Record, result: Result) -> Iterator[Remark]:
    """Tricks and goals that the file has both must agree."""
    for seat, row in enumerate(hand.seats):
        text = row.cells.get("made", "").casefold()
        goal = engine_bridge.made_goal(record, result, seat)
        if "tricks" in record and text and goal is not None and (text in YES) != goal:
            sentence = (
                _("By the tricks this person made it.") if goal else _("By the tricks this person did not make it.")
            )
            yield Remark(row.row, "made", sentence)
        elif text in YES and text not in NO and goal is None:
            yield Remark(row.row, "made", _("This person did not play this hand."))


def _shares(tables: Sequence[_Table], rules: HouseRules) -> dict[Person, int]:
    """Return the shares of the pots: as at the end of an evening, among the players of the last hands."""
    amount = sum(table.pot for table in tables)
    if amount == 0:
        return {}
    people: list[Person] = []
    for table in sorted(tables, key=lambda each: each.rows.number):
        turn = table.seated.index(table.dealer)
        people += [each for each in (*table.seated[turn:], *table.seated[:turn]) if each not in people]
    coin = int(engine_bridge.house_rules(rules.game, rules.values)["coin"])
    parts = pots.parts(amount, list(range(len(people))), coin)
    return {people[part.player_id]: part.amount_minor for part in parts if part.amount_minor}


def _of_the_pot(tables: Sequence[_Table], shares: Mapping[Person, int]) -> Iterator[Remark]:
    """Add a remark about a pot that was left over, at the last hand of its table."""
    for table in tables:
        if shares and table.pot:
            sentence = _("%(amount)s are left in the pot after this hand. Those who played it share them.")
            last = table.rows.hands[-1].seats[-1]
            yield Remark(last.row, last.pot, sentence % {"amount": format_price(table.pot, table.rules.club.currency)})
