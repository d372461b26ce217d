"""Type a sheet back in: check its lines in order against the chain of the table, then store them one by one.

Each line is the next hand. Its key is made from the page's key and the hand's number, so that a line that is sent again
is the same request.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from league.models import User
from league.money import format_money, format_price

from .. import engine_bridge
from ..engine_bridge import Record, Start
from ..errors import FormProblem, Refused
from ..hands import clause_sentences, selectors, services
from ..hands.preview import Preview, preview_of
from ..models import Table
from . import line_notation

MOST_LINES = 100


@dataclass(frozen=True)
class HandStart:
    """The state before a hand: its start, the players and names by seat, and the currency for amounts in sentences."""

    start: Start
    players: tuple[int, ...]
    names: tuple[str, ...]
    currency: str


@dataclass(frozen=True)
class CheckedLine:
    """A line that was checked. `problem` is None where the hand can be stored; `word` is the wrong word."""

    number: int
    text: str
    sentence: str = ""
    record: Record = field(default_factory=dict, repr=False)
    preview: Preview | None = None
    problem: FormProblem | None = None
    word: str = ""
    pot_minor: int | None = None


@dataclass(frozen=True)
class StoredLines:
    """The result of storing lines: the numbers of the stored hands, the rest of the lines, and the fault."""

    stored: tuple[int, ...]
    rest: tuple[str, ...] = ()
    fault: CheckedLine | None = None
    status: int = 200


def lines_of(text: str) -> list[str]:
    """The lines of the text that are not empty."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def next_start(table: Table) -> HandStart:
    """The state before the next hand of the table. One query."""
    chain, names = selectors.chain_of(table)
    seated = tuple(names[player] for player in chain.players)
    return HandStart(chain.start, chain.players, seated, table.evening.club.currency)


def start_of(table: Table, number: int) -> HandStart:
    """The state before hand `number`; that of a stored hand is in its record.

    Raises:
        Refused: 409 for a number beyond the next hand.
    """
    now = next_start(table)
    if number >= now.start.number:
        if number > now.start.number:
            raise _not_next(now.start.number)
        return now
    hand = selectors.hand_view(table, number)
    if hand is None:
        raise _not_next(now.start.number)
    record = hand.record
    start = replace(
        now.start,
        number=number,
        seats=record["seats"],
        dealer=record["dealer"],
        deal_number=record.get("deal_number", 1),
        pot_before=record["pot_before"],
    )
    return HandStart(start, hand.player_ids, hand.names, now.currency)


def check_lines(due: HandStart, lines: Sequence[str]) -> list[CheckedLine]:
    """Check the lines in order, the first one as the given hand; stop at the first that cannot be stored."""
    checked: list[CheckedLine] = []
    start = due.start
    for text in lines[:MOST_LINES]:
        line = check_line(replace(due, start=start), text)
        checked.append(line)
        if line.preview is None or line.preview.result is None:
            return checked
        start = start.after(line.preview.result)
    if len(lines) > MOST_LINES:
        sentence = _("At most %(n)d lines at once.") % {"n": MOST_LINES}
        checked.append(CheckedLine(start.number, lines[MOST_LINES], problem=FormProblem(sentence)))
    return checked


def check_line(due: HandStart, text: str) -> CheckedLine:
    """Read and settle one line. Never raises."""
    number = due.start.number
    try:
        line = line_notation.read_line(text, due.start, due.names)
    except line_notation.Misread as fault:
        return CheckedLine(number, text, problem=FormProblem(fault.sentence), word=fault.word)
    record, _differs = engine_bridge.complete(due.start, line.record)
    result = engine_bridge.replay(record)
    if not result["ok"]:
        refused = clause_sentences.refusal(result["error"])
        return CheckedLine(number, text, problem=FormProblem.of(refused))
    preview = preview_of(due.start, result, list(due.names), record)
    sentence = clause_sentences.summary(due.start.game, result, dict(enumerate(due.names)))
    if line.pot_minor is not None and line.pot_minor != preview.pot_after_minor:
        word = f"={format_money(line.pot_minor)}"
        return CheckedLine(
            number,
            text,
            sentence,
            problem=FormProblem(_other_pot(line.pot_minor, preview, due.currency), "pot"),
            word=word,
        )
    sent = line.record
    if line.pot_minor is not None:
        # The pot on paper was checked against this pot, so the table must refuse any other.
        sent = sent | {"pot_before": due.start.pot_before}
    return CheckedLine(number, text, sentence, sent, preview, pot_minor=line.pot_minor)


def _other_pot(paper_minor: int, preview: Preview, currency: str) -> str:
    """The sentence for a pot on paper that differs from the computed one."""
    amounts = {
        "paper": format_price(paper_minor, currency),
        "pot": format_price(preview.pot_after_minor, currency),
        "difference": format_price(paper_minor - preview.pot_after_minor, currency, plus="+"),
    }
    if paper_minor == preview.next_pot_minor:
        return (
            _(
                "The paper says %(paper)s: that is the pot with the next antes in it. After this hand the pot is "
                "%(pot)s."
            )
            % amounts
        )
    return _("The paper says %(paper)s, but after this hand the pot is %(pot)s (difference %(difference)s).") % amounts


def type_back(
    *, table: Table, author: User | None, key: uuid.UUID, number: int, players: Sequence[int], text: str
) -> StoredLines:
    """Store the lines as the hands from `number` on.

    All lines are checked first, and nothing is stored if one is wrong. Then they are stored one by one; if another
    recorder changes the table meanwhile, storing stops and the rest is returned.
    """
    lines = lines_of(text)
    try:
        due = start_of(table, number)
    except Refused as refused:
        return _stopped((), lines, number, refused)
    wrong = next((line for line in check_lines(due, lines) if line.problem), None)
    if wrong:
        return StoredLines((), tuple(lines), wrong, 422)
    stored: list[int] = []
    for place, line in enumerate(lines):
        hand = number + place
        try:
            # Checked again: the table may have changed since the lines were checked.
            fresh = selectors.table_of(club=table.evening.club, table_id=table.pk) or table
            checked = check_line(start_of(fresh, hand), line)
            if checked.problem:
                return StoredLines(tuple(stored), tuple(lines[place:]), checked, 409)
            body = {"number": hand, "players": list(players), "record": checked.record}
            services.hand_enter(table=fresh, author=author, key=key_of(key, hand), body=body)
        except Refused as refused:
            return _stopped(tuple(stored), lines[place:], hand, refused)
        stored.append(hand)
    return StoredLines(tuple(stored))


def key_of(key: uuid.UUID, number: int) -> uuid.UUID:
    """The idempotency key of one line of a page."""
    return uuid.uuid5(key, str(number))


def _stopped(stored: tuple[int, ...], rest: Sequence[str], number: int, refused: Refused) -> StoredLines:
    problem = FormProblem.of(refused)
    text = rest[0] if rest else ""
    return StoredLines(stored, tuple(rest), CheckedLine(number, text, problem=problem), refused.status)


def _not_next(due: int) -> Refused:
    return Refused(
        status=409,
        code="number",
        sentence=_("This table has moved on: hand %(due)d is next. Reload the page.") % {"due": due},
        at="number",
    )
