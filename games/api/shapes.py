"""Hands and tables as plain data, as one asker may see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from league.models import Evening
from league.overview import runs

from .. import messages, recording
from ..models import Table
from ..paper.nights import code
from ..preview import Preview, told
from ..selectors import HandView, TableView, as_read
from .seeing import Eyes

Data = dict[str, Any]


def named(players: Iterable[int], names: Mapping[int, str]) -> list[Data]:
    """Players with their names, in this order; who has no id yet has null."""
    return [{"player": player or None, "name": names.get(player, "?")} for player in players]


def hand(view: HandView, eyes: Eyes) -> Data:
    """One state of a hand."""
    view = as_read(view, eyes.access.names)
    result = dict(view.result)
    return {
        "id": view.hand_id,
        "number": view.number,
        "revision": view.revision,
        "state": "voided" if view.voided else "entered",
        "entered_at": view.at,
        "entered_by": eyes.told_by(view.author),
        "reason": eyes.told_by(view.reason),
        "told": messages.summary(result, dict(enumerate(view.names))),
        "game": view.game,
        "outcome": view.outcome,
        "dealer": view.record["dealer"],
        "muss": result["muss"],
        "siebenermuss": view.siebenermuss,
        "game_type": view.game_type,
        "blind": view.blind,
        "susi": view.susi,
        "has_cards": recording.is_told(view.record),
        "seats": [_seat(view, seat, eyes) for seat in range(len(view.names))],
        "pot_minor": eyes.amount(view.pot),
        "pot_after_minor": eyes.amount(view.pot_after),
        "lines": [_coins(line) for line in view.lines] if eyes.all_money else None,
        "record": eyes.record(view.record),
    }


def _seat(view: HandView, seat: int, eyes: Eyes) -> Data:
    result, player = dict(view.result), view.player_ids[seat]
    counted = view.tricks is not None and view.outcome == "played"
    return {
        "seat": seat,
        "player": player,
        "name": view.names[seat],
        "role": str(recording.role_of(result, seat)),
        "made": recording.made_goal(dict(view.record), result, seat),
        "tricks": view.tricks[seat] if counted and view.tricks is not None else None,
        "change_minor": eyes.amount(view.deltas[seat], player),
    }


def _coins(line: Mapping[str, Any]) -> Data:
    return {"seat": line["seat"], "kind": line["kind"], "amount_minor": line["amount"]}


def next_hand(start: recording.Start, eyes: Eyes) -> Data:
    """What a hand starts with."""
    due = recording.due(start)
    return {
        "number": start.number,
        "dealer": start.dealer,
        "forehand": (start.dealer + 1) % start.seats,
        "deal_number": start.deal_number,
        "muss": due.muss,
        "pot_before_minor": eyes.amount(start.pot_before),
        "pot_minor": eyes.amount(due.pot),
        "antes_minor": list(due.antes) if eyes.all_money else None,
    }


def stored(view: HandView, eyes: Eyes) -> Data:
    """A hand with how the coins move and what comes next; all of it follows from the hand alone."""
    view = as_read(view, eyes.access.names)
    preview = told(view.start, dict(view.result), list(view.names))
    return {
        "hand": hand(view, eyes),
        "cash": _cash(preview, view),
        "next": next_hand(view.start.after(dict(view.result)), eyes),
    }


def _cash(preview: Preview, view: HandView) -> Data:
    due = recording.due(view.start.after(dict(view.result)))
    sums = recording.coins_of(view.result)

    def who(seat: int) -> Data:
        return {"seat": seat, "player": view.player_ids[seat], "name": view.names[seat]}

    return {
        "steps": [{**who(line.seat), "kind": line.kind, "amount_minor": line.amount_minor} for line in preview.lines],
        "sums": [{**who(seat), "amount_minor": amount} for seat, amount in sums.items()],
        "pot_after_minor": preview.pot_after_minor,
        "next_antes_minor": list(due.antes),
        "next_pot_minor": due.pot,
    }


def table(view: TableView, eyes: Eyes) -> Data:
    """A table as it waits for its next hand."""
    at = view.table
    return table_state(
        at,
        view.evening,
        [(seat.player_id, seat.nickname, seat.balance_minor) for seat in view.seats],
        view.start,
        eyes,
    )


def table_state(
    at: Table, evening: Evening, seats: Sequence[tuple[int, str, int]], start: recording.Start, eyes: Eyes
) -> Data:
    """The same from its parts; `seats` are player, name and sum of the evening (Rappen)."""
    takes_hands = evening.state == Evening.State.OPEN and not at.dissolved
    return {
        "id": at.pk,
        "evening": evening.pk,
        "number": at.number,
        "code": code(at.pk),
        "game": evening.game,
        "state": _state(at, evening),
        "last_hand": at.last_hand,
        "hands": at.hands,
        "seats": [
            {
                "seat": seat,
                "player": player,
                "name": eyes.name(player, name),
                "deals": player == at.dealer_id,
                "change_minor": eyes.amount(won, player),
            }
            for seat, (player, name, won) in enumerate(seats)
        ],
        "next": next_hand(start, eyes) if takes_hands else None,
    }


def _state(at: Table, evening: Evening) -> str:
    if at.dissolved:
        return "joined"
    if evening.state != Evening.State.OPEN:
        return "closed"
    return "paused" if at.paused_at else "playing"


def evening_head(evening: Evening) -> Data:
    """What a list and the evening itself say of it."""
    return {
        "id": evening.pk,
        "season": evening.season.slug,
        "number": evening.number,
        "held_on": evening.held_on,
        "game": evening.game,
        "standing": str(evening.standing()),
        "final_at": evening.final_at,
        "runs": runs(evening),
    }
