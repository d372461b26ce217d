"""Hands and tables as plain data, as one reader may see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from league.models import Evening

from .. import engine_bridge
from ..hands import clause_sentences
from ..hands.effect_lines import EffectLine, effect_lines
from ..hands.preview import Preview, preview_of
from ..hands.selectors import HandView, as_reader_sees
from ..models import Table
from ..paper.sheet_code import code
from .visibility import Visibility

Data = dict[str, Any]


def named(players: Iterable[int], names: Mapping[int, str]) -> list[Data]:
    """Return players with their names, in this order; `player` is None for a new guest."""
    return [{"player": player or None, "name": names.get(player, "?")} for player in players]


def _in_order(value: Any) -> Any:
    """The same JSON value with the fields of each object by name: PostgreSQL does not keep their order, and an answer
    that is made again must be the same text."""
    if isinstance(value, Mapping):
        return {name: _in_order(value[name]) for name in sorted(value)}
    return [_in_order(item) for item in value] if isinstance(value, list | tuple) else value


def hand(view: HandView, visibility: Visibility) -> Data:
    """Return one revision of a hand."""
    view = as_reader_sees(view, visibility.access.names)
    result = dict(view.result)
    return {
        "id": view.hand_id,
        "number": view.number,
        "revision": view.revision,
        "state": "voided" if view.voided else "entered",
        "entered_at": view.at,
        "entered_by": visibility.unless_visitor(view.author),
        "reason": visibility.unless_visitor(view.reason),
        "sentence": clause_sentences.summary(view.game, result, dict(enumerate(view.names))),
        "game": view.game,
        "outcome": view.outcome,
        "dealer": view.record["dealer"],
        "muss": result["muss"],
        "siebenermuss": view.siebenermuss,
        "game_type": view.game_type,
        "blind": view.blind,
        "susi": view.susi,
        "has_cards": engine_bridge.has_cards(view.record),
        "seats": [_seat(view, seat, visibility) for seat in range(len(view.names))],
        "pot_minor": visibility.amount(view.pot),
        "pot_after_minor": visibility.amount(view.pot_after),
        "lines": [_coins(line) for line in view.lines] if visibility.all_money else None,
        "effects": effects(effect_lines(view.record, view.result, view.names)) if visibility.all_money else None,
        "record": _in_order(visibility.record(view.record)),
    }


def effects(lines: Iterable[EffectLine]) -> list[Data]:
    """Return the house rules that changed the amounts of a hand."""
    return [
        {
            "code": line.effect.kind,
            "amount_minor": line.effect.amount,
            "seat": line.effect.seat,
            "rule": line.rule,
            "sentence": line.sentence,
        }
        for line in lines
    ]


def _seat(view: HandView, seat: int, visibility: Visibility) -> Data:
    result, player = dict(view.result), view.player_ids[seat]
    counted = view.tricks is not None and view.outcome == "played"
    return {
        "seat": seat,
        "player": player,
        "name": view.names[seat],
        "role": engine_bridge.shown_role(result, seat),
        "made": engine_bridge.made_goal(dict(view.record), result, seat),
        "tricks": view.tricks[seat] if counted and view.tricks is not None else None,
        "change_minor": visibility.amount(view.deltas[seat], player),
    }


def _coins(line: Mapping[str, Any]) -> Data:
    return {"seat": line["seat"], "kind": line["kind"], "amount_minor": line["amount"]}


def next_hand(start: engine_bridge.Start, visibility: Visibility) -> Data:
    """Return the start of a hand: dealer, pot and antes."""
    due = engine_bridge.due(start)
    return {
        "number": start.number,
        "dealer": start.dealer,
        "forehand": (start.dealer + 1) % start.seats,
        "deal_number": start.deal_number,
        "muss": due.muss,
        "pot_before_minor": visibility.amount(start.pot_before),
        "pot_minor": visibility.amount(due.pot),
        "antes_minor": list(due.antes) if visibility.all_money else None,
    }


def hand_with_cash(view: HandView, visibility: Visibility) -> Data:
    """Return a hand, its coin movements and the start of the next hand. All of it is computed from this hand alone."""
    view = as_reader_sees(view, visibility.access.names)
    preview = preview_of(view.start, dict(view.result), list(view.names))
    return {
        "hand": hand(view, visibility),
        "cash": _cash(preview, view),
        "next": next_hand(view.start.after(dict(view.result)), visibility),
    }


def _cash(preview: Preview, view: HandView) -> Data:
    due = engine_bridge.due(view.start.after(dict(view.result)))
    sums = engine_bridge.coins_of(view.result)

    def player_at(seat: int) -> Data:
        return {"seat": seat, "player": view.player_ids[seat], "name": view.names[seat]}

    return {
        "steps": [
            {**player_at(line.seat), "kind": line.kind, "amount_minor": line.amount_minor} for line in preview.lines
        ],
        "sums": [{**player_at(seat), "amount_minor": amount} for seat, amount in sums.items()],
        "pot_after_minor": preview.pot_after_minor,
        "next_antes_minor": list(due.antes),
        "next_pot_minor": due.pot,
    }


def table_state(
    table: Table,
    evening: Evening,
    seats: Sequence[tuple[int, str, int]],
    start: engine_bridge.Start,
    visibility: Visibility,
) -> Data:
    """Return a table from its parts; `seats`: player id, name, and the player's sum of the evening in Rappen."""
    takes_hands = evening.state == Evening.State.OPEN and not table.dissolved
    return {
        "id": table.pk,
        "evening": evening.pk,
        "number": table.number,
        "code": code(table.pk),
        "game": evening.game,
        "state": _state(table, evening),
        "last_hand": table.last_hand,
        "hands": table.hands,
        "seats": [
            {
                "seat": seat,
                "player": player,
                "name": visibility.name(player, name),
                "deals": player == table.dealer_id,
                "change_minor": visibility.amount(sum_minor, player),
            }
            for seat, (player, name, sum_minor) in enumerate(seats)
        ],
        "next": next_hand(start, visibility) if takes_hands else None,
    }


def _state(table: Table, evening: Evening) -> str:
    if table.dissolved:
        return "merged"
    if evening.state != Evening.State.OPEN:
        return "closed"
    return "paused" if table.paused_at else "playing"
