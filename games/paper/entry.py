"""Typing a sheet back: lines checked in order against the table's chain, then stored one by one.

Each line is the next hand and has a key of its own, made from the page's key and the hand's number: lines that are sent
again are the same requests.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from league.models import User
from league.templatetags.league_tags import format_money, format_price

from .. import messages, recording, selectors, services
from ..errors import Refused
from ..forms import Problem
from ..models import Table
from ..preview import Preview, told
from ..recording import Record, Start
from . import notation

MOST_LINES = 100


@dataclass(frozen=True)
class Due:
    """What a hand begins with: the start, who sits there by seat, and the currency in which a fault names amounts."""

    start: Start
    players: tuple[int, ...]
    names: tuple[str, ...]
    currency: str


@dataclass(frozen=True)
class Read:
    """A line that was looked at. `problem` is None where the hand can be stored; `word` is the one at fault."""

    number: int
    text: str
    words: str = ""
    record: Record = field(default_factory=dict, repr=False)
    preview: Preview | None = None
    problem: Problem | None = None
    word: str = ""
    pot_minor: int | None = None


@dataclass(frozen=True)
class Typed:
    """What came of lines that were to be stored: the numbers of the hands that are, what is left, and why."""

    stored: tuple[int, ...]
    rest: tuple[str, ...] = ()
    fault: Read | None = None
    status: int = 200


def lines_of(text: str) -> list[str]:
    """The lines that say something."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def due_now(table: Table) -> Due:
    """The next hand of the table. One query."""
    chain, names = selectors.chain_of(table)
    seated = tuple(names[player] for player in chain.players)
    return Due(chain.start, chain.players, seated, table.evening.club.currency)


def due_at(table: Table, number: int) -> Due:
    """What hand `number` begins with; one that is stored began with what its record says.

    Raises:
        Refused: 409 for a number that is not there yet.
    """
    now = due_now(table)
    if number >= now.start.number:
        if number > now.start.number:
            raise _moved_on(now.start.number)
        return now
    hand = selectors.hand_view(table, number)
    if hand is None:
        raise _moved_on(now.start.number)
    record = hand.record
    start = replace(
        now.start,
        number=number,
        seats=record["seats"],
        dealer=record["dealer"],
        deal_number=record.get("deal_number", 1),
        pot_before=record["pot_before"],
    )
    return Due(start, hand.player_ids, hand.names, now.currency)


def check(due: Due, lines: Sequence[str]) -> list[Read]:
    """Lines in order, the first of them the hand that is due; ends with the first that cannot be stored."""
    looked: list[Read] = []
    start = due.start
    for text in lines[:MOST_LINES]:
        read = check_line(replace(due, start=start), text)
        looked.append(read)
        if read.preview is None or read.preview.result is None:
            return looked
        start = start.after(read.preview.result)
    if len(lines) > MOST_LINES:
        said = _("At most %(n)d lines at once.") % {"n": MOST_LINES}
        looked.append(Read(start.number, lines[MOST_LINES], problem=Problem(said)))
    return looked


def check_line(due: Due, text: str) -> Read:
    """One line, read and settled. Never raises for what somebody typed."""
    number = due.start.number
    try:
        line = notation.read(text, due.start, due.names)
    except notation.Misread as fault:
        return Read(number, text, problem=Problem(fault.sentence), word=fault.word)
    record, _differs = recording.complete(due.start, line.record)
    result = recording.replay(record)
    if not result["ok"]:
        refused = messages.refusal(result["error"])
        return Read(number, text, problem=Problem(refused.sentence, refused.code, refused.at))
    preview = told(due.start, result, list(due.names))
    words = messages.summary(result, dict(enumerate(due.names)))
    if line.pot_minor is not None and line.pot_minor != preview.pot_after_minor:
        word = f"={format_money(line.pot_minor)}"
        return Read(
            number, text, words, problem=Problem(_other_pot(line.pot_minor, preview, due.currency), "pot"), word=word
        )
    sent = line.record
    if line.pot_minor is not None:
        # The paper's pot holds for the pot that was seen: the table refuses another one.
        sent = sent | {"pot_before": due.start.pot_before}
    return Read(number, text, words, sent, preview, pot_minor=line.pot_minor)


def _other_pot(paper_minor: int, preview: Preview, currency: str) -> str:
    """The paper's pot is not the one that follows."""
    amounts = {
        "paper": format_price(paper_minor, currency),
        "pot": format_price(preview.pot_after_minor, currency),
        "difference": format_price(paper_minor - preview.pot_after_minor, currency, plus="+"),
    }
    if paper_minor == preview.next_pot_minor:
        return (
            _("The paper says %(paper)s: that is the pot with the next antes in it. After this hand %(pot)s lie there.")
            % amounts
        )
    return _("The paper says %(paper)s, but after this hand %(pot)s lie there (difference %(difference)s).") % amounts


def type_back(
    *, table: Table, author: User | None, key: uuid.UUID, number: int, players: Sequence[int], text: str
) -> Typed:
    """Store the lines as the hands from `number` on.

    All of them are checked first, and nothing is stored where one is at fault. Then they are stored one by one; where
    the table has moved on meanwhile it stops, and the rest is given back.
    """
    lines = lines_of(text)
    try:
        due = due_at(table, number)
    except Refused as refused:
        return _stopped((), lines, number, refused)
    looked = check(due, lines)
    at_fault = next((read for read in looked if read.problem), None)
    if at_fault:
        return Typed((), tuple(lines), at_fault, 422)
    stored: list[int] = []
    for place, line in enumerate(lines):
        hand = number + place
        try:
            # What lies there now counts, not what lay there when the lines were checked.
            fresh = selectors.table_of(club_id=table.evening.club_id, table_id=table.pk) or table
            read = check_line(due_at(fresh, hand), line)
            if read.problem:
                return Typed(tuple(stored), tuple(lines[place:]), read, 409)
            body = {"number": hand, "players": list(players), "record": read.record}
            services.hand_enter(table=fresh, author=author, key=key_of(key, hand), body=body)
        except Refused as refused:
            return _stopped(tuple(stored), lines[place:], hand, refused)
        stored.append(hand)
    return Typed(tuple(stored))


def key_of(key: uuid.UUID, number: int) -> uuid.UUID:
    """The key of one line of a page."""
    return uuid.uuid5(key, str(number))


def _stopped(stored: tuple[int, ...], rest: Sequence[str], number: int, refused: Refused) -> Typed:
    problem = Problem(refused.sentence, refused.code, refused.at)
    text = rest[0] if rest else ""
    return Typed(stored, tuple(rest), Read(number, text, problem=problem), refused.status)


def _moved_on(due: int) -> Refused:
    return Refused(
        status=409,
        code="number",
        sentence=_("This table has moved on: hand %(due)d is next. Load the page again.") % {"due": due},
        at="number",
    )
