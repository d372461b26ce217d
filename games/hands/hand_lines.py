"""Lines of hands for pages, with the names and amounts that the reader may see."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.access import ClubAccess, Right

from .. import engine_bridge
from ..offered import game_of
from .selectors import HandView
from .why_revised import AGAIN, RECOUNTED


@dataclass(frozen=True)
class SeatCell:
    """The result of a hand for one seat. `term` is the game's name of the role, `mark` is ✓, ✕ or empty, `result` the
    text of the mark. The amount is None where the reader may not see it; `points` are for these readers."""

    name: str
    css: str
    term: str
    mark: str
    result: str
    tricks: int | None
    susi: bool
    sees: bool
    change_minor: int | None
    points: int | None = None


@dataclass(frozen=True)
class HandLine:
    """A hand as a line of a page: the seats that played (`active`), the others (`idle`), and the pot.

    `nobody_declares` is for a hand that was passed out. `revised` is the reason why the hand was revised
    (`games.hands.why_revised`) as text, empty if it was not. `idle_each` is the amount that each idle seat paid,
    where all paid the same and need no names. `has_cards`: its record has the cards. `mine`: the reader sat in it
    and may dispute it. `disputed`: it has an unsettled dispute.
    """

    number: int
    nobody_declares: str
    game: str
    outcome: str
    voided: bool
    revised: str
    active: Sequence[SeatCell]
    idle: Sequence[SeatCell]
    idle_each: int | None
    sees_pot: bool
    pot_minor: int | None
    note: str
    has_cards: bool
    mine: bool
    disputed: bool


REVISED: Mapping[str, Callable[[], str]] = {
    AGAIN: lambda: _("entered again"),
    RECOUNTED: lambda: _("recalculated"),
    "changed": lambda: _("corrected"),
    "inserted": lambda: _("added"),
    "moved": lambda: _("moved"),
    "seats": lambda: _("seats corrected"),
}
"""Why a hand was revised, as text for its line."""


def hand_line(
    access: ClubAccess,
    hand: HandView,
    why: str | None = None,
    disputed: Collection[uuid.UUID] = (),
    points: Sequence[int] = (),
) -> HandLine:
    """Build the line of a hand for a reader. `why` is the reason why it was revised, `disputed` the ids of the hands
    with an unsettled dispute, `points` those of each seat, where they are shown."""
    active = engine_bridge.active_seats(hand.result)
    words = game_of(hand.game).records.words
    sees = access.sees_money()
    idle, each = _idle(access, hand, [seat for seat in range(len(hand.names)) if seat not in active])
    return HandLine(
        number=hand.number,
        nobody_declares=str(words.nobody_declares),
        game=hand.game,
        outcome=hand.outcome,
        voided=hand.voided,
        revised=REVISED[why]() if why and not hand.voided else "",
        active=[_cell(access, hand, seat, points) for seat in active],
        idle=idle,
        idle_each=each,
        sees_pot=sees,
        pot_minor=hand.pot if sees else None,
        note=_void_note(hand) if access.may(Right.RECORD) else "",
        has_cards=engine_bridge.has_cards(hand.record),
        mine=any(access.may_own(Right.DISPUTE, player) for player in hand.player_ids if player in access.player_ids),
        disputed=hand.hand_id in disputed,
    )


def _idle(access: ClubAccess, hand: HandView, seats: Sequence[int]) -> tuple[list[SeatCell], int | None]:
    """The cells of those who did not play, and the amount that each of them paid where it is the same for all.

    A cell is only needed for the Susi, or for an amount that the reader may see.
    """
    paid = {hand.deltas[seat] for seat in seats}
    if access.sees_money() and len(paid) == 1 and len(seats) > 1:
        susi = [replace(_cell(access, hand, seat), sees=False) for seat in seats if seat == hand.susi]
        return susi, paid.pop()
    named = [seat for seat in seats if seat == hand.susi or access.sees_money(hand.player_ids[seat])]
    return [_cell(access, hand, seat) for seat in named], None


def _void_note(hand: HandView) -> str:
    if not hand.voided or not hand.author:
        return ""
    if hand.reason:
        return _("voided by %(author)s: %(reason)s") % {"author": hand.author, "reason": hand.reason}
    return _("voided by %(author)s") % {"author": hand.author}


def _cell(access: ClubAccess, hand: HandView, seat: int, points: Sequence[int] = ()) -> SeatCell:
    term, mark, result = _role(hand, seat)
    sees = access.sees_money(hand.player_ids[seat])
    counted = hand.tricks is not None and hand.outcome == "played" and seat in engine_bridge.active_seats(hand.result)
    return SeatCell(
        name=access.names.show(hand.player_ids[seat], hand.names[seat]),
        css={"✓": "made", "✕": "failed"}.get(mark, ""),
        term=term,
        mark=mark,
        result=result,
        tricks=hand.tricks[seat] if counted and hand.tricks is not None else None,
        susi=seat == hand.susi,
        sees=sees,
        change_minor=hand.deltas[seat] if sees else None,
        points=points[seat] if points and not sees else None,
    )


def _role(hand: HandView, seat: int) -> tuple[str, str, str]:
    """The term for the role of a seat, the mark for its result, and the text of that mark."""
    if seat not in engine_bridge.active_seats(hand.result):
        return "", "", ""
    words = game_of(hand.game).records.words
    term = words.role(hand.record, hand.result, seat)
    if hand.outcome == "walkover":
        return words.alone(term), "", ""
    failed = seat in hand.failed
    return term, "✕" if failed else "✓", _("failed") if failed else _("made it")
