"""The hands of an evening with their situations and outcomes, and how each other outcome would have been settled
(`league.luck`)."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from league.luck.evening import Hand
from league.luck.situations import NOBODY, Outcome, Situation, pot_class
from league.models import ResultRow

from .. import engine_bridge
from ..game import Game
from ..models import Revision
from ..offered import game_of
from .rule_sentences import antes_of

Record = Mapping[str, Any]
COMMON = ("game", "rules", "seats", "dealer", "pot_before", "deal_number")


def read_hands(evening_id: int, mains: Mapping[int, int]) -> list[Hand]:
    """Return the valid hands of an evening, in the order of their tables and numbers. Two queries."""
    rows = ResultRow.objects.filter(evening=evening_id).exclude(role=ResultRow.Role.SHARE)
    players: dict[uuid.UUID, list[int]] = {}
    for posting, player in rows.order_by("posting", "seat").values_list("posting_id", "player_id"):
        players.setdefault(posting, []).append(mains.get(player, player))
    # The valid revision of a hand is that of its result rows' posting.
    revisions = Revision.objects.filter(hand__table__evening=evening_id, posting__in=list(players))
    records = revisions.order_by("hand__table__number", "hand__number").values_list("posting_id", "record", "result")
    return [hand_of(record, result, players[posting]) for posting, record, result in records]


def hand_of(record: Record, result: Record, players: Sequence[int]) -> Hand:
    """Return a stored hand. One that nobody declared or joined has no situation: nothing was left to chance."""
    changes = result["deltas"]
    if result["outcome"] != "played":
        return Hand(players, changes)
    game = game_of(record["game"])
    active = _in_order(record, result)
    situation = Situation(
        game=record["game"],
        active=len(active),
        declarer=active.index(result["declarer"]) if result["declarer"] is not None else NOBODY,
        call=game.texts.luck.call(dict(record), dict(result)),
        pot=pot_class(result["pot"], _ante(record)),
    )
    return Hand(
        players=players,
        changes=changes,
        situation=situation,
        outcome=_outcome(record, result, active),
        active=active,
        settle=_settle(game, tally_of(record, result), active, game.texts.luck.apart(dict(result))),
    )


def _ante(record: Record) -> int:
    """Return the ante of the hand's house rules, in Rappen."""
    return antes_of(engine_bridge.house_rules(record["game"], record.get("rules", {})), record["game"]).ante_minor


def _in_order(record: Record, result: Record) -> list[int]:
    """Return the seats that played, in their order after the dealer."""
    seats = record["seats"]
    dealer = record["dealer"]
    if engine_bridge.has_cuts(record["game"]):
        # The cuts may have moved the pack; after any hand the office goes to the left (K8.6, Z7.6).
        dealer = (result["next"]["dealer"] - 1) % seats
    return sorted(engine_bridge.active_seats(result), key=lambda seat: (seat - dealer - 1) % seats)


def _outcome(record: Record, result: Record, active: Sequence[int]) -> Outcome:
    if game_of(record["game"]).league.counts_goals:
        return tuple(int(engine_bridge.made_goal(dict(record), dict(result), seat) is True) for seat in active)
    return tuple(result["tricks"][seat] for seat in active)


def tally_of(record: Record, result: Record) -> dict[str, Any]:
    """Return the record of a hand without its tricks: who said what, and who plays."""
    tally = {name: record[name] for name in COMMON if name in record}
    return tally | game_of(record["game"]).texts.luck.tally(dict(record), dict(result))


def _settle(
    game: Game, tally: Mapping[str, Any], active: Sequence[int], apart: Sequence[int]
) -> Callable[[Outcome], Sequence[int]]:
    counts_goals = game.league.counts_goals

    def settle(outcome: Outcome) -> Sequence[int]:
        if counts_goals:
            taken: dict[str, Any] = {"made": [seat for seat, made in zip(active, outcome, strict=True) if made]}
        else:
            taken = {"tricks": {str(seat): n for seat, n in zip(active, outcome, strict=True)}}
        changes = engine_bridge.replay({**tally, **taken})["deltas"]
        return [change + besides for change, besides in zip(changes, apart, strict=True)]

    return settle
